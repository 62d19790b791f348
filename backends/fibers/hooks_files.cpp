// SPDX-License-Identifier: BSD-3-Clause
/// Descriptors 0, 1 and 2 are the rank's; a rank that waits for input does not keep the others.
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

constexpr auto look_again = std::chrono::milliseconds{1};

/// Null: `fd` is none of the rank's standard output and error.
Outlet* outlet(int fd) {
  if (fd == STDOUT_FILENO) return &me().out;
  return fd == STDERR_FILENO ? &me().err : nullptr;
}

/// Its text goes to EXEC: as far as the program can see, a pipe.
bool goes_to_exec(int fd) {
  auto const* const out = outlet(fd);
  return out && !out->file;
}

/// The shared process's descriptor for the rank's `fd`. Output that goes to EXEC has none: the
/// shared process's own descriptor goes to the same place.
int own(int fd) {
  if (fd == STDIN_FILENO) return ::fileno(me().input);
  auto const* const out = outlet(fd);
  return out && out->file ? out->file.get() : fd;
}

/// Like poll(2) of the shared process's own descriptors, while others run.
int poll_gently(pollfd* list, nfds_t count, Deadline deadline) {
  for (;;) {
    int const ready = ::poll(list, count, 0);
    if (ready != 0) return ready;
    auto& clock = here.scheduler->clock();
    auto const now = clock.now();
    if (now >= deadline) return 0;
    // The duration of an external command is not part of virtual time.
    if (clock.is_own() && deadline == never) return ::poll(list, count, -1);
    here.scheduler->wait(std::min(deadline, now + look_again));
    take_signals();
  }
}

void await_readable(int fd) {
  pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
  poll_gently(&one, 1, never);
}

ssize_t read_own(int fd, void* to, std::size_t size) {
  if (fd == STDIN_FILENO) await_readable(own(fd));
  return ::read(own(fd), to, size);
}

ssize_t write_own(int fd, void const* from, std::size_t size) {
  if (auto const* const out = outlet(fd)) return out->write({static_cast<char const*>(from), size});
  return ::write(fd, from, size);
}

ssize_t write_pieces(int fd, iovec const* pieces, int count) {
  if (!goes_to_exec(fd)) return ::writev(own(fd), pieces, count);
  std::string all;
  for (auto const& piece : std::span{pieces, static_cast<std::size_t>(std::max(count, 0))})
    all.append(static_cast<char const*>(piece.iov_base), piece.iov_len);
  return outlet(fd)->write(all);
}

int fails(int error) {
  errno = error;
  return -1;
}

off_t seek(int fd, off_t offset, int whence) {
  return goes_to_exec(fd) ? fails(ESPIPE) : ::lseek(own(fd), offset, whence);
}

int is_terminal(int fd) {
  if (!goes_to_exec(fd)) return ::isatty(own(fd));
  errno = ENOTTY;
  return 0;
}

int status(int fd, struct stat* facts) {
  if (!goes_to_exec(fd)) return ::fstat(own(fd), facts);
  *facts = {};
  facts->st_mode = S_IFIFO | S_IRUSR | S_IWUSR;
  facts->st_nlink = 1;
  facts->st_blksize = BUFSIZ;
  return 0;
}

int status_of_version(int, int fd, struct stat* facts) { return status(fd, facts); }

int terminal_name(int fd, char* to, std::size_t size) {
  return goes_to_exec(fd) ? ENOTTY : ::ttyname_r(own(fd), to, size);
}

int duplicate(int fd) { return ::dup(own(fd)); }

/// Like dup2(2): the rank's own standard output may become another file.
int duplicate_as(int fd, int as) {
  auto* const out = outlet(as);
  if (!out) return ::dup2(own(fd), as);
  if (goes_to_exec(fd)) return as;
  Descriptor file(::fcntl(own(fd), F_DUPFD_CLOEXEC, 0));
  if (!file) return -1;
  out->file = std::move(file);
  return as;
}

int number_of(std::FILE* stream) {
  auto const& rank = me();
  if (stream == rank.input) return STDIN_FILENO;
  if (stream == rank.output) return STDOUT_FILENO;
  return stream == rank.error ? STDERR_FILENO : ::fileno(stream);
}

