// SPDX-License-Identifier: BSD-3-Clause
// libgpvm3: collectives over a group, on the core's.
#include <cstring>
#include <vector>

#include "frontends/pvm3/group_call.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

/// 0: in PVM groups know no such type. Unsigned numbers are among those.
std::size_t size_of_element(int type) {
  switch (type) {
    case PVM_STR:
    case PVM_BYTE:
      return 1;
    case PVM_SHORT:
      return sizeof(short);
    case PVM_INT:
      return sizeof(int);
    case PVM_FLOAT:
      return sizeof(float);
    case PVM_CPLX:
    case PVM_DOUBLE:
      return sizeof(double);
    case PVM_LONG:
      return sizeof(long);
    case PVM_DCPLX:
      return 2 * sizeof(double);
    default:
      return 0;
  }
}

constexpr std::uint64_t hash_start = 0xcbf29ce484222325U;
void mix(std::uint64_t& hash, std::uint64_t value) {
  for (int i = 0; i < 8; ++i, value >>= 8) hash = (hash ^ (value & 0xff)) * 0x100000001b3U;
}

/// The members of a group at a moment, and a private space for their collectives. A collective's
/// messages are distinguished by their position in its context: that is the same only on members
/// that were there all the time, so it is part of the name.
struct Gathering {
  std::vector<Rank> ids{};
  std::vector<Rank> ranks{};
  std::size_t me = 0;
  Context context{};
  bool whole = true;  ///< no instance number is free below another

  Group group() const { return {.members = ranks, .me = me, .context = context}; }
};

/// The arguments of all collectives.
struct Arguments {
  void const* data;
  int count;
  int type;
  char const* name;
  int root;  ///< an instance number

  std::size_t bytes() const { return static_cast<std::size_t>(count) * size_of_element(type); }
};

int check(Arguments const& given) {
  if (!given.data || given.count <= 0) return PvmBadParam;
  if (size_of_element(given.type) == 0) return PvmBadParam;
  return is_name(given.name) ? PvmOk : PvmNullGroup;
}

void name_context(Gathering& gathering, std::string_view group) {
  std::uint64_t hash = hash_start;
  for (char const character : group) mix(hash, static_cast<unsigned char>(character));
  for (auto const id : gathering.ids) mix(hash, static_cast<std::uint64_t>(number(id)));
  // Apart from the small numbers that other front ends give their groups.
  constexpr std::uint64_t bits = (std::uint64_t{1} << 54) - 1;
  gathering.context = context_of(Space::collective, (hash & bits) | std::uint64_t{1} << 55);
}

/// Runs `body(Gathering, position of the root)` when the arguments are good and the caller is a
/// member.
template <class Body>
int collective(Process& me, Arguments const& given, Body body) {
  if (int const wrong = check(given); wrong != PvmOk) return wrong;
  auto const members = me.exec().group_members(given.name);
  if (members.fault != GroupFault::none) return code_of(members.fault);
  auto const instance = members.instance_of(own_id(me));
  if (instance < 0) return PvmNotInGroup;
  auto const root = static_cast<std::size_t>(given.root);
  if (given.root < 0 || root >= members.ranks.size() || members.ranks[root] == no_rank)
    return PvmNoInst;
  Gathering gathering;
  std::size_t position = 0;
  for (auto const id : members.ranks) {
    if (id == no_rank) {
      gathering.whole = false;
      continue;
    }
    if (id == own_id(me)) gathering.me = gathering.ids.size();
    if (id == members.ranks[root]) position = gathering.ids.size();
    gathering.ids.push_back(id);
    gathering.ranks.push_back(process_of(id));
  }
  name_context(gathering, given.name);
  return body(gathering, position);
}

using Function = void (*)(int*, void*, void*, int*, int*);

earl::Reduction reduction_of(Function function) {
  if (function == PvmMax) return earl::Reduction::maximum;
  if (function == PvmMin) return earl::Reduction::minimum;
  if (function == PvmSum) return earl::Reduction::sum;
  return function == PvmProduct ? earl::Reduction::product : earl::Reduction::unspecified;
}

