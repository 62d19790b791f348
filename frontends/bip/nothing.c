/* SPDX-License-Identifier: BSD-3-Clause */
/* Old link lines name this library; all it did is in libbip. */
typedef int nothing;
