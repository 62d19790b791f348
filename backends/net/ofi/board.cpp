// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/ofi/board.hpp"

#include <algorithm>
#include <cstring>

#include "generic/base/error.hpp"
#include "generic/base/hex.hpp"

namespace earl::net::ofi {

namespace {

/// Removes and returns the text before the next gap.
std::string_view next_word(std::string_view& text) {
  auto const word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

/// Throws Error when it does not fit with a zero behind it.
template <std::size_t size>
void copy(char (&to)[size], std::string_view from, std::string_view name) {
  if (from.size() >= size) throw Error("libfabric: {} of {} bytes is too long", name, from.size());
  std::memcpy(to, from.data(), from.size());
}

}  // namespace

void Board::name_host(std::string_view name, std::string_view address) {
  copy(head().host, name, "a host's name");
  copy(head().address, address, "a host's address");
}

/// On another host than EXEC's a process may look for `rank` before: it must not find the address
/// of the one before.
bool Board::begin(Rank rank) {
  auto& mine = row(rank);
  mine.known.store(0);
  bool const wanted = JobBoard::begin(rank);
  mine.size = 0;
  std::memset(mine.host, 0, sizeof mine.host);
  std::memset(mine.provider, 0, sizeof mine.provider);
  std::memset(mine.address, 0, sizeof mine.address);
  return wanted;
}

void Board::publish(Rank rank, Place const& place) {
  auto& to = row(rank);
  if (to.known.load() != 0) return;
  copy(to.host, place.host, "a host's name");
  copy(to.provider, place.provider, "a provider's name");
  copy(to.address, place.address, "an address");
  to.size = static_cast<std::uint32_t>(place.address.size());
  to.known.store(1, std::memory_order_release);
}

std::string Board::address_text(Rank rank) {
  auto const& from = row(rank);
  if (from.known.load(std::memory_order_acquire) == 0) return {};
  std::string_view const address{from.address, from.size};
  return fmt::format("{} {} {}", from.host, from.provider,
                     to_hex(std::as_bytes(std::span{address})));
}

void Board::add_address(Rank rank, std::string_view text) {
  auto rest = text;
  auto const host = next_word(rest);
  auto const provider = next_word(rest);
  std::string address(rest.size() / 2, '\0');
  if (address.empty() || !from_hex(rest, std::as_writable_bytes(std::span{address})))
    throw Error("\"{}\" is no address of libfabric", text);
  publish(rank, {.host = host, .provider = provider, .address = address});
}

std::string Board::describe(Rank rank) {
  auto const& from = row(rank);
  bool const far = is_of(rank) && from.known.load(std::memory_order_acquire) != 0 && *from.host;
  return fmt::format("process {}{}{}", number(rank), far ? " on host " : "", far ? from.host : "");
}

}  // namespace earl::net::ofi
