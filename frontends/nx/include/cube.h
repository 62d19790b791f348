/* The iPSC/2 and iPSC/860 name of the NX interface. */
#ifndef EARL_CUBE_H
#define EARL_CUBE_H

#include <nx.h>

#undef HOST /* a Paragon name that older programs use for their own */

#define NAMELEN 16 /* bytes of a cube's or a host's name, with the null at its end */

#endif
