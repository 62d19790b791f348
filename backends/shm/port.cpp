#include "backends/shm/port.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "generic/error.hpp"

namespace earl::shm {

namespace {

/// Packets taken from one ring before the next gets its turn.
constexpr std::size_t most_per_visit = 16;
/// Polls in a row that may look only where the last packet came from: others get their turn soon.
constexpr std::uint32_t most_shortcuts = 8;
/// Looks in vain at a ring before the sender hears how far it has been read,
constexpr std::uint32_t looks_before_publishing = 64;
/// and before the ring is not looked at any more until its sender says so.
constexpr std::uint32_t looks_before_retiring = 4096;

Rank checked(Rank me, Layout const& layout) {
  if (number(me) < 0 || index(me) >= layout.capacity)
    throw Error("process {} has no place in a job of at most {} processes", number(me),
                layout.capacity);
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
    : segment_(std::move(segment)),
      head_(segment_.head()),
      me_(checked(me, segment_.layout())),
      door_(segment_.door(me)),
      active_(segment_, segment_.layout().active_set(me)),
      key_(head_.key),
      peers_((segment_.layout().capacity + 63) / 64),
      waiter_(WaitPolicy::from(settings.wait, head_.cpus)),
      fences_(head_.one_sided != 0),
      arena_(segment_),
      exposures_(segment_, arena_) {
  // Where only ancestors may read a process's memory, this lets the others of the job.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  readable_ = settings.reading == Reading::if_allowed && may_read_memory();
  door_.pid.store(::getpid(), std::memory_order_relaxed);
}

Limits ShmPort::limits() const {
  return {.packet = largest_payload,
          .eager = largest_payload,
          .exposes = true,
          .keeps = true,
          .forks = true};
}

ShmPort::Peer& ShmPort::new_peer(Rank rank) {
  EARL_CHECK(number(rank) >= 0 && index(rank) < segment_.layout().capacity && rank != me_,
             "rank {} seen from rank {}", number(rank), number(me_));
  auto& group = peers_[index(rank) / 64];
  if (!group) group = std::make_unique<Peers>();
  Peer& peer = (*group)[index(rank) % 64];
  peer.active = RankSet{segment_, segment_.layout().active_set(rank)};
  peer.door = &segment_.door(rank);
  return peer;
}

void ShmPort::open_writer(Peer& peer, Rank to) {
  const Offset ring = arena_.take_ring();
  peer.out.open(segment_, ring);
  segment_.at<Shared<std::uint32_t>>(segment_.layout().directory_entry(to, me_))
      .store(static_cast<std::uint32_t>(ring / page), std::memory_order_release);
  // Before the first packet: whoever finds our death in the obituary must find our ring too.
  peer.active.add(me_);
}

bool ShmPort::find_ring(Peer& peer, Rank from) {
  const Offset entry = segment_.layout().directory_entry(me_, from);
  auto const pages = segment_.at<Shared<std::uint32_t>>(entry).load(std::memory_order_acquire);
  const Offset ring = Offset{pages} * page;
  if (pages == 0) return false;
  if (!segment_.taken(ring, ring_bytes) || ring % extent > extent - ring_bytes)
    throw Error("process {} names a ring at {:#x}, where there is none; its memory is damaged",
                number(from), ring);
  peer.in.open(segment_.at<Ring>(ring), key_, from);
  return true;
}

/// Flat: calls would cost a short packet more than all the rest.
[[gnu::flatten]] bool ShmPort::put(Rank to, Header const& header, Gather const& payload) {
  EARL_CHECK(payload.size() <= largest_payload, "a packet of {} bytes", payload.size());
  Peer& dest = peer(to);
  if (goes_nowhere(dest, header, to)) return true;
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
  if (goes_nowhere(dest, header, to)) return true;
  RingWriter& out = writer(dest, to);
  if (payload.size() > largest_payload || !out.put(header, payload))
    out.keep(segment_, arena_, header, payload);
  if (dest.full) no_longer_full(dest, to);
  announce(dest);
  return true;
}

/// A packet to somebody who has ended.
bool ShmPort::lose(Peer& dest, Rank to) {
  ++lost_;
  if (dest.full) no_longer_full(dest, to);
  mourn(dest, to);  // its death may have been heard of when nothing was known of it here
  return true;
}

void ShmPort::show_interest(Peer& peer, Rank in) {
  if (peer.interested) return;
  peer.interested = true;
  RankSet{segment_, segment_.layout().interest_set(in)}.add(me_);
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
      publish(*recent_);
    return 1;
  }
  return poll_all(sink);
}

std::size_t ShmPort::poll_all(PacketSink& sink) {
  shortcuts_ = 0;
  std::size_t happened = 0;
  active_.each([&](Rank from) {
    if (Peer& source = peer(from); open_reader(source, from)) happened += visit(source, from, sink);
  });
  const std::uint32_t knocks = door_.knocks.load(std::memory_order_acquire);
  if (knocks != knocks_) [[unlikely]] {
    knocks_ = knocks;
    ++happened;
    sink.knock();
  }
  if (head_.deaths.load(std::memory_order_relaxed) != deaths_ || !dying_.empty()) [[unlikely]]
    happened += hear_of_deaths(sink);
  return happened;
}

std::size_t ShmPort::visit(Peer& source, Rank from, PacketSink& sink) {
  const std::size_t taken = source.in.drain(segment_, sink, most_per_visit);
  if (source.in.much_unpublished()) publish(source);
  if (taken == 0) {
    visited_in_vain(source, from);
    return 0;
  }
  source.in.idle = 0;
  recent_ = &source;
  recent_rank_ = from;
  return taken;
}

void ShmPort::visited_in_vain(Peer& source, Rank from) {
  const std::uint32_t looks = ++source.in.idle;
  if (looks == looks_before_publishing && source.in.unpublished()) publish(source);
  if (looks >= looks_before_retiring) retire(source, from);
}

void ShmPort::retire(Peer& source, Rank from) {
  source.in.idle = 0;
  publish(source);
  active_.remove(from);
  if (!fences_.all() || source.in.ready()) active_.add(from);
}

void ShmPort::publish(Peer& source) {
  if (source.in.publish()) wake_if_asleep(*source.door);
}

void ShmPort::publish_all() {
  active_.each([&](Rank from) {
    if (Peer& source = peer(from); source.in.open() && source.in.unpublished()) publish(source);
  });
}

std::size_t ShmPort::hear_of_deaths(PacketSink& sink) {
  const std::uint32_t deaths = head_.deaths.load(std::memory_order_acquire);
  const std::uint32_t capacity = segment_.layout().capacity;
  for (; deaths_ != deaths && deaths_ < capacity; ++deaths_) {
    auto const entry = segment_.layout().obituary_entry(deaths_);
    const Rank rank{segment_.at<Shared<std::int32_t>>(entry).load(std::memory_order_relaxed)};
    if (index(rank) < capacity && rank != me_ && knows(rank)) mourn(peer(rank), rank);
  }
  std::size_t happened = 0;
  for (std::size_t i = 0; i < dying_.size();) {
    const Rank rank = dying_[i];
    if (says_more(rank, sink)) {
      ++happened, ++i;
      continue;
    }
    dying_.erase(dying_.begin() + static_cast<std::ptrdiff_t>(i));
    ++happened;
    sink.gone(rank);
  }
  return happened;
}

void ShmPort::mourn(Peer& peer, Rank rank) {
  if (!std::exchange(peer.mourned, true)) dying_.push_back(rank);
}

/// Whether anything has ever gone to or come from there.
bool ShmPort::knows(Rank rank) {
  auto const& group = peers_[index(rank) / 64];
  if (group) {
    Peer const& known = (*group)[index(rank) % 64];
    if (known.in.open() || known.out.open()) return true;
  }
  return active_.has(rank);
}

bool ShmPort::says_more(Rank rank, PacketSink& sink) {
  Peer& source = peer(rank);
  if (!open_reader(source, rank)) return false;
  source.in.drain(segment_, sink, most_per_visit);
  return source.in.ready();
}

Remote ShmPort::expose(TransferId, Bytes bytes) {
  const Remote remote = exposures_.expose(bytes);
  // Where this process may not read, the receiver hardly may either: spare it the question.
  if (!readable_) exposures_.settle(remote);
  return remote;
}

Pulled ShmPort::pull(Rank from, Offer const& offer, Scatter const& to) {
  return shm::pull(segment_, from, offer, to, readable_);
}

bool ShmPort::ended(Rank rank) {
  return number(rank) >= 0 && index(rank) < segment_.layout().capacity &&
         has_ended(segment_.door(rank));
}

}  // namespace earl::shm
