// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/roster/roster.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>

#include "generic/base/error.hpp"

namespace earl::exec {

namespace {

template <std::size_t N>
void set_text(char (&field)[N], std::string_view text) {
  auto const n = std::min(text.size(), N - 1);
  text.copy(field, n);
  std::memset(field + n, 0, N - n);
}

}  // namespace

Roster::Roster(std::uint32_t most)
    : memory_(::memfd_create("earl-ids", MFD_CLOEXEC | MFD_ALLOW_SEALING)),
      most_(most),
      taken_(std::bit_ceil(most)),
      bytes_(job_table_bytes(std::bit_ceil(most))) {
  if (!memory_ || ::ftruncate(memory_.get(), static_cast<off_t>(bytes_)) != 0)
    throw Error("no memory for the id table: {}", system_message(errno));
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (memory == MAP_FAILED) throw Error("no memory for the id table: {}", system_message(errno));
  auto* bytes = static_cast<std::byte*>(memory);
  head_ = new (bytes)
      IdHead{.magic = id_table_magic, .version = id_table_version, .capacity = std::bit_ceil(most)};
  // Unused rows are zeros; building them would touch all of the memory.
  rows_ = reinterpret_cast<IdRow*>(bytes + id_rows_at);
  hosts_ = reinterpret_cast<NamedHost*>(bytes + id_table_bytes(head_->capacity));
  // After this no process, a child that opens /proc/*/fd included, gets it writable any more.
  ::fcntl(memory_.get(), F_ADD_SEALS,
          F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
  auto const name = fmt::format("/proc/self/fd/{}", memory_.get());
  shared_ = Descriptor(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!shared_) throw Error("the id table cannot be shared: {}", system_message(errno));
}

Roster::~Roster() { ::munmap(head_, bytes_); }

/// In a job that has spawned much, ranks whose low bits are all ones are passed over: their short
/// name may be the highest, which is no task number of PVM's.
Rank Roster::next_from(std::uint32_t rank) const {
  bool const highest = rank > most_ranks && (rank + 1) % most_ranks == 0;
  return Rank{static_cast<std::int32_t>(highest ? rank + 1 : rank)};
}

Rank Roster::next_free() const {
  auto rank = next();
  while (!is_free(rank)) rank = next_from(static_cast<std::uint32_t>(number(rank)) + 1);
  return rank;
}

Rank Roster::add(NewRow const& facts, Rank rank) {
  auto& row = this->row(rank);
  taken_[slot_of(rank, capacity())] = true;
  ++used_;
  ++given_;
  // A process that looks for the previous owner finds that it has ended.
  row.rank.store(number(no_rank), std::memory_order_release);
  row.unix_pid = 0;
  row.place = members_[std::string(facts.front_end)].count;
  write(rank, facts);
  row.state.store(static_cast<std::uint32_t>(RankState::reserved), std::memory_order_release);
  row.rank.store(number(rank), std::memory_order_release);
  changed(rank);
  head_->count.store(static_cast<std::uint32_t>(number(rank)) + 1, std::memory_order_release);
  head_changed();
  return rank;
}

void Roster::note_host(Rank rank) {
  hosts_[short_name_of(rank)].store(static_cast<std::uint16_t>(row(rank).visible_host));
}

void Roster::release(Rank rank) {
  auto const& known = at(rank);
  auto const members = members_.find(front_end_of(known));
  if (members != members_.end()) members->second.places.erase(known.place);
  taken_[slot_of(rank, capacity())] = false;
  --used_;
}

void Roster::fill(Rank rank, NewRow const& facts) {
  --members_[std::string(front_end_of(at(rank)))].count;
  write(rank, facts);
  changed(rank);
}

void Roster::write(Rank rank, NewRow const& facts) {
  auto& known = row(rank);
  known.parent = number(facts.parent);
  known.batch = facts.batch;
  known.batch_size = facts.batch_size;
  known.flags = facts.flags;
  known.label = facts.label;
  known.partition = facts.partition;
  known.role = facts.role;
  known.host = facts.host;
  known.visible_host = facts.visible_host;
  note_host(rank);
  if (facts.partition != 0) known.place = facts.place;
  set_front_end(known, facts.front_end);
  set_text(known.program, facts.program);
  if (known.partition != 0) by_place_[{known.partition, known.place, known.label}] = rank;
  enrol(rank);
}

void Roster::set_initial(std::uint32_t count) {
  head_->initial.store(count, std::memory_order_release);
  head_changed();
}

void Roster::set_uniform() {
  head_->uniform.store(count(), std::memory_order_release);
  head_changed();
}

void Roster::set_message_memory(std::uint64_t bytes) {
  head_->message_kib.store(static_cast<std::uint32_t>(bytes / 1024), std::memory_order_release);
  head_changed();
}

void Roster::set_pid(Rank rank, std::int32_t unix_pid) {
  row(rank).unix_pid = unix_pid;
  changed(rank);
}

void Roster::set_role(Rank rank, Role role) {
  row(rank).role = role;
  changed(rank);
}

void Roster::changed(Rank rank) const {
  if (!watcher_) return;
  auto const place = id_rows_at + slot_of(rank, capacity()) * sizeof(IdRow);
  watcher_(static_cast<std::uint32_t>(place), bytes_of(at(rank)));
}

void Roster::head_changed() const {
  if (watcher_) watcher_(0, std::as_bytes(std::span{head_, 1}));
}

/// Word by word from the end: `state` and `count`, which make the others valid, come last. A row
/// that becomes another's has no owner meanwhile. Readers need no order for words that stay as they
/// are: those are not written.
std::optional<Roster::Copied> Roster::copy_in(std::uint32_t at, Bytes bytes) {
  using Word = std::atomic<std::uint32_t>;
  auto const n = at < id_rows_at ? 0 : (at - id_rows_at) / sizeof(IdRow);
  bool const head = at == 0 && bytes.size() == sizeof(IdHead);
  bool const one = at >= id_rows_at && n < capacity() && bytes.size() == sizeof(IdRow) &&
                   at == id_rows_at + n * sizeof(IdRow);
  if (!head && !one) throw Error("{} bytes at {} are no piece of the id table", bytes.size(), at);
  auto* const words = reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(head_) + at);
  auto const read = [&](std::size_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + word * sizeof value, sizeof value);
    return value;
  };
  constexpr auto owner = offsetof(IdRow, rank) / sizeof(Word);
  const Rank rank{one ? static_cast<std::int32_t>(read(owner)) : number(no_rank)};
  if (one && (number(rank) < 0 || slot_of(rank, capacity()) != n))
    throw Error("row {} of the id table cannot be rank {}'s", n, number(rank));
  bool const first = one && (!taken_[n] || rows_[n].rank.load() != number(rank));
  if (first) rows_[n].rank.store(number(no_rank), std::memory_order_release);
  // Before the counts stand magic, version and capacity, which are this table's own.
  std::size_t const begin = head ? offsetof(IdHead, count) / sizeof(Word) : 0;
  for (auto word = bytes.size() / sizeof(Word); word-- > begin;)
    if ((head || word != owner) && words[word].load(std::memory_order_relaxed) != read(word))
      words[word].store(read(word), std::memory_order_release);
  if (head) return std::nullopt;
  note_host(rank);
  rows_[n].rank.store(number(rank), std::memory_order_release);
  taken_[n] = true;
  return Copied{.rank = rank, .first = first};
}

