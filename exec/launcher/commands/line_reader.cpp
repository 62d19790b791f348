// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/line_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <utility>

#include "exec/launcher/commands/line_editor.h"
#include "generic/base/error.hpp"
#include "generic/system/optional_module.hpp"

namespace earl::exec {

namespace {

OptionalModule<EarlLineEditor> load_editor() {
  return load_module<EarlLineEditor>("exec", "earl-edit.so", "libedit", "earl_line_editor",
                                     earl_line_editor_version);
}

}  // namespace

std::string line_editor_unavailable() { return load_editor().failure; }

LineReader::LineReader(std::string prompt, std::vector<std::string> names)
    : names_(std::move(names)) {
  if (::isatty(STDIN_FILENO) != 1) return;
  prompt_ = std::move(prompt);
  if (::isatty(STDOUT_FILENO) != 1) return;
  for (auto const& name : names_) list_.push_back(name.c_str());
  list_.push_back(nullptr);
  auto const* const editor = load_editor().table;  // if there is none `earl doctor` says why
  if (editor && editor->begin(prompt_.c_str(), list_.data()) != 0) editor_ = editor;
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
