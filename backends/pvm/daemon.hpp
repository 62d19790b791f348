// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's virtual machine: a PVM daemon of its own, in a folder of its own, or the user's.
#pragma once

#include <sys/types.h>

#include <string>

#include "generic/system/descriptor.hpp"

namespace earl::pvm_backend {

/// The daemon that a job's processes enrol with.
class VirtualMachine {
 public:
  virtual ~VirtualMachine() = default;
  /// The daemon's socket.
  std::string const& socket() const { return socket_; }
  /// Readable when the daemon has probably ended. Does not change.
  virtual int ended_fd() const = 0;
  /// Whether it has; asked when ended_fd() is readable. If not, ended_fd() is no longer readable.
  virtual bool has_ended() { return true; }

 protected:
  std::string socket_;
};

/// Starts one and ends it. A watchdog process stands between: it ends the daemon and removes its
/// directory when EXEC has ended for any reason; the daemon ends with the watchdog.
class PrivateDaemon final : public VirtualMachine {
 public:
  /// Waits until the daemon listens. Throws Error when there is none or it will not start.
  PrivateDaemon();
  ~PrivateDaemon() override;
  PrivateDaemon(PrivateDaemon const&) = delete;
  PrivateDaemon& operator=(PrivateDaemon const&) = delete;

  int ended_fd() const override { return output_.get(); }

 private:
  void start(std::string const& daemon);
  std::string first_line();
  std::string error_summary() const;
  void stop();

  std::string folder_;
  Descriptor watchdog_pipe_;  ///< open as long as the machine is wanted
  Descriptor output_;         ///< the daemon's standard output
  pid_t watchdog_ = 0;
};

/// The one that the user has started (`pvm`), with its hosts; it goes on after the job.
class UserVirtualMachine final : public VirtualMachine {
 public:
  /// Throws Error when none is running.
  UserVirtualMachine();

  int ended_fd() const override { return ended_.get(); }
  bool has_ended() override;

 private:
  void watch(Descriptor daemon);

  Descriptor ended_;   ///< an epoll descriptor for daemon_
  Descriptor daemon_;  ///< its process, or a connection to it
};

}  // namespace earl::pvm_backend
