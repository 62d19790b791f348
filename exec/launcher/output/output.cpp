// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/output.hpp"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "exec/launcher/output/color.hpp"

namespace earl::exec {

namespace {

constexpr auto longest_line_delay = std::chrono::seconds{1};
constexpr int reads_per_turn = 16;

/// Whether the process is running or waits for a CPU, so that the rest of its line may be near.
bool computes(pid_t pid) {
  std::array<char, 256> text{};
  auto const name = fmt::format("/proc/{}/stat", pid);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::fopen(name.c_str(), "re"),
                                                             &std::fclose);
  if (!file) return false;
  std::string_view const all{text.data(), std::fread(text.data(), 1, text.size(), file.get())};
  auto const end = all.rfind(')');  // the name before it may hold anything
  return end != std::string_view::npos && all.substr(end).starts_with(") R");
}

/// For a writer without another owner.
std::shared_ptr<Sink> own(Sink& sink) { return {std::shared_ptr<void>{}, &sink}; }

}  // namespace

struct Output::Pipe {
  Descriptor fd{};  ///< none: its text comes on the shared line
  Stream from = Stream::out;
  Stream to = Stream::out;
  std::string prefix;
  pid_t writer = 0;
  boot::LineCutter cutter{};
  Clock::time_point rest_since{};
  bool watched = false;
  std::shared_ptr<CaughtOutput> caught{};
  std::shared_ptr<OutputSubscription> subscription{};
};

Output::Output(Loop& loop, std::function<void(Stream, int)> broken)
    : loop_(loop), room_(64 * 1024) {
  auto const listener = [&](Stream stream) {
    return Sink::Listener{.room = [this] { resume(); },
                          .broken = [broken, stream](int number) { broken(stream, number); }};
  };
  out_ = std::make_unique<Sink>(loop, STDOUT_FILENO, listener(Stream::out));
  if (!same_file(STDOUT_FILENO, STDERR_FILENO))
    error_ = std::make_unique<Sink>(loop, STDERR_FILENO, listener(Stream::error));
}

Output::~Output() {
  if (shared_watched_) loop_.remove(shared_.get());
  for (auto& pipe : pipes_)
    if (pipe.watched) loop_.remove(pipe.fd.get());
}

void Output::add(Descriptor pipe, Way way, pid_t writer) {
  watch(put({.fd = std::move(pipe),
             .from = way.from,
             .to = way.to,
             .prefix = std::move(way.prefix),
             .writer = writer}));
}

void Output::add(Rank rank, Stream to, std::string const& prefix) {
  auto const writer = writer_of(rank);
  put({.from = Stream::out, .to = to, .prefix = prefix, .writer = writer});
  put({.from = Stream::error, .to = Stream::error, .prefix = prefix, .writer = writer});
}

Output::Pipe& Output::put(Pipe pipe) {
  pipes_.push_back(std::move(pipe));
  by_writer_.emplace(pipes_.back().writer, std::prev(pipes_.end()));
  return pipes_.back();
}

Descriptor Output::share() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(Fault::full, "no line for what ranks print: {}", system_message(errno));
  shared_ = Descriptor(ends[0]);
  if (room_.size() < control::most_packet) room_.resize(control::most_packet);
  watch_shared();
  return Descriptor(ends[1]);
}

void Output::watch_shared() {
  shared_watched_ = true;
  loop_.watch(shared_.get(), EPOLLIN, [this](std::uint32_t) { shared_ready(); });
}

/// A printing process waits while the user does not read, as with a pipe.
void Output::shared_ready() {
  for (int i = 0; i < reads_per_turn; ++i) {
    if (full()) {
      loop_.remove(shared_.get());
      shared_watched_ = false;
      return;
    }
    if (!read_shared()) return;
  }
}

