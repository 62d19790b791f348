// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/installed_files.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "generic/system/child.hpp"
#include "generic/system/read_file.hpp"

namespace earl {

namespace fs = std::filesystem;

std::string find_command(std::string_view name) {
  char const* const text = std::getenv("PATH");
  std::istringstream folders{std::string{text ? text : ""} + ":/usr/bin"};
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto const path = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

std::string find_part(std::string_view folder, std::string_view name) {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void const*>(&find_part), &here) == 0 || !here.dli_fname)
    throw Error("the loader does not say where libearl.so is");
  auto const here_folder = fs::path(real_path(here.dli_fname)).parent_path();
  for (auto const& place : {fs::path("earl"), fs::path("..") / folder})
    if (auto const path = (here_folder / place / name).lexically_normal(); fs::exists(path))
      return path;
  return {};
}

void const* load_part(std::string const& path, char const* symbol, int flags) {
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
  if (!module) throw Error("{}", ::dlerror());
  return ::dlsym(module, symbol);
}

void prepare_for_command(pid_t parent) {
  end_with_parent(parent, SIGTERM);
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD})
    ::signal(number, SIG_DFL);
  sigset_t none{};
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::unsetenv("LD_LIBRARY_PATH");
  ::unsetenv("LD_PRELOAD");
}

}  // namespace earl
