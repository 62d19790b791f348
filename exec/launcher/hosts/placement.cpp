// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/placement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "exec/launcher/hosts/host_list.hpp"
#include "generic/base/error.hpp"

namespace earl::exec {

Placement::Placement(std::vector<RequestedHost> hosts,
                     std::optional<std::vector<RequestedHost>> recorded)
    : hosts_(std::move(hosts)), recorded_(std::move(recorded)) {}

Place Placement::of(std::uint32_t n) const {
  auto const host = visible_hosts().empty() ? 0 : host_for(visible_hosts(), n);
  return {.host = real_host(host, n), .visible = host};
}

/// A replay on as many hosts has all where it was.
std::uint32_t Placement::real_host(std::uint32_t visible, std::uint32_t n) const {
  if (hosts_.empty()) return 0;
  return this->visible_hosts().size() == hosts_.size() ? visible : host_for(hosts_, n);
}

/// In PVM each daemon has a turn of its own, which begins with the next host.
Round Placement::round(std::uint32_t from, std::uint32_t count, std::vector<std::uint32_t> wanted) {
  auto const hosts = static_cast<std::uint32_t>(std::max<std::size_t>(visible_hosts().size(), 1));
  if (wanted.empty()) {
    wanted.resize(hosts);
    std::iota(wanted.begin(), wanted.end(), 0U);
  }
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.back() >= hosts)
    throw Error("a spawn on host {} of a job that has {}", wanted.back(), hosts);
  return {*this, std::move(wanted), count, turns_.try_emplace(from, from + 1).first->second};
}

Round::Round(Placement const& placement, std::vector<std::uint32_t> hosts, std::uint32_t count,
             std::uint32_t& turn)
    : placement_(placement), hosts_(std::move(hosts)), count_(count), turn_(turn) {}

Place Round::next(std::uint32_t n) {
  auto at = std::ranges::lower_bound(hosts_, turn_);
  if (at == hosts_.end()) at = hosts_.begin();
  auto const host = *at;
  shares_ += std::min<std::uint64_t>(hosts_.size(), count_);
  if (shares_ >= count_) {
    shares_ -= count_;
    ++at;
  }
  turn_ = at == hosts_.end() ? hosts_.front() : *at;
  return {.host = placement_.real_host(host, n), .visible = host};
}

}  // namespace earl::exec
