// SPDX-License-Identifier: BSD-3-Clause
#include "exec/compiler/words.hpp"

#include <catch2/catch.hpp>

using earl::exec::with_short_words;

TEST_CASE("a long is an int") {
  CHECK(with_short_words("long a, *b; unsigned long c;") == "int a, *b; unsigned int c;");
  CHECK(with_short_words("long int a; int long b; long unsigned int c;") ==
        " int a; int  b;  unsigned int c;");
  CHECK(with_short_words("x = (long)y + sizeof(long);") == "x = (int)y + sizeof(int);");
  CHECK(with_short_words("f(a, b) long a; long b; {}") == "f(a, b) int a; int b; {}");
  CHECK(with_short_words("static const long a; long register b;") ==
        "static const int a; int register b;");
}

TEST_CASE("longer types and other words stay") {
  for (char const* text :
       {"long long a;", "unsigned long long int a;", "long unsigned long a;", "long double a;",
        "double long a;", "long\n# 3 \"a.c\"\nlong a;", "char *s = \"a long \\\" long\", c = 'l';",
        "longer along long_;", "a.printf(x); b->scanf(y); p = printf;"})
    CHECK(with_short_words(text) == text);
}

TEST_CASE("constants are words, too") {
  CHECK(with_short_words("0L 12l 0x1fUL 7LU") == "0 12 0x1fU 7U");
  CHECK(with_short_words("1LL 2ull 1.5L 1e5L 0x1p3L 3 4u x1L") ==
        "1LL 2ull 1.5L 1e5L 0x1p3L 3 4u x1L");
}

TEST_CASE("formats are read by the front end") {
  CHECK(with_short_words("extern int printf(); printf (\"%ld\", x);") ==
        "extern int earl_nx32_printf(); earl_nx32_printf (\"%ld\", x);");
}

TEST_CASE(
    "headers of the system stay, and a program's declarations of the C library agree with them") {
  char const* const included =
      "# 1 \"a.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nlong ftell(void); int printf();\n"
      "# 2 \"a.c\" 2\nlong x;\n";
  CHECK(with_short_words(included) ==
        "# 1 \"a.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nlong ftell(void); int printf();\n"
        "# 2 \"a.c\" 2\nint x;\n");
  CHECK(with_short_words("long time(), lseek(); long mine();") ==
        "long time(), lseek(); int mine();");
  CHECK(with_short_words("#pragma long\nlong x;") == "#pragma long\nint x;");
}
