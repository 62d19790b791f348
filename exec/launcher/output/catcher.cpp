// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/catcher.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>

#include "generic/base/id_table.hpp"

namespace earl::exec {

std::string Catcher::mark_of(Rank rank, std::uint32_t host) const {
  auto mark = wanted_.mark;
  auto const at = mark.find('#');
  if (at == std::string::npos) return mark;
  auto const value = wanted_.first + short_name_of(rank) + wanted_.per_host * host;
  return mark.replace(at, 1, fmt::format("{:x}", value));
}

CaughtOutput::CaughtOutput(std::shared_ptr<Catcher> catcher, Rank rank, std::uint32_t host)
    : catcher_(std::move(catcher)), rank_(rank), mark_(catcher_->mark_of(rank, host)) {
  write_mark("BEGIN");
}

CaughtOutput::~CaughtOutput() {
  catch_up();
  write_mark("EOF");
  catcher_->ended(rank_);
}

void CaughtOutput::write_mark(std::string_view word) {
  if (!mark_.empty()) sink()->write(this, fmt::format("{}{}\n", mark_, word));
}

std::optional<CatchRequest> catch_request_in(std::string_view assignment) {
  constexpr std::string_view name = "EARL_CATCH_OUTPUT=";
  if (!assignment.starts_with(name)) return std::nullopt;
  assignment.remove_prefix(name.size());
  auto const take = [&](auto& number) {
    auto const* end = assignment.data() + assignment.size();
    auto const parsed = std::from_chars(assignment.data(), end, number);
    if (parsed.ec != std::errc{} || parsed.ptr == end || *parsed.ptr != ' ') return false;
    assignment.remove_prefix(static_cast<std::size_t>(parsed.ptr + 1 - assignment.data()));
    return true;
  };
  CatchRequest request;
  std::uint64_t context = 0;
  if (!take(request.descriptor) || !take(request.first) || !take(request.per_host) ||
      !take(context))
    return CatchRequest{};
  request.context = static_cast<Context>(context);
  request.mark = assignment;
  return request;
}

Descriptor borrow_descriptor(pid_t process, int number) {
  Descriptor const handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!handle) return {};
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_getfd, handle.get(), number, 0)));
}

std::shared_ptr<Sink> sink_of(Loop& loop, Descriptor file, std::function<void()> room) {
  struct Place {
    Descriptor file;
    Sink sink;
  };
  int const fd = file.get();
  // The subscriber may have gone: the lines are lost then, as they would be with it.
  auto const place = std::shared_ptr<Place>(
      new Place{std::move(file), {loop, fd, {.room = std::move(room), .broken = [](int) {}}}});
  return {place, &place->sink};
}

}  // namespace earl::exec
