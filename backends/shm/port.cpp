// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/port.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "generic/base/error.hpp"

namespace earl::shm {

namespace {

/// Packets taken from one ring before the next gets its turn.
constexpr std::size_t most_per_visit = 16;
/// Polls in a row that may look only where the last packet came from: others get their turn soon.
constexpr std::uint32_t most_shortcuts = 8;
/// Failed polls of a ring before the sender is informed how far it has been read,
constexpr std::uint32_t polls_before_publishing = 64;
/// and before the ring is not looked at any more until its sender says so.
constexpr std::uint32_t polls_before_retiring = 4096;

/// Its door is its own already.
Rank checked(Rank me, Segment& segment) {
  if (number(me) < 0 || has_ended(segment, me))
    throw Error("process {} has no place in a job of at most {} processes; install Earl again",
                number(me), segment.layout().capacity);
  return me;
}

}  // namespace

PortSettings PortSettings::from_environment() {
  PortSettings settings{.wait = WaitSettings::from_environment()};
  if (char const* const text = std::getenv("EARL_SHM_CMA")) {
    const std::string_view word = text;
    if (word != "0" && word != "1") throw Error("EARL_SHM_CMA is \"{}\"; it can be 0 or 1", word);
    if (word == "0") settings.reading = Reading::off;
  }
  return settings;
}

ShmPort::ShmPort(Segment segment, Rank me, PortSettings const& settings)
    : ShmBoards(segment_, fences_, waiter_, me),
      segment_(std::move(segment)),
      head_(segment_.head()),
      me_(checked(me, segment_)),
      my_slot_(segment_.layout().rank_in(segment_.layout().slot(me), 0)),
      door_(segment_.door(me)),
      active_(segment_, segment_.layout().active_set(me)),
      contacts_(segment_, segment_.layout().contact_set(me)),
      peers_(segment_.layout()),
      notices_(door_.control_notices, head_.deaths, segment_.layout().capacity),
      waiter_(WaitPolicy::from(settings.wait, head_.cpus), AwakeEntry{head_.awake, door_.awake_on}),
      fences_(head_.one_sided != 0),
      arena_(segment_),
      exposures_(segment_, arena_) {
  // Where only ancestors may read a process's memory, this lets the others of the job.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  receiver_ = {.rank = me_,
               .readable = settings.reading == Reading::if_allowed && may_read_memory(),
               .writable = may_be_written_to()};
  segment_.belong_to(me_);
  no_door_.state = state_word(0, ProcessState::ended);
  absent_.door = &no_door_;
}

Limits ShmPort::limits() const {
  return {.packet = largest_payload,
          .eager = largest_payload,
          .remote_readable = true,
          .packets_outlive_sender = true,
          .forks = true,
          .streams = true};
}

Peer& ShmPort::new_peer(Rank rank) {
  EARL_CHECK(number(rank) >= 0 && rank != me_, "rank {} seen from rank {}", number(rank),
             number(me_));
  auto const& layout = segment_.layout();
  auto const slot = layout.slot(rank);
  Door& door = segment_.door(rank);
  auto const incarnation = layout.incarnation(rank);
  bool const there = door.state.load(std::memory_order_acquire) >> 2 == incarnation;
  if (!there || slot == index(my_slot_)) {
    checks_.check_end(rank);
    return absent_;
  }
  Peer& peer = peers_.make(slot);
  if (peer.rank != no_rank) {
    // Sent to when its slot was about to be free, and its end had not been observed here.
    drain_ended_peer(peer, peer.rank);
    close_peer(peer);
  }
  peer.rank = rank;
  peer.incarnation = incarnation;
  peer.active = RankSet{segment_, layout.active_set(rank)};
  peer.door = &door;
  return peer;
}

/// No more packets come from there, and none go there. After the final notice EXEC may give the
/// slot and the rest of its process's memory to others.
void ShmPort::close_peer(Peer& peer) {
  auto const& layout = segment_.layout();
  if (recent_ == &peer) recent_ = nullptr, recent_rank_ = no_rank;
  if (peer.full) no_longer_full(peer, peer.rank);
  active_.remove(layout.rank_in(layout.slot(peer.rank), 0));
  auto const clear = [&](Offset entry, std::uint32_t ring) {
    segment_.at<Shared<std::uint32_t>>(entry).compare_exchange_strong(ring, 0,
                                                                      std::memory_order_acq_rel);
  };
  auto const from = layout.directory_entry(me_, peer.rank);
  auto const to = layout.directory_entry(peer.rank, me_);
  auto const in_page = peer.in.open() ? peer.in_page : 0;
  auto const out_page =
      peer.out.open() ? static_cast<std::uint32_t>(peer.out.at() / page) : std::uint32_t{0};
  if (peer.out.open()) peer.out.close(arena_);
  peer = {};
  if (out_page != 0) clear(to, out_page);
  if (in_page != 0) clear(from, in_page);
}

