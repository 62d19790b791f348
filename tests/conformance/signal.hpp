// SPDX-License-Identifier: BSD-3-Clause
/// A signal from one process to another beside Earl, so that the other need not call Earl to notice
/// it.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance {

/// An empty file; given by removing it.
class Signal {
 public:
  /// Rank 0 makes it and sends its name to rank 1.
  explicit Signal(Process& me) {
    if (me.rank() == Rank{0}) {
      std::string path = std::filesystem::temp_directory_path() / "earl-test-XXXXXX";
      int const file = ::mkstemp(path.data());
      EARL_EXPECT(file >= 0);
      ::close(file);
      path_ = path;
      me.send(to(1, name_tag), std::as_bytes(std::span{path_}));
    } else {
      auto const message = me.take(from(0, name_tag));
      path_.assign(reinterpret_cast<char const*>(message.body.data()), message.body.size());
    }
  }
  ~Signal() { give(); }
  Signal(Signal const&) = delete;
  Signal& operator=(Signal const&) = delete;

  void give() const { ::unlink(path_.c_str()); }
  bool given() const { return ::access(path_.c_str(), F_OK) != 0; }

 private:
  static constexpr int name_tag = 1000;
  std::string path_;
};

}  // namespace earl::conformance
