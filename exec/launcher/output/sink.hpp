// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's own standard output or error, as a place that may be slow, full or gone.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "exec/launcher/events/loop.hpp"

namespace earl::exec {

/// Takes whole lines at once and writes them as the reader takes them. Never blocks on a pipe, a
/// terminal or a socket, and never changes how the user's descriptor behaves for others.
class Sink {
 public:
  static constexpr std::size_t plenty = 1U << 20;  ///< bytes waiting that make it full()

  struct Listener {
    std::function<void()> room;              ///< full() no longer
    std::function<void(int number)> broken;  ///< errno; later output is dropped
  };

  Sink(Loop& loop, int fd, Listener listener);
  ~Sink();
  Sink(Sink const&) = delete;
  Sink& operator=(Sink const&) = delete;

  /// Takes `text`, which comes from `writer` (any address that identifies a writer). A line that
  /// another writer left open is ended first. Returns whether the text begins on a fresh line.
  void write(void const* writer, std::string_view text);
  /// Whether `writer`'s own line is the one that is open.
  bool continues(void const* writer) const { return open_line_ == writer; }

  /// `writer` is gone; its address may come again.
  void remove(void const* writer) {
    if (open_line_ == writer) open_line_ = this;
  }

  bool full() const { return waiting_.size() >= plenty; }
  bool empty() const { return waiting_.empty(); }

 private:
  void flush();
  void fail(int number);
  long put(std::string_view text) const;

  Loop& loop_;
  Listener listener_;
  int fd_;
  Descriptor own_;  ///< the same file, opened again so that waiting can be switched off
  bool socket_ = false;
  bool watched_ = false;
  bool broken_ = false;
  void const* open_line_ = nullptr;
  std::string waiting_;
};

}  // namespace earl::exec
