/// For programs that have MPI_main() instead of main(), as with the draft's test implementation. A
/// program's own main() is found before this one.
#include "exec/boot.hpp"

extern "C" [[gnu::weak]] int MPI_main(int argc, char** argv);

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wpedantic"

extern "C" int main(int argc, char** argv) {
  if (MPI_main) return MPI_main(argc, argv);
  earl::boot::process()->end(
      2,
      "this program has neither main() nor MPI_main(): nothing to run (on fibers it needs "
      "main())");
}
