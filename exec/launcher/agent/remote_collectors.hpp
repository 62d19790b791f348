// SPDX-License-Identifier: BSD-3-Clause
/// Debuggers' data on one host, on its way to EXEC.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/launcher/hosts/host_line.hpp"
#include "generic/seams/tool.hpp"

namespace earl::exec {

class RemoteCollectors {
 public:
  /// `folder` will be made when a debugger needs it, and removed.
  RemoteCollectors(HostLine& line, std::string folder) : line_(line), folder_(std::move(folder)) {}
  ~RemoteCollectors();
  RemoteCollectors(RemoteCollectors const&) = delete;
  RemoteCollectors& operator=(RemoteCollectors const&) = delete;

  /// Returns `tools` with the arguments that processes here need. Throws Error.
  std::vector<control::ToolUse> prepare(std::vector<control::ToolUse> tools);
  /// Sends the rank's new data.
  void report(Rank rank);
  bool any() const { return !posts_.empty(); }
  /// Removes all that it holds, too: for the end, when no process writes there any more.
  void remove_folder();

 private:
  struct Post {
    std::string tool;
    std::unique_ptr<RemoteCollector> collector;
  };

  HostLine& line_;
  std::string folder_;
  std::vector<Post> posts_{};
};

}  // namespace earl::exec
