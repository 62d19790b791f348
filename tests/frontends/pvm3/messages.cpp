// SPDX-License-Identifier: BSD-3-Clause
// Sending, receiving, contexts: as far as one task alone can see them.
#include <catch2/catch.hpp>

#include "tests/frontends/pvm3/task.hpp"

namespace {

void send(int tid, int tag, int value) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(tid, tag);
}

int value_of_next(int tid, int tag) {
  int value = -1;
  return pvm_recv(tid, tag) > 0 && pvm_upkint(&value, 1, 1) == 0 ? value : -1;
}

}  // namespace

TEST_CASE("the first task is t40001") {
  Task task;
  CHECK(task.tid == 0x40001);
  CHECK(pvm_mytid() == 0x40001);
  CHECK(pvm_parent() == PvmNoParent);
  CHECK(pvm_tidtohost(task.tid) == 0x40000);
}

TEST_CASE("the oldest message that fits is taken, others stay in order") {
  Task task;
  send(task.tid, 1, 10);
  send(task.tid, 2, 20);
  send(task.tid, 1, 11);
  CHECK(value_of_next(-1, 2) == 20);
  CHECK(value_of_next(task.tid, -1) == 10);
  CHECK(value_of_next(-1, -1) == 11);
  CHECK(pvm_nrecv(-1, -1) == 0);
}

TEST_CASE("selectors that nothing can fit find nothing") {
  Task task;
  send(task.tid, 1, 10);
  CHECK(pvm_nrecv(-2, -1) == 0);
  CHECK(pvm_nrecv(-1, -7) == 0);
  CHECK(pvm_nrecv(0x5ffff, -1) == 0);
  CHECK(pvm_nrecv(0x80001, -1) == 0);
  CHECK(value_of_next(-1, -1) == 10);
}

TEST_CASE("ill-formed ids and tags are bad parameters, and come before a missing buffer") {
  Task task;
  CHECK(pvm_send(-5, 1) == PvmBadParam);
  CHECK(pvm_send(0x40000, 1) == PvmBadParam);
  CHECK(pvm_send(0, 1) == PvmBadParam);
  CHECK(pvm_send(0x40000001, 1) == PvmBadParam);
  CHECK(pvm_send(task.tid, -1) == PvmBadParam);
  CHECK(pvm_send(task.tid, 1) == PvmNoBuf);
  CHECK(pvm_errno == PvmNoBuf);
}

TEST_CASE("a message to a task that is not there vanishes, and trace records too") {
  Task task;
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(0x5ffff, 1) == 0);
  CHECK(pvm_send(0x80001, 1) == 0);
  CHECK(pvm_send(-1111, -2222) == 0);
  CHECK(pvm_psend(0x5ffff, 1, nullptr, 0, PVM_INT) == 0);
  CHECK(pvm_nrecv(-1, -1) == 0);
}

TEST_CASE("PvmResvTids lifts the checks") {
  Task task;
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_setopt(PvmResvTids, 1) == 0);
  CHECK(pvm_send(-5, -1) == 0);
  CHECK(pvm_setopt(PvmResvTids, 0) == 1);
  CHECK(pvm_send(-5, -1) == PvmBadParam);
}

TEST_CASE("mcast leaves the caller out") {
  Task task;
  int tids[2] = {task.tid, task.tid};
  CHECK(pvm_mcast(tids, 2, 1) == PvmNoBuf);
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_mcast(tids, 2, 1) == 0);
  CHECK(pvm_nrecv(-1, -1) == 0);
  CHECK(pvm_mcast(tids, 0, 1) == 0);
  CHECK(pvm_mcast(tids, -1, 1) == PvmBadParam);
  CHECK(pvm_mcast(tids, 1, -1) == PvmBadParam);
  int bad[2] = {task.tid, -3};
  CHECK(pvm_mcast(bad, 2, 1) == PvmBadParam);
}

TEST_CASE("a probe takes nothing, and names the buffer that the receive will give") {
  Task task;
  CHECK(pvm_probe(-1, -1) == 0);
  send(task.tid, 3, 30);
  send(task.tid, 4, 40);
  int const seen = pvm_probe(-1, 4);
  CHECK(seen > 0);
  CHECK(pvm_probe(-1, 4) == seen);
  CHECK(length_of(seen) == 4);
  int tag = 0;
  pvm_bufinfo(seen, nullptr, &tag, nullptr);
  CHECK(tag == 4);
  CHECK(pvm_recv(-1, 3) != seen);
  CHECK(pvm_recv(-1, 4) == seen);
  int value = 0;
  CHECK(pvm_upkint(&value, 1, 1) == 0);
  CHECK(value == 40);
}

