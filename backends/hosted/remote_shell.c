/* SPDX-License-Identifier: BSD-3-Clause */
/* What a native library's launcher takes for ssh: it tells EXEC what is to be done on which host, and
 * stays until EXEC hangs up. EXEC's agent there does it.
 * usage: earl-remote-shell OPTIONS HOST COMMAND... */
#include "backends/hosted/report.h"

int main(int count, char** arguments) {
  int const fd = count > 2 ? connect_to("EARL_REMOTE_COMMANDS") : -1;
  if (fd < 0 || !tell(fd, arguments + 1)) return 1;
  return stay(fd);
}
