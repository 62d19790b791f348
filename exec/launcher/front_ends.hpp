// SPDX-License-Identifier: BSD-3-Clause
/// The front ends as EXEC has to know them before their libraries are loaded.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace earl::exec {

/// The effect on the job when a process of this front end is killed or meets a native error.
enum class DeathPolicy { ends_the_job, job_continues };

/// The number of processes of a program that start on several hosts, if the user does not say: as
/// many as these take, or one, which starts the others.
enum class Startup { fills_hosts, alone };

struct FrontEnd {
  std::string_view name;  ///< its name in boot::load(), and `earlcc -api`
  std::string_view title;
  /// Library names up to ".so", or with it and a version, which is meant then. The first is the one
  /// that programs in C are linked with.
  std::array<std::string_view, 4> libraries;
  /// Linked before the first into Fortran programs; empty: nothing.
  std::string_view fortran_library;
  Startup startup;
  DeathPolicy death;
  /// Names, separated by spaces and without underscores around them, of the calls that start
  /// processes of a running job, and of those that make such of forked children.
  std::string_view starting_calls;
  std::string_view forking_calls;
};

std::span<FrontEnd const> front_ends();
/// Null: no such front end.
FrontEnd const* find_front_end(std::string_view name);
/// The front end that a library belongs to ("libpvm3.so.3"); null: it is no library of Earl's.
FrontEnd const* front_end_of_library(std::string_view library);
/// One that this build leaves out (-Dfrontends=), by its name and by a library of it. Null: none of
/// those.
FrontEnd const* find_left_out(std::string_view name);
FrontEnd const* left_out_of_library(std::string_view library);
/// A sentence about one: that it is left out, and how to have it.
std::string built_without(FrontEnd const& front_end);
/// "libnx.so, libpvm3.so": for sentences.
std::string front_end_libraries();

}  // namespace earl::exec
