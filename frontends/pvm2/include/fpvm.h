C     fpvm.h - the PVM 2.4 interface for Fortran, provided by Earl.
C
C     The routines are those of C with an F in front: the arguments in
C     C's order, the result in one more argument at the end, e.g.
C         CALL FENROLL('prog', INUM)
C         CALL FSND('prog', INUM, TYPE, INFO)
C     FINITSEND() and FLEAVE() have no result. Names end at their last
C     character that is no blank, or at CHAR(0).
      INTEGER PVMOK, PVMSYSERR, PVMBADPARAM, PVMMISMATCH, PVMTOOLONG
      INTEGER PVMNODATA, PVMNOHOST, PVMNOFILE, PVMNOCOMP, PVMNOMSG
      INTEGER PVMNOMEM, PVMALREADY
      PARAMETER (PVMOK = 0, PVMSYSERR = -1, PVMBADPARAM = -2)
      PARAMETER (PVMMISMATCH = -3, PVMTOOLONG = -4, PVMNODATA = -5)
      PARAMETER (PVMNOHOST = -6, PVMNOFILE = -7, PVMNOCOMP = -8)
      PARAMETER (PVMNOMSG = -9, PVMNOMEM = -10, PVMALREADY = -11)
