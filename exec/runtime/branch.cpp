// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/branch.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "generic/base/id_table.hpp"
#include "generic/services/operations.hpp"

namespace earl::boot {

using control::BranchEnd;

void Branch::give_up(BranchEnd why) { ::_exit(static_cast<int>(why)); }

/// Standard error matters in runs that fail only.
void Branch::print(Rank rank, int stream, std::string_view text) {
  if (stream == STDOUT_FILENO) write(rank, lines_[number(rank)].take(text));
}

/// A line without an end is ended when another rank writes, as EXEC does it.
void Branch::write(Rank rank, std::string_view text) {
  if (text.empty()) return;
  std::string lines{open_line_ == no_rank || open_line_ == rank ? "" : "\n"};
  lines += text;
  open_line_ = lines.back() == '\n' ? no_rank : rank;
  for (std::string_view rest = lines; !rest.empty();) {
    auto const n = ::write(output_.get(), rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) give_up(BranchEnd::failed);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::optional<control::Message> Branch::answer_to(control::Type type, std::uint32_t ticket,
                                                  std::uint32_t operation) {
  if (type != control::Type::request) give_up(BranchEnd::failed);
  // It has no answer that could be another one.
  if (operation != static_cast<std::uint32_t>(Operation::retire)) give_up(BranchEnd::needs_exec);
  return control::Message{
      .type = control::Type::answer, .ticket = ticket, .operation = operation, .body = {}};
}

void Branch::continue_in(Descriptor output) {
  std::array<char, 4096> room{};
  ssize_t n = 0;
  for (off_t at = 0; (n = ::pread(output_.get(), room.data(), room.size(), at)) > 0; at += n)
    if (::write(output.get(), room.data(), static_cast<std::size_t>(n)) != n)
      give_up(BranchEnd::failed);
  if (n < 0) give_up(BranchEnd::failed);
  output_ = std::move(output);
}

void Branch::departed(Rank rank, int wait_status) {
  if (wait_status != 0) give_up(BranchEnd::failed);
  if (auto const last = lines_.find(number(rank)); last != lines_.end())
    write(rank, last->second.take_rest());
  auto const& head = *reinterpret_cast<IdHead const*>(table_.data());
  auto* const rows = reinterpret_cast<IdRow*>(table_.data() + id_rows_at);
  rows[slot_of(rank, head.capacity)].state.store(static_cast<std::uint32_t>(RankState::ended));
}

}  // namespace earl::boot
