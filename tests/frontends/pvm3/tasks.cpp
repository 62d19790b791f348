// SPDX-License-Identifier: BSD-3-Clause
// Process control, information, options, errors: as far as a task alone in its job can see them.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "tests/frontends/pvm3/task.hpp"

extern "C" {
extern char const* pvm_errlist[];
extern int pvm_nerr;
extern int pvmmytid;
int lpvmerr(char const* name, int code);
}

TEST_CASE("the virtual machine has one host") {
  Task task;
  int hosts = 0;
  int architectures = 0;
  pvmhostinfo* host = nullptr;
  CHECK(pvm_config(&hosts, &architectures, &host) == 0);
  CHECK(pvm_config(nullptr, nullptr, nullptr) == 0);
  CHECK(hosts == 1);
  CHECK(architectures == 1);
  CHECK(host->hi_tid == 0x40000);
  CHECK(std::string(host->hi_arch) == "LINUX64");
  CHECK(pvm_mstat(host->hi_name) == PvmOk);
  CHECK(pvm_archcode(host->hi_arch) == host->hi_dsig);
  char unknown[] = "CRAY";
  CHECK(pvm_archcode(unknown) == PvmNotFound);
  CHECK(pvm_mstat(unknown) == PvmNoHost);
  CHECK(pvm_mstat(nullptr) == PvmBadParam);
}

TEST_CASE("a task alone is its only sibling and the only one in the list") {
  Task task;
  int* siblings = nullptr;
  REQUIRE(pvm_siblings(&siblings) == 1);
  CHECK(siblings[0] == task.tid);
  int count = 0;
  pvmtaskinfo* tasks = nullptr;
  CHECK(pvm_tasks(0, &count, &tasks) == 0);
  REQUIRE(count == 1);
  CHECK(tasks[0].ti_tid == task.tid);
  CHECK(tasks[0].ti_ptid == 0);
  CHECK(tasks[0].ti_flag == 4);
  CHECK(std::string(tasks[0].ti_a_out).empty());
  CHECK(pvm_tasks(0x40002, &count, &tasks) == 0);
  CHECK(count == 0);
  CHECK(pvm_tasks(0x80000, &count, &tasks) == PvmNoHost);
}

TEST_CASE("pstat knows the living, the others, and nonsense") {
  Task task;
  CHECK(pvm_pstat(task.tid) == PvmOk);
  CHECK(pvm_pstat(0x5ffff) == PvmNoTask);
  CHECK(pvm_pstat(-1) == PvmBadParam);
  CHECK(pvm_kill(0x5ffff) == 0);
  CHECK(pvm_kill(0x40000) == PvmBadParam);
  CHECK(pvm_sendsig(-1, 2) == PvmBadParam);
}

TEST_CASE("spawn refuses nonsense and hosts that are not there") {
  Task task;
  char program[] = "whatever";
  char host[] = "no-such-host";
  int tids[2] = {1, 1};
  CHECK(pvm_spawn(program, nullptr, 0, nullptr, 0, tids) == PvmBadParam);
  CHECK(pvm_spawn(program, nullptr, PvmTaskHost, host, 2, tids) == 0);
  CHECK(tids[0] == PvmNoHost);
  CHECK(tids[1] == PvmNoHost);
  CHECK(pvm_spawn(program, nullptr, PvmHostCompl, nullptr, 1, nullptr) == 0);
}

TEST_CASE("export keeps a list without doubles") {
  Task task;
  unsetenv("PVM_EXPORT");
  char one[] = "ONE";
  char two[] = "TWO";
  CHECK(pvm_export(one) == 0);
  CHECK(pvm_export(two) == 0);
  CHECK(pvm_export(one) == 0);
  CHECK(std::string(getenv("PVM_EXPORT")) == "ONE:TWO");
  CHECK(pvm_unexport(one) == 0);
  CHECK(std::string(getenv("PVM_EXPORT")) == "TWO");
  CHECK(pvm_unexport(two) == 0);
  CHECK(getenv("PVM_EXPORT") == nullptr);
}

TEST_CASE("options start with the native values and give the previous ones") {
  Task task;
  CHECK(pvm_getopt(PvmRoute) == PvmAllowDirect);
  CHECK(pvm_setopt(PvmRoute, PvmRouteDirect) == PvmAllowDirect);
  CHECK(pvm_setopt(PvmRoute, 4) == PvmBadParam);
  CHECK(pvm_setopt(PvmRoute, PvmAllowDirect) == PvmRouteDirect);
  CHECK(pvm_getopt(PvmFragSize) == 4080);
  CHECK(pvm_getopt(PvmShowTids) == 1);
  CHECK(pvm_getopt(PvmPollType) == PvmBadParam);
  CHECK(pvm_setopt(PvmPollType, 1) == PvmNotImpl);
  CHECK(pvm_getopt(0) == PvmBadParam);
  CHECK(pvm_getopt(26) == PvmBadParam);
  CHECK(pvm_setopt(PvmOutputTid, 12345) == PvmBadParam);
  CHECK(pvm_setopt(PvmOutputTid, task.tid) == 0);
  CHECK(pvm_setopt(PvmOutputTid, 0) == task.tid);
  CHECK(pvm_setopt(PvmFragSize, 51) == PvmBadParam);
  CHECK(pvm_setopt(PvmFragSize, 1'048'577) == PvmBadParam);
}

