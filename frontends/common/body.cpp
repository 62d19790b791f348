// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/common/body.hpp"

#include <algorithm>
#include <utility>

namespace earl {

namespace {

// A program that packs and sends in a loop shall not allocate; one that once sent a huge message
// shall not keep its memory.
constexpr std::size_t kept_memory = 64 * 1024;
constexpr std::size_t first_memory = 256;

}  // namespace

void Body::adopt(Buffer received) {
  memory_ = std::move(received);
  used_ = memory_.size();
}

void Body::clear() {
  if (memory_.size() > kept_memory) memory_ = Buffer{};
  used_ = 0;
}

void Body::grow(std::size_t more) {
  Buffer bigger(std::max({first_memory, used_ + more, memory_.size() * 2}));
  copy(bytes(), bigger.room());
  memory_ = std::move(bigger);
}

}  // namespace earl
