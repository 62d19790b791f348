/* A thread-local variable of a library: its ranks would share it. */
static __thread int number = 2;

int *hidden(void) { return &number; }
