// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/progressions.hpp"

#include <algorithm>

namespace earl::trace {

std::vector<Progression> progressions_of(std::vector<std::uint64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<Progression> found;
  for (std::size_t i = 0; i < numbers.size();) {
    Progression one{.first = numbers[i], .count = 1};
    if (i + 1 < numbers.size()) one.step = numbers[i + 1] - numbers[i];
    // Two numbers that a third one does not confirm may belong elsewhere.
    bool const confirmed =
        one.step == 1 || (i + 2 < numbers.size() && numbers[i + 2] - numbers[i + 1] == one.step);
    if (!confirmed) one.step = 1;
    while (i + one.count < numbers.size() && numbers[i + one.count] == one.last() + one.step)
      ++one.count;
    i += one.count;
    found.push_back(one);
  }
  return found;
}

void Progressions::add(Progression const& progression) {
  auto const at = std::ranges::upper_bound(parts_, progression.first, {},
                                           [](Part const& part) { return part.progression.first; });
  auto part = parts_.insert(at, {progression});
  for (; part != parts_.end(); ++part)
    part->highest = part == parts_.begin()
                        ? part->progression.last()
                        : std::max(std::prev(part)->highest, part->progression.last());
  size_ += progression.count;
}

bool Progressions::contains(std::uint64_t number) const {
  auto part = std::ranges::upper_bound(parts_, number, {},
                                       [](Part const& one) { return one.progression.first; });
  while (part != parts_.begin()) {
    --part;
    if (part->highest < number) return false;
    if (part->progression.contains(number)) return true;
  }
  return false;
}

}  // namespace earl::trace
