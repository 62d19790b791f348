// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/files/shared.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "frontends/nx/errors.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/exec_client.hpp"

namespace earl::nx {

namespace {

/// A node's message to the others before they act together.
struct Intent {
  std::int64_t at = 0;  ///< its pointer
  std::uint64_t bytes = 0;
  std::uint32_t writes = 0;
  std::int32_t mode = 0;
};

std::vector<Intent> exchange(State& me, Group const& group, Intent mine) {
  const Buffer all = earl::all_gather(me.process(), group, bytes_of(mine));
  std::vector<Intent> intents(group.size());
  copy(all.bytes(), std::as_writable_bytes(std::span{intents}));
  return intents;
}

Intent intent(std::int64_t at, Transfer const& transfer) {
  return {.at = at,
          .bytes = transfer.bytes,
          .writes = transfer.direction == Direction::writing ? 1U : 0U};
}

void check_pointers(std::vector<Intent> const& all) {
  for (std::size_t node = 1; node < all.size(); ++node)
    if (all[node].at != all[0].at)
      throw NxError(ENFPS, "node 0's pointer is at {}, node {}'s at {}", all[0].at, node,
                    all[node].at);
}

void check_calls(std::vector<Intent> const& all) {
  for (std::size_t node = 1; node < all.size(); ++node)
    if (all[node].writes != all[0].writes)
      throw NxError(EMIXIO, "node {} writes while node {} reads", all[0].writes ? 0 : node,
                    all[0].writes ? node : 0);
}

void check_lengths(std::vector<Intent> const& all) {
  for (std::size_t node = 1; node < all.size(); ++node)
    if (all[node].bytes != all[0].bytes)
      throw NxError(EMIXIO, "node 0 asks for {} bytes, node {} for {}", all[0].bytes, node,
                    all[node].bytes);
}

std::optional<std::int64_t> own_pointer(int fd) {
  auto const at = ::lseek(fd, 0, SEEK_CUR);
  if (at >= 0) return at;
  if (errno == ESPIPE) return std::nullopt;
  refuse_file();
}

void set_pointer(int fd, std::int64_t to) {
  if (::lseek(fd, to, SEEK_SET) < 0) refuse_file();
}

std::int64_t length_of(int fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) refuse_file();
  return facts.st_size;
}

/// Where all stand after the nodes have moved `bytes` from `at` on: reading ends where the file
/// does.
std::int64_t after(int fd, std::int64_t at, std::uint64_t bytes, Direction direction) {
  auto const end = at + static_cast<std::int64_t>(bytes);
  return direction == Direction::writing ? end : std::clamp(length_of(fd), at, end);
}

// --- M_LOG: the pointer is an entry of the job's store; the node that has taken it out may use it

std::int64_t take_pointer(State& me, std::string const& name, bool keep_there) {
  auto const answer = me.process().exec().get_entry(
      {.name = name, .first = true, .remove = !keep_there, .wait = true});
  std::int64_t at = 0;
  if (answer.data.size() != sizeof at)
    throw NxError(ESETIO, "the entry '{}' of the job's store is no file pointer", name);
  std::memcpy(&at, answer.data.data(), sizeof at);
  return at;
}

void put_pointer(State& me, std::string const& name, std::int64_t at) {
  me.process().exec().put_entry(
      {.name = name,
       .overwritable = true,
       .persistent = true,
       .data = std::string(reinterpret_cast<char const*>(&at), sizeof at)});
}

TransferResult in_order_of_coming(State& me, int fd, std::string const& pointer,
                                  Transfer const& transfer) {
  auto const at = take_pointer(me, pointer, false);
  const TransferResult moved = move_bytes(fd, transfer, at);
  put_pointer(me, pointer, at + static_cast<std::int64_t>(moved.bytes));
  return moved;
}

// --- M_SYNC, M_RECORD, M_GLOBAL: each descriptor's own pointer is where the common one is

TransferResult in_order_of_nodes(State& me, int fd, std::int64_t at, Transfer const& transfer) {
  const Group group = me.group();
  auto const all = exchange(me, group, intent(at, transfer));
  check_pointers(all);
  check_calls(all);
  std::uint64_t before = 0, total = 0;
  for (std::size_t node = 0; node < all.size(); ++node) {
    if (node < group.me) before += all[node].bytes;
    total += all[node].bytes;
  }
  const TransferResult moved = move_bytes(fd, transfer, at + static_cast<std::int64_t>(before));
  set_pointer(fd, after(fd, at, total, transfer.direction));
  return moved;
}

TransferResult as_records(State& me, int fd, std::int64_t at, Transfer const& transfer) {
  const Group group = me.group();
  auto const mine = at + static_cast<std::int64_t>(group.me * transfer.bytes);
  const TransferResult moved = move_bytes(fd, transfer, mine);
  set_pointer(fd, after(fd, at, group.size() * transfer.bytes, transfer.direction));
  return moved;
}

/// Sends node 0's data to all.
void send_pieces(State& me, Group const& group, Transfer const& transfer, std::uint64_t bytes) {
  for (iovec const& piece : transfer.pieces) {
    auto const size = std::min<std::uint64_t>(piece.iov_len, bytes);
    earl::broadcast(me.process(), group, 0, {static_cast<std::byte*>(piece.iov_base), size});
    bytes -= size;
  }
}

TransferResult once_for_all(State& me, int fd, std::optional<std::int64_t> at,
                            Transfer const& transfer) {
  const Group group = me.group();
  auto const all = exchange(me, group, intent(at.value_or(0), transfer));
  check_pointers(all);
  check_calls(all);
  check_lengths(all);
  TransferResult moved;
  if (group.me == 0) moved = move_bytes(fd, transfer, at);
  earl::broadcast(me.process(), group, 0, writable_bytes_of(moved));
  if (transfer.direction == Direction::reading) send_pieces(me, group, transfer, moved.bytes);
  if (at) set_pointer(fd, *at + static_cast<std::int64_t>(moved.bytes));
  return moved;
}

/// Pipes and terminals: one node after the other.
TransferResult node_after_node(State& me, int fd, Transfer const& transfer) {
  const Group group = me.group();
  check_calls(exchange(me, group, intent(0, transfer)));
  TransferResult moved;
  for (std::size_t node = 0; node < group.size(); ++node) {
    if (node == group.me) moved = move_bytes(fd, transfer);
    earl::barrier(me.process(), group);
  }
  return moved;
}

bool has_common_pointer(std::int32_t mode) { return mode != M_UNIX && mode != M_ASYNC; }

}  // namespace

