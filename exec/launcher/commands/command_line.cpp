// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/nearest.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

/// CLI11 knows no long options after a single dash.
std::string modern(std::string const& word) {
  if (word == "-np" || word == "-wdir") return "-" + word;
  return word;
}

bool looks_like_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

bool is_operand(CLI::Option const& option) {
  return option.get_lnames().empty() && option.get_snames().empty();
}

bool takes_value(CLI::Option const& option) { return option.get_expected_min() > 0; }

}  // namespace

struct CommandLine::Parser {
  explicit Parser(std::string const& summary, std::string const& command) : app(summary, command) {
    app.get_formatter()->label("Positionals", "Arguments");
  }

  CLI::App app;
  bool stops = false;                          ///< at the first operand
  std::vector<CLI::Option const*> switches{};  ///< flags that are given or not, without a value
};

CommandLine::CommandLine(std::string command, std::string const& summary)
    : command_(std::move(command)), parser_(new Parser(summary, command_)) {}

CommandLine::~CommandLine() = default;

namespace {

CLI::Option* add(CLI::Option* option, OptionRow const& row) {
  if (!row.type.empty()) option->type_name(row.type);
  if (!row.group.empty()) option->group(row.group);
  return option->required(row.required);
}

}  // namespace

void CommandLine::add_flag(OptionRow const& row, bool& set) {
  parser_->switches.push_back(add(parser_->app.add_flag(row.names, set, row.help), row));
}

void CommandLine::add_flag(OptionRow const& row, std::string& set) {
  add(parser_->app.add_flag(row.names, set, row.help), row);
}

void CommandLine::add_value(OptionRow const& row, std::string& value) {
  add(parser_->app.add_option(row.names, value, row.help), row)->take_last();
}

void CommandLine::add_values(OptionRow const& row, std::vector<std::string>& values) {
  add(parser_->app.add_option(row.names, values, row.help), row)->allow_extra_args(false);
}

void CommandLine::add_operand(OptionRow const& row, std::string& value) {
  add(parser_->app.add_option(row.names, value, row.help), row)->type_name("");
}

void CommandLine::set_footer(std::string const& text) { parser_->app.footer(text); }

void CommandLine::hide(std::string const& name) { parser_->app.get_option(name)->group(""); }

void CommandLine::stop_at_operand() {
  parser_->stops = true;
  parser_->app.prefix_command();
}

std::size_t CommandLine::count(std::string const& name) const { return parser_->app.count(name); }

Arguments CommandLine::names() const {
  Arguments names;
  for (auto const* option : parser_->app.get_options()) {
    if (option == parser_->app.get_help_ptr()) continue;
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
    for (auto const& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool CommandLine::is_name(std::string_view word) const {
  auto const name = std::string(word.substr(0, word.find('=')));
  return looks_like_option(word) && parser_->app.get_option_no_throw(name) != nullptr;
}

/// Checks the option that `arguments[at]` is; gives the position of the word after it and its
/// value.
std::size_t CommandLine::check_option(Arguments const& arguments, std::size_t at) const {
  auto const word = modern(arguments[at]);
  bool const is_long = word.starts_with("--");
  auto const name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
  auto const* option = parser_->app.get_option_no_throw(name);
  auto const typed = word.substr(0, word.find('='));
  // `-hostfile` is no -h.
  bool const lacks_dash = !is_long && word.size() > 2 && is_name("-" + word);
  if (!option || (lacks_dash && !takes_value(*option))) {
    auto known = names();
    known.insert(known.end(), {"-h", "--help"});
    throw UsageError("there is no option {}{}; `{} -h` lists the options", typed,
                     guess(typed, known), command_);
  }
  auto const after = word.substr(name.size());
  bool const is_switch = std::ranges::count(parser_->switches, option) > 0;
  if (after.starts_with('=') && (is_switch || (!is_long && !takes_value(*option))))
    throw UsageError("{} takes no value; `{} -h` lists the options", name, command_);
  if (is_long && after == "=")
    throw UsageError("{} needs a value; `{} -h` lists the options", name, command_);
  if (!takes_value(*option)) {
    // Several letters after one dash: each is a flag, the last may take a value.
    if (is_long || word.size() == 2) return at + 1;
    Arguments rest = arguments;
    rest[at] = "-" + word.substr(2);
    return check_option(rest, at);
  }
  if (is_long ? word.find('=') != std::string::npos : word.size() > 2) return at + 1;
  if (at + 1 == arguments.size() || is_name(arguments[at + 1]))
    throw UsageError("{} needs a value{}; `{} -h` lists the options", name,
                     at + 1 == arguments.size() ? "" : ", not " + arguments[at + 1], command_);
  return at + 2;
}

/// CLI11 takes an option that it does not know for an operand, and its own sentences name its own
/// terms. The arguments given to it have been checked here.
void CommandLine::check(Arguments const& arguments) const {
  std::size_t operands = 0;
  bool only_operands = false;
  Arguments given;
  for (std::size_t at = 0; at < arguments.size();) {
    auto const& word = arguments[at];
    if (!only_operands && (word == "-h" || word == "--help")) return;
    if (!only_operands && word == "--") {
      only_operands = true;
      ++at;
    } else if (!only_operands && looks_like_option(word)) {
      given.push_back(modern(word));
      at = check_option(arguments, at);
    } else {
      if (parser_->stops) break;
      ++operands;
      ++at;
    }
  }
  for (auto const* option : parser_->app.get_options()) {
    if (is_operand(*option) && operands > 0) {
      --operands;
      continue;
    }
    bool const there = std::ranges::any_of(given, [&](auto const& word) {
      return option->check_name(word.substr(0, word.find('=')));
    });
    if (option->get_required() && !there)
      throw UsageError("{} is missing; `{} -h` shows what is expected", option->get_name(),
                       command_);
  }
}

/// CLI11's text. It does not know of the program, and leaves two empty lines between headings.
std::string CommandLine::help() const {
  auto text = parser_->app.help();
  if (constexpr std::string_view end_of_usage = "[OPTIONS]"; parser_->stops)
    text.insert(text.find(end_of_usage) + end_of_usage.size(), " PROGRAM [ARGUMENT...]");
  constexpr std::string_view two_empty_lines = "\n\n\n";
  for (auto at = text.find(two_empty_lines); at != std::string::npos;
       at = text.find(two_empty_lines, at))
    text.erase(at, 1);
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

Arguments CommandLine::parse(Arguments const& arguments) {
  check(arguments);
  auto& app = parser_->app;
  Arguments reversed;  // as CLI11 wants them
  for (auto const& word : arguments) reversed.push_back(modern(word));
  std::ranges::reverse(reversed);
  try {
    app.parse(reversed);
  } catch (CLI::CallForHelp const&) {
    throw HelpWanted("{}", help());
  } catch (CLI::ParseError const&) {
    throw UsageError("these options cannot be read; `{} -h` lists the options", command_);
  }
  auto rest = app.remaining();
  if (parser_->stops)  // as typed
    rest.assign(arguments.end() - static_cast<std::ptrdiff_t>(rest.size()), arguments.end());
  if (!rest.empty() && rest.front() == "--") rest.erase(rest.begin());
  return rest;
}

void CommandLine::parse_all(Arguments const& arguments) {
  parser_->app.allow_extras();
  auto const rest = parse(arguments);
  if (!rest.empty())
    throw UsageError("unexpected argument {}; `{} -h` shows what is expected", rest.front(),
                     command_);
}

}  // namespace earl::exec
