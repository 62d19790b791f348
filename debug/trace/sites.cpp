// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/sites.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::trace {

namespace {

KnownSite const nowhere_known{};
constexpr std::size_t most_modules = 4096;

std::uint64_t offset_in(symbols::Module const& module, void const* site) {
  return reinterpret_cast<std::uintptr_t>(site) - module.base;
}

}  // namespace

std::uint64_t hash_of_name(char const* name) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
  for (auto const* at = name; *at != 0; ++at)
    hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100'0000'01b3ULL;
  return hash;
}

SiteTable::Site& SiteTable::look_up(Call const& call) {
  auto& site = all_[key_of(call)];
  if (site.call.name == nullptr) site = {.call = call, .hash = hash_of_name(call.name)};
  return recent_[place_of(call)] = site;
}

Outcome SiteTable::make(Call const& call) {
  Outcome made;
  made.what = OutcomeKind::site;
  made.site = static_cast<std::uint32_t>(std::min<std::size_t>(numbered_, most_sites - 1));
  if (numbered_ >= most_sites) {
    made.count = no_site;  // the table is full: recorded as the last one
    return made;
  }
  ++numbered_;
  made.count = module_of(call.site);
  made.value = static_cast<std::int64_t>(offset_in(modules_[made.count], call.site));
  made.text = call.name;
  return made;
}

/// Looking one up may mean to open its file.
std::size_t SiteTable::module_of(void const* site) {
  auto const address = reinterpret_cast<std::uintptr_t>(site);
  auto const holds = [&](symbols::Module const& module) { return module.holds(address); };
  auto found = std::ranges::find_if(modules_, holds);
  if (found == modules_.end()) {
    auto const module = symbols::module_at(site);
    found = std::ranges::find(modules_, module);
    if (found == modules_.end()) found = modules_.insert(found, module);
  }
  return static_cast<std::size_t>(found - modules_.begin());
}

Outcome SiteTable::module_outcome(std::size_t number) const {
  Outcome outcome;
  outcome.what = OutcomeKind::module;
  outcome.count = number;
  outcome.text = modules_[number].path;
  outcome.more = modules_[number].build_id;
  return outcome;
}

std::string KnownSite::to_text() const {
  if (module.empty()) return name;
  return fmt::format("{} at {}", name, place());
}

std::string KnownSite::place() const {
  if (build_id.empty() || symbols::build_id_of(module) == build_id)
    return symbols::line_of(module, offset);
  return fmt::format("{}+{:#x} (rebuilt since)", module.substr(module.rfind('/') + 1), offset);
}

bool KnownSites::learn(Outcome const& outcome) {
  if (outcome.what == OutcomeKind::module) {
    if (outcome.count >= most_modules) return true;
    if (outcome.count >= modules_.size()) modules_.resize(outcome.count + 1);
    modules_[outcome.count] = outcome;
    return true;
  }
  if (outcome.what != OutcomeKind::site) return false;
  if (outcome.site >= sites_.size()) sites_.resize(outcome.site + std::size_t{1});
  auto& site = sites_[outcome.site];
  site.name = outcome.text;
  site.offset = static_cast<std::uint64_t>(outcome.value);
  if (outcome.count < modules_.size()) {
    site.module = modules_[outcome.count].text;
    site.build_id = modules_[outcome.count].more;
  }
  return true;
}

KnownSite const& KnownSites::at(std::uint32_t site) const {
  return site < sites_.size() ? sites_[site] : nowhere_known;
}

KnownSite site_of(Call const& call) {
  auto const module = symbols::module_at(call.site);
  return {.name = call.name,
          .module = module.path,
          .build_id = module.build_id,
          .offset = module.path.empty() ? 0 : offset_in(module, call.site)};
}

}  // namespace earl::trace
