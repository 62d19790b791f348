// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/cpu_binding.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "exec/launcher/resources/processors.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

constexpr auto by_core = Binding{.unit = BindingUnit::core};
constexpr auto over_nodes = Binding{.unit = BindingUnit::core, .order = BindingUnit::numa};
constexpr auto to_node = Binding{.unit = BindingUnit::numa};
constexpr auto nodes_in_turn = Binding{.unit = BindingUnit::numa, .order = BindingUnit::numa};

/// Two nodes of two cores of two threads: CPUs 0-1, 2-3, 4-5, 6-7.
constexpr auto two_nodes = "node:2 core:2 pu:2";

/// The CPUs of the first `count` processes.
std::vector<std::string> bound(Binding const& how, unsigned count,
                               std::string const& allowed = "0-7") {
  CpuBinding binding(how, cores_of_host(two_nodes), parse_processors(allowed));
  std::vector<std::string> texts;
  for (unsigned i = 0; i < count; ++i) {
    auto const set = binding.next();
    texts.push_back(set ? to_text(*set) : "any");
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("processes are bound to one core after the other, and to the first again") {
  if (!topology_unavailable().empty()) return;
  CHECK(bound(by_core, 5) == Texts{"0-1", "2-3", "4-5", "6-7", "0-1"});
}

TEST_CASE("consecutive processes go to other NUMA nodes if they are mapped by node") {
  if (!topology_unavailable().empty()) return;
  CHECK(bound(over_nodes, 4) == Texts{"0-1", "4-5", "2-3", "6-7"});
}

TEST_CASE("a process that is bound to a NUMA node may run on all of its CPUs") {
  if (!topology_unavailable().empty()) return;
  CHECK(bound(to_node, 4) == Texts{"0-3", "0-3", "4-7", "4-7"});
  CHECK(bound(nodes_in_turn, 4) == Texts{"0-3", "4-7", "0-3", "4-7"});
}

TEST_CASE("only CPUs that Earl may use count") {
  if (!topology_unavailable().empty()) return;
  CHECK(bound(by_core, 3, "3,4-5") == Texts{"3", "4-5", "3"});
  CHECK(bound(to_node, 2, "3,4-5") == Texts{"3", "4-5"});
  CHECK(bound(nodes_in_turn, 3, "1-2,7") == Texts{"1-2", "7", "1-2"});
}

TEST_CASE("processes that are not to be bound are not") {
  CpuBinding none;
  CHECK(!none.next());
  CHECK(!binding_of_host({}).next());
}

TEST_CASE("this host's cores have CPUs, those of their NUMA node among them") {
  if (!topology_unavailable().empty()) return;
  auto const cores = cores_of_host();
  REQUIRE(!cores.empty());
  for (auto const& core : cores) {
    CHECK(CPU_COUNT(&core.cpus) > 0);
    cpu_set_t both;
    CPU_AND(&both, &core.cpus, &core.node_cpus);
    CHECK(CPU_EQUAL(&both, &core.cpus));
  }
  CHECK_THROWS_WITH(cores_of_host("nonsense:2:3"),
                    Catch::Matchers::Contains("the cores of this host are unknown: hwloc: "));
}
