/* Grids and graphs. */
#include "mpi_check.h"

int me, n;

has_dims(nodes, count, a, b, c)
int nodes, count, a, b, c;
{
  int dims[3] = {0, 0, 0};

  DOES(MPI_Dims_create(nodes, count, dims));
  CHECK(dims[0] == a && dims[1] == b && dims[2] == c);
}

dimensions()
{
  int dims[3] = {0, 3, 0}, nothing[1];

  has_dims(6, 2, 3, 2, 0);
  has_dims(7, 2, 7, 1, 0);
  has_dims(12, 3, 3, 2, 2);
  has_dims(64, 3, 4, 4, 4);
  has_dims(72, 3, 6, 4, 3);
  has_dims(30, 2, 6, 5, 0);
  has_dims(1, 3, 1, 1, 1);
  DOES(MPI_Dims_create(12, 3, dims));
  CHECK(dims[0] == 2 && dims[1] == 3 && dims[2] == 2);
  dims[0] = 5, dims[1] = dims[2] = 0;
  FAILS(MPI_Dims_create(12, 3, dims), MPI_ERR_DIMS);
  dims[0] = -1;
  FAILS(MPI_Dims_create(12, 3, dims), MPI_ERR_DIMS);
  DOES(MPI_Dims_create(1, 0, nothing));
}

/* Two rows; round in the second dimension only. */
static void grid()
{
  MPI_Comm cart, row, dup;
  MPI_Status status;
  int dims[2], periods[2], coords[2], wanted[2], rank, up, down, left, right, kind, word = me, got;
  int remain[2], columns = n / 2;

  dims[0] = 2, dims[1] = columns;
  periods[0] = 0, periods[1] = 1;
  DOES(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &rank));
  CHECK(rank == (me < 2 * columns ? me : MPI_UNDEFINED));
  DOES(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
  if (me >= 2 * columns) {
    CHECK(cart == MPI_COMM_NULL);
    return;
  }
  DOES(MPI_Topo_test(cart, &kind));
  CHECK(kind == MPI_CART);
  DOES(MPI_Cartdim_get(cart, &rank));
  CHECK(rank == 2);
  dims[0] = dims[1] = periods[0] = periods[1] = -1;
  DOES(MPI_Cart_get(cart, 2, dims, periods, coords));
  CHECK(dims[0] == 2 && dims[1] == columns && !periods[0] && periods[1] == 1);
  CHECK(coords[0] == me / columns && coords[1] == me % columns);
  DOES(MPI_Cart_coords(cart, me, 2, wanted));
  CHECK(wanted[0] == coords[0] && wanted[1] == coords[1]);
  wanted[1] += 3 * columns;
  DOES(MPI_Cart_rank(cart, wanted, &rank));
  CHECK(rank == me);
  wanted[1] = -1;
  DOES(MPI_Cart_rank(cart, wanted, &rank));
  CHECK(rank == coords[0] * columns + columns - 1);
  wanted[0] = 2;
  MPI_Errhandler_set(cart, MPI_ERRORS_RETURN);
  FAILS(MPI_Cart_rank(cart, wanted, &rank), MPI_ERR_ARG);
  FAILS(MPI_Cart_coords(cart, n, 2, wanted), MPI_ERR_RANK);
  FAILS(MPI_Cart_coords(cart, 0, 1, wanted), MPI_ERR_ARG);
  FAILS(MPI_Cart_shift(cart, 2, 1, &up, &down), MPI_ERR_ARG);
  FAILS(MPI_Graphdims_get(cart, &up, &down), MPI_ERR_TOPOLOGY);
  DOES(MPI_Cart_shift(cart, 0, 1, &up, &down));
  CHECK(up == (coords[0] ? me - columns : MPI_PROC_NULL));
  CHECK(down == (coords[0] ? MPI_PROC_NULL : me + columns));
  DOES(MPI_Cart_shift(cart, 1, -1, &right, &left));
  CHECK(left == coords[0] * columns + (coords[1] + columns - 1) % columns);
  got = -1;
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, down, 1, &got, 1, MPI_INT, up, 1, cart, &status));
  CHECK(got == (coords[0] ? me - columns : -1));
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, left, 1, &got, 1, MPI_INT, right, 1, cart, &status));
  CHECK(got == right);

  remain[0] = 0, remain[1] = 1;
  DOES(MPI_Cart_sub(cart, remain, &row));
  DOES(MPI_Comm_size(row, &rank));
  CHECK(rank == columns);
  DOES(MPI_Comm_rank(row, &rank));
  CHECK(rank == coords[1]);
  DOES(MPI_Cart_get(row, 1, dims, periods, wanted));
  CHECK(dims[0] == columns && periods[0] == 1 && wanted[0] == coords[1]);
  DOES(MPI_Comm_dup(row, &dup));
  DOES(MPI_Topo_test(dup, &kind));
  CHECK(kind == MPI_CART);
  remain[1] = 0;
  DOES(MPI_Comm_free(&row));
#ifndef NATIVE /* MPICH gives a grid of no dimensions to one process, nothing to the others */
  DOES(MPI_Cart_sub(cart, remain, &row));
  DOES(MPI_Cartdim_get(row, &rank));
  DOES(MPI_Comm_size(row, &kind));
  CHECK(rank == 0 && kind == 1);
  DOES(MPI_Comm_free(&row));
#endif
  DOES(MPI_Comm_free(&dup));
  DOES(MPI_Comm_free(&cart));
}

/* A star of four: 0 knows the others, which know 0 alone. */
static void graph()
{
  static int index[4] = {3, 4, 5, 6}, edges[6] = {1, 2, 3, 0, 0, 0};
  int kind, nodes, count, i, again[4], others[6];
  MPI_Comm star;

  DOES(MPI_Graph_map(MPI_COMM_WORLD, 4, index, edges, &kind));
  CHECK(kind == (me < 4 ? me : MPI_UNDEFINED));
  DOES(MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 1, &star));
  if (me >= 4) {
    CHECK(star == MPI_COMM_NULL);
    return;
  }
  DOES(MPI_Topo_test(star, &kind));
  CHECK(kind == MPI_GRAPH);
  DOES(MPI_Graphdims_get(star, &nodes, &count));
  CHECK(nodes == 4 && count == 6);
  DOES(MPI_Graph_get(star, 4, 6, again, others));
  CHECK(!memcmp(again, index, sizeof index) && !memcmp(others, edges, sizeof edges));
  for (i = 0; i < 4; i++) {
    DOES(MPI_Graph_neighbors_count(star, i, &count));
    CHECK(count == (i ? 1 : 3));
    DOES(MPI_Graph_neighbors(star, i, 6, others));
    CHECK(i ? others[0] == 0 : others[0] == 1 && others[2] == 3);
  }
  DOES(MPI_Comm_free(&star));
}

wrong()
{
  MPI_Comm none;
  int dims[1], kind, index[2] = {1, 2}, edges[2] = {1, 7};

  dims[0] = n + 1;
  FAILS(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, dims, 0, &none), MPI_ERR_ARG);
  dims[0] = 0;
  MPICH_TAKES(FAILS(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, dims, 0, &none), MPI_ERR_DIMS));
  FAILS(MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &none), MPI_ERR_ARG);
  DOES(MPI_Topo_test(MPI_COMM_WORLD, &kind));
  CHECK(kind == MPI_UNDEFINED);
  FAILS(MPI_Cartdim_get(MPI_COMM_WORLD, &kind), MPI_ERR_TOPOLOGY);
}

main(argc, argv)
int argc;
char **argv;
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  dimensions();
  grid();
  graph();
  wrong();
  MPI_Finalize();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
