// SPDX-License-Identifier: BSD-3-Clause
/// Ends a job that does not end by itself: by signals, each harder than the one before.
#pragma once

#include <optional>

#include "exec/launcher/events/loop.hpp"

namespace earl::exec {

class Shutdown {
 public:
  class Client {
   public:
    /// Sends the signal to every process of the job. `by_terminal`: the terminal has sent it to its
    /// foreground group already.
    virtual void signal_all(int signal, bool by_terminal) = 0;
    /// Processes of the job are alive.
    virtual bool has_members() const = 0;

   protected:
    ~Client() = default;
  };

  Shutdown(Loop& loop, Client& client) : loop_(loop), client_(client) {}

  bool begun() const { return signal_ != 0; }
  /// Ends the job; nothing when it is ending already. An exit code that was given before stays.
  void begin(int exit_code, int signal);
  /// The user has sent EXEC this signal. The second one means: at once.
  void interrupted(int signal, bool by_terminal);
  /// All processes have ended: from now on every signal of the user's means: at once.
  void finish();
  /// The user has interrupted a job that was ending.
  bool hurried() const { return hurried_; }
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  void send(int signal, bool by_terminal);
  void escalate();

  Loop& loop_;
  Client& client_;
  int signal_ = 0;  ///< sent last; 0: the job goes on
  bool hurried_ = false;
  std::optional<int> exit_code_{};
};

}  // namespace earl::exec
