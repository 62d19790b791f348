// SPDX-License-Identifier: BSD-3-Clause
/// Messages that the program's own functions have to look at before it receives them: pvm_recvf's
/// predicate, pvm_addmhf's handlers. While there is such a function, every call takes in all that
/// has arrived and keeps it here, oldest first; otherwise this is empty and not asked. A message
/// that the core's matching took for another task's is kept here, too.
#pragma once

#include <deque>
#include <vector>

#include "generic/process.hpp"

namespace earl::pvm {

class State;

using Predicate = int (*)(int bufid, int tid, int tag);
using Handler = int (*)(int bufid);

class FilteredMessages {
 public:
  bool in_use() const { return predicate_ || !handlers_.empty() || !held_.empty(); }
  bool handling() const { return handling_; }

  /// Null: PVM's own rule. Returns the previous one.
  Predicate set_predicate(Predicate predicate) { return std::exchange(predicate_, predicate); }
  /// The new handler's number, or PvmExists when another wants some of the same messages.
  int add(int source, int tag, int context, Handler function);
  int remove(int id);
  /// The effect of pvm_exit: no handlers, no predicate, no messages.
  void clear(State& state);

  /// Takes in arrived messages; handlers run.
  void drain(State& state);
  /// Like drain(), with a message that has been taken already and was not requested.
  void put_back(State& state, Message message);
  /// The oldest message the predicate likes best, out of the queue: its buffer, which is not active
  /// yet. 0: none by the deadline. Negative: the predicate's error.
  int receive(State& state, int tid, int tag, Deadline deadline);
  /// Like receive(), looking once, and the message stays.
  int probe(State& state, int tid, int tag);

 private:
  struct Wanted {
    int id = 0;
    int source = -1;
    int tag = -1;
    int context = -1;
    Handler function = nullptr;
  };

  struct Held {
    int id = 0;  ///< the buffer's
    MessageId message{};
  };

  int new_id();
  void admit(State& state, Message message);
  /// Behind the older ones of its sender, before the younger ones.
  void hold(Held const& held);
  void run(State& state, Handler function, int id);
  /// The position in held_ of the best message, -1: none, or the predicate's error below that.
  int choose(State& state, int tid, int tag);

  Predicate predicate_ = nullptr;
  std::vector<Wanted> handlers_;  ///< the newest last
  std::deque<Held> held_;
  int ids_ = 0;            ///< given out at once
  std::vector<int> free_;  ///< the one freed last is given out first, as in PVM
  bool handling_ = false;
};

/// PVM's own rule, also for programs that call the function that pvm_recvf() returned.
int default_match(int bufid, int tid, int tag);

}  // namespace earl::pvm
