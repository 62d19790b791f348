// SPDX-License-Identifier: BSD-3-Clause
/// The presence of processes for others, and their ids.
#pragma once

#include <map>
#include <set>

#include "exec/launcher/services/service_context.hpp"

namespace earl::exec {

class Presence {
 public:
  explicit Presence(ServiceContext const& context) : context_(context) {}

  /// The process's id (see process_of()).
  Rank id_of(Rank process) const {
    auto const found = returns_.find(process);
    return found == returns_.end() ? process : id_after(process, found->second);
  }
  /// There is a process of that id now: one that lives and has not left.
  bool has(Rank id) const {
    auto const process = process_of(id);
    return context_.roster().has(process) && id == id_of(process) && !away_.contains(process);
  }
  bool is_away(Rank process) const { return away_.contains(process); }
  void left(Rank process) {
    away_.insert(process);
    returns_[process] = one_more(returns_[process]);
  }
  void died(Rank process) { away_.insert(process); }
  /// The roster does not have it any more.
  void released(Rank process) {
    away_.erase(process);
    returns_.erase(process);
  }
  /// It asks for something, maybe after it had left.
  void asks(Rank process) { away_.erase(process); }

 private:
  ServiceContext const& context_;
  std::set<Rank> away_{};
  std::map<Rank, std::uint32_t> returns_{};  ///< modulo most_returns + 1; none: never
};

}  // namespace earl::exec
