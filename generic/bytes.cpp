#include "generic/bytes.hpp"

#include <cstdlib>

#include "generic/error.hpp"

namespace earl {

std::size_t copy(Bytes from, Scatter const& to, std::size_t at) {
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

std::size_t copy(Gather const& from, Room to) {
  std::size_t done = 0;
  for (auto const& piece : from.list()) done += copy(piece, to.subspan(done));
  return done;
}

Buffer::Buffer(std::size_t size) : size_(size) {
  if (size == 0) return;
  data_.reset(static_cast<std::byte*>(std::malloc(size)));
  if (!data_) throw Error(Fault::no_memory, "no memory for a message of {} bytes", size);
}

void Buffer::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace earl