/// False: nothing more is there now.
bool Output::read_shared() {
  auto const arrival = receive_packet(shared_.get(), std::as_writable_bytes(std::span{room_}));
  if (arrival.what == ReceiveStatus::packet) {
    auto const message = incoming_.take(std::as_bytes(std::span{room_}).first(arrival.size));
    if (message) print(control::read<control::Printed>(message->body.bytes()));
    return true;
  }
  if (arrival.what == ReceiveStatus::end) {
    if (std::exchange(shared_watched_, false)) loop_.remove(shared_.get());
    shared_.close();
  }
  return false;
}

void Output::drain_shared() {
  while (shared_ && read_shared()) {
  }
}

void Output::print(control::Printed const& printed) {
  auto const from = printed.stream == STDERR_FILENO ? Stream::error : Stream::out;
  auto const [first, last] = by_writer_.equal_range(writer_of(printed.rank));
  for (auto found = first; found != last; ++found) {
    auto& pipe = *found->second;
    if (pipe.fd || pipe.from != from) continue;
    return take(pipe, printed.text);
  }
}

void Output::add(Descriptor pipe, std::shared_ptr<CaughtOutput> caught, pid_t writer) {
  auto prefix = caught->mark();
  watch(put({.fd = std::move(pipe),
             .prefix = std::move(prefix),
             .writer = writer,
             .caught = std::move(caught)}));
}

void Output::add(Rank rank, std::shared_ptr<CaughtOutput> const& caught) {
  for (auto const from : {Stream::out, Stream::error})
    put({.from = from, .prefix = caught->mark(), .writer = writer_of(rank), .caught = caught});
}

void Output::subscribe(pid_t writer, std::shared_ptr<OutputSubscription> const& subscription) {
  for (auto* const pipe : pipes_of(writer)) {
    pipe->subscription = subscription;
    subscription->begin();
  }
}

/// A file that comes out at one of EXEC's own pipes is where that pipe's lines go, and needs no way
/// round.
std::shared_ptr<Sink> Output::place_for(Descriptor file) {
  if (!file) return own(sink(Stream::error));
  auto const pipe = std::ranges::find_if(
      pipes_, [&](auto const& one) { return same_file(one.fd.get(), file.get()); });
  if (pipe == pipes_.end()) return sink_of(loop_, std::move(file), [this] { resume(); });
  auto found = place(*pipe);
  // The process's own output there precedes others'.
  if (read(*pipe))
    forward(*pipe, pipe->cutter.take_rest());
  else
    remove(*pipe);
  return found;
}

std::shared_ptr<Sink> Output::place_of(pid_t writer, Stream from) {
  auto const pipes = pipes_of(writer);
  auto const pipe = std::ranges::find(pipes, from, &Pipe::from);
  return pipe == pipes.end() ? nullptr : place(**pipe);
}

std::shared_ptr<Sink> Output::place(Pipe& pipe) {
  return pipe.caught ? pipe.caught->sink() : own(sink(pipe.to));
}

Sink& Output::sink(Pipe& pipe) { return pipe.caught ? *pipe.caught->sink() : sink(pipe.to); }

void Output::watch(Pipe& pipe) {
  pipe.watched = true;
  loop_.watch(pipe.fd.get(), EPOLLIN, [this, &pipe](std::uint32_t) { ready(pipe); });
}

void Output::ready(Pipe& pipe) {
  if (sink(pipe).full() || (pipe.subscription && pipe.subscription->full())) {
    // Its hang-up must not be reported again and again until there is room.
    loop_.remove(pipe.fd.get());
    pipe.watched = false;
    return;
  }
  if (!read(pipe)) remove(pipe);
}

/// False: the pipe has ended.
bool Output::read(Pipe& pipe) {
  auto const n = ::read(pipe.fd.get(), room_.data(), room_.size());
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n > 0) take(pipe, {room_.data(), static_cast<std::size_t>(n)});
  return n > 0;
}

