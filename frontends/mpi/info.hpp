// SPDX-License-Identifier: BSD-3-Clause
/// Info objects: keys with values, in the order in which the keys were first set.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontends/mpi/handles.hpp"

namespace earl::mpi {

using Info = std::vector<std::pair<std::string, std::string>>;
struct Infos final : Table<Info, Kind::info> {
  Info environment{};  ///< MPI_INFO_ENV: no keys
};

class State;

/// Null: it is MPI_INFO_NULL. Class INFO.
Info const* info_or_null(State& me, Handle info, char const* argument = "info");

}  // namespace earl::mpi
