// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/ofi/job.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "backends/net/ofi/link.hpp"
#include "backends/net/port.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"
#include "generic/system/host_name.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/processors.hpp"
#include "generic/system/program_heap.hpp"
#include "generic/system/scoped_environment.hpp"
#include "generic/system/variable.hpp"

namespace earl {

namespace net::ofi {
namespace {

constexpr char const* part = "earl-ofi.so";
constexpr std::uint32_t oldest = 1U << 16 | 17;

std::string part_here() { return find_part("backends/net/ofi", part); }

std::string find_module() {
  auto path = part_here();
  if (path.empty())
    throw Error(
        "this Earl has no part for libfabric: install its package earl-fabric or, for an Earl that "
        "is built from source, libfabric-dev (apt-get install libfabric-dev), and build again");
  return path;
}

/// Throws Error when there is no libfabric, or one that is too old.
earl_ofi_calls const& load_calls() {
  auto const module = find_module();
  void* const library = ::dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error("libfabric is not here ({}): apt-get install libfabric1", ::dlerror());
  auto const& calls = load_table<earl_ofi_calls>(module, "earl_ofi", earl_ofi_version, 0);
  ::dlclose(library);  // the module keeps it
  auto const version = calls.native_version();
  if (version < oldest)
    throw Error(
        "this libfabric is {}.{}, and Earl needs {}.{} or later: apt-get install libfabric1",
        version >> 16, version & 0xffff, oldest >> 16, oldest & 0xffff);
  return calls;
}

/// The provider to take; null: the best there is.
char const* wanted_provider() { return variable("EARL_OFI_PROVIDER"); }

std::string this_host() {
  auto name = host_name();
  std::ranges::replace(name, ' ', '-');
  return name.substr(0, name.find('.'));
}

class OfiJob final : public PreparedJob {
 public:
  explicit OfiJob(JobFacts const& facts)
      : board_(facts.capacity, usable_processors()),
        bells_(board_.rows()),
        pids_(board_.rows()),
        started_(board_.rows()),
        shm_(std::string_view{wanted_provider() ? wanted_provider() : ""} == "shm") {
    // Frames show it, so it must not be the secret's own bytes.
    auto const key = seal(facts.secret ? *facts.secret : random_secret(), {});
    std::memcpy(&board_.head().key, key.data(), sizeof board_.head().key);
    if (!facts.host.empty()) board_.name_host(this_host(), facts.host);
  }

  std::vector<int> descriptors(Rank rank) override {
    if (std::exchange(started_[board_.slot(rank)], 1) == 0) board_.head().processes.fetch_add(1);
    return {board_.descriptor(), bells_.of(board_.first_rank_of_row(rank)).get()};
  }

  void registered(Rank rank, std::int32_t unix_pid) override {
    pids_[board_.slot(rank)] = unix_pid;
    if (board_.row(rank).wanted.load() != 0) bells_.ring_all();
  }

  std::string address(Rank rank) override { return board_.address_text(rank); }

  void add_address(Rank rank, std::string_view address) override {
    board_.add_address(rank, address);
    if (board_.row(rank).wanted.load() != 0) bells_.ring_all();
  }

  void notify_control(Rank rank) override {
    board_.row(rank).control_notices.fetch_add(1, std::memory_order_release);
    bells_.ring(board_.first_rank_of_row(rank));
  }

  void ended(Rank rank) override {
    if (std::exchange(started_[board_.slot(rank)], 0) != 0) board_.head().processes.fetch_sub(1);
    board_.mark_ended(rank);
    sweep(std::exchange(pids_[board_.slot(rank)], 0));
    bells_.drop(board_.first_rank_of_row(rank));
    bells_.ring_all();
  }

  /// Endpoints and what comes to them are of a Rank, and no two processes have the same.
  bool reuses() const override { return true; }
  void named(Rank rank) override {
    if (board_.first_rank_of_row(rank) != rank && board_.begin(rank)) bells_.ring_all();
  }
  bool release(Rank) override { return true; }

 private:
  /// The provider shm leaves a file of a killed process behind, named after it.
  void sweep(std::int32_t pid) const {
    namespace fs = std::filesystem;
    if (!shm_ || pid == 0) return;
    auto const name = fmt::format("{}:", pid);
    std::error_code error;
    for (auto const& entry : fs::directory_iterator("/dev/shm", error))
      if (entry.path().filename().string().starts_with(name)) fs::remove(entry.path(), error);
  }

