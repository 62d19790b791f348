/// Who wants to be told by message of what.
#pragma once

#include <set>
#include <vector>

#include "exec/services/desk.hpp"
#include "generic/notices.hpp"

namespace earl::exec {

class Notices final : public Service {
 public:
  explicit Notices(Desk& desk) : desk_(desk) {}

  void ask(Owed const& owed, NoticeRequest const& request);
  /// Who is there, as far as processes may know.
  void list(Owed const& owed) const;
  void died(Rank rank, int wait_status) override;
  bool present(Rank rank) const;
  /// It has asked for something after it had left.
  void returned(Rank rank) { gone_.erase(rank); }

 private:
  struct Wanted {
    Rank by{};
    NoticeRequest request{};
  };

  void tell(Wanted const& wanted);
  bool happened(NoticeRequest const& request) const;

  Desk& desk_;
  std::vector<Wanted> wanted_;
  std::set<Rank> gone_;  ///< dead, or out of the job's services
};

}  // namespace earl::exec
