// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "frontends/nx/errors.hpp"

namespace earl::nx {

namespace {

/// By number, from EQDRVERR on.
constexpr std::array texts{
    "driver failure",                // EQDRVERR
    "bad buffer address",            // EQPBUF
    "buffer extends past memory",    // EQBLEN
    "bad length",                    // EQLEN
    "time limit",                    // EQTIME
    "message longer than buffer",    // EQMSGLONG
    "bad pid",                       // EQPID
    "bad node",                      // EQNODE
    "bad type",                      // EQTYPE
    "bad message id",                // EQMID
    "bad handler type",              // EQHND
    "no process slot",               // EQNOPROC
    "pid in use",                    // EQUSEPID
    "no such process",               // EQNOACT
    "not a loadable file",           // EQBADFIL
    "bad parameter",                 // EQPARAM
    "bad file name address",         // EQPFIL
    "bad cnode address",             // EQPCNODE
    "bad cpid address",              // EQPCPID
    "bad ccode address",             // EQPCCODE
    "not permitted",                 // EQPRIV
    "out of memory",                 // EQMEM
    "loader record",                 // EQINVREC
    "loader message",                // EQMSG
    "too many requests",             // EQNOMID
    "pid already set",               // EQSET
    "pid not set",                   // EQNOSET
    "cube table full",               // EQCUBETABFULL
    "cube name taken",               // EQCUBEEXISTS
    "no such cube",                  // EQCUBENOTEXIST
    "no cube attached",              // EQCUBENOTATTCH
    "server sockets",                // EQUSOCK
    "server net sockets",            // EQNETSOCK
    "server ttys",                   // EQTTY
    "no cubes allocated",            // EQNOCUBES
    "cube name over 15 chars",       // EQCUBENAMELEN
    "host name over 15 chars",       // EQHOSTNAMELEN
    "cube type over 15 chars",       // EQTYPENAMELEN
    "bad \"global\" argument",       // EQBADGLOBAL
    "remote server busy",            // EQRCSBUSY
    "short header read",             // EQINCMPREAD
    "no such cube type",             // EQNOCUBE
    "cube limit",                    // EQLIFEBUSY
    "server not responding",         // EQNOCOMMSER
    "diagnostics id",                // EQUSM
    "bad dimension",                 // EQDIM
    "diagnostics mode",              // EQMODE
    "diagnostics status",            // EQSTATUS
    "lifeline lost",                 // EQNOLL
    "node not responding",           // EQBADNODE
    "vector unit busy",              // EQUSEVX
    "no matching SRM",               // EQNOSRM
    "message too short",             // EQMSGSHORT
    "no syslog",                     // EQNOSYSLOG
    "syslog already there",          // EQSYSLOG
    "syslog start failed",           // EQLOGFAIL
    "system too big",                // EQBIGSYS
    "remote tty read",               // EQRRTTY
    "file server start failed",      // EQFSERVFAIL
    "file pointers differ on seek",  // ECFPS
    "file pointers differ",          // ENFPS
    "mixed file operations",         // EMIXIO
    "bad I/O mode",                  // EIMODE
    "file not synchronised",         // ESETIO
    "not on the SRM",                // ESRMIO
    "no CFS",                        // ENOCFS
    "server out of buffers",         // EQCOMMBUF
    "bad extended size",             // EQESIZE
    "no vector unit",                // EQNOVX
    "read past end of file",         // ERDEOF
    "path too long",                 // EQPATH
};
static_assert(texts.size() == EQPATH - EQDRVERR + 1);

}  // namespace

char const* native_text(int number) {
  if (number < EQDRVERR || number > EQPATH) return nullptr;
  return texts[static_cast<std::size_t>(number - EQDRVERR)];
}

std::string error_text(int number) {
  auto const* const text = native_text(number);
  return text ? text : system_message(number);
}

}  // namespace earl::nx
