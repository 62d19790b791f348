// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "generic/collectives/collectives.hpp"

namespace earl {

namespace {

constexpr std::array kinds{"nothing",  "a barrier",     "a broadcast",   "a reduction",
                           "a gather", "a scatter",     "an all-to-all", "a scan",
                           "a prefix", "an all-reduce", "an all-gather", "a reduce-scatter"};
constexpr std::array reductions{"",
                                "sum",
                                "product",
                                "maximum",
                                "minimum",
                                "bitwise and",
                                "bitwise or",
                                "bitwise exclusive or",
                                "logical and",
                                "logical or",
                                "logical exclusive or",
                                "maximum and place",
                                "minimum and place"};
constexpr std::array elements{"elements",
                              "bytes",
                              "2-byte integers",
                              "4-byte integers",
                              "8-byte integers",
                              "4-byte reals",
                              "8-byte reals",
                              "8-byte complex numbers",
                              "16-byte complex numbers",
                              "2-byte unsigned integers",
                              "4-byte unsigned integers",
                              "8-byte unsigned integers",
                              "16-byte reals",
                              "pairs"};

template <std::size_t size>
char const* name_in(std::array<char const*, size> const& names, std::size_t number) {
  return number < size ? names[number] : "something unknown";
}

// The word, from its lowest bit: root, element, reduction, kind.
constexpr unsigned element_at = 16;
constexpr unsigned reduction_at = 22;
constexpr unsigned kind_at = 28;
constexpr std::uint32_t six_bits = 0x3f;

/// 0: not known.
template <class Named>
bool alike(Named mine, Named theirs) {
  return mine == theirs || mine == Named{} || theirs == Named{};
}

bool has_root(Collective kind) {
  return kind == Collective::broadcast || kind == Collective::reduce ||
         kind == Collective::gather || kind == Collective::scatter;
}

}  // namespace

std::uint32_t CollectiveCall::word() const {
  return static_cast<std::uint32_t>(std::min(root, most_root)) |
         static_cast<std::uint32_t>(element) << element_at |
         static_cast<std::uint32_t>(reduction) << reduction_at |
         static_cast<std::uint32_t>(kind) << kind_at;
}

CollectiveCall CollectiveCall::from(std::uint32_t word) {
  return {.kind = static_cast<Collective>(word >> kind_at),
          .root = word & most_root,
          .reduction = static_cast<Reduction>(word >> reduction_at & six_bits),
          .element = static_cast<ElementType>(word >> element_at & six_bits)};
}

bool CollectiveCall::fits(CollectiveCall const& other) const {
  return kind == other.kind && std::min(root, most_root) == std::min(other.root, most_root) &&
         alike(reduction, other.reduction) && alike(element, other.element);
}

std::string CollectiveCall::to_text() const {
  std::string text = name_in(kinds, static_cast<std::size_t>(kind));
  if (reduction != Reduction::unspecified || element != ElementType::unspecified)
    text += fmt::format(" ({}{}{})", name_in(reductions, static_cast<std::size_t>(reduction)),
                        reduction != Reduction::unspecified ? " of " : "",
                        name_in(elements, static_cast<std::size_t>(element)));
  if (has_root(kind)) text += fmt::format(", root {}", root);
  return text;
}

}  // namespace earl
