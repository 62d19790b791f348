// SPDX-License-Identifier: BSD-3-Clause
// Small routines about this place: clocks, folders, names of daemons that are not there.
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/environment.hpp"
#include "generic/system/heap.hpp"

using namespace earl;

namespace {

char* text(char const* constant) { return const_cast<char*>(constant); }

char const* socket_folder() {
  char const* folder = std::getenv("PVM_TMP");
  return folder && *folder ? folder : "/tmp";
}

}  // namespace

extern "C" {

/// The time of day.
int pvmgetclock(struct timeval* now) { return gettimeofday(now, nullptr); }

/// Sleeps whole seconds.
void pvmsleep(int seconds) {
  if (seconds > 0) sleep(static_cast<unsigned>(seconds));
}

/// Like putenv(): the string becomes part of the environment.
int pvmputenv(char* setting) { return putenv(setting); }

/// The number a text starts with: decimal, 0octal or 0xhex.
int pvmstrtoi(char* number) { return static_cast<int>(std::strtol(number, nullptr, 0)); }

/// A name for a message tag. Only daemons have named ones; `found` says so.
char* pvmnametag(int tag, int* found) {
  (void)tag;
  if (found) *found = 0;
  return text("user tag");
}

/// The command that would start a daemon on another host.
char* pvmgetrsh(void) { return text("/usr/bin/ssh"); }

/// The program that would be the daemon.
char* pvmgetpvmd(void) { return text("/usr/bin/pvmd"); }

/// Where PVM is installed.
char* pvmgetroot(void) {
  char const* folder = std::getenv("PVM_ROOT");
  return text(folder && *folder ? folder : pvm::debian_root);
}

/// The user's home.
char* pvmgethome(void) {
  char const* folder = std::getenv("HOME");
  return text(folder ? folder : "/");
}

/// Where daemons keep their sockets.
char* pvmgettmp(void) { return text(socket_folder()); }

/// The file in which a daemon of this user would say where it is.
char* pvmdsockfile(void) {
  return pvm::text_call("pvmdsockfile", [](pvm::State& s) {
    int const user = s.me.cell(pvm_useruid);
    auto const machine = pvm::variable("PVM_VMID");
    return fmt::format("{}/pvmd.{}{}{}", socket_folder(),
                       user < 0 ? static_cast<int>(getuid()) : user, machine.empty() ? "" : ".",
                       machine);
  });
}

/// The data representation of this host; tasks of one signature need no XDR.
int pvmgetdsig(void) { return pvm::data_signature; }

/// Ends the program of a user who may not run PVM. In PVM that is root without PVM_ALLOW_ROOT.
void pvmchkuid(int /*uid*/) {}

// In PVM hooks for machines of shared memory; empty for Linux there, too.
void check_for_exit(int /*tid*/) {}
void pvmbailout(int /*signal*/) {}

/// Enrols, as any call does.
int pvmbeatask(void) {
  return pvm::call("pvmbeatask", [](pvm::State& s) {
    s.enroll();
    return PvmOk;
  });
}

/// Like tmpnam(), in pvmgettmp()'s folder; `name` has room for PVMTMPNAMLEN characters.
char* pvmtmpnam(char* name) {
  if (!name) return nullptr;
  std::snprintf(name, L_tmpnam, "/tmp/pvmXXXXXX");
  int const file = mkstemp(name);
  if (file == -1) return nullptr;
  close(file);
  unlink(name);
  return name;
}

void* pvm_alloc(std::size_t size, char const* /*what*/) { return heap::program_malloc(size); }
void* pvm_realloc(void* memory, std::size_t size) { return heap::program_realloc(memory, size); }
void pvm_free(void* memory) { heap::program_free(memory); }

}  // extern "C"
