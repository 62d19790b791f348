// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 5.7: attributes.
#include "frontends/mpi/attributes.hpp"

#include <algorithm>
#include <cstdint>

#include "frontends/mpi/window_calls.hpp"

namespace earl::mpi {

namespace {

/// The delete function of one; throws when it fails.
void remove(Communicator& comm, Attribute const& one) {
  if (!one.key->remove) return;
  int const code = one.key->remove(comm.handle, one.key->handle, one.value, one.key->extra);
  if (code != MPI_SUCCESS)
    throw MpiError(ErrorClass::other, "the delete function of keyval {:#x} has returned {}",
                   handle::bits(one.key->handle), code);
}

/// Null: it has no such attribute.
Attribute* find(Communicator& comm, Keyval const& key) {
  auto const found =
      std::ranges::find(comm.attributes, &key, [](Attribute const& one) { return one.key.get(); });
  return found == comm.attributes.end() ? nullptr : &*found;
}

/// One that the program has made. Class KEYVAL.
Ref<Keyval> made(State& me, int keyval) {
  if (auto* const found = me.keyvals().find(keyval)) return *found;
  if (me.predefined_attribute(keyval))
    throw MpiError(ErrorClass::keyval, "keyval is {:#x}, a predefined one: use one of your own",
                   handle::bits(keyval));
  handle::refuse(keyval, Kind::keyval, "keyval");
}

/// Also one that has been freed, while `comm` has its attribute (Standard, 5.7.1).
Ref<Keyval> made(State& me, Communicator const& comm, int keyval) {
  for (auto const& one : comm.attributes)
    if (one.key->handle == keyval) return one.key;
  return made(me, keyval);
}

/// A window's own ones, through a pointer in C. False: it is no predefined key.
bool get_predefined(Window& window, int keyval, void*& value) {
  bool const in_c = !is_fortran_key(keyval);
  auto const give = [&](auto& number) {
    value = in_c ? static_cast<void*>(&number) : reinterpret_cast<void*>(std::intptr_t{number});
    return true;
  };
  switch (c_key_of(keyval)) {
    case MPI_WIN_BASE:
      value = window.base;
      return true;
    case MPI_WIN_SIZE:
      return give(window.size);
    case MPI_WIN_DISP_UNIT:
      return give(window.unit);
    case MPI_WIN_CREATE_FLAVOR:
      return give(window.flavor);
    case MPI_WIN_MODEL:
      return give(window.model);
    default:
      return false;
  }
}

/// MPI-2's, which binaries ask for: this job has neither.
bool is_never_set(int keyval) {
  return c_key_of(keyval) == MPI_UNIVERSE_SIZE || c_key_of(keyval) == MPI_APPNUM;
}

void create(State& me, Keyval::Copy* copy, Keyval::Delete* remove, int* result, void* extra) {
  int& keyval = require(result, "keyval");
  auto key = make<Keyval>();
  key->copy = copy == MPI_COMM_DUP_FN ? MPIR_Dup_fn : copy;
  key->remove = remove;
  key->extra = extra;
  keyval = key->handle = me.keyvals().open(key);
}

void free_keyval(State& me, int* keyval) {
  int& value = require(keyval, "keyval");
  made(me, value);
  me.keyvals().close(value);
  value = MPI_KEYVAL_INVALID;
}

// Callbacks may put and delete attributes: nothing found before one is used after it.
void put(State& me, Communicator& comm, int keyval, void* value) {
  auto const key = made(me, keyval);
  if (auto const* old = find(comm, *key)) remove(comm, Attribute{*old});
  if (auto* const old = find(comm, *key))
    old->value = value;
  else
    comm.attributes.push_back({key, value});
}

/// The value of a Fortran key is no pointer.
void get(State& me, Communicator& comm, int keyval, void* result, int* flag) {
  int& found = require(flag, "flag");
  void*& value = require(static_cast<void**>(result), "attribute_val");
  found = 1;
  if (int* const here = me.predefined_attribute(keyval)) {
    value = is_fortran_key(keyval) ? reinterpret_cast<void*>(std::intptr_t{*here})
                                   : static_cast<void*>(here);
    return;
  }
  if (is_never_set(keyval)) {
    found = 0;
    return;
  }
  auto const* one = find(comm, *made(me, comm, keyval));
  found = one ? 1 : 0;
  if (one) value = one->value;
}

void get_of_window(State& me, Window& window, int keyval, void* result, int* flag) {
  int& found = require(flag, "flag");
  void*& value = require(static_cast<void**>(result), "attribute_val");
  if (get_predefined(window, keyval, value))
    found = 1;
  else
    get(me, *window.scope, keyval, result, flag);
}

void erase(State& me, Communicator& comm, int keyval) {
  auto const key = made(me, comm, keyval);
  auto const* const one = find(comm, *key);
  if (!one) return;
  remove(comm, Attribute{*one});
  std::erase_if(comm.attributes,
                [&](Attribute const& other) { return other.key.get() == key.get(); });
}

}  // namespace

void copy_attributes(Communicator& from, Communicator& copy) {
  auto const all = from.attributes;
  for (auto const& [key, value] : all) {
    if (!key->copy) continue;
    void* copied = nullptr;
    int flag = 0;
    int const code = key->copy(from.handle, key->handle, key->extra, value, &copied, &flag);
    if (code != MPI_SUCCESS)
      throw MpiError(ErrorClass::other, "the copy function of keyval {:#x} has returned {}",
                     handle::bits(key->handle), code);
    if (flag != 0) copy.attributes.push_back({key, copied});
  }
}

void delete_attributes(Communicator& comm) {
  while (!comm.attributes.empty()) {
    Attribute const last = comm.attributes.back();
    remove(comm, last);
    std::erase_if(comm.attributes,
                  [&](Attribute const& one) { return one.key.get() == last.key.get(); });
  }
}

}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int MPIR_Dup_fn(MPI_Comm, int, void*, void* attr_in, void* attr_out, int* flag) {
  *static_cast<void**>(attr_out) = attr_in;
  *flag = 1;
  return MPI_SUCCESS;
}

