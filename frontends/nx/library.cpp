// SPDX-License-Identifier: BSD-3-Clause
/// Loading the library makes the process a member of its job: NX programs have no call for that. A
/// Paragon program that is a whole application starts its nodes here.
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "exec/runtime/boot.hpp"
#include "frontends/nx/application.hpp"
#include "frontends/nx/errors.hpp"
#include "generic/base/id_table.hpp"

namespace earl::nx {

namespace {

/// The value of -sz, else of NX_DFLT_SIZE; null: a job of one.
std::optional<Shape> wanted_shape(std::optional<Shape> said) {
  char const* text = std::getenv("NX_DFLT_SIZE");
  if (!said && text && *text) said = shape_of(text);
  if (said && said->rows == 1 && said->columns == 0) return std::nullopt;
  if (said && (said->rows < 1 || said->columns < 1 ||
               std::int64_t{said->rows} * said->columns > std::int64_t{most_ranks}))
    throw NxError(EQPARAM, "an application cannot have {} x {} nodes: 1 to {} in all are possible",
                  said->rows, said->columns, most_ranks);
  return said;
}

/// The arguments are those of main(), which must not see the system's switches.
void start_nodes(int argc, char** argv) {
  if (argc < 1 || !boot::linked_as_application()) return;
  std::vector<char*> arguments(argv, argv + argc + 1);
  std::int32_t count = argc;
  auto const said = take_switches(count, arguments.data());
  arguments.resize(static_cast<std::size_t>(count) + 1);
  auto const shape = boot::has_job() ? std::nullopt : wanted_shape(said);
  if (!shape && count == argc) return;
  if (!shape) boot::restart(arguments, 0);
  if (shape->rows > 1)
    ::setenv(shape_variable, fmt::format("{}x{}", shape->rows, shape->columns).c_str(), 1);
  boot::restart(arguments, static_cast<std::uint32_t>(shape->rows * shape->columns));
}

[[gnu::constructor]] void join_job(int argc, char** argv) {
  try {
    start_nodes(argc, argv);
  } catch (Error const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
    ::_exit(1);
  }
  boot::load("nx",
             "a host loads its nodes before it waits for them, and `earl run -n N` starts N nodes");
}

}  // namespace

}  // namespace earl::nx
