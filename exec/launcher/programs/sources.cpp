// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/sources.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "exec/launcher/programs/programs.hpp"

namespace earl::exec {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 12> endings{".c", ".h", ".i",   ".cc",  ".cpp", ".C",
                                                   ".f", ".F", ".for", ".f77", ".f90", ".F90"};

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

bool has_header(FrontEnd const& front_end, std::string_view header, Layout const& layout) {
  auto const name = base_name(header);
  std::error_code failed;
  return !name.empty() &&
         fs::is_regular_file(fs::path(layout.headers_of(front_end.name)) / name, failed);
}

FrontEnd const* owner_of_header(std::string_view header, Layout const& layout) {
  for (auto const& front_end : front_ends())
    if (has_header(front_end, header, layout)) return &front_end;
  return nullptr;
}

}  // namespace

bool is_source(std::string_view path) {
  return std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

bool is_fortran(std::string_view path) {
  auto const ending = path.substr(std::min(path.rfind('.'), path.size()));
  return is_source(path) && ending.size() > 1 && same_letter(ending[1], 'f');
}

std::string_view included_file(std::string_view line) {
  constexpr std::string_view keyword = "include";
  auto rest = without_blanks(line);
  if (rest.starts_with('#')) rest = without_blanks(rest.substr(1));
  if (rest.size() < keyword.size() ||
      !std::equal(keyword.begin(), keyword.end(), rest.begin(), same_letter))
    return {};
  rest = without_blanks(rest.substr(keyword.size()));
  if (rest.empty()) return {};
  auto const closing = rest.front() == '<' ? '>' : rest.front();
  if (closing != '>' && closing != '"' && closing != '\'') return {};
  auto const end = rest.find(closing, 1);
  return end == std::string_view::npos ? std::string_view{} : rest.substr(1, end - 1);
}

FrontEnd const* front_end_of_source(std::string const& path, Layout const& layout) {
  std::ifstream source(path);
  for (std::string line; std::getline(source, line);)
    if (auto const* owner = owner_of_header(included_file(line), layout)) return owner;
  return nullptr;
}

std::optional<IncludedHeader> header_of_another(std::string const& path, FrontEnd const& chosen,
                                                Layout const& layout) {
  std::ifstream source(path);
  std::optional<IncludedHeader> first;
  for (std::string line; std::getline(source, line);) {
    auto const header = included_file(line);
    if (has_header(chosen, header, layout)) return std::nullopt;
    // A program may have a header of its own with such a name.
    if (std::error_code failed; fs::exists(fs::path(path).parent_path() / header, failed)) continue;
    if (auto const* owner = owner_of_header(header, layout); owner && !first)
      first = {.name = std::string(header), .owner = owner};
  }
  return first;
}

}  // namespace earl::exec
