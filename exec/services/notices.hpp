/// Who wants to be told by message of what.
#pragma once

#include <vector>

#include "exec/services/desk.hpp"
#include "exec/services/presence.hpp"
#include "generic/notices.hpp"

namespace earl::exec {

class Notices final : public Service {
 public:
  Notices(Desk& desk, Presence const& presence) : desk_(desk), presence_(presence) {}

  void ask(Owed const& owed, NoticeRequest const& request);
  /// Who is there, as far as processes may know.
  void list(Owed const& owed) const;
  void died(Rank rank, int wait_status) override;

 private:
  struct Wanted {
    Rank by{};
    NoticeRequest request{};
  };

  void tell(Wanted const& wanted);
  bool happened(NoticeRequest const& request) const;

  Desk& desk_;
  Presence const& presence_;
  std::vector<Wanted> wanted_;
};

}  // namespace earl::exec
