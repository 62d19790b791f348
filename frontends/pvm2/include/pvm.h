/*
 * pvm.h - PVM 2.4 by the other of its header's names.
 */
#include "pvmuser.h"
