// SPDX-License-Identifier: BSD-3-Clause
/// Receives of a minimal recording that need no outcome of their own: whichever of the messages
/// that such receives got comes first is the recorded one.
///
/// While a frame is being written it holds every outcome, so that a killed process loses nothing.
/// A whole frame holds, in place of the outcomes of its free receives, the numbers of these
/// receives and of their messages.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "debug/trace/outcome.hpp"
#include "debug/trace/progressions.hpp"
#include "debug/trace/trace_file.hpp"

namespace earl::trace {

/// The free receives of the frame being written.
class FreeReceives final : public FrameReducer {
 public:
  /// After its outcome has been put.
  void add(std::uint64_t post, MessageId const& id);
  /// A receive of any kind is complete.
  void count_receive() { ++receives_; }
  Bytes reduced(Bytes frame, std::size_t most) override;
  /// The receives that no frame counts yet; the last frame may have been empty.
  bool has_uncounted() const { return receives_ != 0; }

 private:
  std::vector<Outcome> lists();

  std::vector<std::uint64_t> posts_;
  std::map<Rank, std::vector<std::uint64_t>> messages_;  ///< sequences, by source
  std::uint64_t receives_ = 0;
  std::vector<std::byte> bytes_;
};

/// The lists of a whole record.
class FreeLists {
 public:
  /// Adds the text of one record; bytes that are no such text add nothing.
  void read(std::string_view text);
  bool has_receive(std::uint64_t post) const { return posts_.contains(post); }
  /// Whether a free receive got this message.
  bool has_message(MessageId const& id) const;
  /// The sources of these messages.
  std::vector<Rank> sources() const;
  std::uint64_t receives() const { return posts_.size(); }

 private:
  Progressions posts_;
  std::map<Rank, Progressions> messages_;
};

}  // namespace earl::trace
