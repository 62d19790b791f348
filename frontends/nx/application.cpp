// SPDX-License-Identifier: BSD-3-Clause
/// Manual: processes of Paragon applications. nx_initve nx_initve_rect nx_initve_attr, nx_load
/// nx_loadve nx_nfork nx_waitall, nx_app_nodes nx_app_rect.
#include "frontends/nx/application.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <numeric>

#include "exec/runtime/boot.hpp"
#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "frontends/nx/loading.hpp"
#include "frontends/nx/text.hpp"
#include "generic/exec_client.hpp"
#include "generic/system/heap.hpp"

namespace earl::nx {

namespace {

/// The program's argument count, of which only 32 bits are there for certain.
struct Arguments {
  std::int32_t* count = nullptr;
  char** values = nullptr;
};

Shape default_shape(State& me) {
  char const* text = std::getenv("NX_DFLT_SIZE");
  if (text && *text) return shape_of(text);
  return {.columns = static_cast<std::int32_t>(default_cube_size(me))};
}

std::int32_t begin(State& me, Shape asked, Arguments const& arguments) {
  me.require_host_capability();
  std::optional<Shape> said;
  if (arguments.count && arguments.values) said = take_switches(*arguments.count, arguments.values);
  auto shape = asked;
  if (shape.columns == 0) shape = said ? *said : default_shape(me);
  auto const nodes = std::int64_t{shape.rows} * shape.columns;
  if (shape.rows <= 0 || shape.columns <= 0 || nodes > most_ranks)
    throw NxError(EQPARAM, "an application cannot have {} x {} nodes: pass 1 to {} in all",
                  shape.rows, shape.columns, most_ranks);
  me.be_host({});
  me.get_cube(static_cast<std::uint32_t>(nodes));
  if (shape.rows > 1) me.take_shape(shape);
  return static_cast<std::int32_t>(nodes);
}

std::int32_t nx_initve(State& me, std::int32_t size, Arguments arguments) {
  if (size < 0) throw NxError(EQPARAM, "size is {}: pass 0 (the default) or more", size);
  return begin(me, {.columns = size}, arguments);
}

std::int32_t nx_initve_rect(State& me, std::int32_t rows, std::int32_t columns,
                            Arguments arguments) {
  if (rows <= 0 || columns <= 0)
    throw NxError(EQPARAM, "an application cannot have {} x {} nodes: pass 1 or more of both", rows,
                  columns);
  return begin(me, {.rows = rows, .columns = columns}, arguments);
}

/// The nodes that are meant; a null list with -1: all.
template <class Number>
std::vector<std::int32_t> listed(State& me, Number const* nodes, Length count) {
  me.need_cube();
  if (!nodes && count == any) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(me.cube().size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  if (!nodes || count <= 0)
    throw NxError(EQPARAM,
                  "the list of nodes is null or has {} entries: pass 1 or more, or a null list "
                  "with -1 for all",
                  std::int32_t{count});
  std::vector<std::int32_t> list;
  for (auto const* node = nodes; node != nodes + count; ++node) list.push_back(narrow(*node));
  for (auto const node : list)
    if (!me.cube().holds(node))
      throw NxError(EQNODE, "node {} is not in this application of {} (0 to {})", node,
                    me.cube().size(), me.cube().size() - 1);
  return list;
}

/// A process that is started first must find the others in the table, without asking EXEC: a replay
/// could not reproduce the answer.
void reserve(State& me, std::vector<std::int32_t> const& nodes, std::int32_t pid) {
  Places where{.partition = me.cube().partition(), .label = pid};
  bool const all = nodes.size() == static_cast<std::size_t>(me.cube().size());
  if (all) me.process().exec().reserve(where);
  for (std::size_t i = 0; i < nodes.size() && !all; ++i) {
    where.place = nodes[i];
    me.process().exec().reserve(where);
  }
}

struct Program {
  std::string path{};
  char** arguments = nullptr;    ///< with argv[0]; null: none
  char** environment = nullptr;  ///< null: the caller's
};

std::vector<std::string> strings_of(char** list) {
  std::vector<std::string> all;
  for (; list && *list; ++list) all.emplace_back(*list);
  return all;
}

SpawnRequest request_for(State& me, Program const& program) {
  auto arguments = strings_of(program.arguments);
  if (!arguments.empty()) arguments.erase(arguments.begin());
  auto environment = strings_of(program.environment);
  // The nodes' nx_app_rect() knows no more.
  if (auto const shape = me.shape(); shape.rows > 1)
    environment.push_back(fmt::format("{}={}x{}", shape_variable, shape.rows, shape.columns));
  return {.program = program.path,
          .arguments = std::move(arguments),
          .search = {"."},
          .environment = std::move(environment)};
}

/// The Unix pid; 0 while the process has not registered.
std::int32_t unix_pid(State& me, Rank rank) { return me.process().table().find(rank)->unix_pid; }

/// nx_perror() knows no more than the error's name.
void must_have_cube(State& me, std::string_view call) {
  if (me.can_host()) return;
  constexpr auto sentence =
      "no cube is attached: these nodes were started together, by `earl run -n`; start them in a "
      "cube "
      "(`getcube` and `load`), or the program alone (`earl run PROGRAM`), so that it makes its "
      "nodes";
  me.process().print_line(fmt::format("{}: {}", call, sentence));
  throw NxError(EQCUBENOTATTCH, "{}", sentence);
}

template <class Number>
std::int32_t load_on(State& me, Number const* nodes, Length count, std::int32_t pid, Number* pids,
                     Program const& program) {
  if (program.path.empty()) throw NxError(EQPFIL, "no file is named");
  if (pid < 0) throw NxError(EQPID, "ptype {} is negative", pid);
  must_have_cube(me, "nx_load");
  auto const list = listed(me, nodes, count);
  auto const what = request_for(me, program);
  reserve(me, list, pid);
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto const answer = me.process().exec().load(
        {.what = what,
         .where = {.partition = me.cube().partition(), .place = list[i], .label = pid}});
    refuse_unless_loaded(answer, pid);
    if (pids) pids[i] = static_cast<Number>(unix_pid(me, answer.started.ranks.front()));
  }
  return static_cast<std::int32_t>(list.size());
}

void must_be_able_to_fork(State& me) {
  if (me.process().exec().may_fork()) return;
  constexpr auto sentence =
      "on this back end a forked process can be no node: `earl run --on shm` has such";
  me.process().print_line(fmt::format("nx_nfork: {}", sentence));
  throw NxError(EQNOPROC, "{}", sentence);
}

/// In the child; the messages of its parent are not its own.
void begin_as_node(State& me, Shape shape) {
  if (shape.rows > 1) me.take_shape(shape);
  me.info().set({.type = any, .count = any, .node = any, .pid = any});
}

/// 0 in the children, in the parent how many there are.
template <class Number>
std::int32_t nx_nfork(State& me, Number const* nodes, Length count, std::int32_t pid,
                      Number* pids) {
  if (pid < 0) throw NxError(EQPID, "ptype {} is negative", pid);
  must_have_cube(me, "nx_nfork");
  auto const list = listed(me, nodes, count);
  must_be_able_to_fork(me);
  reserve(me, list, pid);
  auto const shape = me.shape();
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto const forked =
        boot::fork_into("nx", {.partition = me.cube().partition(), .place = list[i], .label = pid});
    if (forked.unix_pid == 0) {
      begin_as_node(state_of(*boot::process()), shape);
      return 0;
    }
    refuse_unless_loaded(forked.answer, pid);
    if (pids) pids[i] = static_cast<Number>(forked.unix_pid);
  }
  return static_cast<std::int32_t>(list.size());
}

std::int32_t nx_waitall(State& me) {
  auto const partition = me.need_cube();
  me.process().exec().wait_all({.partition = partition});
  return 0;
}

/// The physical numbers of the nodes, which are the logical ones here. The list is the caller's.
template <class Count>
std::int32_t nx_app_nodes(State& me, std::int32_t group, nx_nodes_t* nodes, Count* count) {
  if (!nodes || !count)
    throw NxError(EQPBUF, "the address for the list or its length is null: pass variables");
  if (group != 0 && group != ::getpgrp() && group != ::getpid())
    throw NxError(EQNOACT, "{} is not this application", group);
  auto const size = static_cast<std::size_t>(me.asked_cube().size());
  auto* const list = static_cast<int*>(heap::program_malloc(size * sizeof(int)));
  if (!list) throw NxError(EQMEM, "no memory for a list of {} nodes", size);
  std::iota(list, list + size, 0);
  *nodes = list;
  *count = static_cast<Count>(size);
  return 0;
}

/// The attributes that say how many nodes; each has one value, but for a rectangle's two and a
/// map's length and list.
Shape attributes_shape(std::va_list list) {
  Shape shape{.columns = 0};
  for (auto attribute = va_arg(list, int); attribute != NX_ATTR_END;
       attribute = va_arg(list, int)) {
    auto const value = va_arg(list, long);
    if (attribute == NX_ATTR_SZ || attribute == NX_ATTR_MAP)
      shape = {.columns = narrow(value)};
    else if (attribute == NX_ATTR_RECT)
      shape = {.rows = narrow(value)};
    if (attribute == NX_ATTR_RECT)
      shape.columns = narrow(va_arg(list, long));
    else if (attribute == NX_ATTR_MAP)
      va_arg(list, long*);
  }
  return shape;
}

/// In Fortran all arguments are addresses, and a map's list is its only value that is an array.
Shape attributes_shape_by_reference(std::va_list list) {
  Shape shape{.columns = 0};
  auto const next = [&list] { return *va_arg(list, std::int32_t const*); };
  for (auto attribute = next(); attribute != NX_ATTR_END; attribute = next()) {
    auto const value = next();
    if (attribute == NX_ATTR_SZ || attribute == NX_ATTR_MAP)
      shape = {.columns = value};
    else if (attribute == NX_ATTR_RECT)
      shape = {.rows = value, .columns = next()};
    if (attribute == NX_ATTR_MAP) va_arg(list, std::int32_t const*);
  }
  return shape;
}

/// The elements of a Fortran array of CHARACTER*(length) before the first that is blank.
class FortranList {
 public:
  FortranList(char const* from, std::size_t length) {
    for (; from && length > 0; from += length) {
      elements_.push_back(text(from, length));
      if (elements_.back().empty()) break;
    }
    for (auto& element : elements_)
      if (!element.empty()) list_.push_back(element.data());
    list_.push_back(nullptr);
  }

