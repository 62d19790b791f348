// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/message_ids.hpp"

#include <cstdlib>
#include <iterator>
#include <utility>

#include "frontends/common/unreleased.hpp"
#include "frontends/nx/errors.hpp"
#include "generic/base/number.hpp"

namespace earl::nx {

namespace {

constexpr auto no_limit = static_cast<std::size_t>(-1);

[[noreturn]] void refuse_unknown(std::int32_t id) {
  throw NxError(EQMID, "message id {} was never given or is released", id);
}

}  // namespace

std::size_t most_ids() {
  char const* text = std::getenv("EARL_NX_IDS");
  if (!text || !*text) return no_limit;
  auto const most = number_from<std::size_t>(text).value_or(0);
  if (most == 0)
    throw NxError(EQPARAM, "EARL_NX_IDS is '{}': a number of message ids is needed", text);
  return most;
}

void MessageIds::check_room() const {
  if (count_ >= most_)
    throw NxError(EQNOMID, "all {} message ids are in use: msgwait() and msgdone() release them",
                  most_);
}

std::int32_t MessageIds::open(OpenMessage message) {
  check_room();
  ++count_;
  message.site = call_.site;
  return messages_.open(std::move(message));
}

OpenMessage& MessageIds::find(std::int32_t id) {
  auto* const message = messages_.find(id);
  if (!message) refuse_unknown(id);
  if (message->file)
    throw NxError(EQMID, "id {} is one of reading or writing: iowait() and iodone() are for it",
                  id);
  return *message;
}

OpenMessage MessageIds::close(std::int32_t id) {
  find(id);
  --count_;
  return messages_.close(id);
}

std::int32_t MessageIds::close_file(std::int32_t id) {
  auto const* const message = messages_.find(id);
  if (!message) refuse_unknown(id);
  if (!message->file)
    throw NxError(EQMID, "id {} is a message's: msgwait() and msgdone() are for it", id);
  --count_;
  return messages_.close(id).fault;
}

std::int32_t MessageIds::merge(std::int32_t first, std::int32_t second) {
  if (first == second) throw NxError(EQMID, "message id {} cannot be merged with itself", first);
  find(second);  // both exist before either is closed
  OpenMessage one = close(first);
  OpenMessage other = close(second);
  OpenMessage all;
  for (OpenMessage* part : {&one, &other}) {
    if (part->merged.empty())
      all.merged.push_back({std::move(*part)});
    else
      std::move(part->merged.begin(), part->merged.end(), std::back_inserter(all.merged));
  }
  return open(std::move(all));
}

void MessageIds::report(Interceptor& debugger) const {
  UnreleasedObjects ids;
  messages_.each([&](OpenMessage const& message) { ids.add(message.site); });
  ids.report(debugger, "message id");
}

}  // namespace earl::nx
