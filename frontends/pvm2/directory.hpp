// SPDX-License-Identifier: BSD-3-Clause
/// The process of each instance of each component.
///
/// The processes that the user started have their program's name as component and are numbered in
/// the order of their Ranks, enrolled or not: that is the same in every run. All others are
/// in the job's store, one persistent entry for each instance, with the Rank as its word.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generic/process.hpp"

namespace earl::pvm2 {

/// A component's name for one of its processes.
struct Place {
  std::string component;
  int instance = 0;
};

class Directory {
 public:
  explicit Directory(Process& process) : process_(process) {}

  /// Null: there is no such instance.
  std::optional<Rank> find(std::string const& component, int instance);
  /// By instance number; empty: there is no such component.
  std::vector<Rank> all(std::string const& component);
  /// The component and instance of a message's sender. A sender that is no PVM 2 process: its
  /// program's name, and its number among these.
  Place name_of(Rank rank, std::optional<int> instance);

  /// The instance that the caller is when it enrols in `component` for the first time and need not
  /// be given to any task; null: it must be added.
  std::optional<int> initial_instance(std::string const& component) const;
  /// A new instance, asked of EXEC.
  int add(std::string const& component, Rank rank);
  /// A number for an instance that comes later, or never: assign() or release().
  int reserve(std::string const& component);
  void assign(std::string const& component, int instance, Rank rank);
  void release(std::string const& component, int instance);

 private:
  using Instances = std::map<int, Rank>;

  /// The n-th process that the user started from a program of that name.
  std::vector<Rank> started(std::string const& component) const;
  int put(std::string const& component, int instance, bool new_one, std::uint32_t word);
  Instances const* find(std::string const& component) const;
  /// Asks EXEC for the entries. Without EXEC there are none.
  void read_entries();

  Process& process_;
  std::map<std::string, Instances> entries_{};  ///< as they were when EXEC was asked last
};

}  // namespace earl::pvm2
