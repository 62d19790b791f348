// SPDX-License-Identifier: BSD-3-Clause
#include "debug/contents/capture.hpp"

#include "generic/base/wire.hpp"
#include "generic/base/words.hpp"
#include "generic/message/header.hpp"
#include "generic/system/read_file.hpp"

namespace earl::contents {

namespace {

std::vector<std::string> strings_in(char const* path) {
  return split_at_zeros(read_file(path).value_or(""));
}

}  // namespace

Capture::Capture(std::string const& path) : file_(path) {
  Writer process;
  process.text(real_path("/proc/self/exe"));
  process.texts(strings_in("/proc/self/cmdline"));
  process.texts(strings_in("/proc/self/environ"));
  process.text(real_path("/proc/self/cwd"));
  file_.put(Part::process, process.bytes());
}

void Capture::exec_answered(std::uint32_t operation, Bytes, Buffer& answer) {
  file_.put(Part::answer, bytes_of(operation), Gather{answer.bytes()});
}

void Capture::matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
  if (envelope.source == exec_rank) take(op, envelope, id);
}

void Capture::answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) {
  bool const takes = op.takes || op.kind == OpKind::try_receive;
  if (found && takes && found->source == exec_rank) take(op, *found, id);
}

void Capture::take(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
  if (!seen_.insert(id.sequence).second || op.payload.size() != envelope.length) return;
  auto const header = header_of(Kind::eager, envelope);
  file_.put(Part::message, bytes_of(header), op.payload);
}

}  // namespace earl::contents
