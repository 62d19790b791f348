// SPDX-License-Identifier: BSD-3-Clause
/// Calls that a rank cannot make because it shares its process.
#pragma once

#include <string_view>

namespace earl::fibers {

struct ForbiddenCall {
  std::string_view name;
  char const* why;
};

/// A program that imports one is refused. A library may: few that can start threads do, so a rank
/// ends when it calls one.
inline constexpr ForbiddenCall forbidden_calls[] = {
    {"pthread_create", "it starts threads"},
    {"fork", "it calls fork()"},
    {"_fork", "it calls fork()"},
    {"vfork", "it calls vfork()"},
    {"execl", "it becomes another program (execl)"},
    {"execv", "it becomes another program (execv)"},
    {"execve", "it becomes another program (execve)"},
    {"execlp", "it becomes another program (execlp)"},
    {"execvp", "it becomes another program (execvp)"},
    {"dlopen", "it loads libraries itself (dlopen), which its ranks would share"},
};

}  // namespace earl::fibers
