// SPDX-License-Identifier: BSD-3-Clause
/// The target's part of one-sided operations.
#include "frontends/mpi/predefined.hpp"
#include "frontends/mpi/target_memory.hpp"
#include "frontends/mpi/translate.hpp"
#include "frontends/mpi/windows.hpp"

namespace earl::mpi {

namespace {

/// The origin cannot know: its target ends.
void check_attached(Window& window, Rank origin, std::uintptr_t at) {
  auto const next = window.attached.upper_bound(at);
  if (next != window.attached.begin() && at < std::prev(next)->second) return;
  window.process.end(
      code_of(ErrorClass::rma_range),
      fmt::format("mpi: {}: rank {} has reached for address {:#x}, where nothing is attached: "
                  "MPI_Win_attach it before ({})",
                  window.scope->to_text(), window.scope->local->number_of(origin), at,
                  name_of(ErrorClass::rma_range)));
}

TargetMemory memory_of(Window& window, Rank origin, ReceivedAccess const& request) {
  auto const offset = request.head.displacement * window.unit;
  auto const at = reinterpret_cast<std::uintptr_t>(window.dynamic() ? nullptr : window.base) +
                  static_cast<std::uintptr_t>(offset);
  if (window.dynamic()) check_attached(window, origin, at);
  return {Pattern{request.layout, 1, 0}.with(request.head.padding),
          reinterpret_cast<std::byte*>(at)};
}

void combine(TargetMemory& memory, ReceivedAccess const& request) {
  memory.combine(operation_by_code(request.head.operation), builtin::by_code(request.head.element),
                 request.data);
}

LockType lock_in(AccessHead const& head) {
  bool const is_shared = head.element == static_cast<std::uint32_t>(LockType::shared);
  return is_shared ? LockType::shared : LockType::exclusive;
}

void serve_memory(Window& window, Rank origin, ReceivedAccess const& request) {
  TargetMemory memory = memory_of(window, origin, request);
  switch (request.head.access) {
    case Access::put:
      return memory.write(request.data);
    case Access::get:
      return window.send(origin, WindowTag::data, memory.pieces());
    case Access::accumulate:
      return combine(memory, request);
    case Access::get_accumulate:
      window.send(origin, WindowTag::data, memory.pieces());
      return combine(memory, request);
    default:
      Buffer const old = memory.read();
      window.send(origin, WindowTag::data, old.bytes());
      return memory.swap_if_equal(old.bytes(), request.data.first(memory.size()),
                                  request.data.subspan(memory.size()));
  }
}

void note_waiters(Window& window) {
  window.only_answers = !window.lock.waits_for_others(window.process.rank());
}

void take_lock(Window& window, Rank origin, LockType type) {
  if (window.lock.ask(origin, type)) window.send(origin, WindowTag::granted);
  note_waiters(window);
}

void give_lock_back(Window& window, Rank origin) {
  auto const next = window.lock.release(origin);
  window.send(origin, WindowTag::done);
  for (auto const rank : next) window.send(rank, WindowTag::granted);
  note_waiters(window);
}

}  // namespace

void serve_access(Window& window, Rank origin, Bytes message) {
  ReceivedAccess const request(message);
  switch (request.head.access) {
    case Access::flush:
      return window.send(origin, WindowTag::done);
    case Access::lock:
      return take_lock(window, origin, lock_in(request.head));
    case Access::unlock:
      return give_lock_back(window, origin);
    default:
      return serve_memory(window, origin, request);
  }
}

}  // namespace earl::mpi
