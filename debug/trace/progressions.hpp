// SPDX-License-Identifier: BSD-3-Clause
/// Sets of numbers that mostly follow each other at equal distances.
#pragma once

#include <cstdint>
#include <vector>

namespace earl::trace {

struct Progression {
  std::uint64_t first = 0;
  std::uint64_t step = 1;
  std::uint64_t count = 0;

  std::uint64_t last() const { return first + step * (count - 1); }
  bool contains(std::uint64_t number) const {
    return number >= first && number <= last() && (number - first) % step == 0;
  }
  bool operator==(Progression const&) const = default;
};

/// The numbers, which are sorted in place, as few progressions; a repeated one counts once.
std::vector<Progression> progressions_of(std::vector<std::uint64_t>& numbers);

/// Their union, for many questions.
class Progressions {
 public:
  void add(Progression const& progression);
  bool contains(std::uint64_t number) const;
  std::uint64_t size() const { return size_; }

 private:
  struct Part {
    Progression progression{};
    std::uint64_t highest = 0;  ///< the last of this and of all before it
  };
  std::vector<Part> parts_;  ///< by their first
  std::uint64_t size_ = 0;
};

}  // namespace earl::trace
