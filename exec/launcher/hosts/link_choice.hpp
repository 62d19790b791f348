// SPDX-License-Identifier: BSD-3-Clause
/// The choice of the back end that joins the hosts of a job when its user names none: the best that
/// all have.
#pragma once

#include <string>
#include <vector>

#include "exec/launcher/hosts/host_messages.hpp"
#include "exec/launcher/plan.hpp"

namespace earl::exec {

struct LinkChoice {
  std::string back_end{};
  std::string why{};  ///< for people, short
};

/// A host's message.
struct HostConnectivity {
  std::string host{};
  control::ConnectivityReport report{};
};

/// With `--secure`: throws UsageError when the transport that the user requests between hosts
/// cannot encrypt.
void check_secure(Plan const& plan);
/// All back ends that join hosts here. `encrypting`: those that can encrypt their traffic.
control::ConnectivityReport connectivity_here(bool encrypting = false);
/// The request of the user's settings here; empty: they leave it to Earl. Throws Error.
LinkChoice requested_link(control::ConnectivityReport const& here);
/// The choice among those that join hosts here, too: its settings may have excluded some. Empty: no
/// back end joins them all.
LinkChoice best_link(control::ConnectivityReport const& here,
                     std::vector<HostConnectivity> const& hosts);

}  // namespace earl::exec
