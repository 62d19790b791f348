/// Barriers and events that have a name and no members: any process may come.
#pragma once

#include <map>
#include <string>

#include "exec/services/desk.hpp"
#include "exec/services/meeting.hpp"
#include "generic/groups.hpp"

namespace earl::exec {

class Meetings final : public Service {
 public:
  explicit Meetings(Desk& desk) : desk_(desk) {}

  void barrier(Owed const& owed, MeetRequest const& request);
  void post(Owed const& owed, std::string const& event);
  void clear(Owed const& owed, std::string const& event);
  void wait(Owed const& owed, std::string const& event);
  void died(Rank rank, int wait_status) override;
  std::optional<Lack> lack_of(Rank rank) const override;

 private:
  struct Event {
    bool posted = false;
    std::vector<Owed> waiting{};
  };

  Desk& desk_;
  std::map<std::string, Meeting> barriers_;
  std::map<std::string, Event> events_;
};

}  // namespace earl::exec
