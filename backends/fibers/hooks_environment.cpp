// SPDX-License-Identifier: BSD-3-Clause
/// The environment. Reading needs no hook: `environ` is switched with the rank. Writing does: the C
/// library remembers which list it made, whosever it was.
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

bool valid(char const* name) {
  if (name && *name && !std::strchr(name, '=')) return true;
  errno = EINVAL;
  return false;
}

bool assigns(char const* entry, std::string_view name) {
  return std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

/// The list as the program sees it, which may have put its own in place.
std::vector<char*> entries_now() {
  std::vector<char*> list;
  for (char** entry = environ; entry && *entry; ++entry) list.push_back(*entry);
  return list;
}

void install(std::vector<char*> list) {
  list.push_back(nullptr);
  auto& rank = me();
  rank.environment_list = std::move(list);
  environ = rank.environment_list.data();
  for (char const* name : {"environ", "__environ", "_environ"})
    if (auto* const own = static_cast<char***>(rank.copy->variable(name))) *own = environ;
}

int put(char* assignment) {
  char const* const equals = std::strchr(assignment, '=');
  std::string_view const name{
      assignment, equals ? static_cast<std::size_t>(equals - assignment) : std::strlen(assignment)};
  auto list = entries_now();
  std::erase_if(list, [&](char const* entry) { return assigns(entry, name); });
  if (equals) list.push_back(assignment);
  install(std::move(list));
  return 0;
}

int set(char const* name, char const* value, int replace) {
  if (!valid(name)) return -1;
  if (replace == 0 && std::getenv(name)) return 0;
  auto const text = std::string{name} + "=" + value;
  auto memory = std::make_unique<char[]>(text.size() + 1);
  std::memcpy(memory.get(), text.c_str(), text.size() + 1);
  me().memories.assignments.push_back(std::move(memory));
  return put(me().memories.assignments.back().get());
}

int unset(char const* name) {
  if (!valid(name)) return -1;
  auto list = entries_now();
  std::erase_if(list, [&](char const* entry) { return assigns(entry, name); });
  install(std::move(list));
  return 0;
}

int clear_all() {
  install({});
  return 0;
}

}  // namespace

std::span<Hook const> environment_hooks() {
  static Hook const table[] = {
      hook("setenv", set),
      hook("putenv", put),
      hook("unsetenv", unset),
      hook("clearenv", clear_all),
  };
  return table;
}

}  // namespace earl::fibers
