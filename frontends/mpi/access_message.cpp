// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/access_message.hpp"

#include <cstring>

#include "generic/base/error.hpp"

namespace earl::mpi {

namespace {

/// Takes words from the front.
class WordReader {
 public:
  explicit WordReader(std::span<std::int64_t const> words) : words_(words) {}

  std::int64_t next() {
    EARL_CHECK(at_ < words_.size(), "the layout of a one-sided operation ends after {} words", at_);
    return words_[at_++];
  }
  MemoryLayout layout() {
    MemoryLayout result;
    for (auto runs = next(); runs > 0; --runs) {
      auto const offset = static_cast<std::ptrdiff_t>(next());
      auto const unit = static_cast<std::size_t>(next());
      auto const count = static_cast<std::size_t>(next());
      auto const stride = static_cast<std::ptrdiff_t>(next());
      bool const is_nested = next() != 0;
      result.append((is_nested ? layout() : MemoryLayout::block(unit)).repeated(count, stride),
                    offset);
    }
    return result;
  }

 private:
  std::span<std::int64_t const> words_;
  std::size_t at_ = 0;
};

}  // namespace

void write(MemoryLayout const& layout, LayoutWords& words) {
  words.push_back(static_cast<std::int64_t>(layout.runs().size()));
  for (auto const& run : layout.runs()) {
    words.push_back(run.offset);
    words.push_back(static_cast<std::int64_t>(run.unit));
    words.push_back(static_cast<std::int64_t>(run.count));
    words.push_back(run.stride);
    words.push_back(run.inner ? 1 : 0);
    if (run.inner) write(*run.inner, words);
  }
}

MemoryLayout read_layout(std::span<std::int64_t const> words) {
  return words.empty() ? MemoryLayout{} : WordReader{words}.layout();
}

ReceivedAccess::ReceivedAccess(Bytes message) {
  EARL_CHECK(message.size() >= sizeof head, "a one-sided operation of {} bytes", message.size());
  std::memcpy(&head, message.data(), sizeof head);
  auto const rest = message.subspan(sizeof head);
  LayoutWords words(head.words);
  std::size_t const size = words.size() * sizeof(std::int64_t);
  EARL_CHECK(rest.size() >= size, "a one-sided operation of {} bytes", message.size());
  if (size != 0) std::memcpy(words.data(), rest.data(), size);
  layout = read_layout(words);
  data = rest.subspan(size);
}

}  // namespace earl::mpi
