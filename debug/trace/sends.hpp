// SPDX-License-Identifier: BSD-3-Clause
/// The checks that a trace keeps of sent messages, and of a member's data in collectives, to find
/// the first one that differs.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "debug/trace/varint.hpp"
#include "generic/base/values.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::trace {

/// The content_hash() of up to 16 bytes: one wide multiplication, its halves folded.
inline std::uint64_t hash_of_few(Bytes bytes) {
  static_assert(std::endian::native == std::endian::little);
  auto const size = bytes.size();
  auto const* const first = bytes.data();
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (size >= sizeof low) {
    std::memcpy(&low, first, sizeof low);
    std::memcpy(&high, first + size - sizeof high, sizeof high);
  } else if (size >= sizeof(std::uint32_t)) {
    std::memcpy(&low, first, sizeof(std::uint32_t));
    std::memcpy(&high, first + size - sizeof(std::uint32_t), sizeof(std::uint32_t));
  } else if (size != 0) {
    low = std::to_integer<std::uint64_t>(first[0]) |
          std::to_integer<std::uint64_t>(first[size / 2]) << 8 |
          std::to_integer<std::uint64_t>(first[size - 1]) << 16;
  }
  // The odd bits of the golden ratio and of the root of 3: a word equal to one would hide the
  // other.
  __extension__ using Wide = unsigned __int128;
  auto const product =
      static_cast<Wide>(low ^ 0x9e37'79b9'7f4a'7c15ULL ^ size) * (high ^ 0xbb67'ae85'84ca'a73bULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Whether hash_of_few() is the content_hash().
inline bool is_few(Gather const& payload) { return payload.size() <= 16 && payload.contiguous(); }

/// The same for messages of any length.
[[gnu::noinline]] std::uint64_t hash_of_many(Gather const& payload, std::uint64_t turn);

/// Check of a message's bytes. Of a long message it covers a part, and another part of each: `turn`
/// is the number of the message. A lasting difference in long messages is found some messages
/// later.
inline std::uint64_t content_hash(Gather const& payload, std::uint64_t turn) {
  if (is_few(payload)) [[likely]]
    return hash_of_few(payload.only());
  return hash_of_many(payload, turn);
}

/// A message; or a collective, whose root is `dest` and whose number is `tag`.
struct Sent {
  std::uint64_t length = 0;
  std::int32_t dest = 0;
  std::int32_t tag = 0;
  std::uint16_t check = 0;  ///< the low bits of the content_hash()

  bool operator==(Sent const&) const = default;
  bool differs_in_contents_only(Sent then) const {
    then.check = check;
    return then == *this;
  }
};

/// Check of this member's data; `turn` counts collectives.
Sent sent_to(CollectiveOp const& op, std::uint64_t turn);

/// The messages of one record but for their contents, and which came after which: programs send the
/// same few in the same order again and again. Writer and reader keep the same.
class Shapes {
 public:
  static constexpr std::uint8_t most = 32;

  /// Whether `sent` is what comes next if the pattern continues; then it is taken in.
  bool take(Sent const& sent) {
    auto const next = all_[last_].next;
    Shape& shape = all_[next];
    auto const tag = moved(shape.tag, shape.step);
    if (sent.length != shape.length || sent.dest != shape.dest || sent.tag != tag) return false;
    shape.tag = tag;
    last_ = next;
    return true;
  }
  /// The message that take() would accept, and the last one; their checks are unknown.
  Sent expected() const {
    Shape const& shape = all_[all_[last_].next];
    return {.length = shape.length, .dest = shape.dest, .tag = moved(shape.tag, shape.step)};
  }
  Sent last() const {
    Shape const& shape = all_[last_];
    return {.length = shape.length, .dest = shape.dest, .tag = shape.tag};
  }
  /// The place of this very message among those of the record; `most`: it is new.
  std::uint8_t place_of(Sent const& sent) const;
  /// The same of one that may have another tag, the expected one before others.
  std::uint8_t place_but_for_tag(Sent const& sent) const;
  /// The one at a place comes next, with the tag that it had last, or with this tag.
  void go_to(std::uint8_t place) { go_to(place, all_[place].tag); }
  void go_to(std::uint8_t place, std::int32_t tag);
  /// A new one comes next.
  void add(Sent const& sent);
  std::uint8_t size() const { return size_; }
  void clear() { *this = {}; }

 private:
  struct Shape {
    std::uint64_t length = 0;
    std::int32_t dest = 0;
    std::int32_t tag = 0;
    std::int32_t step = 0;  ///< of the tag
    std::uint8_t next = 0;
  };
  /// In 32 bits on purpose: a tag that wraps still comes out right.
  static std::int32_t moved(std::int32_t tag, std::int32_t step) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(tag) +
                                     static_cast<std::uint32_t>(step));
  }

  std::array<Shape, most> all_{};
  std::uint8_t last_ = 0;
  std::uint8_t size_ = 0;
  std::uint8_t oldest_ = 0;
};

