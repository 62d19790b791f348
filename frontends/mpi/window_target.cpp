// SPDX-License-Identifier: BSD-3-Clause
/// The target's part of one-sided operations.
#include <cstring>

#include "frontends/mpi/predefined.hpp"
#include "frontends/mpi/translate.hpp"
#include "frontends/mpi/windows.hpp"

namespace earl::mpi {

namespace {

/// The memory that an operation is about.
class TargetMemory {
 public:
  TargetMemory(Window& window, Rank origin, ReceivedAccess const& request)
      : pattern_(request.layout, 1, 0), base_(address(window, origin, request)) {}

  std::size_t size() const { return pattern_.size(); }
  void write(Bytes data) { pattern_.copy_in(base_, 0, data.data(), data.size()); }
  Buffer read() const {
    Buffer result{size()};
    pattern_.copy_out(base_, 0, result.data(), size());
    return result;
  }

 private:
  static std::byte* address(Window& window, Rank origin, ReceivedAccess const& request) {
    auto const offset = request.head.displacement * window.unit;
    auto const at = reinterpret_cast<std::uintptr_t>(window.dynamic() ? nullptr : window.base) +
                    static_cast<std::uintptr_t>(offset);
    if (window.dynamic()) check_attached(window, origin, at);
    return reinterpret_cast<std::byte*>(at);
  }
  /// The origin cannot know: its target ends.
  static void check_attached(Window& window, Rank origin, std::uintptr_t at) {
    auto const next = window.attached.upper_bound(at);
    if (next != window.attached.begin() && at < std::prev(next)->second) return;
    window.process.end(
        code_of(ErrorClass::rma_range),
        fmt::format("mpi: {}: rank {} has reached for address {:#x}, where nothing is attached: "
                    "MPI_Win_attach it before ({})",
                    window.scope->to_text(), window.scope->local->number_of(origin), at,
                    name_of(ErrorClass::rma_range)));
  }

  Pattern pattern_;
  std::byte* base_;
};

void combine(TargetMemory& memory, AccessHead const& head, Bytes operands) {
  Handle const op = operation_by_code(head.operation);
  if (op == MPI_NO_OP) return;
  if (op == MPI_REPLACE) return memory.write(operands);
  Buffer there = memory.read();
  predefined_combine(op, builtin::by_code(head.element))(there.room(), operands);
  memory.write(there.bytes());
}

LockType lock_in(AccessHead const& head) {
  bool const is_shared = head.element == static_cast<std::uint32_t>(LockType::shared);
  return is_shared ? LockType::shared : LockType::exclusive;
}

/// `data` is what is compared, then what replaces it.
void swap_if_equal(TargetMemory& memory, Bytes old, Bytes data) {
  auto const size = memory.size();
  if (std::memcmp(old.data(), data.data(), size) == 0) memory.write(data.subspan(size));
}

void serve_memory(Window& window, Rank origin, ReceivedAccess const& request) {
  TargetMemory memory(window, origin, request);
  switch (request.head.access) {
    case Access::put:
      return memory.write(request.data);
    case Access::get:
      return window.send(origin, WindowTag::data, memory.read().bytes());
    case Access::accumulate:
      return combine(memory, request.head, request.data);
    case Access::get_accumulate:
      window.send(origin, WindowTag::data, memory.read().bytes());
      return combine(memory, request.head, request.data);
    default:
      Buffer const old = memory.read();
      window.send(origin, WindowTag::data, old.bytes());
      return swap_if_equal(memory, old.bytes(), request.data);
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
