// SPDX-License-Identifier: BSD-3-Clause
/// The header of every packet: 40 bytes, so that an 8-byte message and its header share one cache
/// line with a back end's commit word.
#pragma once

#include "generic/base/values.hpp"

namespace earl {

enum class Kind : std::uint8_t {
  none = 0,
  eager,      ///< a whole message; payload: the bytes
  offer,      ///< a long message waits at the sender; payload: Offer
  accept,     ///< the receiver wants an offer's bytes sent; payload: Accept (direct_transfer.hpp)
  data,       ///< a piece of an accepted offer; payload: Fragment, then bytes
  done,       ///< the receiver has all of an offer; mode: its own; payload: TransferId
  recall,     ///< the sender wants an offer back; payload: TransferId
  recalled,   ///< nothing had matched the offer and it is forgotten; payload: TransferId
  credit,     ///< the eager messages that receives have taken to date; payload: MessageCount
  piggyback,  ///< a debugger's word about the message that follows; payload: Piggyback
};
inline constexpr Kind last_kind = Kind::piggyback;

/// Version of the packet layout; processes of another version are refused when they register.
inline constexpr std::uint32_t packet_version = 5;

struct Header {
  std::uint64_t kind : 8 = 0;
  std::uint64_t mode : 4 = 0;
  std::uint64_t encoding : 4 = 0;
  std::uint64_t length : 48 = 0;  ///< of the whole message, bytes
  std::int32_t source = 0;
  std::int32_t tag = 0;
  std::uint64_t context = 0;
  std::uint32_t word = 0;
  std::uint32_t sequence = 0;  ///< low 32 bits of MessageId::sequence
  std::uint64_t spare = 0;     ///< for back ends: shared memory keeps a checksum here

  Kind packet_kind() const { return static_cast<Kind>(kind); }
};
static_assert(sizeof(Header) == 40);

struct Piggyback {
  std::uint64_t sequence = 0;  ///< MessageId::sequence of the message
  std::uint64_t word = 0;
};

inline Envelope envelope_of(Header const& header, Rank dest) {
  return {.source = Rank{header.source},
          .dest = dest,
          .context = Context{header.context},
          .tag = Tag{header.tag},
          .length = header.length,
          .mode = static_cast<Mode>(header.mode),
          .encoding = static_cast<Encoding>(header.encoding),
          .word = header.word};
}

inline Header header_of(Kind kind, Envelope const& envelope) {
  Header header;
  header.kind = static_cast<std::uint8_t>(kind);
  header.mode = static_cast<std::uint8_t>(envelope.mode) & 0xf;
  header.encoding = static_cast<std::uint8_t>(envelope.encoding) & 0xf;
  header.length = envelope.length & 0xffff'ffff'ffff;
  header.source = number(envelope.source);
  header.tag = number(envelope.tag);
  header.context = static_cast<std::uint64_t>(envelope.context);
  header.word = envelope.word;
  return header;
}

}  // namespace earl
