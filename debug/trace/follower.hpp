// SPDX-License-Identifier: BSD-3-Clause
/// Follows a trace file while its process writes it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "debug/trace/layout.hpp"
#include "generic/seams/tool.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::trace {

/// Returns the changed pieces of the file. A reader that puts all of them in place has a trace, as
/// if the process had been killed at that moment.
class Follower {
 public:
  Follower(std::string path, Rank rank) : path_(std::move(path)), rank_(rank) {}

  /// The changes since the last call. Nothing while there is no file yet, or after its end.
  std::vector<FilePiece> changed_pieces();

 private:
  using TailBytes = std::array<std::byte, sizeof(TailHeader)>;

  /// The open frame as it was at one moment.
  struct Open {
    std::uint64_t offset = 0;
    TailBytes header{};
    std::string record;
  };

  bool ready();
  bool read(std::uint64_t offset, MutableBytes to) const;
  std::uint64_t tail_offset() const;
  std::optional<Open> open_frame(std::uint64_t offset) const;
  std::uint64_t frames_end() const;
  bool whole_frame(std::uint64_t offset, std::uint64_t& size) const;
  void add_frames(std::uint64_t end, std::vector<FilePiece>& pieces);
  void add_tail(Open const& open, std::vector<FilePiece>& pieces);
  void add(std::uint64_t offset, std::string bytes, std::vector<FilePiece>& pieces) const;
  void add_from_file(std::uint64_t from, std::uint64_t to, std::vector<FilePiece>& pieces) const;

  std::string path_;
  Rank rank_;
  Descriptor file_{};
  std::uint32_t tail_room_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t sent_ = 0;  ///< frames before that offset have been given; 0: nothing has
  std::optional<std::uint64_t> at_{};  ///< the tail's offset as it was given; 0: the file is closed
  Open given_{};
};

}  // namespace earl::trace
