// SPDX-License-Identifier: BSD-3-Clause
/// One process's end of TCP connections, for tests that drive both ends themselves.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "backends/net/tcp/link.hpp"

namespace earl::tcp::test {

inline constexpr auto limit = std::chrono::seconds{60};

inline Bytes bytes_in(std::string const& text) { return std::as_bytes(std::span{text}); }

class FrameLog final : public net::FrameSink {
 public:
  std::vector<std::string> frames;
  std::vector<Rank> gone{};

  void frame(Rank, Bytes bytes) override {
    frames.emplace_back(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  }
  void down(Rank peer, std::string_view) override { gone.push_back(peer); }
  void on_control_ready() override {}
};

struct End {
  End(Secret const& secret, Rank me, Protection protection = Protection::none)
      : End({.secret = secret, .protection = protection}, me) {}
  End(PeerCredentials const& trust, Rank me) : link(trust, me, listen_at("127.0.0.1"), Bell()) {}

  TcpLink link;
  FrameLog received{};
  std::size_t go_on() { return link.progress(received, 64); }
};

}  // namespace earl::tcp::test
