// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/input.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "generic/base/error.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_input_under_way = 64 * 1024;

}  // namespace

void InputFeed::begin(int from, Send send) {
  from_ = from;
  send_ = std::move(send);
  read_input();
}

/// A file is always there to be read, and cannot be waited for.
void InputFeed::read_input() {
  if (!send_ || watched_) return;
  try {
    loop_.watch(from_, EPOLLIN, [this](std::uint32_t) { read_some(); });
    watched_ = true;
  } catch (Error const&) {
    while (under_way_ < most_input_under_way && read_some()) {
    }
  }
}

/// False: it has ended.
bool InputFeed::read_some() {
  std::array<std::byte, 16 * 1024> room{};
  auto const got = ::read(from_, room.data(), room.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  auto const size = got > 0 ? static_cast<std::size_t>(got) : 0;
  send_(Bytes{room}.first(size));
  under_way_ += size;
  if (size == 0)
    end();
  else if (under_way_ >= most_input_under_way && std::exchange(watched_, false))
    loop_.remove(from_);
  return size != 0;
}

void InputFeed::took(std::size_t bytes) {
  under_way_ -= std::min(bytes, under_way_);
  if (under_way_ < most_input_under_way) read_input();
}

void InputFeed::end() {
  if (std::exchange(watched_, false)) loop_.remove(from_);
  send_ = nullptr;
}

}  // namespace earl::exec
