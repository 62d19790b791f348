/// A debugger as its row in debug/registry names it: a half in every process, a half in EXEC.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "generic/interceptor.hpp"

namespace earl {

/// What a debugger's EXEC half is told about the job before anything starts.
struct JobStory {
  std::vector<std::string> command;  ///< as the user typed it, without `earl run` and its options
  std::string back_end;
  std::uint32_t initial = 1;
};

struct Tool {
  std::string_view name;
  std::string_view summary;  ///< one line for `earl run -h`
  /// In the process. `argument` is the same text that the EXEC half got (a path, mostly).
  std::unique_ptr<Interceptor> (*in_process)(std::string_view argument, Host&);
  /// In EXEC, before the first process starts. Throws Error when the argument will not do. May be
  /// null: nothing to do there.
  std::unique_ptr<JobInterceptor> (*in_exec)(std::string_view argument, JobStory const&);
};

}  // namespace earl
