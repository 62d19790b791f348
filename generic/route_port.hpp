/// Two machines as one: the processes of this host are reached by one, all others by the other.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "generic/descriptor.hpp"
#include "generic/id_table.hpp"
#include "generic/port.hpp"

namespace earl {

/// Waits where `here` waits; a thread of its own wakes it when something comes from `away`. What
/// goes between processes of one host costs no more than without it.
class RoutePort final : public Port {
 public:
  /// `away` has a wait_fd(). Throws Error when the system has no thread or descriptor more.
  RoutePort(std::unique_ptr<Port> here, std::unique_ptr<Port> away, IdTable table, Rank me);
  ~RoutePort() override;

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override { here_->wake(); }
  void leave() override;
  bool ended(Rank rank) override;

 private:
  /// Null: nobody has said yet on which host it will be.
  Port* way_to(Rank rank) const;
  void look_out(int operation);
  void watch();

  std::unique_ptr<Port> here_;
  std::unique_ptr<Port> away_;
  IdTable table_;
  std::uint32_t host_;
  Descriptor epoll_;
  Descriptor stop_;
  std::atomic<bool> fired_ = false;  ///< something is there from `away_`; nobody looks out now
  bool no_room_ = false;             ///< for the last packet that was to leave this host
  std::thread watcher_;
};

}  // namespace earl
