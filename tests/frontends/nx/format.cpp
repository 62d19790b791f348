// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/format.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace earl::nx;

namespace {

std::string printed(std::string const& format) {
  return ShortFormat(format.c_str(), Formatted::printing).text();
}

std::string scanned(std::string const& format) {
  return ShortFormat(format.c_str(), Formatted::scanning).text();
}

}  // namespace

TEST_CASE("a long word is printed as a word") {
  CHECK(printed("%ld %li %lu %lo %lx %lX%ln") == "%d %i %u %o %x %X%n");
  CHECK(printed("%-+ #0'8.3ld|%*.*ld|%2$*1$ld") == "%-+ #0'8.3d|%*.*d|%2$*1$d");
}

TEST_CASE("a conversion of another type stays as it is") {
  for (char const* format : {"%d %hd %lld %Lf %lf %lg %le %lc %ls %s %c %p %zd %jd %td %hhx",
                             "100%", "%", "%%ld", "%l", "ld %", "", "%5"})
    CHECK(printed(format) == format);
}

TEST_CASE("a long word is scanned as a word") {
  CHECK(scanned("%ld%*ld %3ld,%lx%ln") == "%d%*d %3d,%x%n");
  CHECK(scanned("%lf %ms %mld %l[a] %lld") == "%lf %ms %md %l[a] %lld");
  CHECK(scanned("%[%ld]%ld %[^]%ld]%ld %[]%ld]%ld") == "%[%ld]%d %[^]%ld]%d %[]%ld]%d");
  CHECK(scanned("%[%ld") == "%[%ld");
  CHECK(printed("%m%ld") == "%m%d");
}

TEST_CASE("a format may be long") {
  std::string const text(10'000, 'x');
  CHECK(printed(text + "%ld") == text + "%d");
}
