// SPDX-License-Identifier: BSD-3-Clause
/// The protocol between the process that keeps a network and a job that attaches to it, over an
/// abstract Unix socket. Peers of other users are refused.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generic/system/descriptor.hpp"

namespace earl::myrinet::cables {

inline constexpr std::size_t max_name_length = 64;
inline constexpr std::size_t max_message_bytes = 4096;

/// The socket on which the keeping process of `name` listens. Throws Error when there is one
/// already.
Descriptor listen_as_network(std::string const& name);
/// A client of this user; receive_message() waits for its request for two seconds. Null: another
/// user's, or no client.
Descriptor accept_same_user(int listener);
/// Throws Error when there is no such network.
Descriptor connect_to_network(std::string const& name);

struct Message {
  std::string text{};
  std::vector<Descriptor> descriptors{};
};

/// Best effort: errors are ignored, and `text` is cut to max_message_bytes - 1.
void send_message(int connection, std::string_view text, std::span<int const> descriptors = {});
/// Waits. Nothing: the other end has closed the connection, or let a timeout pass.
std::optional<Message> receive_message(int connection);

}  // namespace earl::myrinet::cables
