// SPDX-License-Identifier: BSD-3-Clause
/// The description of a Myrinet; and what BIPCONF names, for a network that is sound.
#include "backends/myrinet/topology.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "backends/myrinet/bip_routes.hpp"
#include "generic/system/descriptor.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;
using namespace earl::myrinet;

namespace {

constexpr auto network =
    "switch left 4\nswitch right 4\ncable left:3 right:3\n"
    "host a left:0\nhost b left:1\nhost c right:0\nhost c 1 right:1\n";

void check(Topology const& topology) {
  EARL_CHECK(!topology.hosts.empty());
  for (auto const& host : topology.hosts) {
    auto const& at = host.cabled_to;
    EARL_CHECK(at.end != End::a_switch || at.number < topology.switches.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<char const*>(data), size};
  fuzz::only_errors([&] { check(parse_topology(text, "network")); });
  Descriptor const file(::memfd_create("bipconf", MFD_CLOEXEC));
  if (::write(file.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  fuzz::only_errors([&] {
    auto const path = "/proc/self/fd/" + std::to_string(file.get());
    auto const found = configure(parse_topology(network, "network"), path);
    auto const hosts = found.topology.hosts.size();
    EARL_CHECK(found.routes.size() == hosts * hosts);
  });
  return 0;
}
