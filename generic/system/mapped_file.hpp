// SPDX-License-Identifier: BSD-3-Clause
/// A file's bytes.
#pragma once

#include <string>

#include "generic/base/bytes.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

/// The bytes are there as long as it lives, and are read from disk when accessed.
class MappedFile {
 public:
  /// Throws Error when the file cannot be read.
  explicit MappedFile(std::string const& path);
  ~MappedFile();
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;

  Bytes bytes() const { return bytes_; }
  int descriptor() const {
    return file_.get();
  }  ///< of the file, open for reading; not to be closed

 private:
  Descriptor file_;
  Bytes bytes_;
};

}  // namespace earl
