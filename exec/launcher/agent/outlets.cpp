// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/agent/outlets.hpp"

#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

namespace earl::exec {

namespace {

/// Above that a printing process waits until the user reads, as with a pipe. With one more reading
/// it fits in what an EXEC that is slow receives without reading: see HostLine's most_silence.
constexpr std::size_t most_under_way = 32 * 1024;
constexpr std::size_t most_at_once = 16 * 1024;
/// At most the capacity of a pipe: a grandchild may go on writing.
constexpr int most_last_reads = 4;

bool has_more(Descriptor const& pipe) {
  int bytes = 0;
  return ::ioctl(pipe.get(), FIONREAD, &bytes) == 0 && bytes > 0;
}

}  // namespace

Outlets::~Outlets() {
  for (auto const& outlet : list_)
    if (outlet.watched) loop_.remove(outlet.pipe.get());
  end_input();
}

void Outlets::add(Rank rank, int stream, Descriptor pipe) {
  list_.push_back({.rank = rank, .stream = stream, .pipe = std::move(pipe)});
  watch(std::prev(list_.end()));
}

void Outlets::watch(List::iterator outlet) {
  outlet->watched = true;
  loop_.watch(outlet->pipe.get(), EPOLLIN, [this, outlet](std::uint32_t) { ready(outlet); });
}

void Outlets::ready(List::iterator outlet) {
  if (under_way_ >= most_under_way) {
    loop_.remove(outlet->pipe.get());
    outlet->watched = false;
    return;
  }
  if (!read(outlet)) remove(outlet);
}

/// False: it has ended.
bool Outlets::read(List::iterator outlet) {
  std::array<char, most_at_once> room{};
  auto const got = ::read(outlet->pipe.get(), room.data(), room.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  auto const size = static_cast<std::size_t>(got);
  std::string text{outlet->cutter.take({room.data(), size})};
  // EXEC ends a line whose rest does not follow soon.
  bool const rest_follows = size == room.size() && has_more(outlet->pipe);
  if (!rest_follows) text += outlet->cutter.take_rest();
  send(*outlet, std::move(text));
  return true;
}

void Outlets::send(Outlet const& outlet, std::string text) {
  if (text.empty()) return;
  under_way_ += text.size();
  line_.send(
      control::Type::printed,
      control::Printed{.rank = outlet.rank, .stream = outlet.stream, .text = std::move(text)});
}

void Outlets::remove(List::iterator outlet) {
  send(*outlet, std::string{outlet->cutter.take_rest()});
  if (outlet->watched) loop_.remove(outlet->pipe.get());
  list_.erase(outlet);
}

void Outlets::drain(Rank rank) {
  for (auto next = list_.begin(); next != list_.end();) {
    auto const outlet = next++;
    if (outlet->rank != rank) continue;
    for (int i = 0; i < most_last_reads && read(outlet); ++i) {
    }
    remove(outlet);
  }
}

void Outlets::taken(std::size_t bytes) {
  under_way_ -= std::min(bytes, under_way_);
  if (under_way_ >= most_under_way) return;
  for (auto outlet = list_.begin(); outlet != list_.end(); ++outlet)
    if (!outlet->watched) watch(outlet);
}

void Outlets::feed(Bytes piece) {
  input_ended_ |= piece.empty();
  unread_.append(reinterpret_cast<char const*>(piece.data()), piece.size());
  pour();
}

void Outlets::pour() {
  std::size_t gone = 0;
  while (input_ && !unread_.empty()) {
    auto const wrote = ::write(input_.get(), unread_.data(), unread_.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno != EAGAIN) end_input();  // no reader is left
    if (wrote < 0) break;
    unread_.erase(0, static_cast<std::size_t>(wrote));
    gone += static_cast<std::size_t>(wrote);
  }
  if (!input_) gone += std::exchange(unread_, {}).size();
  if (gone != 0)
    line_.send(control::Type::took,
               control::RankValue{.rank = {}, .value = static_cast<std::int32_t>(gone)});
  if (input_ended_ && unread_.empty()) return end_input();
  if (!input_ || unread_.empty() == !input_watched_) return;
  input_watched_ = !unread_.empty();
  if (input_watched_)
    loop_.watch(input_.get(), EPOLLOUT, [this](std::uint32_t) { pour(); });
  else
    loop_.remove(input_.get());
}

void Outlets::end_input() {
  if (std::exchange(input_watched_, false)) loop_.remove(input_.get());
  input_.close();
}

}  // namespace earl::exec
