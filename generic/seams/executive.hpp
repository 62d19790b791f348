// SPDX-License-Identifier: BSD-3-Clause
/// A process's line to EXEC, as the core sees it: numbered requests and their answers.
/// generic/services/operations.hpp defines the bytes; exec defines their transport.
#pragma once

#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/message/header.hpp"
#include "generic/seams/intercepted.hpp"
#include "generic/seams/report.hpp"

namespace earl {

class ExecutiveSink {
 public:
  virtual void answered(std::uint32_t ticket, Buffer answer) = 0;
  /// EXEC sends this process a message (a death it requested to be notified of); matched like any
  /// other, from exec_rank.
  virtual void message(Header const& header, Bytes payload) = 0;
  /// EXEC asks whether this process can go on: answer_inquiry() is called once all that has arrived
  /// by now has been taken in.
  virtual void inquired(std::uint32_t question) = 0;
  /// The core's part of the answer: the call's name and the stack are left empty.
  virtual Report report() = 0;
  /// The call of the native API that is under way, or was last.
  virtual Call under_way() const = 0;

 protected:
  ~ExecutiveSink() = default;
};

class Executive {
 public:
  virtual ~Executive() = default;
  /// Sends a request. Does not wait for EXEC to read it unless the line is full. Throws Error when
  /// EXEC is gone or there is none (a job of one).
  virtual void ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) = 0;
  /// The next request carries a duplicate of this descriptor. Throws Error where none can be sent.
  virtual void enclose(int descriptor);
  /// Takes in EXEC's messages; never blocks. Ends the process if EXEC is gone.
  virtual void poll(ExecutiveSink& sink) = 0;
  /// Answers a question that poll() has handed over.
  virtual void answer_inquiry(std::uint32_t /*question*/, ExecutiveSink& /*sink*/) {}
  /// True for a process that outlives EXEC: only poll() detects then that EXEC has gone.
  virtual bool exec_may_exit_first() const { return false; }
  /// Notifies EXEC that this process leaves, and waits as long as EXEC requires.
  virtual void goodbye() {}
  /// Notifies EXEC that the program has ended although its process stays until its messages have
  /// been accepted (back ends that keep nothing).
  virtual void leaving() {}
  /// Reports to EXEC why this process is about to end before its time, and with which exit code:
  /// another process's signal may be faster. `call`: the one that failed; without a site none did.
  virtual void report_failure(int exit_code, std::string_view sentence, Call const& call) = 0;
  /// Passes bytes of a debugger to its half in EXEC; without EXEC they go nowhere.
  virtual void notify(std::string_view /*debugger*/, Bytes /*note*/) {}

  // --- operations that a process that shares its system process with others must leave to EXEC
  /// A line, with its newline, on standard error, behind the program's earlier output.
  virtual void print(std::string_view line);
  /// Like exit(3).
  [[noreturn]] virtual void exit(int code);
  /// Flushes streams, then as _exit(2): nothing of the program runs any more.
  [[noreturn]] virtual void quit(int code);
};

}  // namespace earl
