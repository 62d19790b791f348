/* The Touchstone Delta name of the NX interface. */
#ifndef EARL_MESH_H
#define EARL_MESH_H

#include <nx.h>

#undef HOST /* a Paragon name that older programs use for their own */

#endif
