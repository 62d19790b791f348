// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/line.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "exec/runtime/stack.hpp"
#include "generic/base/error.hpp"
#include "generic/services/operations.hpp"

namespace earl::boot {

void end_without_exec() {
  constexpr std::string_view sentence =
      "earl: this process ends because the connection to EXEC is closed: see the messages of the "
      "launcher\n";
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
  ::_exit(1);
}

void ControlLine::send(control::Type type, std::uint32_t ticket, std::uint32_t operation,
                       Bytes body) {
  const std::array enclosed{std::exchange(enclosed_, -1)};
  std::span<int const> along(enclosed.data(), enclosed[0] < 0 ? 0 : 1);
  for (auto const& packet : control::packets_of(type, ticket, operation, body)) {
    auto const failed = send_packet(channel_.get(), packet.bytes(), std::exchange(along, {}), 0);
    if (failed == EPIPE || failed == ECONNRESET) end_without_exec();
    if (failed != 0) throw Error("the line to EXEC: {}", system_message(failed));
  }
}

void Line::ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) {
  send(control::Type::request, ticket, operation, request);
}

void Line::report_failure(int exit_code, std::string_view sentence, Call const& call) {
  control::FailureReport failure_report{.exit_code = exit_code, .sentence = std::string{sentence}};
  if (call.site != nullptr) failure_report.place = locate(call.site);
  send(control::Type::failure_report, 0, 0, control::body_of(failure_report).bytes());
}

void Line::notify(std::string_view debugger, Bytes note) {
  const control::Note message{.debugger = std::string{debugger}, .bytes = Buffer(Gather{note})};
  send(control::Type::note, 0, 0, control::body_of(message).bytes());
}

/// Libraries may end, and this process leave, before an exit handler gets the code.
void ControlLine::report_failure(int exit_code, std::string_view sentence, Call const& call) {
  set_exit_code(exit_code);
  Line::report_failure(exit_code, sentence, call);
}

void ControlLine::hello(control::Hello const& hello) {
  auto const body = control::body_of(hello);
  if (bond_ != Bond::guest) return send(control::Type::hello, 0, 0, body.bytes());
  auto const packets = control::packets_of(control::Type::hello, 0, 0, body.bytes());
  std::array const outlets{STDOUT_FILENO, STDERR_FILENO};
  auto failed = send_packet(channel_.get(), packets.front().bytes(), outlets, 0);
  // One of them may be closed.
  if (failed == EBADF) failed = send_packet(channel_.get(), packets.front().bytes(), {}, 0);
  if (failed != 0) end_without_exec();
}

/// EXEC closes the line when all processes that this one has loaded have ended, a session server at
/// once. Only its parent is sure to get a forked process's status from the system.
void ControlLine::goodbye() {
  if (bond_ == Bond::forked) leaving();
  if (bond_ != Bond::guest) return;
  auto const packets = control::packets_of(control::Type::goodbye, 0, 0, {});
  if (send_packet(channel_.get(), packets.front().bytes(), {}, 0) != 0) return;
  pollfd line{.fd = channel_.get(), .events = 0, .revents = 0};
  while (::poll(&line, 1, -1) < 0 && errno == EINTR) {
  }
}

/// A guest's end is its goodbye.
void ControlLine::leaving() {
  if (bond_ == Bond::guest || std::exchange(left_, true)) return;
  // It may stay for long, and be ended then.
  std::fflush(nullptr);
  auto const body = control::body_of(control::Leaving{.exit_code = exit_code_});
  send(control::Type::leaving, 0, 0, body.bytes());
}

void ControlLine::ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) {
  retired_ = bond_ == Bond::guest && operation == static_cast<std::uint32_t>(Operation::retire);
  Line::ask(ticket, operation, request);
}

void ControlLine::poll(ExecutiveSink& sink) {
  if (room_.empty()) room_.resize(control::most_packet);
  for (;;) {
    auto const arrival = receive_packet(channel_.get(), room_);
    if (arrival.what == ReceiveStatus::nothing) return;
    if (arrival.what == ReceiveStatus::end && retired_) return;  // it goes on by itself
    if (arrival.what == ReceiveStatus::end) end_without_exec();
    if (auto message = assembler_.take(Bytes{room_}.first(arrival.size)))
      handle(std::move(*message), sink);
  }
}

void Line::handle(control::Message message, ExecutiveSink& sink) {
  if (message.type == control::Type::inquiry) {
    auto const at_once = (message.ticket & control::asks_for_call) != 0;
    return at_once ? answer_inquiry(message.ticket, sink) : sink.inquired(message.ticket);
  }
  if (message.type == control::Type::answer) {
    sink.answered(message.ticket, std::move(message.body));
    return;
  }
  Header header;
  if (message.type != control::Type::message || message.body.size() < sizeof header)
    throw Error("unexpected message of EXEC (type {})", static_cast<int>(message.type));
  std::memcpy(&header, message.body.data(), sizeof header);
  sink.message(header, message.body.bytes().subspan(sizeof header));
}

Frame Line::locate(void const* address) const { return frame_at(address); }

void Line::answer_inquiry(std::uint32_t question, ExecutiveSink& sink) {
  auto report = sink.report();
  report.question = question;
  auto const call = sink.under_way();
  report.call = call.name;
  if (report.state != Report::State::running && may_be_woken()) {
    report.state = Report::State::running;
    report.idle = true;
  }
  // EXEC always asks twice; the stack costs most.
  bool const again = std::exchange(reported_progress_, report.progress) == report.progress;
  if (report.state != Report::State::running && again)
    report.stack =
        program_stack(call.site, [this](void const* address) { return locate(address); });
  else if (((question & control::asks_for_call) != 0 || report.idle) && call.site != nullptr)
    report.stack = {locate(call.site)};
  send(control::Type::report, 0, 0, control::body_of(report).bytes());
}

void NoLine::ask(std::uint32_t, std::uint32_t, Bytes) {
  throw Error(Fault::no_job,
              "this program runs alone, without EXEC; start it with `earl run` for that");
}

}  // namespace earl::boot
