/* A library that is no tool. */
int earl_test_nothing(void);
int earl_test_nothing(void) { return 0; }
