/* tester.h: what Tester's host and nodes agree on. */
#define HOST_PID 100
#define NODE_PID 0

/* Message types. */
#define GO 5 /* the next test begins */
#define ASK 10
#define ANSWER 20
#define MORE 21
#define CALL 30
#define REPLY 31
#define LONG_ONE 40
#define STRAY 50
#define VERDICT 99

#define LONG 100000 /* bytes */

/* What a node found wrong in one test: how much, and the first line of tester_node.c. */
struct verdict {
  int wrong, line;
};
