// SPDX-License-Identifier: BSD-3-Clause
/// A process without a job: drives a debugger the way the core does, with messages that arrive in
/// the order the test says.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generic/seams/interceptor.hpp"

namespace earl {

/// Thrown by FakeDebuggedProcess instead of ending the test.
struct Stopped {
  int code = 0;
  std::string sentence;
  bool when_sent = false;
};

class FakeDebuggedProcess final : public DebuggedProcess {
 public:
  explicit FakeDebuggedProcess(std::int32_t rank) : rank_{rank} {}
  Rank rank() const override { return rank_; }
  std::uint32_t initial_size() const override { return 4; }
  Deadline noted_time() const override { return {}; }
  std::size_t stack(std::span<void const*>) const override { return 0; }
  std::string context_label(Context context) const override {
    auto const found = labels.find(context);
    return found == labels.end() ? std::string{} : found->second;
  }
  [[noreturn]] void stop(int code, std::string_view sentence) override {
    throw Stopped{code, std::string{sentence}};
  }
  [[noreturn]] void stop_when_sent(int code, std::string_view sentence) override {
    throw Stopped{code, std::string{sentence}, true};
  }

  void notify_exec(std::string_view name, Bytes) override {
    if (notified) notified(name);
  }

  std::map<Context, std::string> labels{};
  std::function<void(std::string_view)> notified{};  ///< EXEC, of a note with this name

 private:
  Rank rank_;
};

/// Where the caller of the function that calls this goes on.
#define FAKE_SITE __builtin_extract_return_addr(__builtin_return_address(0))

class FakeProcess {
 public:
  /// `sources`: the senders of the messages that arrive, in order of arrival, all with tag 7.
  FakeProcess(Interceptor& watch, std::vector<std::int32_t> const& sources) : watch_(watch) {
    std::map<std::int32_t, std::uint64_t> next;
    for (auto const source : sources)
      arrivals_.push_back({.source = Rank{source}, .sequence = next[source]++});
  }

