#!/bin/sh
# A compiler of the time, by the name this file is installed under.
here=$(dirname "$(readlink -f "$0")")
case $(basename "$0") in
  if77) wrapper=earlfc ;;
  *) wrapper=earlcc ;;
esac
exec "$here/../../../bin/$wrapper" "$@"
