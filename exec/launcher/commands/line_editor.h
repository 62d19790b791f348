/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the module that is linked with libedit (line_reader.cpp loads it): reads lines from
   a terminal. */
#ifndef EARL_LINE_EDITOR_H
#define EARL_LINE_EDITOR_H

enum { earl_line_editor_version = 1 };

struct EarlLineEditor {
  int version;
  /* `names`, valid until end() and ended by NULL, complete the first word of a line. 0: this
     terminal cannot be edited on. */
  int (*begin)(char const* prompt, char const* const* names);
  /* The next line, with its end; NULL: there are no more. Valid until the next call. */
  char const* (*next)(void);
  /* Gives the terminal back as it was. */
  void (*end)(void);
};

#endif
