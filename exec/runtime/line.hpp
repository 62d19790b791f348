// SPDX-License-Identifier: BSD-3-Clause
/// A process's half of the control channel, as the core sees it.
#pragma once

#include <vector>

#include "exec/runtime/control.hpp"
#include "exec/runtime/stack.hpp"
#include "generic/seams/executive.hpp"

namespace earl::boot {

/// The messages of a process and EXEC, independent of their transport.
class Line : public Executive {
 public:
  void ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) override;
  void answer_inquiry(std::uint32_t question, ExecutiveSink& sink) override;
  void report_failure(int exit_code, std::string_view sentence, Call const& call) override;
  void notify(std::string_view debugger, Bytes note) override;
  /// The back end has created its threads, for instance, and the program none yet.
  void back_end_is_ready() { wakers_.pass_over_present(); }

 protected:
  virtual void send(control::Type type, std::uint32_t ticket, std::uint32_t operation,
                    Bytes body) = 0;
  void handle(control::Message message, ExecutiveSink& sink);
  /// An address of this process as others can resolve it.
  virtual Frame locate(void const* address) const;
  virtual bool may_be_woken() const { return wakers_.any(); }

 private:
  Wakers wakers_;
  std::uint64_t reported_progress_ = 0;  ///< of the last report
};

/// The line of a process that has a channel.
class ControlLine final : public Line {
 public:
  /// Whether EXEC started this process and ends it when it ends, or another process of the job has
  /// forked it, or it was started independently.
  enum class Bond { child, forked, guest };

  ControlLine(Descriptor channel, Bond bond) : channel_(std::move(channel)), bond_(bond) {}

  void ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) override;
  void poll(ExecutiveSink& sink) override;
  bool exec_may_exit_first() const override { return bond_ != Bond::child; }
  void enclose(int descriptor) override { enclosed_ = descriptor; }
  void report_failure(int exit_code, std::string_view sentence, Call const& call) override;
  void goodbye() override;
  void leaving() override;
  /// The program's exit code, for leaving().
  void set_exit_code(int code) { exit_code_ = code; }
  /// The channel, for a process that reports on behalf of this one.
  int descriptor() const { return channel_.get(); }
  /// A guest passes its standard output and error: processes that it loads write there.
  void hello(control::Hello const& hello);

 private:
  void send(control::Type type, std::uint32_t ticket, std::uint32_t operation, Bytes body) override;

  Descriptor channel_;
  Bond bond_;
  int exit_code_ = 0;
  bool left_ = false;
  bool retired_ = false;  ///< a guest that has asked for nothing since it left EXEC's services
  int enclosed_ = -1;     ///< sent with the next message
  control::Assembler assembler_;
  std::vector<std::byte> room_;
};

/// The line of a job of one: there is no EXEC.
class NoLine final : public Executive {
 public:
  void ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) override;
  void poll(ExecutiveSink&) override {}
  void report_failure(int, std::string_view, Call const&) override {}
};

/// Says that EXEC cannot be reached any more and ends this process at once.
[[noreturn]] void end_without_exec();

}  // namespace earl::boot
