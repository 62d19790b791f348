// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's standard input, on its way to a process of another host.
#pragma once

#include <cstddef>
#include <functional>

#include "exec/launcher/events/loop.hpp"
#include "generic/base/bytes.hpp"

namespace earl::exec {

/// Reads no further ahead of the process than a pipe would hold.
class InputFeed {
 public:
  /// An empty piece is the end.
  using Send = std::function<void(Bytes)>;

  explicit InputFeed(Loop& loop) : loop_(loop) {}
  ~InputFeed() { end(); }
  InputFeed(InputFeed const&) = delete;
  InputFeed& operator=(InputFeed const&) = delete;

  void begin(int from, Send send);
  /// The process has got so many bytes more.
  void took(std::size_t bytes);
  /// No reader is left.
  void end();

 private:
  void read_input();
  bool read_some();

  Loop& loop_;
  int from_ = 0;
  Send send_{};
  std::size_t under_way_ = 0;
  bool watched_ = false;
};

}  // namespace earl::exec
