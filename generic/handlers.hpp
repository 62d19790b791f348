// SPDX-License-Identifier: BSD-3-Clause
/// Functions of the program that run because a message has moved: NX's hrecv and hsend, PVM's
/// pvm_addmhf.
///
/// They run inside Earl's calls, on the process's own thread: when a call begins and while it
/// waits, never in the middle of a message and never inside another handler. A handler may do what
/// the program may, blocking calls included.
#pragma once

#include "generic/request.hpp"

namespace earl {

/// For one request, once: it gets the result that wait() would have given.
struct CompletionHandler {
  void (*function)(void* with, Completion const& completion) = nullptr;
  void* with = nullptr;
};

/// For every message that a standing filter accepts; the message is the handler's.
struct MessageHandler {
  void (*function)(void* with, Message message) = nullptr;
  void* with = nullptr;
};

/// Names a standing filter of one process; never 0, never reused.
enum class FilterId : std::uint64_t {};

}  // namespace earl
