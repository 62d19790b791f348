// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/control.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace earl::control {

namespace {

constexpr std::uint32_t most_tools = 64;

bool known(std::uint32_t type) {
  return type >= static_cast<std::uint32_t>(Type::welcome) &&
         type <= static_cast<std::uint32_t>(last_type);
}

Head head_of(Bytes packet) {
  Head head;
  if (packet.size() < sizeof head)
    throw Error("a packet of {} bytes, shorter than any message", packet.size());
  std::memcpy(&head, packet.data(), sizeof head);
  if (head.magic != magic) throw Error("bytes that are no message of Earl's");
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

void write_tools(Writer& to, std::vector<ToolUse> const& tools) {
  to.u32(static_cast<std::uint32_t>(tools.size()));
  for (auto const& tool : tools) {
    to.text(tool.name);
    to.text(tool.argument);
  }
}

std::vector<ToolUse> read_tools(Reader& from) {
  auto const count = from.u32();
  if (count > most_tools) throw Error("a list that claims {} debuggers", count);
  std::vector<ToolUse> tools;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto name = from.text();
    tools.push_back({.name = std::move(name), .argument = from.text()});
  }
  return tools;
}

void Welcome::write(Writer& to) const {
  to.u32(packets);
  to.i32(number(rank));
  to.text(back_end);
  write_tools(to, tools);
  to.i32(group);
  to.text(link);
  to.u32(here);
}

Welcome Welcome::read(Reader& from) {
  Welcome welcome;
  welcome.packets = from.u32();
  welcome.rank = Rank{from.i32()};
  welcome.back_end = from.text();
  welcome.tools = read_tools(from);
  welcome.group = from.i32();
  welcome.link = from.text();
  welcome.here = from.u32();
  return welcome;
}

void Hello::write(Writer& to) const {
  to.u32(packets);
  to.i32(unix_pid);
  to.text(front_end);
}

Hello Hello::read(Reader& from) {
  Hello hello;
  hello.packets = from.u32();
  hello.unix_pid = from.i32();
  hello.front_end = from.text();
  return hello;
}

void FailureReport::write(Writer& to) const {
  to.i32(exit_code);
  to.text(sentence);
}

FailureReport FailureReport::read(Reader& from) {
  FailureReport failure_report;
  failure_report.exit_code = from.i32();
  failure_report.sentence = from.text();
  return failure_report;
}

void ProgramDescription::write(Writer& to) const {
  to.text(path);
  to.text(front_end);
  to.texts(arguments);
  to.texts(environment);
  to.text(folder);
  to.texts(wrappers);
}

ProgramDescription ProgramDescription::read(Reader& from) {
  ProgramDescription words;
  words.path = from.text();
  words.front_end = from.text();
  words.arguments = from.texts();
  words.environment = from.texts();
  words.folder = from.text();
  words.wrappers = from.texts();
  return words;
}

void RankLaunchRequest::write(Writer& to) const {
  to.i32(number(rank));
  to.u32(prints ? 1 : 0);
  to.u32(reads ? 1 : 0);
}

RankLaunchRequest RankLaunchRequest::read(Reader& from) {
  RankLaunchRequest words;
  words.rank = Rank{from.i32()};
  words.prints = from.u32() != 0;
  words.reads = from.u32() != 0;
  return words;
}

void Passed::write(Writer& to) const {
  to.i32(number(rank));
  to.u32(static_cast<std::uint32_t>(message.type));
  to.u32(message.ticket);
  to.u32(message.operation);
  auto const body = message.body.bytes();
  to.text({reinterpret_cast<char const*>(body.data()), body.size()});
}

Passed Passed::read(Reader& from) {
  Passed passed;
  passed.rank = Rank{from.i32()};
  auto const type = from.u32();
  if (!known(type)) throw Error("a message of unknown type {}", type);
  passed.message.type = static_cast<Type>(type);
  passed.message.ticket = from.u32();
  passed.message.operation = from.u32();
  auto const body = from.text();
  passed.message.body = Buffer(Gather{std::as_bytes(std::span{body})});
  return passed;
}

void Printed::write(Writer& to) const {
  to.i32(number(rank));
  to.i32(stream);
  to.text(text);
}

Printed Printed::read(Reader& from) {
  Printed printed;
  printed.rank = Rank{from.i32()};
  printed.stream = from.i32();
  printed.text = from.text();
  return printed;
}

void RankValue::write(Writer& to) const {
  to.i32(number(rank));
  to.i32(value);
}

RankValue RankValue::read(Reader& from) {
  RankValue word;
  word.rank = Rank{from.i32()};
  word.value = from.i32();
  return word;
}

}  // namespace earl::control
