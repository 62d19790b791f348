// SPDX-License-Identifier: BSD-3-Clause
/// Shared by the tests of traces.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "debug/trace/reader.hpp"
#include "debug/trace/writer.hpp"
#include "generic/base/error.hpp"

namespace earl::trace {

/// A folder of its own for one test, gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    auto const base = std::filesystem::temp_directory_path() / "earl-trace-XXXXXX";
    path_ = base.string();
    if (mkdtemp(path_.data()) == nullptr) throw Error("no temporary folder");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::string const& path() const { return path_; }
  std::string operator/(std::string const& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string contents_of(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(std::string const& path, std::string const& contents) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
}

/// A wildcard receive at site 0 that goes on as before: event, post and sequence count up.
inline Outcome receive_of(std::uint64_t n, std::int32_t source, std::uint64_t sequence) {
  Outcome outcome;
  outcome.what = OutcomeKind::receive;
  outcome.site = 0;
  outcome.event = 2 * n + 1;
  outcome.post = n;
  outcome.id = {.source = Rank{source}, .sequence = sequence};
  return outcome;
}

/// As the recorder does it: a receive has a way of its own.
inline void put(TraceWriter& writer, Outcome const& outcome) {
  if (outcome.what != OutcomeKind::receive) return writer.put(outcome);
  writer.put(received_of(outcome));
}

struct ReadBack {
  std::vector<Outcome> outcomes;
  Ending ending;
};

inline ReadBack read_back(std::string const& path) {
  TraceReader reader(path);
  ReadBack result;
  while (auto part = reader.next())
    result.outcomes.insert(result.outcomes.end(), part->begin(), part->end());
  result.ending = reader.ending();
  return result;
}

inline TraceFileOptions options_for(std::string const& path) {
  return {.path = path, .rank = Rank{3}, .run = {.high = 1, .low = 2}, .initial = 4};
}

}  // namespace earl::trace
