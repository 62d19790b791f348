// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/rank_fiber.hpp"

#include <unistd.h>

#include <cerrno>

#include "generic/base/error.hpp"

/// The C library exports it and has no header for it.
extern "C" void _IO_un_link(std::FILE* stream);

namespace earl::fibers {

namespace {

ssize_t write_out(void* outlet, char const* text, std::size_t size) {
  return static_cast<Outlet const*>(outlet)->write({text, size});
}

int note_close(void* outlet) {
  static_cast<Outlet*>(outlet)->stream = 0;
  return 0;
}

std::FILE* stream_to(Outlet& outlet, int buffering) {
  cookie_io_functions_t functions{};
  functions.write = write_out;
  functions.close = note_close;
  std::FILE* const stream = ::fopencookie(&outlet, "w", functions);
  if (!stream)
    throw Error("cannot open standard output of one more rank: {}; start fewer ranks (-n)",
                system_message(errno));
  // Buffered like a process's: a rank that is killed must not take its last lines with it.
  std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

/// Takes a stream without a buffer out of the C library's list, which fclose() looks through from
/// the newest to the oldest: ten thousand ranks that end would look at each other's.
std::FILE* unlisted(std::FILE* stream) {
  _IO_un_link(stream);
  return stream;
}

/// Ranks that have nothing to read share one stream of it: a thousand ranks have files enough.
std::FILE* nothing() {
  static std::FILE* const stream = std::fopen("/dev/null", "re");
  return stream;
}

std::FILE* stream_from(Descriptor const& fd) {
  std::FILE* const stream = fd ? ::fdopen(fd.get(), "r") : nothing();
  if (!stream)
    throw Error("cannot open standard input of one more rank: {}; start fewer ranks (-n)",
                system_message(errno));
  return stream;
}

}  // namespace

ssize_t Outlet::write(std::string_view text) const {
  if (file) return ::write(file.get(), text.data(), text.size());
  host->printed(rank, stream, text);
  return static_cast<ssize_t>(text.size());
}

RankFiber::RankFiber(RankLaunch from, std::shared_ptr<Program const> what, std::size_t stack_size,
                     SharedProcessHost& host)
    : launch(std::move(from)),
      program(std::move(what)),
      copy(std::make_unique<Copy>(*program)),
      heap(std::make_unique<RankHeap>(launch.rank)),
      stack(std::make_unique<Stack>(stack_size, index(launch.rank))),
      out{&host, launch.rank, STDOUT_FILENO, std::move(launch.output)},
      err{&host, launch.rank, STDERR_FILENO, std::move(launch.error)} {
  input = stream_from(launch.input);
  output = stream_to(out, _IOLBF);
  error = unlisted(stream_to(err, _IONBF));
  thread_locals = copy->thread_locals();
  for (auto& assignment : launch.environment) environment_list.push_back(assignment.data());
  environment_list.push_back(nullptr);
  environment = environment_list.data();
}

}  // namespace earl::fibers
