// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/buffered_sends.hpp"
#include "generic/request_table.hpp"

#include <algorithm>
#include <utility>

namespace earl::mpi {

namespace {

/// Shorter ones leave at once on every back end, so that how much room is left depends on none.
constexpr std::size_t leaves_at_once = 4096;

}  // namespace

void BufferedSends::attach(MutableBytes buffer, void const* site) {
  if (attached_)
    throw MpiError(ErrorClass::buffer, "a buffer of {} bytes is attached already: detach it first",
                   buffer_.size());
  buffer_ = buffer;
  attached_ = true;
  attached_at_ = site;
}

MutableBytes BufferedSends::detach(Process& process) {
  if (!attached_)
    throw MpiError(ErrorClass::buffer, "no buffer is attached: call MPI_Buffer_attach first");
  for (auto const& one : segments_) process.wait(one.request);
  segments_.clear();
  attached_ = false;
  attached_at_ = nullptr;
  return std::exchange(buffer_, {});
}

void BufferedSends::send(Process& process, Envelope const& to, Gather const& message) {
  if (!segments_.empty()) reap(process);
  std::size_t begin = 0;
  auto const size = message.size();
  auto const place = place_for(size, begin);
  if (begin + size > buffer_.size())
    throw MpiError(
        ErrorClass::buffer,
        "the message has {} bytes: the buffer attached has {}, of which {} messages hold "
        "some; attach a larger one",
        size, buffer_.size(), segments_.size());
  Envelope copied = to;
  if (size <= leaves_at_once) {
    copied.mode = Mode::buffered;
    return process.send(copied, message);
  }
  MutableBytes const segment = buffer_.subspan(begin, size);
  copy(message, segment);
  segments_.insert(place, {begin, size, process.start_send(copied, Bytes{segment})});
}

/// Messages that have left make room.
void BufferedSends::reap(Process& process) {
  std::vector<RequestId> ids;
  ids.reserve(segments_.size());
  for (auto const& one : segments_) ids.push_back(one.request);
  std::vector<Completed> done(ids.size());
  done.resize(process.requests().test_some(ids, done));
  for (auto const& [position, got] : done) segments_[position].request = no_request;
  std::erase_if(segments_, [](Segment const& one) { return one.request == no_request; });
}

/// The first gap that is large enough, else where none is: behind the last.
std::vector<BufferedSends::Segment>::iterator BufferedSends::place_for(std::size_t size,
                                                                       std::size_t& begin) {
  auto one = segments_.begin();
  for (; one != segments_.end() && one->begin - begin < size; ++one) begin = one->begin + one->size;
  return one;
}

}  // namespace earl::mpi