void Output::take(Pipe& pipe, std::string_view bytes) {
  auto const stream = pipe.from == Stream::error ? 1U : 0U;
  if (pipe.subscription && pipe.subscription->take(stream, bytes)) return;
  std::string const kept{pipe.caught ? bytes : std::string_view{}};
  if (pipe.caught) {
    pipe.caught->catch_up();  // uses the room that `bytes` are in
    bytes = kept;
  }
  forward(pipe, pipe.cutter.take(bytes));
  wait_for_rest(pipe);
}

void Output::forward(Pipe& pipe, std::string_view text) {
  if (text.empty()) return;
  auto& to = sink(pipe);
  if (pipe.prefix.empty()) {
    to.write(&pipe, text);
    return;
  }
  std::string lines;
  bool fresh = !to.continues(&pipe);
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (fresh) lines += pipe.prefix;
    lines += text.substr(0, end);
    text.remove_prefix(end);
    fresh = true;
  }
  to.write(&pipe, lines);
}

void Output::wait_for_rest(Pipe& pipe) {
  if (!pipe.cutter.has_rest()) return;
  pipe.rest_since = Clock::now();
  if (timer_set_) return;
  timer_set_ = true;
  loop_.after(line_delay, [this] { look_at_rests(); });
}

void Output::look_at_rests() {
  timer_set_ = false;
  auto const now = Clock::now();
  bool left = false;
  for (auto& pipe : pipes_) {
    if (!pipe.cutter.has_rest()) continue;
    auto const age = now - pipe.rest_since;
    if (age >= longest_line_delay || (age >= line_delay && !computes(pipe.writer)))
      forward(pipe, pipe.cutter.take_rest());
    else
      left = true;
  }
  if (!left) return;
  timer_set_ = true;
  loop_.after(line_delay / 2, [this] { look_at_rests(); });
}

void Output::resume() {
  for (auto& pipe : pipes_)
    if (pipe.fd && !pipe.watched) watch(pipe);
  if (shared_ && !shared_watched_) watch_shared();
}

void Output::print_line(std::string_view line) { sink(Stream::error).write(this, line); }

void Output::report(std::string_view sentence) {
  print_line(fmt::format("{} {}\n", in_color(Color::red, "earl:", STDERR_FILENO), sentence));
}

std::vector<Output::Pipe*> Output::pipes_of(pid_t writer) {
  auto const [first, last] = by_writer_.equal_range(writer);
  std::vector<Pipe*> pipes;
  for (auto found = first; found != last; ++found) pipes.push_back(&*found->second);
  return pipes;
}

void Output::read_available(pid_t writer) {
  for (auto* const pipe : pipes_of(writer))
    if (!pipe->fd)
      drain_shared();
    else if (!read(*pipe))
      remove(*pipe);
}

void Output::catch_up(pid_t writer) {
  for (auto* const pipe : pipes_of(writer))
    if (pipe->fd && !read(*pipe)) remove(*pipe);
}

void Output::drain(pid_t writer) {
  for (auto* const pipe : pipes_of(writer)) drain(*pipe);
}

void Output::drain(Pipe& pipe) {
  if (!pipe.fd) {
    drain_shared();
    return remove(pipe);
  }
  // At most the capacity of a pipe: a grandchild may go on writing.
  for (int i = 0; i < 2; ++i)
    if (!read(pipe)) return remove(pipe);
}

void Output::close() {
  while (!pipes_.empty()) {
    auto& pipe = pipes_.front();
    if (pipe.fd)
      read(pipe);
    else
      drain_shared();
    remove(pipe);
  }
}

void Output::remove(Pipe& pipe) {
  forward(pipe, pipe.cutter.take_rest());
  if (pipe.subscription) pipe.subscription->end();
  sink(pipe).remove(&pipe);
  if (pipe.watched) loop_.remove(pipe.fd.get());
  auto const [first, last] = by_writer_.equal_range(pipe.writer);
  auto const entry =
      std::find_if(first, last, [&](auto const& candidate) { return &*candidate.second == &pipe; });
  auto const here = entry->second;
  by_writer_.erase(entry);
  pipes_.erase(here);
}

}  // namespace earl::exec
