// SPDX-License-Identifier: BSD-3-Clause
/// The forms of a call that says where in the file, which are the same whether it waits or not.
#pragma once

#include "frontends/nx/call.hpp"
#include "frontends/nx/files/transfer.hpp"

/// `name` has a buffer and `listed` a list of pieces. They call the templates `does`_at and, with a
/// Fortran unit, `does`_of_unit_at in earl::nx.
#define EARL_NX_PLACED(name, listed, does, direction)                                              \
  EARL_NX_ENTRY long name(int fd, esize_t at, char* memory, unsigned n) {                          \
    return earl::nx::call<earl::nx::Plain>(#name, earl::nx::does##_at<direction, char>, fd, at,    \
                                           memory, n);                                             \
  }                                                                                                \
  EARL_NX_ENTRY long _##name(int fd, esize_t at, char* memory, unsigned n) {                       \
    return earl::nx::call<earl::nx::Underscore>("_" #name, earl::nx::does##_at<direction, char>,   \
                                                fd, at, memory, n);                                \
  }                                                                                                \
  EARL_NX_ENTRY std::int32_t name##_(earl::nx::Integer unit, esize_t const* at, void* memory,      \
                                     earl::nx::Integer n) {                                        \
    return earl::nx::call<earl::nx::Plain>(#name, earl::nx::does##_of_unit_at<direction, void>,    \
                                           unit, *at, memory, n);                                  \
  }                                                                                                \
  EARL_NX_ENTRY long listed(int fd, esize_t at, iovec* pieces, int count) {                        \
    return earl::nx::call<earl::nx::Plain>(#listed, earl::nx::does##_at<direction, iovec>, fd, at, \
                                           pieces, count);                                         \
  }                                                                                                \
  EARL_NX_ENTRY long _##listed(int fd, esize_t at, iovec* pieces, int count) {                     \
    return earl::nx::call<earl::nx::Underscore>(                                                   \
        "_" #listed, earl::nx::does##_at<direction, iovec>, fd, at, pieces, count);                \
  }                                                                                                \
  EARL_NX_ENTRY std::int32_t listed##_(earl::nx::Integer unit, esize_t const* at, iovec* pieces,   \
                                       earl::nx::Integer count) {                                  \
    return earl::nx::call<earl::nx::Plain>(#listed, earl::nx::does##_of_unit_at<direction, iovec>, \
                                           unit, *at, pieces, count);                              \
  }
