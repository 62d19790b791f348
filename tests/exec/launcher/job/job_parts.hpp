// SPDX-License-Identifier: BSD-3-Clause
/// The surroundings of a part of a job, for its unit test: nothing is started, and everything that
/// EXEC sends is kept.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/children/rank_channel.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/services/service_context.hpp"

namespace earl::exec {

class SilentListener final : public ChannelListener {
 public:
  void on_hello(Child&, control::Hello const&) override {}
  void on_request(Child&, control::Message) override {}
  void on_report(Child&, Report) override {}
  void on_sent(Child&) override {}
  void on_protocol_error(Child&, std::string_view) override {}
  void on_leaving(Child&, int) override {}
  void on_goodbye(Child&) override {}
  void on_disconnected(Child&) override {}
};

class RecordingChannel final : public RankChannel {
 public:
  struct Sent {
    Rank rank{};
    control::Type type{};
    std::uint32_t ticket = 0;
  };

  void pass(Rank rank, control::Type type, std::uint32_t ticket, std::uint32_t, Bytes) override {
    sent.push_back({rank, type, ticket});
  }
  void signal(Rank, int) override {}
  void handled() override {}

  std::vector<Sent> sent;
};

class RecordingContext final : public ServiceContext {
 public:
  struct Message {
    Rank to{};
    Tag tag{};
    std::string text;
  };

  explicit RecordingContext(Roster const& roster) : roster_(roster) {}

  void send_answer(PendingReply const& reply, Bytes answer) override {
    answered.push_back(reply.ticket);
    answers.emplace_back(Gather{answer});
  }
  void send_message(Rank to, Header const& header, Bytes payload) override {
    messages.push_back(
        {to, Tag{header.tag},
         std::string(reinterpret_cast<char const*>(payload.data()), payload.size())});
  }
  Roster const& roster() const override { return roster_; }
  HostList hosts() const override { return {}; }

  std::vector<std::uint32_t> answered;
  std::vector<Buffer> answers;
  std::vector<Message> messages;

 private:
  Roster const& roster_;
};

struct JobParts {
  Loop loop;
  SilentListener listener;
  Channels channels{loop, listener};
  Roster roster{8};
  ChildTable children;
  JobInterceptors interceptors;
  RecordingChannel channel;
  RecordingContext context{roster};

  /// A process that has said hello.
  Child& add_running() {
    auto& child = children.add(roster.add({.front_end = "nx"}));
    child.rank_channel = &channel;
    child.registered_pid = 1;
    child.program = "node";
    children.set_running(child);
    roster.set_state(child.rank, RankState::registered);
    return child;
  }
};

/// The text written to standard error while this lives.
class CapturedErrors {
 public:
  CapturedErrors() : saved_(::dup(STDERR_FILENO)), file_(std::tmpfile()) {
    ::dup2(::fileno(file_), STDERR_FILENO);
  }
  ~CapturedErrors() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
    std::fclose(file_);
  }
  std::string text() const {
    std::string text(4096, 0);
    auto const size = ::pread(::fileno(file_), text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
  }

 private:
  int saved_;
  std::FILE* file_;
};

}  // namespace earl::exec
