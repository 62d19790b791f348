// SPDX-License-Identifier: BSD-3-Clause
/// Memory through which the members of a group pass data that is too long for the lines of their
/// board: each member's part in two banks, used in turn, and a ring of slots for broadcasts.
///
/// A bank is written again two exchanges later. By then the writer has passed the first step of the
/// exchange between, at which all members arrive after their last look at this bank.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "generic/base/bytes.hpp"

namespace earl {

class Staging {
 public:
  static constexpr std::uint32_t slots = 8;  ///< for broadcasts
  static constexpr std::size_t slot_bytes = std::size_t{32} << 10;

  static std::size_t part_bytes(std::size_t members) {
    constexpr std::size_t few = 8;
    return std::size_t{members <= few ? 256U : 64U} << 10;
  }
  static std::size_t bytes(std::size_t members) {
    return apart + banks * members * part_bytes(members) + slots * slot_bytes;
  }

  /// `memory`: of bytes(members).
  Staging(std::shared_ptr<std::byte> memory, std::size_t members)
      : memory_(std::move(memory)),
        start_(memory_.get() + apart),
        members_(members),
        part_bytes_(part_bytes(members)) {}

  std::size_t part_bytes() const { return part_bytes_; }
  /// A member's, in the bank of this exchange.
  MutableBytes part(std::size_t member) const { return part_in(bank_, member); }
  /// In the bank of the next exchange, once all have arrived at this one: free for the member.
  MutableBytes next_part(std::size_t member) const { return part_in(bank_ ^ 1, member); }
  /// The next exchange begins.
  void advance() { bank_ ^= 1; }

  /// The slot of broadcast `number`; `slots` later it is used again.
  MutableBytes slot(std::uint32_t number) const {
    return {start_ + banks * members_ * part_bytes_ + number % slots * slot_bytes, slot_bytes};
  }

 private:
  static constexpr std::size_t banks = 2;
  /// Programs' large arrays begin just behind the start of a page. Processors take a load for one
  /// of what has just been stored at the same place in another page: half a page apart, none is.
  static constexpr std::size_t apart = 2048;

  MutableBytes part_in(std::size_t bank, std::size_t member) const {
    return {start_ + (bank * members_ + member) * part_bytes_, part_bytes_};
  }

  std::shared_ptr<std::byte> memory_;
  std::byte* start_;
  std::size_t members_;
  std::size_t part_bytes_;
  std::size_t bank_ = 0;
};

}  // namespace earl
