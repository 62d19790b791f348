// SPDX-License-Identifier: BSD-3-Clause
#include "debug/contents/alone.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <utility>

#include "debug/contents/capture_port.hpp"
#include "debug/contents/file.hpp"
#include "debug/contents/table.hpp"
#include "generic/base/error.hpp"
#include "generic/base/wire.hpp"
#include "generic/system/bell.hpp"
#include "generic/system/poll_until.hpp"
#include "generic/system/shared_memory.hpp"

namespace earl::contents {

namespace {

constexpr int stuck_code = 86;
/// Exit codes by which a replay ends a process; its sentence is not printed elsewhere.
constexpr int first_own_code = 84;
constexpr int last_own_code = 87;
/// A handler of a signal or another thread may wake a process that no message can wake.
constexpr auto grace = std::chrono::seconds{1};
/// The number of messages that come when the process waits: so far ahead of it there is memory for
/// them.
constexpr std::size_t ahead = 16;

template <class T>
T take(Bytes& from) {
  T value{};
  if (from.size() < sizeof value) throw Error("a record of contents is too short");
  std::memcpy(static_cast<void*>(&value), from.data(), sizeof value);
  from = from.subspan(sizeof value);
  return value;
}

/// EXEC's recorded answers and messages.
class RecordedExecutive final : public Executive {
 public:
  explicit RecordedExecutive(std::string const& path);

  void ask(std::uint32_t ticket, std::uint32_t, Bytes) override { asked_.push_back(ticket); }
  void poll(ExecutiveSink& sink) override;
  void report_failure(int exit_code, std::string_view sentence, Call const&) override;
  /// poll() has something to say.
  bool due() const { return at_ < messages_.size() || (!asked_.empty() && !answers_.empty()); }

 private:
  struct Message {
    Header header{};
    Bytes body{};
  };

  ContentsReader file_;
  std::deque<Bytes> answers_{};
  std::vector<Message> messages_{};
  std::size_t at_ = 0;
  std::deque<std::uint32_t> asked_{};
};

RecordedExecutive::RecordedExecutive(std::string const& path) : file_(path) {
  for (ContentsReader::Record record; file_.next(record);) {
    if (record.part == Part::answer) {
      take<std::uint32_t>(record.body);
      answers_.push_back(record.body);
    }
    if (record.part != Part::message) continue;
    auto const header = take<Header>(record.body);
    messages_.push_back({.header = header, .body = record.body});
  }
}

void RecordedExecutive::poll(ExecutiveSink& sink) {
  for (; at_ < messages_.size(); ++at_) sink.message(messages_[at_].header, messages_[at_].body);
  while (!asked_.empty() && !answers_.empty()) {
    sink.answered(asked_.front(), Buffer{Gather{answers_.front()}});
    asked_.pop_front();
    answers_.pop_front();
  }
}

void RecordedExecutive::report_failure(int exit_code, std::string_view sentence, Call const&) {
  if (exit_code >= first_own_code && exit_code <= last_own_code)
    print(fmt::format("earl: {}\n", sentence));
}

class RecordedPort final : public Port {
 public:
  RecordedPort(std::string const& path, Rank rank, RecordedExecutive const& exec);