void ShmPort::open_writer(Peer& peer, Rank to) {
  auto const& layout = segment_.layout();
  const Offset ring = arena_.take_ring();
  segment_.at<Ring>(ring).source = number(me_);
  segment_.at<Ring>(ring).dest = number(to);
  peer.out.open(segment_, ring);
  contacts_.add(layout.rank_in(layout.slot(to), 0));
  RankSet{segment_, layout.contact_set(to)}.add(my_slot_);
  segment_.at<Shared<std::uint32_t>>(layout.directory_entry(to, me_))
      .store(static_cast<std::uint32_t>(ring / page), std::memory_order_release);
  peer.active.add(my_slot_);
}

Peer* ShmPort::find_ring(Rank slot) {
  const Offset entry = segment_.layout().directory_entry(me_, slot);
  auto const pages = segment_.at<Shared<std::uint32_t>>(entry).load(std::memory_order_acquire);
  const Offset at = Offset{pages} * page;
  if (pages == 0) return nullptr;
  if (!segment_.taken(at, ring_bytes) || at % extent > extent - ring_bytes)
    segment_.damaged("a ring to process {} has the invalid offset {:#x}", number(me_), at);
  Ring& ring = segment_.at<Ring>(at);
  const Rank from{ring.source};
  // Made for one that had this slot before, or by one that has lost its own meanwhile.
  if (ring.dest != number(me_) || number(from) < 0 || from == me_ ||
      segment_.layout().slot(from) != index(slot)) {
    checks_.check_foreign(ring, slot, pages);
    return nullptr;
  }
  Peer& source = peer(from);
  if (&source == &absent_) return nullptr;
  source.in_page = pages;
  source.in.open(segment_, ring, from);
  return &source;
}

/// It said that it has a ring to here and has none: it is not looked at until it says so again.
void ShmPort::no_sender_in(Rank slot) {
  active_.remove(slot);
  if (!fences_.all() || find_ring(slot)) active_.add(slot);
}

/// Flat: calls would cost a short packet more than all the rest.
[[gnu::flatten]] bool ShmPort::put(Rank to, Header const& header, Gather const& payload) {
  EARL_CHECK(payload.size() <= largest_payload, "a packet of {} bytes", payload.size());
  Peer& dest = peer(to);
  if (drop_if_receiver_ended(dest, header, to)) return true;
  if (!writer(dest, to).put(header, payload)) [[unlikely]] {
    wait_for_room(dest, to);
    return false;
  }
  if (dest.full) [[unlikely]]
    no_longer_full(dest, to);
  announce(dest);
  return true;
}

bool ShmPort::keep(Rank to, Header const& header, Gather const& payload) {
  Peer& dest = peer(to);
  if (drop_if_receiver_ended(dest, header, to)) return true;
  RingWriter& out = writer(dest, to);
  if (payload.size() > largest_payload || !out.put(header, payload))
    out.keep(segment_, arena_, header, payload);
  if (dest.full) no_longer_full(dest, to);
  announce(dest);
  return true;
}

/// A packet to a process that has ended.
bool ShmPort::drop_packet(Peer& dest, Rank to) {
  checks_.check_end(to);
  ++lost_;
  if (dest.full) no_longer_full(dest, to);
  drain_ended_peer(dest, to);  // its end may have been observed before its first packet
  return true;
}

void ShmPort::show_interest(Peer& peer, Rank in) {
  if (peer.interested) return;
  peer.interested = true;
  RankSet{segment_, segment_.layout().interest_set(in)}.add(my_slot_);
}

void ShmPort::wait_for_room(Peer& dest, Rank to) {
  show_interest(dest, to);
  if (dest.full) return;
  dest.full = true;
  waiting_.push_back(to);
}

void ShmPort::no_longer_full(Peer& dest, Rank to) {
  dest.full = false;
  std::erase(waiting_, to);
}

std::size_t ShmPort::poll(PacketSink& sink) {
  if (recent_ && ++shortcuts_ < most_shortcuts && recent_->in.take_one(sink)) {
    recent_->in.idle = 0;
    if (recent_->in.much_unpublished()) [[unlikely]]
      recent_->publish();
    return 1;
  }
  return poll_all(sink);
}

std::size_t ShmPort::poll_all(PacketSink& sink) {
  shortcuts_ = 0;
  std::size_t happened = 0;
  active_.each([&](Rank slot) {
    if (Peer* const source = sender_in(slot)) [[likely]]
      happened += visit(*source, sink);
    else
      no_sender_in(slot);
  });
  if (notices_.take_control_notice()) [[unlikely]] {
    ++happened;
    check_own();
    sink.on_control_ready();
  }
  if (notices_.has_deaths() || !dying_.empty()) [[unlikely]]
    happened += observe_deaths(sink);
  return happened;
}

