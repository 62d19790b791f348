// SPDX-License-Identifier: BSD-3-Clause
/// The protocol between a network's watchdog and a job that wants to use the network: over a socket
/// without a file, to which only its user may connect.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generic/system/descriptor.hpp"

namespace earl::myrinet::cables {

inline constexpr std::size_t longest_name = 64;
inline constexpr std::size_t longest_words = 4096;

/// The socket on which the watchdog of `name` listens. Throws Error when there is one already.
Descriptor listen_as_network(std::string const& name);
/// A client of this user, which will send its request within seconds; null: another user's, or no
/// client.
Descriptor accept_own(int listener);
/// Throws Error when there is no such network.
Descriptor connect_to_network(std::string const& name);

struct Words {
  std::string words{};
  std::vector<Descriptor> files{};
};

/// Nothing is lost but messages to an end that has hung up.
void send_message(int line, std::string_view words, std::span<int const> files = {});
/// Waits. Nothing: the other end has hung up.
std::optional<Words> receive_message(int line);

}  // namespace earl::myrinet::cables
