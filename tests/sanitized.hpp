// SPDX-License-Identifier: BSD-3-Clause
/// Whether a sanitizer is compiled in: such processes are several times slower and keep freed
/// memory.
#pragma once

namespace earl::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// How often a test that finds the same sooner or later tries.
template <class Number>
constexpr Number times(Number each, Number when_sanitized) {
  return sanitized ? when_sanitized : each;
}

}  // namespace earl::testing
