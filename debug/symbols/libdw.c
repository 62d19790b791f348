/* SPDX-License-Identifier: BSD-3-Clause */
#include "debug/symbols/libdw.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* debug_path;
static Dwfl_Callbacks const callbacks = {.find_debuginfo = dwfl_standard_find_debuginfo,
                                         .debuginfo_path = &debug_path,
                                         .section_address = dwfl_offline_section_address};

/* clang writes no .debug_aranges, and without them libdw knows no unit by its address. */
static Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias) {
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, bias);
  if (unit != NULL) return unit;
  do unit = dwfl_module_nextcu(module, unit, bias);
  while (unit != NULL && dwarf_haspc(unit, address - *bias) != 1);
  return unit;
}

/* The last row at or before `address` that has a line. A compiler gives line 0 to code that it
   merged from several statements; the row before is then the nearest place. */
static Dwarf_Line* row_of(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Lines* rows = NULL;
  size_t count = 0;
  if (dwarf_getsrclines(unit, &rows, &count) != 0) return NULL;
  Dwarf_Line* best = NULL;
  for (size_t i = 0; i < count; ++i) {
    Dwarf_Line* const row = dwarf_onesrcline(rows, i);
    Dwarf_Addr at = 0;
    if (dwarf_lineaddr(row, &at) != 0 || at > address) break;
    bool ends = false;
    int number = 0;
    dwarf_lineendsequence(row, &ends);
    dwarf_lineno(row, &number);
    if (ends) best = NULL;
    if (!ends && number > 0) best = row;
  }
  return best;
}

static void copy_name(char* to, char const* name) {
  if (name != NULL) snprintf(to, earl_libdw_most_name, "%s", name);
}

/* The number that an attribute of a merged call has; 0: none. */
static int number_of(Dwarf_Die* call, unsigned int attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr(call, attribute, &found) == NULL || dwarf_formudata(&found, &value) != 0) return 0;
  return (int)value;
}

static void place_of_call(Dwarf_Die* unit, Dwarf_Die* call, struct EarlLibdwPlace* place) {
  Dwarf_Files* files = NULL;
  size_t count = 0;
  size_t const file = (size_t)number_of(call, DW_AT_call_file);
  place->line = number_of(call, DW_AT_call_line);
  if (dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
    copy_name(place->file, dwarf_filesrc(files, file, NULL, NULL));
}

/* The functions around `address` that are merged into another. places[0] has the line;
   the last place gets no name. */
static size_t merged_calls(Dwarf_Die* unit, Dwarf_Addr address, struct EarlLibdwPlace* places,
                           size_t room) {
  Dwarf_Die* scopes = NULL;
  Dwarf_Die* around = NULL;
  size_t merged = 0;
  int const count =
      dwarf_getscopes(unit, address, &scopes) > 0 ? dwarf_getscopes_die(&scopes[0], &around) : 0;
  for (int i = 0; i < count && merged + 1 < room; ++i) {
    if (dwarf_tag(&around[i]) == DW_TAG_subprogram) break;
    if (dwarf_tag(&around[i]) != DW_TAG_inlined_subroutine) continue;
    copy_name(places[merged].function, dwarf_diename(&around[i]));
    place_of_call(unit, &around[i], &places[++merged]);
  }
  free(around);
  free(scopes);
  return merged;
}

static size_t look_up(Dwfl_Module* module, unsigned long address, struct EarlLibdwPlace* places,
                      size_t room) {
  GElf_Addr bias = 0;
  size_t merged = 0;
  if (dwfl_module_getelf(module, &bias) == NULL) return 0;
  Dwarf_Addr const there = bias + address;
  Dwarf_Addr unit_bias = 0;
  Dwarf_Die* const unit = unit_of(module, there, &unit_bias);
  Dwarf_Line* const row = unit != NULL ? row_of(unit, there - unit_bias) : NULL;
  if (row != NULL) {
    dwarf_lineno(row, &places->line);
    copy_name(places->file, dwarf_linesrc(row, NULL, NULL));
    merged = merged_calls(unit, there - unit_bias, places, room);
  }
  copy_name(places[merged].function, dwfl_module_addrname(module, there));
  return merged + 1;
}

static size_t find(char const* path, unsigned long address, struct EarlLibdwPlace* places,
                   size_t room) {
  memset(places, 0, room * sizeof *places);
  Dwfl* const session = dwfl_begin(&callbacks);
  if (session == NULL) return 0;
  dwfl_report_begin(session);
  Dwfl_Module* const module = dwfl_report_offline(session, "", path, -1);
  dwfl_report_end(session, NULL, NULL);
  size_t const count = module != NULL ? look_up(module, address, places, room) : 0;
  dwfl_end(session);
  return count;
}

__attribute__((visibility("default"))) struct EarlLibdwTable const earl_libdw = {
    .version = earl_libdw_version, .find = find};
