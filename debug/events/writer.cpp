// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/writer.hpp"

#include <fmt/format.h>

#include <array>

namespace earl::events {

void EventWriter::put(Event const& event) {
  auto* const to = file_.reserve(bound(event));
  if (to == nullptr) return;
  if (file_.frame() != frame_) {
    encoder_.reset();
    frame_ = file_.frame();
  }
  file_.commit(encoder_.put(event, to));
}

void EventWriter::finish(std::uint64_t calls, std::uint64_t unreceived) {
  std::array<std::byte, 3 * trace::longest_varint> ending{};
  trace::Put put(ending.data());
  put.number(calls);
  put.number(unreceived);
  put.word(0);
  file_.finish(Bytes{ending}.first(put.size()));
}

std::uint32_t EventWriter::site(Call const& call) {
  return sites_.number_of(sites_.at(call), [this](trace::Outcome const& definition) {
    Event event;
    bool const module = definition.what == trace::OutcomeKind::module;
    event.kind = module ? EventKind::module : EventKind::site;
    event.count = definition.count;
    event.offset = static_cast<std::uint64_t>(definition.value);
    event.text = definition.text;
    event.more = definition.more;
    put(event);
  });
}

std::uint32_t EventWriter::define(Event const& definition) {
  std::string bytes(bound(definition), '\0');
  Encoder plain;
  bytes.resize(plain.put(definition, reinterpret_cast<std::byte*>(bytes.data())));
  auto& next = defined_[static_cast<std::size_t>(definition.kind)];
  auto const [known, fresh] = known_.try_emplace(std::move(bytes), next);
  if (fresh) {
    ++next;
    put(definition);
  }
  return known->second;
}

std::uint32_t EventWriter::filter(Filter const& filter) {
  if (last_filter_number_ != ~std::uint32_t{0} && filter == last_filter_)
    return last_filter_number_;
  Event event;
  event.kind = EventKind::filter;
  event.filter = filter;
  last_filter_ = filter;
  return last_filter_number_ = define(event);
}

std::uint32_t EventWriter::members(std::span<Rank const> ranks) {
  Event event;
  event.kind = EventKind::members;
  for (auto const rank : ranks) event.ranks.push_back(number(rank));
  return define(event);
}

std::uint32_t EventWriter::string(std::string_view text) {
  Event event;
  event.kind = EventKind::string;
  event.text = text;
  return define(event);
}

std::string events_path(std::string const& folder, Rank rank) {
  return fmt::format("{}/e{:05}.ert", folder, number(rank));
}

}  // namespace earl::events
