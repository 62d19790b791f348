// SPDX-License-Identifier: BSD-3-Clause
// Small routines that the native library uses inside and exports by accident: numbers as they
// travel, names of codes and flags, addresses of daemons.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/pattern.hpp"

using namespace earl;

namespace {

struct NamedCode {
  char name[16];
  int code;
};

constexpr NamedCode codes[] = {
    {"PvmOk", PvmOk},
    {"PvmBadParam", PvmBadParam},
    {"PvmMismatch", PvmMismatch},
    {"PvmOverflow", PvmOverflow},
    {"PvmNoData", PvmNoData},
    {"PvmNoHost", PvmNoHost},
    {"PvmNoFile", PvmNoFile},
    {"PvmDenied", PvmDenied},
    {"PvmNoMem", PvmNoMem},
    {"PvmBadMsg", PvmBadMsg},
    {"PvmSysErr", PvmSysErr},
    {"PvmNoBuf", PvmNoBuf},
    {"PvmNoSuchBuf", PvmNoSuchBuf},
    {"PvmNullGroup", PvmNullGroup},
    {"PvmDupGroup", PvmDupGroup},
    {"PvmNoGroup", PvmNoGroup},
    {"PvmNotInGroup", PvmNotInGroup},
    {"PvmNoInst", PvmNoInst},
    {"PvmHostFail", PvmHostFail},
    {"PvmNoParent", PvmNoParent},
    {"PvmNotImpl", PvmNotImpl},
    {"PvmDSysErr", PvmDSysErr},
    {"PvmBadVersion", PvmBadVersion},
    {"PvmOutOfRes", PvmOutOfRes},
    {"PvmDupHost", PvmDupHost},
    {"PvmCantStart", PvmCantStart},
    {"PvmAlready", PvmAlready},
    {"PvmNoTask", PvmNoTask},
    {"PvmNotFound", PvmNotFound},
    {"PvmExists", PvmExists},
    {"PvmHostrNMstr", PvmHostrNMstr},
    {"PvmParentNotSet", PvmParentNotSet},
    {"PvmIPLoopback", PvmIPLoopback},
};

/// The bits of PvmDebugMask, from the lowest.
constexpr std::string_view debug_bits =
    "pkt,msg,tsk,slv,hst,sel,net,mpp,sch,app,wai,mem,sem,lck,rtg,mbx,";
constexpr std::size_t letters_per_bit = 4;

std::string names_of(unsigned mask) {
  std::string names;
  for (std::size_t bit = 0; bit < debug_bits.size() / letters_per_bit; ++bit)
    if (mask >> bit & 1) names += debug_bits.substr(bit * letters_per_bit, letters_per_bit);
  if (!names.empty()) names.pop_back();
  return names;
}

/// The number that a text starts with, in hexadecimal, 0x before it or not.
unsigned hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  unsigned number = 0;
  for (char const digit : text) {
    if (!std::isxdigit(static_cast<unsigned char>(digit))) break;
    auto const value = std::isdigit(digit) ? digit - '0' : std::tolower(digit) - 'a' + 10;
    number = number << 4 | static_cast<unsigned>(value);
  }
  return number;
}

template <class Number>
Number at(char const* place) {
  Number number{};
  std::memcpy(&number, place, sizeof number);
  return number;
}

template <class Number>
int put(char* place, Number number) {
  std::memcpy(place, &number, sizeof number);
  return 0;
}

constexpr std::uint32_t crc_polynomial = 0xedb88320;  // IEEE 802.3, the lowest bit first

std::uint32_t with_byte(std::uint32_t sum, unsigned char byte) {
  sum ^= byte;
  for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? crc_polynomial : 0);
  return sum;
}

}  // namespace

extern "C" {

// Numbers at any place, the highest byte first.
int pvmget8(char const* place) { return at<std::uint8_t>(place); }
int pvmget16(char const* place) { return ntohs(at<std::uint16_t>(place)); }
int pvmget32(char const* place) { return static_cast<int>(ntohl(at<std::uint32_t>(place))); }
int pvmput8(char* place, int number) { return put(place, static_cast<std::uint8_t>(number)); }
int pvmput16(char* place, int number) {
  return put(place, htons(static_cast<std::uint16_t>(number)));
}
int pvmput32(char* place, int number) {
  return put(place, htonl(static_cast<std::uint32_t>(number)));
}

int pvmxtoi(char const* number) { return number ? static_cast<int>(hexadecimal(number)) : 0; }

/// The checksum of data with sum `sum` followed by these bytes.
int pvmcrcappend(char const* bytes, int count, int sum) {
  auto now = static_cast<std::uint32_t>(sum);
  for (int i = 0; i < count; ++i) now = with_byte(now, static_cast<unsigned char>(bytes[i]));
  return static_cast<int>(now);
}

/// Whether the name matches the pattern.
int pvmmatchstring(char const* name, char const* pattern) {
  return name && pattern && pvm::fits(name, pattern);
}

/// The error code of that name; 0: there is none.
int errnamecode(char const* name) {
  auto const* const found = std::ranges::find_if(codes, [&](NamedCode const& one) {
    return std::string_view{one.name} == (name ? name : "");
  });
  return found == std::end(codes) ? 0 : found->code;
}

/// The names of the bits of a PvmDebugMask.
char* debug_flags(int mask) {
  return pvm::text_call("debug_flags",
                        [&](pvm::State&) { return names_of(static_cast<unsigned>(mask)); });
}

/// "7f000001:1234", as daemons exchange their addresses.
char* inadport_hex(sockaddr_in const* address) {
  return pvm::text_call("inadport_hex", [&](pvm::State&) {
    return fmt::format("{:08x}:{:04x}", ntohl(address->sin_addr.s_addr), ntohs(address->sin_port));
  });
}

/// "127.0.0.1:4660".
char* inadport_decimal(sockaddr_in const* address) {
  return pvm::text_call("inadport_decimal", [&](pvm::State&) {
    auto const host = ntohl(address->sin_addr.s_addr);
    return fmt::format("{}.{}.{}.{}:{}", host >> 24, host >> 16 & 0xff, host >> 8 & 0xff,
                       host & 0xff, ntohs(address->sin_port));
  });
}

/// inadport_hex() back into an address, whose family stays as it is.
void hex_inadport(char const* text, sockaddr_in* address) {
  const std::string_view all{text};
  auto const colon = all.find(':');
  auto const port = colon == all.npos ? 0U : hexadecimal(all.substr(colon + 1));
  address->sin_addr.s_addr = htonl(hexadecimal(all.substr(0, colon)));
  address->sin_port = htons(static_cast<std::uint16_t>(port));
}

}  // extern "C"
