// SPDX-License-Identifier: BSD-3-Clause
/// NX calls as seen by a program: three names for each, two manners of failing.
#pragma once

#include <cerrno>
#include <type_traits>

#include "frontends/common/call.hpp"
#include "frontends/nx/errors.hpp"
#include "frontends/nx/state.hpp"

/// A function that programs call. Weak, because the names are short common words and a program's
/// own `led` or `load` must win.
#define EARL_NX_ENTRY extern "C" [[gnu::weak]]

/// The two C forms of the call `name` for programs whose words have 4 bytes, which nxlong32.h
/// renames; `function` takes the arguments that follow the parameters.
#define EARL_NX_LONG32(Result, name, function, parameters, ...)                    \
  EARL_NX_ENTRY Result earl_nx32_##name parameters {                               \
    return earl::nx::call<earl::nx::Plain>(#name, function, __VA_ARGS__);          \
  }                                                                                \
  EARL_NX_ENTRY long earl_nx32__##name parameters {                                \
    return earl::nx::call<earl::nx::Underscore>("_" #name, function, __VA_ARGS__); \
  }

/// The form with a leading underscore of a Paragon call, whose plain form already returns its
/// error.
#define EARL_NX_ALSO(name) extern "C" [[gnu::weak, gnu::alias(#name)]] decltype(name) _##name;

namespace earl::nx {

/// A Fortran argument: by reference, four bytes.
using Integer = std::int32_t const&;

/// Says "(node N, pid P) name: ..." and ends the process with status 1. `process` is null in a
/// forked child.
[[noreturn]] void fail_plainly(Process* process, char const* name, Error const& error);

/// The plain and the Fortran forms: an error ends the process.
struct Plain {
  template <class Result>
  using Answer = Result;

  template <class Result>
  [[noreturn]] static Result failed(Process* process, char const* name, Error const& error) {
    fail_plainly(process, name, error);
  }
};

/// The forms with a leading underscore: -1 and errno; where the plain form has no result, 0.
struct Underscore {
  template <class Result>
  using Answer = std::conditional_t<std::is_void_v<Result>, std::int32_t, Result>;

  template <class Result>
  static Result failed(Process*, char const*, Error const& error) {
    errno = number_of(error);
    return static_cast<Result>(-1);
  }
};

/// Does the API call `name`: function(State&, arguments...), integers narrowed to 32 bits. Inlined,
/// so that the site a debugger sees is the program's.
template <class Manner, class Function, class... Arguments>
[[gnu::always_inline]] inline auto call(char const* name, Function const& function,
                                        Arguments... arguments) {
  using Result = std::invoke_result_t<Function, State&, decltype(word(arguments))...>;
  using Answer = typename Manner::template Answer<Result>;
  return api_call(
      name,
      [&](Process& process) -> Answer {
        if constexpr (std::is_same_v<Result, Answer>) {
          return function(state_of(process), word(arguments)...);
        } else {
          function(state_of(process), word(arguments)...);
          return 0;
        }
      },
      [&](Process* process, Error const& error) -> Answer {
        return Manner::template failed<Answer>(process, name, error);
      });
}

}  // namespace earl::nx
