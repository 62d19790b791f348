#include "exec/commands/command_line.hpp"

#include <algorithm>

#include "exec/commands/options.hpp"
#include "exec/nearest.hpp"

namespace earl::exec {

namespace {

/// CLI11 knows no long options after a single dash.
std::string modern(std::string const& word) {
  if (word == "-np" || word == "-wdir") return "-" + word;
  return word;
}

bool is_option(std::string const& word) { return word.size() > 1 && word.front() == '-'; }

/// Of what CLI11 did not know. After a program's name all words are the program's.
void refuse_options(CLI::App const& app, std::vector<std::string> const& rest) {
  for (auto const& word : rest) {
    if (is_option(word)) {
      auto const name = word.substr(0, word.find('='));
      throw UsageError("there is no option {}{}; `{} -h` shows those there are", name,
                       guess(name, options_of(app)), app.get_name());
    }
    if (app.get_prefix_command()) return;
  }
}

}  // namespace

std::vector<std::string> options_of(CLI::App const& app) {
  std::vector<std::string> names;
  for (auto const* option : app.get_options()) {
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
    for (auto const& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> parse(CLI::App& app, std::vector<std::string> const& words) {
  std::vector<std::string> reversed;  // as CLI11 wants them
  for (auto const& word : words) reversed.push_back(modern(word));
  std::ranges::reverse(reversed);
  try {
    app.parse(reversed);
  } catch (CLI::CallForHelp const&) {
    throw HelpWanted("{}", app.help());
  } catch (CLI::ParseError const& error) {
    refuse_options(app, app.remaining());  // a misspelt option explains what is missing
    throw UsageError("{}; `{} -h` shows what there is", error.what(), app.get_name());
  }
  auto rest = app.remaining();
  if (app.get_prefix_command())  // as typed
    rest.assign(words.end() - static_cast<std::ptrdiff_t>(rest.size()), words.end());
  if (!rest.empty() && rest.front() == "--")
    rest.erase(rest.begin());
  else
    refuse_options(app, rest);
  return rest;
}

void parse_all(CLI::App& app, std::vector<std::string> const& words) {
  app.allow_extras();
  auto const rest = parse(app, words);
  if (!rest.empty())
    throw UsageError("{} is one word too many; `{} -h` shows what is expected", rest.front(),
                     app.get_name());
}

}  // namespace earl::exec