  Board board_;
  Bells bells_;
  std::vector<std::int32_t> pids_;  ///< by slot; 0: not registered
  std::vector<char> started_;       ///< by slot; 1: it is here, and has not ended
  bool shm_;
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  static_cast<void>(find_module());  // rather one sentence here than one of each process
  return std::make_unique<OfiJob>(facts);
}

}  // namespace

std::string hardware(std::string const& classes) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (auto const* kind : {"/infiniband", "/cxi"}) {
    std::error_code error;
    for (auto const& entry : fs::directory_iterator(classes + kind, error))
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

namespace {

bool is_built() { return !part_here().empty(); }

NativeLibrary describe() {
  NativeLibrary all{.title = "libfabric"};
  (is_built() ? all.here : all.missing).emplace_back(part);
  if (!is_built()) {
    all.remedy =
        "apt-get install libfabric-dev, and build Earl again or install its package earl-fabric";
    return all;
  }
  try {
    auto const version = load_calls().native_version();
    all.here.push_back(fmt::format("libfabric {}.{}", version >> 16, version & 0xffff));
  } catch (Error const& error) {
    all.missing.emplace_back(error.what());
    all.remedy = "apt-get install libfabric1";
  }
  return all;
}

std::vector<NativeLibrary> describe_libraries() { return {describe()}; }

constexpr auto link_setting = "EARL_NET_LINK";

enum class HostLink { unset, tcp, libfabric };

/// EARL_NET_LINK: the transport between hosts. Throws Error on words without sense.
HostLink host_link() {
  char const* const text = variable(link_setting);
  if (!text) return HostLink::unset;
  const std::string_view word = text;
  if (word == "tcp") return HostLink::tcp;
  if (word == "libfabric") return HostLink::libfabric;
  throw Error("{} is \"{}\"; it can be tcp or libfabric", link_setting, word);
}

Connectivity connectivity() {
  using Grade = Connectivity::Grade;
  auto const link = host_link();
  if (link == HostLink::libfabric)
    return {Grade::requested, fmt::format("{} asks for it", link_setting)};
  if (link == HostLink::tcp) return {Grade::on_request};
  // Its name until libfabric was a back end of its own.
  constexpr auto older_setting = "EARL_MYRINET_LINK";
  if (auto const* word = variable(older_setting); word && std::string_view{word} == "ofi")
    return {Grade::requested, fmt::format("{} asks for it", older_setting)};
  auto const networks = is_built() ? hardware() : std::string{};
  return networks.empty() ? Connectivity{Grade::on_request} : Connectivity{Grade::fast, networks};
}

/// Signals act as the program has them: libraries below libfabric (libpsm2) have handlers of
/// their own, in which a process that is killed calls exit(), and may wait for itself there.
class KeptSignals {
 public:
  KeptSignals() {
    for (int number = 1; number <= SIGRTMAX; ++number)
      kept_[static_cast<std::size_t>(number)].known =
          ::sigaction(number, nullptr, &kept_[static_cast<std::size_t>(number)].action) == 0;
  }
  KeptSignals(KeptSignals const&) = delete;
  KeptSignals& operator=(KeptSignals const&) = delete;
  ~KeptSignals() {
    for (int number = 1; number <= SIGRTMAX; ++number)
      if (auto const& one = kept_[static_cast<std::size_t>(number)]; one.known)
        ::sigaction(number, &one.action, nullptr);
  }

 private:
  struct Kept {
    bool known = false;
    struct sigaction action {};
  };
  std::array<Kept, NSIG> kept_{};
};

/// Loads libfabric and opens this process's endpoint.
std::unique_ptr<Port> begin(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 2)
    throw Error("libfabric needs two descriptors from EXEC, not {}; install Earl again",
                descriptors.size());
  auto board = std::make_unique<Board>(Descriptor(descriptors[0]));
  if (*board->head().address && wanted_provider() && std::string_view{wanted_provider()} == "shm")
    throw Error("libfabric's provider shm does not reach other hosts; leave out EARL_OFI_PROVIDER");
  auto const policy = WaitPolicy::from(WaitSettings::from_environment(), board->head().cpus);
  const KeptSignals signals;
  // Libraries below that one would write a file into the user's folder when a signal ends them.
  const ScopedEnvironment quiet({"HFI_BACKTRACE=0", "PSM3_BACKTRACE=0"});
  auto const& calls = load_calls();
  return std::make_unique<LinkPort>(
      std::make_unique<OfiLink>(std::move(board), Bell(Descriptor(descriptors[1])), rank, calls,
                                wanted_provider()),
      rank, policy);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  auto port = begin(descriptors, rank);
  heap::retire_free_memory();
  return port;
}

}  // namespace
}  // namespace net::ofi

extern Backend const libfabric_back_end;
Backend const libfabric_back_end{
    .name = "libfabric",
    .summary = "processes of one host or several, through libfabric",
    .prepare = net::ofi::prepare,
    .join = net::ofi::join,
    .libraries = net::ofi::describe_libraries,
    .connectivity = net::ofi::connectivity,
    .descriptors_each = 1,
};

}  // namespace earl
