// SPDX-License-Identifier: BSD-3-Clause
/// A task's message buffers by number, and which of them are the active ones.
#pragma once

#include <memory>
#include <vector>

#include "frontends/pvm3/message_buffer.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::pvm {

class BufferTable {
 public:
  /// `call`: the one of the program that is under way.
  explicit BufferTable(Call const& call) : call_(call) {}

  /// The number of a new, empty buffer, > 0. The one freed last is given out first, as in PVM.
  int make();
  /// Null: no such buffer. Asked by every call that packs or unpacks.
  MessageBuffer* find(int id) {
    if (id < 1 || static_cast<std::size_t>(id) > slots_.size()) return nullptr;
    auto& slot = slot_of(id);
    return slot.used ? &slot.buffer : nullptr;
  }
  /// Frees an existing buffer, wherever it is active.
  void free(int id);

  int send_id() const { return send_; }
  int receive_id() const { return receive_; }
  /// The active send buffer; null: none.
  MessageBuffer* send() { return find(send_); }
  MessageBuffer* receive() { return find(receive_); }
  /// Make an existing buffer (or 0: none) the active one of one kind; it is none of the other kind
  /// from then on. They give the previous one.
  int activate_send(int id);
  int activate_receive(int id);
  /// The first step of every receive, also when no message comes.
  void drop_received() {
    if (receive_ != 0) free(receive_);
  }

  /// The task leaves PVM: no buffer is the active one for receives.
  void leave() { last_received_ = activate_receive(0); }
  /// Gives the debugger all that are there, but those that PVM itself would free: the active ones,
  /// also of a task that has left, and those that a probe has made.
  void report(Interceptor& debugger) const;

  // --- messages that a probe has seen and no receive has taken
  /// Remembers that `id` stands for `message`.
  void note_probed(MessageId const& message, int id) { probed_.push_back({message, id}); }
  /// The buffer that stands for `message`; 0: none.
  int probed(MessageId const& message) const;
  /// A receive has taken it: its buffer, which a probe may have numbered; else a new one.
  int taken(MessageId const& message);

 private:
  struct Slot {
    MessageBuffer buffer;
    bool used = false;
    void const* site = nullptr;  ///< of the call that has made it
  };
  struct Probed {
    MessageId message{};
    int id = 0;
  };
  Slot& slot_of(int id) { return *slots_[static_cast<std::size_t>(id - 1)]; }
  void clear_probed(int id);

  Call const& call_;
  std::vector<std::unique_ptr<Slot>> slots_;  ///< number n is at n - 1; they never move
  std::vector<int> free_;
  std::vector<Probed> probed_;
  int send_ = 0;
  int receive_ = 0;
  int last_received_ = 0;  ///< 0: none, or not left yet
};

}  // namespace earl::pvm
