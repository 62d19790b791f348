// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/shared_process.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "debug/symbols/stacks.hpp"
#include "generic/system/poll_until.hpp"

namespace earl::boot {

namespace {

constexpr int refused = 88;  ///< exit code of a program that cannot run here
constexpr auto first_pause = std::chrono::milliseconds{500};
constexpr auto longest_pause = std::chrono::seconds{64};
constexpr int most_ends = 64;                    ///< that EXEC deals with while other ranks run
constexpr std::size_t most_printed = 32 * 1024;  ///< bytes that go in one packet

template <class What>
void send(Descriptor const& line, control::Type type, What const& what) {
  auto const body = control::body_of(what);
  for (auto const& packet : control::packets_of(type, 0, 0, body.bytes())) {
    auto const failed = send_packet(line.get(), packet.bytes(), {}, 0);
    if (failed == EPIPE || failed == ECONNRESET) end_without_exec();
    if (failed != 0) throw Error("the line to EXEC: {}", system_message(failed));
  }
}

/// `address` is just behind the code that is meant.
Frame frame_among(std::span<Loaded const> loaded, std::uintptr_t address) {
  for (auto const& one : loaded)
    if (address - 1 - one.base < one.size)
      return {.module = std::string{one.path}, .offset = address - one.base};
  auto frame = frame_at(reinterpret_cast<void const*>(address - 1));
  frame.offset += frame.module.empty() ? address : 1;
  return frame;
}

}  // namespace

SharedProcessLine::SharedProcessLine(Descriptor line, Backend const& back_end, Descriptor branches)
    : line_(std::move(line)) {
  if (branches) server_.emplace(std::move(branches));
  become_shared_process();
  shared_process_ = back_end.shared_process(*this);
  set_shared_process(*shared_process_);
}

SharedProcessLine::~SharedProcessLine() = default;

void SharedProcessLine::run() {
  while (receive()) {
    await_handled();
    if (begun_ && server_) become_branch();
    auto const again = begun_ ? shared_process_->run() : never;
    if (expected_ > 0) continue;  // ranks have ended, and others may wait for that
    if (begun_ && again == never) say_stuck();
    sleep_until(again);
  }
}

/// EXEC knows nothing of it; the lines to EXEC are the server's.
void SharedProcessLine::become_branch() {
  auto order = server_->serve();
  server_.reset();
  line_.close();
  printing_.close();
  parts_->welcome.tools = std::move(order.request.tools);
  branch_.emplace(std::move(order.output), own_table_);
  note_checkpoint(std::move(order.line), order.request.milliseconds);
}

void SharedProcessLine::note_checkpoint(Descriptor line, std::uint32_t milliseconds) {
  checkpoint_.reset();
  if (line) checkpoint_.emplace(std::move(line), std::chrono::milliseconds{milliseconds});
}

/// At the checkpoint; returns in each fork.
void SharedProcessLine::become_other_branch() {
  if (!checkpoint_ || !checkpoint_->arrive().empty()) Branch::give_up(control::BranchEnd::failed);
  auto order = checkpoint_->serve();
  try {
    branch_->continue_in(std::move(order.output));
    for (auto const& [rank, loaded] : loaded_)
      if (loaded.process) continue_debuggers(*loaded.process, order.request.tools);
    parts_->welcome.tools = std::move(order.request.tools);
    note_checkpoint(std::move(order.line), order.request.milliseconds);
  } catch (Error const&) {
    Branch::give_up(control::BranchEnd::failed);
  }
}

/// In a branch, ranks may only wait for good; those that have all ended do not.
void SharedProcessLine::say_stuck() const {
  if (!branch_) return send(line_, control::Type::stuck, control::RankValue{});
  if (!loaded_.empty()) Branch::give_up(control::BranchEnd::failed);
}

/// Says so when ranks have sent each other nothing for a while, less and less often: EXEC asks
/// whether they wait for each other, or poll without success.
void SharedProcessLine::sleep_until(Deadline again) {
  if (branch_) {
    if (!loaded_.empty()) poll_until({}, again);
    return;
  }
  if (again == never) return wait_for_exec(again);
  if (shared_process_->traffic() != traffic_ || quiet_again_ == Deadline{}) {
    traffic_ = shared_process_->traffic();
    pause_ = first_pause;
    quiet_again_ = Clock::now() + pause_;
  }
  wait_for_exec(std::min(again, quiet_again_));
  if (Clock::now() < quiet_again_) return;
  pause_ = std::min<Clock::duration>(2 * pause_, longest_pause);
  quiet_again_ = Clock::now() + pause_;
  send(line_, control::Type::sleeps, control::RankValue{});
}

void SharedProcessLine::wait_for_exec(Deadline deadline) {
  pollfd line{.fd = line_.get(), .events = POLLIN, .revents = 0};
  poll_until({&line, 1}, deadline);
}

void SharedProcessLine::await_handled() {
  if (branch_) expected_ = 0;
  while (expected_ > 0) {
    if (!receive() && expected_ > 0) end_without_exec();
    if (expected_ > 0) wait_for_exec(never);
  }
}

/// Takes in available messages. False: EXEC has closed the line.
bool SharedProcessLine::receive() {
  if (branch_) return !loaded_.empty();
  for (;;) {
    auto arrival = receive_packet(line_.get(), room_);
    if (arrival.what == ReceiveStatus::nothing) return true;
    if (arrival.what == ReceiveStatus::end) return false;
    std::ranges::move(arrival.descriptors, std::back_inserter(arrived_));
    if (auto message = incoming_.take(Bytes{room_}.first(arrival.size)))
      handle(std::move(*message), std::exchange(arrived_, {}));
  }
}

void SharedProcessLine::handle(control::Message message, std::vector<Descriptor> descriptors) {
  auto const body = message.body.bytes();
  switch (message.type) {
    case control::Type::welcome:
      return welcomed(control::read<control::Welcome>(body), std::move(descriptors));
    case control::Type::program:
      program_ = control::read<control::ProgramDescription>(body);
      return;
    case control::Type::rank_launch:
      return load(control::read<control::RankLaunchRequest>(body), std::move(descriptors));
    case control::Type::begin:
      begun_ = true;
      return;
    case control::Type::passed:
      return deliver(control::read<control::RankMessage>(body));
    case control::Type::signal: {
      auto const word = control::read<control::RankValue>(body);
      return shared_process_->signal(word.rank, word.value);
    }
    case control::Type::handled:
      expected_ = std::max(0, expected_ - 1);
      return;
    default:
      throw Error("unexpected message of EXEC: it is for ranks");
  }
}

/// The id table, the line to print on, the back end's.
void SharedProcessLine::welcomed(control::Welcome welcome, std::vector<Descriptor> descriptors) {
  check_version(welcome);
  if (descriptors.size() < 2) throw Error("EXEC gave this process no descriptors for output");
  if (server_) own_table_ = map_own_table(descriptors);
  auto table = server_ ? IdTable(own_table_) : map_table(descriptors);
  printing_ = std::move(descriptors[1]);
  descriptors.erase(descriptors.begin(), descriptors.begin() + 2);
  parts_ = SharedProcessParts{.welcome = std::move(welcome),
                              .descriptors = std::move(descriptors),
                              .table = std::move(table)};
}

void SharedProcessLine::load(control::RankLaunchRequest const& request,
                             std::vector<Descriptor> descriptors) {
  const std::size_t wanted = (request.prints ? 2U : 0U) + (request.reads ? 1U : 0U);
  if (descriptors.size() != wanted)
    throw Error("EXEC gave a rank {} descriptors, not {}", descriptors.size(), wanted);
  loaded_[number(request.rank)] = {};
  RankLaunch launch{.rank = request.rank,
                    .path = program_.path,
                    .front_end = program_.front_end,
                    .arguments = program_.arguments,
                    .environment = program_.environment,
                    .folder = program_.folder,
                    .wrappers = program_.wrappers};
  if (request.prints) launch.output = std::move(descriptors[0]);
  if (request.prints) launch.error = std::move(descriptors[1]);
  if (request.reads) launch.input = std::move(descriptors.back());
  try {
    shared_process_->load(std::move(launch));
  } catch (Error const& error) {
    report_failure(request.rank, refused, error.what());
    ended(request.rank, refused << 8);
  }
}

/// Nothing for a rank that has ended meanwhile.
void SharedProcessLine::deliver(control::RankMessage passed) {
  auto const found = loaded_.find(number(passed.rank));
  if (found == loaded_.end()) return;
  auto& loaded = found->second;
  if (!loaded.line) return loaded.early.push_back(std::move(passed.message));
  loaded.line->deliver(std::move(passed.message));
  shared_process_->notify_control(passed.rank);
}

void SharedProcessLine::pass(Rank rank, control::Type type, std::uint32_t ticket,
                             std::uint32_t operation, Bytes body) {
  if (branch_ && type == control::Type::note) return become_other_branch();
  if (branch_) {
    if (auto answer = branch_->answer_to(type, ticket, operation))
      deliver({.rank = rank, .message = std::move(*answer)});
    return;
  }
  send(line_, control::Type::passed,
       control::RankMessage{.rank = rank,
                            .message = {.type = type,
                                        .ticket = ticket,
                                        .operation = operation,
                                        .body = Buffer(Gather{body})}});
}

Process& SharedProcessLine::enrol(Rank rank) {
  if (!parts_) throw Error("EXEC has not said which job this is");
  auto& loaded = loaded_.at(number(rank));
  auto line = std::make_unique<RankLine>(rank, *this, *shared_process_);
  loaded.line = line.get();
  if (!loaded.early.empty()) shared_process_->notify_control(rank);
  for (auto& message : std::exchange(loaded.early, {})) line->deliver(std::move(message));
  auto const open = checkpoint_ ? Checkpoint::open_descriptors() : Checkpoint::Descriptors{};
  loaded.process = &make_rank(*parts_, rank, std::move(line));
  if (checkpoint_) checkpoint_->add_own(open);
  return *loaded.process;
}

void SharedProcessLine::report_failure(Rank rank, int exit_code, std::string_view why) {
  const control::FailureReport failure_report{.exit_code = exit_code, .sentence = std::string{why}};
  pass(rank, control::Type::failure_report, 0, 0, control::body_of(failure_report).bytes());
}

void SharedProcessLine::printed(Rank rank, int stream, std::string_view text) {
  if (branch_) return branch_->print(rank, stream, text);
  for (; !text.empty(); text.remove_prefix(std::min(most_printed, text.size())))
    send(printing_, control::Type::printed,
         control::Printed{
             .rank = rank, .stream = stream, .text = std::string{text.substr(0, most_printed)}});
}

std::string SharedProcessLine::calls(void const* context, std::uintptr_t place,
                                     std::span<Loaded const> loaded) {
  auto const stack = symbols::stack_at(context, loaded);
  auto first = std::ranges::find(stack, place + 1);
  std::vector<Frame> frames;
  if (first == stack.end()) frames.push_back(frame_among(loaded, place + 1));
  for (; first != stack.end(); ++first) frames.push_back(frame_among(loaded, *first));
  return symbols::calls_text(frames);
}

void SharedProcessLine::ended(Rank rank, int wait_status) {
  loaded_.erase(number(rank));
  if (branch_) return branch_->departed(rank, wait_status);
  expect();
  send(line_, control::Type::departed, control::RankValue{.rank = rank, .value = wait_status});
  if (expected_ >= most_ends) await_handled();
}

void RankLine::ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) {
  host_.expect();
  Line::ask(ticket, operation, request);
  host_.await_handled();
  shared_process_.yield();  // it may ask again and again, until another has done something
}

void RankLine::poll(ExecutiveSink& sink) {
  while (!said_.empty()) {
    auto message = std::move(said_.front());
    said_.pop_front();
    handle(std::move(message), sink);
  }
}

Frame RankLine::locate(void const* address) const {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (auto const loaded = shared_process_.loaded_at(at))
    return {.module = std::string{loaded->path}, .offset = at - loaded->base};
  return Line::locate(address);
}

void RankLine::exit(int code) {
  shared_process_.exit(code);
  std::abort();
}

void RankLine::quit(int code) {
  shared_process_.quit(code);
  std::abort();
}

}  // namespace earl::boot
