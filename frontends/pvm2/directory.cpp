// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm2/directory.hpp"

#include <algorithm>
#include <string_view>

#include "frontends/pvm2/translate.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm2 {

namespace {

constexpr std::string_view prefix = "pvm2 component ";

std::string entry_name(std::string const& component) { return std::string{prefix} + component; }

// The word of an entry: Rank + 1, or nothing while the process is being started.
constexpr std::uint32_t word_of(Rank rank) { return static_cast<std::uint32_t>(number(rank)) + 1; }
constexpr Rank rank_of(std::uint32_t word) { return Rank{static_cast<std::int32_t>(word) - 1}; }

}  // namespace

std::vector<Rank> Directory::started(std::string const& component) const {
  std::vector<Rank> ranks;
  auto const& table = process_.table();
  for (std::uint32_t n = 0; n < table.initial(); ++n) {
    const Rank rank{static_cast<std::int32_t>(n)};
    if (program_of(*table.find(rank)) == component) ranks.push_back(rank);
  }
  return ranks;
}

void Directory::read_entries() {
  StoreListing listing;
  try {
    listing = process_.exec().entries();
  } catch (Error const& error) {
    if (error.fault() != Fault::no_job) throw;
  }
  entries_.clear();
  for (auto const& entry : listing.entries)
    if (entry.name.starts_with(prefix) && entry.word != 0)
      entries_[entry.name.substr(prefix.size())][entry.index] = rank_of(entry.word);
}

Directory::Instances const* Directory::find(std::string const& component) const {
  auto const found = entries_.find(component);
  return found == entries_.end() ? nullptr : &found->second;
}

std::optional<Rank> Directory::find(std::string const& component, int instance) {
  if (instance < 0) return std::nullopt;
  auto const first = started(component);
  if (static_cast<std::size_t>(instance) < first.size())
    return first[static_cast<std::size_t>(instance)];
  for (bool const asked : {false, true}) {
    if (asked) read_entries();
    if (auto const* there = find(component))
      if (auto const found = there->find(instance); found != there->end()) return found->second;
  }
  return std::nullopt;
}

std::vector<Rank> Directory::all(std::string const& component) {
  auto ranks = started(component);
  read_entries();
  if (auto const* there = find(component))
    for (auto const& [instance, rank] : *there) ranks.push_back(rank);
  return ranks;
}

Place Directory::name_of(Rank rank, std::optional<int> instance) {
  auto const* row = process_.table().find(rank);
  Place place{.component = row ? std::string{program_of(*row)} : std::string{}};
  place.component.resize(std::min(place.component.size(), most_name));
  if (!instance) {
    place.instance = row ? static_cast<int>(row->place) : 0;
    return place;
  }
  place.instance = *instance;
  for (bool const asked : {false, true}) {
    if (asked) read_entries();
    for (auto const& [component, instances] : entries_) {
      auto const found = instances.find(*instance);
      if (found != instances.end() && found->second == rank)
        return {.component = component, .instance = *instance};
    }
    // No entry is needed for one that the user started under its own name.
    if (static_cast<std::uint32_t>(number(rank)) < process_.table().initial() &&
        find(place.component, *instance) == rank)
      return place;
  }
  return place;
}

std::optional<int> Directory::initial_instance(std::string const& component) const {
  auto const* row = process_.table().find(process_.rank());
  if (!row || program_of(*row) != component) return std::nullopt;
  if (row->flags == initiated) return static_cast<int>(row->label);
  auto const first = started(component);
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] == process_.rank()) return static_cast<int>(i);
  return std::nullopt;
}

int Directory::put(std::string const& component, int instance, bool new_one, std::uint32_t word) {
  return process_.exec()
      .put_entry({.name = entry_name(component),
                  .index = instance,
                  .several = new_one,
                  .overwritable = true,
                  .persistent = true,
                  .word = word})
      .index;
}

int Directory::add(std::string const& component, Rank rank) {
  return put(component, static_cast<int>(started(component).size()), true, word_of(rank));
}

int Directory::reserve(std::string const& component) {
  return put(component, static_cast<int>(started(component).size()), true, 0);
}

void Directory::assign(std::string const& component, int instance, Rank rank) {
  put(component, instance, false, word_of(rank));
  entries_[component][instance] = rank;
}

void Directory::release(std::string const& component, int instance) {
  process_.exec().get_entry({.name = entry_name(component), .index = instance, .remove = true});
}

}  // namespace earl::pvm2
