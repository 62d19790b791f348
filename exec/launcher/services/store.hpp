// SPDX-License-Identifier: BSD-3-Clause
/// The job's store of named entries, with the semantics of generic/services/store.hpp.
#pragma once

#include <map>
#include <string>

#include "exec/launcher/services/service_context.hpp"
#include "generic/services/store.hpp"

namespace earl::exec {

class Store final : public Service {
 public:
  explicit Store(ServiceContext& context) : context_(context) {}

  void put(PendingReply const& reply, StorePut const& request);
  void get(PendingReply const& reply, StoreGet const& request);
  void list(PendingReply const& reply);
  void died(Rank rank, int wait_status) override;
  std::optional<WaitReason> wait_reason_of(Rank rank) const override;

 private:
  struct Entry {
    Rank owner = no_rank;
    bool overwritable = false;
    bool persistent = false;
    std::uint32_t word = 0;
    std::string data{};

    bool yields_to(Rank rank) const { return overwritable || owner == rank; }
  };
  struct Waiting {
    PendingReply reply{};
    StoreGet request{};
  };
  using Entries = std::map<std::int32_t, Entry>;  ///< of one name, by index
  struct Name {
    std::uint64_t since = 0;  ///< names are listed in the order they came in
    Entries entries{};
  };

  Entries& entries_of(std::string const& name);
  bool serve(PendingReply const& reply, StoreGet const& request);
  Entries::iterator find(Entries& entries, StoreGet const& request);
  void serve_waiting(std::string const& name);

  ServiceContext& context_;
  std::map<std::string, Name> names_;
  std::uint64_t names_ever_ = 0;
  std::vector<Waiting> waiting_;
};

}  // namespace earl::exec
