// SPDX-License-Identifier: BSD-3-Clause
// The manual's chapter on message buffers.
#include <catch2/catch.hpp>

#include "tests/frontends/pvm3/task.hpp"

namespace {

void pack(int value) { pvm_pkint(&value, 1, 1); }

int unpack() {
  int value = -1;
  return pvm_upkint(&value, 1, 1) == 0 ? value : -1;
}

}  // namespace

TEST_CASE("mkbuf makes, and makes nothing active") {
  Task task;
  int const id = pvm_mkbuf(PvmDataRaw);
  CHECK(id > 0);
  CHECK(pvm_getsbuf() == 0);
  CHECK(pvm_mkbuf(3) == PvmBadParam);
  CHECK(pvm_freebuf(id) == 0);
  CHECK(pvm_freebuf(id) == PvmNoSuchBuf);
  CHECK(pvm_freebuf(0) == 0);
  CHECK(pvm_freebuf(-1) == PvmBadParam);
}

TEST_CASE("initsend frees the active send buffer, unless the encoding is bad") {
  Task task;
  int const first = pvm_initsend(PvmDataDefault);
  CHECK(pvm_initsend(7) == PvmBadParam);
  CHECK(pvm_getsbuf() == first);
  int const second = pvm_initsend(PvmDataDefault);
  CHECK(second != first);
  CHECK(pvm_getsbuf() == second);
  CHECK(pvm_bufinfo(first, nullptr, nullptr, nullptr) == PvmNoSuchBuf);
}

TEST_CASE("the number freed last is given out first") {
  Task task;
  int const id = pvm_mkbuf(PvmDataRaw);
  pvm_freebuf(id);
  int const again = pvm_mkbuf(PvmDataRaw);
  CHECK(again == id);
  pvm_freebuf(again);
}

TEST_CASE("setsbuf and setrbuf give the previous buffer and refuse unknown ones") {
  Task task;
  int const id = pvm_mkbuf(PvmDataRaw);
  CHECK(pvm_setsbuf(id) == 0);
  CHECK(pvm_setsbuf(-1) == PvmBadParam);
  CHECK(pvm_setsbuf(9999) == PvmNoSuchBuf);
  CHECK(pvm_getsbuf() == id);
  CHECK(pvm_setrbuf(id) == 0);
  CHECK(pvm_getsbuf() == 0);
  CHECK(pvm_setsbuf(id) == 0);
  CHECK(pvm_getrbuf() == 0);
  CHECK(pvm_setsbuf(0) == id);
  pvm_freebuf(id);
}

TEST_CASE("send leaves the buffer, and packing more appends") {
  Task task;
  pvm_initsend(PvmDataDefault);
  pack(1);
  pvm_send(task.tid, 5);
  pack(2);
  pvm_send(task.tid, 5);
  CHECK(length_of(pvm_recv(-1, 5)) == 4);
  CHECK(length_of(pvm_recv(-1, 5)) == 8);
  CHECK(unpack() == 1);
  CHECK(unpack() == 2);
}

TEST_CASE("every receive frees the active receive buffer, also when nothing comes") {
  Task task;
  pvm_initsend(PvmDataDefault);
  int const received = send_and_receive();
  CHECK(pvm_getrbuf() == received);
  CHECK(pvm_nrecv(-1, 99) == 0);
  CHECK(pvm_getrbuf() == 0);
  CHECK(pvm_bufinfo(received, nullptr, nullptr, nullptr) == PvmNoSuchBuf);

  send_and_receive();
  timeval none{};
  CHECK(pvm_trecv(-1, 99, &none) == 0);
  CHECK(pvm_getrbuf() == 0);
}

TEST_CASE("setrbuf(0) keeps a message beyond the next receive") {
  Task task;
  pvm_initsend(PvmDataDefault);
  pack(7);
  send_and_receive();
  int const kept = pvm_setrbuf(0);
  pvm_initsend(PvmDataDefault);
  pack(8);
  int const next = send_and_receive();
  CHECK(next != kept);
  CHECK(unpack() == 8);
  CHECK(pvm_setrbuf(kept) == next);
  CHECK(unpack() == 7);
  pvm_freebuf(next);
}

TEST_CASE("a half-read buffer goes on where it was; one that was packed starts over") {
  Task task;
  int const id = pvm_initsend(PvmDataDefault);
  pack(1);
  pack(2);
  pvm_setrbuf(id);
  CHECK(unpack() == 1);
  pvm_setrbuf(0);
  pvm_setrbuf(id);
  CHECK(unpack() == 2);
  pvm_setsbuf(id);
  pvm_setrbuf(id);
  CHECK(unpack() == 1);
  pvm_freebuf(id);
}

TEST_CASE("a received message can be sent on, with more behind it") {
  Task task;
  pvm_initsend(PvmDataDefault);
  pack(1);
  int const id = send_and_receive();
  pvm_freebuf(pvm_setsbuf(id));
  pack(2);
  pvm_send(task.tid, 9);
  pvm_recv(-1, 9);
  CHECK(unpack() == 1);
  CHECK(unpack() == 2);
}

TEST_CASE("bufinfo of an unsent buffer: tag 0, from the caller") {
  Task task;
  int const id = pvm_initsend(PvmDataDefault);
  int tag = -1;
  int tid = -1;
  CHECK(pvm_bufinfo(id, nullptr, &tag, &tid) == 0);
  CHECK(tag == 0);
  CHECK(tid == task.tid);
  CHECK(pvm_bufinfo(0, nullptr, nullptr, nullptr) == PvmBadParam);
  CHECK(pvm_bufinfo(9999, nullptr, nullptr, nullptr) == PvmNoSuchBuf);
}

TEST_CASE("getminfo returns the encoding, and the wait id travels") {
  Task task;
  pvmminfo info{};
  int const id = pvm_initsend(PvmDataDefault);
  pvm_getminfo(id, &info);
  CHECK(info.enc == 0x10000000);
  info.wid = 31;
  info.tag = 100;
  info.src = 5;
  CHECK(pvm_setminfo(id, &info) == 0);
  int const received = send_and_receive(6);
  pvm_getminfo(id, &info);
  CHECK(info.tag == 6);
  CHECK(info.src == 5);
  pvm_getminfo(received, &info);
  CHECK(info.wid == 31);
  CHECK(info.tag == 6);
  CHECK(info.src == task.tid);
  CHECK(info.dst == task.tid);
  CHECK(info.enc == 0x10000000);

  int const raw = pvm_initsend(PvmDataRaw);
  pvm_getminfo(raw, &info);
  CHECK(info.enc == 0x00408c41);
  int const in_place = pvm_initsend(PvmDataInPlace);
  pvm_getminfo(in_place, &info);
  CHECK(info.enc == 0x20000000);
  pvm_getminfo(send_and_receive(), &info);
  CHECK(info.enc == 0x00408c41);
}

TEST_CASE("ten thousand messages packed and received leave no buffers behind") {
  Task task;
  int const before = pvm_mkbuf(PvmDataRaw);
  pvm_freebuf(before);
  for (int i = 0; i < 10'000; ++i) {
    pvm_initsend(PvmDataDefault);
    pack(i);
    send_and_receive();
  }
  pvm_freebuf(pvm_getsbuf());
  pvm_freebuf(pvm_getrbuf());
  int const after = pvm_mkbuf(PvmDataRaw);
  CHECK(after <= before + 3);
  pvm_freebuf(after);
}
