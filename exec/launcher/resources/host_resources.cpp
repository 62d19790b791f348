// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/host_resources.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>

#include "exec/launcher/resources/processors.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

namespace {

std::string first_line(std::string const& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::uint64_t> number_in(std::string const& text) {
  std::uint64_t value = 0;
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return value;
}

/// The least of the groups this process is in, from its own to the outermost.
template <class Read>
void each_group(Read&& read) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    auto folder = line.substr(3);
    while (!folder.empty()) {
      if (folder == "/") folder.clear();
      read("/sys/fs/cgroup" + folder);
      if (!folder.empty()) folder.resize(folder.find_last_of('/'));
    }
  }
  read(std::string("/sys/fs/cgroup"));
}

std::optional<std::uint64_t> group_limit(std::string const& name) {
  std::optional<std::uint64_t> least;
  each_group([&](std::string const& folder) {
    auto const limit = number_in(first_line(folder + "/" + name));
    if (limit) least = std::min(least.value_or(*limit), *limit);
  });
  return least;
}

/// cpu.max: "QUOTA PERIOD" in microseconds, or "max PERIOD".
double group_processors() {
  double least = 0;
  each_group([&](std::string const& folder) {
    auto const line = first_line(folder + "/cpu.max");
    auto const quota = number_in(line);
    auto const period = number_in(line.substr(std::min(line.find(' ') + 1, line.size())));
    if (!quota || !period || *period == 0) return;
    auto const processors = static_cast<double>(*quota) / static_cast<double>(*period);
    least = least == 0 ? processors : std::min(least, processors);
  });
  return least;
}

/// "always [never] advise": the one in brackets.
std::string chosen(std::string const& line) {
  auto const begin = line.find('[');
  auto const end = line.find(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return line.substr(begin + 1, end - begin - 1);
}

pid_t start_readable() {
  auto const pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // as processes of a job do
  ::raise(SIGSTOP);
  ::_exit(0);
}

/// In a brother of the process `pid`, as processes of a job are.
int read_from(pid_t pid, void* place) {
  auto const reader = ::fork();
  if (reader == 0) {
    char byte = 0;
    iovec const mine{.iov_base = &byte, .iov_len = 1};
    iovec const theirs{.iov_base = place, .iov_len = 1};
    ::_exit(::process_vm_readv(pid, &mine, 1, &theirs, 1, 0) == 1 ? 0 : errno);
  }
  int status = 0;
  if (reader < 0 || ::waitpid(reader, &status, 0) != reader) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

int try_remote_read() {
  static char const place = 1;
  auto const pid = start_readable();
  if (pid < 0) return errno;
  int status = 0;
  ::waitpid(pid, &status, WUNTRACED);
  auto const error = read_from(pid, const_cast<char*>(&place));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, &status, 0);
  return error;
}

int try_shared_memory() {
  Descriptor const memory(::memfd_create("earl-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory || ::ftruncate(memory.get(), 4096) != 0) return errno;
  return ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE) == 0 ? 0 : errno;
}

std::uint64_t most(int what) {
  rlimit limit{};
  ::getrlimit(static_cast<__rlimit_resource>(what), &limit);
  return limit.rlim_max;
}

}  // namespace

HostResources read_host_resources() {
  HostResources facts;
  facts.processors_online = ::sysconf(_SC_NPROCESSORS_ONLN);
  facts.processors = own_processors();
  facts.processor_quota = group_processors();
  facts.remote_read_error = try_remote_read();
  if (auto const scope = number_in(first_line("/proc/sys/kernel/yama/ptrace_scope")))
    facts.ptrace_scope = static_cast<int>(*scope);
  facts.shared_memory_error = try_shared_memory();
  facts.proc = ::access("/proc/self/fd/0", F_OK) == 0 || ::access("/proc/self/fd", R_OK) == 0;
  facts.proc_children = ::access("/proc/thread-self/children", R_OK) == 0;
  facts.files = most(RLIMIT_NOFILE);
  facts.processes = most(RLIMIT_NPROC);
  facts.group_processes = group_limit("pids.max");
  facts.group_memory = group_limit("memory.max");
  facts.memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                 static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  facts.huge_pages = chosen(first_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled"));
  return facts;
}

}  // namespace earl::exec
