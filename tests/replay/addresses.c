/* Addresses of objects, which programs compare and hash. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

static int variable;

int main()
{
  void *small = malloc(100), *large = malloc(1000000), *late;

  gsync();
  late = malloc(100);
  printf("%ld: %p %p %p %p\n", mynode(), (void *)&variable, small, late, large);
  free(late);
  free(large);
  free(small);
  return 0;
}
