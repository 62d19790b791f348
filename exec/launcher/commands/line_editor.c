/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/launcher/commands/line_editor.h"

#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

enum { most_lines_kept = 500 };

static EditLine* editor;
static History* history_of_lines;
static char const* prompt_text;
static char const* const* first_words;

static char* prompt(EditLine* unused) {
  (void)unused;
  return (char*)(size_t)prompt_text;
}

static size_t common_length(char const* one, char const* other) {
  size_t length = 0;
  while (one[length] != '\0' && one[length] == other[length]) ++length;
  return length;
}

/* How many names begin with `typed`; the first of them, and how much all of them have in common. */
static size_t matches(char const* typed, size_t length, char const** first, size_t* common) {
  size_t count = 0;
  for (char const* const* name = first_words; *name != NULL; ++name) {
    if (strncmp(*name, typed, length) != 0) continue;
    if (count++ == 0) {
      *first = *name;
      *common = strlen(*name);
    } else {
      size_t const both = common_length(*first, *name);
      if (both < *common) *common = both;
    }
  }
  return count;
}

static void list(char const* typed, size_t length) {
  putchar('\n');
  for (char const* const* name = first_words; *name != NULL; ++name)
    if (strncmp(*name, typed, length) == 0) printf("%s  ", *name);
  putchar('\n');
  fflush(stdout);
}

static unsigned char complete(EditLine* edited, int unused) {
  (void)unused;
  LineInfo const* const line = el_line(edited);
  size_t const length = (size_t)(line->cursor - line->buffer);
  if (memchr(line->buffer, ' ', length) != NULL) return CC_ERROR;
  char const* first = NULL;
  size_t common = 0;
  size_t const count = matches(line->buffer, length, &first, &common);
  if (count == 0) return CC_ERROR;
  if (count > 1 && common == length) {
    list(line->buffer, length);
    return CC_REDISPLAY;
  }
  char added[64];
  snprintf(added, sizeof added, "%.*s%s", (int)(common - length), first + length,
           count == 1 ? " " : "");
  return el_insertstr(edited, added) == 0 ? CC_REFRESH : CC_ERROR;
}

static void end(void) {
  if (editor != NULL) el_end(editor);
  if (history_of_lines != NULL) history_end(history_of_lines);
  editor = NULL;
  history_of_lines = NULL;
}

static int begin(char const* text, char const* const* names) {
  prompt_text = text;
  first_words = names;
  setlocale(LC_CTYPE, "");
  editor = el_init("earl", stdin, stdout, stderr);
  history_of_lines = history_init();
  if (editor == NULL || history_of_lines == NULL) {
    end();
    return 0;
  }
  HistEvent event;
  history(history_of_lines, &event, H_SETSIZE, most_lines_kept);
  history(history_of_lines, &event, H_SETUNIQUE, 1);
  el_set(editor, EL_PROMPT, prompt);
  el_set(editor, EL_SIGNAL, 1);
  el_set(editor, EL_HIST, history, history_of_lines);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_ADDFN, "earl-complete", "complete the name of a command", complete);
  el_set(editor, EL_BIND, "^I", "earl-complete", NULL);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_source(editor, NULL);
  return 1;
}

static char const* next(void) {
  int length = 0;
  char const* const line = el_gets(editor, &length);
  HistEvent event;
  if (line != NULL && length > 1) history(history_of_lines, &event, H_ENTER, line);
  return length > 0 ? line : NULL;
}

__attribute__((visibility("default"))) struct EarlLineEditor const earl_line_editor = {
    .version = earl_line_editor_version, .begin = begin, .next = next, .end = end};
