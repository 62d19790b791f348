/* For programs that count on words of 4 bytes: the calls whose memory holds words have other names
 * in the library. nxword.h includes this where EARL_NX_LONG32 is defined. */
#ifndef EARL_NXLONG32_H
#define EARL_NXLONG32_H

#define msginfo msginfo_
#define gisum earl_nx32_gisum
#define _gisum earl_nx32__gisum
#define giprod earl_nx32_giprod
#define _giprod earl_nx32__giprod
#define gihigh earl_nx32_gihigh
#define _gihigh earl_nx32__gihigh
#define gilow earl_nx32_gilow
#define _gilow earl_nx32__gilow
#define giand earl_nx32_giand
#define _giand earl_nx32__giand
#define gior earl_nx32_gior
#define _gior earl_nx32__gior
#define gixor earl_nx32_gixor
#define _gixor earl_nx32__gixor
#define gland earl_nx32_gland
#define _gland earl_nx32__gland
#define glor earl_nx32_glor
#define _glor earl_nx32__glor
#define glxor earl_nx32_glxor
#define _glxor earl_nx32__glxor
#define gcol earl_nx32_gcol
#define _gcol earl_nx32__gcol
#define gcolx earl_nx32_gcolx
#define _gcolx earl_nx32__gcolx
#define gsendx earl_nx32_gsendx
#define _gsendx earl_nx32__gsendx
#define crecvx earl_nx32_crecvx
#define _crecvx earl_nx32__crecvx
#define irecvx earl_nx32_irecvx
#define _irecvx earl_nx32__irecvx
#define cprobex earl_nx32_cprobex
#define _cprobex earl_nx32__cprobex
#define iprobex earl_nx32_iprobex
#define _iprobex earl_nx32__iprobex
#define waitone earl_nx32_waitone
#define _waitone earl_nx32__waitone
#define mypart earl_nx32_mypart
#define _mypart earl_nx32__mypart
#define nx_app_rect earl_nx32_nx_app_rect
#define nx_app_nodes earl_nx32_nx_app_nodes
#define nx_load earl_nx32_nx_load
#define nx_loadve earl_nx32_nx_loadve
#define nx_nfork earl_nx32_nx_nfork

#endif
