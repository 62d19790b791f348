// SPDX-License-Identifier: BSD-3-Clause
// The Fortran routines: C's arguments in C's order, the result last. Each string brings its length
// behind all of them.
#include <algorithm>
#include <string>

#include "frontends/common/fortran_text.hpp"
#include "frontends/pvm2/call.hpp"
#include "frontends/pvm2/routines.hpp"

using namespace earl;

using Length = fortran::Length;

namespace {

/// Runs `body(char const*)` on a string; one that is too long for any name is PvmTooLong.
template <class Body>
int with_name(char const* from, Length length, Body body) {
  fortran::Text<> text(from, length);
  return text.fits() ? body(text.get()) : PvmTooLong;
}

/// Blanks at the end of a Fortran variable are no part of its text.
int put_text(pvm2::State& state, char const* from, Length length) {
  while (length > 0 && from[length - 1] == ' ') --length;
  return pvm2::put_text(state, std::string(from, length).c_str());
}

int own_name(pvm2::State& state, char* component, Length length, int* instance) {
  char name[pvm2::most_name + 1] = {};
  int const code = pvm2::own_name(state, name, instance);
  fortran::give(component, length, name);
  return code;
}

int message_facts(pvm2::State& state, int* bytes, int* type, char* component, Length length,
                  int* instance) {
  char name[pvm2::most_name + 1] = {};
  int const code = pvm2::message_facts(state, bytes, type, name, instance);
  if (code == PvmOk) fortran::give(component, length, name);
  return code;
}

}  // namespace

