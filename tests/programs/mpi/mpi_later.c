/* Functions of MPI-2 and MPI-3 that programs of MPI-1's kind use. */
#include "mpi_check.h"

static int me, n;

/* Does not commute: keeps the first and the last of what it combines. */
static void ends(void *in, void *inout, int *count, MPI_Datatype *type)
{
  int i, (*a)[2] = in, (*b)[2] = inout;
  for (i = 0; i < *count / 2; i++)
    b[i][0] = a[i][0];
}

static void reductions(void)
{
  int i, one[2], sum[2] = {-1, -1}, many[64], pair[2], result[2] = {-7, -7};
  MPI_Op op;
  one[0] = me + 1, one[1] = 10;
  DOES(MPI_Exscan(one, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  if (me > 0) CHECK(sum[0] == me * (me + 1) / 2 && sum[1] == 10 * me);
  DOES(MPI_Exscan(MPI_IN_PLACE, one, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  if (me > 0) CHECK(one[0] == me * (me + 1) / 2 && one[1] == 10 * me);
  if (me == 0) CHECK(one[0] == 1 && one[1] == 10);

  DOES(MPI_Op_create(ends, 0, &op));
  pair[0] = me, pair[1] = 100 + me;
  DOES(MPI_Exscan(pair, result, 2, MPI_INT, op, MPI_COMM_WORLD));
  if (me > 0) CHECK(result[0] == 0 && result[1] == 100 + me - 1);
  result[0] = 5, result[1] = 6, pair[0] = 7, pair[1] = 8;
  DOES(MPI_Reduce_local(pair, result, 2, MPI_INT, op));
  CHECK(result[0] == 7 && result[1] == 6);
  DOES(MPI_Reduce_local(pair, result, 2, MPI_INT, MPI_SUM));
  CHECK(result[0] == 14 && result[1] == 14 && pair[0] == 7);
  DOES(MPI_Reduce_local(pair, result, 0, MPI_INT, MPI_SUM));
  CHECK(result[0] == 14);
  DOES(MPI_Op_free(&op));

  for (i = 0; i < 2 * n; i++) many[i] = i + me;
  DOES(MPI_Reduce_scatter_block(many, result, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK(result[0] == 2 * me * n + n * (n - 1) / 2 && result[1] == result[0] + n);
  DOES(MPI_Reduce_scatter_block(MPI_IN_PLACE, many, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK(many[0] == result[0] && many[1] == result[1]);

  MPICH_CRASHES(FAILS(MPI_Exscan(one, sum, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);)
  FAILS(MPI_Exscan(one, sum, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
  MPICH_CRASHES(FAILS(MPI_Reduce_scatter_block(many, result, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);)
  MPICH_CRASHES(FAILS(MPI_Reduce_local(pair, result, -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT);)
  MPICH_DIFFERS(FAILS(MPI_Reduce_local(pair, result, 1, MPI_DATATYPE_NULL, MPI_SUM), MPI_ERR_TYPE);)
}

static void communicators(void)
{
  MPI_Comm made = MPI_COMM_WORLD, other;
  MPI_Group all, odd;
  int i, there, size, sum = -1, odds[64], first[1] = {0};
  DOES(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &made));
  DOES(MPI_Comm_size(made, &size));
  DOES(MPI_Comm_rank(made, &there));
  CHECK(size == n && there == n - 1 - me); /* the test's processes are on one host */
  DOES(MPI_Comm_free(&made));
  DOES(MPI_Comm_split_type(MPI_COMM_WORLD, me == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                           MPI_INFO_NULL, &made));
  CHECK((made == MPI_COMM_NULL) == (me == 0));
  if (me != 0) {
    DOES(MPI_Comm_size(made, &size));
    CHECK(size == n - 1);
    DOES(MPI_Comm_free(&made));
  }
  FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, 4711, 0, MPI_INFO_NULL, &made), MPI_ERR_ARG);

  DOES(MPI_Comm_group(MPI_COMM_WORLD, &all));
  for (i = 0; i < n / 2; i++) odds[i] = n - n % 2 - 1 - 2 * i;
  DOES(MPI_Group_incl(all, n / 2, odds, &odd));
  if (me % 2 == 1) { /* the others do not call it */
    DOES(MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &made));
    DOES(MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &other));
    DOES(MPI_Comm_size(made, &size));
    DOES(MPI_Comm_rank(made, &there));
    CHECK(size == n / 2 && odds[there] == me);
    DOES(MPI_Comm_compare(made, other, &i));
    CHECK(i == MPI_CONGRUENT);
    DOES(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, made));
    CHECK(sum == n / 2 * (n / 2));
    DOES(MPI_Comm_free(&made));
    DOES(MPI_Comm_free(&other));
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, odd, -1, &made), MPI_ERR_TAG);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_NULL, 1, &made), MPI_ERR_GROUP);
    FAILS(MPI_Comm_create_group(MPI_COMM_NULL, odd, 1, &made), MPI_ERR_COMM);
  }
  DOES(MPI_Group_free(&odd));
  DOES(MPI_Group_incl(all, 1, first, &odd));
  if (me == 0) {
    DOES(MPI_Comm_create_group(MPI_COMM_WORLD, odd, 0, &made));
    DOES(MPI_Comm_size(made, &size));
    CHECK(size == 1);
    DOES(MPI_Comm_free(&made));
  }
  DOES(MPI_Group_free(&odd));
  DOES(MPI_Group_free(&all));
}

static void subarrays(void)
{
  int sizes[3] = {4, 3, 5}, parts[3] = {2, 2, 3}, starts[3] = {1, 0, 2}, i, j, k, at, size;
  int array[4 * 3 * 5], packed[2 * 2 * 3], *next = packed, wrong[3] = {1, 2, 2}, none[3] = {2, 0, 3};
  MPI_Aint lb, extent;
  MPI_Datatype type;
  for (i = 0; i < 60; i++) array[i] = i;
  DOES(MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type));
  DOES(MPI_Type_commit(&type));
  DOES(MPI_Type_size(type, &size));
  CHECK(size == (int)sizeof packed);
  DOES(MPI_Type_get_extent(type, &lb, &extent));
  CHECK(lb == 0 && extent == (MPI_Aint)sizeof array);
  DOES(MPI_Sendrecv(array, 1, type, me, 1, packed, 12, MPI_INT, me, 1, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
  for (i = 0; i < 2; i++)
    for (j = 0; j < 2; j++)
      for (k = 0; k < 3; k++) CHECK(*next++ == (1 + i) * 15 + j * 5 + 2 + k);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type));
  DOES(MPI_Type_commit(&type));
  at = 0;
  DOES(MPI_Pack(array, 1, type, packed, sizeof packed, &at, MPI_COMM_WORLD));
  CHECK(at == (int)sizeof packed);
  next = packed;
  for (k = 0; k < 3; k++)
    for (j = 0; j < 2; j++)
      for (i = 0; i < 2; i++) CHECK(*next++ == 1 + i + j * 4 + (2 + k) * 12);
  DOES(MPI_Type_free(&type));
  MPICH_TAKES(FAILS(MPI_Type_create_subarray(0, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);)
  MPICH_TAKES(FAILS(MPI_Type_create_subarray(3, sizes, none, starts, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);)
  MPICH_TAKES(FAILS(MPI_Type_create_subarray(3, sizes, parts, wrong, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);)
  MPICH_TAKES(FAILS(MPI_Type_create_subarray(3, parts, sizes, starts, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);)
  FAILS(MPI_Type_create_subarray(3, sizes, parts, starts, 1, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
}

/* Whether the process at `at` of `grid` has that index of `size`. */
static int owns(int index, int size, int distribution, int block, int grid, int at)
{
  if (distribution == MPI_DISTRIBUTE_NONE) return 1;
  if (distribution == MPI_DISTRIBUTE_CYCLIC)
    return index / (block == MPI_DISTRIBUTE_DFLT_DARG ? 1 : block) % grid == at;
  return index / (block == MPI_DISTRIBUTE_DFLT_DARG ? (size + grid - 1) / grid : block) == at;
}

/* Each process's part of two arrays of 5 x 7, one behind the other. */
static void distributed(int const *distribs, int const *blocks, int const *grid, int order)
{
  int sizes[2] = {5, 7}, array[70], packed[71], rank, i, slow, fast, index[2], at, wanted, size;
  int members = grid[0] * grid[1], outer = order == MPI_ORDER_C ? 0 : 1, inner = 1 - outer;
  MPI_Aint lb, extent;
  MPI_Datatype type;
  for (i = 0; i < 70; i++) array[i] = i;
  for (rank = 0; rank < members; rank++) {
    DOES(MPI_Type_create_darray(members, rank, 2, sizes, distribs, blocks, grid, order, MPI_INT, &type));
    DOES(MPI_Type_commit(&type));
    DOES(MPI_Type_get_extent(type, &lb, &extent));
    CHECK(lb == 0 && extent == 35 * (MPI_Aint)sizeof(int));
    at = wanted = 0;
    DOES(MPI_Pack(array, 2, type, packed, sizeof packed, &at, MPI_COMM_WORLD));
    for (i = 0; i < 2; i++)
      for (slow = 0; slow < sizes[outer]; slow++)
        for (fast = 0; fast < sizes[inner]; fast++) {
          index[outer] = slow, index[inner] = fast;
          if (owns(index[0], 5, distribs[0], blocks[0], grid[0], rank / grid[1]) &&
              owns(index[1], 7, distribs[1], blocks[1], grid[1], rank % grid[1]))
            CHECK(packed[wanted++] == 35 * i + slow * sizes[inner] + fast);
        }
    CHECK(at == wanted * (int)sizeof(int));
    DOES(MPI_Type_size(type, &size));
    CHECK(2 * size == at);
    DOES(MPI_Type_free(&type));
  }
}

static void distributions(void)
{
  int const kinds[3] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  int i, j, k, distribs[2], blocks[2], grid[2], sizes[2] = {5, 7};
  MPI_Datatype type;
  for (i = 0; i < 3; i++)
    for (j = 0; j < 3; j++)
      for (k = 0; k < 2; k++) {
        distribs[0] = kinds[i], distribs[1] = kinds[j];
        grid[0] = i == 2 ? 1 : 2, grid[1] = j == 2 ? 1 : 3;
        blocks[0] = blocks[1] = MPI_DISTRIBUTE_DFLT_DARG;
        distributed(distribs, blocks, grid, k == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN);
        blocks[0] = i == 0 ? 4 : 2, blocks[1] = j == 0 ? 6 : 2; /* one has nothing */
        distributed(distribs, blocks, grid, k == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN);
      }
  distribs[0] = distribs[1] = MPI_DISTRIBUTE_BLOCK;
  blocks[0] = blocks[1] = MPI_DISTRIBUTE_DFLT_DARG;
  grid[0] = 2, grid[1] = 3;
#define WRONG(change, back)                                                                     \
  change;                                                                                       \
  MPICH_DIFFERS(FAILS(MPI_Type_create_darray(6, 0, 2, sizes, distribs, blocks, grid, MPI_ORDER_C, \
                                             MPI_INT, &type), MPI_ERR_ARG);)                    \
  back;
  WRONG(grid[0] = 3, grid[0] = 2)
  WRONG(grid[0] = 0, grid[0] = 2)
  WRONG(sizes[1] = 0, sizes[1] = 7)
  WRONG(blocks[1] = 2, blocks[1] = MPI_DISTRIBUTE_DFLT_DARG)
  WRONG(distribs[0] = 4711, distribs[0] = MPI_DISTRIBUTE_BLOCK)
  WRONG(distribs[0] = MPI_DISTRIBUTE_NONE, distribs[0] = MPI_DISTRIBUTE_BLOCK)
  MPICH_DIFFERS(FAILS(MPI_Type_create_darray(6, 6, 2, sizes, distribs, blocks, grid, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);)
  FAILS(MPI_Type_create_darray(6, 0, 2, sizes, distribs, blocks, grid, 1, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(6, 0, 2, sizes, distribs, blocks, grid, MPI_ORDER_C, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
}

/* The i-th number that `a` sends to `b`, a double or an int. */
static double sent(int a, int b, int i) { return 100 * a + 10 * b + i; }

static void all_to_all_of_types(void)
{
  int counts[2][8], places[2][8], i, j, k, in_place;
  MPI_Datatype types[2][8];
  double memory[2][8 * 8]; /* eight for each */
  for (in_place = 0; in_place < 2; in_place++) {
    memset(memory, -1, sizeof memory);
    for (i = 0; i < n; i++) {
      /* In place, as many each way. */
      counts[0][i] = in_place ? 2 : i + 1, counts[1][i] = in_place ? 2 : me + 1;
      places[0][i] = 64 * i, places[1][i] = 64 * (n - 1 - i);
      types[0][i] = types[1][i] = (me + i) % 2 ? MPI_INT : MPI_DOUBLE;
      for (j = 0; j < counts[0][i]; j++) {
        char *at = (char *)memory + (in_place ? sizeof memory[0] + places[1][i] : places[0][i]);
        if ((me + i) % 2)
          ((int *)at)[j] = (int)sent(me, i, j);
        else
          ((double *)at)[j] = sent(me, i, j);
      }
    }
    if (in_place)
      DOES(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, memory[1], counts[1], places[1], types[1], MPI_COMM_WORLD));
    else
      DOES(MPI_Alltoallw(memory[0], counts[0], places[0], types[0], memory[1], counts[1], places[1], types[1], MPI_COMM_WORLD));
    for (i = 0; i < n; i++) {
      signed char *at = (signed char *)memory[1] + places[1][i];
      for (j = 0; j < counts[1][i]; j++)
        CHECK((me + i) % 2 ? ((int *)at)[j] == sent(i, me, j) : ((double *)at)[j] == sent(i, me, j));
      k = (me + i) % 2 ? counts[1][i] * 4 : counts[1][i] * 8;
      CHECK(at[k] == -1);
    }
  }
  counts[0][n - 1] = -1;
  FAILS(MPI_Alltoallw(memory[0], counts[0], places[0], types[0], memory[1], counts[1], places[1], types[1], MPI_COMM_WORLD), MPI_ERR_COUNT);
  counts[0][n - 1] = 1, types[1][0] = MPI_DATATYPE_NULL;
  FAILS(MPI_Alltoallw(memory[0], counts[0], places[0], types[0], memory[1], counts[1], places[1], types[1], MPI_COMM_WORLD), MPI_ERR_TYPE);
  types[1][0] = MPI_INT;
  MPICH_CRASHES(FAILS(MPI_Alltoallw(memory[0], counts[0], NULL, types[0], memory[1], counts[1], places[1], types[1], MPI_COMM_WORLD), MPI_ERR_ARG);)
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  DOES(MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  reductions();
  communicators();
  subarrays();
  distributions();
  all_to_all_of_types();
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
