#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI's launcher, by the name this file is installed under: `mpiexec -n 4 ./prog` is `earl run -n 4 ./prog`.
here=$(dirname "$(readlink -f "$0")")
case ${1-} in
  -version | --version | -V) exec "$here/../../../bin/earl" version ;;
  *) exec "$here/../../../bin/earl" run "$@" ;;
esac
