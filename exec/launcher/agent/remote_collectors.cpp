// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/agent/remote_collectors.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "debug/registry.hpp"
#include "exec/launcher/hosts/host_messages.hpp"

namespace earl::exec {

namespace {

/// In one message, which comes whole or not at all.
constexpr std::size_t most_bytes = control::most_length / 2;

void make_folder(std::string const& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error("no directory {} on this host: {}", path, system_message(errno));
}

}  // namespace

RemoteCollectors::~RemoteCollectors() { remove_folder(); }

void RemoteCollectors::remove_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<control::ToolUse> RemoteCollectors::prepare(std::vector<control::ToolUse> tools) {
  for (auto& use : tools) {
    auto const* const tool = find_tool(use.name);
    if (!tool || !tool->multi_host) continue;
    auto const folder = folder_ + "/" + use.name;
    make_folder(folder_);
    make_folder(folder);
    posts_.push_back(
        {.tool = use.name, .collector = tool->multi_host->on_host(use.argument, folder)});
    use.argument = posts_.back().collector->argument();
  }
  return tools;
}

void RemoteCollectors::report(Rank rank) {
  for (auto const& post : posts_) {
    control::TracePieces message{.tool = post.tool, .pieces = {}};
    std::size_t size = 0;
    for (auto& piece : post.collector->changed_pieces(rank)) {
      size += piece.bytes.size();
      message.pieces.push_back(std::move(piece));
      if (size < most_bytes) continue;
      line_.send(control::Type::piece, message);
      message.pieces.clear();
      size = 0;
    }
    if (!message.pieces.empty()) line_.send(control::Type::piece, message);
  }
}

}  // namespace earl::exec
