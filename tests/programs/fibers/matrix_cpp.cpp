// The same program as C++.
#include "matrix.c"
