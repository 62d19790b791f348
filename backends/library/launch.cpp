#include "backends/library/launch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "backends/library/keeper.hpp"
#include "generic/error.hpp"
#include "generic/number.hpp"
#include "generic/parts.hpp"

namespace earl::library_machine {

namespace fs = std::filesystem;

namespace {

constexpr auto start_allowed = std::chrono::seconds{60};
constexpr auto stop_allowed = std::chrono::seconds{3};
/// The socket's name must fit a sockaddr_un.
constexpr std::size_t longest_folder = 60;
/// What a launcher changes for its own purposes.
constexpr std::array<std::string_view, 7> private_variables{
    "LD_LIBRARY_PATH", "LD_PRELOAD", "OLDPWD", "PWD", "SHLVL", "TMPDIR", "_"};

int milliseconds(std::chrono::seconds time) {
  return static_cast<int>(std::chrono::milliseconds{time}.count());
}

/// For a library's files and ours: in memory, unless the user wants them elsewhere.
std::string new_folder() {
  char const* const wanted = std::getenv("TMPDIR");
  std::string folder = wanted && *wanted == '/' ? wanted : "/dev/shm";
  if (folder.size() > longest_folder || ::access(folder.c_str(), W_OK) != 0) folder = "/tmp";
  folder += "/earl-place-XXXXXX";
  if (!::mkdtemp(folder.data()))
    throw Error("no folder {} for the launcher: {}", folder, system_message(errno));
  return folder;
}

/// For what the launcher says: read after its name is gone.
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

/// Reads the placeholder's first byte, and the descriptor that may come with it.
bool greeted(int line, Descriptor& handed) {
  char greeting = 0;
  iovec piece{&greeting, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  if (::recvmsg(line, &message, MSG_CMSG_CLOEXEC) != 1) return false;
  auto const* const header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return true;
  int number = -1;
  std::memcpy(&number, CMSG_DATA(header), sizeof number);
  handed = Descriptor(number);
  return true;
}

/// All variables of the placeholder; an empty one is the last.
std::vector<std::string> read_variables(int line) {
  std::vector<std::string> variables;
  std::string variable;
  std::array<char, 4096> room{};
  for (;;) {
    auto const got = ::read(line, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    for (char const c : std::string_view{room.data(), static_cast<std::size_t>(got)}) {
      if (c != '\0') {
        variable += c;
        continue;
      }
      if (variable.empty()) return variables;
      variables.push_back(std::exchange(variable, {}));
    }
  }
}

/// Whether the launcher has set it, for the library to see.
bool from_launcher(std::string const& variable) {
  auto const name = variable.substr(0, variable.find('='));
  if (std::ranges::find(private_variables, name) != private_variables.end()) return false;
  char const* const ours = std::getenv(name.c_str());
  return !ours || variable.size() == name.size() || variable.substr(name.size() + 1) != ours;
}

Descriptor in_memory(std::vector<std::string> const& variables, Library const& library) {
  std::string all;
  for (auto const& variable : library.told) all += variable + '\0';
  for (auto const& variable : variables)
    if (from_launcher(variable)) all += variable + '\0';
  Descriptor memory(::memfd_create("earl place", MFD_CLOEXEC));
  if (!memory || ::write(memory.get(), all.data(), all.size()) != static_cast<ssize_t>(all.size()))
    throw Error("no memory for a place in the library: {}", system_message(errno));
  return memory;
}

/// Its number among the processes; `count` or more: the launcher has not said.
std::size_t rank_in(std::vector<std::string> const& variables, std::string_view name) {
  for (auto const& variable : variables)
    if (variable.starts_with(name) && variable.substr(name.size(), 1) == "=")
      return number_from<std::size_t>(variable.substr(name.size() + 1)).value_or(SIZE_MAX);
  return SIZE_MAX;
}

}  // namespace

Launch::Launch(Library const& library, std::uint32_t processes) : library_(library) {
  folder_ = new_folder();
  errors_ = new_file(folder_);
  try {
    start(processes);
  } catch (...) {
    stop();
    throw;
  }
}

Launch::~Launch() { stop(); }

void Launch::start(std::uint32_t processes) {
  auto const socket = folder_ + "/places";
  auto const placeholder = find_part("backends/library", "earl-place");
  if (placeholder.empty()) throw Error("earl-place is missing; install Earl again");
  auto const listener = listen_at(socket, static_cast<int>(processes));
  Keeping what{.command = {library_.path},
               .settings = library_.settings,
               .hidden = std::string{library_.hidden},
               .folder = folder_,
               .errors = errors_.get()};
  if (!library_.folder.empty())
    what.settings.push_back(fmt::format("{}={}", library_.folder, folder_));
  auto const add = [&](std::vector<std::string> const& words) {
    what.command.insert(what.command.end(), words.begin(), words.end());
  };
  add(library_.options);
  add({"-n", std::to_string(processes)});
  add(library_.wrapper);
  add({placeholder, socket, std::string{library_.handed}});
  keeper_ = start_keeper(what);
  ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, keeper_, 0)));
  if (!ended_) throw Error("{} cannot be watched: {}", library_.launcher, system_message(errno));
  places_.resize(processes);
  take_places(listener.get());
}

void Launch::take_places(int listener) {
  for (std::size_t taken = 0; taken < places_.size(); ++taken) {
    std::array<pollfd, 2> files{pollfd{.fd = listener, .events = POLLIN, .revents = 0},
                                pollfd{.fd = ended_.get(), .events = POLLIN, .revents = 0}};
    while (::poll(files.data(), files.size(), milliseconds(start_allowed)) < 0 && errno == EINTR) {
    }
    if ((files[0].revents & POLLIN) == 0) fail();
    Place place{.line = Descriptor(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)),
                .variables = {},
                .handed = {}};
    if (!greeted(place.line.get(), place.handed)) fail();
    auto const variables = read_variables(place.line.get());
    auto const rank = rank_in(variables, library_.rank);
    if (rank >= places_.size() || places_[rank].line) fail();
    place.variables = in_memory(variables, library_);
    places_[rank] = std::move(place);
  }
}

void Launch::fail() const {
  auto const words = last_words();
  throw Error("{} ({}) has not started {} processes{}{}", library_.launcher, library_.title,
              places_.size(), words.empty() ? "" : ": ", words);
}

/// The first line that is more than a frame: what follows are details.
std::string Launch::last_words() const {
  std::string all(4096, '\0');
  auto const size = ::pread(errors_.get(), all.data(), all.size(), 0);
  std::istringstream lines{all.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0)};
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of("-= ") != std::string::npos) return line;
  return {};
}

/// The placeholders end when their lines do, and the launcher after them.
void Launch::stop() {
  places_.clear();
  if (keeper_ > 0) {
    pollfd file{.fd = ended_.get(), .events = POLLIN, .revents = 0};
    if (!ended_ || ::poll(&file, 1, milliseconds(stop_allowed)) <= 0) ::kill(-keeper_, SIGKILL);
    ::waitpid(keeper_, nullptr, 0);
  }
  // The keeper has done it, unless it was killed.
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace earl::library_machine
