// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/format.hpp"

#include <cstring>
#include <string_view>

namespace earl::nx {

namespace {

/// One after the other.
class Rewriter {
 public:
  Rewriter(char const* from, char* to) : from_(from), to_(to) {}

  void rewrite(Formatted what) {
    while (*from_ != '\0') {
      bool const begins = *from_ == '%';
      copy();
      if (begins) directive(what);
    }
    *to_ = '\0';
  }

 private:
  bool at(std::string_view letters) const {
    return *from_ != '\0' && letters.find(*from_) != std::string_view::npos;
  }
  void copy() { *to_++ = *from_++; }
  void copy_all(std::string_view letters) {
    while (at(letters)) copy();
  }

  void directive(Formatted what) {
    copy_all("0123456789$*.+-# 'I");
    if (what == Formatted::scanning) copy_all("m");
    bool const is_word = from_[0] == 'l' && from_[1] != '\0' &&
                         std::string_view{"dioxXun"}.find(from_[1]) != std::string_view::npos;
    if (is_word) ++from_;
    copy_all("hlLqjzt");
    if (what == Formatted::scanning && *from_ == '[') return set();
    if (*from_ != '\0') copy();
  }

  /// A ] that comes first is one of the set.
  void set() {
    copy();
    if (*from_ == '^') copy();
    if (*from_ == ']') copy();
    while (*from_ != '\0' && *from_ != ']') copy();
  }

  char const* from_;
  char* to_;
};

}  // namespace

ShortFormat::ShortFormat(char const* format, Formatted what) {
  auto const size = std::strlen(format) + 1;
  if (size > usual) long_ = std::make_unique<char[]>(size);
  Rewriter(format, long_ ? long_.get() : short_).rewrite(what);
}

}  // namespace earl::nx
