// SPDX-License-Identifier: BSD-3-Clause
// A program in C++ that begins its application with whichever integer it has for argc.
// usage: initve -sz 3 rest
#include <nx.h>

#include <cstdio>
#include <cstring>

namespace {

/// Compiles: a null pointer is no other integer's.
[[maybe_unused]] long without_arguments() {
  static char none[] = "";
  return nx_initve(none, 2, none, nullptr, nullptr) + nx_initve(none, 2, none, 0, nullptr) +
         nx_initve_rect(none, 0, 2, 3, none, nullptr, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  static char none[] = "";
  long count = argc;
  long const nodes = nx_initve(none, 0, none, &count, argv);
  bool const good =
      nodes == 3 && count == 2 && std::strcmp(argv[1], "rest") == 0 && argv[2] == nullptr;
  std::printf("%ld nodes, %ld arguments\n", nodes, count);
  return good ? 0 : 1;
}
