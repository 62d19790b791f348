! The iPSC/2 and iPSC/860 name of the NX interface for Fortran.
      INCLUDE 'fnx.h'