TEST_CASE("where a task's own output goes, its children's goes, and may go again") {
  Task task;
  CHECK(pvm_setopt(PvmOutputCode, 7) == 0);
  CHECK(pvm_setopt(PvmSelfOutputTid, 0x5ffff) == 0);
  CHECK(pvm_getopt(PvmOutputTid) == 0x5ffff);
  CHECK(pvm_getopt(PvmOutputCode) == 0);
  CHECK(pvm_setopt(PvmSelfOutputCode, 3) == 0);
  CHECK(pvm_getopt(PvmOutputCode) == 3);
  CHECK(pvm_setopt(PvmOutputTid, 0) == 0x5ffff);
  CHECK(pvm_setopt(PvmOutputTid, 0x5ffff) == 0);
  CHECK(pvm_setopt(PvmSelfOutputTid, 0) == 0x5ffff);
  CHECK(pvm_setopt(PvmSelfOutputCode, 0) == 3);
  CHECK(pvm_setopt(PvmSelfTraceTid, 0x5ffff) == 0);
  CHECK(pvm_setopt(PvmSelfTraceTid, 0) == 0x5ffff);
  CHECK(pvm_getopt(PvmTraceTid) == 0);
}

TEST_CASE("a task's id stands for its host, and other hosts have no tasks") {
  Task task;
  int count = 0;
  pvmtaskinfo* tasks = nullptr;
  CHECK(pvm_hostsync(task.tid, nullptr, nullptr) == 0);
  CHECK(pvm_hostsync(0x80001, nullptr, nullptr) == PvmNoHost);
  CHECK(pvm_tasks(0x80001, &count, &tasks) == PvmNoHost);
}

TEST_CASE("errors are remembered, success does not forget them") {
  Task task;
  CHECK(pvm_freebuf(-1) == PvmBadParam);
  CHECK(pvm_freebuf(0) == 0);
  CHECK(pvm_errno == PvmBadParam);
  CHECK(std::string(pvm_strerror()) == "Bad parameter");
  char name[] = "f";
  CHECK(lpvmerr(name, PvmNoInst) == PvmNoInst);
  CHECK(pvm_errno == PvmNoInst);
  REQUIRE(pvm_nerr == 37);
  CHECK(std::string(pvm_errlist[5]) == "End of buffer");
  CHECK(std::string(pvm_errlist[36]).substr(0, 22) == "Master Host IP Address");
}

TEST_CASE("leaving is always allowed, and a later call enrols again") {
  Task task;
  CHECK(pvm_exit() == 0);
  CHECK(pvmmytid == -1);
  CHECK(pvm_exit() == 0);
  CHECK(pvm_mytid() > 0);
}

TEST_CASE("a leaving task keeps the buffer it packs, and loses the messages it has not received") {
  Task task;
  int const sending = pvm_initsend(PvmDataDefault);
  send_and_receive();
  pvm_send(task.tid, 1);
  pvm_probe(-1, 1);
  CHECK(pvm_exit() == 0);
  CHECK(pvm_getsbuf() == sending);
  CHECK(pvm_getrbuf() == 0);
  CHECK(pvm_nrecv(-1, -1) == 0);
}

TEST_CASE("pvm_tickle wants one to ten words; answers are counted") {
  Task task;
  std::array<int, 11> words{};
  int count = -1;
  int result = -1;
  CHECK(pvm_tickle(0, words.data(), &count, &result) == PvmBadParam);
  CHECK(pvm_tickle(11, words.data(), &count, &result) == PvmBadParam);
  CHECK(pvm_tickle(1, nullptr, &count, &result) == PvmBadParam);
  words = {6, 5};
  CHECK(pvm_tickle(2, words.data(), &count, &result) == 0);
  CHECK(count == 0);
  words = {5};
  CHECK(pvm_tickle(1, words.data(), nullptr, nullptr) == 0);
  CHECK(pvm_tickle(1, words.data(), &count, &result) == 0);
  CHECK(count == 1);
  CHECK(result == 5);
  words = {8, 0x80000};
  CHECK(pvm_tickle(2, words.data(), &count, &result) == 0);
  CHECK(count == 1);
  CHECK(result == 0);
  words = {99};
  CHECK(pvm_tickle(1, words.data(), &count, &result) == 0);
  CHECK(count == 0);
}

TEST_CASE("trace masks are kept") {
  Task task;
  std::array<char, 36> mask{};
  mask[0] = 'A';
  CHECK(pvm_settmask(PvmTaskChild, mask.data()) == 0);
  mask[0] = 0;
  CHECK(pvm_gettmask(PvmTaskChild, mask.data()) == 0);
  CHECK(mask[0] == 'A');
  CHECK(pvm_gettmask(2, mask.data()) == PvmBadParam);
}
