// SPDX-License-Identifier: BSD-3-Clause
/// MPI-2, 4.10: info objects.
#include "frontends/mpi/info.hpp"

#include <algorithm>
#include <string_view>

#include "frontends/mpi/call.hpp"

namespace earl::mpi {

namespace {

/// MPI_INFO_ENV is an object without keys. Class INFO.
Info& info_of(State& me, Handle info, char const* argument = "info") {
  if (auto* const found = me.later().infos.find(info)) return *found;
  handle::refuse(info, Kind::info, argument);
}

Info const& readable(State& me, Handle info) {
  return info == MPI_INFO_ENV ? me.later().infos.environment : info_of(me, info);
}

/// Class INFO_KEY.
std::string_view checked_key(char const* key) {
  if (!key) throw MpiError(ErrorClass::info_key, "key is a null pointer: pass a text");
  std::string_view const text = key;
  if (text.empty() || text.size() > longest_info_key)
    throw MpiError(ErrorClass::info_key, "key has {} characters: pass 1 to {}", text.size(),
                   longest_info_key);
  return text;
}

/// Class INFO_VALUE.
std::string_view checked_value(char const* value) {
  if (!value) throw MpiError(ErrorClass::info_value, "value is a null pointer: pass a text");
  std::string_view const text = value;
  if (text.size() > longest_info_value)
    throw MpiError(ErrorClass::info_value, "value has {} characters: pass at most {}", text.size(),
                   longest_info_value);
  return text;
}

template <class Some>
auto place_of(Some& info, std::string_view key) {
  return std::ranges::find(info, key, [](auto const& one) { return std::string_view{one.first}; });
}

void set(Info& info, std::string_view key, std::string_view value) {
  auto const found = place_of(info, key);
  if (found == info.end())
    info.emplace_back(key, value);
  else
    found->second = value;
}

void erase(Info& info, std::string_view key) {
  auto const found = place_of(info, key);
  if (found == info.end())
    throw MpiError(ErrorClass::info_nokey, "key is {}, which was never set: set it first", key);
  info.erase(found);
}

/// Up to `room` characters of the value, and a NUL.
void get(Info const& info, char const* key, int room, char* value, int* flag) {
  auto const found = place_of(info, checked_key(key));
  int& is_there = require(flag, "flag");
  if (room < 0) throw MpiError(ErrorClass::arg, "valuelen is {}: pass 0 or more", room);
  check_given(value, "value");
  is_there = found != info.end() ? 1 : 0;
  if (is_there == 0) return;
  auto const length = found->second.copy(value, static_cast<std::size_t>(room));
  value[length] = '\0';
}

void get_length(Info const& info, char const* key, int* length, int* flag) {
  auto const found = place_of(info, checked_key(key));
  require(flag, "flag") = found != info.end() ? 1 : 0;
  int& result = require(length, "valuelen");
  if (*flag != 0) result = static_cast<int>(found->second.size());
}

void get_nth(Info const& info, int n, char* key) {
  check_given(key, "key");
  if (n < 0 || static_cast<std::size_t>(n) >= info.size())
    throw MpiError(ErrorClass::arg, "n is {}: the info object has {} keys", n, info.size());
  auto const& text = info[static_cast<std::size_t>(n)].first;
  key[text.copy(key, text.size())] = '\0';
}

}  // namespace

Info const* info_or_null(State& me, Handle info, char const* argument) {
  if (info == MPI_INFO_NULL || info == MPI_INFO_ENV) return nullptr;
  return &info_of(me, info, argument);
}

}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Info_create(MPI_Info* info) {
  return mpi::call("MPI_Info_create", MPI_COMM_WORLD,
                   [&](State& me) { mpi::require(info, "info") = me.later().infos.open({}); });
}
EARL_MPI(Info_create)

extern "C" int PMPI_Info_free(MPI_Info* info) {
  return mpi::call("MPI_Info_free", MPI_COMM_WORLD, [&](State& me) {
    mpi::info_of(me, mpi::require(info, "info"));
    me.later().infos.close(*info);
    *info = MPI_INFO_NULL;
  });
}
EARL_MPI(Info_free)

extern "C" int PMPI_Info_dup(MPI_Info info, MPI_Info* newinfo) {
  return mpi::call("MPI_Info_dup", MPI_COMM_WORLD, [&](State& me) {
    mpi::Info copy = mpi::readable(me, info);
    mpi::require(newinfo, "newinfo") = me.later().infos.open(std::move(copy));
  });
}
EARL_MPI(Info_dup)

extern "C" int PMPI_Info_set(MPI_Info info, char const* key, char const* value) {
  return mpi::call("MPI_Info_set", MPI_COMM_WORLD, [&](State& me) {
    auto& object = mpi::info_of(me, info);
    auto const name = mpi::checked_key(key);
    mpi::set(object, name, mpi::checked_value(value));
  });
}
EARL_MPI(Info_set)

extern "C" int PMPI_Info_delete(MPI_Info info, char const* key) {
  return mpi::call("MPI_Info_delete", MPI_COMM_WORLD,
                   [&](State& me) { mpi::erase(mpi::info_of(me, info), mpi::checked_key(key)); });
}
EARL_MPI(Info_delete)

extern "C" int PMPI_Info_get(MPI_Info info, char const* key, int valuelen, char* value, int* flag) {
  return mpi::call("MPI_Info_get", MPI_COMM_WORLD, [&](State& me) {
    mpi::get(mpi::readable(me, info), key, valuelen, value, flag);
  });
}
EARL_MPI(Info_get)

extern "C" int PMPI_Info_get_valuelen(MPI_Info info, char const* key, int* valuelen, int* flag) {
  return mpi::call("MPI_Info_get_valuelen", MPI_COMM_WORLD, [&](State& me) {
    mpi::get_length(mpi::readable(me, info), key, valuelen, flag);
  });
}
EARL_MPI(Info_get_valuelen)

extern "C" int PMPI_Info_get_nkeys(MPI_Info info, int* nkeys) {
  return mpi::call("MPI_Info_get_nkeys", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(nkeys, "nkeys") = static_cast<int>(mpi::readable(me, info).size());
  });
}
EARL_MPI(Info_get_nkeys)

extern "C" int PMPI_Info_get_nthkey(MPI_Info info, int n, char* key) {
  return mpi::call("MPI_Info_get_nthkey", MPI_COMM_WORLD,
                   [&](State& me) { mpi::get_nth(mpi::readable(me, info), n, key); });
}
EARL_MPI(Info_get_nthkey)
