C     Functions of MPI-2 and MPI-3 that programs of MPI-1's kind use.
      program later
      include 'mpif.h'
      integer me, n, ierror, one, total, type, made, group, all, i
      integer sizes(2), parts(2), starts(2), array(4, 3), packed(4)
      integer many(8), mine
      integer rows(6), got(8)
      integer kinds(2), blocks(2), grid(2), places(8), types(8), ones(8)
      call MPI_INIT(ierror)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierror)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierror)
      one = me + 1
      total = -1
      call MPI_EXSCAN(one, total, 1, MPI_INTEGER, MPI_SUM,
     &                MPI_COMM_WORLD, ierror)
      if (me .gt. 0 .and. total .ne. me * (me + 1) / 2) stop 'exscan'
      total = 5
      call MPI_REDUCE_LOCAL(one, total, 1, MPI_INTEGER, MPI_SUM, ierror)
      if (total .ne. me + 6) stop 'reduce_local'
      do 10 i = 1, n
   10 many(i) = i
      call MPI_REDUCE_SCATTER_BLOCK(many, mine, 1, MPI_INTEGER,
     &                              MPI_SUM, MPI_COMM_WORLD, ierror)
      if (mine .ne. n * (me + 1)) stop 'reduce_scatter_block'
      sizes(1) = 4
      sizes(2) = 3
      parts(1) = 2
      parts(2) = 2
      starts(1) = 1
      starts(2) = 1
      do 20 i = 1, 12
   20 array(mod(i - 1, 4) + 1, (i - 1) / 4 + 1) = i
      call MPI_TYPE_CREATE_SUBARRAY(2, sizes, parts, starts,
     &     MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierror)
      call MPI_TYPE_COMMIT(type, ierror)
      i = 0
      call MPI_PACK(array, 1, type, packed, 16, i, MPI_COMM_WORLD,
     &              ierror)
      if (packed(1) .ne. array(2, 2) .or. packed(2) .ne. array(3, 2)
     &    .or. packed(4) .ne. array(3, 3)) stop 'subarray'
      call MPI_TYPE_FREE(type, ierror)
C     Of 4 x 3, the second of two has the second and the fourth row.
      kinds(1) = MPI_DISTRIBUTE_CYCLIC
      kinds(2) = MPI_DISTRIBUTE_NONE
      blocks(1) = MPI_DISTRIBUTE_DFLT_DARG
      blocks(2) = MPI_DISTRIBUTE_DFLT_DARG
      grid(1) = 2
      grid(2) = 1
      call MPI_TYPE_CREATE_DARRAY(2, 1, 2, sizes, kinds, blocks, grid,
     &     MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierror)
      call MPI_TYPE_COMMIT(type, ierror)
      i = 0
      call MPI_PACK(array, 1, type, rows, 24, i, MPI_COMM_WORLD, ierror)
      if (i .ne. 24 .or. rows(1) .ne. array(2, 1) .or. rows(2) .ne.
     &    array(4, 1) .or. rows(6) .ne. array(4, 3)) stop 'darray'
      call MPI_TYPE_FREE(type, ierror)
      do 30 i = 1, n
      ones(i) = 1
      places(i) = 4 * (i - 1)
      types(i) = MPI_INTEGER
   30 many(i) = 10 * me + i - 1
      call MPI_ALLTOALLW(many, ones, places, types, got, ones, places,
     &                   types, MPI_COMM_WORLD, ierror)
      do 40 i = 1, n
      if (got(i) .ne. 10 * (i - 1) + me) stop 'alltoallw'
   40 continue
      call MPI_COMM_SPLIT_TYPE(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me,
     &                         MPI_INFO_NULL, made, ierror)
      call MPI_COMM_SIZE(made, i, ierror)
      if (i .ne. n) stop 'split_type'
      call MPI_COMM_FREE(made, ierror)
      call MPI_COMM_GROUP(MPI_COMM_WORLD, all, ierror)
      call MPI_GROUP_INCL(all, 1, n - 1, group, ierror)
      if (me .eq. n - 1) then
        call MPI_COMM_CREATE_GROUP(MPI_COMM_WORLD, group, 3, made,
     &                             ierror)
        call MPI_COMM_SIZE(made, i, ierror)
        if (i .ne. 1) stop 'create_group'
        call MPI_COMM_FREE(made, ierror)
      end if
      call MPI_GROUP_FREE(group, ierror)
      call MPI_GROUP_FREE(all, ierror)
      call MPI_FINALIZE(ierror)
      PRINT '(A)', 'EARL-OK'
      end
C SPDX-License-Identifier: BSD-3-Clause
