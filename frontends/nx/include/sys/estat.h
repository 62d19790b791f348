/* The place of <estat.h> on the Paragon. */
#ifndef EARL_SYS_ESTAT_H
#define EARL_SYS_ESTAT_H

#include <estat.h>

#endif
