// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/multi_host.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>

#include "debug/trace/follower.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::record {

namespace {

/// Processes read in EXEC's stream which run this is: its beginning says so.
std::string remote_argument(std::string_view argument) {
  std::ifstream file(trace::exec_path(std::string(argument)), std::ios::binary);
  std::string head(sizeof(trace::FileHeader), '\0');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size())))
    throw Error("cannot read {} again", trace::exec_path(std::string(argument)));
  return head;
}

class Files final : public RemoteCollector {
 public:
  Files(std::string_view remote_argument, std::string folder) : folder_(std::move(folder)) {
    std::ofstream file(trace::exec_path(folder_), std::ios::binary);
    if (!file.write(remote_argument.data(), static_cast<std::streamsize>(remote_argument.size()))
             .flush())
      throw Error("cannot record in {} of this host: {}", folder_, system_message(errno));
  }

  std::string argument() const override { return folder_; }

  std::vector<FilePiece> changed_pieces(Rank rank) override {
    return followers_.try_emplace(rank, trace::rank_path(folder_, rank), rank)
        .first->second.changed_pieces();
  }

 private:
  std::string folder_;
  std::map<Rank, trace::Follower> followers_;
};

std::unique_ptr<RemoteCollector> on_host(std::string_view remote_argument,
                                         std::string const& folder) {
  return std::make_unique<Files>(remote_argument, folder);
}

void arrived(std::string_view argument, FilePiece const& piece) {
  auto const path = trace::rank_path(std::string(argument), piece.rank);
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
