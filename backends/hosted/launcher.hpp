// SPDX-License-Identifier: BSD-3-Clause
/// A library's launcher, or a part of it on another host: a command with a directory of its own,
/// and a socket where its children report.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "generic/system/descriptor.hpp"

namespace earl::hosted_backend {

/// For a library's files and ours: in memory, unless the user wants them elsewhere. Throws Error.
std::string new_folder();

/// The process that started the processes' places.
class Starter {
 public:
  virtual ~Starter() = default;
  /// Readable when it has ended.
  virtual int ended_fd() const = 0;
  /// The first line of its standard error; empty: none was read.
  virtual std::string error_summary() const { return {}; }
};

class Launcher final : public Starter {
 public:
  struct Request {
    std::vector<std::string> command;   ///< with its arguments
    std::vector<std::string> settings;  ///< `NAME=value`, for its environment
    std::string hidden{};               ///< prefix of variables that it must not see; empty: none
    std::string folder{};  ///< the variable for where the library shares files; empty: none
    std::string socket;    ///< the variable that names the socket
    int most = 0;          ///< number of reporting children
    int wanted = -1;       ///< as JobFacts has it
    std::chrono::milliseconds end_timeout{};  ///< for its end, before it is killed
  };

  /// Starts it. Throws Error.
  explicit Launcher(Request const& request);
  /// Ends it and everything it has started, and removes its folder.
  ~Launcher() override;
  Launcher(Launcher const&) = delete;
  Launcher& operator=(Launcher const&) = delete;

  /// Waits for the next that reports. Empty: it does not come, the launcher has ended, or no
  /// process wants it any more.
  Descriptor next();
  int ended_fd() const override { return ended_.get(); }
  std::string error_summary() const override;

 private:
  void start(Request const& request);
  void stop();

  std::chrono::milliseconds const end_timeout_;
  int const wanted_;
  std::string folder_;
  pid_t watchdog_ = 0;  ///< between EXEC and the launcher; leads their group
  Descriptor ended_;    ///< its pidfd
  Descriptor errors_;   ///< a file: the launcher's messages
  Descriptor listener_;
};

/// A child's report: texts, each with a final zero; an empty one is the last. Empty: the report is
/// incomplete.
std::vector<std::string> read_texts(int line);

}  // namespace earl::hosted_backend
