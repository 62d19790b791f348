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

# Each word is taken from the front, and what it is for Earl is put behind the last one.
in_program=no
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  values=0
  if [ $in_program = no ]; then
    case $word in
      -env | -genv) values=2 ;;
      -machinefile | --machinefile | -hostfile | --hostfile | -f | -hosts | --hosts | -host | --host | -H | -wd | -wdir | --wdir) values=1 ;;
      -genvlist | -envlist | -ppn | -perhost | -npernode | --npernode) values=1 ;;
      -n | -np | --np | --on | --launcher | --listen | --timeout | --stdin | --output-dir | --max-processes) values=1 ;;
      --message-memory | --stack | --seed | --time | --deadlock | --send | --tool | --break | -x | --env | --cpus) values=1 ;;
    esac
    [ "$left" -ge $values ] || refuse "$word: its value is missing"
  fi
  if [ $in_program = yes ]; then
    [ "$word" != : ] || in_program=no
    set -- "$@" "$word"
    continue
  fi
  case $word in
    -machinefile | --machinefile | -hostfile) set -- "$@" --hostfile "$1" ;;
    -hosts | -host) set -- "$@" --hosts "$1" ;;
    -wd | -wdir) set -- "$@" --wdir "$1" ;;
    -env | -genv) set -- "$@" -x "$1=$2" ;;
    -genvlist | -envlist)
      for variable in $(echo "$1" | tr , ' '); do set -- "$@" -x "$variable"; done
      ;;
    -genvall | -envall) ;;
    -genvnone | -envnone) set -- "$@" --env none ;;
    -l | -prepend-rank) set -- "$@" --tag-output ;;
    -ppn | -perhost | -npernode | --npernode)
      refuse "$word $1: Earl takes the processes of each host from --hosts, as in a:$1,b:$1, or from a --hostfile"
      ;;
    -*)
      set -- "$@" "$word"
      [ $values = 0 ] || set -- "$@" "$1"
      ;;
    *)
      in_program=yes
      set -- "$@" "$word"
      ;;
  esac
  shift $values
  left=$((left - values))
done
exec "$here/../../../bin/earl" run "$@"
