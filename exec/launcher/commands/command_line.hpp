// SPDX-License-Identifier: BSD-3-Clause
/// The options of one command, over CLI11, whose header is costly and stays in command_line.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace earl::exec {

/// An option or an operand, as `-h` shows it.
struct OptionRow {
  std::string names;  ///< "-v,--verbose"; of an operand its name in the help: "DIR"
  std::string help{};
  std::string type{};   ///< of its value: "FILE"
  std::string group{};  ///< its heading in the help; empty: the usual one
  bool required = false;
};

class CommandLine {
 public:
  CommandLine(std::string command, std::string const& summary);
  ~CommandLine();
  CommandLine(CommandLine const&) = delete;
  CommandLine& operator=(CommandLine const&) = delete;

  // parse() writes to the added variables, which must live until then.
  void add_flag(OptionRow const& row, bool& set);
  /// "true" when it is given.
  void add_flag(OptionRow const& row, std::string& set);
  /// The last one counts.
  void add_value(OptionRow const& row, std::string& value);
  /// May be repeated; each takes one word.
  void add_values(OptionRow const& row, std::vector<std::string>& values);
  void add_operand(OptionRow const& row, std::string& value);

  void set_footer(std::string const& text);
  /// The help does not show the option.
  void hide(std::string const& name);
  /// The first operand is a program: it and all arguments after it are given back as they are.
  void stop_at_operand();

  std::string const& command() const { return command_; }
  /// The number of times that the option has been given.
  std::size_t count(std::string const& name) const;
  /// Every spelling of every option but -h, with its dashes.
  std::vector<std::string> names() const;

  /// Returns the arguments after the options. `-np` and `-wdir`, which other launchers have, count
  /// as
  /// --np and --wdir. Throws UsageError, or HelpWanted.
  std::vector<std::string> parse(std::vector<std::string> const& arguments);
  /// For commands that take nothing after their options and operands. Throws as parse().
  void parse_all(std::vector<std::string> const& arguments);

 private:
  struct Parser;  ///< CLI11's

  std::string help() const;
  void check(std::vector<std::string> const& arguments) const;
  std::size_t check_option(std::vector<std::string> const& arguments, std::size_t at) const;
  bool is_name(std::string_view word) const;

  std::string command_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace earl::exec
