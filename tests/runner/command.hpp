// SPDX-License-Identifier: BSD-3-Clause
/// Runs a command and collects what it writes: for tests of one command, which is what most tests
/// are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace earl::test {

struct Ended {
  int status = 0;  ///< the exit status, or 128 and the signal that ended it
  std::string out;
  std::string err;
};

/// A folder of its own, which is gone with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Waits until the command has ended and its outputs are closed. Throws std::runtime_error, with
/// what it has written, if that takes longer than `seconds` (times TESTS_SLOWER), and if SIGTERM or
/// SIGINT comes; the command is killed.
[[nodiscard]] Ended run(std::vector<std::string> const& command,
                        std::filesystem::path const& folder, double seconds);

/// The absolute path of a file that is there, as the command runs elsewhere; else the word itself.
[[nodiscard]] std::string absolute(std::string const& word);

[[nodiscard]] std::vector<std::string> lines_of(std::string const& text);

}  // namespace earl::test