void check_mode(std::int32_t mode) {
  if (mode < M_UNIX || mode > M_ASYNC) throw NxError(EIMODE, "{} is no I/O mode (0 to 5)", mode);
}

TransferResult transfer_shared(State& me, int fd, Transfer const& transfer) {
  auto const sharing = me.files().of(fd);
  if (!has_common_pointer(sharing.mode)) return move_bytes(fd, transfer);
  auto const at = own_pointer(fd);
  if (sharing.mode == M_GLOBAL) return once_for_all(me, fd, at, transfer);
  if (sharing.mode == M_SYNC)
    return at ? in_order_of_nodes(me, fd, *at, transfer) : node_after_node(me, fd, transfer);
  if (sharing.mode == M_RECORD && at) return as_records(me, fd, *at, transfer);
  if (sharing.pointer.empty()) return move_bytes(fd, transfer);
  return in_order_of_coming(me, fd, sharing.pointer, transfer);
}

void share(State& me, int fd, std::int32_t mode) {
  check_mode(mode);
  const Group group = me.group();
  earl::barrier(me.process(), group);  // no node uses the old common pointer any more
  auto const at = pointer_of(me, fd);
  if (at) set_pointer(fd, *at);
  auto const all = exchange(me, group, {.at = at.value_or(0), .mode = mode});
  for (std::size_t node = 1; node < all.size(); ++node)
    if (all[node].mode != all[0].mode)
      throw NxError(ESETIO, "node 0 sets mode {}, node {} mode {}", all[0].mode, node,
                    all[node].mode);
  if (has_common_pointer(mode)) check_pointers(all);
  Sharing sharing{.mode = mode};
  auto const number = me.files().count_setting();
  if (mode == M_LOG && at && group.size() > 1) {
    sharing.pointer = fmt::format("nx file {:x} {}", id_of(group.context), number);
    if (group.me == 0) put_pointer(me, sharing.pointer, *at);
  }
  me.files().set(fd, std::move(sharing));
}

std::optional<std::int64_t> pointer_of(State& me, int fd) {
  auto const sharing = me.files().of(fd);
  if (!sharing.pointer.empty()) return take_pointer(me, sharing.pointer, true);
  return own_pointer(fd);
}

std::int64_t seek(State& me, int fd, std::int64_t offset, int from) {
  auto const sharing = me.files().of(fd);
  if (sharing.pointer.empty() || from == SEEK_END) {
    auto const at = ::lseek(fd, offset, from);
    if (at < 0) refuse_file();
    if (sharing.pointer.empty()) return at;
    take_pointer(me, sharing.pointer, false);
    put_pointer(me, sharing.pointer, at);
    return at;
  }
  auto const before = take_pointer(me, sharing.pointer, false);
  auto const at = ::lseek(fd, from == SEEK_CUR ? before + offset : offset, SEEK_SET);
  auto const fault = errno;
  put_pointer(me, sharing.pointer, at < 0 ? before : at);
  errno = fault;
  if (at < 0) refuse_file();
  return at;
}

}  // namespace earl::nx
