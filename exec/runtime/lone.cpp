// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/lone.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "exec/runtime/stack.hpp"
#include "generic/base/error.hpp"
#include "generic/system/bell.hpp"
#include "generic/system/mapping_hint.hpp"
#include "generic/system/poll_until.hpp"

namespace earl::boot {

namespace {

constexpr std::size_t lone_packet = 64 * 1024;
constexpr int exit_deadlock = 86;  ///< as a job's

struct LoneTable {
  IdHead head{};
  std::byte gap[id_rows_at - sizeof(IdHead)] = {};
  IdRow row{};
};
static_assert(sizeof(LoneTable) == id_table_bytes(1));

class LonePort final : public Port {
 public:
  explicit LonePort(char const* advice) : advice_(advice) {}

  Limits limits() const override { return {.packet = lone_packet, .eager = lone_packet}; }
  bool put(Rank to, Header const&, Gather const&) override {
    throw Error(Fault::bad_rank, "there is no process {}: this program runs alone", number(to));
  }
  std::size_t poll(PacketSink&) override { return 0; }
  void wait(Deadline deadline) override;
  void wake() override { bell_.ring(); }
  int wait_fd() override { return bell_.get(); }

 private:
  char const* advice_;
  Bell bell_;
  Wakers wakers_;
};

/// Only the program itself could go on, and it waits.
[[noreturn]] void end_without_message(char const* advice) {
  fmt::print(stderr,
             "earl: deadlock: {} runs alone and waits for a message that no process can send; {}\n",
             ::program_invocation_short_name, advice);
  std::exit(exit_deadlock);
}

bool watched() {
  char const* const word = std::getenv("EARL_DEADLOCK");
  return !word || std::string_view{word} == "end";
}

void LonePort::wait(Deadline deadline) {
  pollfd bell{.fd = bell_.get(), .events = POLLIN, .revents = 0};
  if (deadline == never && poll_until({&bell, 1}, {}) == 0 && !wakers_.any() && watched())
    end_without_message(advice_);
  if (poll_until({&bell, 1}, deadline) > 0) bell_.listen();
}

}  // namespace

/// Mapped like EXEC's, and as long-lived: a process that joins a job later may still have looked at
/// a row.
Bytes lone_table(char const* front_end) {
  void* memory = ::mmap(mapping_hint(sizeof(LoneTable)), sizeof(LoneTable), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("no memory for an id table: {}", system_message(errno));
  auto* table = new (memory) LoneTable;
  table->head.magic = id_table_magic;
  table->head.version = id_table_version;
  table->head.capacity = 1;
  table->row.parent = number(no_rank);
  table->row.unix_pid = ::getpid();
  table->row.batch_size = 1;
  table->row.role = Role::bare;
  std::strncpy(table->row.front_end, front_end, sizeof table->row.front_end - 1);
  std::strncpy(table->row.program, ::program_invocation_short_name, sizeof table->row.program - 1);
  table->row.state = static_cast<std::uint32_t>(RankState::registered);
  table->head.initial = 1;
  table->head.count = 1;
  return std::as_bytes(std::span{table, 1});
}

std::unique_ptr<Port> lone_port(char const* advice) { return std::make_unique<LonePort>(advice); }

}  // namespace earl::boot