std::size_t ShmPort::visit(Peer& source, PacketSink& sink) {
  const std::size_t taken = source.in.drain(sink, most_per_visit);
  if (source.in.much_unpublished()) source.publish();
  if (taken == 0) {
    record_empty_visit(source);
    return 0;
  }
  source.in.idle = 0;
  recent_ = &source;
  recent_rank_ = source.rank;
  return taken;
}

void ShmPort::record_empty_visit(Peer& source) {
  const std::uint32_t looks = ++source.in.idle;
  if (looks == polls_before_publishing && source.in.unpublished()) source.publish();
  if (looks >= polls_before_retiring) retire(source);
}

void ShmPort::retire(Peer& source) {
  auto const slot = segment_.layout().rank_in(segment_.layout().slot(source.rank), 0);
  source.in.idle = 0;
  source.publish();
  active_.remove(slot);
  if (!fences_.all() || source.in.ready()) active_.add(slot);
}

void ShmPort::publish_all() {
  active_.each([&](Rank slot) {
    if (index(slot) >= segment_.layout().capacity) checks_.refuse_sender_set();
    Peer* const source = peers_.in_slot(index(slot));
    if (source && source->in.open() && source->in.unpublished()) source->publish();
  });
}

void ShmPort::check_own() {
  checks_.check_own_door();
  exposures_.check();
  peers_.each([this](Peer& peer) {
    if (peer.ended()) return;
    checks_.check_peer(peer);
    if (peer.out.open() && peer.out.unread()) announce(peer);
  });
}

std::size_t ShmPort::observe_deaths(PacketSink& sink) {
  // A death is an event even if nothing has been exchanged with the process.
  std::size_t happened = notices_.has_deaths() ? 1 : 0;
  notices_.read_deaths(
      segment_,
      [this](Rank rank) {
        if (number(rank) < 0 || !has_ended(segment_, rank))
          segment_.damaged("the list of processes that have ended has an entry that is wrong");
        observe_death(rank);
      },
      [this] { observe_all_deaths(); });
  for (std::size_t i = 0; i < dying_.size();) {
    const Rank rank = dying_[i];
    ++happened;
    Peer* const source = peers_.known(rank);
    if (source && source->in.open()) {
      source->in.drain(sink, most_per_visit);
      if (source->in.ready()) {
        ++i;
        continue;
      }
    }
    dying_.erase(dying_.begin() + static_cast<std::ptrdiff_t>(i));
    if (source && source->in.open()) source->in.check_end();
    sink.gone(rank);
    if (Peer* const peer = peers_.known(rank)) close_peer(*peer);
  }
  return happened;
}

/// Only of those that something has gone to or come from.
void ShmPort::observe_death(Rank rank) {
  if (rank == me_) return;
  auto const slot = segment_.layout().rank_in(segment_.layout().slot(rank), 0);
  if (!contacts_.has(slot)) return;
  sender_in(slot);  // it may have sent unseen packets
  if (Peer* const peer = peers_.known(rank); peer && (peer->in.open() || peer->out.open()))
    drain_ended_peer(*peer, rank);
}

/// Too many to have been notified of each.
void ShmPort::observe_all_deaths() {
  active_.each([this](Rank slot) { sender_in(slot); });
  peers_.each([this](Peer& peer) {
    if (peer.ended()) drain_ended_peer(peer, peer.rank);
  });
}

void ShmPort::drain_ended_peer(Peer& peer, Rank rank) {
  bool const known = &peer == &absent_ ? std::ranges::find(dying_, rank) != dying_.end()
                                       : std::exchange(peer.end_noticed, true);
  if (!known) dying_.push_back(rank);
}

Remote ShmPort::expose(TransferId, Bytes bytes) {
  const Remote remote = exposures_.expose(bytes);
  // Where this process may not read, the receiver hardly may either: spare it the question.
  if (!receiver_.readable) exposures_.copy_exposed(remote);
  return remote;
}

Pulled ShmPort::pull(Rank from, Offer const& offer, Scatter const& to) {
  return shm::pull(segment_, from, offer, to, receiver_);
}

void ShmPort::leave() {
  peers_.each([](Peer& peer) {
    if (peer.out.open()) peer.out.finish();
  });
}

bool ShmPort::ended(Rank rank) {
  if (number(rank) < 0 || !has_ended(segment_, rank)) return false;
  checks_.check_end(rank);
  return true;
}

}  // namespace earl::shm
