#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One of Intel's or PVM's shell commands, by the name this file is installed under.
here=$(dirname "$(readlink -f "$0")")
exec "$here/../../../bin/earl" compat "$(basename "$0")" "$@"
