// SPDX-License-Identifier: BSD-3-Clause
/// The properties of a program file and the libraries it needs, read without running it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exec/runtime/side.hpp"
#include "generic/base/bytes.hpp"

namespace earl::exec {

enum class FileKind {
  other,
  archive,  ///< a static library
  object,   ///< a compiled file that is not linked
  script,   ///< begins with #!
  elf,      ///< for this architecture
  foreign,  ///< an ELF file for another instruction set or word size
};

struct FileFacts {
  FileKind kind = FileKind::other;
  std::uint16_t machine = 0;  ///< e_machine of an ELF file
  int bits = 0;               ///< its word size, 32 or 64
  bool position_independent = false;
  bool dynamic = false;             ///< has a dynamic section
  Side side = Side::either;         ///< it was linked for
  bool interpreted = false;         ///< names a dynamic loader: a program, or runnable like one
  std::vector<std::string> needed;  ///< DT_NEEDED, in order
  std::string search;               ///< DT_RUNPATH or DT_RPATH, as written
  bool search_first = false;        ///< it is DT_RPATH: looked in before LD_LIBRARY_PATH
};

/// "64-bit x86-64", for sentences; of `bits` 0 "damaged or cut".
std::string architecture_text(std::uint16_t machine, int bits);
/// The same of the architecture that this program itself was compiled for.
std::string own_architecture_text();

/// The MPI library that a program was linked with, as in "MPICH (libmpich.so.12)"; empty: none that
/// is known.
std::string mpi_library_of(FileFacts const& facts);

/// From a file's bytes; damaged tables count as empty, never as an error.
FileFacts facts_of(Bytes file);
/// From a file. Throws Error when it cannot be read.
FileFacts facts_of_file(std::string const& path);

}  // namespace earl::exec
