// SPDX-License-Identifier: BSD-3-Clause
/// Requests to EXEC and its answers.
#include "generic/services/operations.hpp"

#include "generic/services/groups.hpp"
#include "generic/services/notices.hpp"
#include "generic/services/partitions.hpp"
#include "generic/services/store.hpp"

#include "tests/fuzz/only_errors.hpp"

using namespace earl;

template <class What>
static void try_reading(Bytes input) {
  fuzz::only_errors([&] {
    Reader from(input);
    (void)from.get<What>();
  });
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  const Bytes input = std::as_bytes(std::span{data, size});
  try_reading<SpawnRequest>(input);
  try_reading<SpawnAnswer>(input);
  try_reading<SignalRequest>(input);
  try_reading<StatusAnswer>(input);
  try_reading<CallsAnswer>(input);
  try_reading<NameRequest>(input);
  try_reading<MeetRequest>(input);
  try_reading<GroupAnswer>(input);
  try_reading<Members>(input);
  try_reading<EventAnswer>(input);
  try_reading<StorePut>(input);
  try_reading<StoreGet>(input);
  try_reading<StoreAnswer>(input);
  try_reading<StoreListing>(input);
  try_reading<NoticeRequest>(input);
  try_reading<ProcessList>(input);
  try_reading<HostList>(input);
  try_reading<Places>(input);
  try_reading<AllocateRequest>(input);
  try_reading<AttachRequest>(input);
  try_reading<PartitionAnswer>(input);
  try_reading<PartitionList>(input);
  try_reading<ReserveAnswer>(input);
  try_reading<LoadRequest>(input);
  try_reading<LoadAnswer>(input);
  try_reading<WaitAnswer>(input);
  try_reading<CountAnswer>(input);
  return 0;
}
