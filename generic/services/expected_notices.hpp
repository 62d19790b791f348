// SPDX-License-Identifier: BSD-3-Clause
/// The subjects of the notices that a process has requested, for reports about their messages.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generic/base/values.hpp"
#include "generic/services/notices.hpp"

namespace earl {

class ExpectedNotices {
 public:
  /// `subject` as the front end names it, "the exit of task t40002"; empty: no report names it.
  void expect(NoticeRequest const& request, std::string subject) {
    if (!subject.empty()) expected_.push_back({request, std::move(subject)});
  }

  /// A message of EXEC has come in; the notices of one request are equal, so that the oldest fits.
  void arrived(Envelope const& envelope, Bytes body, MessageId const& id) {
    auto const found = std::ranges::find_if(expected_, [&](Expected const& one) {
      return one.request.context == envelope.context && one.request.tag == envelope.tag &&
             std::ranges::equal(std::as_bytes(std::span{one.request.body}), body);
    });
    if (found == expected_.end()) return;
    subjects_.insert_or_assign(id.sequence, std::move(found->subject));
    expected_.erase(found);
  }

  /// Empty: the message is no notice whose subject is known.
  std::string subject_of(MessageId const& id) const {
    auto const found = subjects_.find(id.sequence);
    return id.source != exec_rank || found == subjects_.end() ? std::string{} : found->second;
  }

 private:
  struct Expected {
    NoticeRequest request{};
    std::string subject{};
  };

  std::vector<Expected> expected_{};
  std::map<std::uint64_t, std::string> subjects_{};  ///< by the message's sequence
};

}  // namespace earl
