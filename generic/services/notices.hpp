// SPDX-License-Identifier: BSD-3-Clause
/// Requests to be notified by message of events in the job, and lists of its processes and hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generic/base/id_table.hpp"
#include "generic/base/values.hpp"
#include "generic/base/wire.hpp"

namespace earl {

enum class NoticeEvent : std::uint32_t {
  process_ended,  ///< or left the job's services; notified at once when it has already
  host_added,
  host_deleted,
};

/// Send me this message, from exec_rank, when that happens; once. All that the process sent before
/// its end arrives before the notice.
struct NoticeRequest {
  NoticeEvent what = NoticeEvent::process_ended;
  std::int32_t subject = 0;  ///< the process's id (see process_of()), or the host's number
  Context context = common_context;
  Tag tag{0};
  Encoding encoding = Encoding::raw;
  std::string body{};
  bool cancel = false;  ///< do not wait for an equal notice any more: send it now

  bool operator==(NoticeRequest const&) const = default;
  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(clamped(self.what, NoticeEvent::host_deleted), self.subject, self.context, self.tag,
          clamped(self.encoding, Encoding::trace), self.body, self.cancel);
  }
};

struct NoticeAnswer {
  bool waits = false;  ///< it has not happened yet

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.waits);
  }
};

/// The processes that are there: started, not ended, and not out of the job's services.
struct ProcessList {
  std::string present{};  ///< bit i % 8 of byte i / 8 for the id of the short name i

  void add(Rank id);
  /// The id must be of the newest process that the id table has in that row.
  bool has(Rank id) const;
  /// The current id of the process; null: it is not there. The same holds.
  std::optional<Rank> id_of(Rank process) const;
  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.present);
  }
};

struct HostFacts {
  std::string name{};
  std::uint32_t processors = 1;
  std::uint64_t clock_origin = 0;  ///< nanoseconds from 1970 to where Process::clock() starts

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.processors, self.clock_origin);
  }
};

/// The hosts of the job, as IdRow::visible_host numbers them.
struct HostList {
  std::vector<HostFacts> hosts{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.hosts, most_hosts, "hosts"));
  }
};

}  // namespace earl
