// SPDX-License-Identifier: BSD-3-Clause
/// The bits of handles that programs make: kind, generation, place. MPICH's predefined handles have
/// the same parts.
#pragma once

#include <cstdint>
#include <type_traits>

namespace earl::mpi {

enum class Kind : std::uint32_t {
  communicator = 1,
  group = 2,
  datatype = 3,
  errhandler = 5,
  operation = 6,
  info = 7,
  window = 8,
  keyval = 9,
  request = 11,
};

namespace handle {

constexpr unsigned kind_at = 26;
constexpr unsigned origin_at = 30;
constexpr unsigned generation_at = 20;
constexpr std::uint32_t most_objects = 1U << generation_at;
constexpr std::uint32_t most_generations = 1U << (kind_at - generation_at);

enum class Origin : std::uint32_t { null = 0, predefined = 1, made = 2 };

/// A handle's, or a keyval's.
template <class Value>
constexpr auto bits(Value value) {
  return static_cast<std::make_unsigned_t<Value>>(value);
}
template <class Value>
constexpr Value of(Origin origin, Kind kind, std::uint32_t rest) {
  return static_cast<Value>(static_cast<std::uint32_t>(origin) << origin_at |
                            static_cast<std::uint32_t>(kind) << kind_at | rest);
}
/// Whether origin and kind are those.
template <class Value>
constexpr bool is(Value value, Origin origin, Kind kind) {
  return bits(value) >> kind_at == bits(of<Value>(origin, kind, 0)) >> kind_at;
}
/// The number of its kind, or of none.
template <class Value>
constexpr std::uint32_t kind_bits(Value value) {
  constexpr std::uint32_t kinds = 1U << (origin_at - kind_at);
  return static_cast<std::uint32_t>(bits(value) >> kind_at) & (kinds - 1);
}

}  // namespace handle
}  // namespace earl::mpi
