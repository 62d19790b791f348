// SPDX-License-Identifier: BSD-3-Clause
/// The environment that a native library gets while it is initialized and nothing else sees.
#pragma once

#include <string>
#include <vector>

namespace earl {

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

}  // namespace earl