extern "C" {

void fenroll_(char const* component, int* info, Length component_length) {
  *info = pvm2::free_call("fenroll", [&](pvm2::State& s) {
    return with_name(component, component_length,
                     [&](char const* component_text) { return pvm2::enrol(s, component_text); });
  });
}

void fleave_() {
  pvm2::free_call("fleave", [&](pvm2::State& s) { return pvm2::leave_machine(s); });
}

void fwhoami_(char* component, int* instance, int* info, Length component_length) {
  *info = pvm2::call("fwhoami", [&](pvm2::State& s) {
    return own_name(s, component, component_length, instance);
  });
}

void finitiate_(char const* program, char const* where, int* info, Length program_length,
                Length where_length) {
  *info = pvm2::call("finitiate", [&](pvm2::State& s) {
    return with_name(program, program_length, [&](char const* program_text) {
      return with_name(where, where_length, [&](char const* where_text) {
        return pvm2::start_anywhere(s, program_text, where_text);
      });
    });
  });
}

void finitiatem_(char const* program, char const* where, int* info, Length program_length,
                 Length where_length) {
  *info = pvm2::call("finitiatem", [&](pvm2::State& s) {
    return with_name(program, program_length, [&](char const* program_text) {
      return with_name(where, where_length, [&](char const* where_text) {
        return pvm2::start_on(s, program_text, where_text);
      });
    });
  });
}

void fterminate_(char const* component, int const* instance, int* info, Length component_length) {
  *info = pvm2::call("fterminate", [&](pvm2::State& s) {
    return with_name(component, component_length, [&](char const* component_text) {
      return pvm2::end_process(s, component_text, *instance);
    });
  });
}

void fstatus_(char const* component, int const* instance, int* info, Length component_length) {
  *info = pvm2::call("fstatus", [&](pvm2::State& s) {
    return with_name(component, component_length, [&](char const* component_text) {
      return pvm2::is_there(s, component_text, *instance);
    });
  });
}

void fpstatus_(int* hosts, int* formats, int* info) {
  *info = pvm2::call("fpstatus",
                     [&](pvm2::State& s) { return pvm2::describe_machine(s, hosts, formats); });
}

void finitsend_() {
  pvm2::free_call("finitsend", [&](pvm2::State& s) { return pvm2::start_message(s); });
}

void fputbytes_(char const* from, int const* count, int* info, Length /*of the variable*/) {
  *info = pvm2::free_call(
      "fputbytes", [&](pvm2::State& s) { return pvm2::put(s, Element::byte, from, *count); });
}

void fputstring_(char const* from, int* info, Length from_length) {
  *info =
      pvm2::free_call("fputstring", [&](pvm2::State& s) { return put_text(s, from, from_length); });
}

void fputnshort_(short const* from, int const* count, int* info) {
  *info = pvm2::free_call("fputnshort", [&](pvm2::State& s) {
    return pvm2::put(s, Element::short_integer, from, *count);
  });
}

void fputnint_(int const* from, int const* count, int* info) {
  *info = pvm2::free_call(
      "fputnint", [&](pvm2::State& s) { return pvm2::put(s, Element::integer, from, *count); });
}

void fputnlong_(long const* from, int const* count, int* info) {
  *info = pvm2::free_call("fputnlong", [&](pvm2::State& s) {
    return pvm2::put(s, Element::long_integer, from, *count);
  });
}

void fputnfloat_(float const* from, int const* count, int* info) {
  *info = pvm2::free_call(
      "fputnfloat", [&](pvm2::State& s) { return pvm2::put(s, Element::real, from, *count); });
}

void fputndfloat_(double const* from, int const* count, int* info) {
  *info = pvm2::free_call("fputndfloat", [&](pvm2::State& s) {
    return pvm2::put(s, Element::double_real, from, *count);
  });
}

void fputncplx_(float const* from, int const* count, int* info) {
  *info = pvm2::free_call(
      "fputncplx", [&](pvm2::State& s) { return pvm2::put(s, Element::complex, from, *count); });
}

void fputndcplx_(double const* from, int const* count, int* info) {
  *info = pvm2::free_call("fputndcplx", [&](pvm2::State& s) {
    return pvm2::put(s, Element::double_complex, from, *count);
  });
}

void fgetbytes_(char* to, int const* count, int* info, Length /*of the variable*/) {
  *info = pvm2::free_call("fgetbytes",
                          [&](pvm2::State& s) { return pvm2::get(s, Element::byte, to, *count); });
}

void fgetstring_(char* to, int* info, Length to_length) {
  *info = pvm2::free_call("fgetstring",
                          [&](pvm2::State& s) { return pvm2::get_text(s, to, to_length); });
}

void fgetnshort_(short* to, int const* count, int* info) {
  *info = pvm2::free_call("fgetnshort", [&](pvm2::State& s) {
    return pvm2::get(s, Element::short_integer, to, *count);
  });
}

void fgetnint_(int* to, int const* count, int* info) {
  *info = pvm2::free_call(
      "fgetnint", [&](pvm2::State& s) { return pvm2::get(s, Element::integer, to, *count); });
}

void fgetnlong_(long* to, int const* count, int* info) {
  *info = pvm2::free_call(
      "fgetnlong", [&](pvm2::State& s) { return pvm2::get(s, Element::long_integer, to, *count); });
}

void fgetnfloat_(float* to, int const* count, int* info) {
  *info = pvm2::free_call("fgetnfloat",
                          [&](pvm2::State& s) { return pvm2::get(s, Element::real, to, *count); });
}

void fgetndfloat_(double* to, int const* count, int* info) {
  *info = pvm2::free_call("fgetndfloat", [&](pvm2::State& s) {
    return pvm2::get(s, Element::double_real, to, *count);
  });
}

void fgetncplx_(float* to, int const* count, int* info) {
  *info = pvm2::free_call(
      "fgetncplx", [&](pvm2::State& s) { return pvm2::get(s, Element::complex, to, *count); });
}

void fgetndcplx_(double* to, int const* count, int* info) {
  *info = pvm2::free_call("fgetndcplx", [&](pvm2::State& s) {
    return pvm2::get(s, Element::double_complex, to, *count);
  });
}

void fsnd_(char const* component, int const* instance, int const* type, int* info,
           Length component_length) {
  *info = pvm2::call("fsnd", [&](pvm2::State& s) {
    return with_name(component, component_length, [&](char const* component_text) {
      return pvm2::send(s, component_text, *instance, *type, pvm2::Way::usual);
    });
  });
}

void frcv_(int const* type, int* info) {
  *info = pvm2::call("frcv", [&](pvm2::State& s) {
    return pvm2::receive(s, {type, 1}, pvm2::Way::usual);
  });
}

void frcvmulti_(int const* count, int const* types, int* info) {
  *info = pvm2::call("frcvmulti", [&](pvm2::State& s) {
    return pvm2::receive(s, pvm2::several(types, *count), pvm2::Way::usual);
  });
}

void fvsnd_(char const* component, int const* instance, int const* type, int* info,
            Length component_length) {
  *info = pvm2::call("fvsnd", [&](pvm2::State& s) {
    return with_name(component, component_length, [&](char const* component_text) {
      return pvm2::send(s, component_text, *instance, *type, pvm2::Way::virtual_);
    });
  });
}

void fvrcv_(int const* type, int* info) {
  *info = pvm2::call("fvrcv", [&](pvm2::State& s) {
    return pvm2::receive(s, {type, 1}, pvm2::Way::virtual_);
  });
}

void fvrcvmulti_(int const* count, int const* types, int* info) {
  *info = pvm2::call("fvrcvmulti", [&](pvm2::State& s) {
    return pvm2::receive(s, pvm2::several(types, *count), pvm2::Way::virtual_);
  });
}

void fprobe_(int const* type, int* info) {
  *info = pvm2::call("fprobe", [&](pvm2::State& s) { return pvm2::probe(s, {type, 1}); });
}

void fprobemulti_(int const* count, int const* types, int* info) {
  *info = pvm2::call("fprobemulti",
                     [&](pvm2::State& s) { return pvm2::probe(s, pvm2::several(types, *count)); });
}

void frcvinfo_(int* bytes, int* type, char* component, int* instance, int* info,
               Length component_length) {
  *info = pvm2::call("frcvinfo", [&](pvm2::State& s) {
    return message_facts(s, bytes, type, component, component_length, instance);
  });
}

void fbarrier_(char const* name, int const* count, int* info, Length name_length) {
  *info = pvm2::call("fbarrier", [&](pvm2::State& s) {
    return with_name(name, name_length, [&](char const* name_text) {
      return pvm2::wait_at_barrier(s, name_text, *count);
    });
  });
}

void fready_(char const* event, int* info, Length event_length) {
  *info = pvm2::call("fready", [&](pvm2::State& s) {
    return with_name(event, event_length,
                     [&](char const* event_text) { return pvm2::announce(s, event_text); });
  });
}

void fwaituntil_(char const* event, int* info, Length event_length) {
  *info = pvm2::call("fwaituntil", [&](pvm2::State& s) {
    return with_name(event, event_length,
                     [&](char const* event_text) { return pvm2::wait_until(s, event_text); });
  });
}

}  // extern "C"
