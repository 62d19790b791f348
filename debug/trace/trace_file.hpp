// SPDX-License-Identifier: BSD-3-Clause
/// A trace file being written, so that SIGKILL at any instant loses nothing that was committed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "debug/trace/layout.hpp"
#include "generic/base/bytes.hpp"
#include "generic/base/crc32c.hpp"

struct ZSTD_CCtx_s;

namespace earl::trace {

/// Shortens a frame that is whole.
class FrameReducer {
 public:
  /// The frame to write in place of `frame`, `most` bytes at most. Stays valid until the next call.
  virtual Bytes reduced(Bytes frame, std::size_t most) = 0;

 protected:
  ~FrameReducer() = default;
};

struct TraceFileOptions {
  std::string path;
  Rank rank = no_rank;
  RunId run{};
  std::uint32_t initial = 0;
  FrameKind kind = FrameKind::order;    ///< of its frames
  std::uint32_t tail_room = 16U << 10;  ///< bytes of record per frame
  FrameReducer* reducer = nullptr;      ///< outlives the file
  /// Bytes that the file may take on disk, about: older frames are dropped. 0: all are kept.
  std::uint64_t keep = 0;
};

/// Bytes go to reserve() and become part of the record with commit(): a plain store to shared
/// memory. When the tail is full, reserve() compresses it into a frame; nothing else ever makes a
/// system call. All disk space is claimed before it is needed. When there is none left, the record
/// ends with a note in the file and a sentence on stderr, and the run goes on unrecorded.
class TraceFile {
 public:
  /// Throws Error when the file cannot be made or the disk has no room for its first bytes.
  explicit TraceFile(TraceFileOptions options);
  /// Leaves the file as a killed process would: a record without an end.
  ~TraceFile();
  TraceFile(TraceFile const&) = delete;
  TraceFile& operator=(TraceFile const&) = delete;

  /// Memory for `size` bytes (at most tail_room); null when the record has ended. May begin a new
  /// frame; compare frame().
  std::byte* reserve(std::size_t size) {
    bool const there = map_ != nullptr && used_ + size <= options_.tail_room;
    return there ? map_ + used_ : make_room();
  }
  /// Commits the first `size` bytes of the memory that reserve() gave. Ends an open run of misses.
  void commit(std::size_t size) {
    if (used_ == 0) [[unlikely]]
      tail_->first_event = events_;
    crc_ = crc32c(Bytes{map_ + used_, size}, crc_);
    used_ += static_cast<std::uint32_t>(size);
    misses_ = 0;
    bytes_left_ = options_.tail_room - used_;
    tail_->check.store(check_word(used_, crc_), std::memory_order_release);
    tail_->committed.store(commit_word(used_, 0), std::memory_order_release);
  }
  /// Whether commit_byte() may follow: the frame has a record and room for one more byte, and no
  /// run of misses is open.
  bool takes_byte() const { return bytes_left_ != 0; }
  void commit_byte(std::byte byte) {
    // Copies: after the first store to the tail, members would be loaded again.
    auto const used = used_ + 1;
    auto const crc = crc32c(byte, crc_);
    TailHeader& tail = *tail_;
    map_[used_] = byte;
    used_ = used;
    --bytes_left_;
    crc_ = crc;
    tail.check.store(check_word(used, crc), std::memory_order_release);
    tail.committed.store(commit_word(used, 0), std::memory_order_release);
  }
  /// One more answer "no" in the open run.
  void miss();
  std::uint32_t misses() const { return misses_; }
  /// The number of frames begun; predictions start anew with each.
  std::uint32_t frame() const { return sequence_; }
  bool frame_is_empty() const { return used_ == 0; }
  bool is_open() const { return map_ != nullptr; }
  /// Counts the API calls begun, for the report about a cut record.
  void event(std::uint64_t count) {
    events_ = count;
    events_in_tail_->store(count, std::memory_order_relaxed);
  }
  std::uint64_t events() const { return events_; }
  /// A good moment: makes a frame if the tail is nearly full.
  void safe_point();
  /// With `keep`: so much has been written that a new part is due.
  bool part_is_due() const {
    return options_.keep != 0 && map_ != nullptr && frames_end_ - part_at_ > options_.keep / parts;
  }
  /// Begins a part with `prefix`, all that must be known of what is before it. The part before the
  /// last one is dropped. There is no open run of misses.
  void begin_part(Bytes prefix);
  /// In a fork: what has been recorded so far is copied to a new file at `path`, where the record
  /// goes on; the old file stays as it is. Throws Error when that file cannot be made.
  void continue_in(std::string path);
  /// Writes the last frame and an `end` frame with `ending` in it, and closes the file.
  void finish(Bytes ending);

 private:
  /// Two that are kept, and one for the gap between frames and tail.
  static constexpr std::uint64_t parts = 3;

  int create(std::uint64_t size) const;
  std::byte* make_room();
  void write_frame();
  std::size_t compress(Bytes contents, MutableBytes into);
  void append(FrameKind kind, Bytes contents, std::uint64_t first_event);
  void move_tail(std::uint64_t more = 0);
  void drop_before(std::uint64_t offset);
  void map_tail(std::uint64_t offset);
  void unmap_tail();
  void close_at_end();
  void stop_recording(std::string_view what, int error);
  std::size_t most_in_frame() const;
  std::uint64_t frame_space() const;
  std::uint64_t tail_space() const;

  TraceFileOptions options_;
  int file_ = -1;
  FileHeader* header_ = nullptr;
  TailHeader* tail_ = nullptr;
  std::byte* map_ = nullptr;  ///< where the tail's record begins
  std::uint32_t used_ = 0;
  std::uint32_t bytes_left_ = 0;  ///< see takes_byte()
  std::uint32_t crc_ = 0;         ///< of the tail's record
  std::uint32_t misses_ = 0;
  std::uint32_t sequence_ = 0;
  std::uint64_t frames_end_ = 0;  ///< offset behind the last frame
  std::uint64_t tail_at_ = 0;
  std::uint64_t events_ = 0;
  std::atomic<std::uint64_t> nowhere_ = 0;
  std::atomic<std::uint64_t>* events_in_tail_ = &nowhere_;  ///< there is always one to write to
  std::uint64_t moves_ = 0;
  std::uint64_t part_at_ = 0;  ///< offset of the youngest prefix; 0: there is none yet
  std::uint64_t dropped_to_ = 0;
  ZSTD_CCtx_s* compressor_ = nullptr;  ///< null: not needed yet
  Buffer scratch_;                     ///< a frame being put together
};

/// EXEC's stream and the ranks' in the recording `folder`.
std::string exec_path(std::string const& folder);
std::string rank_path(std::string const& folder, Rank rank);

}  // namespace earl::trace
