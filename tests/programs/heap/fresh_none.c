/* Without Earl: what a heap is like natively. */
#include "fresh.h"

int main()
{
  look(0);
  look(1);
  tell();
  return 0;
}
