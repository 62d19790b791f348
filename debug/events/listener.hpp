// SPDX-License-Identifier: BSD-3-Clause
/// The half of the events tool in a process.
#pragma once

#include <map>
#include <string>

#include "debug/events/writer.hpp"

namespace earl::events {

class Listener final : public Interceptor {
 public:
  /// Throws Error when the file cannot be made.
  Listener(trace::TraceFileOptions options, DebuggedProcess& process)
      : writer_(std::move(options)), process_(process) {}

  bool constrains_matching() const override { return false; }
  void entered(Call const& call) override;
  void sending(SendOp const& op) override;
  Verdict posting(ReceiveOp& op) override;
  void matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void completed(std::uint64_t post) override;
  void lost(ReceiveOp const& op, MessageId const& id) override;
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) override;
  void tested(TestOp const& op, std::span<const std::uint32_t> positions) override;
  void cancelled(std::uint64_t post, bool was_cancelled) override;
  void exec_answered(std::uint32_t operation, Bytes request, Buffer& answer) override;
  void handling(HandlerOp const& op) override;
  void handled(HandlerOp const& op) override;
  void collective(CollectiveOp const& op) override;
  void collective_ended(CollectiveOp const& op) override;
  void blocked() override;
  void resumed() override;
  bool tracks_unreleased_objects() const override { return true; }
  void unreleased(Unreleased const& objects) override;
  bool watches_sends() const override { return true; }
  void send_completed(CompletedSend const& send) override;
  bool compares_types() const override { return true; }
  void mistyped(Mistyped const& message) override;
  void collective_types(CollectiveTypes const& types) override;
  void continue_as(std::span<std::string_view const>& arguments) override;
  void ended(std::uint64_t unreceived) override;

 private:
  /// Failed polls with the same arguments: one event.
  struct Misses {
    OpKind operation = OpKind::test;
    std::uint32_t what = 0;
    void const* site = nullptr;
    std::uint64_t count = 0;
    std::uint64_t call = 0;
  };

  void put(Event const& event);
  void put_id(EventKind kind, MessageId const& id);
  void put_kind(EventKind kind);
  void put_call();
  void put_misses();
  void missed(OpKind operation, std::uint32_t what);
  /// The name of a context stands before the first event that is about it.
  void note_context(Context context) {
    if (context != last_context_) [[unlikely]]
      note_label(context);
  }
  void note_label(Context context);
  void put_label(Context context, std::string const& label);
  void note_changed_labels();
  /// The subject of a notice stands before the event that names its message.
  void note_subject(MessageId const& id) {
    if (id.source == exec_rank) [[unlikely]]
      put_subject(id);
  }
  void put_subject(MessageId const& id);
  std::int64_t time() const;

  EventWriter writer_;
  DebuggedProcess& process_;
  Call call_{};
  std::int64_t call_time_ = 0;
  std::uint64_t calls_ = 0;
  bool call_waits_ = false;  ///< the call under way is not written yet
  Misses misses_{};
  Context last_context_ = common_context;  ///< that was noted last
  std::map<Context, std::string> labels_{};
  std::uint32_t asked_ = 0;  ///< filter of the probe or try under way
  std::int64_t blocked_at_ = 0;
  Call interrupted_{};  ///< the call in which a handler runs
  bool over_ = false;
};

}  // namespace earl::events
