// SPDX-License-Identifier: BSD-3-Clause
#include "debug/breakpoints/breakpoint.hpp"

#include <algorithm>
#include <set>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::breakpoints {

namespace {

template <class Number>
Number whole(std::string_view key, std::string_view value) {
  auto const parsed = number_from<Number>(value);
  if (!parsed) throw Error(Fault::bad_request, "{}={}: a number is needed", key, value);
  return *parsed;
}

void set_place(Breakpoint& at, std::string_view value) {
  auto const colon = value.rfind(':');
  auto const line = colon == std::string_view::npos
                        ? std::nullopt
                        : number_from<std::int32_t>(value.substr(colon + 1));
  if (!line || *line <= 0 || colon == 0)
    throw Error(Fault::bad_request, "at={}: FILE:LINE is needed", value);
  auto const file = value.substr(0, colon);
  at.file = file.substr(file.rfind('/') + 1);
  at.line = *line;
}

void set(Breakpoint& at, std::string_view key, std::string_view value) {
  if (value.empty()) throw Error(Fault::bad_request, "{}=: a value is needed", key);
  if (key == "rank")
    at.rank = whole<std::int32_t>(key, value);
  else if (key == "call")
    at.call = value;
  else if (key == "at")
    set_place(at, value);
  else if (key == "peer")
    at.peer = whole<std::int32_t>(key, value);
  else if (key == "tag")
    at.tag = whole<std::int32_t>(key, value);
  else if (key == "nth")
    at.nth = whole<std::uint64_t>(key, value);
  else
    throw Error(Fault::bad_request, "{}={}: a breakpoint has rank, call, at, peer, tag and nth",
                key, value);
}

}  // namespace

Breakpoint parse_breakpoint(std::string_view text) {
  Breakpoint at;
  std::set<std::string_view> seen;
  for (auto rest = text; !rest.empty() || seen.empty();) {
    auto const comma = std::min(rest.find(','), rest.size());
    auto const word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    auto const equals = word.find('=');
    if (equals == std::string_view::npos)
      throw Error(Fault::bad_request,
                  "\"{}\": KEY=VALUE is needed, as in rank=3,call=crecv,at=racy.c:31", word);
    auto const key = word.substr(0, equals);
    if (!seen.insert(key).second)
      throw Error(Fault::bad_request, "key {} is given twice: give it once", key);
    set(at, key, word.substr(equals + 1));
  }
  if (at.nth == 0) throw Error(Fault::bad_request, "nth=0: the first is nth=1");
  return at;
}

}  // namespace earl::breakpoints
