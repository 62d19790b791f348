/// The machine's row: jobs as backends/library has them, on the MPI library that was chosen.
#include <cstdlib>

#include "backends/library/job.hpp"
#include "backends/mpi/library.hpp"
#include "backends/mpi/module.hpp"
#include "generic/parts.hpp"

namespace earl {

namespace mpi_machine {
namespace {

/// Where MPICH's launcher has written the number of the descriptor that it hands down.
constexpr char const* handed = "PMI_FD";

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  auto const& mpi = choose_library();
  return library_machine::prepare({.machine = "MPI",
                                   .title = mpi.title,
                                   .launcher = mpi.launcher,
                                   .path = find_command(mpi.launcher),
                                   .options = mpi.options,
                                   .rank = mpi.rank,
                                   .handed = handed,
                                   .folder = mpi.folder,
                                   .settings = mpi.settings,
                                   .told = {fmt::format("{}={}", library_variable, mpi.word)}},
                                  facts);
}

earl_library_calls const& load() {
  char const* const word = std::getenv(library_variable);
  return load_module(find_module(library_named(word ? word : "")));
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  return library_machine::join({.handed = handed, .load = load}, descriptors, rank);
}

std::vector<NativeLibrary> describe_all() {
  std::vector<NativeLibrary> all;
  for (auto const& library : libraries()) all.push_back(description(library, look_for(library)));
  return all;
}

}  // namespace
}  // namespace mpi_machine

extern Backend const mpi_back_end;
Backend const mpi_back_end{
    .name = "mpi",
    .summary = "processes of one machine, through MPICH or Open MPI",
    .prepare = mpi_machine::prepare,
    .join = mpi_machine::join,
    .libraries = mpi_machine::describe_all,
};

}  // namespace earl
