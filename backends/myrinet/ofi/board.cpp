#include "backends/myrinet/ofi/board.hpp"

#include <algorithm>
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

/// Cuts off what is in front of the next gap.
std::string_view next_word(std::string_view& words) {
  auto const word = words.substr(0, words.find(' '));
  words.remove_prefix(std::min(words.size(), word.size() + 1));
  return word;
}

/// Throws Error when it does not fit with a zero behind it.
template <std::size_t size>
void copy(char (&to)[size], std::string_view from, std::string_view what) {
  if (from.size() >= size) throw Error("libfabric: {} of {} bytes is too long", what, from.size());
  std::memcpy(to, from.data(), from.size());
}

}  // namespace

void Board::name_host(std::string_view name, std::string_view address) {
  copy(head().host, name, "a host's name");
  copy(head().address, address, "a host's address");
}

void Board::tell(Rank rank, Place const& place) {
  auto& to = row(rank);
  if (to.known.load() != 0) return;
  copy(to.host, place.host, "a host's name");
  copy(to.provider, place.provider, "a provider's name");
  copy(to.address, place.address, "an address");
  to.size = static_cast<std::uint32_t>(place.address.size());
  to.known.store(1, std::memory_order_release);
}

std::string Board::words_of(Rank rank) {
  auto const& from = row(rank);
  if (from.known.load(std::memory_order_acquire) == 0) return {};
  auto words = fmt::format("{} {} ", from.host, from.provider);
  for (auto const byte : std::string_view{from.address, from.size})
    words += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return words;
}

void Board::learn(Rank rank, std::string_view words) {
  auto rest = words;
  auto const host = next_word(rest);
  auto const provider = next_word(rest);
  auto const address = from_hex(rest);
  if (address.empty() || 2 * address.size() != rest.size())
    throw Error("\"{}\" is no address of libfabric", words);
  tell(rank, {.host = host, .provider = provider, .address = address});
}

std::string Board::describe(Rank rank) {
  auto const& from = row(rank);
  bool const far = from.known.load(std::memory_order_acquire) != 0 && *from.host;
  return fmt::format("process {}{}{}", number(rank), far ? " on host " : "", far ? from.host : "");
}

}  // namespace earl::myrinet::ofi
