/// The job's store of named entries, with the semantics of generic/store.hpp.
#pragma once

#include <map>
#include <string>

#include "exec/services/desk.hpp"
#include "generic/store.hpp"

namespace earl::exec {

class Store final : public Service {
 public:
  explicit Store(Desk& desk) : desk_(desk) {}

  void put(Owed const& owed, StorePut const& request);
  void get(Owed const& owed, StoreGet const& request);
  void list(Owed const& owed);
  void died(Rank rank, int wait_status) override;
  std::optional<Lack> lack_of(Rank rank) const override;

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
    Owed owed{};
    StoreGet request{};
  };
  using Entries = std::map<std::int32_t, Entry>;  ///< of one name, by index
  struct Name {
    std::uint64_t since = 0;  ///< names are listed in the order they came in
    Entries entries{};
  };

  Entries& entries_of(std::string const& name);
  bool serve(Owed const& owed, StoreGet const& request);
  Entries::iterator find(Entries& entries, StoreGet const& request);
  void serve_waiting(std::string const& name);

  Desk& desk_;
  std::map<std::string, Name> names_;
  std::uint64_t names_ever_ = 0;
  std::vector<Waiting> waiting_;
};

}  // namespace earl::exec
