// SPDX-License-Identifier: BSD-3-Clause
/// Stands before a port and writes down what comes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "debug/contents/file.hpp"
#include "generic/base/id_table.hpp"
#include "generic/seams/port.hpp"

namespace earl::contents {

/// The longest message that travels whole, so that it is in one packet in the file.
inline constexpr std::size_t longest_packet = std::size_t{1} << 40;

/// All processes of the job have one: packets of any length go through the port in pieces.
class CapturePort final : public Port, private PacketSink {
 public:
  CapturePort(std::unique_ptr<Port> inner, std::string const& path, Rank rank,
              IdTable const& table);

  Limits limits() const override;
  std::string address() const override { return inner_->address(); }
  void connect(Rank to, std::string_view address) override { inner_->connect(to, address); }
  bool put(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  Deadline now() override { return inner_->now(); }
  Deadline noted_time() const override { return inner_->noted_time(); }
  void wake() override { inner_->wake(); }
  int wait_fd() override { return inner_->wait_fd(); }
  std::shared_ptr<std::byte> common_memory(std::uint64_t key, std::size_t size) override {
    return inner_->common_memory(key, size);
  }
  void leave() override;
  bool ended(Rank rank) override { return inner_->ended(rank); }
  std::optional<std::uint64_t> clock_reads() const override { return inner_->clock_reads(); }

 private:
  /// A packet that leaves, or comes, in pieces.
  struct FragmentedPacket {
    std::uint64_t number = 0;  ///< of an offer: counts those that came
    Header header{};
    Buffer bytes{};
    std::size_t at = 0;  ///< so many have left, or have come
  };

  // PacketSink
  void packet(Header const& header, Bytes payload) override;
  void moved(Rank from, TransferId transfer, bool ok) override;
  void gone(Rank rank) override;
  void on_control_ready() override;

  bool put_piece(Rank to, Header const& header, Gather const& payload, std::size_t at);
  bool flush(Rank to);
  bool flush_all();
  void deliver(Header const& header, Bytes payload);
  void write(Header const& header, Bytes payload);
  void write_piece(Rank source, Bytes payload);
  void write_done(Rank source, Header const& header, Bytes payload);
  void note_table();

  std::unique_ptr<Port> inner_;
  ContentsWriter file_;
  Rank rank_;
  IdTable table_;
  std::string last_table_{};
  std::size_t piece_;           ///< bytes of a message in one packet of the port
  PacketSink* sink_ = nullptr;  ///< during poll() and wait()
  std::map<Rank, FragmentedPacket> leaving_{};
  std::map<Rank, FragmentedPacket> coming_{};
  std::map<std::pair<Rank, TransferId>, FragmentedPacket> offered_{};  ///< here, by others
  std::map<std::pair<Rank, TransferId>, std::uint64_t> own_offers_{};
  std::uint64_t offers_ = 0;
  std::uint64_t offers_here_ = 0;
  std::uint32_t ranks_ = 0;  ///< in the table that was written last
};

}  // namespace earl::contents
