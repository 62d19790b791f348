// SPDX-License-Identifier: BSD-3-Clause
/// The replay's half in a process.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>

#include "debug/breakpoints/stop_here.hpp"
#include "debug/replay/checkpoint.hpp"
#include "debug/replay/deviations.hpp"
#include "debug/replay/fork_server.hpp"
#include "debug/replay/free_receive.hpp"
#include "debug/replay/kept_part.hpp"
#include "debug/replay/recording.hpp"
#include "debug/trace/fingerprint.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::replay {

/// Exit codes of a process that stops otherwise than at breakpoints::stopped_code.
inline constexpr int diverged_code = 87;
inline constexpr int cut_code = 85;

class Replayer final : public Interceptor {
 public:
  Replayer(Recording recording, Deviations deviations, DebuggedProcess& process)
      : recording_(std::move(recording)), deviations_(std::move(deviations)), process_(process) {}

  /// Where the process stops.
  struct Stop {
    std::uint64_t event = 0;  ///< when this call begins it ends; 0: none
    bool gdb = false;         ///< it goes on after gdb has been there
    /// Knows where it stops next, and what it does there.
    std::optional<ForkServer> forks{};
    Deviations checkpoint{};
  };
  void stop_at(Stop stop) {
    checkpoint_.set_places(std::move(stop.checkpoint));
    stop_ = std::move(stop);
  }

  void entered(Call const& call) override;
  void sending(SendOp const& op) override;
  SendRule send_rule() const override {
    return stands_still() ? SendRule::as_asked : SendRule::buffered;
  }
  bool stands_still() const override {
    return !over_ && event_ >= recording_.events() && recording_.waits_at_end();
  }
  bool will_be_cancelled(SendOp const& op) override {
    return !is_free() && recording_.was_cancelled(post_of_send(op.envelope.dest, op.sequence));
  }
  Verdict posting(ReceiveOp& op) override;
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) override;
  void tested(TestOp const& op, std::span<const std::uint32_t> positions) override;
  void matched(ReceiveOp const& op, Envelope const&, MessageId const&) override;
  void lost(ReceiveOp const& op, MessageId const& id) override;
  MatchOutcome match_outcome(ReceiveOp const& op, MessageId const& id) override;
  Verdict testing(TestOp const& op, std::span<const std::uint32_t>& demanded) override;
  std::optional<bool> cancelling(std::uint64_t post) override;
  std::int64_t clock_read(std::int64_t now) override;
  void exec_answered(std::uint32_t operation, Bytes request, Buffer& answer) override;
  Verdict handlers_due(HandlerOp& op) override;
  void handling(HandlerOp const& op) override;
  /// The interrupted call does not wait for receives that the handler has posted.
  void handled(HandlerOp const&) override {
    call_ = interrupted_;
    here_ = &sites_.at(call_);
    waits_for_nothing_ = ~std::uint64_t{0};
  }
  void collective(CollectiveOp const& op) override;
  void blocked() override;
  void continue_as(std::span<std::string_view const>& arguments) override;
  void ended(std::uint64_t unreceived) override;

 private:
  /// Behind the deviations of a path.
  bool is_free() const { return deviations_.frees(event_); }
  /// Also before the part of the record that is kept.
  bool is_unconstrained() const { return is_free() || !kept_part_.has_begun(); }
  Verdict posting_receive(ReceiveOp& op, trace::Selector const& selector);
  Verdict posting_try(ReceiveOp& op);
  Verdict answer_otherwise(ReceiveOp& op, trace::PathStep const& step);
  Verdict answer_otherwise(TestOp const& op, trace::PathStep const& step,
                           std::span<const std::uint32_t>& demanded);
  /// The next answer, which must be one to such an operation.
  trace::Outcome const& expect(trace::OutcomeKind what, OpKind kind,
                               trace::Selector const* selector = nullptr);
  /// Both at one place in the program, asking for the same.
  void compare(trace::Outcome const& then, OpKind kind, trace::Selector const* selector);
  bool same_site(std::uint32_t then);
  void check_hash();
  /// Whether the record has what this process waits for. False if that may be one of the receives
  /// that got no message.
  bool waits_for_recorded();

  // divergence.cpp
  [[noreturn]] void diverged(trace::Outcome const& then, OpKind kind,
                             trace::Selector const* selector);
  [[noreturn]] void diverged(std::string_view what);
  [[noreturn]] void end_of_recording();
  void stop_here();
  [[noreturn]] void stop(int exit_code, std::string const& sentence);
  [[noreturn]] void sent_otherwise(trace::Sent const& then, trace::Sent const& now);
  [[noreturn]] void contributed_otherwise(trace::Sent const& then, trace::Sent const& now,
                                          std::string_view collective);
  std::string what_differs(trace::Outcome const& then, std::string const& recorded,
                           std::string const& now) const;
  std::string now_text(OpKind kind, trace::Selector const* selector) const;
  std::string agreed_text() const;

  Recording recording_;
  Deviations deviations_;
  DebuggedProcess& process_;
  trace::Fingerprint fingerprint_;
  trace::SiteTable sites_;  ///< their numbers are those of the recorded sites that are the same
  trace::SiteTable::Site* here_ = &sites_.at({});
  Call call_{};
  Call interrupted_{};  ///< the call in which a handler runs
  std::uint64_t event_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t collectives_ = 0;
  std::uint64_t questions_ = 0;  ///< probes, tries and tests so far
  std::uint64_t waits_for_nothing_ =
      ~std::uint64_t{0};           ///< event of the last receive that never got a message
  std::uint64_t awaited_ = 0;      ///< pinned receives whose message is not here yet
  bool has_unanswered_ = false;    ///< a receive was posted that never got a message
  std::array<Call, 4> earlier_{};  ///< the calls before this one, by event
  std::unordered_map<std::uint64_t, FreeReceive> free_{};  ///< those without a message, by post
  KeptPart kept_part_{recording_};
  std::optional<FreeReceive> question_{};  ///< of the probe or try under way before the kept part
  std::vector<std::uint32_t> demanded_;
  Stop stop_{};
  Checkpoint checkpoint_{process_};
  bool over_ = false;
};

}  // namespace earl::replay
