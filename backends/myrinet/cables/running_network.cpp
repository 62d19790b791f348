// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/running_network.hpp"

#include <unistd.h>

#include <filesystem>

#include "backends/myrinet/cables/attaching.hpp"
#include "backends/myrinet/cables/switches.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet::cables {

namespace {

class OwnNetwork final : public RunningNetwork {
 public:
  OwnNetwork(std::unique_ptr<Memory> memory, std::unique_ptr<tcp::Board> board,
             std::string const& program)
      : RunningNetwork(std::move(memory), std::move(board)),
        switches_(this->memory(), this->board(), program) {}

  int ended_fd() const override { return switches_.ended_fd(); }
  std::string error_summary() const override { return switches_.error_summary(); }

 private:
  Switches switches_;
};

class AttachedNetwork final : public RunningNetwork {
 public:
  AttachedNetwork(std::string const& name, Descriptor line, std::vector<Descriptor>& files)
      : RunningNetwork(std::make_unique<Memory>(std::move(files[0])),
                       std::make_unique<tcp::Board>(std::move(files[1]))),
        name_(name),
        line_(std::move(line)) {}

  int ended_fd() const override { return line_.get(); }
  std::string error_summary() const override {
    auto const received = receive_message(line_.get());
    return received ? received->text
                    : fmt::format("the watchdog of the network {} has ended", name_);
  }

 private:
  std::string const name_;
  Descriptor line_;
};

}  // namespace

std::unique_ptr<RunningNetwork> start_network(std::uint32_t capacity,
                                              ConfiguredNetwork const& network,
                                              std::string const& program) {
  auto memory = std::make_unique<Memory>(capacity, network.topology, network.routes);
  auto board = std::make_unique<tcp::Board>(capacity + memory->head().switches,
                                            tcp::PeerCredentials{.secret = random_secret()});
  return std::make_unique<OwnNetwork>(std::move(memory), std::move(board), program);
}

std::unique_ptr<RunningNetwork> take_network(std::string const& name,
                                             std::string const& configuration) {
  if (configuration.size() >= max_message_bytes)
    throw Error("the name of BIP's configuration is too long: {} bytes", configuration.size());
  auto line = connect_to_network(name);
  send_message(line.get(), configuration);
  auto answer = receive_message(line.get());
  if (!answer)
    throw Error(
        "cannot use the network {}: its watchdog closed the connection or did not answer; start it "
        "again (earl-myrinet)",
        name);
  if (answer->descriptors.size() != 2) throw Error("the network {}: {}", name, answer->text);
  return std::make_unique<AttachedNetwork>(name, std::move(line), answer->descriptors);
}

std::string switch_program(std::string const& libraries) {
  auto const here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (auto const& folder : {std::string{"."}, libraries})
    if (auto const path = here / folder / "earl-myrisw"; ::access(path.c_str(), X_OK) == 0)
      return path.lexically_normal();
  throw Error("earl-myrisw is missing; install Earl again");
}

}  // namespace earl::myrinet::cables
