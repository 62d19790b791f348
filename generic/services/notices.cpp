// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/notices.hpp"

#include <algorithm>

#include "generic/base/error.hpp"
#include "generic/base/id_table.hpp"

namespace earl {

void NoticeRequest::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(what));
  to.i32(subject);
  to.u64(static_cast<std::uint64_t>(context));
  to.i32(number(tag));
  to.u32(static_cast<std::uint32_t>(encoding));
  to.text(body);
  to.u32(cancel ? 1 : 0);
}

NoticeRequest NoticeRequest::read(Reader& from) {
  NoticeRequest request;
  request.what = static_cast<Happening>(std::min(from.u32(), 2U));
  request.subject = from.i32();
  request.context = Context{from.u64()};
  request.tag = Tag{from.i32()};
  request.encoding = static_cast<Encoding>(std::min(from.u32(), 2U));
  request.body = from.text();
  request.cancel = from.u32() != 0;
  return request;
}

void ProcessList::add(Rank id) {
  auto const bit = short_name_of(id);
  if (bit / 8 >= present.size()) present.resize(bit / 8 + 1);
  present[bit / 8] = static_cast<char>(present[bit / 8] | 1 << bit % 8);
}

bool ProcessList::has(Rank id) const {
  auto const bit = short_name_of(id);
  if (number(id) < 0 || bit / 8 >= present.size()) return false;
  return (present[bit / 8] >> bit % 8 & 1) != 0;
}

std::optional<Rank> ProcessList::id_of(Rank process) const {
  for (std::uint32_t returns = 0; returns <= most_returns; ++returns)
    if (auto const id = id_after(process, returns); has(id)) return id;
  return std::nullopt;
}

void HostFacts::write(Writer& to) const {
  to.text(name);
  to.u32(processors);
  to.u64(clock_origin);
}

HostFacts HostFacts::read(Reader& from) {
  HostFacts facts;
  facts.name = from.text();
  facts.processors = from.u32();
  facts.clock_origin = from.u64();
  return facts;
}

void HostList::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(hosts.size()));
  for (auto const& host : hosts) host.write(to);
}

HostList HostList::read(Reader& from) {
  HostList list;
  auto const count = from.u32();
  if (count > most_hosts) throw Error("EXEC's answer claims {} hosts", count);
  for (std::uint32_t i = 0; i < count; ++i) list.hosts.push_back(HostFacts::read(from));
  return list;
}

}  // namespace earl
