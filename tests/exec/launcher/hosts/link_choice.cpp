// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/link_choice.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

namespace {

using Grade = Connectivity::Grade;

control::ConnectivityReport report(Grade libfabric, std::string const& why = {}) {
  return {.back_ends = {{"myrinet", {libfabric, why}}, {"tcp", {Grade::everywhere}}}};
}

HostConnectivity host(std::string const& name, Grade libfabric, std::string const& why = {}) {
  return {.host = name, .report = report(libfabric, why)};
}

}  // namespace

TEST_CASE("hosts are joined by the transport that the user requests") {
  auto const choice = requested_link(report(Grade::requested, "a variable"));
  CHECK(choice.back_end == "myrinet");
  CHECK(choice.why == "a variable");
  CHECK(requested_link(report(Grade::fast)).back_end.empty());
}

TEST_CASE("hosts are joined by the best that all have") {
  auto const here = report(Grade::on_request);
  auto const choice = best_link(here, {host("a", Grade::fast, "mlx5_0"), host("b", Grade::fast)});
  CHECK(choice.back_end == "myrinet");
  CHECK(choice.why == "all hosts have what it takes: mlx5_0 on host a");
}

TEST_CASE("a transport that one of the hosts lacks joins none") {
  auto const here = report(Grade::fast, "mlx5_0");
  auto const choice =
      best_link(here, {host("a", Grade::fast, "mlx5_0"), host("b", Grade::on_request)});
  CHECK(choice.back_end == "tcp");
  CHECK(choice.why == "host a has mlx5_0 for myrinet, host b nothing like it");
  CHECK(best_link(here, {host("a", Grade::on_request)}).why == "no host has a faster network");
  CHECK(best_link(here, {{"a", {}}, host("b", Grade::fast)}).back_end.empty());
}

TEST_CASE("a transport that settings exclude here, or request on another host, does not join") {
  const control::ConnectivityReport here{.back_ends = {{"tcp", {Grade::everywhere}}}};
  CHECK(best_link(here, {host("a", Grade::fast)}).back_end == "tcp");
  CHECK(best_link(report(Grade::on_request),
                  {host("a", Grade::requested), host("b", Grade::on_request)})
            .back_end == "tcp");
}

TEST_CASE("a host's list of back ends comes whole, and a malformed one is refused") {
  auto const body = control::body_of(report(Grade::fast, "mlx5_0"));
  auto const read = control::read<control::ConnectivityReport>(body.bytes());
  REQUIRE(read.back_ends.size() == 2);
  CHECK(read.back_ends[0].name == "myrinet");
  CHECK(read.back_ends[0].connectivity.grade == Grade::fast);
  CHECK(read.back_ends[0].connectivity.why == "mlx5_0");
  auto const wrong = control::body_of(report(static_cast<Grade>(77)));
  CHECK_THROWS_AS(control::read<control::ConnectivityReport>(wrong.bytes()), Error);
}
