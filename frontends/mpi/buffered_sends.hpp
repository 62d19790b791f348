// SPDX-License-Identifier: BSD-3-Clause
/// MPI_Bsend's buffer: the program's memory, from which long messages leave when their receivers
/// take them. Nothing of it is spent on anything but data.
#pragma once

#include <vector>

#include "frontends/mpi/errors.hpp"
#include "generic/process.hpp"

namespace earl::mpi {

class BufferedSends {
 public:
  /// `site`: what attached_at() gives as long as it is. Class BUFFER: there is one.
  void attach(MutableBytes buffer, void const* site = nullptr);
  /// Waits until all has left. Class BUFFER: there is none.
  MutableBytes detach(Process& process);
  /// Copies the message; never waits. Class BUFFER: there is no room for it.
  void send(Process& process, Envelope const& to, Gather const& message);

  void const* attached_at() const { return attached_at_; }

 private:
  struct Segment {
    std::size_t begin = 0, size = 0;
    RequestId request = no_request;
  };
  void reap(Process& process);
  std::vector<Segment>::iterator place_for(std::size_t size, std::size_t& begin);

  MutableBytes buffer_{};
  bool attached_ = false;
  void const* attached_at_ = nullptr;
  std::vector<Segment> segments_{};  ///< under way, by their begins
};

}  // namespace earl::mpi
