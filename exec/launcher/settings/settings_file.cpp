// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/settings_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "exec/launcher/nearest.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_settings_bytes = 64 * 1024;

struct Opened {
  Descriptor file;
  struct stat status {};
};

/// Null: it is not there.
std::optional<Opened> open_file(std::string const& path) {
  // A FIFO must not hold up every command.
  Opened opened{.file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))};
  if (!opened.file && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!opened.file || ::fstat(opened.file.get(), &opened.status) != 0)
    throw UsageError("{}: cannot be read: {}", path, system_message(errno));
  return opened;
}

std::string contents(Opened const& opened, std::string const& path) {
  if (S_ISDIR(opened.status.st_mode))
    throw UsageError("{}: this is a directory; settings are read from a file of that name", path);
  std::string text(most_settings_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    auto const n = ::read(opened.file.get(), text.data() + size, text.size() - size);
    if (n < 0) throw UsageError("{}: cannot be read: {}", path, system_message(errno));
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  if (size > most_settings_bytes)
    throw UsageError("{}: more than 64 KiB; that is no settings file", path);
  text.resize(size);
  return text;
}

std::string trimmed(std::string_view text) {
  constexpr auto blank = " \t\r\f\v";
  auto const first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

/// For sentences: a file may hold anything.
std::string shown_text(std::string text) {
  constexpr std::size_t most = 60;
  if (text.size() > most) text.replace(most, std::string::npos, "...");
  for (auto& c : text)
    if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
  return text;
}

void put_line(Settings& settings, std::string const& line, std::string const& place) {
  auto const equals = line.find('=');
  if (equals == std::string::npos)
    throw UsageError("{}: '{}' is no line of the form key = value", place, shown_text(line));
  auto const key = trimmed(std::string_view(line).substr(0, equals));
  auto const value = trimmed(std::string_view(line).substr(equals + 1));
  auto const* row = find_setting(key);
  if (!row)
    throw UsageError("{}: there is no key '{}'{}; `earl config` shows those there are", place,
                     shown_text(key), guess(key, setting_keys()));
  settings.put(*row, value, place, fmt::format("{}: {} = {}", place, key, shown_text(value)));
}

void put_lines(Settings& settings, std::string_view text, std::string const& path) {
  for (int number = 1; !text.empty(); ++number) {
    auto const end = std::min(text.find('\n'), text.size());
    auto const line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != '#')
      put_line(settings, line, fmt::format("{}:{}", path, number));
  }
}

/// Empty: it is the user's own.
std::string reason_not_to_read(struct stat const& status, std::string const& path) {
  constexpr auto rest = "so it is not read; EARL_CONFIG can name it";
  if (status.st_uid != ::geteuid() && status.st_uid != 0)
    return fmt::format("{} belongs to another user (uid {}), {}", path, status.st_uid, rest);
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fmt::format("{} can be written by others (chmod go-w {}), {}", path, path, rest);
  return {};
}

/// Empty: this user has no home.
std::string user_file() {
  char const* base = std::getenv("XDG_CONFIG_HOME");
  if (base && *base == '/') return std::string(base) + "/earl/config";
  char const* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.config/earl/config" : std::string{};
}

}  // namespace

SettingsFile put_file(Settings& settings, std::string const& path) {
  auto const opened = open_file(path);
  if (!opened) return {.path = path};
  put_lines(settings, contents(*opened, path), path);
  return {.path = path, .read = true};
}

SettingsFile put_project_file(Settings& settings, std::string const& path) {
  auto const opened = open_file(path);
  if (!opened) return {.path = path};
  if (auto sentence = reason_not_to_read(opened->status, path); !sentence.empty())
    return {.path = path, .refusal = std::move(sentence)};
  put_lines(settings, contents(*opened, path), path);
  return {.path = path, .read = true};
}

Configuration read_configuration(Layout const& layout) {
  Configuration found;
  if (char const* only = std::getenv("EARL_CONFIG"); only && *only) {
    found.files.push_back(put_file(found.settings, only));
    if (!found.files.back().read) throw UsageError("EARL_CONFIG={}: there is no such file", only);
  } else {
    found.files.push_back(put_file(found.settings, layout.settings));
    if (auto const path = user_file(); !path.empty())
      found.files.push_back(put_file(found.settings, path));
    found.files.push_back(put_project_file(found.settings, ".earl"));
  }
  put_environment(found.settings);
  return found;
}

}  // namespace earl::exec
