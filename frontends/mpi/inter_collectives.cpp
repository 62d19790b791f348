// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/inter_collectives.hpp"

#include "frontends/mpi/operations.hpp"

namespace earl::mpi {

namespace {

using Place = PairRoot::Place;

PairRoot root_of(Communicator const& inter, int root) {
  if (root == MPI_ROOT) return {.place = Place::here};
  if (root == MPI_PROC_NULL) return {.place = Place::beside};
  if (!inter.remote->holds(root))
    throw MpiError(ErrorClass::root,
                   "root is {}: pass MPI_ROOT, MPI_PROC_NULL, or a rank of the other group of {}, "
                   "0 to {}",
                   root, inter.to_text(), inter.remote->size() - 1);
  return {.place = Place::remote, .member = static_cast<std::size_t>(root)};
}

void check_not_in_place(void const* buffer, Communicator const& inter, char const* argument) {
  if (buffer == MPI_IN_PLACE)
    throw MpiError(ErrorClass::buffer,
                   "{} is MPI_IN_PLACE, and comm is {}, an intercommunicator: pass memory",
                   argument, inter.to_text());
}

/// The program's data, one behind the other, to be combined.
Buffer operand(State& me, Sent const& sent) {
  return Buffer{outgoing(me, sent.buffer, sent.count, sent.datatype, {.buffer = "sendbuf"}).pieces};
}

/// Parts for the members of the other group.
template <class Piece>
class RemoteParts {
 public:
  RemoteParts(State& me, Communicator const& inter, typename Piece::element_type* base,
              Handle datatype, int count, Counts const* each, ArgumentNames const& names)
      : parts_(me, base, datatype, static_cast<std::size_t>(inter.remote->size()), names) {
    add_all(parts_, inter.remote->size(), count, each);
  }

  std::span<Pieces<Piece> const> all() const { return parts_.all(); }

 private:
  Parts<Piece> parts_;
};

RemoteParts<MutableBytes> rooms_for(State& me, Communicator const& inter, Received const& received,
                                    Counts const* each) {
  return {me,   inter,        bytes_at(received.buffer), received.datatype, received.count,
          each, receive_names};
}

RemoteParts<Bytes> parts_for(State& me, Communicator const& inter, Sent const& sent,
                             Counts const* each) {
  return {me, inter, bytes_at(sent.buffer), sent.datatype, sent.count, each, send_names};
}

}  // namespace

GroupPair groups_of(Communicator const& inter) {
  return {inter.group(), inter.remote->ranks(), inter.between()};
}

void broadcast_between(State& me, Communicator const& inter, int root, Received const& data) {
  auto const at = root_of(inter, root);
  auto const memory = at.place == Place::beside ? Incoming{}
                                                : incoming(me, data.buffer, data.count,
                                                           data.datatype, {.buffer = "buffer"});
  earl::broadcast(me.process(), groups_of(inter), at, memory.pieces);
}

void gather_between(State& me, Communicator const& inter, int root, Sent const& sent,
                    Received const& received, Counts const* each) {
  auto const at = root_of(inter, root);
  auto const groups = groups_of(inter);
  if (at.place == Place::here) {
    auto const rooms = rooms_for(me, inter, received, each);
    return earl::gather(me.process(), groups, at, {}, rooms.all());
  }
  if (at.place == Place::beside) return earl::gather(me.process(), groups, at, {}, {});
  check_not_in_place(sent.buffer, inter, send_names.buffer);
  auto const mine = outgoing(me, sent.buffer, sent.count, sent.datatype, send_names);
  earl::gather(me.process(), groups, at, mine.pieces, {});
}

void scatter_between(State& me, Communicator const& inter, int root, Sent const& sent,
                     Received const& received, Counts const* each) {
  auto const at = root_of(inter, root);
  auto const groups = groups_of(inter);
  if (at.place == Place::here) {
    auto const parts = parts_for(me, inter, sent, each);
    return earl::scatter(me.process(), groups, at, parts.all(), {});
  }
  if (at.place == Place::beside) return earl::scatter(me.process(), groups, at, {}, {});
  check_not_in_place(received.buffer, inter, receive_names.buffer);
  auto const mine = incoming(me, received.buffer, received.count, received.datatype, receive_names);
  earl::scatter(me.process(), groups, at, {}, mine.pieces);
}

void all_gather_between(State& me, Communicator const& inter, Sent const& sent,
                        Received const& received, Counts const* each) {
  check_not_in_place(sent.buffer, inter, send_names.buffer);
  auto const rooms = rooms_for(me, inter, received, each);
  auto const mine = outgoing(me, sent.buffer, sent.count, sent.datatype, send_names);
  earl::all_gather(me.process(), groups_of(inter), mine.pieces, rooms.all());
}

void all_to_all_between(State& me, Communicator const& inter, Sent const& sent,
                        Received const& received, Counts const* out, Counts const* in) {
  check_not_in_place(sent.buffer, inter, send_names.buffer);
  auto const rooms = rooms_for(me, inter, received, in);
  auto const parts = parts_for(me, inter, sent, out);
  earl::all_to_all(me.process(), groups_of(inter), parts.all(), rooms.all());
}

void reduce_between(State& me, Communicator const& inter, int root, Sent const& sent, void* into,
                    Handle op) {
  Combining const combining(me, op, sent.datatype);
  auto const at = root_of(inter, root);
  auto const groups = groups_of(inter);
  if (at.place == Place::beside)
    return earl::reduce(me.process(), groups, at, {}, combining.combine());
  if (at.place == Place::remote) {
    check_not_in_place(sent.buffer, inter, send_names.buffer);
    Buffer data = operand(me, sent);
    return earl::reduce(me.process(), groups, at, data.room(), combining.combine());
  }
  auto const result = incoming(me, into, sent.count, sent.datatype, receive_names);
  Buffer data{result.pieces.size()};
  earl::reduce(me.process(), groups, at, data.room(), combining.combine());
  copy(data.bytes(), result.pieces);
}

void all_reduce_between(State& me, Communicator const& inter, Sent const& sent, void* into,
                        Handle op) {
  Combining const combining(me, op, sent.datatype);
  check_not_in_place(sent.buffer, inter, send_names.buffer);
  auto const result = incoming(me, into, sent.count, sent.datatype, receive_names);
  Buffer data = operand(me, sent);
  earl::all_reduce(me.process(), groups_of(inter), data.room(), combining.combine());
  copy(data.bytes(), result.pieces);
}

void reduce_scatter_between(State& me, Communicator const& inter, Sent const& sent, void* into,
                            int const* counts, Handle op) {
  Combining const combining(me, op, sent.datatype);
  check_not_in_place(sent.buffer, inter, send_names.buffer);
  std::vector<std::size_t> sizes;
  for (int i = 0; i < inter.local->size(); ++i)
    sizes.push_back(static_cast<std::size_t>(counts[i]) * size_of(me, sent.datatype));
  int const own = inter.local->me();
  auto const result = incoming(me, into, counts[own], sent.datatype, receive_names);
  Buffer data = operand(me, sent);
  Buffer mine{sizes[static_cast<std::size_t>(own)]};
  earl::reduce_scatter(me.process(), groups_of(inter), data.room(), sizes, combining.combine(),
                       mine.room());
  copy(mine.bytes(), result.pieces);
}

}  // namespace earl::mpi
