// SPDX-License-Identifier: BSD-3-Clause
/// The processes of the job: one table in memory that EXEC writes and every process maps
/// read-only. A Rank is given once; its row is the one of its low bits, and is given to another
/// rank when nothing of the process is left (Roster::release).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl {

enum class RankState : std::uint32_t {
  unused = 0,  ///< no such rank yet
  reserved,    ///< named before its process exists
  started,
  registered,  ///< has said hello
  ended,
};

/// The role of a process in its job.
enum class Role : std::uint32_t {
  member = 0,
  alone,  ///< started without saying how many: a host, if it loads others
  bare,   ///< likewise, and without EXEC
  host,   ///< has said that it is one
};

/// Places that processes are loaded into; entry p of the table's head is partition p.
struct PartitionRow {
  std::atomic<std::uint32_t> places = 0;  ///< 0: there is none, or it was released
  std::atomic<std::int32_t> host = -2;    ///< its host's Rank; no_rank: none yet
};
inline constexpr std::uint32_t most_partitions = 480;

/// One process of the job, 128 bytes. Written by EXEC before `rank` names its owner; then only the
/// atomic members and `front_end` change, until the row is another process's.
struct IdRow {
  std::atomic<std::uint32_t> state = 0;
  std::atomic<std::int32_t> unix_pid = 0;
  std::int32_t parent = -2;  ///< Rank that spawned it; no_rank: the user did
  std::uint32_t batch = 0;   ///< number of the run or spawn that started it; 0: the user's
  std::atomic<std::uint32_t> place =
      0;                         ///< in its partition, else n-th process of its front end, from 0
  std::uint32_t flags = 0;       ///< SpawnRequest::flags
  std::uint32_t label = 0;       ///< SpawnRequest::label
  std::uint32_t batch_size = 0;  ///< how many the same spawn started
  char front_end[16] = {};       ///< "nx", "pvm3", ...; empty until known; see front_end_of()
  std::uint32_t partition = 0;   ///< the one it was loaded into; 0: none
  std::atomic<Role> role = Role::member;
  std::uint32_t host = 0;          ///< n-th of the job's hosts, from 0
  std::uint32_t visible_host = 0;  ///< the host that programs see: in a replay, where it was then
  std::atomic<std::int32_t> rank = 0;  ///< owner of the row; written last
  char program[60] = {};               ///< the name it was asked for by, cut
};
static_assert(sizeof(IdRow) == 128);

/// Start of the table's memory; rows follow at offset 4096, then, in a job's, hosts by short name.
struct IdHead {
  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t capacity = 0;              ///< rows; a power of two
  std::atomic<std::uint32_t> count = 0;    ///< ranks below this have been given or passed over
  std::atomic<std::uint32_t> initial = 0;  ///< how many `earl run` started at first
  PartitionRow partitions[most_partitions] = {};
  std::atomic<std::uint32_t> message_kib = 0;  ///< IdTable::message_memory()
  std::atomic<std::uint32_t> uniform = 0;      ///< IdTable::uniform()
};
inline constexpr std::uint64_t id_table_magic = 0x31'4449'4c52'4145;  // "EARLID1"
inline constexpr std::uint32_t id_table_version = 8;
inline constexpr std::size_t id_rows_at = 4096;
static_assert(sizeof(IdHead) <= id_rows_at);
/// Processes of a job at a time. A divisor of the number of short names.
inline constexpr std::uint32_t most_ranks = 65'536;
/// Processes that a job can have in its life.
inline constexpr std::int32_t rank_bits = 29;
inline constexpr std::int32_t most_ranks_ever = 1 << rank_bits;
inline constexpr std::uint32_t most_hosts = 4095;  ///< of a job

// A process that has left EXEC's services (ExecClient::retire()) and asks for one again is a new
// one there: its id is its Rank and, in the bits above, the number of its returns. After some
// returns the ids begin again. Messages know processes only.
inline constexpr std::uint32_t most_returns = 3;

constexpr Rank id_after(Rank process, std::uint32_t returns) {
  return Rank{number(process) + static_cast<std::int32_t>(returns << rank_bits)};
}
/// Ranks that are no process (exec_rank, no_rank) are themselves.
constexpr Rank process_of(Rank id) {
  return number(id) < 0 ? id : Rank{number(id) & (most_ranks_ever - 1)};
}
constexpr std::uint32_t returns_of(Rank id) {
  return number(id) < 0 ? 0 : static_cast<std::uint32_t>(number(id)) >> rank_bits;
}
constexpr std::uint32_t one_more(std::uint32_t returns) {
  return returns == most_returns ? 0 : returns + 1;
}

