// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/daemon.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "generic/system/descriptor.hpp"

namespace earl::pvm_backend {
namespace {

/// An added host has this form: the process that began to listen has ended, and its child goes on;
/// here the other way round. The ended one has not been waited for, so its number stands.
class AddedDaemon {
 public:
  AddedDaemon() : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name_.copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::bind(listener_.get(), reinterpret_cast<sockaddr const*>(&address), sizeof address) ==
            0);
    first_ = ::fork();
    if (first_ == 0) ::_exit(::listen(listener_.get(), 8));
    siginfo_t ended{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(first_), &ended, WEXITED | WNOWAIT) == 0);
    REQUIRE(ended.si_status == 0);
    ::setenv("PVMSOCK", name_.c_str(), 1);
  }
  ~AddedDaemon() {
    ::unsetenv("PVMSOCK");
    ::waitpid(first_, nullptr, 0);
    std::filesystem::remove(name_);
  }
  AddedDaemon(AddedDaemon const&) = delete;
  AddedDaemon& operator=(AddedDaemon const&) = delete;

  void end() { listener_.close(); }

 private:
  std::string name_ =
      std::filesystem::temp_directory_path() / ("earl-pvmd-" + std::to_string(::getpid()));
  Descriptor listener_;
  pid_t first_ = -1;
};

bool readable(int descriptor) {
  pollfd asked{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&asked, 1, 0) == 1;
}

TEST_CASE("a daemon that still listens has not ended, even if its first process has") {
  AddedDaemon daemon;
  UserVirtualMachine machine;
  CHECK(readable(machine.ended_fd()));
  CHECK_FALSE(machine.has_ended());
  CHECK_FALSE(readable(machine.ended_fd()));
  daemon.end();
  CHECK(readable(machine.ended_fd()));
  CHECK(machine.has_ended());
}

}  // namespace
}  // namespace earl::pvm_backend
