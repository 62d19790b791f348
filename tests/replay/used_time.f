C     used_time.f: what the clocks of processor time say decides what
C     is printed, so that a replay must get the recorded values.
      program used
      real times(2), total, now, first
      double precision exact
      integer i, j
      external touch
      first = etime(times)
      call cpu_time(now)
      exact = 0
      do 20 i = 1, 20
        do 10 j = 1, 200000
          exact = exact + sqrt(dble(j))
10      continue
        call touch(exact)
        total = etime(times)
        call cpu_time(now)
        print *, i, total - first, now, times(1)
20    continue
      end

      subroutine touch(value)
      double precision value
      if (value .lt. 0) print *, mynode()
      end
C SPDX-License-Identifier: BSD-3-Clause
