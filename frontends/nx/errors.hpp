// SPDX-License-Identifier: BSD-3-Clause
/// NX's errors: an Error with one of the manual's EQ numbers.
#pragma once

#include <string>

#include "frontends/nx/include/nxerrno.h"
#include "generic/base/error.hpp"

namespace earl::nx {

/// A native error that the front end itself has found.
class NxError : public Error {
 public:
  template <class... Args>
  explicit NxError(int number, fmt::format_string<Args...> format, Args&&... args)
      : Error(format, std::forward<Args>(args)...), number_(number) {}

  int number() const { return number_; }  ///< the value for errno

 private:
  int number_;
};

/// The EQ number of any Error, also of the core's.
int number_of(Error const& error);

/// The text of one of NX's own errno values; null: it is none.
char const* native_text(int number);
/// The text of an errno value, NX's own and the system's.
std::string error_text(int number);

}  // namespace earl::nx
