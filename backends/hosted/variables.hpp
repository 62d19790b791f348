// SPDX-License-Identifier: BSD-3-Clause
/// The launcher's environment, which a native library gets while it is initialized and nothing else
/// sees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::hosted_backend {

/// The variables that in_memory() (places.hpp) has written: `NAME=value`, each with a final zero.
/// Throws Error.
std::vector<std::string> read_variables(int memfd);

/// Removes all variables with this prefix, which must not be empty, from the process's environment.
void hide_variables(std::string_view prefix);

/// Variables that are set as long as this lives; then the program's values are restored.
class ScopedEnvironment {
 public:
  /// Each `NAME=value`.
  explicit ScopedEnvironment(std::vector<std::string> const& variables);
  ~ScopedEnvironment();
  ScopedEnvironment(ScopedEnvironment const&) = delete;
  ScopedEnvironment& operator=(ScopedEnvironment const&) = delete;

 private:
  struct SavedVariable {
    std::string name;
    bool set = false;
    std::string value{};
  };
  std::vector<SavedVariable> saved_;
};

}  // namespace earl::hosted_backend
