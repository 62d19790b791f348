// SPDX-License-Identifier: BSD-3-Clause
/// A host file, and a list of hosts on the command line.
#include <sys/mman.h>
#include <unistd.h>

#include "exec/launcher/hosts/host_list.hpp"
#include "generic/system/descriptor.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;

namespace {

/// They go into a launcher's command line.
void check(std::vector<exec::RequestedHost> const& hosts) {
  EARL_CHECK(!hosts.empty());
  for (auto const& host : hosts) {
    EARL_CHECK(host.slots != 0 && !host.name.empty() && host.name.front() != '-');
    for (char const letter : host.name) EARL_CHECK(letter > ' ' && letter < 0x7f);
  }
  EARL_CHECK(exec::host_for(hosts, 12345) < hosts.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::only_errors([&] { check(exec::parse_hosts({reinterpret_cast<char const*>(data), size})); });
  Descriptor const file(::memfd_create("hosts", MFD_CLOEXEC));
  if (::write(file.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  fuzz::only_errors(
      [&] { check(exec::read_host_file("/proc/self/fd/" + std::to_string(file.get()))); });
  return 0;
}
