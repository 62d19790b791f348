// SPDX-License-Identifier: BSD-3-Clause
/// The meaning of a datatype: where its bytes lie, of which basic elements they are, and how far
/// the next one is. Knows no handles; immutable.
#pragma once

#include <cstdint>
#include <span>

#include "frontends/mpi/signature.hpp"
#include "generic/base/bytes.hpp"

namespace earl::mpi {

class TypeMap {
 public:
  /// A type of the language, of one element.
  static TypeMap basic(Basic element, std::size_t alignment, Padding const& padding = {});
  /// No bytes, but says where values begin or end.
  static TypeMap lower_marker();
  static TypeMap upper_marker();
  /// The same type as one element of what consists of it: a pair of values.
  TypeMap as_element(std::uint32_t code) const;

  // --- the standard's constructors. Counts and lengths are not negative (the caller has looked);
  // Fault::bad_length: more bytes than an address can say.
  static TypeMap contiguous(std::int64_t count, TypeMap const& old);
  /// `stride` in bytes.
  static TypeMap strided(std::int64_t count, std::int64_t length, std::ptrdiff_t stride,
                         TypeMap const& old);
  /// `places` in bytes.
  static TypeMap indexed(std::span<int const> lengths, std::span<const std::ptrdiff_t> places,
                         TypeMap const& old);
  static TypeMap structure(std::span<int const> lengths, std::span<const std::ptrdiff_t> places,
                           std::span<TypeMap const* const> types);
  static TypeMap resized(TypeMap const& old, std::ptrdiff_t lower, std::ptrdiff_t extent);

  std::uint64_t size() const { return layout_.size(); }  ///< bytes of data
  std::ptrdiff_t lower() const { return lower_; }
  std::ptrdiff_t upper() const { return upper_; }
  std::ptrdiff_t extent() const { return upper_ - lower_; }
  /// Without markers and padding.
  std::ptrdiff_t true_lower() const { return data_lower_; }
  std::ptrdiff_t true_extent() const { return data_upper_ - data_lower_; }

  MemoryLayout const& layout() const { return layout_; }
  Signature const& signature() const { return signature_; }
  /// The code of the predefined datatype that all of it consists of: a basic element's number, or
  /// what as_element() was given. 0: there are several, or none.
  std::uint32_t element() const { return element_ == several ? 0 : element_; }
  /// `count` values lie one behind the other, beginning `true_lower()` behind the address.
  bool dense() const { return dense_; }

  /// The memory of `count` values at `base`; to be kept as long as what is made of it.
  Pattern pattern(std::size_t count) const {
    return Pattern{layout_, count, extent()}.with(padding_);
  }
  Padding const& padding() const { return padding_; }

 private:
  /// All that a constructor adds up.
  class Sum;

  void simplify();

  static constexpr std::uint32_t several = 0xffff'ffff;

  MemoryLayout layout_{};
  Signature signature_{};
  Padding padding_{};
  std::ptrdiff_t lower_ = 0, upper_ = 0;
  std::ptrdiff_t data_lower_ = 0, data_upper_ = 0;
  std::size_t alignment_ = 1;
  std::uint32_t element_ = 0;  ///< 0: none
  bool lower_marked_ = false, upper_marked_ = false;
  bool dense_ = false;
};

}  // namespace earl::mpi
