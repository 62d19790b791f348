// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/errors.hpp"

namespace earl::nx {

namespace {

int number_of(Fault fault) {
  switch (fault) {
    case Fault::bad_rank:
      return EQNODE;
    case Fault::bad_tag:
      return EQTYPE;
    case Fault::bad_length:
      return EQLEN;
    case Fault::bad_request:
      return EQMID;
    case Fault::too_long:
      return EQMSGLONG;
    case Fault::no_memory:
      return EQMEM;
    case Fault::no_job:
    case Fault::not_found:
      return EQNOACT;
    case Fault::denied:
      return EQPRIV;
    case Fault::full:
      return EQNOPROC;
    case Fault::other:
      break;
  }
  return EQDRVERR;
}

}  // namespace

int number_of(Error const& error) {
  auto const* native = dynamic_cast<NxError const*>(&error);
  return native ? native->number() : number_of(error.fault());
}

}  // namespace earl::nx
