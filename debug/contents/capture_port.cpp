// SPDX-License-Identifier: BSD-3-Clause
#include "debug/contents/capture_port.hpp"

#include <chrono>
#include <cstring>

#include "debug/contents/table.hpp"

namespace earl::contents {

namespace {

/// Before each piece.
struct Piece {
  Header header{};
  std::uint64_t total = 0;
  std::uint64_t at = 0;
};

/// The time that leave() sleeps when there is no room.
constexpr auto pause = std::chrono::milliseconds{10};

}  // namespace

CapturePort::CapturePort(std::unique_ptr<Port> inner, std::string const& path, Rank rank,
                         IdTable const& table)
    : inner_(std::move(inner)),
      file_(path),
      rank_(rank),
      table_(table),
      piece_(inner_->limits().packet - sizeof(Piece)) {
  note_table();
}

Limits CapturePort::limits() const {
  Limits limits = inner_->limits();
  limits.packet = limits.eager = longest_packet;
  limits.remote_readable = limits.packets_outlive_sender = limits.multicasts = limits.streams =
      limits.forks = false;
  return limits;
}

bool CapturePort::put_piece(Rank to, Header const& header, Gather const& payload, std::size_t at) {
  auto const size = std::min(piece_, payload.size() - at);
  const Piece piece{.header = header, .total = payload.size(), .at = at};
  Buffer whole(sizeof piece + size);
  std::memcpy(whole.data(), static_cast<void const*>(&piece), sizeof piece);
  copy(payload, whole.room().subspan(sizeof piece), at);
  Header outer;
  outer.kind = static_cast<std::uint8_t>(Kind::data);
  outer.source = number(rank_);
  outer.length = whole.size() & 0xffff'ffff'ffff;
  return inner_->put(to, outer, Gather{whole.bytes()});
}

bool CapturePort::put(Rank to, Header const& header, Gather const& payload) {
  if (!flush(to) || !put_piece(to, header, payload, 0)) return false;
  if (header.packet_kind() == Kind::offer) {
    Offer offer;
    copy(payload, MutableBytes{reinterpret_cast<std::byte*>(&offer), sizeof offer});
    own_offers_[{to, offer.transfer}] = offers_++;
  }
  if (payload.size() > piece_) {
    leaving_[to] = {.header = header, .bytes = Buffer{payload}, .at = piece_};
    flush(to);
  }
  return true;
}

/// False: some of an earlier packet is still here.
bool CapturePort::flush(Rank to) {
  auto const found = leaving_.find(to);
  if (found == leaving_.end()) return true;
  auto& parted = found->second;
  for (; parted.at < parted.bytes.size(); parted.at += piece_)
    if (!put_piece(to, parted.header, Gather{parted.bytes.bytes()}, parted.at)) return false;
  leaving_.erase(found);
  return true;
}

bool CapturePort::flush_all() {
  bool all = true;
  for (auto one = leaving_.begin(); one != leaving_.end();) all = flush((one++)->first) && all;
  return all;
}

std::size_t CapturePort::poll(PacketSink& sink) {
  sink_ = &sink;
  flush_all();
  return inner_->poll(*this);
}

void CapturePort::wait(Deadline deadline) {
  note_table();
  flush_all();
  inner_->wait(deadline);
}

void CapturePort::leave() {
  note_table();
  DiscardingSink nothing;
  while (!flush_all()) {
    sink_ = &nothing;
    inner_->poll(*this);
    inner_->wait(inner_->now() + pause);
  }
  inner_->leave();
}

void CapturePort::packet(Header const& outer, Bytes payload) {
  Piece piece;
  if (payload.size() < sizeof piece) return;
  std::memcpy(static_cast<void*>(&piece), payload.data(), sizeof piece);
  auto const bytes = payload.subspan(sizeof piece);
  if (bytes.size() == piece.total) return deliver(piece.header, bytes);
  auto& parted = coming_[Rank{outer.source}];
  if (piece.at == 0) parted = {.header = piece.header, .bytes = Buffer(piece.total)};
  copy(bytes, parted.bytes.room().subspan(piece.at));
  parted.at = piece.at + bytes.size();
  if (parted.at < piece.total) return;
  auto const whole = std::move(parted);
  coming_.erase(Rank{outer.source});
  deliver(whole.header, whole.bytes.bytes());
}

void CapturePort::deliver(Header const& header, Bytes payload) {
  if (table_.count() != ranks_) note_table();
  write(header, payload);
  sink_->packet(header, payload);
}

void CapturePort::write(Header const& header, Bytes payload) {
  const Rank source{header.source};
  switch (header.packet_kind()) {
    case Kind::eager:
      return file_.put(Part::packet, bytes_of(header), Gather{payload});
    case Kind::offer: {
      Offer offer;
      copy(payload, MutableBytes{reinterpret_cast<std::byte*>(&offer), sizeof offer});
      file_.put(Part::offer, bytes_of(header), Gather{payload});
      offered_[{source, offer.transfer}] = {
          .number = offers_here_++, .header = header, .bytes = Buffer(header.length)};
      return;
    }
    case Kind::data:
      return write_piece(source, payload);
    case Kind::done:
      return write_done(source, header, payload);
    default:
      return;
  }
}

void CapturePort::write_piece(Rank source, Bytes payload) {
  Fragment fragment;
  copy(payload, MutableBytes{reinterpret_cast<std::byte*>(&fragment), sizeof fragment});
  auto const offered = offered_.find({source, fragment.transfer});
  if (offered == offered_.end()) return;
  auto& parted = offered->second;
  auto const bytes = payload.subspan(sizeof fragment);
  copy(bytes, parted.bytes.room().subspan(fragment.offset));
  parted.at += bytes.size();
  if (parted.at < parted.bytes.size()) return;
  file_.put(Part::body, bytes_of(parted.number), Gather{parted.bytes.bytes()});
  offered_.erase(offered);
}

void CapturePort::write_done(Rank source, Header const& header, Bytes payload) {
  TransferId transfer{};
  copy(payload, MutableBytes{reinterpret_cast<std::byte*>(&transfer), sizeof transfer});
  auto const own = own_offers_.find({source, transfer});
  if (own == own_offers_.end()) return;
  file_.put(Part::done, bytes_of(own->second), Gather{bytes_of(header)});
  own_offers_.erase(own);
}

void CapturePort::note_table() {
  ranks_ = table_.count();
  auto table = bytes_of_table(table_);
  if (table == last_table_) return;
  last_table_ = std::move(table);
  file_.put(Part::table, std::as_bytes(std::span{last_table_}));
}

void CapturePort::moved(Rank from, TransferId transfer, bool ok) {
  sink_->moved(from, transfer, ok);
}
void CapturePort::gone(Rank rank) { sink_->gone(rank); }
void CapturePort::on_control_ready() { sink_->on_control_ready(); }

}  // namespace earl::contents
