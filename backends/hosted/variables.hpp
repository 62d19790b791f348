// SPDX-License-Identifier: BSD-3-Clause
/// What a native library finds around it when it begins: what its launcher has set for a
/// placeholder. And what no other library shall find.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::library_machine {

/// What Launch wrote into a place's memory: `NAME=value`, each with a final zero. Throws Error.
std::vector<std::string> read_variables(int memory);

/// Takes all whose names begin so out of this process's environment. Not none.
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

}  // namespace earl::library_machine
