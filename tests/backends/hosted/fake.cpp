// SPDX-License-Identifier: BSD-3-Clause
#include "tests/backends/hosted/fake.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "generic/base/error.hpp"

namespace earl::hosted_backend::test {

namespace {

constexpr int broken = 15;

FakeLibrary* fake = nullptr;

int enter(int* me, int* processes) {
  *me = fake->turn;
  *processes = fake->processes;
  return fake->broken ? broken : 0;
}

int leave() {
  ++fake->left;
  return 0;
}

int send(void const* bytes, std::size_t size, int to, int tag, earl_library_request* request) {
  if (fake->broken) return broken;
  auto const* const first = static_cast<std::byte const*>(bytes);
  fake->sent.push_back({.from = fake->turn, .to = to, .tag = tag, .bytes = {first, first + size}});
  request->handle = 0;
  return 0;
}

bool fits(Posted const& posted, Sent const& sent) {
  return !posted.done && posted.me == sent.to && posted.tag == sent.tag &&
         (posted.from == earl_library_any || posted.from == sent.from);
}

/// Messages in the order they were sent, receives in the order they were posted.
void match() {
  for (auto sent = fake->sent.begin(); sent != fake->sent.end();) {
    auto const posted =
        std::ranges::find_if(fake->posted, [&](Posted const& one) { return fits(one, *sent); });
    if (posted == fake->posted.end()) {
      ++sent;
      continue;
    }
    posted->size = copy(Bytes{sent->bytes}, posted->room);
    posted->done = true;
    sent = fake->sent.erase(sent);
  }
}

int receive(void* room, std::size_t size, int from, int tag, earl_library_request* request) {
  fake->posted.push_back(
      {.me = fake->turn, .from = from, .tag = tag, .room = {static_cast<std::byte*>(room), size}});
  request->handle = fake->posted.size();
  return 0;
}

int test(earl_library_request* request, std::size_t* size, int* error) {
  *error = fake->broken ? broken : 0;
  if (fake->broken) return -1;
  if (request->handle == 0) return 1;
  match();
  auto const& posted = fake->posted[request->handle - 1];
  if (posted.done && size) *size = posted.size;
  return posted.done ? 1 : 0;
}

int cancel(earl_library_request* request) {
  if (request->handle != 0) fake->posted[request->handle - 1].done = true;
  return 0;
}

char const* error_text(int) { return "no such luck"; }

void at_end(void (*)()) {}

constexpr earl_library_calls functions{
    earl_library_version, "MPI", enter, leave, send, receive, test, cancel, error_text, at_end};

}  // namespace

Network::Network(std::uint32_t processes) : Network(Spread::together(processes).hosts) {}

Network::Network(std::vector<std::uint32_t> const& hosts) : hosts_(hosts) {
  for (std::uint32_t here = 0; here <= std::ranges::max(hosts); ++here)
    boards_.push_back(std::make_unique<Board>(Spread{.hosts = hosts, .here = here}, 1));
  mpi_.processes = static_cast<int>(hosts.size());
  fake = &mpi_;
}

Network::~Network() { fake = nullptr; }

LibraryPort& Network::join(int rank) {
  mpi_.turn = rank;
  Descriptor memory(
      ::fcntl(board(hosts_.at(static_cast<std::size_t>(rank))).descriptor(), F_DUPFD_CLOEXEC, 0));
  auto board = std::make_unique<Board>(std::move(memory));
  ports_[rank] = std::make_unique<LibraryPort>(std::move(board), Rank{rank}, functions);
  return port(rank);
}

LibraryPort& Network::port(int rank) {
  mpi_.turn = rank;
  return *ports_.at(rank);
}

}  // namespace earl::hosted_backend::test
