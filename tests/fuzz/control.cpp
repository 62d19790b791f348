// SPDX-License-Identifier: BSD-3-Clause
/// Data that a process or an unauthenticated peer sends to EXEC: packets, messages, and the two
/// greetings in them.
#include "exec/runtime/control.hpp"
#include "exec/runtime/branch_request.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;

/// The input is a row of packets, each after its length in one byte (in units of 4).
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  const Bytes input = std::as_bytes(std::span{data, size});
  fuzz::only_errors([&] { (void)control::read<control::Welcome>(input); });
  fuzz::only_errors([&] { (void)control::read<control::Hello>(input); });
  fuzz::only_errors([&] { (void)control::read<control::FailureReport>(input); });
  fuzz::only_errors([&] { (void)control::read<control::Leaving>(input); });
  fuzz::only_errors([&] { (void)control::read<control::Note>(input); });
  fuzz::only_errors([&] { (void)control::read<control::ProgramDescription>(input); });
  fuzz::only_errors([&] { (void)control::read<control::RankLaunchRequest>(input); });
  fuzz::only_errors([&] { (void)control::read<control::RankMessage>(input); });
  fuzz::only_errors([&] { (void)control::read<control::Printed>(input); });
  fuzz::only_errors([&] { (void)control::read<control::BranchRequest>(input); });
  fuzz::only_errors([&] {
    control::Assembler assembler;
    for (Bytes left = input; !left.empty();) {
      const std::size_t length = std::min<std::size_t>(4U * data[size - left.size()], left.size());
      (void)assembler.take(left.first(length));
      left = left.subspan(std::max<std::size_t>(length, 1));
    }
  });
  return 0;
}
