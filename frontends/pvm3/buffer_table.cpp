// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/buffer_table.hpp"

#include <algorithm>
#include <utility>

#include "frontends/common/unreleased.hpp"

namespace earl::pvm {

int BufferTable::make() {
  if (free_.empty()) {
    slots_.push_back(std::make_unique<Slot>());
    free_.push_back(static_cast<int>(slots_.size()));
  }
  int const id = free_.back();
  free_.pop_back();
  slot_of(id).used = true;
  slot_of(id).site = call_.site;
  return id;
}

void BufferTable::free(int id) {
  auto& slot = slot_of(id);
  slot.buffer.clear();
  slot.used = false;
  free_.push_back(id);
  if (send_ == id) send_ = 0;
  if (receive_ == id) receive_ = 0;
  if (!probed_.empty()) clear_probed(id);
}

int BufferTable::activate_send(int id) {
  if (id != 0 && receive_ == id) receive_ = 0;
  if (auto* buffer = find(id)) buffer->pack_mode();
  return std::exchange(send_, id);
}

int BufferTable::activate_receive(int id) {
  if (id != 0 && send_ == id) send_ = 0;
  if (auto* buffer = find(id)) buffer->unpack_mode();
  return std::exchange(receive_, id);
}

int BufferTable::probed(MessageId const& message) const {
  auto const found = std::find_if(probed_.begin(), probed_.end(),
                                  [&](Probed const& one) { return one.message == message; });
  return found == probed_.end() ? 0 : found->id;
}

int BufferTable::taken(MessageId const& message) {
  if (probed_.empty()) [[likely]]
    return make();
  int const id = probed(message);
  if (id == 0) return make();
  clear_probed(id);
  return id;
}

void BufferTable::clear_probed(int id) {
  probed_.erase(std::remove_if(probed_.begin(), probed_.end(),
                               [id](Probed const& one) { return one.id == id; }),
                probed_.end());
}

void BufferTable::report(Interceptor& debugger) const {
  UnreleasedObjects buffers;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto const id = static_cast<int>(i + 1);
    bool const active = id == send_ || id == receive_ || id == last_received_;
    bool const probed = std::ranges::any_of(probed_, [&](auto const& one) { return one.id == id; });
    if (slots_[i]->used && !active && !probed) buffers.add(slots_[i]->site);
  }
  buffers.report(debugger, "message buffer");
}

}  // namespace earl::pvm
