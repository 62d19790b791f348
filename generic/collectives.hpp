/// Who takes part in a collective, and how elements are combined. Written once over point to
/// point; front ends never write their own.
#pragma once

#include <span>

#include "generic/bytes.hpp"
#include "generic/values.hpp"

namespace earl {

/// The members in the order all of them agree on. `context` separates groups; it must be of
/// Space::collective.
struct Group {
  std::span<const Rank> members{};
  std::size_t me = 0;  ///< position of the caller
  Context context = context_of(Space::collective, 0);

  std::size_t size() const { return members.size(); }
};

/// into = into (op) from, for `bytes` bytes of elements.
struct Combine {
  void (*function)(void* with, std::byte* into, std::byte const* from, std::size_t bytes) = nullptr;
  void* with = nullptr;

  void operator()(Room into, Bytes from) const {
    function(with, into.data(), from.data(), into.size());
  }
};

}  // namespace earl
