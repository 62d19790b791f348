// SPDX-License-Identifier: BSD-3-Clause
/// Events as bytes and back; docs/events.md specifies the format. Both directions keep the last
/// values, so that an event that repeats them costs nothing; they start anew with each frame.
#pragma once

#include <unordered_map>

#include "debug/events/event.hpp"
#include "debug/trace/varint.hpp"

namespace earl::events {

/// The longest text and list in an event; more is cut off.
inline constexpr std::size_t most_text = 4096;
inline constexpr std::size_t most_listed = 2000;
/// Bytes that any event without texts and lists fits in.
inline constexpr std::size_t most_fixed = 128;
std::size_t bound(Event const& event);

/// The next event that both sides expect.
class Expected {
 public:
  std::uint64_t call = 0;
  std::uint64_t post = 0;     ///< posted last
  std::uint64_t context = 0;  ///< of the last send
  std::int64_t time = 0;      ///< of the last call
  std::uint64_t& sent_to(std::int32_t peer) { return sent_[peer]; }
  std::uint64_t& got_from(std::int32_t peer) { return got_[peer]; }

 private:
  std::unordered_map<std::int32_t, std::uint64_t> sent_;
  std::unordered_map<std::int32_t, std::uint64_t> got_;
};

class Encoder {
 public:
  void reset() { expected_ = {}; }
  /// Writes one event at `to`, where bound() bytes are free; gives its length.
  std::size_t put(Event const& event, std::byte* to);

 private:
  void put_definition(Event const& event, trace::Put& to);
  void put_message(Event const& event, trace::Put& to);
  void put_other(Event const& event, trace::Put& to);
  Expected expected_;
};

class Decoder {
 public:
  void reset() { expected_ = {}; }
  /// Reads one event. False: the bytes hold no whole event; `from` is then used up.
  bool get(trace::Get& from, Event& event);

 private:
  bool get_definition(trace::Get& from, Event& event);
  void get_message(trace::Get& from, Event& event, unsigned flags);
  void get_other(trace::Get& from, Event& event, unsigned flags);
  Expected expected_;
};

}  // namespace earl::events
