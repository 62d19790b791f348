/// The posted wildcard receives that have no message yet, by post number.
#pragma once

#include <cstdint>
#include <vector>

#include "debug/trace/outcome.hpp"

namespace earl::record {

/// What was asked for when it was posted.
struct Posted {
  std::uint64_t post = 0;
  std::uint64_t event = 0;
  std::uint32_t site = trace::no_site;
  bool used = false;
  trace::Selector selector{};
};

/// Open addressing: no allocation but when it grows.
class Posts {
 public:
  Posts() : slots_(64) {}

  void add(Posted const& posted);
  /// Removes it and writes it to `posted`; false: no such one.
  bool take(std::uint64_t post, Posted& posted);
  /// In post order.
  std::vector<Posted> all() const;

 private:
  std::size_t home(std::uint64_t post) const { return post & (slots_.size() - 1); }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  void grow();

  std::vector<Posted> slots_;
  std::size_t count_ = 0;
};

}  // namespace earl::record
