// SPDX-License-Identifier: BSD-3-Clause
// The C routines, in the order of the header.
#include "frontends/pvm2/call.hpp"
#include "frontends/pvm2/routines.hpp"

using namespace earl;

namespace {

/// The selection of a routine with one type.
std::span<int const> one(int const& type) { return {&type, 1}; }

}  // namespace

extern "C" {

int enroll(char* component) {
  return pvm2::free_call("enroll", [&](pvm2::State& s) { return pvm2::enrol(s, component); });
}

int leave(void) {
  return pvm2::free_call("leave", [&](pvm2::State& s) { return pvm2::leave_machine(s); });
}

int whoami(char* component, int* instance) {
  return pvm2::call("whoami",
                    [&](pvm2::State& s) { return pvm2::own_name(s, component, instance); });
}

int initiate(char* program, char* architecture) {
  return pvm2::call("initiate",
                    [&](pvm2::State& s) { return pvm2::start_anywhere(s, program, architecture); });
}

int initiateM(char* program, char* host) {
  return pvm2::call("initiateM", [&](pvm2::State& s) { return pvm2::start_on(s, program, host); });
}

int initiatem(char* program, char* host) {
  return pvm2::call("initiatem", [&](pvm2::State& s) { return pvm2::start_on(s, program, host); });
}

int terminate(char* component, int instance) {
  return pvm2::call("terminate",
                    [&](pvm2::State& s) { return pvm2::end_process(s, component, instance); });
}

int status(char* component, int instance) {
  return pvm2::call("status",
                    [&](pvm2::State& s) { return pvm2::is_there(s, component, instance); });
}

int pstatus(int* hosts, int* formats) {
  return pvm2::call("pstatus",
                    [&](pvm2::State& s) { return pvm2::describe_machine(s, hosts, formats); });
}

int initsend(void) {
  return pvm2::free_call("initsend", [&](pvm2::State& s) { return pvm2::start_message(s); });
}

int putbytes(char* from, int count) {
  return pvm2::free_call("putbytes",
                         [&](pvm2::State& s) { return pvm2::put(s, Element::byte, from, count); });
}

int putstring(char* from) {
  return pvm2::free_call("putstring", [&](pvm2::State& s) { return pvm2::put_text(s, from); });
}

int putnshort(short* from, int count) {
  return pvm2::free_call("putnshort", [&](pvm2::State& s) {
    return pvm2::put(s, Element::short_integer, from, count);
  });
}

int putnint(int* from, int count) {
  return pvm2::free_call(
      "putnint", [&](pvm2::State& s) { return pvm2::put(s, Element::integer, from, count); });
}

int putnlong(long* from, int count) {
  return pvm2::free_call(
      "putnlong", [&](pvm2::State& s) { return pvm2::put(s, Element::long_integer, from, count); });
}

int putnfloat(float* from, int count) {
  return pvm2::free_call("putnfloat",
                         [&](pvm2::State& s) { return pvm2::put(s, Element::real, from, count); });
}

int putndfloat(double* from, int count) {
  return pvm2::free_call("putndfloat", [&](pvm2::State& s) {
    return pvm2::put(s, Element::double_real, from, count);
  });
}

int putncplx(float* from, int count) {
  return pvm2::free_call(
      "putncplx", [&](pvm2::State& s) { return pvm2::put(s, Element::complex, from, count); });
}

int putndcplx(double* from, int count) {
  return pvm2::free_call("putndcplx", [&](pvm2::State& s) {
    return pvm2::put(s, Element::double_complex, from, count);
  });
}

int getbytes(char* to, int count) {
  return pvm2::free_call("getbytes",
                         [&](pvm2::State& s) { return pvm2::get(s, Element::byte, to, count); });
}

int getstring(char* to) {
  return pvm2::free_call("getstring", [&](pvm2::State& s) { return pvm2::get_text(s, to); });
}

int getnshort(short* to, int count) {
  return pvm2::free_call(
      "getnshort", [&](pvm2::State& s) { return pvm2::get(s, Element::short_integer, to, count); });
}

int getnint(int* to, int count) {
  return pvm2::free_call("getnint",
                         [&](pvm2::State& s) { return pvm2::get(s, Element::integer, to, count); });
}

int getnlong(long* to, int count) {
  return pvm2::free_call(
      "getnlong", [&](pvm2::State& s) { return pvm2::get(s, Element::long_integer, to, count); });
}

int getnfloat(float* to, int count) {
  return pvm2::free_call("getnfloat",
                         [&](pvm2::State& s) { return pvm2::get(s, Element::real, to, count); });
}

int getndfloat(double* to, int count) {
  return pvm2::free_call(
      "getndfloat", [&](pvm2::State& s) { return pvm2::get(s, Element::double_real, to, count); });
}

int getncplx(float* to, int count) {
  return pvm2::free_call("getncplx",
                         [&](pvm2::State& s) { return pvm2::get(s, Element::complex, to, count); });
}

int getndcplx(double* to, int count) {
  return pvm2::free_call("getndcplx", [&](pvm2::State& s) {
    return pvm2::get(s, Element::double_complex, to, count);
  });
}

int snd(char* component, int instance, int type) {
  return pvm2::call("snd", [&](pvm2::State& s) {
    return pvm2::send(s, component, instance, type, pvm2::Way::usual);
  });
}

int rcv(int type) {
  return pvm2::call("rcv",
                    [&](pvm2::State& s) { return pvm2::receive(s, one(type), pvm2::Way::usual); });
}

int rcvmulti(int count, int* types) {
  return pvm2::call("rcvmulti", [&](pvm2::State& s) {
    return pvm2::receive(s, pvm2::several(types, count), pvm2::Way::usual);
  });
}

int vsnd(char* component, int instance, int type) {
  return pvm2::call("vsnd", [&](pvm2::State& s) {
    return pvm2::send(s, component, instance, type, pvm2::Way::virtual_);
  });
}

int vrcv(int type) {
  return pvm2::call(
      "vrcv", [&](pvm2::State& s) { return pvm2::receive(s, one(type), pvm2::Way::virtual_); });
}

int vrcvmulti(int count, int* types) {
  return pvm2::call("vrcvmulti", [&](pvm2::State& s) {
    return pvm2::receive(s, pvm2::several(types, count), pvm2::Way::virtual_);
  });
}

int probe(int type) {
  return pvm2::call("probe", [&](pvm2::State& s) { return pvm2::probe(s, one(type)); });
}

int probemulti(int count, int* types) {
  return pvm2::call("probemulti",
                    [&](pvm2::State& s) { return pvm2::probe(s, pvm2::several(types, count)); });
}

int rcvinfo(int* bytes, int* type, char* component, int* instance) {
  return pvm2::call("rcvinfo", [&](pvm2::State& s) {
    return pvm2::message_facts(s, bytes, type, component, instance);
  });
}

int barrier(char* name, int count) {
  return pvm2::call("barrier",
                    [&](pvm2::State& s) { return pvm2::wait_at_barrier(s, name, count); });
}

int ready(char* event) {
  return pvm2::call("ready", [&](pvm2::State& s) { return pvm2::announce(s, event); });
}

int waituntil(char* event) {
  return pvm2::call("waituntil", [&](pvm2::State& s) { return pvm2::wait_until(s, event); });
}

}  // extern "C"
