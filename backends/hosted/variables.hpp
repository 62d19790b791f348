// SPDX-License-Identifier: BSD-3-Clause
/// The environment that a native library finds when it begins: its launcher's variables for a
/// placeholder. And the variables that no other library shall find.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::hosted_backend {

/// The variables that Launch wrote into a place's memory: `NAME=value`, each with a final zero.
/// Throws Error.
std::vector<std::string> read_variables(int memory);

/// Removes all variables whose names begin so from this process's environment. Must not be empty.
void hide_variables(std::string_view prefix);

/// Variables that are set as long as this lives, and are then as the program had them.
class LentVariables {
 public:
  /// Each `NAME=value`.
  explicit LentVariables(std::vector<std::string> const& variables);
  ~LentVariables();
  LentVariables(LentVariables const&) = delete;
  LentVariables& operator=(LentVariables const&) = delete;

 private:
  struct Before {
    std::string name;
    bool set = false;
    std::string value{};
  };
  std::vector<Before> before_;
};

}  // namespace earl::hosted_backend
