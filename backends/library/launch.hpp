/// EXEC's launcher, which starts a placeholder (`earl-place`) for each process of the
/// job. What the library's launcher hands down to a placeholder goes on to the process, which EXEC starts.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "backends/library/library.hpp"
#include "generic/descriptor.hpp"

namespace earl::library_machine {

/// One process's place in the library's world.
struct Place {
  Descriptor line;       ///< to the placeholder, which ends when it is closed
  Descriptor variables;  ///< memory: `NAME=value`, each with a final zero, for the library to find
  Descriptor handed;     ///< by the launcher; none: its variables say all
};

class Launch {
 public:
  /// Waits until all places are taken. Throws Error when the launcher will not start them.
  Launch(Library const& library, std::uint32_t processes);
  /// Ends the launcher and everything it has started, and removes its folder.
  ~Launch();
  Launch(Launch const&) = delete;
  Launch& operator=(Launch const&) = delete;

  std::vector<Place> const& places() const { return places_; }
  /// Readable when the launcher has ended.
  int ended_fd() const { return ended_.get(); }
  /// The last of what it has said on standard error; empty: nothing.
  std::string last_words() const;

 private:
  void start(std::uint32_t processes);
  void take_places(int listener);
  void stop();
  [[noreturn]] void fail() const;

  Library const& library_;
  std::string folder_;
  pid_t keeper_ = 0;   ///< between EXEC and the launcher; leads their group
  Descriptor ended_;   ///< its pidfd
  Descriptor errors_;  ///< a file: what the launcher says
  std::vector<Place> places_;
};

}  // namespace earl::library_machine
