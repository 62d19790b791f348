// SPDX-License-Identifier: BSD-3-Clause
#include "tests/generic/network.hpp"

#include <unistd.h>

#include <bit>
#include <exception>
#include <new>
#include <thread>

#include "generic/system/shared_memory.hpp"

namespace earl::test {

std::vector<std::byte> id_table_of(std::size_t size, std::uint64_t message_memory) {
  auto const rows = std::bit_ceil(static_cast<std::uint32_t>(size));
  std::vector<std::byte> table(id_table_bytes(rows));
  auto* head = new (table.data()) IdHead;
  head->magic = id_table_magic;
  head->version = id_table_version;
  head->capacity = rows;
  head->message_kib = static_cast<std::uint32_t>(message_memory / 1024);
  head->count = head->initial = static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto* row = new (table.data() + id_rows_at + i * sizeof(IdRow)) IdRow;
    row->state = static_cast<std::uint32_t>(RankState::registered);
    row->place = static_cast<std::uint32_t>(i);
    row->rank = static_cast<std::int32_t>(i);
    row->unix_pid = ::getpid();
  }
  return table;
}

Network::Network(std::size_t size, Traits how)
    : traits(how), table_(id_table_of(size, how.message_memory)) {
  for (std::size_t i = 0; i < size; ++i) {
    const Rank rank{static_cast<std::int32_t>(i)};
    processes_.push_back(std::make_unique<Process>(
        ProcessParts{.rank = rank,
                     .table = IdTable{Bytes{table_}},
                     .port = std::make_unique<QueuePort>(*this, rank),
                     .executive = std::make_unique<NoExecutive>(leaving_[i]),
                     .first_sequence = traits.first_sequence}));
  }
}

void Network::move_away(std::size_t i) {
  reinterpret_cast<IdRow*>(table_.data() + id_rows_at)[i].host = 1;
}

void Network::set_unix_pid(std::size_t i, std::int32_t pid, RankState state) {
  auto& row = reinterpret_cast<IdRow*>(table_.data() + id_rows_at)[i];
  row.unix_pid = pid;
  row.state = static_cast<std::uint32_t>(state);
}

void Network::run_until_quiet() {
  for (std::uint64_t before = moves_ + 1; before != moves_;) {
    before = moves_;
    for (auto& process : processes_) process->progress();
  }
}

void Network::run(std::function<void(Process&)> const& body) {
  running_.assign(processes_.size(), true);
  turn_ = 0;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < processes_.size(); ++i)
    threads.emplace_back([&, i] {
      std::unique_lock lock{mutex_};
      await_turn(lock, i);
      try {
        body(*processes_[i]);
        processes_[i]->leave();
      } catch (...) {
        failure = std::current_exception();
      }
      running_[i] = false;
      dead_[i] = true;
      ++moves_;
      next_turn();
    });
  for (auto& thread : threads) thread.join();
  running_.clear();
  if (failure) std::rethrow_exception(failure);
}

void Network::await_turn(std::unique_lock<std::mutex>& lock, std::size_t me) {
  turned_.wait(lock, [&] { return turn_ == me; });
}

void Network::next_turn() {
  for (std::size_t step = 0; step < running_.size(); ++step) {
    turn_ = (turn_ + 1) % running_.size();
    if (running_[turn_]) break;
  }
  turned_.notify_all();
}

/// Lets all others make progress; the caller holds the mutex, as the process with the turn does.
void Network::pass_turn(std::size_t me) {
  constexpr std::uint64_t too_many = 20'000;
  auto const before = moves_;
  next_turn();
  std::unique_lock lock{mutex_, std::adopt_lock};
  await_turn(lock, me);
  lock.release();
  fruitless_ = moves_ == before ? fruitless_ + 1 : 0;
  if (fruitless_ > too_many) throw Stuck{};
}

Limits QueuePort::limits() const {
  return {.packet = network_.traits.packet,
          .eager = network_.traits.eager,
          .remote_readable = network_.traits.remote_readable,
          .packets_outlive_sender = network_.traits.packets_outlive_sender,
          .multicasts = network_.traits.multicasts};
}

bool QueuePort::put(Rank to, Header const& header, Gather const& payload) {
  ++network_.moves_;
  if (ended(to)) return true;
  auto& queue = network_.queues_[{index(me_), index(to)}];
  if (queue.size() >= network_.traits.room) return --network_.moves_, false;
  queue.push_back({header, Buffer{payload}});
  network_.largest_queue = std::max(network_.largest_queue, queue.size());
  return true;
}

bool QueuePort::put_all(std::span<const Addressed> all, Gather const& payload) {
  auto const takes = [&](Addressed const& one) {
    return ended(one.to) ||
           network_.queues_[{index(me_), index(one.to)}].size() < network_.traits.room;
  };
  if (!std::ranges::all_of(all, takes)) return false;
  ++network_.multicasts_;
  for (auto const& [to, header] : all)
    if (!put(to, header, payload)) throw std::logic_error("there was room");
  return true;
}

