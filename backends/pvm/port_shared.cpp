// SPDX-License-Identifier: BSD-3-Clause
/// One packet for many: the daemon takes it once and hands it to each.
#include <algorithm>
#include <cstring>

#include "backends/pvm/port.hpp"
#include "generic/base/error.hpp"
#include "generic/base/iovecs.hpp"

namespace earl::pvm_backend {

bool PvmPort::put_all(std::span<const Addressed> all, Gather const& payload) {
  if (left_ || board_->head().several_hosts != 0 || !by_daemon_) return false;
  auto const takes = [&](Addressed const& one) {
    Peer& to = peer(one.to);
    return board_->has_ended(one.to) ||
           (find_task(to, one.to) && to.window.has_room(sizeof(Frame) + payload.size()));
  };
  if (!std::ranges::all_of(all, takes)) return false;
  for (; !all.empty(); all = all.subspan(std::min(all.size(), most_shares)))
    send_shares(all.first(std::min(all.size(), most_shares)), payload);
  return true;
}

void PvmPort::send_shares(std::span<const Addressed> all, Gather const& payload) {
  std::vector<Share> shares;
  std::vector<int> tasks;
  for (auto const& [to, header] : all) {
    if (board_->has_ended(to)) {
      ++lost_;
      continue;
    }
    Peer& one = peer(to);
    one.window.sent(sizeof(Frame) + payload.size());
    tasks.push_back(one.tid);
    shares.push_back({.rank = number(to), .frame = next_frame(one, header)});
    board_->row(to).frames.fetch_add(1, std::memory_order_release);
  }
  if (shares.empty()) return;
  shares.front().count = static_cast<std::uint32_t>(shares.size());
  Iovecs const pieces(std::as_bytes(std::span{shares}), payload);
  check(native_.send_all(tasks.data(), static_cast<int>(tasks.size()), pieces.all().data(),
                         static_cast<int>(pieces.all().size())),
        "send");
  if (may_have_more()) drained_ = false;
}

/// A packet that is not of the task that it claims, or has no share for this process, is dropped.
void PvmPort::shared_packet(int tid, Bytes message, PacketSink& sink) {
  Share share;
  std::size_t count = 1;
  bool mine = false;
  for (std::size_t n = 0; n < count && !mine; ++n) {
    if (message.size() < (n + 1) * sizeof share) return;
    std::memcpy(&share, message.data() + n * sizeof share, sizeof share);
    if (n == 0) count = std::min<std::size_t>(share.count, most_shares);
    mine = share.rank == number(me_);
  }
  const Rank source{share.frame.header.source};
  if (!mine || !is_peer(source) || task_of(source) != tid) return;
  if (message.size() < count * sizeof share) return;
  ++frames_;
  accept(share.frame, message.subspan(count * sizeof share), sink);
}

}  // namespace earl::pvm_backend
