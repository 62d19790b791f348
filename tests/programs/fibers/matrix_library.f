C     What a library keeps between calls: each gives what it kept and
C     keeps its argument instead.
      INTEGER FUNCTION INSIDE(NEXT)
      INTEGER NEXT, VALUE
      SAVE VALUE
      DATA VALUE /5/
      INSIDE = VALUE
      VALUE = NEXT
      END

      INTEGER FUNCTION KEPT(NEXT)
      INTEGER NEXT, HELD
      COMMON /INLIB/ HELD
      KEPT = HELD
      HELD = NEXT
      END
C SPDX-License-Identifier: BSD-3-Clause
