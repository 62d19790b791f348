// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/sites.hpp"

#include <fmt/format.h>

namespace earl::analyse {

std::uint32_t Sites::number(std::uint32_t rank, std::uint32_t site) {
  auto const& known = history_.ranks[rank].sites;
  if (site >= known.size()) return none;
  auto& numbers = numbers_[rank];
  numbers.resize(known.size(), none);
  if (numbers[site] == none) numbers[site] = intern(known[site]);
  return numbers[site];
}

std::string const& Sites::call_text(std::uint32_t rank, std::uint32_t site) {
  auto const at = number(rank, site);
  if (at == none) return unknown_;
  if (texts_[at].empty()) texts_[at] = history_.ranks[rank].sites[site].to_text();
  return texts_[at];
}

std::uint32_t Sites::intern(trace::KnownSite const& site) {
  auto const [found, fresh] =
      all_.try_emplace(fmt::format("{} {} {}", site.name, site.offset, site.module),
                       static_cast<std::uint32_t>(texts_.size()));
  if (fresh) texts_.emplace_back();
  return found->second;
}

}  // namespace earl::analyse
