/* Reductions: predefined operations on every type they are for, the program's own ones, and all five
 * calls that combine. Results are compared with those of the ranks' values when one process
 * combines them. */
#include "mpi_check.h"
#include <stdint.h>

#define MOST 33
#define COUNT 5

int me, n;

/* Small enough that products of 33 stay exact where it matters. */
int number(int rank, int i) { return (rank * 7 + i * 3) % 5 - (i % 2); }

#define ON(T, type, op, combine)                                                      \
  {                                                                                   \
    T mine[COUNT], got[COUNT], all;                                                   \
    int i_, r_;                                                                       \
    for (i_ = 0; i_ < COUNT; i_++) mine[i_] = (T)number(me, i_), got[i_] = (T)0;      \
    DOES(MPI_Allreduce(mine, got, COUNT, type, op, MPI_COMM_WORLD));                  \
    for (i_ = 0; i_ < COUNT; i_++) {                                                  \
      all = (T)number(0, i_);                                                         \
      for (r_ = 1; r_ < n; r_++) {                                                    \
        T a = all, b = (T)number(r_, i_);                                             \
        all = (T)(combine);                                                           \
      }                                                                               \
      if (got[i_] != all) printf("%s %s i %d: %g not %g\n", #type, #op, i_, (double)got[i_], (double)all);    \
      CHECK(got[i_] == all);                                                          \
    }                                                                                 \
  }

#define ON_REAL(T, type)                     \
  ON(T, type, MPI_MAX, a > b ? a : b)        \
  ON(T, type, MPI_MIN, a < b ? a : b)        \
  ON(T, type, MPI_SUM, a + b)                \
  ON(T, type, MPI_PROD, a * b)

#define ON_TRUTHS(T, type)                   \
  ON(T, type, MPI_LAND, a && b)              \
  ON(T, type, MPI_LOR, a || b)               \
  ON(T, type, MPI_LXOR, !a != !b)

#define ON_BITS(T, type)                     \
  ON(T, type, MPI_BAND, a & b)               \
  ON(T, type, MPI_BOR, a | b)                \
  ON(T, type, MPI_BXOR, a ^ b)

#define ON_INTEGER(T, type) ON_REAL(T, type) ON_TRUTHS(T, type) ON_BITS(T, type)

signed_ones()
{
  ON_INTEGER(int, MPI_INT)
  ON_INTEGER(long, MPI_LONG)
  ON_INTEGER(short, MPI_SHORT)
  ON_INTEGER(long, MPI_LONG_LONG_INT)
  ON_INTEGER(int8_t, MPI_INT8_T)
  ON_INTEGER(int16_t, MPI_INT16_T)
  ON_INTEGER(int32_t, MPI_INT32_T)
  ON_INTEGER(int64_t, MPI_INT64_T)
  ON_REAL(MPI_Offset, MPI_OFFSET)
  ON_BITS(MPI_Count, MPI_COUNT)
  ON_TRUTHS(_Bool, MPI_C_BOOL)
  ON_TRUTHS(_Bool, MPI_CXX_BOOL)
  ON_REAL(int, MPI_INTEGER)
  ON_BITS(int, MPI_INTEGER)
}

unsigned_ones()
{
  ON_INTEGER(unsigned, MPI_UNSIGNED)
  ON_INTEGER(unsigned long, MPI_UNSIGNED_LONG)
  ON_INTEGER(unsigned short, MPI_UNSIGNED_SHORT)
  ON_BITS(unsigned char, MPI_BYTE)
  ON_INTEGER(unsigned char, MPI_UNSIGNED_CHAR)
  ON_INTEGER(uint8_t, MPI_UINT8_T)
  ON_INTEGER(uint16_t, MPI_UINT16_T)
  ON_INTEGER(uint32_t, MPI_UINT32_T)
  ON_INTEGER(uint64_t, MPI_UINT64_T)
}

reals()
{
  ON_REAL(float, MPI_FLOAT)
  ON_REAL(double, MPI_DOUBLE)
  ON_REAL(long double, MPI_LONG_DOUBLE)
  ON_REAL(float, MPI_REAL)
  ON_REAL(double, MPI_DOUBLE_PRECISION)
}

struct double_int { double value; int place; };
struct short_int { short value; int place; };
struct long_double_int { long double value; int place; };
struct two { int value, place; };

#define PLACE(T, type)                                                                   \
  {                                                                                      \
    struct T mine[2], most[2], least[2];                                                 \
    mine[0].value = (me + 1) % 3, mine[0].place = me;                                    \
    mine[1].value = 4, mine[1].place = n - me;                                           \
    DOES(MPI_Allreduce(mine, most, 2, type, MPI_MAXLOC, MPI_COMM_WORLD));                \
    DOES(MPI_Allreduce(mine, least, 2, type, MPI_MINLOC, MPI_COMM_WORLD));               \
    CHECK(most[0].value == (n > 1 ? 2 : 1) && most[0].place == (n > 1 ? 1 : 0));         \
    CHECK(least[0].value == (n > 2 ? 0 : 1) && least[0].place == (n > 2 ? 2 : 0));       \
    CHECK(most[1].value == 4 && most[1].place == 1 && least[1].place == 1);              \
  }

places()
{
  PLACE(double_int, MPI_DOUBLE_INT)
  PLACE(short_int, MPI_SHORT_INT)
  PLACE(long_double_int, MPI_LONG_DOUBLE_INT)
  PLACE(two, MPI_2INT)
}

#define COMPLEX(T, type)                                                \
  {                                                                     \
    T mine[2], got[2], real = 1, imaginary = 0, next;                   \
    int r;                                                              \
    mine[0] = me % 2, mine[1] = 1;                                      \
    DOES(MPI_Allreduce(mine, got, 1, type, MPI_PROD, MPI_COMM_WORLD));  \
    for (r = 0; r < n; r++) {                                           \
      next = real * (r % 2) - imaginary;                                \
      imaginary = imaginary * (r % 2) + real;                           \
      real = next;                                                      \
    }                                                                   \
    CHECK(got[0] == real && got[1] == imaginary);                       \
  }

complex()
{
  COMPLEX(float, MPI_COMPLEX)
  COMPLEX(double, MPI_DOUBLE_COMPLEX)
  COMPLEX(float, MPI_C_FLOAT_COMPLEX)
  COMPLEX(double, MPI_C_DOUBLE_COMPLEX)
  COMPLEX(long double, MPI_C_LONG_DOUBLE_COMPLEX)
  COMPLEX(float, MPI_CXX_FLOAT_COMPLEX)
  COMPLEX(double, MPI_CXX_DOUBLE_COMPLEX)
  COMPLEX(long double, MPI_CXX_LONG_DOUBLE_COMPLEX)
}

/* The other four calls, of few and of many elements. */
calls(int count)
{
  int *mine = malloc(sizeof(int) * (count * n + 1)), *got = malloc(sizeof(int) * (count * n + 1));
  static int counts[MOST];
  int i, r, all, root = n - 1, before;
  for (i = 0; i < count * n; i++) mine[i] = number(me, i), got[i] = -99;
  DOES(MPI_Reduce(mine, got, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
  for (i = 0; i < count; i++) {
    for (r = all = 0; r < n; r++) all += number(r, i);
    CHECK(got[i] == (me == root ? all : -99) && mine[i] == number(me, i));
  }
  DOES(MPI_Scan(mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (i = 0; i < count; i++) {
    for (r = all = 0; r <= me; r++) all += number(r, i);
    CHECK(got[i] == all);
  }
  for (r = before = 0; r < n; r++) {
    counts[r] = r % 2 ? count : count / 2;
    if (r < me) before += counts[r];
  }
  DOES(MPI_Reduce_scatter(mine, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (i = 0; i < counts[me]; i++) {
    for (r = all = 0; r < n; r++) all += number(r, before + i);
    CHECK(got[i] == all);
  }
  DOES(MPI_Allreduce(mine, got, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  DOES(MPI_Allreduce(MPI_IN_PLACE, mine, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(memcmp(mine, got, sizeof(int) * count) == 0);
  free(mine);
  free(got);
}

/* 2 x 2 matrices: order matters. A pair of ints with a hole: layout matters. */
struct matrix { unsigned a, b, c, d; };
struct holed { int value, hole, twice, behind; };

void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
  struct matrix *left = in, *right = inout, all;
  int i;
  for (i = 0; i < *count; i++, left++, right++) {
    all.a = left->a * right->a + left->b * right->c;
    all.b = left->a * right->b + left->b * right->d;
    all.c = left->c * right->a + left->d * right->c;
    all.d = left->c * right->b + left->d * right->d;
    *right = all;
  }
}

void add_holed(void *in, void *inout, int *count, MPI_Datatype *type)
{
  struct holed *one = in, *other = inout;
  MPI_Aint extent = 0;
  int i;
  MPI_Type_extent(*type, &extent);
  if (extent != sizeof(struct holed)) return;
  for (i = 0; i < *count; i++) {
    other[i].value += one[i].value;
    other[i].twice += one[i].twice;
  }
}

struct matrix of(int rank, int i)
{
  struct matrix one;
  one.a = 1 + rank % 3, one.b = i + 1, one.c = rank, one.d = 2;
  return one;
}

own(int count)
{
  struct matrix *mine = malloc(sizeof *mine * count), *got = malloc(sizeof *got * count), all, next;
  MPI_Datatype matrix;
  MPI_Op product, gone;
  int i, r, last;
  DOES(MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix));
  DOES(MPI_Type_commit(&matrix));
  DOES(MPI_Op_create(multiply, 0, &product));
  for (i = 0; i < count; i++) mine[i] = of(me, i);
  for (last = 0; last < 3; last++) {
    memset(got, 0, sizeof *got * count);
    if (last == 0) DOES(MPI_Allreduce(mine, got, count, matrix, product, MPI_COMM_WORLD));
    if (last == 1) DOES(MPI_Scan(mine, got, count, matrix, product, MPI_COMM_WORLD));
    if (last == 2) DOES(MPI_Reduce(mine, got, count, matrix, product, n / 2, MPI_COMM_WORLD));
    for (i = 0; i < count; i++) {
      all = of(0, i);
      for (r = 1; r < n && (last != 1 || r <= me); r++) {
        next = of(r, i);
        int one = 1;
        multiply(&all, &next, &one, &matrix);
        all = next;
      }
      CHECK(last == 2 && me != n / 2 ? got[i].a == 0 : !memcmp(&got[i], &all, sizeof all));
    }
  }
  gone = product;
  DOES(MPI_Op_free(&product));
  CHECK(product == MPI_OP_NULL && gone != MPI_OP_NULL);
  DOES(MPI_Type_free(&matrix));
  free(mine);
  free(got);
}

static int elements;

/* As BLACS has it: uses the argument of the call, not its own. */
static void add_all(void *in, void *inout, int *count, MPI_Datatype *type)
{
  double *one = in, *other = inout;
  int i;
  CHECK(*count == elements && *type == MPI_DOUBLE);
  for (i = 0; i < *count; i++) other[i] += one[i];
}

whole()
{
  enum { most = 20000 };
  double *mine = malloc(sizeof *mine * most), *got = malloc(sizeof *got * most);
  MPI_Op sum;
  int i;
  DOES(MPI_Op_create(add_all, 1, &sum));
  for (elements = 1; elements <= most; elements += most - 1) {
    for (i = 0; i < elements; i++) mine[i] = me + i;
    DOES(MPI_Allreduce(mine, got, elements, MPI_DOUBLE, sum, MPI_COMM_WORLD));
    for (i = 0; i < elements; i++) CHECK(got[i] == n * (n - 1) / 2 + n * i);
    DOES(MPI_Reduce(mine, got, elements, MPI_DOUBLE, sum, n - 1, MPI_COMM_WORLD));
    if (me == n - 1) CHECK(got[0] == n * (n - 1) / 2);
  }
  DOES(MPI_Op_free(&sum));
  free(mine);
  free(got);
}

holes()
{
  struct holed mine[3], got[3];
  MPI_Datatype vector, type;
  MPI_Op sum;
  int i;
  DOES(MPI_Type_vector(2, 1, 2, MPI_INT, &vector));
  DOES(MPI_Type_create_resized(vector, 0, sizeof(struct holed), &type));
  DOES(MPI_Type_commit(&type));
  DOES(MPI_Op_create(add_holed, 1, &sum));
  for (i = 0; i < 3; i++) {
    mine[i].value = me + i, mine[i].twice = 2 * me, mine[i].hole = mine[i].behind = -1;
    got[i].hole = got[i].behind = -7;
  }
  DOES(MPI_Allreduce(mine, got, 3, type, sum, MPI_COMM_WORLD));
  for (i = 0; i < 3; i++) {
    CHECK(got[i].value == n * (n - 1) / 2 + n * i && got[i].twice == n * (n - 1));
    CHECK(got[i].hole == -7 && got[i].behind == -7);
  }
  DOES(MPI_Op_free(&sum));
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_free(&vector));
}

errors()
{
  double real = 0, got = 0;
  int word = 0, sum = 0;
  MPI_Op op = MPI_SUM;
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  FAILS(MPI_Allreduce(&real, &got, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
  FAILS(MPI_Allreduce(&real, &got, 1, MPI_DOUBLE, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
  FAILS(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD), MPI_ERR_OP);
  FAILS(MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, n, MPI_COMM_WORLD), MPI_ERR_ROOT);
#ifndef NATIVE  /* MPICH 4.0.2 aborts */
  FAILS(MPI_Scan(&word, &sum, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_COUNT);
#endif
  FAILS(MPI_Op_free(&op), MPI_ERR_OP);
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  signed_ones();
#ifndef NATIVE  /* MPICH 4.0.2 says that the larger of 2u and 4294967295u is 2 */
  unsigned_ones();
#endif
  reals();
  places();
  complex();
  calls(0);
  calls(3);
  calls(20000);
  own(1);
  own(3000);
  whole();
  holes();
  errors();
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
