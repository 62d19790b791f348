// SPDX-License-Identifier: BSD-3-Clause
/// For programs that have MPI_main() instead of main(), as with the draft's test implementation. A
/// program's own main() is found before this one.
#include "exec/runtime/boot.hpp"
#include "generic/seams/shared_process.hpp"

extern "C" [[gnu::weak]] int MPI_main(int argc, char** argv);

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wpedantic"

extern "C" int main(int argc, char** argv) {
  auto* start = MPI_main;
  // One library serves many programs there.
  if (auto const* const shared_process = earl::boot::shared_process())
    start = reinterpret_cast<decltype(start)>(shared_process->function("MPI_main"));
  if (start) return start(argc, argv);
  earl::boot::process()->end(2, "this program has neither main() nor MPI_main(): nothing to run");
}
