// SPDX-License-Identifier: BSD-3-Clause
/// The ways of a message through the core, one at a time, between two processes in one thread: for
/// counting instructions (core_paths.py), which are the same in each run.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "generic/process.hpp"
#include "generic/request_table.hpp"

namespace {

using namespace earl;

/// Packets that are under way to one process, in memory that is used again.
class Line {
 public:
  void put(Header const& header, Gather const& payload) {
    Packet& packet = packets_[put_++ % packets_.size()];
    packet.header = header;
    packet.size = copy(payload, MutableBytes{packet.bytes});
  }
  std::size_t poll(PacketSink& sink) {
    std::size_t happened = 0;
    for (; got_ != put_; ++happened) {
      Packet const& packet = packets_[got_++ % packets_.size()];
      sink.packet(packet.header, Bytes{packet.bytes}.first(packet.size));
    }
    return happened;
  }
  bool full() const { return put_ - got_ == packets_.size(); }

 private:
  struct Packet {
    Header header{};
    std::size_t size = 0;
    std::array<std::byte, 1024> bytes{};
  };
  std::array<Packet, 64> packets_{};
  std::size_t put_ = 0;
  std::size_t got_ = 0;
};

class LinePort final : public Port {
 public:
  LinePort(std::array<Line, 2>& lines, std::size_t me, bool exposes)
      : lines_(lines), me_(me), exposes_(exposes) {}
  Limits limits() const override {
    return {.packet = 1024, .eager = 512, .remote_readable = exposes_};
  }
  bool put(Rank to, Header const& header, Gather const& payload) override {
    Line& line = lines_[index(to)];
    if (line.full()) return false;
    line.put(header, payload);
    return true;
  }
  std::size_t poll(PacketSink& sink) override { return lines_[me_].poll(sink); }
  void wait(Deadline deadline) override {
    if (deadline == never) std::abort();  // nothing can come: there is one thread
  }
  void wake() override {}
  Remote expose(TransferId, Bytes bytes) override {
    return {reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size()};
  }
  Pulled pull(Rank, Offer const& offer, Scatter const& to) override {
    copy(Bytes{reinterpret_cast<std::byte const*>(offer.remote.where), offer.remote.more}, to);
    return Pulled::done;
  }

 private:
  std::array<Line, 2>& lines_;
  std::size_t me_;
  bool exposes_;
};

class NoExecutive final : public Executive {
 public:
  void ask(std::uint32_t, std::uint32_t, Bytes) override {}
  void poll(ExecutiveSink&) override {}
  void report_failure(int, std::string_view, Call const&) override {}
};

/// Two processes, a (rank 0) and b, and the memory they send from and to.
struct Pair {
  explicit Pair(bool exposes) : a(parts(0, exposes)), b(parts(1, exposes)), out(4096), in(4096) {}

  ProcessParts parts(std::size_t rank, bool exposes) {
    return {.rank = Rank{static_cast<std::int32_t>(rank)},
            .table = IdTable{table()},
            .port = std::make_unique<LinePort>(lines, rank, exposes),
            .executive = std::make_unique<NoExecutive>()};
  }
  Bytes table() {
    if (!rows.empty()) return rows;
    rows.resize(id_table_bytes(2));
    auto* const head = new (rows.data()) IdHead;
    head->magic = id_table_magic;
    head->version = id_table_version;
    head->capacity = head->count = head->initial = 2;
    for (std::size_t i = 0; i < 2; ++i) {
      auto* const row = new (rows.data() + id_rows_at + i * sizeof(IdRow)) IdRow;
      row->state = static_cast<std::uint32_t>(RankState::registered);
      row->rank = static_cast<std::int32_t>(i);
    }
    return rows;
  }
  Bytes first(std::size_t size) const { return Bytes{out}.first(size); }
  MutableBytes room(std::size_t size) { return MutableBytes{in}.first(size); }

  std::vector<std::byte> rows;
  std::array<Line, 2> lines{};
  Process a;
  Process b;
  std::vector<std::byte> out;
  std::vector<std::byte> in;
};

constexpr Envelope to_b{.dest = Rank{1}, .tag = Tag{7}, .mode = Mode::buffered};
MatchSpec sevens() { return {.tag = TagMatch::exactly(Tag{7})}; }

void to_self(Pair& on) {
  on.b.send(to_b, on.first(8));
  static_cast<void>(on.b.receive(sevens(), on.room(8)));
}
void unexpected(Pair& on) {
  on.a.send(to_b, on.first(8));
  on.b.progress();
  static_cast<void>(on.b.receive(sevens(), on.room(8)));
}
void expected(Pair& on) {
  const RequestId posted = on.b.start_receive(sevens(), on.room(8));
  on.a.send(to_b, on.first(8));
  on.b.wait(posted);
}
void blocking(Pair& on) {
  on.a.send(to_b, on.first(256));
  static_cast<void>(on.b.receive(sevens(), on.room(256)));
}
void taken(Pair& on) {
  on.a.send(to_b, on.first(256));
  static_cast<void>(on.b.take(sevens()));
}
void nonblocking(Pair& on) {
  const RequestId posted = on.b.start_receive(sevens(), on.room(8));
  const RequestId sent = on.a.start_send(to_b, on.first(8));
  const std::array both{posted};
  std::array<Completion, 2> results;
  while (!on.b.requests().test_all(both, results)) {
  }
  on.a.wait(sent);
}
void probed(Pair& on) {
  on.a.send(to_b, on.first(8));
  while (!on.b.try_probe(sevens())) {
  }
  static_cast<void>(on.b.receive(sevens(), on.room(8)));
}
/// By rendezvous.
void in_full(Pair& on) {
  const RequestId posted = on.b.start_receive(sevens(), on.room(4096));
  Envelope to = to_b;
  to.mode = Mode::standard;
  const RequestId sent = on.a.start_send(to, on.first(4096));
  for (int turns = 0; turns < 2; ++turns) {
    on.b.progress();
    on.a.progress();
  }
  on.b.wait(posted);
  on.a.wait(sent);
}
void handled(Pair& on) {
  std::size_t ran = 0;
  on.b.handlers().on_completion(
      on.b.start_receive(sevens(), on.room(8)),
      {[](void* with, Completion const&) { ++*static_cast<std::size_t*>(with); }, &ran});
  on.a.send(to_b, on.first(8));
  on.b.progress();
  if (ran != 1) std::abort();
}

struct Path {
  char const* name;
  void (*once)(Pair& on);
  bool exposes = false;  ///< the receiver reads the sender's memory
};
constexpr Path paths[] = {
    {"self", to_self},        {"unexpected", unexpected},
    {"expected", expected},   {"blocking", blocking},
    {"taken", taken},         {"nonblocking", nonblocking},
    {"probed", probed},       {"long_read", in_full, true},
    {"long_pieces", in_full}, {"handler", handled},
};

}  // namespace

/// Without arguments, the names of all; else a name, and how many messages.
int main(int argc, char** argv) {
  for (Path const& path : paths) {
    if (argc < 3) {
      std::puts(path.name);
    } else if (std::strcmp(argv[1], path.name) == 0) {
      auto const pair = std::make_unique<Pair>(path.exposes);
      long const times = std::atol(argv[2]);
      for (long i = 0; i < times; ++i) path.once(*pair);
    }
  }
  return 0;
}
