// SPDX-License-Identifier: BSD-3-Clause
/// A configuration file, which may lie wherever the user happens to be.
#include <sys/mman.h>
#include <unistd.h>

#include "exec/launcher/settings/settings_file.hpp"
#include "generic/system/descriptor.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Descriptor const file(::memfd_create("settings", MFD_CLOEXEC));
  if (::write(file.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  auto const path = "/proc/self/fd/" + std::to_string(file.get());
  fuzz::only_errors([&] {
    exec::Settings settings;
    exec::put_file(settings, path);
  });
  return 0;
}
