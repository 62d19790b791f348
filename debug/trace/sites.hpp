// SPDX-License-Identifier: BSD-3-Clause
/// Call sites, numbered per process.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "debug/symbols/modules.hpp"
#include "debug/trace/outcome.hpp"

namespace earl::trace {

/// In a running process: sites get a number when they are first seen.
class SiteTable {
 public:
  /// The number of the site of `call`. When `put` is not null it gets new modules and sites,
  /// as outcomes for the trace. No allocation for a site that was seen before.
  template <class PutOutcome>
  std::uint32_t number_of(Call const& call, PutOutcome&& put) {
    auto const key = key_of(call);
    Recent& recent = recent_[key % recent_.size()];
    if (recent.call.site == call.site && recent.call.name == call.name) [[likely]]
      return recent.number;
    recent = {.call = call, .number = look_up(key, call, put)};
    return recent.number;
  }
  /// The definitions of all modules and sites so far, in their order.
  std::vector<Outcome> const& definitions() const { return definitions_; }

 private:
  struct Recent {
    Call call{.name = nullptr};  ///< no call has this name
    std::uint32_t number = no_site;
  };

  template <class PutOutcome>
  [[gnu::noinline]] std::uint32_t look_up(std::uint64_t key, Call const& call, PutOutcome& put) {
    auto const known = numbers_.find(key);
    if (known != numbers_.end()) return known->second;
    auto const before = modules_.size();
    auto const made = make(call);
    if (modules_.size() != before) put(definitions_.emplace_back(module_outcome(before)));
    if (made.count != no_site) put(definitions_.emplace_back(made));
    return made.site;
  }
  static std::uint64_t key_of(Call const& call) {
    return reinterpret_cast<std::uintptr_t>(call.site) * 0x9e37'79b9'7f4a'7c15ULL ^
           reinterpret_cast<std::uintptr_t>(call.name);
  }
  Outcome make(Call const& call);
  std::size_t module_of(void const* site);
  Outcome module_outcome(std::size_t number) const;

  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<symbols::Module> modules_;
  std::vector<Outcome> definitions_;
  std::array<Recent, 64> recent_{};  ///< programs come to few sites again and again
};

/// A site as a trace describes it.
struct KnownSite {
  std::string name = "a call";  ///< of the API
  std::string module;           ///< path; empty: unknown
  std::string build_id;
  std::uint64_t offset = 0;

  /// "crecv at racy.c:88".
  std::string to_text() const;
  /// "racy.c:88"; of a program that is another one by now, "racy+0x1234 (rebuilt since)".
  std::string place() const;
};

/// The sites of a trace being read.
class KnownSites {
 public:
  /// Takes in the definition of a site or a module; false: the outcome is none.
  bool learn(Outcome const& outcome);
  KnownSite const& at(std::uint32_t site) const;

 private:
  std::vector<KnownSite> sites_;
  std::vector<Outcome> modules_;
};

/// The site of a call under way in this process.
KnownSite site_of(Call const& call);

}  // namespace earl::trace