extern "C" int PMPI_Keyval_create(MPI_Copy_function* copy_fn, MPI_Delete_function* delete_fn,
                                  int* keyval, void* extra_state) {
  return mpi::call("MPI_Keyval_create", MPI_COMM_WORLD,
                   [&](State& me) { mpi::create(me, copy_fn, delete_fn, keyval, extra_state); });
}
EARL_MPI(Keyval_create)

extern "C" int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy_fn,
                                       MPI_Comm_delete_attr_function* delete_fn, int* keyval,
                                       void* extra_state) {
  return mpi::call("MPI_Comm_create_keyval", MPI_COMM_WORLD,
                   [&](State& me) { mpi::create(me, copy_fn, delete_fn, keyval, extra_state); });
}
EARL_MPI(Comm_create_keyval)

extern "C" int PMPI_Keyval_free(int* keyval) {
  return mpi::call("MPI_Keyval_free", MPI_COMM_WORLD,
                   [&](State& me) { mpi::free_keyval(me, keyval); });
}
EARL_MPI(Keyval_free)

extern "C" int PMPI_Comm_free_keyval(int* keyval) {
  return mpi::call("MPI_Comm_free_keyval", MPI_COMM_WORLD,
                   [&](State& me) { mpi::free_keyval(me, keyval); });
}
EARL_MPI(Comm_free_keyval)

extern "C" int PMPI_Attr_put(MPI_Comm comm, int keyval, void* attribute_val) {
  return mpi::call("MPI_Attr_put", comm,
                   [&](State& me) { mpi::put(me, me.communicator(comm), keyval, attribute_val); });
}
EARL_MPI(Attr_put)

extern "C" int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void* attribute_val) {
  return mpi::call("MPI_Comm_set_attr", comm,
                   [&](State& me) { mpi::put(me, me.communicator(comm), keyval, attribute_val); });
}
EARL_MPI(Comm_set_attr)

extern "C" int PMPI_Attr_get(MPI_Comm comm, int keyval, void* attribute_val, int* flag) {
  return mpi::call("MPI_Attr_get", comm, [&](State& me) {
    mpi::get(me, me.communicator(comm), keyval, attribute_val, flag);
  });
}
EARL_MPI(Attr_get)

extern "C" int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void* attribute_val, int* flag) {
  return mpi::call("MPI_Comm_get_attr", comm, [&](State& me) {
    mpi::get(me, me.communicator(comm), keyval, attribute_val, flag);
  });
}
EARL_MPI(Comm_get_attr)

extern "C" int PMPI_Attr_delete(MPI_Comm comm, int keyval) {
  return mpi::call("MPI_Attr_delete", comm,
                   [&](State& me) { mpi::erase(me, me.communicator(comm), keyval); });
}
EARL_MPI(Attr_delete)

extern "C" int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval) {
  return mpi::call("MPI_Comm_delete_attr", comm,
                   [&](State& me) { mpi::erase(me, me.communicator(comm), keyval); });
}
EARL_MPI(Comm_delete_attr)

extern "C" int PMPI_Win_create_keyval(MPI_Win_copy_attr_function* copy_fn,
                                      MPI_Win_delete_attr_function* delete_fn, int* keyval,
                                      void* extra_state) {
  return mpi::call("MPI_Win_create_keyval", MPI_COMM_WORLD,
                   [&](State& me) { mpi::create(me, copy_fn, delete_fn, keyval, extra_state); });
}
EARL_MPI(Win_create_keyval)

extern "C" int PMPI_Win_free_keyval(int* keyval) {
  return mpi::call("MPI_Win_free_keyval", MPI_COMM_WORLD,
                   [&](State& me) { mpi::free_keyval(me, keyval); });
}
EARL_MPI(Win_free_keyval)

extern "C" int PMPI_Win_set_attr(MPI_Win win, int keyval, void* attribute_val) {
  return mpi::call_on_window("MPI_Win_set_attr", win, [&](State& me, mpi::Window& window) {
    mpi::put(me, *window.scope, keyval, attribute_val);
  });
}
EARL_MPI(Win_set_attr)

extern "C" int PMPI_Win_get_attr(MPI_Win win, int keyval, void* attribute_val, int* flag) {
  return mpi::call_on_window("MPI_Win_get_attr", win, [&](State& me, mpi::Window& window) {
    mpi::get_of_window(me, window, keyval, attribute_val, flag);
  });
}
EARL_MPI(Win_get_attr)

extern "C" int PMPI_Win_delete_attr(MPI_Win win, int keyval) {
  return mpi::call_on_window("MPI_Win_delete_attr", win, [&](State& me, mpi::Window& window) {
    mpi::erase(me, *window.scope, keyval);
  });
}
EARL_MPI(Win_delete_attr)
