// SPDX-License-Identifier: BSD-3-Clause
/// Several debuggers on one process, in the order the user gave.
#pragma once

#include <memory>
#include <vector>

#include "generic/seams/interceptor.hpp"

namespace earl {

/// Passes every event to every debugger. Where an answer is wanted, a later one sees an earlier
/// one's result (a narrowed spec, a clock value), and the first that demands something is obeyed.
class InterceptorStack final : public Interceptor {
 public:
  void add(std::unique_ptr<Interceptor> debugger) { all_.push_back(std::move(debugger)); }

  bool constrains_matching() const override;
  void entered(Call const& call) override;
  void sending(SendOp const& op) override;
  bool piggybacks() const override;
  std::optional<std::uint64_t> piggyback(Rank dest) override;
  void piggyback_arrived(MessageId const& id, std::uint64_t word) override;
  SendRule send_rule() const override;
  bool stands_still() const override;
  bool will_be_cancelled(SendOp const& op) override;
  Verdict posting(ReceiveOp& op) override;
  void matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void completed(std::uint64_t post) override;
  void received(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void received_narrow(Receipt const& receipt) override;
  void lost(ReceiveOp const& op, MessageId const& id) override;
  MatchOutcome match_outcome(ReceiveOp const& op, MessageId const& id) override;
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) override;
  Verdict testing(TestOp const& op, std::span<std::uint32_t const>& demanded) override;
  void tested(TestOp const& op, std::span<std::uint32_t const> positions) override;
  std::optional<bool> cancelling(std::uint64_t post) override;
  void cancelled(std::uint64_t post, bool was_cancelled) override;
  std::int64_t clock_read(std::int64_t now) override;
  void exec_answered(std::uint32_t operation, Bytes request, Buffer& answer) override;
  Verdict handlers_due(HandlerOp& op) override;
  void handling(HandlerOp const& op) override;
  void handled(HandlerOp const& op) override;
  void collective(CollectiveOp const& op) override;
  void collective_ended(CollectiveOp const& op) override;
  void shares_memory(std::uint64_t bytes) override;
  void blocked() override;
  void resumed() override;
  bool tracks_unreleased_objects() const override;
  void unreleased(Unreleased const& objects) override;
  bool watches_sends() const override;
  void send_completed(CompletedSend const& send) override;
  bool compares_types() const override;
  void mistyped(Mistyped const& message) override;
  void collective_types(CollectiveTypes const& types) override;
  void continue_as(std::span<std::string_view const>& arguments) override;
  void ended(std::uint64_t unreceived) override;

 private:
  std::vector<std::unique_ptr<Interceptor>> all_;
};

}  // namespace earl
