// SPDX-License-Identifier: BSD-3-Clause
/// Manual: probing and flushing. cprobe iprobe and their x-forms, flushmsg.
#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"

namespace earl::nx {

namespace {

template <class Info>
void cprobex(State& me, std::int32_t typesel, std::int32_t nodesel, std::int32_t ptypesel,
             Info* info) {
  auto const found = me.process().probe(me.spec(typesel, nodesel, ptypesel));
  me.record(found.envelope, InfoArray(info));
}

template <class Info>
std::int32_t iprobex(State& me, std::int32_t typesel, std::int32_t nodesel, std::int32_t ptypesel,
                     Info* info) {
  auto const found = me.process().try_probe(me.spec(typesel, nodesel, ptypesel));
  if (!found) return 0;
  me.record(found->envelope, InfoArray(info));
  return 1;
}

void cprobe(State& me, std::int32_t typesel) { cprobex<long>(me, typesel, any, any, nullptr); }

std::int32_t iprobe(State& me, std::int32_t typesel) {
  return iprobex<long>(me, typesel, any, any, nullptr);
}

/// The caller's own queue only: another process's is its own affair.
void flushmsg(State& me, std::int32_t typesel, std::int32_t node, std::int32_t pid) {
  const MatchSpec spec = me.spec(typesel);
  auto const host = me.cube().size();
  if (node != any && node != host && !me.cube().holds(node))
    throw NxError(EQNODE, "node {} is not in this cube of {} (0 to {})", node, host, host - 1);
  if (node != any && node != me.cube().me()) return;
  if (pid == any || pid == me.pid()) me.process().flush(spec);
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY void cprobe(long typesel) { nx::call<Plain>("cprobe", nx::cprobe, typesel); }
EARL_NX_ENTRY long _cprobe(long typesel) {
  return nx::call<Underscore>("_cprobe", nx::cprobe, typesel);
}
EARL_NX_ENTRY void cprobe_(Integer typesel) { nx::call<Plain>("cprobe", nx::cprobe, typesel); }

EARL_NX_ENTRY long iprobe(long typesel) { return nx::call<Plain>("iprobe", nx::iprobe, typesel); }
EARL_NX_ENTRY long _iprobe(long typesel) {
  return nx::call<Underscore>("_iprobe", nx::iprobe, typesel);
}
EARL_NX_ENTRY std::int32_t iprobe_(Integer typesel) {
  return nx::call<Plain>("iprobe", nx::iprobe, typesel);
}

EARL_NX_ENTRY void cprobex(long typesel, long nodesel, long ptypesel, long info[8]) {
  nx::call<Plain>("cprobex", nx::cprobex<long>, typesel, nodesel, ptypesel, info);
}
EARL_NX_ENTRY long _cprobex(long typesel, long nodesel, long ptypesel, long info[8]) {
  return nx::call<Underscore>("_cprobex", nx::cprobex<long>, typesel, nodesel, ptypesel, info);
}
EARL_NX_ENTRY void cprobex_(Integer typesel, Integer nodesel, Integer ptypesel,
                            std::int32_t info[8]) {
  nx::call<Plain>("cprobex", nx::cprobex<std::int32_t>, typesel, nodesel, ptypesel, info);
}

EARL_NX_LONG32(void, cprobex, nx::cprobex<std::int32_t>,
               (long typesel, long nodesel, long ptypesel, std::int32_t info[8]), typesel, nodesel,
               ptypesel, info)

EARL_NX_ENTRY long iprobex(long typesel, long nodesel, long ptypesel, long info[8]) {
  return nx::call<Plain>("iprobex", nx::iprobex<long>, typesel, nodesel, ptypesel, info);
}
EARL_NX_ENTRY long _iprobex(long typesel, long nodesel, long ptypesel, long info[8]) {
  return nx::call<Underscore>("_iprobex", nx::iprobex<long>, typesel, nodesel, ptypesel, info);
}
EARL_NX_ENTRY std::int32_t iprobex_(Integer typesel, Integer nodesel, Integer ptypesel,
                                    std::int32_t info[8]) {
  return nx::call<Plain>("iprobex", nx::iprobex<std::int32_t>, typesel, nodesel, ptypesel, info);
}

EARL_NX_LONG32(long, iprobex, nx::iprobex<std::int32_t>,
               (long typesel, long nodesel, long ptypesel, std::int32_t info[8]), typesel, nodesel,
               ptypesel, info)

EARL_NX_ENTRY void flushmsg(long typesel, long node, long pid) {
  nx::call<Plain>("flushmsg", nx::flushmsg, typesel, node, pid);
}
EARL_NX_ENTRY long _flushmsg(long typesel, long node, long pid) {
  return nx::call<Underscore>("_flushmsg", nx::flushmsg, typesel, node, pid);
}
EARL_NX_ENTRY void flushmsg_(Integer typesel, Integer node, Integer pid) {
  nx::call<Plain>("flushmsg", nx::flushmsg, typesel, node, pid);
}
