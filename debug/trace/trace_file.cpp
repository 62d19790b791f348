// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/trace_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>
#include <vector>

#include "generic/base/crc32c.hpp"
#include "generic/base/error.hpp"
#include "generic/system/mapping_hint.hpp"

namespace earl::trace {

namespace {

constexpr int compression_level = 3;
/// Room for the frames that end a file: `end` and `note`.
constexpr std::uint64_t final_frame_space = 1024;

std::uint64_t page() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

int allocate(int file, std::uint64_t from, std::uint64_t to) {
  int error = 0;
  do {
    error = posix_fallocate(file, static_cast<off_t>(from), static_cast<off_t>(to - from));
  } while (error == EINTR);
  return error;
}

/// In place of the mapping `old`, if there is one.
void* map_shared(int file, std::uint64_t offset, std::uint64_t size, void* old = nullptr) {
  void* memory =
      mmap(old != nullptr ? old : mapping_hint(size), size, PROT_READ | PROT_WRITE,
           MAP_SHARED | (old != nullptr ? MAP_FIXED : 0), file, static_cast<off_t>(offset));
  return memory == MAP_FAILED ? nullptr : memory;
}

bool write_all(int file, Bytes bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    auto const n = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool copy_file(int from, int to, std::uint64_t size) {
  constexpr std::size_t most_at_once = 1U << 20;
  std::vector<std::byte> room(std::min<std::uint64_t>(size, most_at_once));
  for (std::uint64_t at = 0; at < size;) {
    auto const n = pread(from, room.data(), std::min<std::uint64_t>(size - at, room.size()),
                         static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || !write_all(to, Bytes{room}.first(static_cast<std::size_t>(n)), at)) return false;
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

}  // namespace

TraceFile::TraceFile(TraceFileOptions options) : options_(std::move(options)) {
  frames_end_ = sizeof(FileHeader);
  tail_at_ = aligned(frames_end_ + frame_space() + final_frame_space, page());
  auto const size = tail_at_ + tail_space();
  file_ = create(size);
  void* const first = map_shared(file_, 0, page());
  if (first == nullptr) {
    auto const why = system_message(errno);
    close(file_);
    unlink(options_.path.c_str());
    throw Error("cannot record to {}: no memory to map: {}", options_.path, why);
  }
  header_ = new (first) FileHeader;
  header_->rank = number(options_.rank);
  header_->run = options_.run;
  header_->initial = options_.initial;
  header_->tail_room = options_.tail_room;
  header_->crc = crc32c({reinterpret_cast<std::byte const*>(header_), header_checked_bytes});
  scratch_ = Buffer(std::max<std::size_t>(frame_space(), final_frame_space));
  map_tail(tail_at_);
}

/// All of it has disk space.
int TraceFile::create(std::uint64_t size) const {
  auto const file = open(options_.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw Error("cannot record to {}: {}", options_.path, system_message(errno));
  auto const error = allocate(file, 0, size);
  if (error == 0) return file;
  close(file);
  unlink(options_.path.c_str());
  throw Error("cannot record to {}: no room for {} bytes: {}; -o DIR records to another disk",
              options_.path, size, system_message(error));
}

/// Both mappings stay where they are. A record that has ended has no tail.
void TraceFile::continue_in(std::string path) {
  options_.path = std::move(path);
  bool const has_tail = tail_ != nullptr;
  auto const copy = create(has_tail ? tail_at_ + tail_space() : frames_end_);
  bool is_whole =
      copy_file(file_, copy, frames_end_) && map_shared(copy, 0, page(), header_) != nullptr;
  if (is_whole && has_tail)
    is_whole = write_all(copy, {reinterpret_cast<std::byte const*>(tail_), sizeof *tail_ + used_},
                         tail_at_) &&
               map_shared(copy, tail_at_, tail_space(), tail_) != nullptr;
  auto const error = errno;
  close(is_whole ? std::exchange(file_, copy) : copy);
  if (!is_whole) throw Error("cannot record to {}: {}", options_.path, system_message(error));
}

TraceFile::~TraceFile() {
  unmap_tail();
  if (header_ != nullptr) munmap(header_, page());
  if (file_ >= 0) close(file_);
  ZSTD_freeCCtx(compressor_);
}

/// A reducer that only knows lists may need more than the tail had.
std::size_t TraceFile::most_in_frame() const {
  return options_.reducer == nullptr ? options_.tail_room : 2 * options_.tail_room;
}

std::uint64_t TraceFile::frame_space() const {
  return aligned(sizeof(FrameHeader) + ZSTD_compressBound(most_in_frame()), 8);
}

std::uint64_t TraceFile::tail_space() const {
  return aligned(sizeof(TailHeader) + options_.tail_room, page());
}

void TraceFile::miss() {
  if (map_ == nullptr) return;
  if (used_ == 0 && misses_ == 0) tail_->first_event = events_;
  ++misses_;
  bytes_left_ = 0;
  tail_->committed.store(commit_word(used_, misses_), std::memory_order_release);
}

void TraceFile::safe_point() {
  if (map_ != nullptr && misses_ == 0 && used_ > options_.tail_room / 4 * 3) write_frame();
}

std::byte* TraceFile::make_room() {
  if (map_ != nullptr) write_frame();
  return map_ == nullptr ? nullptr : map_ + used_;
}

// The order of the stores is the crash safety: the frame is whole before the tail is emptied, and
// the record in a tail whose number is that of a whole frame is stale. An open run of misses is
// behind all records and always holds.
void TraceFile::write_frame() {
  if (used_ == 0) return;
  Bytes contents{map_, used_};
  if (options_.reducer != nullptr) contents = options_.reducer->reduced(contents, most_in_frame());
  append(options_.kind, contents, tail_->first_event);
  if (map_ == nullptr) return;
  used_ = 0;
  bytes_left_ = 0;
  crc_ = 0;
  tail_->committed.store(commit_word(0, misses_), std::memory_order_release);
  tail_->check.store(0, std::memory_order_release);
  tail_->first_event = events_;
  tail_->sequence.store(sequence_, std::memory_order_release);
  if (frames_end_ + frame_space() + final_frame_space > tail_at_) move_tail();
}

/// The size; 0: no fewer bytes than before. Not worth the compressor's memory where there are few.
std::size_t TraceFile::compress(Bytes contents, MutableBytes into) {
  constexpr std::size_t few = 512;
  if (contents.size() < few) return 0;
  if (!compressor_) compressor_ = ZSTD_createCCtx();
  if (!compressor_) return 0;
  auto const size = ZSTD_compressCCtx(compressor_, into.data(), into.size(), contents.data(),
                                      contents.size(), compression_level);
  return ZSTD_isError(size) != 0 || size >= contents.size() ? 0 : size;
}

void TraceFile::append(FrameKind kind, Bytes contents, std::uint64_t first_event) {
  FrameHeader frame;
  frame.kind = kind;
  frame.codec = Codec::zstd;
  frame.sequence = sequence_;
  frame.first_event = first_event;
  frame.raw = static_cast<std::uint32_t>(contents.size());
  auto const body = scratch_.room().subspan(sizeof frame);
  auto stored = compress(contents, body);
  if (stored == 0) {
    frame.codec = Codec::raw;
    stored = copy(contents, body);
  }
  frame.stored = static_cast<std::uint32_t>(stored);
  frame.crc = crc32c(body.first(stored), crc32c(bytes_of(frame)));
  copy(bytes_of(frame), scratch_.room());
  auto const size = aligned(sizeof frame + stored, 8);
  std::fill(body.begin() + static_cast<std::ptrdiff_t>(stored),
            body.begin() + static_cast<std::ptrdiff_t>(size - sizeof frame), std::byte{0});
  if (!write_all(file_, scratch_.bytes().first(size), frames_end_))
    return stop_recording("cannot write", errno);
  frames_end_ += size;
  ++sequence_;
}

// The gap grows with the file, so that moving stays rare and short records stay small.
void TraceFile::move_tail(std::uint64_t more) {
  auto frames = std::min<std::uint64_t>(2ULL << moves_++, 64);
  if (options_.keep != 0)
    frames = std::clamp<std::uint64_t>(options_.keep / parts / frame_space(), 1, frames);
  auto const old_end = tail_at_ + tail_space();
  auto const needed = frames_end_ + more + frames * frame_space() + final_frame_space;
  auto const offset = std::max(old_end, aligned(needed, page()));
  if (auto const error = allocate(file_, old_end, offset + tail_space()))
    return stop_recording("no more room", error);
  unmap_tail();
  map_tail(offset);
}

// The prefix is in the file before the frames that it stands for are dropped: a kill at any instant
// leaves a part that begins with one.
void TraceFile::begin_part(Bytes prefix) {
  if (map_ != nullptr) write_frame();
  if (map_ == nullptr) return;
  auto const size = aligned(sizeof(FrameHeader) + ZSTD_compressBound(prefix.size()), 8);
  if (scratch_.size() < size) scratch_ = Buffer(size);
  if (frames_end_ + size + frame_space() + final_frame_space > tail_at_) move_tail(size);
  if (map_ == nullptr) return;
  auto const at = frames_end_;
  append(FrameKind::prefix, prefix, events_);
  if (map_ == nullptr) return;
  tail_->first_event = events_;
  tail_->sequence.store(sequence_, std::memory_order_release);
  if (part_at_ != 0) drop_before(part_at_);
  part_at_ = at;
}

void TraceFile::drop_before(std::uint64_t offset) {
  header_->kept_from.store(offset, std::memory_order_release);
  auto const from = std::max(dropped_to_, page());
  auto const to = offset / page() * page();
  if (to <= from) return;
  dropped_to_ = to;
  auto const failed = fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(from), static_cast<off_t>(to - from)) != 0;
  if (!failed) return;
  auto const sentence = fmt::format(
      "earl: {} takes more space than --keep allows: its file system cannot give back a part of a "
      "file: {}\n",
      options_.path, system_message(errno));
  options_.keep = 0;
  if (write(STDERR_FILENO, sentence.data(), sentence.size()) < 0) return;
}

void TraceFile::map_tail(std::uint64_t offset) {
  void* memory = map_shared(file_, offset, tail_space());
  if (memory == nullptr) return stop_recording("no memory to map", errno);
  tail_ = new (memory) TailHeader;
  tail_->kind = options_.kind;
  tail_->first_event = events_;
  tail_->events.store(events_, std::memory_order_relaxed);
  events_in_tail_ = &tail_->events;
  tail_->committed.store(commit_word(0, misses_), std::memory_order_relaxed);
  tail_->sequence.store(sequence_, std::memory_order_release);
  map_ = static_cast<std::byte*>(memory) + sizeof(TailHeader);
  tail_at_ = offset;
  header_->tail_offset.store(offset, std::memory_order_release);
}

void TraceFile::unmap_tail() {
  if (tail_ != nullptr) munmap(tail_, tail_space());
  tail_ = nullptr;
  events_in_tail_ = &nowhere_;
  map_ = nullptr;
  bytes_left_ = 0;
}

void TraceFile::finish(Bytes ending) {
  if (map_ == nullptr) return;
  write_frame();
  if (map_ == nullptr) return;
  append(FrameKind::end, ending, events_);
  if (map_ != nullptr) close_at_end();
}

void TraceFile::close_at_end() {
  unmap_tail();
  header_->tail_offset.store(0, std::memory_order_release);
  // An untruncated file is longer than need be and still right.
  if (ftruncate(file_, static_cast<off_t>(frames_end_)) != 0) return;
}

// The contents of the tail stay there: they may be more than the frames hold. Only an empty tail
// leaves room for a note.
void TraceFile::stop_recording(std::string_view what, int error) {
  auto const sentence = fmt::format(
      "earl: the record of {} ends after event {}: {} in {}: {}; the run goes on unrecorded\n",
      options_.rank == exec_rank ? "EXEC" : fmt::format("rank {}", number(options_.rank)), events_,
      what, options_.path, system_message(error));
  if (write(STDERR_FILENO, sentence.data(), sentence.size()) < 0) return;
  auto const empty = used_ == 0;
  unmap_tail();
  if (!empty || header_ == nullptr) return;
  header_->tail_offset.store(0, std::memory_order_release);
  FrameHeader frame;
  frame.kind = FrameKind::note;
  frame.sequence = sequence_;
  frame.first_event = events_;
  auto const note = std::as_bytes(std::span{sentence})
                        .first(std::min<std::size_t>(sentence.size(), final_frame_space / 2));
  frame.raw = frame.stored = static_cast<std::uint32_t>(note.size());
  frame.crc = crc32c(note, crc32c(bytes_of(frame)));
  auto const whole = write_all(file_, bytes_of(frame), frames_end_) &&
                     write_all(file_, note, frames_end_ + sizeof frame);
  if (whole) frames_end_ += aligned(sizeof frame + note.size(), 8);
  if (ftruncate(file_, static_cast<off_t>(frames_end_)) != 0) return;
}

std::string exec_path(std::string const& folder) { return folder + "/exec.ert"; }

std::string rank_path(std::string const& folder, Rank rank) {
  return fmt::format("{}/r{:05}.ert", folder, number(rank));
}

}  // namespace earl::trace
