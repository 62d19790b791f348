// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/batch.hpp"

#include <catch2/catch.hpp>

#include "exec/launcher/hosts/launchers.hpp"

using namespace earl::exec;

using Names = std::vector<std::string>;
using Counts = std::vector<std::uint32_t>;

TEST_CASE("Slurm's lists of hosts are understood") {
  CHECK(slurm_names("a") == Names{"a"});
  CHECK(slurm_names("a,b,c.net") == Names{"a", "b", "c.net"});
  CHECK(slurm_names("n[1-3]") == Names{"n1", "n2", "n3"});
  CHECK(slurm_names("n[08-10,2]x,b") == Names{"n08x", "n09x", "n10x", "n2x", "b"});
  CHECK(slurm_names("r[1-2]n[0-1]") == Names{"r1n0", "r1n1", "r2n0", "r2n1"});
}

TEST_CASE("a malformed list of Slurm is refused") {
  for (auto const* text :
       {"", "a,,b", "n[", "n]", "n[]", "n[1-]", "n[-2]", "n[3-1]", "n[1-2", "n[[1]]", "n[1,]",
        "n[x]", "n[0-999999999]", "n[00000000000001]", "n[1-9999][1-9999]"})
    CHECK(slurm_names(text) == std::nullopt);
}

TEST_CASE("Slurm's counts are understood") {
  CHECK(slurm_counts("4") == Counts{4});
  CHECK(slurm_counts("2(x3),1") == Counts{2, 2, 2, 1});
  for (auto const* text : {"", "x", "0", "2(x", "2(x)", "2(x3", "2,", "2[1]", "1(x999999999)"})
    CHECK(slurm_counts(text) == std::nullopt);
}

TEST_CASE("a launcher that is known by its name gets its arguments") {
  CHECK(full_launcher("ssh") == "ssh %h");
  CHECK(full_launcher("/opt/mpi/bin/mpiexec").starts_with("/opt/mpi/bin/mpiexec -n 1 "));
  CHECK(full_launcher("mpirun.openmpi").ends_with(" -host %h"));
  CHECK(full_launcher("ssh -p 2222 %h") == "ssh -p 2222 %h");
  CHECK(full_launcher("rsh") == "rsh");
  CHECK(launch_command("rsh", "a", {"ls"}) == Names{"rsh", "a", "ls"});
}
