// SPDX-License-Identifier: BSD-3-Clause
#include "debug/contents/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "generic/base/crc32c.hpp"
#include "generic/base/error.hpp"

namespace earl::contents {

namespace {

struct RecordHead {
  std::uint64_t size = 0;  ///< of what follows
  std::uint32_t crc = 0;   ///< of size and part, then of what follows
  Part part{};
  std::array<std::uint8_t, 3> reserved{};
};
static_assert(sizeof(RecordHead) == 16);

std::uint32_t start_of_crc(RecordHead const& head) {
  return crc32c(bytes_of(head.part), crc32c(bytes_of(head.size)));
}

std::string path_of(std::string_view folder, Rank rank, char const* ending) {
  return fmt::format("{}/c{:05}.{}", folder, number(rank), ending);
}

}  // namespace

std::string packets_path(std::string_view folder, Rank rank) {
  return path_of(folder, rank, "packets");
}
std::string exec_path(std::string_view folder, Rank rank) { return path_of(folder, rank, "exec"); }

ContentsWriter::ContentsWriter(std::string const& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
  if (!file_) throw Error("cannot make {}: {}", path, system_message(errno));
}

void ContentsWriter::put(Part part, Bytes head, Gather const& body) {
  RecordHead record{.size = head.size() + body.size(), .part = part};
  auto crc = crc32c(head, start_of_crc(record));
  std::vector<Bytes> pieces{bytes_of(record), head};
  Buffer whole;
  if (body.patterned()) {
    whole = Buffer{body};
    pieces.push_back(whole.bytes());
  } else {
    for (auto const piece : body.list()) pieces.push_back(piece);
  }
  for (std::size_t i = 2; i < pieces.size(); ++i) crc = crc32c(pieces[i], crc);
  record.crc = crc;
  for (auto piece : pieces)
    while (!piece.empty()) {
      auto const done = ::write(file_.get(), piece.data(), piece.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw Error("cannot write {}: {}", path_, system_message(errno));
      piece = piece.subspan(static_cast<std::size_t>(done));
    }
}

ContentsReader::ContentsReader(std::string const& path)
    : path_(path), file_(path), rest_(file_.bytes()) {}

bool ContentsReader::next(Record& record) {
  RecordHead head;
  if (rest_.size() < sizeof head) return false;
  std::memcpy(static_cast<void*>(&head), rest_.data(), sizeof head);
  auto const left = rest_.subspan(sizeof head);
  if (head.size > left.size()) return false;
  record = {.part = head.part, .body = left.first(head.size)};
  if (crc32c(record.body, start_of_crc(head)) != head.crc)
    throw Error("{} is damaged at byte {}; remove it, and a replay makes it again", path_,
                file_.bytes().size() - rest_.size());
  rest_ = left.subspan(head.size);
  return true;
}

}  // namespace earl::contents
