// SPDX-License-Identifier: BSD-3-Clause
/// Outcomes as bytes and back. Both directions keep the same predictions, so that repetitions cost
/// nothing: a wildcard receive that follows its predecessor's pattern is one byte, its source. The
/// predictions start anew with each frame.
#pragma once

#include <utility>
#include <vector>

#include "debug/trace/predictions.hpp"
#include "debug/trace/varint.hpp"

namespace earl::trace {

/// Most positions in one `tested` record; longer lists are cut into several.
inline constexpr std::size_t most_positions = 1000;
/// Longest text in one record; the rest is cut off.
inline constexpr std::size_t most_text = 4096;
/// No record is longer.
inline constexpr std::size_t most_record_bytes = 256 + 5 * most_positions + 2 * most_text;

class Encoder {
 public:
  void reset() { expected_.reset(); }
  /// Writes one record at `to`, where most_record_bytes are free; gives its length.
  std::size_t put(Outcome const& outcome, std::byte* to);
  /// A receive whose record is one byte, its source. False: it is not, and nothing has happened.
  bool take_expected(Received const& received) { return expected_.take(received); }
  /// The same for one of any source; false may be wrong.
  bool take_expected(std::uint32_t site, std::uint64_t event, Receipt const& receipt) {
    return expected_.take(site, event, receipt);
  }

 private:
  void put_long(Outcome const& outcome, Put& to) const;
  void put_asked(Outcome const& outcome, Put& to) const;
  Predictions expected_;
};

class Decoder {
 public:
  void reset() { expected_.reset(); }
  /// Reads one record. False: the bytes hold no whole record; `from` is then used up.
  bool get(Get& from, Outcome& outcome);
  /// Reads the record of a receive that is as expected. False: it is another one, and nothing has
  /// happened. There are bytes.
  bool get(Get& from, Received& received) {
    if (!expected_.take_short(from.next_byte(), received)) return false;
    from.byte();
    return true;
  }

 private:
  void get_short(unsigned source, Outcome& outcome) const;
  bool get_long(OutcomeKind what, Get& from, Outcome& outcome) const;
  bool get_asked(Get& from, Outcome& outcome) const;
  Predictions expected_;
};

/// Calls sink(Received const&) or sink(Outcome&&) for each whole record of `bytes`, which begin a
/// frame. False: there is a part of one behind them.
template <class Sink>
bool decode_each(Bytes bytes, Sink&& sink) {
  Decoder decoder;
  Received received;
  Outcome outcome;
  for (Get from(bytes); !from.at_end();) {
    if (decoder.get(from, received))
      sink(std::as_const(received));
    else if (decoder.get(from, outcome))
      sink(std::move(outcome));
    else
      return false;
  }
  return true;
}

/// All whole records of `bytes`, which begin a frame. A partial last record is dropped; `whole`,
/// when given, says whether there was none.
std::vector<Outcome> decode(Bytes bytes, bool* whole = nullptr);

}  // namespace earl::trace
