#include "backends/pvm/board.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "generic/error.hpp"

namespace earl::pvm_machine {

namespace {

/// Above PVM's own contexts, which count from 0: they never get that far.
std::int32_t random_context() {
  std::uint32_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits)
    throw Error("no random number: {}", system_message(errno));
  return static_cast<std::int32_t>((bits & 0x3fff'ffff) | 0x4000'0000);
}

}  // namespace

Board::Board(std::uint32_t capacity, std::string const& socket) : JobBoard(capacity) {
  head().context = random_context();
  if (socket.size() >= sizeof head().socket)
    throw Error("the PVM daemon's socket {} has too long a name", socket);
  std::memcpy(head().socket, socket.c_str(), socket.size() + 1);
}

}  // namespace earl::pvm_machine
