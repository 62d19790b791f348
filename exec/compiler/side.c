/* SPDX-License-Identifier: BSD-3-Clause */
/* The note that `earlcc -host` and `earlcc -node` leave in a program. EARL_SIDE: which of them. */
struct side_note {
  unsigned int owner_bytes, text_bytes, type;
  char owner[8], text[8];
};

__attribute__((section(".note.earl"), used, aligned(4))) static const struct side_note side = {
    sizeof "Earl", sizeof EARL_SIDE, 1, "Earl", EARL_SIDE};
