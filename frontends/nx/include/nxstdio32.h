/* For programs that count on words of 4 bytes: printf, scanf and the like that read %ld as such. long32.h
 * includes this; `earlcc -long32` needs it not. */
#ifndef EARL_NXSTDIO32_H
#define EARL_NXSTDIO32_H

#include <stdarg.h>
#include <stdio.h>

#define printf earl_nx32_printf
#define fprintf earl_nx32_fprintf
#define sprintf earl_nx32_sprintf
#define snprintf earl_nx32_snprintf
#define vprintf earl_nx32_vprintf
#define vfprintf earl_nx32_vfprintf
#define vsprintf earl_nx32_vsprintf
#define vsnprintf earl_nx32_vsnprintf
#define scanf earl_nx32_scanf
#define fscanf earl_nx32_fscanf
#define sscanf earl_nx32_sscanf
#define vscanf earl_nx32_vscanf
#define vfscanf earl_nx32_vfscanf
#define vsscanf earl_nx32_vsscanf

#ifdef __cplusplus
extern "C" {
#endif

int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t size, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *stream, const char *format, va_list arguments);
int vsprintf(char *text, const char *format, va_list arguments);
int vsnprintf(char *text, size_t size, const char *format, va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, va_list arguments);
int vfscanf(FILE *stream, const char *format, va_list arguments);
int vsscanf(const char *text, const char *format, va_list arguments);

#ifdef __cplusplus
}
#endif

#endif
