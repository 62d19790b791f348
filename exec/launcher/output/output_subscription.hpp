// SPDX-License-Identifier: BSD-3-Clause
/// A process's output, cut into messages for another process (PVM's PvmOutputTid).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/id_table.hpp"
#include "generic/base/values.hpp"
#include "generic/seams/job_interceptor.hpp"

namespace earl::exec {

inline constexpr std::string_view subscription_variable = "EARL_TELL_OUTPUT";

/// The content of a spawner's variable of that name in its request, which its children get, too:
/// "ID CONTEXT TAG FIRST PER_HOST PARENT".
struct SubscriptionRequest {
  Rank to{};  ///< the receiver's id (see process_of())
  Context context{};
  Tag tag{0};
  /// A process is called `first` + its short name + `per_host` x its host's number.
  std::uint32_t first = 0;
  std::uint32_t per_host = 0;
  std::int32_t parent = 0;  ///< the spawner's id
};
/// Null: this is another variable, or it makes no sense.
std::optional<SubscriptionRequest> subscription_request_in(std::string_view assignment);

/// Output of one process that the subscriber has not received. A message is, in XDR: the process's
/// id, the number of bytes, the bytes; or instead of bytes -2 (it was requested) and -1 (it has
/// started), each with its parent, and 0 (it has printed all).
class OutputSubscription {
 public:
  /// In PVM no piece is longer, and old programs have room for no more.
  static constexpr std::size_t most_piece = 3999;
  static constexpr std::size_t plenty = 256 * 1024;  ///< bytes that make it full()

  /// `output_ready` is called when there is output to deliver.
  OutputSubscription(SubscriptionRequest const& wanted, Rank writer, std::uint32_t host,
                     std::function<void()> output_ready)
      : wanted_(wanted),
        writer_(writer),
        called_(static_cast<std::int32_t>(wanted.first + short_name_of(writer) +
                                          wanted.per_host * host)),
        output_ready_(std::move(output_ready)) {}

  // --- the reading half of the process's pipes
  void begin() { ++open_; }
  /// False: the subscriber is gone.
  bool take(std::uint32_t stream, std::string_view bytes);
  /// No more comes from one that began.
  void end();
  bool full() const { return waiting_[0].size() + waiting_[1].size() >= plenty; }

  // --- the delivering half
  SubscriptionRequest const& wanted() const { return wanted_; }
  Rank writer() const { return writer_; }
  /// The next pieces to deliver: of each stream one at most.
  std::vector<OutputPiece> pieces() const;
  /// The message that delivers it, now.
  std::string message(OutputPiece const& piece);
  /// The messages that it was asked for, and has started.
  std::array<std::string, 2> first_messages() const;
  /// The subscriber is gone: returns the undelivered output.
  std::string give_up();
  /// All has been delivered, or dropped.
  bool over() const { return over_; }

 private:
  class Waiting {
   public:
    std::size_t size() const { return text_.size() - given_; }
    void add(std::string_view text) { text_ += text; }
    /// No more than are there.
    std::string take(std::size_t bytes);

   private:
    std::string text_;
    std::size_t given_ = 0;
  };

  SubscriptionRequest wanted_;
  Rank writer_;
  std::int32_t called_;
  std::function<void()> output_ready_;
  std::array<Waiting, 2> waiting_{};  ///< by stream
  int open_ = 0;
  bool over_ = false;
};

}  // namespace earl::exec
