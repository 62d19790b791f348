// SPDX-License-Identifier: BSD-3-Clause
/// State that EXEC, or its agent on a host, and the processes there share beside libfabric; it has
/// their addresses, too.
#pragma once

#include <string>
#include <string_view>

#include "backends/net/ofi/native.h"
#include "generic/system/job_board.hpp"

namespace earl::net::ofi {

struct BoardRow : JobBoardRow {
  std::atomic<std::uint32_t> known = 0;  ///< the next members are set
  std::uint32_t size = 0;                ///< of the address, bytes
  char host[64] = {};                    ///< its name, in a job of several
  char provider[32] = {};
  char address[earl_ofi_longest_address] = {};
};

struct BoardHead : JobBoardHead {
  static constexpr std::uint64_t magic_value = 0x33'4946'4f4c'5241;  // "ARLOFI3"
  static constexpr char const* name = "earl libfabric job";
  static constexpr char const* what = "a job on libfabric";

  std::uint32_t cpus = 1;                    ///< that the job's processes here may use
  std::atomic<std::uint32_t> processes = 0;  ///< how many compete for them
  std::uint64_t key = 0;                     ///< of the job: in every frame of it
  // This host's name, in a job of several; else empty.
  char host[64] = {};     ///< its name
  char address[64] = {};  ///< by which other hosts reach it
};

/// Where a process is reached.
struct Place {
  std::string_view host{};  ///< its name; empty: there is only one
  std::string_view provider{};
  std::string_view address{};  ///< as that provider has it
};

class Board : public JobBoard<BoardHead, BoardRow> {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, std::uint32_t cpus) : JobBoard(capacity) { head().cpus = cpus; }
  /// A process's.
  explicit Board(Descriptor memory) : JobBoard(std::move(memory)) {}

  /// EXEC's, in a job of several hosts. Throws Error when that is too long.
  void name_host(std::string_view name, std::string_view address);
  /// The row is that of `rank` from now on; nothing is known of it yet. Gives whether a process
  /// waits to reach it already.
  bool begin(Rank rank);
  /// The address of `rank`. Set once; later ones are ignored.
  void publish(Rank rank, Place const& place);
  /// The same as text, for the board of another host; empty: not known yet.
  std::string address_text(Rank rank);
  /// The text that address_text() gave there. Throws Error when it makes no sense.
  void add_address(Rank rank, std::string_view text);
  /// "process 3 on host b".
  std::string describe(Rank rank);
};

}  // namespace earl::net::ofi
