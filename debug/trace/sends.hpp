// SPDX-License-Identifier: BSD-3-Clause
/// The checks that a trace keeps of sent messages, and of a member's data in collectives, to find
/// the first one that differs.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>

#include "debug/trace/varint.hpp"
#include "generic/base/values.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::trace {

/// Check of a message's bytes. Of a long message it covers a part, and another part of each: `turn`
/// is the number of the message. A lasting difference in long messages is found some messages
/// later.
std::uint64_t content_hash(Gather const& payload, std::uint64_t turn);

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

/// Collects the content of one `sends` or `contributions` record.
class Sends {
 public:
  void add(Sent const& sent) {
    Put to(bytes_.data() + size_);
    to.byte(sent.check & 0xffU);
    to.byte(sent.check >> 8);
    to.number(sent.length);
    to.signed_number(sent.dest);
    to.signed_number(sent.tag);
    size_ += to.size();
  }
  bool full() const { return size_ + longest > bytes_.size(); }
  bool empty() const { return size_ == 0; }
  std::string_view text() const { return {reinterpret_cast<char const*>(bytes_.data()), size_}; }
  void clear() { size_ = 0; }

 private:
  static constexpr std::size_t longest = 2 + 3 * longest_varint;
  std::array<std::byte, 1024> bytes_{};
  std::size_t size_ = 0;
};

/// Appends those of one record.
void read_sends(std::string_view text, std::deque<Sent>& to);

}  // namespace earl::trace
