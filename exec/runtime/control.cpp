// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/control.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace earl::control {

namespace {

bool known(std::uint32_t type) {
  return type >= static_cast<std::uint32_t>(Type::welcome) &&
         type <= static_cast<std::uint32_t>(last_type);
}

Head head_of(Bytes packet) {
  Head head;
  if (packet.size() < sizeof head)
    throw Error("a packet of {} bytes, shorter than any message", packet.size());
  std::memcpy(&head, packet.data(), sizeof head);
  if (head.magic != magic) throw Error("bytes that are no control message");
  if (head.version != version)
    throw Error("a message of control protocol version {} (this is {})", head.version, version);
  if (!known(head.type)) throw Error("a message of unknown type {}", head.type);
  if (head.length > most_length) throw Error("a message that claims {} bytes", head.length);
  return head;
}

bool continues(Head const& head, Message const& message, std::size_t have) {
  return static_cast<Type>(head.type) == message.type && head.ticket == message.ticket &&
         head.operation == message.operation && head.length == message.body.size() &&
         head.offset == have;
}

}  // namespace

std::vector<Buffer> packets_of(Type type, std::uint32_t ticket, std::uint32_t operation,
                               Bytes body) {
  if (body.size() > most_length)
    throw Error(Fault::too_long, "a request of {} bytes to EXEC; {} is the most", body.size(),
                most_length);
  std::vector<Buffer> packets;
  std::size_t at = 0;
  do {
    auto const part = body.subspan(at, std::min(most_part, body.size() - at));
    Head const head{.magic = magic,
                    .version = version,
                    .type = static_cast<std::uint16_t>(type),
                    .ticket = ticket,
                    .operation = operation,
                    .length = static_cast<std::uint32_t>(body.size()),
                    .offset = static_cast<std::uint32_t>(at)};
    std::array const pieces{bytes_of(head), part};
    packets.emplace_back(Gather{std::span<Bytes const>{pieces}});
    at += part.size();
  } while (at < body.size());
  return packets;
}

std::optional<Message> Assembler::take(Bytes packet) {
  auto const head = head_of(packet);
  auto const part = packet.subspan(sizeof head);
  if (!under_way_) {
    if (head.offset != 0) throw Error("a message without its beginning");
    message_ = {.type = static_cast<Type>(head.type),
                .ticket = head.ticket,
                .operation = head.operation,
                .body = Buffer(head.length)};
    have_ = 0;
    under_way_ = true;
  }
  if (!continues(head, message_, have_)) throw Error("parts of two messages mixed up");
  if (part.size() > head.length - have_ || (part.empty() && head.length != 0))
    throw Error("a message longer than it claims ({} bytes)", head.length);
  have_ += copy(part, message_.body.room().subspan(have_));
  if (have_ < head.length) return std::nullopt;
  under_way_ = false;
  return std::move(message_);
}

}  // namespace earl::control
