/// Outcomes as bytes and back. Both directions keep the same predictions, so that what repeats
/// costs nothing: a wildcard receive that goes on as before is one byte, its source. The
/// predictions start anew with each frame.
#pragma once

#include <vector>

#include "debug/trace/outcome.hpp"
#include "debug/trace/varint.hpp"

namespace earl::trace {

/// What has been seen in this frame so far, and what would come next if things went on like that.
class Predictions {
 public:
  struct Site {
    Selector selector{};
    OpKind kind = OpKind::receive;
    std::int64_t tag_step = 0;
    std::int64_t event_step = 0;
    std::int64_t post_step = 0;
    std::uint32_t next = no_site;
    bool known = false;
  };
  struct Channel {
    std::uint64_t last = 0;
    std::int64_t step = 1;
    bool known = false;
  };

  void reset();

  std::uint32_t site() const { return last_site_ == no_site ? 0 : at(last_site_).next; }
  OpKind kind(std::uint32_t site) const { return at(site).kind; }
  Selector selector(std::uint32_t site) const;
  std::uint64_t event(std::uint32_t site) const { return moved(event_, at(site).event_step); }
  std::uint64_t post(std::uint32_t site) const { return moved(post_, at(site).post_step); }
  std::uint64_t sequence(Rank source) const;
  std::uint64_t hash_block() const { return hash_block_; }
  std::int64_t clock() const { return clock_; }

  /// What the record of such an outcome tells.
  static bool has_site(What what);
  static bool has_selector(What what);
  static bool has_post(What what);
  static bool has_id(What what);

  /// Takes in an outcome that was written or read.
  void learn(Outcome const& outcome);

 private:
  Site const& at(std::uint32_t site) const;
  void learn_site(Outcome const& outcome);
  void learn_channel(MessageId const& id);

  std::vector<Site> sites_;
  std::vector<Channel> channels_;  ///< by source + 3, the lowest being exec_rank
  std::uint32_t last_site_ = no_site;
  std::uint64_t event_ = 0;
  std::uint64_t post_ = 0;
  std::uint64_t hash_block_ = 0;
  std::int64_t clock_ = 0;
};

/// Events between two hash records.
inline constexpr std::uint64_t hash_every = 256;
/// Most positions in one `tested` record; longer lists are cut into several.
inline constexpr std::size_t most_positions = 1000;
/// Longest text in one record; the rest is cut off.
inline constexpr std::size_t most_text = 4096;
/// No record is longer.
inline constexpr std::size_t most_record_bytes = 256 + 5 * most_positions + 2 * most_text;

class Encoder {
 public:
  void reset() { expected_.reset(); }
  /// Writes one record at `to`, where most_record_bytes are free; gives its length.
  std::size_t put(Outcome const& outcome, std::byte* to);

 private:
  bool is_short(Outcome const& outcome) const;
  void put_long(Outcome const& outcome, Put& to) const;
  void put_asked(Outcome const& outcome, Put& to) const;
  Predictions expected_;
};

class Decoder {
 public:
  void reset() { expected_.reset(); }
  /// Reads one record. False: what is there is no whole record; `from` is then used up.
  bool get(Get& from, Outcome& outcome);

 private:
  void get_short(unsigned source, Outcome& outcome) const;
  bool get_long(What what, Get& from, Outcome& outcome) const;
  bool get_asked(Get& from, Outcome& outcome) const;
  Predictions expected_;
};

/// All whole records of `bytes`, which begin a frame. What is left over of the last one is dropped;
/// `whole`, when given, says whether nothing was.
std::vector<Outcome> decode(Bytes bytes, bool* whole = nullptr);

}  // namespace earl::trace
