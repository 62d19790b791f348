// SPDX-License-Identifier: BSD-3-Clause
/// Ids for new contexts that no two processes of a job give alike, without a request to EXEC: one
/// member of a group names its context, and sends the name to the others.
#pragma once

#include "generic/base/error.hpp"
#include "generic/base/values.hpp"

namespace earl {

class ContextNames {
 public:
  /// The n-th id of a process, for ids that all can compute: the first `reserved` are never given
  /// by next().
  static constexpr std::uint64_t id_of(Rank rank, std::uint64_t n) {
    return ours | (std::uint64_t{index(rank)} << bits_of_counter & (ours - 1)) | n;
  }
  static constexpr std::uint64_t reserved = 16;

  /// The id of another context that belongs to the one of that id.
  static constexpr std::uint64_t between(std::uint64_t id) { return id | ours << 1; }

  explicit ContextNames(Rank me) : me_(me) {}

  /// An id for context_of() that was never given before. Throws Error (Fault::full) after a
  /// billion.
  std::uint64_t next() {
    if (given_ >> bits_of_counter != 0)
      throw Error(Fault::full, "process {} has named {} contexts; use those again", number(me_),
                  given_);
    return id_of(me_, given_++);
  }

 private:
  // Other ids of front ends are below, or have the bit above alone.
  static constexpr std::uint64_t ours = std::uint64_t{1} << 54;
  static constexpr unsigned bits_of_counter = 30;

  Rank me_;
  std::uint64_t given_ = reserved;
};

}  // namespace earl
