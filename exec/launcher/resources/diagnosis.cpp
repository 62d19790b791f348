// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/diagnosis.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "backends/registry.hpp"
#include "debug/symbols/modules.hpp"
#include "debug/symbols/stacks.hpp"
#include "exec/compiler/compiler.hpp"
#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/hosts/batch.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/hosts/launchers.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/programs/report.hpp"
#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/settings/settings.hpp"
#include "exec/launcher/settings/settings_file.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::exec {

namespace {

/// Counted like job_start does: a channel and two pipes each, and some of EXEC's own.
constexpr std::uint64_t needed_per_process = 3;
constexpr std::uint64_t needed_by_exec = 64;
/// Most users never exceed a job of this size.
constexpr std::uint64_t comfortable = 256;

constexpr std::uint64_t mebibyte = 1U << 20;

Finding processors(HostResources const& facts) {
  auto const usable = static_cast<long>(CPU_COUNT(&facts.processors));
  auto detail =
      fmt::format("{} of {} ({})", usable, facts.processors_online, to_text(facts.processors));
  if (facts.processor_quota != 0)
    detail += fmt::format(", the control group allows the time of {:.1f}", facts.processor_quota);
  if (usable < facts.processors_online)
    return {"processors", Health::limited, detail,
            "taskset or a container keeps earl off the rest"};
  if (facts.processor_quota != 0 && facts.processor_quota < static_cast<double>(usable))
    return {"processors", Health::limited, detail, "raise cpu.max where that is too little"};
  return {"processors", Health::good, detail};
}

Finding remote_read(HostResources const& facts) {
  auto const scope =
      facts.ptrace_scope < 0 ? "" : fmt::format(" (ptrace_scope {})", facts.ptrace_scope);
  if (facts.remote_read_error == 0)
    return {"process_vm_readv", Health::good, "processes may read each other's messages" + scope};
  auto const detail = fmt::format("{}{}: long messages are copied twice",
                                  system_message(facts.remote_read_error), scope);
  if (facts.ptrace_scope >= 2)
    return {"process_vm_readv", Health::limited, detail,
            "as root: sysctl kernel.yama.ptrace_scope=1"};
  return {"process_vm_readv", Health::limited, detail,
          "in a container: allow process_vm_readv (docker run --cap-add SYS_PTRACE)"};
}

Finding shared_memory(HostResources const& facts) {
  if (facts.shared_memory_error == 0) return {"shared memory", Health::good, "sealed memfds"};
  return {"shared memory", Health::broken, system_message(facts.shared_memory_error),
          "Linux 5.1 or newer is needed, and a container that allows memfd_create"};
}

Finding proc(HostResources const& facts) {
  if (!facts.proc)
    return {"/proc", Health::broken, "not mounted", "as root: mount -t proc proc /proc"};
  if (!facts.proc_children)
    return {"/proc", Health::limited, "does not list a process's children",
            "what programs fork and leave behind may outlive a job (CONFIG_PROC_CHILDREN)"};
  return {"/proc", Health::good, "mounted"};
}

Finding open_files(HostResources const& facts) {
  auto const rest = facts.files - std::min(facts.files, needed_by_exec);
  auto const detail =
      fmt::format("{}: jobs of up to {} processes", facts.files, rest / needed_per_process);
  if (rest / needed_per_process >= comfortable) return {"open files", Health::good, detail};
  return {"open files", Health::limited, detail,
          "raise the hard limit (ulimit -Hn; /etc/security/limits.conf)"};
}

Finding processes(HostResources const& facts) {
  auto const unlimited = std::numeric_limits<std::uint64_t>::max();
  auto const least = std::min(facts.processes, facts.group_processes.value_or(unlimited));
  auto const number = [&](std::uint64_t n) {
    return n == unlimited ? std::string("unlimited") : fmt::format("{}", n);
  };
  auto detail = number(facts.processes) + " for this user";
  if (facts.group_processes)
    detail += fmt::format(", {} in this control group", *facts.group_processes);
  if (least >= comfortable) return {"processes", Health::good, detail};
  return {"processes", Health::limited, detail,
          "raise ulimit -u, or pids.max of the control group (docker run --pids-limit)"};
}

Finding memory(HostResources const& facts) {
  auto detail = fmt::format("{} MiB", facts.memory / mebibyte);
  if (!facts.group_memory || *facts.group_memory >= facts.memory)
    return {"memory", Health::good, detail};
  detail += fmt::format(", {} MiB of it for this control group", *facts.group_memory / mebibyte);
  bool const small = *facts.group_memory < comfortable * mebibyte;
  return {"memory", small ? Health::limited : Health::good, detail,
          small ? "raise memory.max (docker run --memory)" : ""};
}

Finding huge_pages(HostResources const& facts) {
  return {"huge pages", Health::good,
          facts.huge_pages.empty() ? "not known for shared memory"
                                   : facts.huge_pages + " for shared memory"};
}

Finding front_end(FrontEnd const& row, Layout const& layout) {
  auto const folder = layout.libraries_of(row.name);
  auto const what = "front end " + std::string(row.name);
  for (auto const* ending : {".so", ".so.3"})
    if (std::filesystem::exists(fmt::format("{}/{}{}", folder, row.libraries.front(), ending))) {
      if (std::filesystem::is_directory(layout.headers_of(row.name)))
        return {what, Health::good, std::string(row.title)};
      return {what, Health::limited, fmt::format("no headers in {}", layout.headers_of(row.name)),
              "programs run and cannot be compiled: install Earl as a whole"};
    }
  return {what, Health::broken, fmt::format("no {} in {}", row.libraries.front(), folder),
          "install Earl again"};
}

Finding compiler(Language language, std::string const& command, std::string_view package,
                 Layout const& layout) {
  bool const is_c = language == Language::c;
  if (!std::filesystem::exists(layout.commands + "/" + command))
    return {command, Health::limited, fmt::format("this Earl was built without {}", command),
            fmt::format("apt-get install {}, and build Earl again", package)};
  auto const compiler = choose_compiler(language, {.own = std::getenv(is_c ? "EARL_CC" : "EARL_FC"),
                                                   .common = std::getenv(is_c ? "CC" : "FC"),
                                                   .wrapper = layout.commands + "/" + command});
  auto const name = compiler.substr(0, compiler.find(' '));
  try {
    return {command, Health::good, find_file({.name = name})};
  } catch (Refusal const&) {
    return {command, Health::limited, fmt::format("there is no compiler {}", name),
            fmt::format("apt-get install {}", package)};
  }
}

Finding back_end(Backend const& row) {
  auto const what = "back end " + std::string(row.name);
  auto const unusable = why_unusable(row);
  if (unusable.empty()) return {what, Health::good, std::string(row.summary)};
  return {what, Health::limited, unusable, "jobs can run on the others"};
}

Finding native_library(std::string_view back_end, NativeLibrary const& library) {
  auto const what = std::string(library.title);
  auto const here = fmt::format("for back end {}: {}", back_end, fmt::join(library.here, ", "));
  if (library.missing.empty()) return {what, Health::good, here};
  auto const missing = fmt::format("missing: {}", fmt::join(library.missing, ", "));
  return {what, Health::limited, here + (library.here.empty() ? "" : "; ") + missing,
          library.remedy};
}

/// The transport by which processes here reach those of other hosts. Throws Error.
std::string ways_to_hosts() {
  std::string ways;
  for (auto const* row : back_ends()) {
    if (!joins_hosts(*row)) continue;
    auto const connectivity = row->connectivity();
    ways += ways.empty() ? "" : ", ";
    ways += row->name;
    if (connectivity.grade == Connectivity::Grade::on_request)
      ways += fmt::format(" if it is named (--on {})", row->name);
    else if (!connectivity.why.empty())
      ways += fmt::format(" ({})", connectivity.why);
  }
  return ways;
}

Finding several_hosts() {
  try {
    if (auto const sentence = missing_network(); !sentence.empty())
      return {"several hosts", Health::limited, sentence, "jobs can run on this host"};
    return {"several hosts", Health::good, "can be joined by " + ways_to_hosts()};
  } catch (Error const& error) {
    return {"several hosts", Health::broken, error.what(), "correct it"};
  }
}

/// One of them is enough.
Finding launcher(Launcher const& row) {
  auto const what = "launcher " + std::string(row.name);
  auto const path = find_command(row.name);
  if (!path.empty()) return {what, Health::good, "for several hosts: " + path};
  return {what, Health::limited, fmt::format("for several hosts: there is no command {}", row.name),
          fmt::format("apt-get install {}, or name another --launcher", row.package)};
}

Finding batch_system() {
  try {
    auto const job = find_allocation();
    if (!job) return {"batch system", Health::good, "this is not inside a batch job"};
    return {"batch system", Health::good,
            fmt::format("a job of {} with {} hosts and {} processes, which earl run takes",
                        job->system, job->hosts.size(), slots_of(job->hosts))};
  } catch (UsageError const& error) {
    return {"batch system", Health::broken, error.what(), "correct it, or set EARL_HOSTS=none"};
  }
}

Finding settings(Layout const& layout) {
  try {
    std::string read;
    for (auto const& file : read_configuration(layout).files) {
      if (!file.refusal.empty())
        return {"settings", Health::limited, file.refusal, "see earl config"};
      if (file.read) read += (read.empty() ? "" : ", ") + file.path;
    }
    if (auto const misspelt = misspelt_variables(); !misspelt.empty())
      return {"settings", Health::limited, misspelt.front(), "correct it: it has no effect"};
    return {"settings", Health::good, read.empty() ? "built in" : read};
  } catch (Error const& error) {
    return {"settings", Health::broken, error.what(), "correct it: every job is refused"};
  }
}

}  // namespace

