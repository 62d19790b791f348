// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/multi_host.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>

#include "debug/record/argument.hpp"
#include "debug/trace/follower.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::record {

namespace {

/// Processes read in EXEC's stream which run this is: its beginning says so.
std::string remote_argument(std::string_view argument) {
  const Argument wanted{argument};
  auto const path = trace::exec_path(wanted.folder);
  std::ifstream file(path, std::ios::binary);
  std::string head(sizeof(trace::FileHeader), '\0');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size())))
    throw Error("cannot read {} again", path);
  return wanted.in(head);
}

class Files final : public RemoteCollector {
 public:
  Files(std::string_view remote_argument, std::string folder)
      : wanted_(remote_argument), folder_(std::move(folder)) {
    std::ofstream file(trace::exec_path(folder_), std::ios::binary);
    auto const& head = wanted_.folder;
    if (!file.write(head.data(), static_cast<std::streamsize>(head.size())).flush())
      throw Error("cannot record in {} of this host: {}", folder_, system_message(errno));
  }

  std::string argument() const override { return wanted_.in(folder_); }

  std::vector<FilePiece> changed_pieces(Rank rank) override {
    return followers_.try_emplace(rank, trace::rank_path(folder_, rank), rank)
        .first->second.changed_pieces();
  }

 private:
  Argument wanted_;  ///< the head of EXEC's stream, in the folder's place
  std::string folder_;
  std::map<Rank, trace::Follower> followers_;
};

std::unique_ptr<RemoteCollector> on_host(std::string_view remote_argument,
                                         std::string const& folder) {
  return std::make_unique<Files>(remote_argument, folder);
}

void arrived(std::string_view argument, FilePiece const& piece) {
  auto const path = trace::rank_path(Argument{argument}.folder, piece.rank);
  Descriptor const file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  struct stat about {};
  auto const size = static_cast<ssize_t>(piece.bytes.size());
  bool const kept = file &&
                    ::pwrite(file.get(), piece.bytes.data(), piece.bytes.size(),
                             static_cast<off_t>(piece.offset)) == size &&
                    ::fstat(file.get(), &about) == 0 &&
                    (static_cast<std::uint64_t>(about.st_size) <= piece.size ||
                     ::ftruncate(file.get(), static_cast<off_t>(piece.size)) == 0);
  if (!kept) throw Error("cannot record to {}: {}", path, system_message(errno));
}

}  // namespace

constinit MultiHostHooks const multi_host{
    .remote_argument = remote_argument, .on_host = on_host, .arrived = arrived};

}  // namespace earl::record
