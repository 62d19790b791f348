// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/new_communicators.hpp"

#include <algorithm>
#include <cstring>

#include "frontends/mpi/inter_collectives.hpp"
#include "generic/collectives/between.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

namespace {

/// A member's message when a communicator is split.
struct Share {
  std::uint64_t id = 0;  ///< what the context of a part would be called whose first member it is
  int color = 0;
  int key = 0;
};

/// The message that the first members of two groups exchange.
struct Side {
  std::uint64_t id = 0;
  Rank first = no_rank;
  std::uint32_t high = 0;
};

/// The contributions of the other group's members.
template <class T>
std::vector<T> all_of_remote(State& me, Communicator const& inter, T const& mine) {
  std::vector<T> all(static_cast<std::size_t>(inter.remote->size()));
  std::vector<Scatter> rooms;
  for (T& one : all) rooms.emplace_back(writable_bytes_of(one));
  earl::all_gather(me.process(), groups_of(inter), Gather{bytes_of(mine)}, rooms);
  return all;
}

/// The parts of those members that are of the color, in the order of their keys.
std::vector<int> numbers_of(std::span<Share const> said, int color) {
  std::vector<int> numbers;
  for (std::size_t number = 0; number < said.size(); ++number)
    if (said[number].color == color) numbers.push_back(static_cast<int>(number));
  std::ranges::stable_sort(numbers, {},
                           [&](int number) { return said[static_cast<std::size_t>(number)].key; });
  return numbers;
}

Ref<Members> members_with(State& me, Members const& all, std::span<int const> numbers) {
  Ranks ranks;
  for (auto const number : numbers) ranks.push_back(all.rank_of(number));
  return make<Members>(std::move(ranks), me.process().rank());
}

template <class T>
std::vector<T> read_all(Buffer const& said) {
  std::vector<T> all(said.size() / sizeof(T));
  if (!all.empty()) std::memcpy(all.data(), said.data(), all.size() * sizeof(T));
  return all;
}

/// Between the first members of an intercommunicator, which the program's messages do not meet.
Side exchanged(State& me, Communicator const& inter, Side const& mine) {
  Context const context = context_of(Space::front_end, inter.collective_id);
  Rank const other = inter.remote->rank_of(0);
  me.process().send({.dest = other, .context = context, .mode = Mode::buffered}, bytes_of(mine));
  auto const message =
      me.process().take({.source = other, .context = context, .tag = TagMatch::exactly(Tag{0})});
  return read_all<Side>(message.body).front();
}

}  // namespace

std::uint64_t agreed_id(State& me, Communicator const& comm, int namer) {
  std::uint64_t id = comm.local->me() == namer ? me.context_names().next() : 0;
  earl::broadcast(me.process(), comm.group(), static_cast<std::size_t>(namer),
                  writable_bytes_of(id));
  return id;
}

std::uint64_t agreed_id(State& me, Communicator const& comm, Members const& members, Tag tag) {
  Context const context = context_of(Space::front_end, comm.collective_id);
  Rank const first = members.rank_of(0);
  if (members.me() != 0) {
    auto const message =
        me.process().take({.source = first, .context = context, .tag = TagMatch::exactly(tag)});
    return read_all<std::uint64_t>(message.body).front();
  }
  std::uint64_t const id = me.context_names().next();
  me.process().send_to_all(members.ranks().subspan(1),
                           {.context = context, .tag = tag, .mode = Mode::buffered}, bytes_of(id));
  return id;
}

BothSides agreed_by_both(State& me, Communicator const& inter, bool high) {
  Side mine, theirs;
  if (inter.local->me() == 0) {
    mine = {.id = me.context_names().next(), .first = me.process().rank(), .high = high ? 1U : 0U};
    theirs = exchanged(me, inter, mine);
    theirs.id = std::min(mine.id, theirs.id);
  }
  earl::broadcast(me.process(), inter.group(), 0, writable_bytes_of(theirs));
  return {.id = theirs.id,
          .high = theirs.high != 0,
          .first = number(inter.local->rank_of(0)) < number(theirs.first)};
}

Communicator& new_communicator(State& me, Communicator const& parent, Ref<Members> members,
                               std::uint64_t id) {
  auto made = make<Communicator>();
  made->local = std::move(members);
  made->context = context_of(Space::user, id);
  made->collective_id = id;
  made->errhandler = parent.errhandler;
  return me.open(std::move(made));
}

Communicator* split(State& me, Communicator const& comm, int color, int key) {
  Share const mine{.id = me.context_names().next(), .color = color, .key = key};
  auto const said = read_all<Share>(earl::all_gather(me.process(), comm.group(), bytes_of(mine)));
  auto const remote = comm.inter() ? all_of_remote(me, comm, mine) : std::vector<Share>{};
  if (color == MPI_UNDEFINED) return nullptr;
  auto const numbers = numbers_of(said, color);
  auto const id = said[static_cast<std::size_t>(numbers.front())].id;
  auto members = members_with(me, *comm.local, numbers);
  if (!comm.inter()) return &new_communicator(me, comm, std::move(members), id);
  auto const others = numbers_of(remote, color);
  if (others.empty()) return nullptr;
  auto const their_id = remote[static_cast<std::size_t>(others.front())].id;
  auto& made = new_communicator(me, comm, std::move(members), std::min(id, their_id));
  made.remote = members_with(me, *comm.remote, others);
  return &made;
}

Communicator* part_between(State& me, Communicator const& inter, Ref<Members> members) {
  auto const id = agreed_by_both(me, inter, false).id;
  auto const said = all_of_remote(
      me, inter, Share{.color = members->me() == Members::none ? 0 : 1, .key = members->me()});
  auto const others = numbers_of(said, 1);
  if (members->me() == Members::none || others.empty()) return nullptr;
  auto& made = new_communicator(me, inter, std::move(members), id);
  made.remote = members_with(me, *inter.remote, others);
  return &made;
}

Communicator* first_members(State& me, Communicator const& comm, int count) {
  auto const id = agreed_id(me, comm, 0);
  if (comm.local->me() >= count) return nullptr;
  auto const all = comm.local->ranks().first(static_cast<std::size_t>(count));
  return &new_communicator(me, comm,
                           make<Members>(Ranks(all.begin(), all.end()), me.process().rank()), id);
}

}  // namespace earl::mpi
