// SPDX-License-Identifier: BSD-3-Clause
/// Call sites, numbered per process.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "debug/symbols/modules.hpp"
#include "debug/trace/outcome.hpp"

namespace earl::trace {

/// Hashes the characters of an API call's name, not their address, so that another build gives the
/// same.
std::uint64_t hash_of_name(char const* name);

/// In a running process: sites get a number when an outcome is recorded there for the first time.
class SiteTable {
 public:
  struct Site {
    Call call{.name = nullptr};  ///< no call has this name
    std::uint64_t hash = 0;      ///< of its name
    std::uint32_t number = no_site;
  };

  /// The site of `call`, until the next call of this. No allocation for one that was seen before.
  Site& at(Call const& call) {
    Site* const recent = find_recent(call);
    return recent != nullptr ? *recent : look_up(call);
  }
  /// The same if it is one of the last; else null.
  Site* find_recent(Call const& call) {
    Site& recent = recent_[place_of(call)];
    return recent.call.site == call.site && recent.call.name == call.name ? &recent : nullptr;
  }
  /// Gives such a site a number of the caller's.
  void set_number(Site& site, std::uint32_t number) {
    site.number = all_[key_of(site.call)].number = number;
  }
  /// The next call is none of the last ones.
  void forget_recent() { recent_.assign(most_recent, {}); }
  /// The number of such a site. `put` gets new modules and sites, as outcomes for the trace.
  template <class PutOutcome>
  std::uint32_t number_of(Site& site, PutOutcome&& put) {
    if (site.number == no_site) [[unlikely]]
      site.number = give_number(site.call, put);
    return site.number;
  }
  /// The definitions of all modules and sites so far, in their order.
  std::vector<Outcome> const& definitions() const { return definitions_; }

 private:
  template <class PutOutcome>
  [[gnu::noinline]] std::uint32_t give_number(Call const& call, PutOutcome& put) {
    auto const before = modules_.size();
    auto const made = make(call);
    if (modules_.size() != before) put(definitions_.emplace_back(module_outcome(before)));
    if (made.count != no_site) put(definitions_.emplace_back(made));
    return all_[key_of(call)].number = made.site;
  }
  static std::uint64_t key_of(Call const& call) {
    return reinterpret_cast<std::uintptr_t>(call.site) * 0x9e37'79b9'7f4a'7c15ULL ^
           reinterpret_cast<std::uintptr_t>(call.name);
  }
  static std::size_t place_of(Call const& call) {
    return reinterpret_cast<std::uintptr_t>(call.site) % most_recent;
  }
  [[gnu::noinline]] Site& look_up(Call const& call);
  Outcome make(Call const& call);
  std::size_t module_of(void const* site);
  Outcome module_outcome(std::size_t number) const;

  static constexpr std::size_t most_recent = 64;

  std::unordered_map<std::uint64_t, Site> all_;
  std::size_t numbered_ = 0;
  std::vector<symbols::Module> modules_;
  std::vector<Outcome> definitions_;
  std::vector<Site> recent_ =
      std::vector<Site>(most_recent);  ///< programs come to few sites again and again
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