Finding judge_part(std::string const& what, std::string const& use, std::string const& missing,
                   std::string_view package) {
  if (missing.empty()) return {what, Health::good, use};
  return {what, Health::limited, missing + ": without " + use,
          fmt::format("apt-get install {}, and build Earl again if it was built without", package)};
}

std::vector<Finding> judge_host(HostResources const& facts) {
  return {processors(facts), remote_read(facts), shared_memory(facts), proc(facts),
          open_files(facts), processes(facts),   memory(facts),        huge_pages(facts)};
}

std::vector<Finding> judge_libraries(std::string_view back_end,
                                     std::vector<NativeLibrary> const& libraries) {
  std::vector<Finding> findings;
  findings.reserve(libraries.size());
  for (auto const& library : libraries) findings.push_back(native_library(back_end, library));
  return findings;
}

std::vector<Finding> judge_installation(Layout const& layout) {
  std::vector<Finding> findings;
  for (auto const& row : front_ends()) findings.push_back(front_end(row, layout));
  for (auto const* row : back_ends()) {
    findings.push_back(back_end(*row));
    if (!row->libraries) continue;
    auto const judged = judge_libraries(row->name, row->libraries());
    findings.insert(findings.end(), judged.begin(), judged.end());
  }
  findings.push_back(several_hosts());
  findings.push_back(compiler(Language::c, "earlcc", "gcc", layout));
  findings.push_back(compiler(Language::fortran, "earlfc", "gfortran", layout));
  findings.push_back(judge_part("source lines", "files and lines in reports",
                                symbols::lines_unavailable(), "libdw-dev"));
  findings.push_back(judge_part("stacks", "stacks of processes that crash or do not answer",
                                symbols::stacks_unavailable(), "libunwind-dev"));
  for (auto const& row : launchers())
    if (!row.package.empty()) findings.push_back(launcher(row));
  findings.push_back(batch_system());
  findings.push_back(settings(layout));
  return findings;
}

}  // namespace earl::exec
