// SPDX-License-Identifier: BSD-3-Clause
/// The messages between agents and EXEC, and the line that an agent reads first.
#include "exec/launcher/hosts/call.hpp"
#include "exec/launcher/hosts/host_messages.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;

namespace {

template <class... Words>
void read_each(Bytes input) {
  (fuzz::only_errors([&] { (void)control::read<Words>(input); }), ...);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  const Bytes input = std::as_bytes(std::span{data, size});
  read_each<control::HostConfiguration, control::AgentHello, control::TableUpdate,
            control::LaunchRequest, control::AddressUpdate, control::ConnectivityReport,
            control::TracePieces, control::LaunchRefusal, control::RankValue>(input);
  auto const request = exec::connect_request_from({reinterpret_cast<char const*>(data), size});
  if (request) EARL_CHECK(exec::connect_request_from(exec::line_of(*request)).has_value());
  return 0;
}