// The short name of an id, 18 bits: the low 16 bits of the Rank, and how often these have come
// round and the process has returned, modulo 4. No two processes that are there have the same; a
// name is used again after 262,144 spawns at the earliest, if no process has returned.
inline constexpr std::uint32_t short_names = 4 * most_ranks;

constexpr std::uint32_t short_name_of(Rank id) {
  auto const rank = static_cast<std::uint32_t>(number(process_of(id)));
  return rank % most_ranks + (rank / most_ranks + returns_of(id)) % 4 * most_ranks;
}

/// The row of a rank in a table of so many.
constexpr std::size_t slot_of(Rank rank, std::uint32_t rows) { return index(rank) & (rows - 1); }

/// IdRow::visible_host of the newest process of each short name: messages of a process that has
/// ended may be received when its row is another's.
using NamedHost = std::atomic<std::uint16_t>;
static_assert(most_hosts <= UINT16_MAX);
constexpr std::size_t id_table_bytes(std::uint32_t capacity) {
  return id_rows_at + sizeof(IdRow) * capacity;
}
constexpr std::size_t job_table_bytes(std::uint32_t capacity) {
  return id_table_bytes(capacity) + sizeof(NamedHost) * short_names;
}

/// Read access; the memory belongs to the caller that mapped it and outlives this view.
class IdTable {
 public:
  IdTable() = default;
  /// Throws Error when the memory does not hold a table of this version.
  explicit IdTable(Bytes memory);

  std::uint32_t count() const { return head_ ? head_->count.load(std::memory_order_acquire) : 0; }
  std::uint32_t initial() const {
    return head_ ? head_->initial.load(std::memory_order_acquire) : 0;
  }
  /// The ranks below this were started by one run as one program. 0: the rows say which were.
  std::uint32_t uniform() const {
    return head_ ? head_->uniform.load(std::memory_order_acquire) : 0;
  }
  /// Bytes of unreceived messages that the job may hold; 0: any number.
  std::uint64_t message_memory() const {
    return head_ ? std::uint64_t{head_->message_kib.load(std::memory_order_relaxed)} * 1024 : 0;
  }
  /// Null when the rank was never given, or its row is another's by now.
  IdRow const* find(Rank rank) const {
    if (!given(rank)) return nullptr;
    auto const* row = rows_ + slot_of(rank, head_->capacity);
    return row->rank.load(std::memory_order_acquire) == number(rank) ? row : nullptr;
  }
  /// Where programs see a process that is or was there; 0 if there never was one.
  std::uint32_t visible_host(Rank rank) const {
    if (auto const* row = find(rank)) return row->visible_host;
    return hosts_ && number(rank) >= 0 ? hosts_[short_name_of(rank)].load() : 0;
  }
  /// There is or was such a process.
  bool given(Rank rank) const { return number(rank) >= 0 && index(rank) < count(); }
  /// Calls visit(Rank, IdRow const&) for each row that is in use. By rank, as long as none has been
  /// used twice.
  template <class Visit>
  void each(Visit const& visit) const {
    auto const all = count();
    for (std::uint32_t n = 0; n < all && n < head_->capacity; ++n) {
      const Rank rank{rows_[n].rank.load(std::memory_order_acquire)};
      if (auto const* row = find(rank)) visit(rank, *row);
    }
  }
  /// The newest id of that short name; if there never was one, the Rank that would be the first.
  Rank named(std::uint32_t short_name) const;
  /// The row of a process that is mentioned in a message: on another host than EXEC's it may arrive
  /// a moment later than a message of the process. Null: it does not arrive, or is another's.
  IdRow const* await(Rank rank) const;
  /// The same as given(), for a rank that was in data of a program: in a job of several hosts its
  /// row may arrive at the host of `me` after them, and is awaited.
  bool exists(Rank rank, Rank me) const;
  /// The pid of a process that sends messages, once EXEC has registered it, which may be a moment
  /// later. 0: it has ended before, or no program in it calls Earl.
  std::int32_t await_unix_pid(Rank rank) const;
  /// Null when there never was such a partition.
  PartitionRow const* partition(std::uint32_t number) const {
    return head_ && number < most_partitions ? &head_->partitions[number] : nullptr;
  }
  RankState state(Rank rank) const {
    auto const* row = find(rank);
    if (!row && given(rank)) return RankState::ended;
    return row ? static_cast<RankState>(row->state.load(std::memory_order_acquire))
               : RankState::unused;
  }

 private:
  IdHead const* head_ = nullptr;
  IdRow const* rows_ = nullptr;
  NamedHost const* hosts_ = nullptr;  ///< null: not in this table
};

/// Empty until it is known. Another process may be writing it.
std::string_view front_end_of(IdRow const& row);
/// Its first character, which says that there is one, comes last.
void set_front_end(IdRow& row, std::string_view name);
std::string_view program_of(IdRow const& row);

}  // namespace earl
