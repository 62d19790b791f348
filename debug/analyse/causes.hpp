// SPDX-License-Identifier: BSD-3-Clause
/// Reads the events of all ranks in an order in which causes come first.
#pragma once

#include <array>
#include <map>
#include <string>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

class Causes {
 public:
  Causes(History& history, std::vector<Source> sources, std::uint32_t initial);
  void read_all();

 private:
  using Event = events::Event;

  /// One rank being read.
  struct Reading {
    Source source{};
    Event event{};
    bool holds = false;  ///< `event` has not been taken in yet
    bool over = false;
    Clock clock{};
    SharedClock shared{};  ///< the same, for others; null: to be made
    Place at{};
    std::uint64_t questions = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> posted{};  ///< receives by post
    std::vector<trace::KnownSite> modules{};
    std::vector<std::vector<std::int32_t>> groups{};
    std::vector<std::string> strings{};
    std::vector<std::uint32_t> inbound_at{};          ///< by dest: its channel from here; none
    std::map<std::string, std::uint32_t> meetings{};  ///< how many under each name
    std::optional<Event> collective{};                ///< under way
  };
  /// Processes that synchronise at one moment.
  struct Gathering {
    std::vector<std::uint32_t> came{};
    std::vector<SharedClock> clocks{};
    std::size_t left = 0;  ///< how many know
  };

  bool advance(std::uint32_t rank);
  /// False: the cause has not been read yet.
  bool take(std::uint32_t rank, Event& event, bool forced);
  bool take_definition(std::uint32_t rank, Event& event);
  void take_send(std::uint32_t rank, Event const& event);
  void take_mistyped(std::uint32_t rank, Event const& event);
  void take_post(std::uint32_t rank, Event const& event);
  void take_match(std::uint32_t rank, Event const& event);
  void take_cancelled(std::uint32_t rank, Event const& event);
  bool take_completed(std::uint32_t rank, Event const& event, bool forced);
  void take_missed(std::uint32_t rank, Event const& event);
  void take_tested(std::uint32_t rank, Event const& event);
  bool take_found(std::uint32_t rank, Event const& event, bool forced);
  bool take_sent(std::uint32_t rank, Event const& event, bool forced);
  bool take_collected(std::uint32_t rank, bool forced);
  bool take_meeting(std::uint32_t rank, Event const& event, bool forced);
  void begin_collective(std::uint32_t rank, Event const& event);
  void take_back(std::uint32_t rank, Event const& event);

  static std::array<std::uint64_t, 3> key_of(std::uint32_t rank, Receive const& receive);
  void discard_unless_synchronous(std::uint32_t rank, Receive& receive);
  SiteUse& use_of(std::uint32_t rank);
  Receive& add_receive(std::uint32_t rank, Event const& event);
  SharedClock clock_of(std::uint32_t rank);
  void join_clock(std::uint32_t rank, SharedClock const& clock, std::uint32_t from);
  void complete(std::uint32_t rank, std::uint32_t receive = none, std::uint32_t question = none);
  Question& add_question(std::uint32_t rank, Event const& event, std::uint64_t count);
  void complete_question(std::uint32_t rank, std::uint32_t receive = none);
  bool join_message(std::uint32_t rank, std::int32_t source, std::uint64_t sequence, bool forced);
  bool join_all(std::uint32_t rank, Gathering const& gathering, std::size_t expected, bool forced);
  void join_starter(std::uint32_t rank);
  bool may_begin(std::uint32_t rank) const;

  History& history_;
  std::vector<Reading> readings_;
  std::uint32_t initial_;
  bool keeps_clocks_ = false;  ///< a synchronous send was met: ends of such are knowledge
  std::map<std::string, Gathering> gatherings_;
  std::unordered_map<std::uint32_t, SharedClock> started_;  ///< by rank, with the starter's
  std::unordered_map<std::uint32_t, std::uint32_t> starters_;
  std::map<std::array<std::uint64_t, 3>, SharedClock> taken_;  ///< synchronous messages
};

}  // namespace earl::analyse