bool QueuePort::keep(Rank to, Header const& header, Gather const& payload) {
  if (!network_.traits.packets_outlive_sender) return false;
  ++network_.moves_;
  network_.queues_[{index(me_), index(to)}].push_back({header, Buffer{payload}});
  return true;
}

std::size_t QueuePort::poll(PacketSink& sink) {
  std::size_t happened = 0;
  for (auto& [pair, queue] : network_.queues_) {
    if (pair.second != index(me_)) continue;
    while (!queue.empty()) {
      const Packet packet = std::move(queue.front());
      queue.pop_front();
      ++happened;
      sink.packet(packet.header, packet.payload.bytes());
    }
  }
  happened += land(sink);
  for (auto const& [rank, dead] : network_.dead_) {
    auto& reported = network_.reported_ends_[{index(me_), rank}];
    if (!dead || reported) continue;
    reported = true;
    ++happened;
    sink.gone(Rank{static_cast<std::int32_t>(rank)});
  }
  network_.moves_ += happened;
  return happened;
}

void QueuePort::wait(Deadline deadline) {
  if (!network_.running_.empty()) return network_.pass_turn(index(me_));
  auto const before = network_.moves_;
  for (std::size_t i = 0; i < network_.processes_.size(); ++i)
    if (i != index(me_) && !network_.dead_[i]) network_.processes_[i]->progress();
  if (network_.moves_ == before && deadline == never) throw Stuck{};
}

Remote QueuePort::expose(TransferId, Bytes bytes) {
  network_.exposed_[network_.next_exposure_].bytes = bytes;
  return {.where = network_.next_exposure_++};
}

bool QueuePort::copy_exposed(Remote const& remote) {
  auto& exposure = network_.exposed_.at(remote.where);
  exposure.copy = Buffer{Gather{exposure.bytes}};
  exposure.bytes = exposure.copy.bytes();
  exposure.copied = true;
  return true;
}

void QueuePort::unexpose(Remote const& remote) { network_.exposed_.erase(remote.where); }

Pulled QueuePort::pull(Rank from, Offer const& offer, Scatter const& to) {
  if (!network_.traits.remote_readable) return Pulled::cannot;
  auto const& exposure = network_.exposed_.at(offer.remote.where);
  if (!exposure.copied && network_.traits.pull_refused) return Pulled::cannot;
  if (!exposure.copied && ended(from)) return Pulled::gone;
  copy(exposure.bytes, to);
  return Pulled::done;
}

bool QueuePort::has_direct_transfer() const { return network_.traits.moves; }

Remote QueuePort::post_direct_receive(Envelope const& message, TransferId transfer,
                                      Scatter const& to) {
  if (to.empty()) return {};
  auto const number = network_.next_exposure_++;
  network_.direct_receives_[number] = {
      .at = index(me_), .from = message.source, .transfer = transfer, .room = to};
  return {.where = number};
}

void QueuePort::cancel_direct_receive(Rank, Remote const& target) {
  network_.direct_receives_.erase(target.where);
}

void QueuePort::start_direct_send(Rank to, Remote const& target, Bytes bytes) {
  ++network_.lent_;
  ++network_.moves_;
  auto const found = network_.direct_receives_.find(target.where);
  if (ended(to) || found == network_.direct_receives_.end()) return;
  copy(bytes, found->second.room);
  found->second.filled = true;
}

void QueuePort::finish_direct_send(Rank, Remote const&) { --network_.lent_; }

std::byte* QueuePort::board(std::uint64_t key, std::span<const Rank>) {
  auto const found = network_.boards_.find(key);
  if (found != network_.boards_.end()) return found->second->bytes.data();
  if (network_.boards_.size() >= network_.traits.boards) return nullptr;
  auto& board = network_.boards_[key];
  board = std::make_unique<Network::Board>();
  return board->bytes.data();
}

void QueuePort::leave_board(std::uint64_t key, std::size_t members) {
  if (++network_.boards_.at(key)->left == members) network_.boards_.erase(key);
}

std::shared_ptr<std::byte> QueuePort::common_memory(std::uint64_t key, std::size_t size) {
  if (index(me_) == network_.traits.without_common_memory) throw Error("no memory");
  if (!network_.traits.one_address_space) return nullptr;
  auto& common = network_.common_memory_[key];
  auto memory = common.lock();
  if (!memory) common = memory = private_memory(size);
  return memory;
}

void QueuePort::wake_members(std::span<const Rank>) {
  ++network_.moves_;
  ++network_.board_wakes_;
}

std::size_t QueuePort::land(PacketSink& sink) {
  std::vector<Network::DirectReceive> filled;
  std::erase_if(network_.direct_receives_, [&](auto const& one) {
    bool const here = one.second.filled && one.second.at == index(me_);
    if (here) filled.push_back(one.second);
    return here;
  });
  for (auto const& one : filled) sink.moved(one.from, one.transfer, true);
  network_.brought_ += filled.size();
  return filled.size();
}

bool QueuePort::ended(Rank rank) { return network_.dead_[index(rank)]; }

}  // namespace earl::test
