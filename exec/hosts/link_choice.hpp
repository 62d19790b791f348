/// Which machine joins the hosts of a job when its user names none: the best that all have.
#pragma once

#include <string>
#include <vector>

#include "exec/control/host_messages.hpp"

namespace earl::exec {

struct LinkChoice {
  std::string machine{};
  std::string why{};  ///< for people, in a few words
};

/// What a host has said.
struct HostReach {
  std::string host{};
  control::ConnectivityReport words{};
};

/// All that join hosts here.
control::ConnectivityReport reach_here();
/// What the user's settings here ask for; empty: they leave it to Earl. Throws Error.
LinkChoice requested_link(control::ConnectivityReport const& here);
/// Of those that join hosts here, too: its settings may have excluded some. Empty: no machine joins
/// them all.
LinkChoice best_link(control::ConnectivityReport const& here, std::vector<HostReach> const& hosts);

}  // namespace earl::exec
