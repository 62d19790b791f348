/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects. Blanks at both ends of keys and values are padding. */
#include "fortran.h"

#include <string.h>

/* A text without blanks at its begin either. */
static char const *trimmed(char *to, size_t room, char const *from, size_t size)
{
  get_text(to, room, from, size);
  return to + strspn(to, " ");
}

ROUTINE(info_create, INFO_CREATE, (Int *info, Int *ierror)) { *ierror = MPI_Info_create(info); }

ROUTINE(info_free, INFO_FREE, (Int *info, Int *ierror)) { *ierror = MPI_Info_free(info); }

ROUTINE(info_dup, INFO_DUP, (In *info, Int *result, Int *ierror))
{
  *ierror = MPI_Info_dup(*info, result);
}

ROUTINE(info_set, INFO_SET,
        (In *info, char const *key, char const *value, Int *ierror, size_t key_size,
         size_t value_size))
{
  /* One more than is allowed: a longer one is an error. */
  char name[MPI_MAX_INFO_KEY + 2], text[MPI_MAX_INFO_VAL + 2];
  *ierror = MPI_Info_set(*info, trimmed(name, sizeof name, key, key_size),
                         trimmed(text, sizeof text, value, value_size));
}

ROUTINE(info_delete, INFO_DELETE, (In *info, char const *key, Int *ierror, size_t size))
{
  char name[MPI_MAX_INFO_KEY + 2];
  *ierror = MPI_Info_delete(*info, trimmed(name, sizeof name, key, size));
}

ROUTINE(info_get, INFO_GET,
        (In *info, char const *key, In *length, char *value, Logical *flag, Int *ierror,
         size_t key_size, size_t value_size))
{
  char name[MPI_MAX_INFO_KEY + 2], text[MPI_MAX_INFO_VAL + 1];
  int const room = *length < MPI_MAX_INFO_VAL ? *length : MPI_MAX_INFO_VAL;
  int there = 0;
  *ierror = MPI_Info_get(*info, trimmed(name, sizeof name, key, key_size), room, text, &there);
  *flag = logical_of(there);
  if (*ierror == MPI_SUCCESS && there)
    put_text(value, value_size, text);
}

ROUTINE(info_get_valuelen, INFO_GET_VALUELEN,
        (In *info, char const *key, Int *length, Logical *flag, Int *ierror, size_t size))
{
  char name[MPI_MAX_INFO_KEY + 2];
  int there = 0;
  *ierror = MPI_Info_get_valuelen(*info, trimmed(name, sizeof name, key, size), length, &there);
  *flag = logical_of(there);
}

ROUTINE(info_get_nkeys, INFO_GET_NKEYS, (In *info, Int *keys, Int *ierror))
{
  *ierror = MPI_Info_get_nkeys(*info, keys);
}

ROUTINE(info_get_nthkey, INFO_GET_NTHKEY, (In *info, In *n, char *key, Int *ierror, size_t size))
{
  char name[MPI_MAX_INFO_KEY + 1];
  *ierror = MPI_Info_get_nthkey(*info, *n, name);
  if (*ierror == MPI_SUCCESS)
    put_text(key, size, name);
}
