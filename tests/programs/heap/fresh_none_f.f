      PROGRAM FRESH
      CALL LOOK(0)
      CALL LOOK(1)
      CALL TELL
      END
C SPDX-License-Identifier: BSD-3-Clause
