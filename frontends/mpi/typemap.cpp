// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/typemap.hpp"

#include <algorithm>
#include <limits>

#include "generic/base/error.hpp"

namespace earl::mpi {

namespace {

std::ptrdiff_t product(std::ptrdiff_t one, std::ptrdiff_t other) {
  std::ptrdiff_t result = 0;
  if (__builtin_mul_overflow(one, other, &result))
    throw Error(Fault::bad_length, "a datatype reaches {} times {} bytes: an address cannot say it",
                one, other);
  return result;
}

std::ptrdiff_t sum(std::ptrdiff_t one, std::ptrdiff_t other) {
  std::ptrdiff_t result = 0;
  if (__builtin_add_overflow(one, other, &result))
    throw Error(Fault::bad_length, "a datatype reaches {} and {} bytes: an address cannot say it",
                one, other);
  return result;
}

std::ptrdiff_t rounded_up(std::ptrdiff_t length, std::size_t alignment) {
  auto const unit = static_cast<std::ptrdiff_t>(alignment);
  auto const over = length % unit;
  return over == 0 ? length : sum(length, over > 0 ? unit - over : -over);
}

}  // namespace

/// Bounds of members that are added one after the other.
class TypeMap::Sum {
 public:
  /// `count` copies of `one`, each `stride` bytes behind the one before.
  void add(TypeMap const& one, std::int64_t count, std::ptrdiff_t stride, std::ptrdiff_t place) {
    if (count == 0) return;
    auto const last = product(count - 1, stride);
    auto const first_at = sum(place, std::min<std::ptrdiff_t>(0, last));
    auto const last_at = sum(place, std::max<std::ptrdiff_t>(0, last));
    (one.lower_marked_ ? marked_ : all_).take_lower(sum(first_at, one.lower_));
    (one.upper_marked_ ? marked_ : all_).take_upper(sum(last_at, one.upper_));
    lower_marked_ |= one.lower_marked_;
    upper_marked_ |= one.upper_marked_;
    alignment_ = std::max(alignment_, one.alignment_);
    some_ = true;
    if (one.size() == 0) return;
    auto const size = static_cast<std::size_t>(count) * one.size();
    padding_ = Padding::joined(padding_, size_, one.padding_, size);
    size_ += size;
    element_ = element_ == 0 || element_ == one.element_ ? one.element_ : several;
    data_.take_lower(sum(first_at, one.data_lower_));
    data_.take_upper(sum(last_at, one.data_upper_));
  }

  void bound(TypeMap& type) const {
    if (!some_) return;
    type.lower_marked_ = lower_marked_;
    type.upper_marked_ = upper_marked_;
    type.lower_ = (lower_marked_ ? marked_ : all_).lower;
    type.upper_ = (upper_marked_ ? marked_ : all_).upper;
    type.alignment_ = alignment_;
    type.padding_ = padding_;
    type.element_ = element_;
    if (data_.lower > data_.upper) return;
    type.data_lower_ = data_.lower;
    type.data_upper_ = data_.upper;
  }

 private:
  /// From where to where something reaches; at first, from nowhere.
  struct Bounds {
    std::ptrdiff_t lower = std::numeric_limits<std::ptrdiff_t>::max();
    std::ptrdiff_t upper = std::numeric_limits<std::ptrdiff_t>::min();

    void take_lower(std::ptrdiff_t at) { lower = std::min(lower, at); }
    void take_upper(std::ptrdiff_t at) { upper = std::max(upper, at); }
  };

  Bounds all_{}, marked_{}, data_{};
  bool lower_marked_ = false, upper_marked_ = false, some_ = false;
  std::size_t alignment_ = 1;
  Padding padding_{};
  std::size_t size_ = 0;
  std::uint32_t element_ = 0;
};

TypeMap TypeMap::basic(Basic element, std::size_t alignment, Padding const& padding) {
  TypeMap type;
  type.layout_ = MemoryLayout::block(element.size);
  type.signature_ = Signature{element};
  type.padding_ = padding;
  type.upper_ = type.data_upper_ = element.size;
  type.alignment_ = alignment;
  type.element_ = element.id;
  type.simplify();
  return type;
}

TypeMap TypeMap::as_element(std::uint32_t code) const {
  TypeMap type = *this;
  type.element_ = code;
  return type;
}

TypeMap TypeMap::lower_marker() {
  TypeMap type;
  type.lower_marked_ = true;
  return type;
}

TypeMap TypeMap::upper_marker() {
  TypeMap type;
  type.upper_marked_ = true;
  return type;
}

void TypeMap::simplify() {
  if (size() > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max()))
    throw Error(Fault::bad_length, "a datatype of {} bytes", size());
  if (std::ptrdiff_t extent = 0; __builtin_sub_overflow(upper_, lower_, &extent))
    throw Error(Fault::bad_length, "a datatype reaches from {} to {}: an address cannot say it",
                lower_, upper_);
  auto const one = layout_.contiguous();
  dense_ = one && (size() == 0 || extent() == static_cast<std::ptrdiff_t>(size()));
}

TypeMap TypeMap::contiguous(std::int64_t count, TypeMap const& old) {
  return strided(1, count, 0, old);
}

TypeMap TypeMap::strided(std::int64_t count, std::int64_t length, std::ptrdiff_t stride,
                         TypeMap const& old) {
  TypeMap type;
  if (count == 0 || length == 0) {
    type.simplify();
    return type;
  }
  static_cast<void>(product(product(count, length), static_cast<std::ptrdiff_t>(old.size())));
  Sum row;
  row.add(old, length, old.extent(), 0);
  row.bound(type);
  type.layout_ = old.layout_.repeated(static_cast<std::size_t>(length), old.extent());
  Sum rows;
  rows.add(type, count, stride, 0);
  rows.bound(type);
  type.layout_ = type.layout_.repeated(static_cast<std::size_t>(count), stride);
  type.signature_ = old.signature_.repeated(static_cast<std::uint64_t>(count * length));
  type.simplify();
  return type;
}

TypeMap TypeMap::indexed(std::span<int const> lengths, std::span<const std::ptrdiff_t> places,
                         TypeMap const& old) {
  TypeMap type;
  Sum members;
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    auto const length = static_cast<std::size_t>(lengths[i]);
    members.add(old, lengths[i], old.extent(), places[i]);
    type.layout_.append(old.layout_.repeated(length, old.extent()), places[i]);
    elements += length;
  }
  members.bound(type);
  type.signature_ = old.signature_.repeated(elements);
  type.simplify();
  return type;
}

TypeMap TypeMap::structure(std::span<int const> lengths, std::span<const std::ptrdiff_t> places,
                           std::span<TypeMap const* const> types) {
  TypeMap type;
  Sum members;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    TypeMap const& member = *types[i];
    auto const length = static_cast<std::size_t>(lengths[i]);
    members.add(member, lengths[i], member.extent(), places[i]);
    type.layout_.append(member.layout_.repeated(length, member.extent()), places[i]);
    type.signature_.append(member.signature_.repeated(length));
  }
  members.bound(type);
  type.simplify();
  if (!type.upper_marked_)
    type.upper_ = sum(type.lower_, rounded_up(type.extent(), type.alignment_));
  type.simplify();
  return type;
}

TypeMap TypeMap::resized(TypeMap const& old, std::ptrdiff_t lower, std::ptrdiff_t extent) {
  TypeMap type = old;
  type.lower_ = lower;
  type.upper_ = sum(lower, extent);
  type.lower_marked_ = type.upper_marked_ = true;
  type.simplify();
  return type;
}

}  // namespace earl::mpi
