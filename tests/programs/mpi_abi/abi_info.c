/* SPDX-License-Identifier: BSD-3-Clause */
#include "removed.h"

#include "../mpi/mpi_info.c"
