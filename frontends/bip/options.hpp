// SPDX-License-Identifier: BSD-3-Clause
/// The environment's settings: BIP's own BIP_OPTS and BIPCONF, and the strictness.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace earl::bip {

/// relaxed: correct programs run, harmless mistakes are accepted. strict: each mistake the manual
/// names ends the job. faithful: also emulates the hardware's behaviour for a long message that was
/// not received in time.
enum class Strictness { relaxed, strict, faithful };

struct Options {
  Strictness strictness = Strictness::relaxed;
  bool long_eager = false;      ///< long messages need not wait for their receivers
  std::size_t sends = 64;       ///< how many may be under way at once
  int pending = 0;              ///< bip_stest's result for a send that is not complete
  std::int64_t drop_after = 0;  ///< nanoseconds until a long message is dropped; 0: never
  bool quiet = false;           ///< bipload's option; the library prints nothing anyway
  int nodes = 0;                ///< use the first so many only; 0: all
  std::optional<int> node{};    ///< which node a program started by hand is
  std::string unknown{};        ///< letters of BIP_OPTS that mean nothing
  std::string file{};           ///< the configuration
  bool file_named = false;      ///< BIPCONF names it

  bool strict() const { return strictness != Strictness::relaxed; }
};

/// Throws Error for a value that is none of those a variable can have.
Options options_from_environment();

/// The letters of BIP_OPTS, run together in any order: "n5q".
void read_letters(Options& options, std::string_view letters);

}  // namespace earl::bip
