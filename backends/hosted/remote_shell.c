/* SPDX-License-Identifier: BSD-3-Clause */
/* The replacement of ssh for a native library's launcher: it passes host and command to EXEC, and
 * stays until EXEC closes the connection. EXEC's agent on that host runs the command.
 * usage: earl-remote-shell OPTIONS HOST COMMAND... */
#include "backends/hosted/report.h"

int main(int count, char** arguments) {
  int const fd = count > 2 ? connect_to("EARL_REMOTE_COMMANDS") : -1;
  if (fd < 0 || !report(fd, arguments + 1)) return 1;
  return stay(fd);
}
