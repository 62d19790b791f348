// SPDX-License-Identifier: BSD-3-Clause
/// Reads a trace file that may be cut, damaged, or no trace at all.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "debug/trace/codec.hpp"
#include "debug/trace/layout.hpp"
#include "debug/trace/outcome.hpp"
#include "debug/trace/prefix.hpp"

namespace earl::trace {

/// A part of the file that could not be read.
struct Gap {
  std::uint64_t offset = 0;  ///< in the file
  std::uint64_t bytes = 0;
  std::uint32_t frames = 0;       ///< lost with it
  std::uint64_t after_event = 0;  ///< begin of the last frame before it
};

/// The end of a file, known when next() has given null.
struct Ending {
  bool complete = false;         ///< the process ended orderly and all of it is here
  std::uint64_t events = 0;      ///< API calls begun
  std::uint64_t unreceived = 0;  ///< messages that were not received
  std::uint32_t hash = 0;        ///< rolling hash at the end
  std::uint32_t misses = 0;      ///< answers "no" in the run that was open when it was cut
  std::string note;              ///< why the record was ended early, as the writer has noted it
  std::vector<Gap> gaps;
};

/// Whether the process was killed before it had written the header of this file of its.
bool lacks_header(std::string const& path);

class TraceReader {
 public:
  /// Throws Error with one sentence when the file cannot be read, is no trace, or one of another
  /// version.
  explicit TraceReader(std::string path);
  ~TraceReader();
  TraceReader(TraceReader const&) = delete;
  TraceReader& operator=(TraceReader const&) = delete;

  Rank rank() const { return Rank{header_.rank}; }
  RunId const& run() const { return run_; }
  std::uint32_t initial() const { return header_.initial; }
  std::uint64_t file_bytes() const { return size_; }
  std::string const& path() const { return path_; }

  /// The outcomes of the next readable frame, the open one last; null: no more. Damage is skipped
  /// and noted in ending().
  std::optional<std::vector<Outcome>> next();
  /// The same in steps, for many outcomes: a frame, and each outcome in it, as by decode_each().
  struct Frame {
    std::string contents;
    bool open = false;  ///< of the tail
  };
  std::optional<Frame> next_frame();
  template <class Sink>
  void each(Frame const& frame, Sink sink) {
    decode_each(std::as_bytes(std::span{frame.contents}), [&](auto&& outcome) {
      if (frame.open) ending_.events = std::max(ending_.events, outcome.event);
      sink(std::forward<decltype(outcome)>(outcome));
    });
  }
  /// The same for files of another kind: the next frame as bytes.
  std::optional<std::string> next_record(FrameKind kind);
  Ending const& ending() const { return ending_; }
  /// The number of ending().gaps that lie before the last result of next().
  bool met_gap() const { return !ending_.gaps.empty(); }
  /// The part that is not kept; null: all is. Known from the beginning.
  std::optional<Prefix> const& prefix() const { return prefix_; }
  /// The calls with which parts begin that have been read so far, in order.
  std::vector<std::uint64_t> const& parts() const { return parts_; }
  /// Bytes of frames and tail read so far, as they are on disk.
  std::uint64_t stored_bytes() const { return stored_; }

 private:
  struct Plain {  // FileHeader without its atomic
    std::int32_t rank = 0;
    std::uint32_t initial = 0;
    std::uint32_t tail_room = 0;
    std::uint64_t tail_offset = 0;
    std::uint64_t kept_from = 0;
  };
  struct Tail {
    std::uint32_t sequence = 0;
    std::uint64_t first_event = 0;
    std::uint64_t events = 0;
    std::uint32_t misses = 0;
    FrameKind kind = FrameKind::order;
    std::string record;
  };

  void read_header();
  void read_tail();
  void find_kept_part();
  bool tail_holds(std::uint64_t check, std::uint32_t length, std::uint64_t at) const;
  bool read(std::uint64_t offset, MutableBytes to) const;
  bool read_frame(std::uint64_t offset, FrameHeader& frame, std::string& contents) const;
  bool find_frame(FrameHeader& frame, std::string& contents);
  bool skip_to_frame(FrameHeader& frame, std::string& contents);
  struct Raw {
    FrameKind kind = FrameKind::order;
    std::string contents;
    bool open = false;  ///< of the tail
  };
  std::optional<Raw> next_raw();
  std::optional<Raw> open_frame();
  void take_end(std::string const& contents);
  void note_gap(std::uint64_t from, std::uint64_t to, std::uint32_t frames);

  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  Plain header_;
  RunId run_;
  std::optional<Tail> tail_;
  std::uint64_t at_ = sizeof(FileHeader);
  std::uint32_t sequence_ = 0;    ///< of the next frame
  std::uint64_t last_begin_ = 0;  ///< first event of the last good frame
  std::uint64_t stored_ = 0;
  bool over_ = false;
  std::optional<Prefix> prefix_;
  std::vector<std::uint64_t> parts_;
  Ending ending_;
};

}  // namespace earl::trace