  IdTable const& table() const { return table_; }
  Limits limits() const override { return {.packet = longest_packet, .eager = longest_packet}; }
  bool put(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override { bell_.ring(); }
  int wait_fd() override { return bell_.get(); }
  /// The others, which are not here, write nothing.
  std::shared_ptr<std::byte> common_memory(std::uint64_t, std::size_t size) override {
    return private_memory(size);
  }

 private:
  struct Packet {
    Header header{};
    Bytes payload{};
  };

  void read(ContentsReader::Record record);
  [[noreturn]] void end_without_message() const;

  ContentsReader file_;
  Rank rank_;
  RecordedExecutive const& exec_;
  IdTable table_{};
  std::vector<Packet> packets_{};
  std::vector<std::size_t> offers_{};        ///< the packet of each
  std::map<std::uint64_t, Header> taken_{};  ///< own offers, by number
  std::size_t at_ = 0;                       ///< the next packet
  std::size_t due_ = 0;                      ///< packets up to this one may come
  std::uint64_t own_offers_ = 0;
  std::deque<std::pair<Header, TransferId>> replies_{};
  Bell bell_;
};

RecordedPort::RecordedPort(std::string const& path, Rank rank, RecordedExecutive const& exec)
    : file_(path), rank_(rank), exec_(exec) {
  Bytes table;
  for (ContentsReader::Record record; file_.next(record);) {
    if (record.part == Part::table) table = record.body;
    read(record);
  }
  if (table.empty())
    throw Error(
        "cannot replay alone: {} is incomplete: it has no id table; delete it and "
        "run this again",
        path);
  table_ = table_from(table);
}

void RecordedPort::read(ContentsReader::Record record) {
  auto& body = record.body;
  switch (record.part) {
    case Part::packet:
    case Part::offer: {
      if (record.part == Part::offer) offers_.push_back(packets_.size());
      auto const header = take<Header>(body);
      packets_.push_back({.header = header, .payload = body});
      return;
    }
    case Part::body: {
      auto const offer = take<std::uint64_t>(body);
      if (offer >= offers_.size()) throw Error("a record of contents names no message");
      // The bytes come with the message, as those of short ones do.
      auto& packet = packets_[offers_[offer]];
      packet.header.kind = static_cast<std::uint8_t>(Kind::eager);
      packet.payload = body;
      return;
    }
    case Part::done: {
      auto const offer = take<std::uint64_t>(body);
      taken_[offer] = take<Header>(body);
      return;
    }
    default:
      return;
  }
}

/// The replay has compared it with the recorded one.
bool RecordedPort::put(Rank, Header const& header, Gather const& payload) {
  if (header.packet_kind() != Kind::offer) return true;
  Offer offer;
  copy(payload, MutableBytes{reinterpret_cast<std::byte*>(&offer), sizeof offer});
  auto const taken = taken_.find(own_offers_++);
  if (taken != taken_.end()) replies_.emplace_back(taken->second, offer.transfer);
  return true;
}

std::size_t RecordedPort::poll(PacketSink& sink) {
  std::size_t events = 0;
  if (exec_.due()) {
    sink.on_control_ready();
    ++events;
  }
  for (; !replies_.empty(); ++events) {
    auto const [header, transfer] = replies_.front();
    replies_.pop_front();
    sink.packet(header, bytes_of(transfer));
  }
  for (; at_ < std::min(due_, packets_.size()); ++events) {
    auto const& packet = packets_[at_++];
    sink.packet(packet.header, packet.payload);
  }
  return events;
}

void RecordedPort::wait(Deadline deadline) {
  if (exec_.due() || !replies_.empty()) return;
  if (at_ < packets_.size()) {
    due_ = at_ + ahead;
    return;
  }
  pollfd bell{.fd = bell_.get(), .events = POLLIN, .revents = 0};
  auto const ready = poll_until({&bell, 1}, deadline == never ? Clock::now() + grace : deadline);
  if (ready == 0 && deadline == never) end_without_message();
  if (ready > 0) bell_.listen();
}

void RecordedPort::end_without_message() const {
  fmt::print(
      stderr,
      "earl: replay ended: rank {} waits for a message that the recording does not contain\n",
      number(rank_));
  std::exit(stuck_code);
}

}  // namespace

bool has_contents(std::string const& folder, Rank rank) {
  return std::filesystem::exists(packets_path(folder, rank)) &&
         std::filesystem::exists(exec_path(folder, rank));
}

Program program_of(std::string const& folder, Rank rank) {
  ContentsReader file(exec_path(folder, rank));
  ContentsReader::Record record;
  if (!file.next(record) || record.part != Part::process)
    throw Error(
        "cannot replay alone: {} is incomplete: it lacks the start of rank {}; delete it "
        "and run this again",
        exec_path(folder, rank), number(rank));
  Reader from(record.body);
  Program program;
  program.path = from.text();
  program.arguments = from.texts();
  program.environment = from.texts();
  program.folder = from.text();
  return program;
}

Alone alone(std::string const& folder, Rank rank) {
  auto exec = std::make_unique<RecordedExecutive>(exec_path(folder, rank));
  auto port = std::make_unique<RecordedPort>(packets_path(folder, rank), rank, *exec);
  auto const table = port->table();
  return {.table = table, .port = std::move(port), .executive = std::move(exec)};
}

}  // namespace earl::contents
