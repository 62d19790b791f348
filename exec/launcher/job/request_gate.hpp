// SPDX-License-Identifier: BSD-3-Clause
/// The order in which EXEC takes in requests of processes, and announces deaths.
#pragma once

#include <deque>

#include "exec/launcher/job/interceptors.hpp"
#include "exec/runtime/control.hpp"

namespace earl::exec {

/// Requests and deaths wait here until debuggers allow them: a replay serves them in the order of
/// its recording.
class RequestGate {
 public:
  struct Request {
    Rank from{};
    control::Message message{};
  };
  struct Death {
    Rank rank{};
    int wait_status = 0;
  };
  class Client {
   public:
    /// Delivers a piece of output to its subscriber. False: none may be delivered now.
    virtual bool deliver_output() = 0;
    /// The request waits for the room of a process that has ended.
    virtual bool awaits_room(Request const& request) = 0;
    virtual void announce(Death const& death) = 0;
    virtual void serve(Request const& request) = 0;
    /// It cannot go on, for example because its disk is full.
    virtual void debugger_failed(Error const& error) = 0;

   protected:
    ~Client() = default;
  };

  RequestGate(JobInterceptors const& interceptors, Client& client)
      : interceptors_(interceptors), client_(client) {}

  // To be followed by run().
  void add(Request request) { requests_.push_back(std::move(request)); }
  void add(Death death) { deaths_.push_back(death); }
  /// Lets through what may pass: output, deaths and then requests, oldest first; each may allow an
  /// older one. Does nothing when it is running already.
  void run();
  bool has_request_of(Rank rank) const;

 private:
  bool announce_next();
  bool serve_next();
  bool abandons_waiting() const;

  JobInterceptors const& interceptors_;
  Client& client_;
  std::deque<Request> requests_;
  std::deque<Death> deaths_;
  bool running_ = false;
};

}  // namespace earl::exec
