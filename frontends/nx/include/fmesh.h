! The Touchstone Delta name of the NX interface for Fortran.
      INCLUDE 'fnx.h'
