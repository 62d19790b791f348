#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A compiler of the time, or of MPI, by the name this file is installed under.
here=$(dirname "$(readlink -f "$0")")
case $(basename "$0") in
  if77) set -- earlfc "$@" ;;
  mpif77) set -- earlfc -api mpi "$@" ;;
  mpicc) set -- earlcc -api mpi "$@" ;;
  *) set -- earlcc "$@" ;;
esac
wrapper=$1
shift
exec "$here/../../../bin/$wrapper" "$@"
