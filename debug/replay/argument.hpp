// SPDX-License-Identifier: BSD-3-Clause
/// The replay's argument: a folder, and how strict to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace earl::replay {

/// Before the folder: messages may hold other bytes than recorded. For programs that send memory
/// which they never wrote.
inline constexpr std::string_view any_contents = "contents=ignore,";

/// Before that, up to the bar: the changes to the recorded run.
inline constexpr std::string_view other_path = "path=";

/// Then: where the process is a checkpoint of explored runs, as steps of a path, up to the bar.
inline constexpr std::string_view checkpoint_at = "checkpoint=";

/// The name in the note of a process that has come there.
inline constexpr std::string_view checkpoint_note = "checkpoint";

/// Then: where it ends, RANK@EVENT, up to the bar; and whether gdb is wanted there.
inline constexpr std::string_view until_event = "until=";
inline constexpr std::string_view gdb_there = "gdb=";
/// Or the descriptor on which a process that runs alone reports its forks, up to the bar.
inline constexpr std::string_view forks_kept = "forks=";

struct Argument {
  explicit Argument(std::string_view text) {
    path = take(text, other_path);
    checkpoint = take(text, checkpoint_at);
    until = take(text, until_event);
    auto const gdb_at = take(text, gdb_there);
    if (!gdb_at.empty()) until = gdb_at;
    gdb = !gdb_at.empty();
    forks = take(text, forks_kept);
    checks_contents = !text.starts_with(any_contents);
    folder = text.substr(checks_contents ? 0 : any_contents.size());
  }
  std::string in(std::string const& other_folder) const {
    return (path.empty() ? "" : std::string{other_path} + path + "|") +
           (until.empty() ? "" : std::string{gdb ? gdb_there : until_event} + until + "|") +
           (checks_contents ? "" : std::string{any_contents}) + other_folder;
  }

  std::string path{};  ///< empty: the recorded one
  std::string checkpoint{};
  std::string until{};  ///< "3@120"; empty: to the end
  bool gdb = false;
  std::string forks{};  ///< a descriptor; empty: none are kept
  bool checks_contents = true;
  std::string folder{};

 private:
  static std::string take(std::string_view& text, std::string_view name) {
    if (!text.starts_with(name)) return "";
    auto const bar = text.find('|');
    auto const value = text.substr(name.size(), bar - name.size());
    text.remove_prefix(bar + 1);
    return std::string{value};
  }
};

}  // namespace earl::replay
