// SPDX-License-Identifier: BSD-3-Clause
#include "backends/mpi/module.hpp"

#include <dlfcn.h>

#include "generic/system/installed_files.hpp"

namespace earl::mpi_backend {

namespace {

/// MPI's calls to itself must not meet a program or a front end that exports the same names. (Under
/// AddressSanitizer the loader's option would end the program.)
#ifdef EARL_SANITIZED
constexpr int first_in_itself = 0;
#else
constexpr int first_in_itself = RTLD_DEEPBIND;
#endif

}  // namespace

earl_library_calls const& load_module(std::string const& path) {
  return load_table<earl_library_calls>(path, "earl_library", earl_library_version,
                                        first_in_itself);
}

}  // namespace earl::mpi_backend
