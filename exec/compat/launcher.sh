#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI's launcher, by the name this file is installed under: `mpiexec -n 4 ./prog` is `earl run -n 4 ./prog`.
# Options of MPICH's and Open MPI's that `earl run` calls otherwise are translated.
here=$(dirname "$(readlink -f "$0")")
name=${0##*/}
case ${1-} in
  -version | --version | -V) exec "$here/../../../bin/earl" version ;;
esac

refuse() {
  echo "$name: $*" >&2
  exit 2
}

# Each word is taken from the front, and what it is for Earl is put behind the last one: an option, here `as`, and so
# many values of its.
in_program=no
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  if [ $in_program = yes ]; then
    [ "$word" != : ] || in_program=no
    set -- "$@" "$word"
    continue
  fi
  as=$word values=0
  case $word in
    -machinefile | --machinefile | -hostfile) as=--hostfile values=1 ;;
    -hosts | -host) as=--hosts values=1 ;;
    -wd | -wdir) as=--wdir values=1 ;;
    -env | -genv) as=-x values=2 ;;
    -genvlist | -envlist | -ppn | -perhost | -npernode | --npernode) values=1 ;;
    -l | -prepend-rank) as=--tag-output ;;
    # Those of `earl run` itself.
    -n | -np | --np | --on | -f | --hostfile | -H | --host | --hosts | --launcher | --listen | --timeout | --stdin) values=1 ;;
    --output-dir | --bind-to | --map-by | --max-processes | --message-memory | --stack | --seed | --time | --deadlock | --send) values=1 ;;
    --tool | --break | --wdir | -x | --env | --cpus) values=1 ;;
    -*) ;;
    *) in_program=yes ;;
  esac
  [ "$left" -ge $values ] || refuse "$word: its value is missing"
  case $word in
    -ppn | -perhost | -npernode | --npernode)
      refuse "$word $1: Earl takes the processes of each host from --hosts, as in a:$1,b:$1, or from a --hostfile"
      ;;
    -genvlist | -envlist)
      for variable in $(echo "$1" | tr , ' '); do set -- "$@" -x "$variable"; done
      ;;
    -genvnone | -envnone) set -- "$@" --env none ;;
    -genvall | -envall) ;;
    *)
      case $values in
        0) set -- "$@" "$as" ;;
        1) set -- "$@" "$as" "$1" ;;
        2) set -- "$@" "$as" "$1=$2" ;;
      esac
      ;;
  esac
  shift $values
  left=$((left - values))
done
exec "$here/../../../bin/earl" run "$@"
