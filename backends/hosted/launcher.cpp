// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/launcher.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "backends/hosted/watchdog.hpp"
#include "generic/base/error.hpp"

namespace earl::hosted_backend {

namespace fs = std::filesystem;

namespace {

constexpr auto start_allowed = std::chrono::milliseconds{60'000};
/// The socket's name must fit a sockaddr_un.
constexpr std::size_t longest_folder = 60;

/// A file for the launcher's messages: read after its name is gone.
Descriptor new_file(std::string const& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600));
  if (!file) file = Descriptor(::memfd_create("launcher says", MFD_CLOEXEC));
  return file;
}

Descriptor listen_at(std::string const& path, int most) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener ||
      ::bind(listener.get(), reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0 ||
      ::listen(listener.get(), most) != 0)
    throw Error("no socket {} for the launcher: {}", path, system_message(errno));
  return listener;
}

}  // namespace

std::string new_folder() {
  char const* const wanted = std::getenv("TMPDIR");
  std::string folder = wanted && *wanted == '/' ? wanted : "/dev/shm";
  if (folder.size() > longest_folder || ::access(folder.c_str(), W_OK) != 0) folder = "/tmp";
  folder += "/earl-place-XXXXXX";
  if (!::mkdtemp(folder.data()))
    throw Error("no directory {} for the launcher: {}", folder, system_message(errno));
  return folder;
}

Launcher::Launcher(Request const& request)
    : end_timeout_(request.end_timeout), wanted_(request.wanted), folder_(new_folder()) {
  errors_ = new_file(folder_);
  try {
    start(request);
  } catch (...) {
    stop();
    throw;
  }
}

Launcher::~Launcher() { stop(); }

void Launcher::start(Request const& request) {
  auto const socket = folder_ + "/places";
  listener_ = listen_at(socket, request.most);
  WatchedLauncher watched{.command = request.command,
                          .settings = request.settings,
                          .hidden = request.hidden,
                          .folder = folder_,
                          .errors = errors_.get()};
  watched.settings.push_back(fmt::format("{}={}", request.socket, socket));
  if (!request.folder.empty())
    watched.settings.push_back(fmt::format("{}={}", request.folder, folder_));
  watchdog_ = start_watchdog(watched);
  ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, watchdog_, 0)));
  if (!ended_)
    throw Error("{} cannot be watched: {}", request.command.front(), system_message(errno));
}

Descriptor Launcher::next() {
  std::array<pollfd, 3> files{pollfd{.fd = listener_.get(), .events = POLLIN, .revents = 0},
                              pollfd{.fd = ended_.get(), .events = POLLIN, .revents = 0},
                              pollfd{.fd = wanted_, .events = POLLRDHUP, .revents = 0}};
  while (::poll(files.data(), files.size(), static_cast<int>(start_allowed.count())) < 0 &&
         errno == EINTR) {
  }
  if ((files[0].revents & POLLIN) == 0) return {};
  return Descriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
}

/// The first line that is more than a frame: the next ones are details.
std::string Launcher::error_summary() const {
  std::string all(4096, '\0');
  auto const size = ::pread(errors_.get(), all.data(), all.size(), 0);
  std::istringstream lines{all.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0)};
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of("-= ") != std::string::npos) return line;
  return {};
}

void Launcher::stop() {
  if (watchdog_ > 0) {
    pollfd file{.fd = ended_.get(), .events = POLLIN, .revents = 0};
    if (!ended_ || ::poll(&file, 1, static_cast<int>(end_timeout_.count())) <= 0)
      ::kill(-watchdog_, SIGKILL);
    ::waitpid(watchdog_, nullptr, 0);
  }
  // The watchdog has done it, unless it was killed.
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::vector<std::string> read_texts(int line) {
  std::vector<std::string> texts;
  std::string text;
  std::array<char, 4096> room{};
  for (;;) {
    auto const got = ::read(line, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    for (char const c : std::string_view{room.data(), static_cast<std::size_t>(got)}) {
      if (c != '\0') {
        text += c;
        continue;
      }
      if (text.empty()) return texts;
      texts.push_back(std::exchange(text, {}));
    }
  }
}

}  // namespace earl::hosted_backend
