// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/input_tap.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/system/pipe.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_read = 16U << 10;
/// For a terminal that another job has now.
constexpr auto poll_interval = std::chrono::milliseconds{200};

bool in_background() {
  auto const owner = ::tcgetpgrp(STDIN_FILENO);
  return owner > 0 && owner != ::getpgrp();
}

bool later(int error) { return error == EINTR || error == EAGAIN; }

}  // namespace

InputTap::InputTap(Loop& loop, Descriptor way, OnInput on_input)
    : loop_(loop), way_(std::move(way)), on_input_(std::move(on_input)) {
  never_block(way_);
  read_input();
}

InputTap::~InputTap() { end(); }

/// Reads while there is room behind; then waits for either.
void InputTap::read_input() {
  while (way_) {
    if (!pass_on()) return await_room();
    try {
      return await_source();
    } catch (Error const&) {
      read_some();  // a device that is always there to be read, and cannot be waited for
    }
  }
}

void InputTap::await_source() {
  if (source_watched_) return;
  loop_.watch(STDIN_FILENO, EPOLLIN, [this](std::uint32_t) {
    source_watched_ = false;
    loop_.remove(STDIN_FILENO);
    if (in_background()) return loop_.after(poll_interval, [this] { read_input(); });
    read_some();
    read_input();
  });
  source_watched_ = true;
}

void InputTap::await_room() {
  if (!way_ || way_watched_) return;
  loop_.watch(way_.get(), EPOLLOUT, [this](std::uint32_t) {
    way_watched_ = false;
    loop_.remove(way_.get());
    read_input();
  });
  way_watched_ = true;
}

/// False: the held data has no room, or no reader is left.
bool InputTap::pass_on() {
  if (held_.empty()) return true;
  auto const put = ::write(way_.get(), held_.data(), held_.size());
  if (put < 0 && !later(errno)) return end(), false;
  if (put > 0) held_.erase(held_.begin(), held_.begin() + put);
  return held_.empty();
}

/// False: it has ended.
bool InputTap::read_some() {
  std::array<std::byte, most_read> room{};
  auto const got = ::read(STDIN_FILENO, room.data(), room.size());
  if (got < 0 && later(errno)) return true;
  if (got <= 0) return end(), false;
  auto const piece = Bytes{room}.first(static_cast<std::size_t>(got));
  on_input_(piece);
  held_.assign(piece.begin(), piece.end());
  return true;
}

void InputTap::end() {
  if (std::exchange(source_watched_, false)) loop_.remove(STDIN_FILENO);
  if (std::exchange(way_watched_, false)) loop_.remove(way_.get());
  way_.close();
}

}  // namespace earl::exec
