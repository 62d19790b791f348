/* Two nodes send each other long messages, on and on; node 1 prints its pid when they have begun, and
 * again some laps after each SIGUSR1. On request, it ends its connections over TCP then, which are those
 * of the back end's library. */
#include <netinet/in.h>
#include <nx.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static char out[1 << 20], in[1 << 20];

static void cut_connections(void) {
  int fd;
  for (fd = 3; fd < 1024; ++fd) {
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    if (getpeername(fd, (struct sockaddr*)&name, &size) == 0 && name.sin_family == AF_INET)
      shutdown(fd, SHUT_RDWR);
  }
}

static volatile sig_atomic_t left = 10;

static void asked(int number) { left = number ? 10 : 0; }

int main(int count, char** words) {
  long const other = 1 - mynode();
  (void)words;
  signal(SIGUSR1, asked);
  for (;;) {
    csend(1L, out, (long)sizeof out, other, 0L);
    crecv(1L, in, (long)sizeof in);
    if (left == 0 || --left != 0 || mynode() != 1) continue;
    printf("%d\n", (int)getpid());
    fflush(stdout);
    if (count > 1) cut_connections();
  }
}
/* SPDX-License-Identifier: BSD-3-Clause */
