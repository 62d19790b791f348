// SPDX-License-Identifier: BSD-3-Clause
/// Places that come to EXEC by themselves: the user's own launcher has started `earl exec` in each.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "backends/hosted/job.hpp"
#include "backends/hosted/meeting.hpp"
#include "backends/hosted/places.hpp"
#include "backends/hosted/variables.hpp"
#include "backends/hosted/watchdog.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/cpu_set.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::hosted_backend {

namespace {

using Clock = std::chrono::steady_clock;

/// The back end for places without a library.
constexpr std::string_view shared_memory = "shm";

/// From the first of one launcher's processes to the last, on a busy host.
constexpr auto others_allowed = std::chrono::seconds{30};

std::string value_of(std::string_view name) {
  char const* const value = std::getenv(std::string{name}.c_str());
  return value ? value : "";
}

std::vector<std::string> own_variables() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable; ++variable) all.emplace_back(*variable);
  return all;
}

std::string in_one(std::vector<std::string> const& arguments) {
  std::string all;
  for (auto const& word : arguments) all += word + argument_end;
  return all;
}

std::vector<std::string> arguments_in(std::vector<std::string> const& variables) {
  std::vector<std::string> arguments;
  auto const prefix = fmt::format("{}=", arguments_variable);
  for (std::string_view variable : variables) {
    if (!variable.starts_with(prefix)) continue;
    variable.remove_prefix(prefix.size());
    for (auto end = variable.find(argument_end); end != variable.npos;
         end = variable.find(argument_end)) {
      arguments.emplace_back(variable.substr(0, end));
      variable.remove_prefix(end + 1);
    }
  }
  return arguments;
}

/// EXEC starts the processes of all places, and may have been given one CPU, as each of them. Those
/// of a placeholder that has ended are left out.
void add_processors(CpuSet& all, int line) {
  auto const placeholder = peer_of(line).pid;
  auto const its = placeholder != 0 ? CpuSet::of(placeholder) : std::nullopt;
  if (its) all.add(*its);
}

/// The launcher's process and the lines to all places: MPICH's launcher may not notice the end of a
/// process whose descriptor another process still has.
class Watched final : public Starter {
 public:
  Watched(Descriptor process, std::map<Rank, Descriptor> const& lines)
      : process_(std::move(process)), any_(::epoll_create1(EPOLL_CLOEXEC)) {
    watch(process_.get(), EPOLLIN);
    for (auto const& [rank, line] : lines) watch(line.get(), EPOLLRDHUP);
  }
  /// A new directory for the library's files: leftovers of a killed launcher go with this one.
  std::string const& folder() { return folder_.emplace(new_folder()).path(); }
  int ended_fd() const override { return any_.get(); }

