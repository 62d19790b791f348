// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/multi_host.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "debug/replay/argument.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::replay {

namespace {

namespace fs = std::filesystem;

/// Size limit of one message to a host, which holds other arguments, too. A larger recording must
/// already be on that host.
constexpr std::size_t most_remote_argument = 12U << 20;
constexpr std::size_t mebibyte = 1U << 20;

std::string contents(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error("cannot read {} again", path.string());
  return bytes;
}

/// The folder's name, and of each file its name, its size and its bytes.
std::string remote_argument(std::string_view argument) {
  auto const name = std::string{argument} + '\0';
  auto all = name;
  for (auto const& entry : fs::directory_iterator(Argument{argument}.folder)) {
    if (!entry.is_regular_file()) continue;
    if (all.size() + entry.file_size() > most_remote_argument) return name;
    auto const bytes = contents(entry.path());
    all += fmt::format("{}{}{}{}", entry.path().filename().string(), '\0', bytes.size(), '\0');
    all += bytes;
  }
  return all;
}

/// Removes and returns the text before the next separator.
std::string_view word(std::string_view& rest) {
  auto const end = std::min(rest.find('\0'), rest.size());
  auto const found = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return found;
}

void unpack(std::string_view rest, std::string const& folder) {
  while (!rest.empty()) {
    auto const name = word(rest);
    auto const size = number_from<std::size_t>(word(rest));
    if (name.empty() || name.find('/') != std::string_view::npos || !size || *size > rest.size())
      throw Error(
          "cannot replay on this host: EXEC sent a malformed recording; install the same Earl on "
          "all hosts");
    auto const path = fmt::format("{}/{}", folder, name);
    std::ofstream file(path, std::ios::binary);
    if (!file.write(rest.data(), static_cast<std::streamsize>(*size)).flush())
      throw Error("{} cannot be written on this host: {}", path, system_message(errno));
    rest.remove_prefix(*size);
  }
}

class Copy final : public RemoteCollector {
 public:
  explicit Copy(std::string argument) : argument_(std::move(argument)) {}

  std::string argument() const override { return argument_; }
  std::vector<FilePiece> changed_pieces(Rank) override { return {}; }

 private:
  std::string const argument_;
};

std::unique_ptr<RemoteCollector> on_host(std::string_view remote_argument,
                                         std::string const& folder) {
  const Argument home{word(remote_argument)};
  if (!remote_argument.empty()) {
    unpack(remote_argument, folder);
    return std::make_unique<Copy>(home.in(folder));
  }
  if (!fs::exists(trace::exec_path(home.folder)))
    throw Error(
        "the recording {} is not here, and with more than {} MiB it is not brought: copy it to "
        "the same place on each host",
        home.folder, most_remote_argument / mebibyte);
  return std::make_unique<Copy>(home.in(home.folder));
}

void arrived(std::string_view argument, FilePiece const&) {
  throw Error("nothing is added to {}, which is only read", argument);
}

}  // namespace

constinit MultiHostHooks const multi_host{
    .remote_argument = remote_argument, .on_host = on_host, .arrived = arrived};

}  // namespace earl::replay
