#include "backends/myrinet/checksum.hpp"

#include <array>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace earl::myrinet {

namespace {

constexpr std::uint8_t polynomial8 = 0x07;
constexpr std::uint32_t polynomial32 = 0x82f6'3b78;  // of CRC-32C, lowest bit first

constexpr std::uint8_t shifted8(unsigned value) {
  for (int bit = 0; bit < 8; ++bit) value = value & 0x80 ? value << 1 ^ polynomial8 : value << 1;
  return static_cast<std::uint8_t>(value);
}

constexpr std::uint32_t shifted32(std::uint32_t value) {
  for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ polynomial32 : value >> 1;
  return value;
}

constexpr std::size_t stride = 16;

/// Row k: what a byte has become when k more bytes have followed it.
constexpr auto table8 = [] {
  std::array<std::array<std::uint8_t, 256>, stride> table{};
  for (unsigned byte = 0; byte < 256; ++byte) table[0][byte] = shifted8(byte);
  for (std::size_t row = 1; row < stride; ++row)
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[row][byte] = table[0][table[row - 1][byte]];
  return table;
}();

constexpr auto table32 = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) table[byte] = shifted32(byte);
  return table;
}();

/// x^(8n) comes round after so many n, because the polynomial is (x + 1) times one of degree 7.
constexpr std::size_t period = 127;

constexpr auto powers = [] {
  std::array<std::uint8_t, period> all{1};
  for (std::size_t n = 1; n < period; ++n) all[n] = shifted8(all[n - 1]);
  return all;
}();
static_assert(shifted8(powers[period - 1]) == 1);

constexpr std::uint8_t product(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int bit = 7; bit >= 0; --bit) {
    sum = sum & 0x80 ? sum << 1 ^ polynomial8 : sum << 1;
    if (b >> bit & 1) sum ^= a;
  }
  return static_cast<std::uint8_t>(sum);
}

std::uint32_t add_plainly(std::uint32_t state, Bytes bytes) {
  for (std::byte const byte : bytes)
    state = table32[(state ^ std::to_integer<std::uint32_t>(byte)) & 0xff] ^ state >> 8;
  return state;
}

#ifdef __x86_64__
[[gnu::target("sse4.2")]] std::uint32_t add_by_instruction(std::uint32_t state, Bytes bytes) {
  std::uint64_t wide = state;
  while (bytes.size() >= sizeof wide) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = _mm_crc32_u64(wide, word);
    bytes = bytes.subspan(sizeof word);
  }
  state = static_cast<std::uint32_t>(wide);
  for (std::byte const byte : bytes)
    state = _mm_crc32_u8(state, std::to_integer<std::uint8_t>(byte));
  return state;
}

bool const has_instruction = __builtin_cpu_supports("sse4.2") != 0;
#endif

}  // namespace

std::uint8_t Crc8::table(unsigned index) { return table8[0][index & 0xff]; }

void Crc8::add(Bytes bytes) {
  while (bytes.size() >= stride) {
    auto const at = [&](std::size_t i) { return std::to_integer<std::uint8_t>(bytes[i]); };
    unsigned sum = table8[stride - 1][at(0) ^ value_];
    for (std::size_t i = 1; i < stride; ++i) sum ^= table8[stride - 1 - i][at(i)];
    value_ = static_cast<std::uint8_t>(sum);
    bytes = bytes.subspan(stride);
  }
  for (std::byte const byte : bytes) add(byte);
}

std::uint8_t Crc8::without_first(std::uint8_t sum, std::byte first, std::size_t behind) {
  std::uint8_t const alone = table8[0][std::to_integer<std::uint8_t>(first)];
  return sum ^ product(alone, powers[behind % period]);
}

void Crc32::add(Bytes bytes) {
#ifdef __x86_64__
  if (has_instruction) {
    state_ = add_by_instruction(state_, bytes);
    return;
  }
#endif
  state_ = add_plainly(state_, bytes);
}

}  // namespace earl::myrinet
