// SPDX-License-Identifier: BSD-3-Clause
#include "debug/breakpoints/breakpoints.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "debug/breakpoints/breakpoint.hpp"
#include "debug/breakpoints/stop_here.hpp"
#include "debug/symbols/modules.hpp"
#include "generic/base/error.hpp"
#include "generic/base/wire.hpp"

namespace earl {

namespace breakpoints {

namespace {

/// A message counts when the program has it: then its bytes can be looked at.
class Stopper final : public Interceptor {
 public:
  Stopper(std::string_view text, DebuggedProcess& process)
      : text_(text), at_(parse_breakpoint(text)), process_(process) {}

  bool constrains_matching() const override { return false; }

  void entered(Call const& call) override {
    call_ = call;
    fits_ = is_call(call);
    if (fits_ && !at_.wants_message()) count();
  }
  void sending(SendOp const& op) override {
    if (wanted() && at_.fits(op.envelope, op.envelope.dest)) count();
  }
  void matched(ReceiveOp const& op, Envelope const& envelope, MessageId const&) override {
    if (at_.wants_message() && at_.fits(envelope, envelope.source)) matched_.insert(op.post);
  }
  void completed(std::uint64_t post) override {
    if (matched_.erase(post) != 0 && wanted()) count();
  }
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const&) override {
    bool const takes = op.takes || op.kind == OpKind::try_receive;
    if (found && takes && wanted() && at_.fits(*found, found->source)) count();
  }
  void ended(std::uint64_t) override {
    if (seen_ != 0 && seen_ < at_.nth) notify();
  }

 private:
  bool wanted() const { return fits_ && at_.wants_message(); }
  bool is_call(Call const& call) {
    return (!at_.rank || *at_.rank == number(process_.rank())) &&
           (at_.call.empty() || at_.call == call.name) && (at_.file.empty() || is_place(call.site));
  }
  bool is_place(void const* site) {
    auto const [known, fresh] = places_.try_emplace(site, false);
    if (fresh) {
      auto const module = symbols::module_at(site);
      known->second =
          !module.path.empty() &&
          symbols::line_of(module.path, reinterpret_cast<std::uintptr_t>(site) - module.base) ==
              fmt::format("{}:{}", at_.file, at_.line);
    }
    return known->second;
  }
  void count() {
    if (++seen_ != at_.nth) return;
    notify();
    auto const sentence = fmt::format("rank {} is at a breakpoint: {}", number(process_.rank()),
                                      place_text(call_, process_));
    auto const refusal = let_gdb_look(sentence, process_);
    if (!refusal.empty()) process_.stop(stopped_code, fmt::format("{}; {}", sentence, refusal));
  }
  void notify() {
    Writer note;
    note(text_, seen_);
    process_.notify_exec(break_tool.name, note.bytes());
  }

  std::string text_;  ///< of the breakpoint
  Breakpoint at_;
  DebuggedProcess& process_;
  Call call_{};
  bool fits_ = false;  ///< the call under way
  std::uint64_t seen_ = 0;
  std::set<std::uint64_t> matched_{};  ///< posts of fitting messages that the program has not yet
  std::unordered_map<void const*, bool> places_{};
};

/// Reports a breakpoint at which no process has been.
class Reporter final : public JobInterceptor {
 public:
  Reporter(std::string_view text, std::uint64_t nth) : text_(text), nth_(nth) {}

  void notified(Rank, std::string_view name, Bytes note) override {
    if (name != break_tool.name) return;
    Reader from(note);
    if (from.text() == text_) most_ = std::max(most_, from.get<std::uint64_t>());
  }
  int finished(int exit_code) override {
    if (most_ >= nth_) return exit_code;
    auto const line = fmt::format("earl: --break {}: {}\n", text_, how_many());
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
    return exit_code;
  }

 private:
  std::string how_many() const {
    if (most_ == 0) return "no call of the run fitted";
    return fmt::format("no process came to call {} that fits, but to {} at most", nth_, most_);
  }

  std::string text_;
  std::uint64_t nth_;
  std::uint64_t most_ = 0;  ///< calls of one process that fitted
};

std::unique_ptr<Interceptor> in_process(std::string_view argument, DebuggedProcess& process) {
  return std::make_unique<Stopper>(argument, process);
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const&) {
  try {
    return std::make_unique<Reporter>(argument, parse_breakpoint(argument).nth);
  } catch (Error const& error) {
    throw Error(Fault::bad_request, "--break {}: {}", argument, error.what());
  }
}

}  // namespace

}  // namespace breakpoints

constinit Tool const break_tool{
    .name = "break",
    .summary = "gdb at a call: rank=3,call=crecv,at=racy.c:31,peer=2,tag=7,nth=5",
    .in_process = breakpoints::in_process,
    .in_exec = breakpoints::in_exec};

}  // namespace earl
