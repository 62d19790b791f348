// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/read_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "generic/system/descriptor.hpp"

namespace earl {

std::optional<std::string> read_file(std::string const& path) {
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::string all;
  for (std::array<char, 4096> piece;;) {
    auto const size = ::read(file.get(), piece.data(), piece.size());
    if (size > 0)
      all.append(piece.data(), static_cast<std::size_t>(size));
    else if (size == 0)
      return all;
    else if (errno != EINTR)
      return std::nullopt;
  }
}

std::string real_path(char const* path) {
  std::array<char, PATH_MAX> room;
  return ::realpath(path, room.data()) ? room.data() : "";
}

}  // namespace earl
