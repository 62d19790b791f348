// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/diagnosis.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <map>

using namespace earl::exec;

namespace {

/// A host with nothing to complain of.
HostResources healthy() {
  HostResources facts{.processors_online = 2,
                      .proc = true,
                      .proc_children = true,
                      .files = 1U << 20,
                      .processes = 1U << 20,
                      .memory = 8ULL << 30};
  CPU_ZERO(&facts.processors);
  CPU_SET(0, &facts.processors);
  CPU_SET(1, &facts.processors);
  return facts;
}

std::map<std::string, Finding> findings(HostResources const& facts) {
  std::map<std::string, Finding> by_name;
  for (auto const& finding : judge_host(facts)) by_name[finding.what] = finding;
  return by_name;
}

/// The findings that are wrong, by name.
std::map<std::string, std::string> complaints(HostResources const& facts) {
  std::map<std::string, std::string> details;
  for (auto const& [name, finding] : findings(facts)) {
    if (finding.health == Health::good) continue;
    details[name] = finding.detail;
    CHECK_FALSE(finding.advice.empty());
  }
  return details;
}

}  // namespace

TEST_CASE("a healthy host gives no reason to complain") {
  CHECK(complaints(healthy()).empty());
  CHECK(findings(healthy()).at("processors").detail == "2 of 2 (0-1)");
  CHECK(findings(healthy()).at("open files").detail == "1048576: jobs of up to 349504 processes");
}

TEST_CASE("each limit is reported with its remedy") {
  auto facts = healthy();
  facts.remote_read_error = EPERM;
  facts.ptrace_scope = 2;
  CHECK(complaints(facts) == std::map<std::string, std::string>{
                                 {"process_vm_readv",
                                  "Operation not permitted (ptrace_scope 2): long messages are "
                                  "copied twice"}});
  CHECK_THAT(findings(facts).at("process_vm_readv").advice, Catch::Contains("ptrace_scope=1"));
  facts.ptrace_scope = -1;
  CHECK_THAT(findings(facts).at("process_vm_readv").advice, Catch::Contains("SYS_PTRACE"));

  facts = healthy();
  facts.files = 128;
  facts.processes = 100;
  facts.group_processes = 20;
  facts.group_memory = 64ULL << 20;
  facts.processor_quota = 0.5;
  auto const found = complaints(facts);
  CHECK(found.at("open files") == "128: jobs of up to 21 processes");
  CHECK(found.at("processes") == "100 for this user, 20 in this control group");
  CHECK(found.at("memory") == "8192 MiB, 64 MiB of it for this control group");
  CHECK(found.at("processors") == "2 of 2 (0-1), the control group allows the time of 0.5");
}

TEST_CASE("a missing requirement of Earl is wrong, not limited") {
  auto facts = healthy();
  facts.shared_memory_error = ENOSYS;
  facts.proc = false;
  CHECK(findings(facts).at("shared memory").health == Health::broken);
  CHECK(findings(facts).at("/proc").health == Health::broken);
}

TEST_CASE("of each native library the installed and missing parts are listed, with the remedy") {
  auto const found = judge_libraries(
      "x", {{.title = "Whole", .here = {"part", "launcher"}},
            {.title = "Half", .here = {"launcher"}, .missing = {"part"}, .remedy = "make part"},
            {.title = "None", .missing = {"part", "launcher"}, .remedy = "get both"}});
  REQUIRE(found.size() == 3);
  CHECK(found[0].what == "Whole");
  CHECK(found[0].health == Health::good);
  CHECK(found[0].detail == "for back end x: part, launcher");
  CHECK(found[0].advice.empty());
  CHECK(found[1].health == Health::limited);
  CHECK(found[1].detail == "for back end x: launcher; missing: part");
  CHECK(found[1].advice == "make part");
  CHECK(found[2].health == Health::limited);
  CHECK(found[2].detail == "for back end x: missing: part, launcher");
  CHECK(found[2].advice == "get both");
}

TEST_CASE("this host can be examined") {
  auto const facts = read_host_resources();
  CHECK(CPU_COUNT(&facts.processors) > 0);
  CHECK(facts.shared_memory_error == 0);
  CHECK(facts.proc);
  CHECK(facts.files > 0);
  CHECK(facts.memory > 0);
}