ElementType element_of(int type) {
  switch (type) {
    case PVM_BYTE:
      return ElementType::byte;
    case PVM_SHORT:
    case PVM_USHORT:
      return ElementType::integer_2;
    case PVM_INT:
    case PVM_UINT:
      return ElementType::integer_4;
    case PVM_LONG:
    case PVM_ULONG:
      return ElementType::integer_8;
    case PVM_FLOAT:
      return ElementType::real_4;
    case PVM_DOUBLE:
      return ElementType::real_8;
    case PVM_CPLX:
      return ElementType::complex_8;
    case PVM_DCPLX:
      return ElementType::complex_16;
    default:
      return ElementType::unspecified;
  }
}

/// A function of the program's, or PvmMax and its like, as the core wants one.
struct Reduction {
  Function function;
  int type;
  int count;
  int info = PvmOk;

  static void combine(void* with, std::byte* into, std::byte const* from, std::size_t) {
    auto& self = *static_cast<Reduction*>(with);
    if (self.info < 0) return;
    // The native interface has no const.
    self.function(&self.type, into, const_cast<std::byte*>(from), &self.count, &self.info);
  }
};

int reduce(Process& me, Function function, Arguments const& given, void* result) {
  return collective(me, given, [&](Gathering const& gathering, std::size_t root) -> int {
    bool const am_root = gathering.me == root;
    Reduction reduction{.function = function, .type = given.type, .count = given.count};
    Buffer data{Gather{Bytes{static_cast<std::byte const*>(given.data), given.bytes()}}};
    earl::reduce(me, gathering.group(), root, data.room(),
                 {.function = Reduction::combine,
                  .with = &reduction,
                  .reduction = reduction_of(function),
                  .element = element_of(given.type)});
    if (am_root) std::memcpy(result, data.data(), data.size());
    return reduction.info < 0 ? reduction.info : PvmOk;
  });
}

// Pieces go by instance number, and where one of them has no member, the root of PVM finds NoInst.

int gather(Process& me, void* result, Arguments const& given) {
  return collective(me, given, [&](Gathering const& gathering, std::size_t root) -> int {
    if (!gathering.whole) return PvmNoInst;
    bool const am_root = gathering.me == root;
    if (am_root && !result) return PvmBadParam;
    if (given.type == PVM_STR && gathering.ranks.size() > 1) return am_root ? PvmBadParam : PvmOk;
    Bytes const mine{static_cast<std::byte const*>(given.data), given.bytes()};
    auto const all = earl::gather(me, gathering.group(), root, mine);
    if (am_root) std::memcpy(result, all.data(), all.size());
    return PvmOk;
  });
}

/// `pieces` count at the root only; elsewhere there may be none.
int scatter(Process& me, void const* pieces, void* result, Arguments const& given) {
  return collective(me, given, [&](Gathering const& gathering, std::size_t root) -> int {
    if (!gathering.whole) return PvmNoInst;
    bool const am_root = gathering.me == root;
    if (am_root && !pieces) return PvmBadParam;
    if (given.type == PVM_STR && gathering.ranks.size() > 1) return PvmBadParam;
    Bytes all{};
    if (am_root)
      all = {static_cast<std::byte const*>(pieces), given.bytes() * gathering.ranks.size()};
    earl::scatter(me, gathering.group(), root, all,
                  MutableBytes{static_cast<std::byte*>(result), given.bytes()});
    return PvmOk;
  });
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_reduce(void (*func)(int*, void*, void*, int*, int*), void* data, int count, int datatype,
               int, char* gname, int rootinst) {
  return pvm::group_data_call("pvm_reduce", [&](Process& me) -> int {
    if (!func) return PvmBadParam;
    return pvm::reduce(me, func, {data, count, datatype, gname, rootinst}, data);
  });
}

int pvm_gather(void* result, void* data, int count, int datatype, int, char* gname, int rootinst) {
  return pvm::group_data_call("pvm_gather", [&](Process& me) {
    return pvm::gather(me, result, {data, count, datatype, gname, rootinst});
  });
}

int pvm_scatter(void* result, void* data, int count, int datatype, int, char* gname, int rootinst) {
  return pvm::group_data_call("pvm_scatter", [&](Process& me) -> int {
    return pvm::scatter(me, data, result, {result, count, datatype, gname, rootinst});
  });
}

}  // extern "C"
