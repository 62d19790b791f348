// SPDX-License-Identifier: BSD-3-Clause
/// perror() and strerror() of programs in C, which <nxerrno.h> renames: as the C library's, and
/// they know NX's numbers.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "exec/runtime/boot.hpp"
#include "frontends/nx/call.hpp"

namespace earl::nx {

namespace {

/// On fibers the C library has one room for the text of a number that it does not know.
struct UnknownError final : Extension {
  static std::size_t const slot;
  explicit UnknownError(Process&) {}
  std::string text{};
};

std::size_t const UnknownError::slot = new_slot();

}  // namespace

}  // namespace earl::nx

EARL_NX_ENTRY void earl_nx_perror(char const* said) {
  auto const number = errno;
  if (auto const* const text = earl::nx::native_text(number)) {
    bool const names = said != nullptr && *said != '\0';
    std::fprintf(stderr, "%s%s%s\n", names ? said : "", names ? ": " : "", text);
  } else {
    std::perror(said);
  }
  errno = number;
}

EARL_NX_ENTRY char* earl_nx_strerror(int number) {
  if (auto const* const text = earl::nx::native_text(number)) return const_cast<char*>(text);
  auto* const process = earl::boot::process();
  if (!process || ::strerrordesc_np(number)) return std::strerror(number);
  auto& text = process->state<earl::nx::UnknownError>(earl::nx::UnknownError::slot).text;
  text = std::strerror(number);
  return text.data();
}
