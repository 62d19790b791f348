// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/bytes.hpp"

#include <cstdlib>

#include "generic/base/error.hpp"

namespace earl {

std::size_t copy(Bytes from, Scatter const& to, std::size_t at) {
  if (to.patterned()) return to.pattern().copy_in(to.base(), at, from.data(), from.size());
  std::size_t done = 0;
  for (auto const& piece : to.list()) {
    if (at >= piece.size()) {
      at -= piece.size();
      continue;
    }
    done += copy(from.subspan(done), piece.subspan(at));
    at = 0;
    if (done == from.size()) break;
  }
  return done;
}

std::size_t copy(Gather const& from, MutableBytes to, std::size_t at) {
  if (from.patterned()) return from.pattern().copy_out(from.base(), at, to.data(), to.size());
  std::size_t done = 0;
  for (auto const& piece : from.list()) {
    if (at >= piece.size()) {
      at -= piece.size();
      continue;
    }
    done += copy(piece.subspan(at), to.subspan(done));
    at = 0;
    if (done == to.size()) break;
  }
  return done;
}

std::size_t copy(Gather const& from, Scatter const& to) {
  if (to.contiguous()) return copy(from, to.only());
  std::size_t done = 0;
  each(from, [&](Bytes part) { done += copy(part, to, done); });
  return done;
}

Buffer::Buffer(std::size_t size) : size_(size) {
  if (size == 0) return;
  data_.reset(static_cast<std::byte*>(std::malloc(size)));
  if (!data_) throw Error(Fault::no_memory, "no memory for a message of {} bytes", size);
}

void Buffer::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace earl
