// SPDX-License-Identifier: BSD-3-Clause
/// Output and input of one host's processes, between their pipes and the line to EXEC.
#pragma once

#include <list>
#include <string>
#include <unordered_map>

#include "exec/launcher/hosts/host_line.hpp"
#include "exec/runtime/line_cutter.hpp"

namespace earl::exec {

class Outlets {
 public:
  Outlets(Loop& loop, HostLine& line) : loop_(loop), line_(line) {}
  ~Outlets();
  Outlets(Outlets const&) = delete;
  Outlets& operator=(Outlets const&) = delete;

  /// Passes on the output of `pipe` until its end. `stream` is 1 or 2.
  void add(Rank rank, int stream, Descriptor pipe);
  /// Takes in at once the data that a dead process left in its pipes.
  void drain(Rank rank);
  /// EXEC has taken so many bytes over.
  void taken(std::size_t bytes);

  /// The end that the reader's standard input is fed by.
  void feed_into(Descriptor pipe) { input_ = std::move(pipe); }
  /// An empty piece is the end.
  void feed(Bytes piece);

 private:
  struct Outlet {
    Rank rank{};
    int stream = 1;
    Descriptor pipe;
    bool watched = false;
    boot::LineCutter cutter{};
  };
  using List = std::list<Outlet>;

  void watch(List::iterator outlet);
  void ready(List::iterator outlet);
  bool read(List::iterator outlet);
  void send(Outlet const& outlet, std::string text);
  void remove(List::iterator outlet);
  void pour();
  void end_input();

  Loop& loop_;
  HostLine& line_;
  List list_;
  std::size_t under_way_ = 0;  ///< bytes that EXEC has not taken over yet
  Descriptor input_{};
  std::string unread_{};
  bool input_ended_ = false;
  bool input_watched_ = false;
};

}  // namespace earl::exec
