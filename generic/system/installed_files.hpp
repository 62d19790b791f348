// SPDX-License-Identifier: BSD-3-Clause
/// The files that a back end needs besides libearl.so: commands of the system, and files of Earl's
/// own that only processes on it load or start.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "generic/base/error.hpp"

namespace earl {

/// The path of the command `name`, from PATH or at last /usr/bin; empty: it is not there.
std::string find_command(std::string_view name);

/// The path of the file `name` that is made in `folder` of the tree and installed beside
/// libearl.so; empty: this Earl was built without it. Throws Error when the loader does not know
/// where libearl.so is.
std::string find_part(std::string_view folder, std::string_view name);

/// Loads the module at `path`, for good, with dlopen()'s `flags`, and returns its symbol `symbol`.
/// Null: it has none. Throws Error with the loader's reason.
void const* load_part(std::string const& path, char const* symbol, int flags);

/// The same for a table of functions that begins with its version. Throws Error also when the
/// module is another version's.
template <class Table>
Table const& load_table(std::string const& path, char const* symbol, int version, int flags) {
  auto const* const table = static_cast<Table const*>(load_part(path, symbol, flags));
  if (!table || table->version != version)
    throw Error("{} is of another version of Earl; take all from one installation", path);
  return *table;
}

/// In a child just forked by `parent`, before it becomes a command of the system's: it ends with
/// its parent, gets signals as programs do, and loads its own libraries, not a front end's that
/// bear the same names.
void prepare_for_command(pid_t parent);

}  // namespace earl
