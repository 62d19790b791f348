// SPDX-License-Identifier: BSD-3-Clause
/// The basic elements of a message, in order; the layout knows where they lie.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace earl::mpi {

/// One basic element: the standard's number of its type, and its bytes.
struct Basic {
  std::uint8_t id = 0;
  std::uint8_t size = 0;

  bool operator==(Basic const&) const = default;
};

/// A number that equal sequences of basic elements share, however they were put together.
struct SequenceHash {
  std::uint64_t value = 0;
  std::uint64_t weight = 1;  ///< of what stands before, when this is behind it

  /// This, then `next`.
  SequenceHash then(SequenceHash const& next) const;
  SequenceHash repeated(std::uint64_t count) const;
};

class Signature {
 public:
  Signature() = default;  ///< of no elements
  explicit Signature(Basic basic) { add({.basic = basic, .bytes = basic.size, .elements = 1}); }

  Signature repeated(std::uint64_t count) const;
  void append(Signature const& next);

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t elements() const { return elements_; }
  SequenceHash hash() const { return hash_; }
  /// The only kind of element there is; null: there are several, or none.
  Basic const* uniform() const;

  /// The number of elements of this, repeated, that the first `bytes` bytes hold; null: they end
  /// inside one.
  struct Found {
    std::uint64_t elements = 0;
    bool whole = true;
  };
  Found elements_in(std::uint64_t bytes) const;
  /// The first `bytes` bytes of this, over and over, without the element that they end in.
  SequenceHash hash_of(std::uint64_t bytes) const;

 private:
  /// `count` times one element, or what `inner` says.
  struct Part {
    Basic basic{};
    std::shared_ptr<Signature const> inner{};
    std::uint64_t count = 1;
    std::uint64_t bytes = 0;  ///< of one
    std::uint64_t elements = 0;

    SequenceHash hash() const;
  };
  void add(Part const& part);
  Found elements_once(std::uint64_t bytes) const;
  SequenceHash hash_once(std::uint64_t bytes) const;

  std::vector<Part> parts_{};
  std::uint64_t bytes_ = 0;
  std::uint64_t elements_ = 0;
  SequenceHash hash_{};
};

}  // namespace earl::mpi
