// SPDX-License-Identifier: BSD-3-Clause
#include "debug/contents/contents.hpp"

#include <filesystem>

#include "debug/contents/capture.hpp"
#include "debug/contents/capture_port.hpp"
#include "generic/base/error.hpp"

namespace earl {

namespace {

std::unique_ptr<Interceptor> in_process(std::string_view folder, DebuggedProcess& process) {
  return std::make_unique<contents::Capture>(contents::exec_path(folder, process.rank()));
}

std::unique_ptr<Port> port(std::string_view folder, std::unique_ptr<Port> inner, Rank rank,
                           IdTable const& table) {
  return std::make_unique<contents::CapturePort>(std::move(inner),
                                                 contents::packets_path(folder, rank), rank, table);
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view folder, JobInfo const&) {
  if (!std::filesystem::exists(std::string{folder} + "/meta.json"))
    throw Error("--tool contents={}: this is not a recording; `earl replay --alone` uses it",
                folder);
  return nullptr;
}

}  // namespace

constinit Tool const contents_tool{
    .name = "contents",
    .summary = "writes down what each process receives, for `earl replay --alone`",
    .in_process = in_process,
    .in_exec = in_exec,
    .takes_path = true,
    .port = port};

}  // namespace earl
