/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the module that walks stacks of this process, and its table. */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "debug/symbols/unwind_parts.h"

/* .eh_frame_hdr as linkers write it: a version, how three fields are written, the fields, a table.
 */
struct FramesHead {
  unsigned char version, frame_encoding, count_encoding, table_encoding;
  int32_t frame;
  uint32_t count;
};
enum { unsigned_4_bytes = 0x03, signed_4_bytes_from_head = 0x3b };

static int describe(unw_dyn_info_t* to, struct EarlUnwindImage const* image) {
  struct FramesHead head;
  memset(to, 0, sizeof *to);
  if (image->frames == NULL) return 0;
  memcpy(&head, image->frames, sizeof head);
  if (head.version != 1 || head.count_encoding != unsigned_4_bytes ||
      head.table_encoding != signed_4_bytes_from_head)
    return 0;
  to->start_ip = image->base;
  to->end_ip = image->base + image->size;
  to->format = UNW_INFO_FORMAT_REMOTE_TABLE;
  to->u.rti.segbase = (unw_word_t)image->frames;
  to->u.rti.table_data = (unw_word_t)image->frames + sizeof head;
  to->u.rti.table_len = head.count * 2 * sizeof(int32_t) / sizeof(unw_word_t);
  return 1;
}

static size_t walk(void const* context, unsigned long* addresses, size_t room) {
  unw_context_t copy;
  unw_cursor_t cursor;
  size_t count = 0;
  memcpy(&copy, context, sizeof copy);
  if (unw_init_local2(&cursor, &copy, UNW_INIT_SIGNAL_FRAME) != 0) return 0;
  do {
    unw_word_t address = 0;
    if (count == room || unw_get_reg(&cursor, UNW_REG_IP, &address) != 0) break;
    int const exact = count == 0 || unw_is_signal_frame(&cursor) > 0;
    addresses[count++] = address + (exact != 0 ? 1 : 0);
  } while (unw_step(&cursor) > 0);
  return count;
}

static size_t here(void const* context, struct EarlUnwindImage const* images, size_t count,
                   unsigned long* addresses, size_t room) {
  unw_dyn_info_t* const known = calloc(count + 1, sizeof *known);
  if (known == NULL) return 0;
  for (size_t i = 0; i < count; ++i)
    if (describe(&known[i], &images[i]) != 0) _U_dyn_register(&known[i]);
  size_t const found = walk(context, addresses, room);
  for (size_t i = 0; i < count; ++i)
    if (known[i].format == UNW_INFO_FORMAT_REMOTE_TABLE) _U_dyn_cancel(&known[i]);
  free(known);
  return found;
}

__attribute__((visibility("default"))) struct EarlUnwindTable const earl_unwind = {
    .version = earl_unwind_version, .of_process = earl_unwind_process, .here = here};
