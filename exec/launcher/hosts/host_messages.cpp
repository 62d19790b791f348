// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/host_messages.hpp"

#include "generic/base/hex.hpp"

namespace earl::control {

void HostConfiguration::write(Writer& to) const {
  to.u32(packets);
  to.u32(number);
  to.u32(initial);
  to.u32(capacity);
  to.text(back_end);
  to.text(link);
  to.text(to_hex(secret));
  to.u32(encrypted ? 1 : 0);
  write_tools(to, tools);
  to.text(remote_command);
  to.text(output_folder);
}

HostConfiguration HostConfiguration::read(Reader& from) {
  HostConfiguration words;
  words.packets = from.u32();
  words.number = from.u32();
  words.initial = from.u32();
  words.capacity = from.u32();
  words.back_end = from.text();
  words.link = from.text();
  auto const secret = secret_from_hex(from.text());
  if (!secret) throw Error("a host's words without a secret");
  words.secret = *secret;
  words.encrypted = from.u32() != 0;
  words.tools = read_tools(from);
  words.remote_command = from.text();
  words.output_folder = from.text();
  return words;
}

void AgentHello::write(Writer& to) const {
  to.u32(packets);
  facts.write(to);
}

AgentHello AgentHello::read(Reader& from) {
  AgentHello hello;
  hello.packets = from.u32();
  if (hello.packets == packet_version) hello.facts = HostFacts::read(from);
  return hello;
}

void TableUpdate::write(Writer& to) const {
  to.u32(at);
  to.text(bytes);
}

TableUpdate TableUpdate::read(Reader& from) {
  TableUpdate words;
  words.at = from.u32();
  words.bytes = from.text();
  return words;
}

void LaunchRequest::write(Writer& to) const {
  to.i32(earl::number(rank));
  to.u32(reads ? 1 : 0);
  to.text(processors);
}

LaunchRequest LaunchRequest::read(Reader& from) {
  LaunchRequest words;
  words.rank = Rank{from.i32()};
  words.reads = from.u32() != 0;
  words.processors = from.text();
  return words;
}

void AddressUpdate::write(Writer& to) const {
  to.i32(earl::number(rank));
  to.text(address);
}

AddressUpdate AddressUpdate::read(Reader& from) {
  AddressUpdate words;
  words.rank = Rank{from.i32()};
  words.address = from.text();
  return words;
}

void ConnectivityReport::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(machines.size()));
  for (auto const& machine : machines) {
    to.text(machine.name);
    to.u32(static_cast<std::uint32_t>(machine.reach.grade));
    to.text(machine.reach.why);
  }
}

ConnectivityReport ConnectivityReport::read(Reader& from) {
  ConnectivityReport words;
  for (auto left = from.u32(); left != 0; --left) {
    Machine machine;
    machine.name = from.text();
    auto const grade = from.u32();
    if (grade > static_cast<std::uint32_t>(Connectivity::Grade::requested))
      throw Error("a back end whose link between hosts is not named");
    machine.reach = {static_cast<Connectivity::Grade>(grade), from.text()};
    words.machines.push_back(std::move(machine));
  }
  return words;
}

void TracePieces::write(Writer& to) const {
  to.text(tool);
  to.u32(static_cast<std::uint32_t>(pieces.size()));
  for (auto const& piece : pieces) {
    to.i32(earl::number(piece.rank));
    to.u64(piece.offset);
    to.u64(piece.size);
    to.text(piece.bytes);
  }
}

TracePieces TracePieces::read(Reader& from) {
  TracePieces words;
  words.tool = from.text();
  for (auto left = from.u32(); left != 0; --left) {
    FilePiece piece;
    piece.rank = Rank{from.i32()};
    piece.offset = from.u64();
    piece.size = from.u64();
    piece.bytes = from.text();
    if (piece.offset > piece.size) throw Error("a piece beyond the end of its file");
    words.pieces.push_back(std::move(piece));
  }
  return words;
}

void LaunchRefusal::write(Writer& to) const {
  to.i32(earl::number(rank));
  to.i32(error);
  to.text(sentence);
}

LaunchRefusal LaunchRefusal::read(Reader& from) {
  LaunchRefusal words;
  words.rank = Rank{from.i32()};
  words.error = from.i32();
  words.sentence = from.text();
  return words;
}

}  // namespace earl::control
