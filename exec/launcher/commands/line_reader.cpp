// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/line_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <utility>

#include "exec/launcher/commands/line_editor.h"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::exec {

namespace {

/// Throws Error.
EarlLineEditor const& load_editor() {
  auto const path = find_part("exec", "earl-edit.so");
  if (path.empty()) throw Error("this Earl was built without libedit");
  return load_table<EarlLineEditor>(path, "earl_line_editor", earl_line_editor_version, 0);
}

}  // namespace

std::string line_editor_unavailable() {
  try {
    load_editor();
    return {};
  } catch (Error const& error) {
    return error.what();
  }
}

LineReader::LineReader(std::string prompt, std::vector<std::string> names)
    : names_(std::move(names)) {
  if (::isatty(STDIN_FILENO) != 1) return;
  prompt_ = std::move(prompt);
  if (::isatty(STDOUT_FILENO) != 1) return;
  for (auto const& name : names_) list_.push_back(name.c_str());
  list_.push_back(nullptr);
  try {
    auto const& editor = load_editor();
    if (editor.begin(prompt_.c_str(), list_.data()) != 0) editor_ = &editor;
  } catch (Error const&) {  // `earl doctor` says why
  }
}

LineReader::~LineReader() {
  if (editor_) editor_->end();
}

std::optional<std::string> LineReader::next() {
  std::fflush(stdout);
  if (editor_) {
    char const* const line = editor_->next();
    if (!line) return std::nullopt;
    std::string text = line;
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }
  if (!prompt_.empty()) fmt::print("{}", prompt_);
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

}  // namespace earl::exec