 private:
  void watch(int fd, std::uint32_t events) {
    epoll_event event{.events = events, .data = {.fd = fd}};
    if (::epoll_ctl(any_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      throw Error("cannot watch the launcher's processes: {}", system_message(errno));
  }

  Descriptor process_;
  Descriptor any_;
  std::optional<KeptFolder> folder_;
};

class LibraryUserLauncher final : public UserLauncher {
 public:
  LibraryUserLauncher(Library library, Part part, std::vector<std::string_view> prefixes,
                      std::string_view back_end)
      : library_(std::move(library)),
        prefixes_(std::move(prefixes)),
        back_end_(back_end),
        part_(part),
        meeting_(library_.rank) {}
  /// The lines stay until EXEC has ended: a process that ends with a code may take the others
  /// along.
  ~LibraryUserLauncher() override {
    for (auto& [rank, line] : lines_) static_cast<void>(line.release());
  }

  std::string name() const override {
    return fmt::format("{} ({})", library_.launcher, library_.title);
  }
  Part part() const override { return part_; }
  std::string_view back_end() const override { return back_end_; }
  [[noreturn]] void keep_place(Arguments const& arguments) override;
  std::vector<Arguments> gather(Arguments const& arguments) override;
  std::unique_ptr<PreparedJob> prepare() override {
    auto watched = std::make_unique<Watched>(meeting_.take_launcher(), lines_);
    if (back_end_ == shared_memory) {
      watched_ = std::move(watched);
      return nullptr;
    }
    auto library = library_;
    library.launcher = fmt::format("{} or a part of it", library.launcher);
    if (!library.folder.empty())
      library.variables.push_back(fmt::format("{}={}", library.folder, watched->folder()));
    for (auto& [rank, place] : places_) place.variables = in_memory(reported_[rank], library);
    return prepare_with(std::move(library),
                        {.launcher = std::move(watched), .places = std::move(places_)});
  }
  int ended_fd() const override { return watched_ ? watched_->ended_fd() : -1; }
  void ended(Rank rank, int exit_code) override {
    auto const found = lines_.find(rank);
    auto const code = static_cast<unsigned char>(exit_code);
    if (found != lines_.end()) ::send(found->second.get(), &code, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

 private:
  void take_own_place();
  void take(Reported reported);
  [[noreturn]] void complain_of_absence() const;

  Library const library_;
  std::vector<std::string_view> const prefixes_;
  std::string_view const back_end_;
  Part const part_;
  Meeting meeting_;
  Places places_;
  std::map<Rank, std::vector<std::string>> reported_;  ///< by the launcher
  std::map<Rank, Descriptor> lines_;                   ///< to the placeholders
  std::map<Rank, Arguments> arguments_;
  std::unique_ptr<Watched> watched_;  ///< null: the prepared job has it
};

void LibraryUserLauncher::keep_place(Arguments const& arguments) {
  auto const place = placeholder_of(library_);
  auto line = meeting_.join(Clock::now() + others_allowed);
  if (!line)
    throw Error(
        "rank 0 of what {} has started is not `earl exec`, or has ended already; rank {} waited "
        "for it",
        name(), part_.rank);
  ::setenv(places_variable, std::to_string(line.get()).c_str(), 1);
  ::setenv(arguments_variable, in_one(arguments).c_str(), 1);
  std::vector<char*> command;
  command.reserve(place.size() + 1);
  for (auto const& word : place) command.push_back(const_cast<char*>(word.c_str()));
  command.push_back(nullptr);
  ::execv(command.front(), command.data());
  throw Error("{} cannot be started: {}", place.front(), system_message(errno));
}

/// The launcher's descriptors no longer belong to EXEC, nor to processes that it starts.
void LibraryUserLauncher::take_own_place() {
  reported_[Rank{0}] = own_variables();
  Place place;
  if (auto const number = number_from<int>(value_of(library_.handed))) {
    place.handed = Descriptor(*number);
    ::fcntl(*number, F_SETFD, FD_CLOEXEC);
  }
  // Programs are to find the environment that they would have without a launcher.
  for (auto const prefix : prefixes_) hide_variables(prefix);
  places_.emplace(Rank{0}, std::move(place));
}

void LibraryUserLauncher::take(Reported reported) {
  auto const rank = rank_in(reported.variables, library_.rank);
  if (number(rank) < 0 || index(rank) >= part_.all || places_.contains(rank)) return;
  auto& place = reported.place;
  arguments_[rank] = arguments_in(reported.variables);
  reported_[rank] = std::move(reported.variables);
  lines_[rank] = std::exchange(place.line, {});
  places_.emplace(rank, std::move(place));
}

void LibraryUserLauncher::complain_of_absence() const {
  std::vector<std::uint32_t> absent;
  for (std::uint32_t n = 0; n < part_.all; ++n)
    if (!places_.contains(Rank{static_cast<std::int32_t>(n)})) absent.push_back(n);
  throw Error("{} has started {} processes, and {} {} not come: all of them must be `earl exec`",
              name(), part_.all, absent.size() == 1 ? "rank" : "ranks",
              fmt::format("{} {}", fmt::join(absent, ", "), absent.size() == 1 ? "has" : "have"));
}

std::vector<UserLauncher::Arguments> LibraryUserLauncher::gather(Arguments const& arguments) {
  meeting_.open(static_cast<int>(part_.all));
  auto cpus = CpuSet::of(0);
  take_own_place();
  arguments_[Rank{0}] = arguments;
  auto const until = Clock::now() + others_allowed;
  while (places_.size() < part_.all) {
    auto line = meeting_.next(until);
    if (!line) complain_of_absence();
    if (cpus) add_processors(*cpus, line.get());
    take(read_report(std::move(line)));
  }
  meeting_.close();
  // On rank 0's alone the job is slower, and no worse.
  if (cpus) static_cast<void>(cpus->bind_caller());
  std::vector<Arguments> all;
  for (auto& [rank, word] : arguments_) all.push_back(std::move(word));
  return all;
}

std::unique_ptr<UserLauncher> found_by_variables(Library library, UserVariables variables,
                                                 std::string_view back_end) {
  if (value_of(library.rank).empty() || value_of(variables.all).empty()) return nullptr;
  UserLauncher::Part part{.rank = number_in_variable(std::string{library.rank}, 0U),
                          .all = number_in_variable(std::string{variables.all}, 1U)};
  part.here = number_in_variable(std::string{variables.here}, part.all);
  return std::make_unique<LibraryUserLauncher>(std::move(library), part,
                                               std::move(variables.prefixes), back_end);
}

}  // namespace

std::unique_ptr<UserLauncher> user_launcher(Library library, UserVariables variables) {
  return found_by_variables(std::move(library), std::move(variables), "mpi");
}

std::unique_ptr<UserLauncher> launcher_for_shared_memory(Library library, UserVariables variables) {
  return found_by_variables(std::move(library), std::move(variables), shared_memory);
}

std::unique_ptr<UserLauncher> launcher_for_shared_memory(Library library, UserLauncher::Part part,
                                                         std::vector<std::string_view> prefixes) {
  return std::make_unique<LibraryUserLauncher>(std::move(library), part, std::move(prefixes),
                                               shared_memory);
}

}  // namespace earl::hosted_backend
