/* Variables of a library, which its program knows and changes. */
#ifndef MATRIX_LIBRARY_H
#define MATRIX_LIBRARY_H

#ifdef __cplusplus
struct MatrixInline {
  static inline int value = 4;
};
inline int matrix_inline = 5;
extern "C" {
#endif

extern int matrix_global; /* the program has a COPY relocation for it */
int *matrix_static(void);
int *matrix_function_static(void);
int *matrix_global_seen_inside(void);
int *matrix_common(void);

#ifdef __cplusplus
}
#endif

#endif
/* SPDX-License-Identifier: BSD-3-Clause */
