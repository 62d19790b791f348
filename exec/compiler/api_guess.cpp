// SPDX-License-Identifier: BSD-3-Clause
#include "exec/compiler/api_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "exec/launcher/programs/calls.hpp"
#include "exec/launcher/programs/sources.hpp"
#include "exec/launcher/programs/symbols.hpp"
#include "generic/base/error.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::exec {

namespace {

/// The files that a compiler is to read: -o names a result.
std::vector<std::string> inputs_among(std::vector<std::string> const& arguments) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-o")
      ++i;
    else if (!arguments[i].starts_with('-'))
      files.push_back(arguments[i]);
  }
  return files;
}

bool is_unlinked(std::string const& path) { return path.ends_with(".o") || path.ends_with(".a"); }

/// A file that cannot be read is the compiler's to report.
std::set<std::string> imports_of_file(std::string const& path) {
  try {
    return imports_of_unlinked(MappedFile(path).bytes());
  } catch (Error const&) {
    return {};
  }
}

}  // namespace

std::string guess_front_end(std::vector<std::string> const& arguments, Layout const& layout) {
  auto const inputs = inputs_among(arguments);
  std::set<std::string> imports;
  for (auto const& input : inputs) {
    if (is_source(input))
      if (auto const* front_end = front_end_of_source(input, layout))
        return std::string(front_end->name);
    if (is_unlinked(input)) imports.merge(imports_of_file(input));
  }
  if (imports.empty()) return {};
  auto const found = CallTables(layout).among(imports);
  return found.front_end ? std::string(found.front_end->name) : std::string{};
}

std::string front_end_mismatch(std::vector<std::string> const& arguments, std::string const& chosen,
                               Layout const& layout) {
  auto const* const front_end = find_front_end(chosen);
  if (!front_end) return {};  // the compiler's command says so
  for (auto const& input : inputs_among(arguments)) {
    if (!is_source(input)) continue;
    if (auto const header = header_of_another(input, *front_end, layout))
      return fmt::format(
          "{} includes {}, a header of {}, and -api {} was given: say -api {}, or leave it out",
          input, header->name, header->owner->title, chosen, header->owner->name);
  }
  return {};
}

bool has_cpp_objects(std::vector<std::string> const& arguments) {
  // The personality routine; the std namespace; operators new and delete.
  constexpr std::array<std::string_view, 6> beginnings{
      "__gxx_personality_", "_ZTVN10__cxxabiv1", "_ZSt", "_ZNSt", "_Zn", "_Zd"};
  auto const is_of_runtime = [&](std::string const& name) {
    return std::ranges::any_of(beginnings,
                               [&](auto beginning) { return name.starts_with(beginning); });
  };
  return std::ranges::any_of(inputs_among(arguments), [&](std::string const& input) {
    return is_unlinked(input) && std::ranges::any_of(imports_of_file(input), is_of_runtime);
  });
}

}  // namespace earl::exec