TEST_CASE("a probe leaves the active receive buffer alone") {
  Task task;
  pvm_initsend(PvmDataDefault);
  int const id = send_and_receive();
  CHECK(pvm_probe(-1, -1) == 0);
  CHECK(pvm_getrbuf() == id);
}

TEST_CASE("precv cuts, and reports the whole length in bytes") {
  Task task;
  double const four[4] = {1, 2, 3, 4};
  CHECK(pvm_psend(task.tid, 8, const_cast<double*>(four), 4, PVM_DOUBLE) == 0);
  double two[3] = {0, 0, -1};
  int tid = 0;
  int tag = 0;
  int length = 0;
  CHECK(pvm_precv(-1, -1, two, 2, PVM_DOUBLE, &tid, &tag, &length) == 0);
  CHECK(two[1] == 2);
  CHECK(two[2] == -1);
  CHECK(length == 32);
  CHECK(tag == 8);
  CHECK(tid == task.tid);
}

TEST_CASE("psend and precv know their types and leave the buffers alone") {
  Task task;
  int value = 1;
  int const sending = pvm_initsend(PvmDataDefault);
  CHECK(pvm_psend(task.tid, 1, &value, 1, PVM_STR) == PvmNotImpl);
  CHECK(pvm_psend(task.tid, 1, &value, 1, 12) == PvmBadParam);
  CHECK(pvm_psend(task.tid, 1, &value, 1, PVM_INT) == 0);
  CHECK(pvm_precv(-1, -1, &value, 1, PVM_STR, nullptr, nullptr, nullptr) == PvmNotImpl);
  CHECK(pvm_precv(-1, -1, &value, 1, -1, nullptr, nullptr, nullptr) == PvmBadParam);
  CHECK(pvm_precv(-1, -1, &value, 1, PVM_INT, nullptr, nullptr, nullptr) == 0);
  CHECK(pvm_getsbuf() == sending);
  CHECK(pvm_getrbuf() == 0);
}

TEST_CASE("a psent message is unpacked as raw data") {
  Task task;
  float complex_number[2] = {1, 2};
  pvm_psend(task.tid, 1, complex_number, 1, PVM_CPLX);
  CHECK(length_of(pvm_recv(-1, 1)) == 8);
  float out[2] = {};
  CHECK(pvm_upkfloat(out, 2, 1) == 0);
  CHECK(out[1] == 2);
}

TEST_CASE("only messages of the current context are seen, with -1 all of them") {
  Task task;
  int const context = pvm_newcontext();
  CHECK(context >= 0x40001);
  CHECK(pvm_newcontext() == context + 1);
  CHECK(pvm_freecontext(context + 1) == 0);
  CHECK(pvm_setcontext(context) == 0);
  send(task.tid, 1, 10);
  CHECK(pvm_setcontext(0) == context);
  CHECK(pvm_nrecv(-1, -1) == 0);
  CHECK(pvm_setcontext(-1) == 0);
  CHECK(pvm_getcontext() == -1);
  pvmminfo info{};
  pvm_getminfo(pvm_recv(-1, -1), &info);
  CHECK(info.ctx == context);
  pvm_setcontext(0);
  CHECK(pvm_freecontext(context) == 0);
  CHECK(pvm_freecontext(context) == PvmNotFound);
  CHECK(pvm_freecontext(5) == PvmNotFound);
}

TEST_CASE("contexts that were freed are given out again, though not at once") {
  Task task;
  int const kept = pvm_newcontext();
  int last = kept;
  int made = 0;
  for (; made < 300'000; ++made) {
    int const context = pvm_newcontext();
    if (context <= 0 || context == kept || context == last || pvm_freecontext(context) != 0) break;
    last = context;
  }
  CHECK(made == 300'000);
  CHECK(pvm_freecontext(kept) == 0);
  CHECK(last < 0x7fffc);
}

TEST_CASE("trecv with a timeout returns, and does not change the timeout") {
  Task task;
  timeval timeout{.tv_sec = 0, .tv_usec = 2000};
  CHECK(pvm_trecv(-1, -1, &timeout) == 0);
  CHECK(timeout.tv_usec == 2000);
  send(task.tid, 1, 10);
  CHECK(pvm_trecv(-1, -1, &timeout) > 0);
  send(task.tid, 1, 10);
  CHECK(pvm_trecv(-1, -1, nullptr) > 0);
}
