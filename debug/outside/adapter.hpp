// SPDX-License-Identifier: BSD-3-Clause
/// Turns the calls of an Interceptor into the events of earl/tool.h, and verdicts back.
#pragma once

#include <string>
#include <vector>

#include "debug/outside/include/earl/tool.h"
#include "debug/outside/use.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::outside {

/// One rank's object of a tool.
class Adapter final : public Interceptor {
 public:
  /// Without a note's name in `use` there is no half in EXEC. Ends the process when the tool
  /// refuses.
  Adapter(earl_tool_table const& table, Use use, DebuggedProcess& process);
  Adapter(Adapter const&) = delete;
  Adapter& operator=(Adapter const&) = delete;
  ~Adapter() override { destroy(); }

  bool constrains_matching() const override { return (table_.flags & EARL_TOOL_STEERS) != 0; }
  void entered(Call const& call) override;
  void sending(SendOp const& op) override;
  Verdict posting(ReceiveOp& op) override;
  void matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void lost(ReceiveOp const& op, MessageId const& id) override;
  void completed(std::uint64_t post) override;
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) override;
  Verdict testing(TestOp const& op, std::span<const std::uint32_t>& demanded) override;
  void tested(TestOp const& op, std::span<const std::uint32_t> positions) override;
  std::optional<bool> cancelling(std::uint64_t post) override;
  void cancelled(std::uint64_t post, bool was_cancelled) override;
  std::int64_t clock_read(std::int64_t now) override;
  void handling(HandlerOp const&) override { deliver(EARL_HANDLER); }
  void handled(HandlerOp const&) override { deliver(EARL_HANDLER_END); }
  void collective(CollectiveOp const& op) override { deliver_collective(EARL_COLLECTIVE, op); }
  void collective_ended(CollectiveOp const& op) override {
    deliver_collective(EARL_COLLECTIVE_END, op);
  }
  void blocked() override { deliver(EARL_BLOCKED); }
  void resumed() override { deliver(EARL_RESUMED); }
  bool tracks_unreleased_objects() const override { return true; }
  void unreleased(Unreleased const& objects) override;
  void ended(std::uint64_t unreceived) override;

 private:
  static std::int64_t now(earl_host const* host);
  static std::size_t stack(earl_host const* host, void const** room, std::size_t most);
  static std::size_t payload(earl_host const* host, void* room, std::size_t most);
  static int notify(earl_host const* host, void const* bytes, std::size_t length);

  earl_event begin(earl_event_kind kind) const;
  /// The tool's verdict, which is EARL_GO_ON when it only listens. Its answer is in `answer_`.
  int ask(earl_event const& event);
  /// An event that no verdict can change.
  void deliver(earl_event const& event);
  void deliver(earl_event_kind kind) { deliver(begin(kind)); }
  void deliver_collective(earl_event_kind kind, CollectiveOp const& op);
  [[noreturn]] void refuse(earl_event const& event, int verdict);
  [[noreturn]] void stop();
  [[noreturn]] void end(int exit_code, std::string const& sentence);
  void destroy();

  earl_tool_table const& table_;
  Use use_;
  DebuggedProcess& process_;
  earl_host given_{};
  void* object_ = nullptr;
  bool over_ = false;
  earl_answer answer_{};
  Gather payload_{};
  std::vector<std::int32_t> members_;
};

}  // namespace earl::outside
