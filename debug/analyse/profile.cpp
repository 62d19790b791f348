// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "debug/analyse/blocked.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/print_json.hpp"
#include "debug/analyse/sites.hpp"

namespace earl::analyse {

using nlohmann::json;

namespace {

/// One place in a program, over all ranks.
struct Use {
  std::string call{};
  std::uint64_t calls = 0;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t bytes = 0;   ///< sent and received there
  std::uint64_t waited = 0;  ///< nanoseconds
  std::uint64_t late = 0;    ///< of these, before the message that came had been sent
};

struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

struct Profile {
  std::vector<Use> uses{};  ///< of those that send, receive or wait, the heaviest first
  std::map<std::pair<std::uint32_t, std::uint32_t>, Traffic> pairs{};  ///< by sender and receiver
  std::map<unsigned, Traffic> sizes{};  ///< by the bits that the length needs
};

class Profiler {
 public:
  explicit Profiler(History const& history) : history_(history), sites_(history) {}

  Profile make();

 private:
  Use& use(std::uint32_t rank, std::uint32_t site);
  void add_messages(Profile& profile);
  void add_receives(std::uint32_t rank);

  History const& history_;
  Sites sites_;
  std::map<std::uint32_t, Use> uses_{};
};

Use& Profiler::use(std::uint32_t rank, std::uint32_t site) {
  auto& use = uses_[sites_.number(rank, site)];
  if (use.call.empty()) use.call = sites_.call_text(rank, site);
  return use;
}

void Profiler::add_messages(Profile& profile) {
  for (auto const& message : history_.messages) {
    auto& from = use(message.source, message.at.site);
    ++from.sent;
    from.bytes += message.length;
    for (auto* traffic : {&profile.pairs[{message.source, message.dest}],
                          &profile.sizes[static_cast<unsigned>(std::bit_width(message.length))]}) {
      ++traffic->messages;
      traffic->bytes += message.length;
    }
  }
}

void Profiler::add_receives(std::uint32_t rank) {
  for (auto const& receive : history_.ranks[rank].receives) {
    auto& at = use(rank, receive.at.site);
    if (receive.source == number(no_rank)) continue;
    ++at.received;
    if (receive.message == none) continue;
    auto const& message = history_.messages[receive.message];
    at.bytes += message.length;
    at.late +=
        static_cast<std::uint64_t>(std::max<std::int64_t>(message.at.time - receive.at.time, 0));
  }
}

Profile Profiler::make() {
  Profile profile;
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank) {
    auto const& uses = history_.ranks[rank].uses;
    for (std::uint32_t site = 0; site < uses.size(); ++site) {
      if (uses[site].calls == 0 && uses[site].waited == 0) continue;
      auto& at = use(rank, site);
      at.calls += uses[site].calls;
      at.waited += uses[site].waited;
    }
    add_receives(rank);
  }
  add_messages(profile);
  for (auto& [number, one] : uses_) profile.uses.push_back(std::move(one));
  std::ranges::stable_sort(profile.uses, std::greater<>{}, [](Use const& one) {
    return std::pair{one.bytes, one.calls};
  });
  return profile;
}

double milliseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

json to_json(Profile const& profile, bool timed) {
  json calls = json::array();
  for (auto const& one : profile.uses) {
    calls.push_back({{"call", one.call},
                     {"calls", one.calls},
                     {"sent", one.sent},
                     {"received", one.received},
                     {"bytes", one.bytes}});
    if (!timed) continue;
    calls.back()["waited_ms"] = milliseconds(one.waited);
    calls.back()["late_senders_ms"] = milliseconds(std::min(one.late, one.waited));
  }
  json pairs = json::array();
  for (auto const& [ranks, traffic] : profile.pairs)
    pairs.push_back({{"from", ranks.first},
                     {"to", ranks.second},
                     {"messages", traffic.messages},
                     {"bytes", traffic.bytes}});
  json sizes = json::array();
  for (auto const& [bits, traffic] : profile.sizes)
    sizes.push_back({{"below", std::uint64_t{1} << std::min(bits, 63U)},
                     {"messages", traffic.messages},
                     {"bytes", traffic.bytes}});
  return {{"calls", calls}, {"pairs", pairs}, {"sizes", sizes}};
}

void print(Profile const& profile, bool timed) {
  fmt::print("{:>10} {:>10} {:>10} {:>14}", "calls", "sent", "received", "bytes");
  if (timed) fmt::print(" {:>12} {:>12}", "waited ms", "late ms");
  fmt::print("  by call\n");
  for (auto const& one : profile.uses) {
    fmt::print("{:>10} {:>10} {:>10} {:>14}", one.calls, one.sent, one.received, one.bytes);
    if (timed)
      fmt::print(" {:>12.3f} {:>12.3f}", milliseconds(one.waited),
                 milliseconds(std::min(one.late, one.waited)));
    fmt::print("  {}\n", one.call);
  }
  fmt::print("\n{:>10} {:>14}  from rank to rank\n", "messages", "bytes");
  for (auto const& [ranks, traffic] : profile.pairs)
    fmt::print("{:>10} {:>14}  {} to {}\n", traffic.messages, traffic.bytes, ranks.first,
               ranks.second);
  fmt::print("\n{:>10} {:>14}  of a length\n", "messages", "bytes");
  for (auto const& [bits, traffic] : profile.sizes)
    fmt::print("{:>10} {:>14}  below {} bytes\n", traffic.messages, traffic.bytes,
               std::uint64_t{1} << std::min(bits, 63U));
  if (!timed)
    fmt::print("\nno times: they are those of a replay; `earl record --times` keeps them\n");
}

}  // namespace

void print_profile(std::string const& folder, ProfileOptions const& options) {
  auto const history = load_history(folder);
  auto const profile = Profiler(history).make();
  if (options.json)
    print_json(to_json(profile, options.timed));
  else {
    print(profile, options.timed);
    print_blocked(history);
  }
  std::fflush(stdout);
}

}  // namespace earl::analyse
