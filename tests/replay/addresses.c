/* Where things are: what programs compare and hash. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

static int variable;

int main()
{
  void *small = malloc(100), *large = malloc(1000000);

  gsync();
  printf("%ld: %p %p %p %p\n", mynode(), (void *)&variable, small, malloc(100), large);
  return 0;
}