/// Collects the content of one `sends` or `contributions` record: rows of messages that follow one
/// that was not expected, each but for its check.
class Sends {
 public:
  void add(Sent const& sent) {
    if (!add_expected(sent)) add_in_new_row(sent);
  }
  /// False: it is not as expected, or there is no row for it, and nothing has happened.
  bool add_expected(Sent const& sent) {
    if (row_left_ == 0 || !shapes_.take(sent)) [[unlikely]]
      return false;
    put(sent.check);
    return true;
  }
  bool full() const { return row_left_ == 0 && size_ + longest > bytes_.size(); }
  bool empty() const { return size_ == 0; }
  /// Until the next add().
  std::string_view text() {
    end_row();
    return {reinterpret_cast<char const*>(bytes_.data()), size_};
  }
  void clear();

 private:
  static constexpr std::size_t most_in_row = 255;
  static constexpr std::size_t longest = 4 + 3 * longest_varint;

  void put(std::uint16_t check) {
    auto const at = size_;
    size_ = at + sizeof check;
    --row_left_;
    std::memcpy(bytes_.data() + at, &check, sizeof check);
  }
  void add_in_new_row(Sent const& sent);
  void end_row();

  Shapes shapes_{};
  std::uint32_t size_ = 0;
  std::uint32_t row_at_ = 0;    ///< where the messages of the last row begin; 0: there is none
  std::uint32_t row_left_ = 0;  ///< so many more messages have room in the last row
  /// Some 200 messages: so many are unknown when their process is killed.
  std::array<std::byte, 432> bytes_{};
};

/// Reads such a record.
class SendsReader {
 public:
  SendsReader() = default;
  explicit SendsReader(std::string text) : text_(std::move(text)) {}

  /// The next message. False: there is none, or the rest is damaged.
  bool next(Sent& sent) {
    if (row_left_ == 0 ? !begin_row() : !go_on()) return false;
    sent = shapes_.last();
    --row_left_;
    std::memcpy(&sent.check, text_.data() + at_, sizeof sent.check);
    at_ += sizeof sent.check;
    return true;
  }

 private:
  bool begin_row();
  bool go_on() { return shapes_.take(shapes_.expected()); }

  std::string text_{};
  std::size_t at_ = 0;
  std::size_t row_left_ = 0;
  Shapes shapes_{};
};

/// The messages of several records, one after the other.
class SendsAhead {
 public:
  void add(std::string text) { texts_.push_back(std::move(text)); }
  /// Null: no more is known.
  std::optional<Sent> take() {
    Sent sent;
    if (reader_.next(sent)) [[likely]]
      return sent;
    return take_of_next();
  }

 private:
  [[gnu::noinline]] std::optional<Sent> take_of_next();

  std::deque<std::string> texts_;
  SendsReader reader_;
};

}  // namespace earl::trace