  char** list() { return list_.data(); }

 private:
  std::vector<std::string> elements_;
  std::vector<char*> list_;  ///< as in C: addresses, then null
};

std::int32_t load_with_lists(State& me, std::int32_t const* nodes, Length count, std::int32_t pid,
                             std::int32_t* pids, std::string const& path, FortranList arguments,
                             FortranList environment) {
  return load_on<std::int32_t>(me, nodes, count, pid, pids,
                               {path, arguments.list(), environment.list()});
}

/// Into the caller's array, which must have room for all.
std::int32_t app_nodes_into(State& me, std::int32_t group, std::int32_t* nodes,
                            std::int32_t* count) {
  if (!nodes) throw NxError(EQPBUF, "the address for the list is null: pass a variable");
  nx_nodes_t list = nullptr;
  nx_app_nodes(me, group, &list, count);
  std::copy_n(list, *count, nodes);
  heap::program_free(list);
  return 0;
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::text;
using nx::Underscore;

// Paragon's calls have no form that ends the process: they return -1, and nx_perror() prints the
// reason.

EARL_NX_ENTRY long nx_initve(char*, long size, char*, int* argc, char** argv) {
  return nx::call<Underscore>("nx_initve", nx::nx_initve, size, nx::Arguments{argc, argv});
}
EARL_NX_ENTRY std::int32_t nx_initve_(char*, Integer size, char*, std::size_t, std::size_t) {
  return nx::call<Underscore>("nx_initve", nx::nx_initve, size, nx::Arguments{});
}
EARL_NX_ENTRY std::int32_t nx_initve__(char*, Integer size, char*, std::size_t, std::size_t) {
  return nx::call<Underscore>("nx_initve", nx::nx_initve, size, nx::Arguments{});
}

EARL_NX_ENTRY long nx_initve_rect(char*, long /*anchor*/, long rows, long cols, char*, int* argc,
                                  char** argv) {
  return nx::call<Underscore>("nx_initve_rect", nx::nx_initve_rect, rows, cols,
                              nx::Arguments{argc, argv});
}
EARL_NX_ENTRY std::int32_t nx_initve_rect_(char*, Integer /*anchor*/, Integer rows, Integer cols,
                                           char*, std::size_t, std::size_t) {
  return nx::call<Underscore>("nx_initve_rect", nx::nx_initve_rect, rows, cols, nx::Arguments{});
}
EARL_NX_ENTRY std::int32_t nx_initve_rect__(char*, Integer /*anchor*/, Integer rows, Integer cols,
                                            char*, std::size_t, std::size_t) {
  return nx::call<Underscore>("nx_initve_rect", nx::nx_initve_rect, rows, cols, nx::Arguments{});
}

EARL_NX_ENTRY long nx_initve_attr(char*, int* argc, char** argv, ...) {
  std::va_list list;
  va_start(list, argv);
  auto const shape = nx::attributes_shape(list);
  va_end(list);
  return nx::call<Underscore>("nx_initve_attr", nx::begin, shape, nx::Arguments{argc, argv});
}

EARL_NX_ENTRY std::int32_t nx_initve_attr_(char* partition, ...) {
  std::va_list list;
  va_start(list, partition);
  auto const shape = nx::attributes_shape_by_reference(list);
  va_end(list);
  return nx::call<Underscore>("nx_initve_attr", nx::begin, shape, nx::Arguments{});
}
EARL_NX_ENTRY std::int32_t nx_initve_attr__(char* partition, ...) {
  std::va_list list;
  va_start(list, partition);
  auto const shape = nx::attributes_shape_by_reference(list);
  va_end(list);
  return nx::call<Underscore>("nx_initve_attr", nx::begin, shape, nx::Arguments{});
}

EARL_NX_ENTRY long nx_load(long* nodes, long n, long ptype, long* pids, char* path) {
  return nx::call<Underscore>("nx_load", nx::load_on<long>, nodes, n, ptype, pids,
                              nx::Program{text(path)});
}
EARL_NX_ENTRY std::int32_t nx_load_(std::int32_t* nodes, Integer n, Integer ptype,
                                    std::int32_t* pids, char const* path, std::size_t length) {
  return nx::call<Underscore>("nx_load", nx::load_on<std::int32_t>, nodes, n, ptype, pids,
                              nx::Program{text(path, length)});
}
EARL_NX_ENTRY std::int32_t nx_load__(std::int32_t* nodes, Integer n, Integer ptype,
                                     std::int32_t* pids, char const* path, std::size_t length) {
  return nx::call<Underscore>("nx_load", nx::load_on<std::int32_t>, nodes, n, ptype, pids,
                              nx::Program{text(path, length)});
}

EARL_NX_ENTRY long nx_loadve(long* nodes, long n, long ptype, long* pids, char* path, char** argv,
                             char** envp) {
  return nx::call<Underscore>("nx_loadve", nx::load_on<long>, nodes, n, ptype, pids,
                              nx::Program{text(path), argv, envp});
}
EARL_NX_ENTRY std::int32_t nx_loadve_(std::int32_t* nodes, Integer n, Integer ptype,
                                      std::int32_t* pids, char const* path, char const* argv,
                                      char const* envp, std::size_t path_length,
                                      std::size_t argv_length, std::size_t envp_length) {
  return nx::call<Underscore>("nx_loadve", nx::load_with_lists, nodes, n, ptype, pids,
                              text(path, path_length), nx::FortranList(argv, argv_length),
                              nx::FortranList(envp, envp_length));
}
EARL_NX_ENTRY std::int32_t nx_loadve__(std::int32_t* nodes, Integer n, Integer ptype,
                                       std::int32_t* pids, char const* path, char const* argv,
                                       char const* envp, std::size_t path_length,
                                       std::size_t argv_length, std::size_t envp_length) {
  return nx::call<Underscore>("nx_loadve", nx::load_with_lists, nodes, n, ptype, pids,
                              text(path, path_length), nx::FortranList(argv, argv_length),
                              nx::FortranList(envp, envp_length));
}

EARL_NX_ENTRY long nx_nfork(long* nodes, long n, long ptype, long* pids) {
  return nx::call<Underscore>("nx_nfork", nx::nx_nfork<long>, nodes, n, ptype, pids);
}
EARL_NX_ENTRY std::int32_t nx_nfork_(std::int32_t* nodes, Integer n, Integer ptype,
                                     std::int32_t* pids) {
  return nx::call<Underscore>("nx_nfork", nx::nx_nfork<std::int32_t>, nodes, n, ptype, pids);
}
EARL_NX_ENTRY std::int32_t nx_nfork__(std::int32_t* nodes, Integer n, Integer ptype,
                                      std::int32_t* pids) {
  return nx::call<Underscore>("nx_nfork", nx::nx_nfork<std::int32_t>, nodes, n, ptype, pids);
}

EARL_NX_ENTRY long nx_waitall(void) { return nx::call<Underscore>("nx_waitall", nx::nx_waitall); }
EARL_NX_ENTRY std::int32_t nx_waitall_(void) {
  return nx::call<Underscore>("nx_waitall", nx::nx_waitall);
}
EARL_NX_ENTRY std::int32_t nx_waitall__(void) {
  return nx::call<Underscore>("nx_waitall", nx::nx_waitall);
}

EARL_NX_ENTRY long nx_app_nodes(pid_t group, nx_nodes_t* nodes, nx_ulong* count) {
  return nx::call<Underscore>("nx_app_nodes", nx::nx_app_nodes<nx_ulong>, group, nodes, count);
}
EARL_NX_ENTRY std::int32_t nx_app_nodes_(Integer group, std::int32_t* nodes, std::int32_t* count) {
  return nx::call<Underscore>("nx_app_nodes", nx::app_nodes_into, group, nodes, count);
}
EARL_NX_ENTRY std::int32_t nx_app_nodes__(Integer group, std::int32_t* nodes, std::int32_t* count) {
  return nx::call<Underscore>("nx_app_nodes", nx::app_nodes_into, group, nodes, count);
}

// Calls for programs whose words have 4 bytes (nxlong32.h).

EARL_NX_ENTRY long earl_nx32_nx_load(std::int32_t* nodes, long n, long ptype, std::int32_t* pids,
                                     char* path) {
  return nx::call<Underscore>("nx_load", nx::load_on<std::int32_t>, nodes, n, ptype, pids,
                              nx::Program{text(path)});
}
EARL_NX_ENTRY long earl_nx32_nx_loadve(std::int32_t* nodes, long n, long ptype, std::int32_t* pids,
                                       char* path, char** argv, char** envp) {
  return nx::call<Underscore>("nx_loadve", nx::load_on<std::int32_t>, nodes, n, ptype, pids,
                              nx::Program{text(path), argv, envp});
}
EARL_NX_ENTRY long earl_nx32_nx_nfork(std::int32_t* nodes, long n, long ptype, std::int32_t* pids) {
  return nx::call<Underscore>("nx_nfork", nx::nx_nfork<std::int32_t>, nodes, n, ptype, pids);
}
EARL_NX_ENTRY long earl_nx32_nx_app_nodes(pid_t group, nx_nodes_t* nodes, std::uint32_t* count) {
  return nx::call<Underscore>("nx_app_nodes", nx::nx_app_nodes<std::uint32_t>, group, nodes, count);
}

// The other names, like those of all other calls.
EARL_NX_ALSO(nx_initve)
EARL_NX_ALSO(nx_initve_rect)
EARL_NX_ALSO(nx_initve_attr)
EARL_NX_ALSO(nx_load)
EARL_NX_ALSO(nx_loadve)
EARL_NX_ALSO(nx_nfork)
EARL_NX_ALSO(nx_waitall)
EARL_NX_ALSO(nx_app_nodes)
