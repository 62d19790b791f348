// SPDX-License-Identifier: BSD-3-Clause
/// Every conversion between MPI's words and the core's that needs no state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "frontends/mpi/abi.hpp"
#include "frontends/mpi/communicators.hpp"
#include "frontends/mpi/errors.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::mpi {

constexpr int code_of(ErrorClass error_class) { return static_cast<int>(error_class); }

// --- ranks and tags. `argument` names the parameter in sentences.

inline constexpr int highest_tag = 0x3fff'ffff;

[[noreturn]] void refuse_rank(Communicator const& comm, int rank, char const* argument);
[[noreturn]] void refuse_tag(int tag, char const* argument, bool may_be_any);

inline Tag tag_of(int tag, char const* argument = "tag") {
  if (tag < 0 || tag > highest_tag) [[unlikely]]
    refuse_tag(tag, argument, false);
  return Tag{tag};
}
/// Any tag, too.
inline Tag tag_or_any(int tag, char const* argument = "tag") {
  if (tag == MPI_ANY_TAG) return any_tag;
  if (tag < 0 || tag > highest_tag) [[unlikely]]
    refuse_tag(tag, argument, true);
  return Tag{tag};
}

// --- the word of an envelope: who sends, as the communicator numbers it, and what

constexpr unsigned signature_bits = 12;
/// `signature`: what the message consists of, for comparisons; 0: unknown.
constexpr std::uint32_t word_of(std::uint32_t upper, std::uint32_t signature) {
  return upper << signature_bits | signature;
}
/// The sender's number, or (TypeChecks) its call's.
constexpr std::uint32_t upper_in(std::uint32_t word) { return word >> signature_bits; }
constexpr std::uint32_t signature_in(std::uint32_t word) {
  return word & ((1U << signature_bits) - 1);
}

// --- statuses

/// The contents of a status.
struct Outcome {
  int source = MPI_ANY_SOURCE;
  int tag = MPI_ANY_TAG;
  std::uint64_t bytes = 0;
  bool cancelled = false;
};
/// The outcome of a receive from MPI_PROC_NULL.
inline constexpr Outcome from_proc_null{.source = MPI_PROC_NULL};

/// Does nothing for MPI_STATUS_IGNORE. MPI_ERROR stays as it is.
inline void write(MPI_Status* status, Outcome const& outcome) {
  if (status == MPI_STATUS_IGNORE) return;
  constexpr unsigned low_bits = 32;
  low_word(*status) = static_cast<int>(static_cast<std::uint32_t>(outcome.bytes));
  high_word(*status) = static_cast<int>(static_cast<std::uint32_t>(outcome.bytes >> low_bits) << 1 |
                                        (outcome.cancelled ? 1U : 0U));
  status->MPI_SOURCE = outcome.source;
  status->MPI_TAG = outcome.tag;
}
std::uint64_t bytes_in(MPI_Status const& status);
bool cancelled_in(MPI_Status const& status);

/// Class ARG when an argument that must be given is null.
inline void check_given(void const* pointer, char const* argument) {
  if (!pointer) [[unlikely]]
    throw MpiError(ErrorClass::arg, "{} is a null pointer: pass a variable for the result",
                   argument);
}
template <class T>
T& require(T* pointer, char const* argument) {
  check_given(pointer, argument);
  return *pointer;
}

/// Class ARG: nothing at all is given, not even MPI_STATUS_IGNORE, which is no address of a status.
inline void check_status(MPI_Status const* status) {
  if constexpr (!null_status_is_ignored) check_given(status, "status");
}
inline void check_statuses([[maybe_unused]] int count, MPI_Status const* statuses) {
  if constexpr (!null_status_is_ignored)
    if (count > 0) check_given(statuses, "array_of_statuses");
}

/// An array of the program's. `error_class` when its length is negative; class ARG when it is null.
template <class T>
std::span<T> checked_array(int n, T* array, char const* argument,
                           ErrorClass error_class = ErrorClass::arg) {
  if (n < 0) [[unlikely]]
    throw MpiError(error_class, "the length of {} is {}: pass 0 or more", argument, n);
  if (n > 0) check_given(array, argument);
  return {array, static_cast<std::size_t>(n)};
}

}  // namespace earl::mpi
