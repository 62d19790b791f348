#include "backends/myrinet/ofi/board.hpp"

#include <cstring>

#include "generic/error.hpp"

namespace earl::myrinet::ofi {

namespace {

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// Ends at the first letter that is no digit.
std::string from_hex(std::string_view words) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    auto const high = digit(words[i]);
    auto const low = digit(words[i + 1]);
    if (high < 0 || low < 0) break;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

}  // namespace

void Board::tell(Rank rank, std::string_view provider, std::string_view address) {
  auto& to = row(rank);
  if (to.known.load() != 0) return;
  if (provider.size() >= sizeof to.provider || address.size() > sizeof to.address)
    throw Error("an address of libfabric's provider {} has {} bytes: that is too long", provider,
                address.size());
  std::memcpy(to.provider, provider.data(), provider.size());
  std::memcpy(to.address, address.data(), address.size());
  to.size = static_cast<std::uint32_t>(address.size());
  to.known.store(1, std::memory_order_release);
}

std::string Board::words_of(Rank rank) {
  auto const& from = row(rank);
  if (from.known.load(std::memory_order_acquire) == 0) return {};
  std::string words = from.provider;
  words += ' ';
  for (auto const byte : std::string_view{from.address, from.size})
    words += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return words;
}

void Board::learn(Rank rank, std::string_view words) {
  auto const gap = words.find(' ');
  auto const address = gap < words.size() ? from_hex(words.substr(gap + 1)) : std::string{};
  if (address.empty() || 2 * address.size() != words.size() - gap - 1)
    throw Error("\"{}\" is no address of libfabric", words);
  tell(rank, words.substr(0, gap), address);
}

}  // namespace earl::myrinet::ofi
