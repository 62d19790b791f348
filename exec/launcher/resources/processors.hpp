// SPDX-License-Identifier: BSD-3-Clause
/// The CPUs of this host that a process may run on.
#pragma once

#include <sched.h>

#include <string>

namespace earl::exec {

/// "0", "0-3,6". Throws UsageError.
cpu_set_t parse_processors(std::string const& list);
/// The CPUs that this process may run on, of the first CPU_SETSIZE. Throws Error when the system
/// does not say.
cpu_set_t own_processors();
/// Gives this process all that the system lets it have, as the agents on other hosts have them: a
/// launcher may have bound it to a few.
void use_all_processors();
/// The other way round, shortest form.
std::string to_text(cpu_set_t const& processors);

}  // namespace earl::exec
