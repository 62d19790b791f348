// SPDX-License-Identifier: BSD-3-Clause
/// The numbers by which a program knows its operations under way.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontends/common/numbered.hpp"
#include "generic/request.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::nx {

/// An array that the facts about a message go to: C's `long info[8]` or Fortran's INTEGER info(8).
/// With neither it is the process's own msginfo.
struct InfoArray {
  long* wide = nullptr;
  std::int32_t* narrow = nullptr;

  InfoArray() = default;
  explicit InfoArray(long* array) : wide(array) {}
  explicit InfoArray(std::int32_t* array) : narrow(array) {}
  bool named() const { return wide || narrow; }
};

struct MergedMessage;

struct OpenMessage {
  RequestId request = no_request;  ///< no_request: a send, which is complete already
  std::size_t room = 0;            ///< bytes a receive has room for
  InfoArray info{};
  std::vector<MergedMessage>
      merged;                  ///< the messages that msgmerge joined; then the rest is unused
  bool file = false;           ///< reads or writes a file, and is complete
  std::int32_t fault = 0;      ///< then: the system's errno
  void const* site = nullptr;  ///< of the call that has given the id
};

/// One of the operations behind a merged id.
struct MergedMessage {
  OpenMessage message;
  std::optional<Completion> got{};  ///< kept until the others are complete too
};

/// The value of EARL_NX_IDS; no limit without it.
std::size_t most_ids();

/// From message id to operation.
class MessageIds {
 public:
  /// `call`: the one of the program that is under way.
  explicit MessageIds(Call const& call) : call_(call) {}

  /// EQNOMID: EARL_NX_IDS says how many ids there are; as many as are wanted unless it does.
  std::int32_t open(OpenMessage message);
  void check_room() const;
  /// EQMID when the id was never given or is released, or is one of reading or writing a file.
  OpenMessage& find(std::int32_t id);
  /// The operation; its id is free again.
  OpenMessage close(std::int32_t id);
  /// The same for an id of reading or writing a file: the system's errno.
  std::int32_t close_file(std::int32_t id);
  /// One id for the operations of both, which are no ids any more.
  std::int32_t merge(std::int32_t first, std::int32_t second);
  /// Gives the debugger all that are not released.
  void report(Interceptor& debugger) const;

 private:
  Call const& call_;
  Numbered<OpenMessage> messages_{};
  std::size_t count_ = 0;
  std::size_t most_ = most_ids();
};

}  // namespace earl::nx
