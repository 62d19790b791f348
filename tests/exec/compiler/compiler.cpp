// SPDX-License-Identifier: BSD-3-Clause
#include "exec/compiler/compiler.hpp"

#include <catch2/catch.hpp>

#include "exec/launcher/plan.hpp"
#include "exec/launcher/quoted.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

using Arguments = std::vector<std::string>;

Layout const installed{.build_tree = false,
                       .commands = "/opt/bin",
                       .core = "/opt/lib",
                       .libraries = {"/opt/lib/earl", "/opt/lib"}};

std::string line(Language language, Arguments const& arguments) {
  return quoted(compiler_command(parse_compilation(language, arguments), "cc -m64", installed));
}

}  // namespace

TEST_CASE("earlcc's own options do not reach the compiler") {
  auto const what =
      parse_compilation(Language::c, {"-api", "pvm3", "-show", "-node", "-host", "-nx", "a.c"});
  CHECK(what.front_end == "pvm3");
  CHECK(what.show == Show::command);
  CHECK(what.side == Side::host);  // the last one
  CHECK(what.arguments == Arguments{"a.c"});
  CHECK(parse_compilation(Language::c, {"-api=pvm3"}).front_end == "pvm3");
  CHECK(parse_compilation(Language::c, {}).front_end.empty());
  CHECK(parse_compilation(Language::c, {"-pvm2", "a.c"}).front_end == "pvm2");
  CHECK(parse_compilation(Language::c, {"-pvm2", "a.c"}).arguments == Arguments{"a.c"});
  CHECK(parse_compilation(Language::c, {"-pvm3", "-nx"}).front_end == "pvm3");
}

TEST_CASE("options of the compilers of the time are ignored") {
  auto const what =
      parse_compilation(Language::c, {"-vx", "-vec", "-i860", "-Knoieee", "-Mvect",
                                      "-Mvect=cachesize:4", "-Kieee", "-Mnostreamall", "-lvec",
                                      "-lkmath", "-lhost", "-lnode", "-lmach", "-lvector", "a.c"});
  CHECK(what.arguments == Arguments{"-lvector", "a.c"});
  CHECK(parse_compilation(Language::c, {"-M", "-MM", "-MF", "x.d", "a.c"}).arguments.size() == 5);
  const Arguments doubled{"-fdefault-real-8", "-fdefault-double-8", "a.f"};
  CHECK(parse_compilation(Language::fortran, {"-Mr8", "-i4", "a.f"}).arguments == doubled);
  CHECK(parse_compilation(Language::fortran, {"-r8", "a.f"}).arguments == doubled);
}

TEST_CASE("C is compiled as C was") {
  auto const command = line(Language::c, {"a.c", "-o", "a"});
  CHECK_THAT(command, Catch::StartsWith("cc -m64 -std=gnu99 -fcommon -fno-builtin-exit -Wno-"));
  CHECK_THAT(command, Catch::Contains(" -g -I/opt/include/earl/nx a.c -o a -L/opt/lib/earl"));
  CHECK_THAT(command, Catch::Contains("-Wl,-rpath,/opt/lib/earl -Wl,-rpath,/opt/lib "));
  CHECK_THAT(command, Catch::Contains(" -lnx "));
}

TEST_CASE("no warnings but about pointers to NX's longs unless some are asked for") {
  CHECK_THAT(line(Language::c, {"a.c"}), !Catch::Contains(" -w ") && Catch::Contains("-Wno-cpp"));
  CHECK_THAT(line(Language::c, {"-long32", "a.c"}), Catch::Contains(" -w "));
  CHECK_THAT(line(Language::c, {"-api", "pvm3", "a.c"}), Catch::Contains(" -w "));
  CHECK_THAT(line(Language::c, {"-Wall", "a.c"}), !Catch::Contains("-Wno-"));
}

TEST_CASE("C++ is compiled as C++") {
  CHECK_THAT(line(Language::c, {"-c", "a.cc"}),
             Catch::StartsWith("cc -m64 -fpermissive -w -g -I/opt/include/earl/nx -c a.cc"));
  for (auto const* const name : {"a.C", "b/a.cpp", "a.cxx", "a.c++"})
    CHECK(parse_compilation(Language::c, {name}).compiles_cpp());
  for (auto const* const name : {"a.c", "a.o", "-la.cc"})
    CHECK_FALSE(parse_compilation(Language::c, {name}).compiles_cpp());
  CHECK(choose_compiler(Language::c, {.is_cpp = true}) == "g++");
  CHECK(choose_compiler(Language::c, {.common = "clang++", .is_cpp = true}) == "clang++");
}

TEST_CASE("objects of C++ are linked with its runtime") {
  auto what = parse_compilation(Language::c, {"-api", "pvm3", "a.o"});
  auto const linked = [&] { return quoted(compiler_command(what, "cc", installed)); };
  CHECK_THAT(linked(), !Catch::Contains("-lstdc++"));
  what.has_cpp_objects = true;
  CHECK_THAT(linked(), Catch::Contains(" -lpvm3 ") && Catch::Contains(" -lstdc++"));
}

