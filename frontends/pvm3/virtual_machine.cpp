// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/virtual_machine.hpp"

#include <algorithm>
#include <utility>

#include "frontends/pvm3/translate.hpp"

namespace earl::pvm {

namespace {

constexpr int usual_speed = 1000;

}  // namespace

VirtualMachine::VirtualMachine(HostList hosts, std::uint32_t own)
    : hosts_(std::move(hosts.hosts)), own_(own) {
  for (auto& host : hosts_)
    infos_.push_back({.hi_tid = host_tid(static_cast<std::uint32_t>(infos_.size())),
                      .hi_name = host.name.data(),
                      .hi_arch = architecture_.data(),
                      .hi_speed = usual_speed,
                      .hi_dsig = data_signature});
}

std::optional<std::uint32_t> VirtualMachine::find(std::string_view name) const {
  if (name == ".") return own_;
  auto const found = std::find_if(hosts_.begin(), hosts_.end(),
                                  [&](HostFacts const& host) { return host.name == name; });
  if (found == hosts_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - hosts_.begin());
}

std::optional<std::uint32_t> VirtualMachine::find(int tid) const {
  auto const host = host_in(tid);
  return host && *host < count() ? host : std::nullopt;
}

}  // namespace earl::pvm
