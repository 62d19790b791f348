// SPDX-License-Identifier: BSD-3-Clause
#include "backends/nx/native.hpp"

#include <dlfcn.h>
#include <nx.h>

#include <cstring>
#include <memory>

#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::nx_backend {

namespace {

constexpr long any = -1;
constexpr long first_ptype = 0;

/// Loaded into a namespace of its own: neither it nor its dependencies can collide with this
/// program's own libnx, nor with the Earl that calls it here.
class Namespace {
 public:
  explicit Namespace(std::string const& path)
      : library_(::dlmopen(LM_ID_NEWLM, path.c_str(), RTLD_NOW | RTLD_LOCAL)), path_(path) {
    if (!library_) throw Error("{}", ::dlerror());
  }

  /// Throws Error when the library has nothing of that name.
  template <class Function>
  void find(Function*& function, char const* name) const {
    function = reinterpret_cast<Function*>(::dlsym(library_, name));
    if (!function) throw Error("{} is no NX library: it has no {}", path_, name);
  }

 private:
  void* library_;
  std::string path_;
};

struct Nx {
  decltype(&::mynode) mynode;
  decltype(&::numnodes) numnodes;
  decltype(&::_isend) isend;
  decltype(&::_irecvx) irecvx;
  decltype(&::_msgdone) msgdone;
  decltype(&::_msgcancel) msgcancel;
  decltype(&::_infocount) infocount;
  long* msginfo;          ///< the array that infocount() fills
  int* (*errno_place)();  ///< in its namespace, errno is another

  explicit Nx(Namespace const& names) {
    names.find(mynode, "mynode");
    names.find(numnodes, "numnodes");
    names.find(isend, "_isend");
    names.find(irecvx, "_irecvx");
    names.find(msgdone, "_msgdone");
    names.find(msgcancel, "_msgcancel");
    names.find(infocount, "_infocount");
    names.find(msginfo, "msginfo");
    names.find(errno_place, "__errno_location");
  }

  int error() const { return *errno_place(); }
};

/// Like the process itself, the library is there once, and for good.
Nx const& nx() {
  static Nx const all{Namespace{find_library()}};
  return all;
}

int enter(int* me, int* processes) {
  *me = static_cast<int>(nx().mynode());
  *processes = static_cast<int>(nx().numnodes());
  return *me < 0 || *processes < 0 ? nx().error() : 0;
}

/// A node leaves NX by its end.
int leave() { return 0; }

int started(earl_library_request* request, long id) {
  request->handle = id > 0 ? static_cast<std::uint64_t>(id) : 0;
  return id > 0 ? 0 : nx().error();
}

int send(void const* bytes, std::size_t size, int to, int tag, earl_library_request* request) {
  return started(
      request, nx().isend(tag, const_cast<void*>(bytes), static_cast<long>(size), to, first_ptype));
}

int receive(void* room, std::size_t size, int from, int tag, earl_library_request* request) {
  long const node = from == earl_library_any ? any : from;
  return started(request, nx().irecvx(tag, room, static_cast<long>(size), node, any, nx().msginfo));
}

int test(earl_library_request* request, std::size_t* size, int* error) {
  *error = 0;
  if (request->handle == 0) return 1;
  long const done = nx().msgdone(static_cast<long>(request->handle));
  if (done < 0) {
    *error = nx().error();
    return -1;
  }
  if (done == 0) return 0;
  request->handle = 0;
  if (size) *size = static_cast<std::size_t>(nx().infocount());
  return 1;
}

int cancel(earl_library_request* request) {
  if (request->handle == 0) return 0;
  long const done = nx().msgcancel(static_cast<long>(request->handle));
  request->handle = 0;
  return done < 0 ? nx().error() : 0;
}

char const* error_text(int error) { return std::strerror(error); }

void at_end(void (*)()) {}

}  // namespace

std::string find_library() {
  auto path = find_part("frontends/nx", "libnx.so");
  if (path.empty()) throw Error("libnx.so is missing: this installation of Earl is incomplete");
  return path;
}

earl_library_calls const& load_native() {
  static_cast<void>(nx());
  static constexpr earl_library_calls calls{
      earl_library_version, "NX", enter, leave, send, receive, test, cancel, error_text, at_end};
  return calls;
}

}  // namespace earl::nx_backend
