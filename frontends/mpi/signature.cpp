// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/signature.hpp"

#include <algorithm>

namespace earl::mpi {

namespace {

/// Odd, so that each power of it is another number for very long.
constexpr std::uint64_t base = 0x9e37'79b9'7f4a'7c15;

SequenceHash hash_of_one(Basic basic) {
  return {.value = (std::uint64_t{basic.id} << 8 | basic.size) + 1, .weight = base};
}

}  // namespace

SequenceHash SequenceHash::then(SequenceHash const& next) const {
  return {.value = value * next.weight + next.value, .weight = weight * next.weight};
}

SequenceHash SequenceHash::repeated(std::uint64_t count) const {
  SequenceHash all;
  for (SequenceHash power = *this; count != 0; count >>= 1, power = power.then(power))
    if ((count & 1) != 0) all = all.then(power);
  return all;
}

SequenceHash Signature::Part::hash() const { return inner ? inner->hash() : hash_of_one(basic); }

void Signature::add(Part const& part) {
  if (part.count == 0 || part.elements == 0) return;
  bytes_ += part.bytes * part.count;
  elements_ += part.elements * part.count;
  hash_ = hash_.then(part.hash().repeated(part.count));
  bool const joins =
      !parts_.empty() && !part.inner && !parts_.back().inner && parts_.back().basic == part.basic;
  if (joins)
    parts_.back().count += part.count;
  else
    parts_.push_back(part);
}

void Signature::append(Signature const& next) {
  for (Part const& part : next.parts_) add(part);
}

Signature Signature::repeated(std::uint64_t count) const {
  if (count == 1) return *this;
  Signature all;
  if (count == 0 || parts_.empty()) return all;
  Part part = parts_.front();
  if (parts_.size() == 1)
    part.count *= count;
  else
    part = {.inner = std::make_shared<Signature const>(*this),
            .count = count,
            .bytes = bytes_,
            .elements = elements_};
  all.add(part);
  return all;
}

Basic const* Signature::uniform() const {
  return parts_.size() == 1 && !parts_.front().inner ? &parts_.front().basic : nullptr;
}

Signature::Found Signature::elements_once(std::uint64_t bytes) const {
  Found found;
  for (Part const& part : parts_) {
    const std::uint64_t whole =
        std::min(part.count, bytes / std::max<std::uint64_t>(part.bytes, 1));
    found.elements += whole * part.elements;
    bytes -= whole * part.bytes;
    if (whole == part.count) continue;
    if (!part.inner) return {found.elements, bytes == 0};
    const Found rest = part.inner->elements_once(bytes);
    return {found.elements + rest.elements, rest.whole};
  }
  return found;
}

Signature::Found Signature::elements_in(std::uint64_t bytes) const {
  if (bytes_ == 0) return {0, bytes == 0};
  Found found = elements_once(bytes % bytes_);
  found.elements += bytes / bytes_ * elements_;
  return found;
}

SequenceHash Signature::hash_once(std::uint64_t bytes) const {
  SequenceHash hash;
  for (Part const& part : parts_) {
    const std::uint64_t whole =
        std::min(part.count, bytes / std::max<std::uint64_t>(part.bytes, 1));
    hash = hash.then(part.hash().repeated(whole));
    bytes -= whole * part.bytes;
    if (whole == part.count) continue;
    return part.inner ? hash.then(part.inner->hash_once(bytes)) : hash;
  }
  return hash;
}

SequenceHash Signature::hash_of(std::uint64_t bytes) const {
  if (bytes_ == 0) return {};
  return hash_.repeated(bytes / bytes_).then(hash_once(bytes % bytes_));
}

}  // namespace earl::mpi
