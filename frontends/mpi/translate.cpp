// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/translate.hpp"

namespace earl::mpi {

void refuse_rank(Communicator const& comm, int rank, char const* argument) {
  throw MpiError(ErrorClass::rank, "{} is {}: {} has ranks 0 to {}", argument, rank, comm.to_text(),
                 comm.peers().size() - 1);
}

void refuse_tag(int tag, char const* argument, bool may_be_any) {
  throw MpiError(ErrorClass::tag, "{} is {}: pass 0 to {}{}", argument, tag, highest_tag,
                 may_be_any ? ", or MPI_ANY_TAG" : "");
}

std::uint64_t bytes_in(MPI_Status const& status) {
  constexpr unsigned low_bits = 32;
  auto const high = static_cast<std::uint32_t>(high_word(status)) >> 1;
  return std::uint64_t{high} << low_bits | static_cast<std::uint32_t>(low_word(status));
}

bool cancelled_in(MPI_Status const& status) { return (high_word(status) & 1) != 0; }

}  // namespace earl::mpi
