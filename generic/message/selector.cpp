// SPDX-License-Identifier: BSD-3-Clause
#include "generic/message/selector.hpp"

#include <fmt/format.h>

namespace earl {

namespace {

/// Never 0, so that "no list" and "a list" differ.
template <class T>
std::uint32_t hash_of(std::span<const T> values) {
  std::uint32_t hash = 2'166'136'261U;  // FNV-1a
  for (auto const byte : std::as_bytes(values))
    hash = (hash ^ std::to_integer<std::uint32_t>(byte)) * 16'777'619U;
  return hash == 0 ? 1 : hash;
}

std::string tag_text(Selector const& selector) {
  switch (selector.kind) {
    case TagMatch::Kind::exact:
      return fmt::format("tag {}", selector.low);
    case TagMatch::Kind::any:
      return "any tag";
    case TagMatch::Kind::list:
      return fmt::format("one of {} tags", selector.low);
    case TagMatch::Kind::range:
      return fmt::format("tags {} to {}", selector.low, selector.high);
    case TagMatch::Kind::mask:
      return selector.bits == 0x7fff'ffff ? "any type"
                                          : fmt::format("type mask {:#x}", selector.bits);
  }
  return "unknown tags";
}

std::string source_text(Selector const& selector) {
  if (selector.sources != 0) return "some sources";
  if (selector.source == number(any_rank)) return "any source";
  if (selector.source == number(exec_rank)) return "EXEC";
  if (selector.source == number(no_rank)) return "a source that does not exist";
  return fmt::format("source {}", selector.source);
}

}  // namespace

void add_lists(Selector& selector, MatchSpec const& spec) {
  if (!spec.sources.empty()) selector.sources = hash_of(spec.sources);
  if (spec.tag.kind != TagMatch::Kind::list) return;
  selector.low = static_cast<std::int32_t>(spec.tag.tags.size());
  selector.bits = hash_of(spec.tag.tags);
}

std::string number_text(std::int32_t number, std::string_view context) {
  return number == no_number ? std::string{} : fmt::format(" ({} of {})", number, context);
}

std::string to_text(Selector const& selector, std::string_view context, std::int32_t number) {
  auto text = source_text(selector) + number_text(number, context) + ", " + tag_text(selector);
  if (selector.any_context) return text + ", any context";
  if (number != no_number) return text;
  if (!context.empty())
    text += fmt::format(", {}", context);
  else if (selector.context != static_cast<std::uint64_t>(common_context))
    text += fmt::format(", context {:x}", selector.context);
  return text;
}

}  // namespace earl
