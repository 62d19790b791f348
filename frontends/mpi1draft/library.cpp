// SPDX-License-Identifier: BSD-3-Clause
/// Loading the library makes the process a member of its job: the draft has no call for that.
#include <dlfcn.h>
#include <unistd.h>

#include <string>

#include "exec/runtime/boot.hpp"

namespace {

constexpr int refused = 88;

/// MPI-1 has routines of the same Fortran names and other arguments: which of the two a call
/// reaches would depend on the order of the libraries. A back end that uses MPI hides it from this
/// search.
void refuse_mpi() {
  void* const other = ::dlsym(RTLD_DEFAULT, "MPI_Init");
  if (!other) return;
  Dl_info where{};
  ::dladdr(other, &where);
  std::string const line =
      "mpi1draft: this program is linked with the MPI1 draft of 1993 (libmpi1draft) and with MPI "
      "(" +
      std::string(where.dli_fname ? where.dli_fname : "of unknown place") +
      "); routines of both have the same names: link one of them\n";
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(refused);
}

[[gnu::constructor]] void join_job() {
  refuse_mpi();
  earl::boot::load("mpi1draft");
}

}  // namespace
