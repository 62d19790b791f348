// SPDX-License-Identifier: BSD-3-Clause
/// The recorder's half in a process.
#pragma once

#include <optional>

#include "debug/record/pins.hpp"
#include "debug/record/posts.hpp"
#include "debug/trace/fingerprint.hpp"
#include "debug/trace/free_receives.hpp"
#include "debug/trace/labels.hpp"
#include "debug/trace/prefix.hpp"
#include "debug/trace/sends.hpp"
#include "debug/trace/sites.hpp"
#include "debug/trace/writer.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::record {

class Recorder final : public Interceptor {
 public:
  /// Throws Error when the file cannot be made. `minimal`: outcomes that a replay need not know are
  /// left out.
  Recorder(DebuggedProcess& process, trace::TraceFileOptions const& options, bool minimal);

  bool constrains_matching() const override { return false; }
  void entered(Call const& call) override;
  void sending(SendOp const& op) override;
  bool piggybacks() const override { return pins_.has_value(); }
  std::optional<std::uint64_t> piggyback(Rank dest) override {
    return pins_ ? std::optional{pins_->word_for(dest)} : std::nullopt;
  }
  void piggyback_arrived(MessageId const& id, std::uint64_t word) override {
    if (pins_) pins_->word_arrived(id, word);
  }
  Verdict posting(ReceiveOp& op) override;
  void matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void completed(std::uint64_t post) override;
  void lost(ReceiveOp const& op, MessageId const& id) override;
  void received(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void received_narrow(Receipt const& receipt) override;
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) override;
  void tested(TestOp const& op, std::span<const std::uint32_t> positions) override;
  void cancelled(std::uint64_t post, bool was_cancelled) override;
  std::int64_t clock_read(std::int64_t now) override;
  void exec_answered(std::uint32_t operation, Bytes request, Buffer& answer) override;
  void handling(HandlerOp const& op) override;
  void handled(HandlerOp const& op) override;
  void collective(CollectiveOp const& op) override;
  /// No process waits for one that is about to sleep.
  void blocked() override { writer_.safe_point(); }
  void shares_memory(std::uint64_t bytes) override;
  void continue_as(std::span<std::string_view const>& arguments) override;
  void ended(std::uint64_t unreceived) override;

 private:
  /// By what the program asked for: a replay that is recorded anew narrows it.
  static bool certain(ReceiveOp const& op);
  void put(trace::Received const& got, ReceiveOp const& op, Envelope const& envelope);
  [[gnu::noinline]] void entered_elsewhere(Call const& call);
  [[gnu::noinline]] void sending_many(SendOp const& op);
  static trace::Sent sent_of(SendOp const& op, std::uint64_t contents);
  [[gnu::noinline]] void add_unexpected(SendOp const& op, std::uint64_t contents);
  [[gnu::noinline]] void received_of_parts(Receipt const& receipt);
  [[gnu::noinline]] void put_unexpected(Receipt const& receipt);
  [[gnu::noinline]] void put_hash();
  void begin_part();
  /// A message is the program's, or its receive's.
  void note_received(MessageId const& id) {
    if (prefix_) prefix_->received(id);
  }
  void put_checks();
  [[gnu::noinline]] void put_checks(trace::OutcomeKind what, trace::Sends& checks);
  /// The API call under way.
  std::uint64_t event() const { return writer_.events(); }
  std::uint32_t site();
  /// An outcome is about this.
  void note_label(trace::Selector const& selector) {
    if (selector.any_context) return;
    labels_.note(selector.context, [this](trace::Outcome const& name) { writer_.put(name); });
  }
  /// An outcome of the call under way; valid until the next one.
  trace::Outcome& outcome(trace::OutcomeKind what, OpKind kind);

  Rank rank_;
  trace::FreeReceives free_{};
  trace::TraceWriter writer_;
  std::optional<Pins> pins_{};             ///< null: every outcome is kept
  std::optional<trace::Prefix> prefix_{};  ///< null: every frame is kept
  trace::Position position_{};
  std::uint64_t posted_ = 0;  ///< receives
  trace::SiteTable sites_;
  trace::Labels labels_;
  trace::Fingerprint fingerprint_;
  Posts posts_;
  trace::Sends sends_;
  std::uint64_t sent_ = 0;
  trace::Sends contributions_;
  std::uint64_t collectives_ = 0;
  trace::SiteTable::Site* here_ = &sites_.at({});  ///< of the call under way
  Call interrupted_{};                             ///< the call in which a handler runs
  trace::Selector asked_{};                        ///< of the probe or try under way
  trace::Outcome outcome_{};
  /// Nothing but the order of all outcomes is kept; until the process ends.
  bool plain_ = true;
  bool over_ = false;
};

}  // namespace earl::record
