/* SPDX-License-Identifier: BSD-3-Clause */
#include "debug/analyse/otf2_archive.h"

#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdio.h>

/* libotf2 reports errors to a callback; the first is the reason. */
static OTF2_ErrorCode keep_reason(void* user_data, char const* file, uint64_t line,
                                  char const* function, OTF2_ErrorCode code, char const* format,
                                  va_list arguments) {
  (void)file, (void)line, (void)function;
  char* const why = user_data;
  if (why[0]) return code;
  char detail[160];
  vsnprintf(detail, sizeof detail, format, arguments);
  snprintf(why, earl_otf2_why_size, "%s: %s", OTF2_Error_GetDescription(code), detail);
  return code;
}

static OTF2_FlushType flush_always(void* user_data, OTF2_FileType type, OTF2_LocationRef location,
                                   void* caller_data, bool last) {
  (void)user_data, (void)type, (void)location, (void)caller_data, (void)last;
  return OTF2_FLUSH;
}

static OTF2_FlushCallbacks const flushes = {.otf2_pre_flush = flush_always,
                                            .otf2_post_flush = NULL};

enum { world = 0, all_locations = 0, world_members = 1 };

static bool write_event(OTF2_EvtWriter* to, struct EarlOtf2Event const* event) {
  switch (event->kind) {
    case earl_otf2_enter:
      return OTF2_EvtWriter_Enter(to, NULL, event->time, event->region) == OTF2_SUCCESS;
    case earl_otf2_leave:
      return OTF2_EvtWriter_Leave(to, NULL, event->time, event->region) == OTF2_SUCCESS;
    case earl_otf2_send:
      return OTF2_EvtWriter_MpiSend(to, NULL, event->time, event->peer, world, event->tag,
                                    event->length) == OTF2_SUCCESS;
    case earl_otf2_receive:
      return OTF2_EvtWriter_MpiRecv(to, NULL, event->time, event->peer, world, event->tag,
                                    event->length) == OTF2_SUCCESS;
  }
  return false;
}

static bool write_events(OTF2_Archive* archive, struct EarlOtf2Run const* run) {
  bool good = OTF2_Archive_OpenEvtFiles(archive) == OTF2_SUCCESS;
  for (size_t rank = 0; good && rank < run->rank_count; ++rank) {
    struct EarlOtf2Rank const* const of = &run->ranks[rank];
    OTF2_EvtWriter* const to = OTF2_Archive_GetEvtWriter(archive, rank);
    good = to != NULL;
    for (size_t i = 0; good && i < of->count; ++i) good = write_event(to, &of->events[i]);
    good = good && OTF2_Archive_CloseEvtWriter(archive, to) == OTF2_SUCCESS;
  }
  good = good && OTF2_Archive_CloseEvtFiles(archive) == OTF2_SUCCESS;
  /* Each location has a file of definitions, which readers expect. */
  good = good && OTF2_Archive_OpenDefFiles(archive) == OTF2_SUCCESS;
  for (size_t rank = 0; good && rank < run->rank_count; ++rank) {
    OTF2_DefWriter* const to = OTF2_Archive_GetDefWriter(archive, rank);
    good = to != NULL && OTF2_Archive_CloseDefWriter(archive, to) == OTF2_SUCCESS;
  }
  return good && OTF2_Archive_CloseDefFiles(archive) == OTF2_SUCCESS;
}

/* Numbers of strings that are always there; regions' names and files follow, then ranks' names. */
enum { empty_string, job_string, node_string, world_string, first_free_string };

static bool write_strings(OTF2_GlobalDefWriter* to, struct EarlOtf2Run const* run) {
  bool good = OTF2_GlobalDefWriter_WriteString(to, empty_string, "") == OTF2_SUCCESS &&
              OTF2_GlobalDefWriter_WriteString(to, job_string, "job") == OTF2_SUCCESS &&
              OTF2_GlobalDefWriter_WriteString(to, node_string, "node") == OTF2_SUCCESS &&
              OTF2_GlobalDefWriter_WriteString(to, world_string, "all ranks") == OTF2_SUCCESS;
  OTF2_StringRef next = first_free_string;
  for (size_t i = 0; good && i < run->region_count; ++i)
    good = OTF2_GlobalDefWriter_WriteString(to, next++, run->regions[i].name) == OTF2_SUCCESS;
  for (size_t i = 0; good && i < run->region_count; ++i)
    good = OTF2_GlobalDefWriter_WriteString(to, next++, run->regions[i].file) == OTF2_SUCCESS;
  for (size_t rank = 0; good && rank < run->rank_count; ++rank) {
    char name[32];
    snprintf(name, sizeof name, "rank %zu", rank);
    good = OTF2_GlobalDefWriter_WriteString(to, next++, name) == OTF2_SUCCESS;
  }
  return good;
}

