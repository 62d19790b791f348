// SPDX-License-Identifier: BSD-3-Clause
/// For debuggers that concern themselves with EXEC's standard input, which one process reads.
#pragma once

#include "generic/base/bytes.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

/// A JobInterceptor that is one of these, too, gets all of it: EXEC reads it and passes it on, or
/// where it is a file, reads it beforehand.
class InputListener {
 public:
  /// The next piece. It may hold more than the process reads.
  virtual void input(Bytes piece) = 0;

 protected:
  ~InputListener() = default;
};

/// A JobInterceptor that is one of these, too, gives the process something else to read.
class InputSource {
 public:
  /// Open for reading; none: EXEC's own.
  virtual Descriptor input() = 0;

 protected:
  ~InputSource() = default;
};

}  // namespace earl
