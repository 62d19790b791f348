// Small routines that the native library exports and its example programs use.
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/environment.hpp"

namespace {

char* text(char const* constant) { return const_cast<char*>(constant); }

}  // namespace

extern "C" {

/// The time of day.
int pvmgetclock(struct timeval* now) { return gettimeofday(now, nullptr); }

/// Sleeps whole seconds.
void pvmsleep(int seconds) {
  if (seconds > 0) sleep(static_cast<unsigned>(seconds));
}

/// As putenv(): the string becomes part of the environment.
int pvmputenv(char* setting) { return putenv(setting); }

/// The number a text starts with: decimal, 0octal or 0xhex.
int pvmstrtoi(char* number) { return static_cast<int>(std::strtol(number, nullptr, 0)); }

/// A name for a message tag. Only daemons have named ones; `found` says so.
char* pvmnametag(int tag, int* found) {
  (void)tag;
  if (found) *found = 0;
  return text("user tag");
}

/// What would start a daemon on another host.
char* pvmgetrsh(void) { return text("/usr/bin/ssh"); }

/// Where daemons keep their sockets.
char* pvmgettmp(void) {
  static char const* const otherwise = "/tmp";
  char const* folder = std::getenv("PVM_TMP");
  return text(folder && *folder ? folder : otherwise);
}

/// As tmpnam(), in pvmgettmp()'s folder; `name` has room for PVMTMPNAMLEN characters.
char* pvmtmpnam(char* name) {
  if (!name) return nullptr;
  std::snprintf(name, L_tmpnam, "/tmp/pvmXXXXXX");
  int const file = mkstemp(name);
  if (file == -1) return nullptr;
  close(file);
  unlink(name);
  return name;
}

void* pvm_alloc(std::size_t size, char const* /*what*/) { return std::malloc(size); }
void* pvm_realloc(void* memory, std::size_t size) { return std::realloc(memory, size); }
void pvm_free(void* memory) { std::free(memory); }

}  // extern "C"
