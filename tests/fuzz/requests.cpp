// SPDX-License-Identifier: BSD-3-Clause
/// Requests of processes of a job, all of them hostile, to EXEC's services, and their deaths
/// between.
#include "exec/launcher/services/named_services.hpp"
#include "exec/launcher/services/waits.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

constexpr int processes = 6;

class Office final : public ServiceContext {
 public:
  Office() {
    for (int i = 0; i < processes; ++i)
      roster_.set_state(roster_.add({.partition = 1, .place = static_cast<std::uint32_t>(i)}),
                        RankState::registered);
  }
  void send_answer(PendingReply const&, Bytes) override {}
  void send_message(Rank, Header const&, Bytes) override {}
  Roster const& roster() const override { return roster_; }
  HostList hosts() const override { return {}; }

  void ask(Rank rank, std::uint32_t operation, Bytes body) {
    Reader from(body);
    PendingReply const reply{.to = rank, .ticket = ++tickets_, .operation = operation};
    switch (static_cast<Operation>(operation)) {
      case Operation::wait_one:
        return waits_.one(reply, from.get<Places>());
      case Operation::wait_all:
        return waits_.all(reply, from.get<Places>());
      default:
        static_cast<void>(named_services_.serve(reply, from));
    }
  }
  /// As EXEC has it: once for each, and no request comes after that.
  void die(Rank rank) {
    if (!roster_.lives(rank)) return;
    roster_.set_state(rank, RankState::ended);
    waits_.died(rank, 0);
    named_services_.died(rank, 0);
  }
  bool lives(Rank rank) const { return roster_.lives(rank); }

 private:
  Roster roster_{processes};
  Waits waits_{*this};
  NamedServices named_services_{*this};
  std::uint32_t tickets_ = 0;
};

}  // namespace

/// The input is a row of requests: rank, operation, length of the body, body. A rank with its high
/// bit set dies.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Office office;
  for (Bytes left = std::as_bytes(std::span{data, size}); left.size() >= 3;) {
    auto const who = std::to_integer<unsigned>(left[0]);
    auto const operation = std::to_integer<std::uint32_t>(left[1]);
    auto const length =
        std::min(std::to_integer<std::size_t>(left[2]), left.size() - std::size_t{3});
    auto const body = left.subspan(3, length);
    left = left.subspan(3 + length);
    const Rank rank{static_cast<std::int32_t>(who % processes)};
    if ((who & 0x80U) != 0)
      office.die(rank);
    else if (office.lives(rank))
      fuzz::only_errors([&] { office.ask(rank, operation, body); });
  }
  return 0;
}