void Roster::set_partition(std::uint32_t number, std::uint32_t places, Rank host) {
  set_host(number, host);
  head_->partitions[number].places.store(places, std::memory_order_release);
  head_changed();
}

void Roster::set_host(std::uint32_t number, Rank host) {
  head_->partitions[number].host.store(earl::number(host), std::memory_order_release);
  head_changed();
}

Rank Roster::host_of(std::uint32_t number) const {
  return Rank{head_->partitions[number].host.load(std::memory_order_relaxed)};
}

std::uint32_t Roster::places_of(std::uint32_t number) const {
  return number < most_partitions ? head_->partitions[number].places.load() : 0;
}

std::optional<Rank> Roster::find(Places const& where) const {
  auto const found = by_place_.find({where.partition, static_cast<std::uint32_t>(where.place),
                                     static_cast<std::uint32_t>(where.label)});
  return found == by_place_.end() ? std::nullopt : std::optional{found->second};
}

void Roster::set_state(Rank rank, RankState state) {
  row(rank).state.store(static_cast<std::uint32_t>(state), std::memory_order_release);
  changed(rank);
}

/// Counts a process among those of its front end, and notes where it is. Those behind wrappers are
/// counted among themselves, so that `earl run -n 4 sh -c ./node` numbers its nodes by rank.
void Roster::enrol(Rank rank) {
  auto const& known = at(rank);
  auto& members = members_[std::string(front_end_of(known))];
  ++members.count;
  members.places.insert(known.place);
}

void Roster::learn_front_end(Rank rank, std::string_view name) {
  auto& known = row(rank);
  if (!front_end_of(known).empty()) return;
  auto const& members = members_[std::string(name)];
  if (known.partition == 0 && members.places.contains(known.place)) known.place = members.count;
  --members_[""].count;
  set_front_end(known, name);
  enrol(rank);
  changed(rank);
}

}  // namespace earl::exec
