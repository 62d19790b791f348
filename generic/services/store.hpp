// SPDX-License-Identifier: BSD-3-Clause
/// Requests about the job's store of named entries, and EXEC's answers. An entry has a name, an
/// index from 0, an owner and bytes. It vanishes with its owner unless it is persistent; then it
/// has no owner any more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generic/base/values.hpp"
#include "generic/base/wire.hpp"

namespace earl {

enum class StoreFault : std::uint32_t {
  none,
  not_found,
  denied,  ///< the entry is another's and may not be overwritten, or it must be new
};

struct StorePut {
  std::string name{};
  std::int32_t index = 0;     ///< wanted
  bool several = false;       ///< where that index is taken, the next free one
  bool overwritable = false;  ///< others may replace and delete it
  bool unique = false;        ///< where any process has that index: denied
  bool persistent = false;
  std::uint32_t word = 0;  ///< the front end's own
  std::string data{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.index, self.several, self.overwritable, self.unique, self.persistent,
          self.word, self.data);
  }
};

/// Read an entry or delete one.
struct StoreGet {
  std::string name{};
  std::int32_t index = 0;
  bool first = false;   ///< the lowest index from there on
  bool remove = false;  ///< delete it; only its owner may, unless it is overwritable
  bool wait = false;    ///< until there is one

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.index, self.first, self.remove, self.wait);
  }
};

struct StoreAnswer {
  StoreFault fault = StoreFault::none;
  std::int32_t index = 0;
  std::string data{};  ///< of the entry read

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(clamped(self.fault, StoreFault::denied), self.index, self.data);
  }
};

struct StoreEntry {
  std::string name{};
  std::int32_t index = 0;
  Rank owner = no_rank;
  std::uint32_t word = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.index, self.owner, self.word);
  }
};

/// All there is: the names in the order they came in, then by index.
struct StoreListing {
  std::vector<StoreEntry> entries{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.entries, 1U << 20, "entries of the store"));
  }
};

}  // namespace earl
