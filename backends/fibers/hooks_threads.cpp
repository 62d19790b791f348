// SPDX-License-Identifier: BSD-3-Clause
/// Thread-specific data of the C library, and the calls that start other threads or processes.
#include <fmt/format.h>
#include <pthread.h>
#include <threads.h>

#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include "backends/fibers/forbidden.hpp"
#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

/// Like Copy::apply_thread_local() fills it in.
struct ThreadLocalIndex {
  std::uintptr_t block;
  std::uintptr_t offset;
};

/// Programs of some compilers call this with a stack that is not aligned.
void* address_of_thread_local(ThreadLocalIndex const* index) {
  return reinterpret_cast<void*>(index->block + index->offset);
}

int at_thread_exit(void (*function)(void*), void* argument, void* library) {
  me().memories.at_thread_exit.push_back(
      {.function = function, .argument = argument, .library = library});
  return 0;
}

// Keys

ThreadKey* key_at(unsigned number) {
  auto& keys = me().memories.thread_keys;
  return number < keys.size() && keys[number].used ? &keys[number] : nullptr;
}

int create_key(pthread_key_t* number, void (*destructor)(void*)) {
  auto& keys = me().memories.thread_keys;
  std::size_t at = 0;
  while (at < keys.size() && keys[at].used) ++at;
  if (at == PTHREAD_KEYS_MAX) return EAGAIN;
  if (at == keys.size()) keys.emplace_back();
  keys[at] = {.destructor = destructor, .used = true};
  *number = static_cast<pthread_key_t>(at);
  return 0;
}

int delete_key(pthread_key_t number) {
  auto* const key = key_at(number);
  if (!key) return EINVAL;
  *key = {};
  return 0;
}

void* value_of_key(pthread_key_t number) {
  auto const* const key = key_at(number);
  return key ? key->value : nullptr;
}

int set_value_of_key(pthread_key_t number, void const* value) {
  auto* const key = key_at(number);
  if (!key) return EINVAL;
  key->value = const_cast<void*>(value);
  return 0;
}

int create_c11_key(tss_t* number, tss_dtor_t destructor) {
  return create_key(number, destructor) == 0 ? thrd_success : thrd_error;
}
void delete_c11_key(tss_t number) { delete_key(number); }
int set_value_of_c11_key(tss_t number, void* value) {
  return set_value_of_key(number, value) == 0 ? thrd_success : thrd_error;
}

/// Done at the end of a thread; a process that calls exit() does not do it.
void destroy_values_of_keys() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
    for (std::size_t i = 0; i < me().memories.thread_keys.size(); ++i) {
      auto const key = std::exchange(me().memories.thread_keys[i].value, nullptr);
      auto const destructor = me().memories.thread_keys[i].destructor;
      if (key && destructor) destructor(key);
    }
}

/// The last thread of a process.
void exit_thread(void*) {
  run_thread_exit_handlers();
  destroy_values_of_keys();
  exit_rank(0);
}

template <std::size_t row>
void end_for_call() {
  auto const& call = forbidden_calls[row];
  me().failure_report =
      fmt::format("a library that it uses has called {}(): {}; use --on shm", call.name, call.why);
  terminate_rank(1 << 8);
}

template <std::size_t... rows>
std::array<Hook, sizeof...(rows)> ends_for_calls(std::index_sequence<rows...>) {
  return {hook(forbidden_calls[rows].name, end_for_call<rows>)...};
}

}  // namespace

void run_thread_exit_handlers() {
  auto& list = me().memories.at_thread_exit;
  while (!list.empty()) {
    auto const last = list.back();
    list.pop_back();
    last.function(last.argument);
  }
}

std::span<Hook const> thread_hooks() {
  static Hook const table[] = {
      hook("__tls_get_addr", address_of_thread_local),
      hook("__cxa_thread_atexit_impl", at_thread_exit),
      hook("pthread_key_create", create_key),
      hook("__pthread_key_create", create_key),
      hook("pthread_key_delete", delete_key),
      hook("pthread_getspecific", value_of_key),
      hook("pthread_setspecific", set_value_of_key),
      hook("tss_create", create_c11_key),
      hook("tss_delete", delete_c11_key),
      hook("tss_get", value_of_key),
      hook("tss_set", set_value_of_c11_key),
      hook("pthread_exit", exit_thread),
  };
  return table;
}

std::span<Hook const> forbidden_hooks() {
  static auto const table = ends_for_calls(std::make_index_sequence<std::size(forbidden_calls)>());
  return table;
}

}  // namespace earl::fibers
