// SPDX-License-Identifier: BSD-3-Clause
/// Macros by which own_malloc.cpp and own_new.cpp replace functions of the C library and the C++
/// runtime in the one library or command that they are linked into. Hidden, so that these do not
/// replace the program's, and a library that replaces the program's does not replace these.
#pragma once

/// Under the linker's name: the headers declare these functions to be visible.
#define EARL_OWN(name, result, symbol, ...)                                                       \
  extern "C" [[gnu::visibility("hidden"), gnu::used]] result own_##name(__VA_ARGS__) asm(symbol); \
  extern "C" result own_##name(__VA_ARGS__)
