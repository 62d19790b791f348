/* SPDX-License-Identifier: BSD-3-Clause */
#include "debug/symbols/libdw.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>

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

static void look_up(Dwfl_Module* module, unsigned long address, struct EarlLibdwPlace* place) {
  GElf_Addr bias = 0;
  if (dwfl_module_getelf(module, &bias) == NULL) return;
  Dwarf_Addr const there = bias + address;
  copy_name(place->function, dwfl_module_addrname(module, there));
  Dwarf_Addr unit_bias = 0;
  Dwarf_Die* const unit = unit_of(module, there, &unit_bias);
  Dwarf_Line* const row = unit != NULL ? row_of(unit, there - unit_bias) : NULL;
  if (row == NULL) return;
  dwarf_lineno(row, &place->line);
  copy_name(place->file, dwarf_linesrc(row, NULL, NULL));
}

static void find(char const* path, unsigned long address, struct EarlLibdwPlace* place) {
  *place = (struct EarlLibdwPlace){.line = 0};
  Dwfl* const session = dwfl_begin(&callbacks);
  if (session == NULL) return;
  dwfl_report_begin(session);
  Dwfl_Module* const module = dwfl_report_offline(session, "", path, -1);
  dwfl_report_end(session, NULL, NULL);
  if (module != NULL) look_up(module, address, place);
  dwfl_end(session);
}

__attribute__((visibility("default"))) struct EarlLibdwTable const earl_libdw = {
    .version = earl_libdw_version, .find = find};