static bool write_regions(OTF2_GlobalDefWriter* to, struct EarlOtf2Run const* run) {
  bool good = true;
  OTF2_StringRef const files = first_free_string + (OTF2_StringRef)run->region_count;
  for (uint32_t i = 0; good && i < run->region_count; ++i)
    good = OTF2_GlobalDefWriter_WriteRegion(
               to, i, first_free_string + i, first_free_string + i, empty_string,
               OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, files + i,
               run->regions[i].line, run->regions[i].line) == OTF2_SUCCESS;
  return good;
}

static bool write_locations(OTF2_GlobalDefWriter* to, struct EarlOtf2Run const* run) {
  bool good = OTF2_GlobalDefWriter_WriteSystemTreeNode(
                  to, 0, job_string, node_string, OTF2_UNDEFINED_SYSTEM_TREE_NODE) == OTF2_SUCCESS;
  OTF2_StringRef const names = first_free_string + 2 * (OTF2_StringRef)run->region_count;
  for (uint32_t rank = 0; good && rank < run->rank_count; ++rank)
    good = OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, names + rank,
                                                   OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                   OTF2_UNDEFINED_LOCATION_GROUP) == OTF2_SUCCESS &&
           OTF2_GlobalDefWriter_WriteLocation(to, rank, names + rank, OTF2_LOCATION_TYPE_CPU_THREAD,
                                              run->ranks[rank].count, rank) == OTF2_SUCCESS;
  return good;
}

/* All ranks are one communicator, as Earl's are one space of ranks. */
static bool write_communicator(OTF2_GlobalDefWriter* to, struct EarlOtf2Run const* run) {
  uint64_t members[run->rank_count ? run->rank_count : 1];
  for (size_t rank = 0; rank < run->rank_count; ++rank) members[rank] = rank;
  uint32_t const count = (uint32_t)run->rank_count;
  return OTF2_GlobalDefWriter_WriteGroup(to, all_locations, empty_string,
                                         OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, count, members) == OTF2_SUCCESS &&
         OTF2_GlobalDefWriter_WriteGroup(to, world_members, empty_string,
                                         OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, count, members) == OTF2_SUCCESS &&
         OTF2_GlobalDefWriter_WriteComm(to, world, world_string, world_members, OTF2_UNDEFINED_COMM,
                                        OTF2_COMM_FLAG_NONE) == OTF2_SUCCESS;
}

static bool write_definitions(OTF2_Archive* archive, struct EarlOtf2Run const* run) {
  OTF2_GlobalDefWriter* const to = OTF2_Archive_GetGlobalDefWriter(archive);
  return to != NULL &&
         OTF2_GlobalDefWriter_WriteClockProperties(to, run->ticks_per_second, 0, run->length,
                                                   OTF2_UNDEFINED_TIMESTAMP) == OTF2_SUCCESS &&
         write_strings(to, run) && write_regions(to, run) && write_locations(to, run) &&
         write_communicator(to, run) &&
         OTF2_Archive_CloseGlobalDefWriter(archive, to) == OTF2_SUCCESS;
}

static int write_archive(char const* folder, struct EarlOtf2Run const* run, char* why) {
  why[0] = 0;
  OTF2_Error_RegisterCallback(keep_reason, why);
  OTF2_Archive* const archive =
      OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  bool good = archive != NULL;
  if (good) {
    good = OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL) == OTF2_SUCCESS &&
           OTF2_Archive_SetSerialCollectiveCallbacks(archive) == OTF2_SUCCESS &&
           OTF2_Archive_SetCreator(archive, "Earl") == OTF2_SUCCESS && write_events(archive, run) &&
           write_definitions(archive, run);
    good = OTF2_Archive_Close(archive) == OTF2_SUCCESS && good;
  }
  OTF2_Error_RegisterCallback(NULL, NULL);
  if (!good && !why[0]) snprintf(why, earl_otf2_why_size, "libotf2 gave no reason");
  return good;
}

extern struct EarlOtf2Table const earl_otf2;
__attribute__((visibility("default"))) struct EarlOtf2Table const earl_otf2 = {
    .version = earl_otf2_version, .write = write_archive};
