// SPDX-License-Identifier: BSD-3-Clause
/// Requests to be notified by message of events in the job, and lists of its processes and hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generic/base/values.hpp"
#include "generic/base/wire.hpp"

namespace earl {

enum class Happening : std::uint32_t {
  process_ended,  ///< or left the job's services; notified at once when it has already
  host_added,
  host_deleted,
};

/// Send me this message, from exec_rank, when that happens; once. All that the process sent before
/// its end arrives before the notice.
struct NoticeRequest {
  Happening what = Happening::process_ended;
  std::int32_t subject = 0;  ///< the process's id (see process_of()), or the host's number
  Context context = common_context;
  Tag tag{0};
  Encoding encoding = Encoding::raw;
  std::string body{};
  bool cancel = false;  ///< do not wait for an equal notice any more: send it now

  bool operator==(NoticeRequest const&) const = default;
  void write(Writer& to) const;
  static NoticeRequest read(Reader& from);
};

struct NoticeAnswer {
  bool waits = false;  ///< it has not happened yet

  void write(Writer& to) const { to.u32(waits ? 1 : 0); }
  static NoticeAnswer read(Reader& from) { return {.waits = from.u32() != 0}; }
};

/// Which processes are there: started, not ended, and not out of the job's services.
struct ProcessList {
  std::string present{};  ///< bit i % 8 of byte i / 8 for the id of the short name i

  void add(Rank id);
  /// The id must be of the newest process that the id table has in that row.
  bool has(Rank id) const;
  /// The current id of the process; null: it is not there. The same holds.
  std::optional<Rank> id_of(Rank process) const;
  void write(Writer& to) const { to.text(present); }
  static ProcessList read(Reader& from) { return {.present = from.text()}; }
};

struct HostFacts {
  std::string name{};
  std::uint32_t processors = 1;
  std::uint64_t clock_origin = 0;  ///< nanoseconds from 1970 to where Process::clock() starts

  void write(Writer& to) const;
  static HostFacts read(Reader& from);
};

/// The hosts of the job, as IdRow::visible_host numbers them.
struct HostList {
  std::vector<HostFacts> hosts{};

  void write(Writer& to) const;
  static HostList read(Reader& from);
};

/// An answer that only says that it is done.
struct Done {
  void write(Writer&) const {}
  static Done read(Reader&) { return {}; }
};

}  // namespace earl
