// SPDX-License-Identifier: BSD-3-Clause
/// Reads the lines that a user types, or that come through a pipe.
#pragma once

#include <optional>
#include <string>
#include <vector>

struct EarlLineEditor;

namespace earl::exec {

/// Why line editing is unavailable; empty: it is available.
std::string line_editor_unavailable();

/// Reads standard input. On a terminal with a prompt and, if this Earl was built with libedit, with
/// line editing, history and completion of names.
class LineReader {
 public:
  /// `names` complete the first word of a line.
  LineReader(std::string prompt, std::vector<std::string> names);
  ~LineReader();
  LineReader(LineReader const&) = delete;
  LineReader& operator=(LineReader const&) = delete;

  /// The line without its newline. Null: end of input.
  std::optional<std::string> next();

 private:
  std::string prompt_;  ///< empty: no terminal
  std::vector<std::string> names_;
  std::vector<char const*> list_{};
  EarlLineEditor const* editor_ = nullptr;
};

}  // namespace earl::exec