TEST_CASE("a program keeps a note of the side it was linked for") {
  CHECK_THAT(line(Language::c, {"-node", "a.c"}),
             Catch::EndsWith("-Wl,--push-state,--whole-archive /opt/lib/libearlnode.a "
                             "-Wl,--pop-state"));
  CHECK_THAT(line(Language::c, {"-host", "-c", "a.c"}), !Catch::Contains("libearlhost"));
  CHECK_THAT(line(Language::c, {"a.c"}), !Catch::Contains("whole-archive"));
  CHECK_THAT(line(Language::c, {"-nx", "a.c"}), Catch::Contains("/opt/lib/libearlwhole.a"));
  CHECK_THAT(
      line(Language::c, {"-nx", "-node", "a.c"}),
      Catch::Contains("/opt/lib/libearlnode.a") && Catch::Contains("/opt/lib/libearlwhole.a"));
  CHECK_THAT(line(Language::c, {"-nx", "-host", "a.c"}), !Catch::Contains("libearlwhole"));
  CHECK_THAT(line(Language::c, {"-nx", "-api", "pvm3", "a.c"}), !Catch::Contains("whole-archive"));
}

TEST_CASE("lines are in the program unless its own options say otherwise") {
  CHECK_THAT(line(Language::c, {"a.c"}), Catch::Contains(" -g -I"));
  CHECK_THAT(line(Language::c, {"-g0", "a.c"}), !Catch::Contains(" -g -I"));
  CHECK_THAT(line(Language::fortran, {"-ggdb3", "a.f"}), !Catch::Contains(" -g -I"));
}

TEST_CASE("flags can be asked for as of other wrappers") {
  CHECK(line(Language::c, {"-api", "pvm3", "-showme:compile"}) ==
        "-std=gnu99 -fcommon -fno-builtin-exit -w -g -I/opt/include/earl/pvm3");
  CHECK_THAT(line(Language::c, {"-api", "pvm3", "-showme:link"}),
             Catch::StartsWith("-L/opt/lib/earl ") && Catch::Contains(" -lpvm3 "));
  CHECK_THAT(line(Language::c, {"-showme", "a.c"}), Catch::StartsWith("cc -m64 "));
  CHECK_THAT(line(Language::c, {"-compile-info"}), Catch::EndsWith(" -c"));
}

TEST_CASE("Fortran is compiled as Fortran was") {
  CHECK_THAT(line(Language::fortran, {"a.f"}),
             Catch::Contains("-std=legacy -fallow-argument-mismatch -fno-backtrace -w"));
}

TEST_CASE("a front end has the library that its programs name") {
  CHECK_THAT(line(Language::c, {"-pvm2", "a.c"}), Catch::Contains("-I/opt/include/earl/pvm2 a.c"));
  CHECK_THAT(line(Language::c, {"-pvm2", "a.c"}), Catch::Contains(" -lpvm "));
}

TEST_CASE("a long of 4 bytes is for C and for NX") {
  CHECK_THAT(line(Language::c, {"-long32", "a.c"}),
             Catch::Contains(" -DEARL_NX_LONG32 -no-integrated-cpp -wrapper "
                             "/opt/bin/earlcc,-long32-run a.c "));
  CHECK_THAT(line(Language::c, {"a.c"}), !Catch::Contains("wrapper"));
  CHECK_THROWS_WITH(line(Language::fortran, {"-long32", "a.f"}),
                    Catch::StartsWith("-long32: is for C"));
  CHECK_THROWS_WITH(line(Language::c, {"-long32", "-pvm3", "a.c"}),
                    Catch::StartsWith("-long32: is for NX"));
}

TEST_CASE("a compilation without linking gets no libraries") {
  CHECK_THAT(line(Language::c, {"-c", "a.c"}), !Catch::Contains("-lnx"));
  CHECK_THAT(line(Language::c, {}), !Catch::Contains("-lnx"));
}

TEST_CASE("a compiler that is named as to MPICH's wrappers is taken") {
  auto const what = parse_compilation(Language::c, {"-cc=clang -m32", "-c", "a.c"});
  CHECK(what.compiler == "clang -m32");
  CHECK(what.arguments == Arguments{"-c", "a.c"});
  CHECK(parse_compilation(Language::fortran, {"-f77=flang", "a.f"}).compiler == "flang");
}

TEST_CASE("warnings that the user asks for are given") {
  CHECK_THAT(line(Language::c, {"-Wall", "a.c"}), !Catch::Contains(" -w "));
  CHECK_THAT(line(Language::fortran, {"-Wsurprising", "a.f"}), !Catch::Contains(" -w "));
  CHECK_THAT(line(Language::c, {"-Wl,-z,now", "a.c"}), Catch::Contains("-Wno-cpp"));
}

TEST_CASE("options without a file link nothing") {
  CHECK_THAT(line(Language::c, {"-v"}), !Catch::Contains("-lnx"));
  CHECK_THAT(line(Language::c, {"-xc", "-"}), Catch::Contains("-lnx"));
}

TEST_CASE("an unknown front end is named beside those there are") {
  CHECK_THROWS_WITH(line(Language::c, {"-api", "vertex", "a.c"}),
                    Catch::StartsWith("-api vertex: there is no such front end; there is: nx, "));
  CHECK_THROWS_AS(parse_compilation(Language::c, {"-api"}), UsageError);
}

TEST_CASE("the command can be given to a shell") {
  CHECK(quoted({"cc", "a b", "it's", ""}) == "cc 'a b' 'it'\\''s' ''");
}