/// The flags of open(2) for a mode of fopen(3) that writes.
int flags_of(std::string_view mode) {
  int const access = mode.find('+') == std::string_view::npos ? O_WRONLY : O_RDWR;
  return O_CLOEXEC | O_CREAT | access | (mode.starts_with('a') ? O_APPEND : O_TRUNC);
}

/// A rank's standard output and error stay the streams that they are, and write elsewhere.
std::FILE* reopen(char const* name, char const* mode, std::FILE* stream) {
  auto& rank = me();
  if (!name || (stream != rank.output && stream != rank.error))
    return std::freopen(name, mode, stream);
  std::fflush(stream);
  Descriptor file(::open(name, flags_of(mode), 0666));
  if (!file) return nullptr;
  (stream == rank.output ? rank.out : rank.err).file = std::move(file);
  return stream;
}

/// The system's is switched with the rank.
int change_folder(char const* name) {
  if (::chdir(name) != 0) return -1;
  me().folder = std::make_shared<Descriptor const>(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  here.scheduler->moved();
  return 0;
}

int poll_own(pollfd* list, nfds_t count, int milliseconds) {
  std::vector<pollfd> mapped(list, list + count);
  for (auto& one : mapped) one.fd = own(one.fd);
  auto const deadline =
      milliseconds < 0 ? never
                       : here.scheduler->clock().now() + std::chrono::milliseconds{milliseconds};
  int const ready = poll_gently(mapped.data(), count, deadline);
  for (nfds_t i = 0; i < count; ++i) list[i].revents = mapped[i].revents;
  return ready;
}

/// select(2) by poll(2).
struct Selected {
  fd_set* set;
  short events;
  bool has(int fd) const { return set && FD_ISSET(fd, set); }
};

int select_own(int count, fd_set* in, fd_set* out, fd_set* except, timeval* time) {
  Selected const kinds[] = {{in, POLLIN}, {out, POLLOUT}, {except, POLLPRI}};
  std::vector<pollfd> list;
  std::vector<int> names;
  for (int fd = 0; fd < count; ++fd) {
    int events = 0;
    for (auto const& kind : kinds)
      if (kind.has(fd)) events |= kind.events;
    if (events == 0) continue;
    names.push_back(fd);
    list.push_back({.fd = own(fd), .events = static_cast<short>(events), .revents = 0});
  }
  auto const deadline = time ? here.scheduler->clock().now() + std::chrono::seconds{time->tv_sec} +
                                   std::chrono::microseconds{time->tv_usec}
                             : never;
  int const ready = poll_gently(list.data(), list.size(), deadline);
  if (ready < 0) return ready;
  int answer = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (auto const& kind : kinds) {
      if (!kind.has(names[i])) continue;
      bool const hit = (list[i].revents & (kind.events | POLLHUP | POLLERR)) != 0;
      if (!hit) FD_CLR(names[i], kind.set);
      answer += hit ? 1 : 0;
    }
  return answer;
}

mode_t set_creation_mask(mode_t mask) {
  return here.scheduler->set_creation_mask(mask & (S_IRWXU | S_IRWXG | S_IRWXO));
}

}  // namespace

std::span<Hook const> file_hooks() {
  static Hook const table[] = {
      hook("read", read_own),
      hook("write", write_own),
      hook("writev", write_pieces),
      hook("lseek", seek),
      hook("lseek64", seek),
      hook("isatty", is_terminal),
      hook("fstat", status),
      hook("fstat64", status),
      hook("__fxstat", status_of_version),
      hook("__fxstat64", status_of_version),
      hook("ttyname_r", terminal_name),
      hook("dup", duplicate),
      hook("dup2", duplicate_as),
      hook("fileno", number_of),
      hook("fileno_unlocked", number_of),
      hook("freopen", reopen),
      hook("freopen64", reopen),
      hook("poll", poll_own),
      hook("select", select_own),
      hook("chdir", change_folder),
      hook("umask", set_creation_mask),
  };
  return table;
}

}  // namespace earl::fibers
