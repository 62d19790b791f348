// SPDX-License-Identifier: BSD-3-Clause
/// The bytes of messages between processes and EXEC: traces and other versions know them.
#include <catch2/catch.hpp>

#include "exec/launcher/hosts/host_messages.hpp"
#include "exec/runtime/branch_request.hpp"
#include "exec/runtime/control.hpp"
#include "generic/seams/report.hpp"
#include "generic/services/groups.hpp"
#include "generic/services/notices.hpp"
#include "generic/services/partitions.hpp"
#include "generic/services/store.hpp"

using namespace earl;

namespace {

std::string hex(Bytes bytes) {
  std::string text;
  for (auto const byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

/// The message in bytes, which read back give the same bytes again.
template <class What>
std::string bytes_of_message(What const& what) {
  Writer once;
  once(what);
  Reader from(once.bytes());
  Writer twice;
  twice(from.get<What>());
  CHECK(from.at_end());
  CHECK(hex(twice.bytes()) == hex(once.bytes()));
  return hex(once.bytes());
}

/// A message of these numbers.
template <class What>
What read_bytes(std::vector<std::uint32_t> const& numbers) {
  Writer to;
  for (auto const number : numbers) to.u32(number);
  Reader from(to.bytes());
  return from.get<What>();
}

}  // namespace

TEST_CASE("requests have the bytes that recordings know") {
  CHECK(bytes_of_message(Places{.partition = 7, .place = any_place, .label = 3}) ==
        "07000000"
        "ffffffff"
        "03000000");
  CHECK(bytes_of_message(SpawnRequest{.program = "ab",
                                      .arguments = {"c", ""},
                                      .search = {},
                                      .environment = {"D=1"},
                                      .folder = "/",
                                      .count = 2,
                                      .flags = 3,
                                      .label = 4,
                                      .hosts = {5, 6}}) ==
        "02000000"
        "6162"
        "02000000"
        "01000000"
        "63"
        "00000000"
        "00000000"
        "01000000"
        "03000000"
        "443d31"
        "01000000"
        "2f"
        "02000000"
        "03000000"
        "04000000"
        "02000000"
        "05000000"
        "06000000");
  CHECK(bytes_of_message(SignalRequest{.target = Rank{-1}, .signal = 15}) ==
        "ffffffff"
        "0f000000");
  CHECK(bytes_of_message(NoticeRequest{.what = NoticeEvent::host_deleted,
                                       .subject = -2,
                                       .context = Context{0x1'0000'0002},
                                       .tag = Tag{3},
                                       .encoding = Encoding::xdr,
                                       .body = "x",
                                       .cancel = true}) ==
        "02000000"
        "feffffff"
        "0200000001000000"
        "03000000"
        "01000000"
        "01000000"
        "78"
        "01000000");
  CHECK(bytes_of_message(StorePut{.name = "n",
                                  .index = 1,
                                  .several = true,
                                  .overwritable = false,
                                  .unique = true,
                                  .persistent = false,
                                  .word = 9,
                                  .data = "d"}) ==
        "01000000"
        "6e"
        "01000000"
        "01000000"
        "00000000"
        "01000000"
        "00000000"
        "09000000"
        "01000000"
        "64");
}

TEST_CASE("answers have the bytes that recordings know") {
  CHECK(bytes_of_message(
            SpawnAnswer{.ranks = {Rank{1}, Rank{2}}, .fault = SpawnFault::no_room, .why = "w"}) ==
        "02000000"
        "01000000"
        "02000000"
        "03000000"
        "01000000"
        "77");
  CHECK(bytes_of_message(
            PartitionList{.all = {{.name = "p", .places = 2, .processes = 1, .attached = true}}}) ==
        "01000000"
        "01000000"
        "70"
        "02000000"
        "01000000"
        "01000000");
  CHECK(bytes_of_message(
            Members{.fault = GroupFault::none, .frozen = true, .ranks = {no_rank, Rank{4}}}) ==
        "00000000"
        "01000000"
        "02000000"
        "feffffff"
        "04000000");
  CHECK(bytes_of_message(WaitAnswer{
            .known = true, .rank = Rank{3}, .place = 1, .label = 2, .wait_status = 256}) ==
        "01000000"
        "03000000"
        "01000000"
        "02000000"
        "00010000");
  CHECK(bytes_of_message(LoadAnswer{.fault = LoadFault::in_use, .started = {}}) ==
        "03000000"
        "00000000"
        "00000000"
        "00000000");
  CHECK(bytes_of_message(HostList{.hosts = {{.name = "h", .processors = 2, .clock_origin = 3}}}) ==
        "01000000"
        "01000000"
        "68"
        "02000000"
        "0300000000000000");
}

TEST_CASE("messages of the control channel have the bytes that other hosts know") {
  CHECK(bytes_of_message(control::Welcome{.packets = 1,
                                          .rank = Rank{2},
                                          .back_end = "shm",
                                          .tools = {{"record", "f"}},
                                          .group = -1,
                                          .link = "",
                                          .here = 4}) ==
        "01000000"
        "02000000"
        "03000000"
        "73686d"
        "01000000"
        "06000000"
        "7265636f7264"
        "01000000"
        "66"
        "ffffffff"
        "00000000"
        "04000000");
  CHECK(bytes_of_message(
            control::RankLaunchRequest{.rank = Rank{1}, .prints = true, .reads = false}) ==
        "01000000"
        "01000000"
        "00000000");
  CHECK(bytes_of_message(control::BranchRequest{.tools = {{.name = "n", .argument = "a"}},
                                                .milliseconds = 1000}) ==
        "01000000"
        "01000000"
        "6e"
        "01000000"
        "61"
        "e8030000");
  CHECK(bytes_of_message(control::Printed{.rank = Rank{1}, .stream = 2, .text = "t"}) ==
        "01000000"
        "02000000"
        "01000000"
        "74");
  CHECK(bytes_of_message(control::LaunchRefusal{.rank = Rank{1}, .error = 2, .sentence = "s"}) ==
        "01000000"
        "02000000"
        "01000000"
        "73");
  CHECK(bytes_of_message(control::TracePieces{
            .tool = "t", .pieces = {{.rank = Rank{1}, .offset = 2, .size = 3, .bytes = "b"}}}) ==
        "01000000"
        "74"
        "01000000"
        "01000000"
        "0200000000000000"
        "0300000000000000"
        "01000000"
        "62");
}

TEST_CASE("an unknown fault is read as the last one that is known") {
  CHECK(read_bytes<SpawnAnswer>({0, 99, 0}).fault == SpawnFault::foreign);
  CHECK(read_bytes<PartitionAnswer>({99, 1, 2}).fault == PartitionFault::full);
  CHECK(read_bytes<GroupAnswer>({99, 1, 2}).fault == GroupFault::frozen);
  CHECK(read_bytes<StoreAnswer>({99, 1, 0}).fault == StoreFault::denied);
}

TEST_CASE("a list that claims too many entries is refused") {
  CHECK_THROWS_AS(read_bytes<ReserveAnswer>({65'537}), Error);
  CHECK_THROWS_AS(read_bytes<HostList>({0xffff'ffff}), Error);
  CHECK_THROWS_AS(read_bytes<StoreListing>({0xffff'ffff}), Error);
  CHECK_THROWS_AS(read_bytes<control::TracePieces>({0, 1, 1}), Error);
}

TEST_CASE("an unknown kind, a piece beyond its file's end and a message without type are refused") {
  CHECK_THROWS_AS(read_bytes<Report>({99}), Error);
  CHECK_THROWS_AS(read_bytes<FilePiece>({1, 5, 0, 4, 0, 0}), Error);
  CHECK_THROWS_AS(read_bytes<control::RankMessage>({1, 0, 0, 0, 0}), Error);
  CHECK_THROWS_AS(read_bytes<control::RankMessage>({1, 9999, 0, 0, 0}), Error);
}
