#include "exec/control/host_words.hpp"

#include "generic/hex.hpp"

namespace earl::control {

void HostWords::write(Writer& to) const {
  to.u32(packets);
  to.u32(number);
  to.u32(initial);
  to.u32(capacity);
  to.text(back_end);
  to.text(link);
  to.text(to_hex(secret));
  write_tools(to, tools);
  to.text(remote_command);
  to.text(output_folder);
}

HostWords HostWords::read(Reader& from) {
  HostWords words;
  words.packets = from.u32();
  words.number = from.u32();
  words.initial = from.u32();
  words.capacity = from.u32();
  words.back_end = from.text();
  words.link = from.text();
  auto const secret = secret_from_hex(from.text());
  if (!secret) throw Error("a host's words without a secret");
  words.secret = *secret;
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

void TableWords::write(Writer& to) const {
  to.u32(at);
  to.text(bytes);
}

TableWords TableWords::read(Reader& from) {
  TableWords words;
  words.at = from.u32();
  words.bytes = from.text();
  return words;
}

void LaunchWords::write(Writer& to) const {
  to.i32(earl::number(rank));
  to.u32(reads ? 1 : 0);
  to.text(processors);
}

LaunchWords LaunchWords::read(Reader& from) {
  LaunchWords words;
  words.rank = Rank{from.i32()};
  words.reads = from.u32() != 0;
  words.processors = from.text();
  return words;
}

void AddressWords::write(Writer& to) const {
  to.i32(earl::number(rank));
  to.text(address);
}

AddressWords AddressWords::read(Reader& from) {
  AddressWords words;
  words.rank = Rank{from.i32()};
  words.address = from.text();
  return words;
}

void ReachWords::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(machines.size()));
  for (auto const& machine : machines) {
    to.text(machine.name);
    to.u32(static_cast<std::uint32_t>(machine.reach.grade));
    to.text(machine.reach.why);
  }
}

ReachWords ReachWords::read(Reader& from) {
  ReachWords words;
  for (auto left = from.u32(); left != 0; --left) {
    Machine machine;
    machine.name = from.text();
    auto const grade = from.u32();
    if (grade > static_cast<std::uint32_t>(Reach::Grade::wished))
      throw Error("a machine that reaches other hosts nobody knows how");
    machine.reach = {static_cast<Reach::Grade>(grade), from.text()};
    words.machines.push_back(std::move(machine));
  }
  return words;
}

void PieceWords::write(Writer& to) const {
  to.text(tool);
  to.u32(static_cast<std::uint32_t>(pieces.size()));
  for (auto const& piece : pieces) {
    to.i32(earl::number(piece.rank));
    to.u64(piece.offset);
    to.u64(piece.size);
    to.text(piece.bytes);
  }
}

PieceWords PieceWords::read(Reader& from) {
  PieceWords words;
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

void RefusalWords::write(Writer& to) const {
  to.i32(earl::number(rank));
  to.i32(error);
  to.text(sentence);
}

RefusalWords RefusalWords::read(Reader& from) {
  RefusalWords words;
  words.rank = Rank{from.i32()};
  words.error = from.i32();
  words.sentence = from.text();
  return words;
}

}  // namespace earl::control
