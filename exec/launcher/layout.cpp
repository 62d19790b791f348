// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/layout.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "exec/launcher/front_ends.hpp"
#include "generic/base/error.hpp"

namespace earl::exec {

namespace fs = std::filesystem;

namespace {

Layout build_tree(fs::path const& commands) {
  Layout layout{.build_tree = true,
                .commands = commands,
                .core = commands,
                .settings = "/etc/earl.conf",
                .libraries = {}};
  layout.libraries.push_back(commands);
  for (auto const& front_end : front_ends())
    layout.libraries.push_back(layout.libraries_of(front_end.name));
  return layout;
}

Layout installed(fs::path const& commands) {
  // EARL_LIBDIR is relative to the prefix, so an installation can be moved as a whole.
  auto const core = (commands / EARL_PREFIX_FROM_BIN / EARL_LIBDIR).lexically_normal();
  auto const settings = fs::path(EARL_SYSCONFDIR) / "earl.conf";  // relative ones likewise
  return {.build_tree = false,
          .commands = commands,
          .core = core,
          .settings = (commands / EARL_PREFIX_FROM_BIN / settings).lexically_normal(),
          .libraries = {core / "earl", core}};
}

}  // namespace

Layout find_layout() {
  std::error_code missing;
  auto const commands = fs::read_symlink("/proc/self/exe", missing).parent_path();
  if (missing)
    throw Error("/proc is not mounted here, and Earl needs it: mount -t proc proc /proc ({})",
                missing.message());
  if (fs::exists(commands / EARL_LIBRARY)) return build_tree(commands);
  auto layout = installed(commands);
  if (!fs::exists(fs::path(layout.core) / EARL_LIBRARY))
    throw Error("{} is neither in {} nor in {}: this installation of Earl is incomplete",
                EARL_LIBRARY, commands.string(), layout.core);
  return layout;
}

std::string Layout::libraries_of(std::string_view front_end) const {
  if (!build_tree) return core + "/earl";
  return (fs::path(commands).parent_path() / "frontends" / front_end).string();
}

std::string Layout::headers_of(std::string_view front_end) const {
  if (build_tree) return fmt::format("{}/frontends/{}/include", EARL_SOURCE_ROOT, front_end);
  return (fs::path(commands) / EARL_PREFIX_FROM_BIN / EARL_INCLUDEDIR / "earl" / front_end)
      .lexically_normal()
      .string();
}

std::string Layout::tool_headers() const {
  if (build_tree) return fmt::format("{}/debug/outside/include", EARL_SOURCE_ROOT);
  return (fs::path(commands) / EARL_PREFIX_FROM_BIN / EARL_INCLUDEDIR).lexically_normal().string();
}

}  // namespace earl::exec
