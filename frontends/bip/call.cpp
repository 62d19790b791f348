#include "frontends/bip/call.hpp"

#include <unistd.h>

#include <cstdlib>

namespace earl::bip {

void fail(Process* process, char const* name, Error const& error) {
  if (process)
    process->end(1, fmt::format("bip[{}] {}: {}", process->cell(bip_mynode), name, error.what()));
  // A forked child has no Process to ask.
  auto const line = fmt::format("{}: {}\n", name, error.what());
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(1);
}

/// The Process is at work for another thread, so that nothing is tidied up.
void Turn::refuse_thread(State& me, char const* name) {
  me.process().host().stop(
      1,
      fmt::format("bip[{}] {}: another thread of this process is inside a call of BIP; Earl takes "
                  "one at a time: let one thread do the messages",
                  me.me(), name));
  std::abort();
}

}  // namespace earl::bip