  /// From now on the process shares memory with others.
  void share_memory(std::uint64_t bytes) { watch_.shares_memory(bytes); }
  [[gnu::noinline]] MessageId crecv(MatchSpec const& spec) {
    enter("crecv", FAKE_SITE);
    return post(spec);
  }
  /// The message is there: a debugger that does not steer is notified once.
  [[gnu::noinline]] MessageId crecv_at_once(NarrowSpec const& narrow) {
    enter("crecv", FAKE_SITE);
    auto const spec = narrow.spec(TooLong::cut);
    if (watch_.constrains_matching()) return post(spec);
    auto const id = next(spec);
    auto const there = envelope(id);
    watch_.received_narrow({.post = posts_++, .spec = narrow, .envelope = there, .id = id});
    return id;
  }
  /// The message comes only when this process waits for it.
  [[gnu::noinline]] MessageId crecv_of_a_late_one(MatchSpec const& spec) {
    enter("crecv", FAKE_SITE);
    ReceiveOp op{.kind = OpKind::receive, .post = posts_++, .spec = spec};
    watch_.posting(op);
    watch_.blocked();
    watch_.resumed();
    auto const id = next(op.spec);
    watch_.matched(op, envelope(id), id);
    return id;
  }
  /// Posts; the message is there when wait() says so.
  [[gnu::noinline]] std::uint64_t irecv(MatchSpec const& spec) {
    enter("irecv", FAKE_SITE);
    open_.push_back({.kind = OpKind::receive, .post = posts_++, .spec = spec});
    watch_.posting(open_.back());
    return open_.back().post;
  }
  [[gnu::noinline]] MessageId msgwait(std::uint64_t post) {
    enter("msgwait", FAKE_SITE);
    auto const op = find(post);
    auto const id = next(op.spec);
    if (id == nowhere)
      watch_.blocked();
    else
      watch_.matched(op, envelope(id), id);
    return id;
  }
  [[gnu::noinline]] bool msgcancel(std::uint64_t post) {
    enter("msgcancel", FAKE_SITE);
    auto const forced = watch_.cancelling(post);
    auto const may = forced.value_or(true);
    watch_.cancelled(post, may);
    return may;
  }
  /// Whether one of `requests` is done; `natural` is the unchanged answer.
  [[gnu::noinline]] std::vector<std::uint32_t> msgdone(std::size_t requests,
                                                       std::vector<std::uint32_t> natural) {
    enter("msgdone", FAKE_SITE);
    const TestOp op{.kind = OpKind::test, .requests = requests};
    std::span<const std::uint32_t> demanded;
    auto const verdict = watch_.testing(op, demanded);
    if (verdict == Verdict::no) natural.clear();
    if (verdict == Verdict::yes) natural.assign(demanded.begin(), demanded.end());
    watch_.tested(op, natural);
    return natural;
  }
  [[gnu::noinline]] std::optional<MessageId> iprobe(MatchSpec const& spec) {
    enter("iprobe", FAKE_SITE);
    ReceiveOp op{.kind = OpKind::try_probe, .post = posts_, .spec = spec};
    auto const verdict = watch_.posting(op);
    auto const id = verdict == Verdict::no ? nowhere : find(op.spec);
    auto const there = envelope(id);
    watch_.answered(op, id == nowhere ? nullptr : &there, id);
    if (id == nowhere) return std::nullopt;
    return id;
  }
  [[gnu::noinline]] MessageId cprobe(MatchSpec const& spec) {
    enter("cprobe", FAKE_SITE);
    ReceiveOp op{.kind = OpKind::probe, .post = posts_, .spec = spec};
    watch_.posting(op);
    auto const id = find(op.spec);
    auto const there = envelope(id);
    watch_.answered(op, &there, id);
    return id;
  }
  [[gnu::noinline]] void csend(std::int32_t to, std::int32_t tag,
                               std::string_view bytes = "contents") {
    enter("csend", FAKE_SITE);
    watch_.sending({.envelope = {.dest = Rank{to}, .tag = Tag{tag}},
                    .payload = Gather{std::as_bytes(std::span{bytes})}});
  }
  [[gnu::noinline]] void gsum(std::string_view bytes, std::size_t root = 0) {
    enter("gsum", FAKE_SITE);
    Gather const own{std::as_bytes(std::span{bytes})};
    watch_.collective({.kind = "all-reduce",
                       .number = collectives_++,
                       .root = root,
                       .bytes = bytes.size(),
                       .contribution = {&own, 1}});
  }
  [[gnu::noinline]] std::int64_t mclock(std::int64_t now) {
    enter("mclock", FAKE_SITE);
    return watch_.clock_read(now);
  }
  [[gnu::noinline]] std::string ask(std::uint32_t operation, std::string const& natural) {
    enter("kill", FAKE_SITE);
    Buffer answer{Gather{std::as_bytes(std::span{natural})}};
    watch_.exec_answered(operation, {}, answer);
    return {reinterpret_cast<char const*>(answer.data()), answer.size()};
  }
  /// A call in which handlers may run: those of `natural` unless a debugger says which. Each makes
  /// a call of its own. Returns those that ran.
  [[gnu::noinline]] std::vector<std::uint64_t> flick(std::vector<std::uint64_t> const& natural) {
    enter("flick", FAKE_SITE);
    ++safepoints_;
    std::vector<std::uint64_t> ran;
    for (;;) {
      HandlerOp op{.point = safepoints_};
      auto const verdict = watch_.handlers_due(op);
      if (verdict == Verdict::no) return ran;
      if (verdict == Verdict::free && ran.size() == natural.size()) return ran;
      if (verdict == Verdict::free) op.handler = natural[ran.size()];
      watch_.handling(op);
      csend(0, static_cast<std::int32_t>(op.handler));
      watch_.handled(op);
      ran.push_back(op.handler);
    }
  }
  void exit() { watch_.ended(arrivals_.size()); }

 private:
  static constexpr MessageId nowhere{.source = no_rank};

  void enter(char const* name, void const* site) { watch_.entered({.name = name, .site = site}); }
  static Envelope envelope(MessageId const& id) { return {.source = id.source, .tag = Tag{7}}; }

  MessageId post(MatchSpec const& spec) {
    ReceiveOp op{.kind = OpKind::receive, .post = posts_++, .spec = spec};
    watch_.posting(op);
    auto const id = next(op.spec);
    if (id == nowhere)
      watch_.blocked();
    else
      watch_.matched(op, envelope(id), id);
    return id;
  }
  ReceiveOp find(std::uint64_t post) {
    return *std::find_if(open_.begin(), open_.end(), [&](auto& op) { return op.post == post; });
  }
  std::deque<MessageId>::iterator first(MatchSpec const& spec) {
    return std::find_if(arrivals_.begin(), arrivals_.end(), [&](MessageId const& id) {
      if (spec.nothing) return false;
      if (spec.pinned) return id == MessageId{spec.source, spec.sequence};
      auto there = envelope(id);
      there.context = spec.context;  // they are of the one that is asked for
      return spec.accepts(there);
    });
  }
  MessageId find(MatchSpec const& spec) {
    auto const found = first(spec);
    return found == arrivals_.end() ? nowhere : *found;
  }
  MessageId next(MatchSpec const& spec) {
    auto const found = first(spec);
    if (found == arrivals_.end()) return nowhere;
    auto const id = *found;
    arrivals_.erase(found);
    return id;
  }

  Interceptor& watch_;
  std::deque<MessageId> arrivals_;
  std::deque<ReceiveOp> open_;
  std::uint64_t collectives_ = 0;
  std::uint64_t posts_ = 0;
  std::uint64_t safepoints_ = 0;
};

}  // namespace earl
