// SPDX-License-Identifier: BSD-3-Clause
/// Files of contents: records, each with a checksum. A file that ends within one was cut there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::contents {

enum class Part : std::uint8_t {
  process = 1,  ///< program, arguments, environment and folder
  table,        ///< the id table; the last one counts
  packet,       ///< Header, then the bytes of the message
  offer,        ///< Header, then the bytes of an Offer: of a message that a body may follow
  body,         ///< number of the offer, from 0, then the bytes of its message
  done,         ///< number of the own offer that was taken, then the Header that says so
  answer,       ///< operation, then the bytes of EXEC's answer
  message,      ///< Header, then the bytes of a message of EXEC
};

std::string packets_path(std::string_view folder, Rank rank);
std::string exec_path(std::string_view folder, Rank rank);

class ContentsWriter {
 public:
  /// Throws Error when the file cannot be made.
  explicit ContentsWriter(std::string const& path);

  /// Both in one record; it is in the file when this returns. Throws Error.
  void put(Part part, Bytes head, Gather const& body = {});

 private:
  std::string path_;
  Descriptor file_;
};

class ContentsReader {
 public:
  /// Throws Error when the file cannot be read.
  explicit ContentsReader(std::string const& path);

  struct Record {
    Part part{};
    Bytes body{};  ///< as long as the reader lives
  };
  /// False: no more. Throws Error where the file is damaged.
  bool next(Record& record);

 private:
  std::string path_;
  MappedFile file_;
  Bytes rest_;
};

}  // namespace earl::contents
