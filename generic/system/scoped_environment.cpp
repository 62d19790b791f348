// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/scoped_environment.hpp"

#include <cstdlib>

namespace earl {

ScopedEnvironment::ScopedEnvironment(std::vector<std::string> const& variables) {
  for (auto const& variable : variables) {
    auto const at = variable.find('=');
    if (at == std::string::npos) continue;
    SavedVariable before{.name = variable.substr(0, at)};
    if (char const* const value = std::getenv(before.name.c_str())) {
      before.set = true;
      before.value = value;
    }
    ::setenv(before.name.c_str(), variable.c_str() + at + 1, 1);
    saved_.push_back(std::move(before));
  }
}

ScopedEnvironment::~ScopedEnvironment() {
  // Backwards: a name may have been set twice.
  for (auto before = saved_.rbegin(); before != saved_.rend(); ++before)
    if (before->set)
      ::setenv(before->name.c_str(), before->value.c_str(), 1);
    else
      ::unsetenv(before->name.c_str());
}

}  // namespace earl
