// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/dap_messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

using nlohmann::json;

namespace {

constexpr std::string_view end_of_header = "\r\n\r\n";
constexpr std::string_view length_field = "Content-Length: ";
constexpr std::size_t longest_header = 4096;
constexpr std::size_t longest_message = 1U << 20;

}  // namespace

bool DapMessages::read_more() {
  std::array<char, 4096> bytes{};
  for (;;) {
    auto const got = ::read(in_, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) read_.append(bytes.data(), static_cast<std::size_t>(got));
    return got > 0;
  }
}

std::size_t DapMessages::length_in(std::string const& header) const {
  std::istringstream lines{header};
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.starts_with(length_field)) continue;
    auto const length = number_from<std::size_t>(line.substr(length_field.size()));
    if (length && *length <= longest_message) return *length;
    throw Error("the debug adapter's client sent `{}`: at most {} bytes are taken", line,
                longest_message);
  }
  throw Error("the debug adapter's client sent a message without `Content-Length: N`");
}

std::optional<json> DapMessages::next() {
  std::size_t end = read_.find(end_of_header);
  for (; end == std::string::npos; end = read_.find(end_of_header)) {
    if (read_.size() > longest_header)
      throw Error(
          "the debug adapter's client sent {} bytes without the end of a header; `earl debug "
          "--dap` speaks the Debug Adapter Protocol on standard input",
          read_.size());
    if (!read_more()) return std::nullopt;
  }
  auto const begin = end + end_of_header.size();
  auto const length = length_in(read_.substr(0, end));
  while (read_.size() < begin + length)
    if (!read_more()) return std::nullopt;
  auto message = json::parse(read_.substr(begin, length), nullptr, false);
  read_.erase(0, begin + length);
  if (!message.is_object())
    throw Error("the debug adapter's client sent {} bytes that are no JSON object", length);
  return message;
}

bool DapMessages::send(json message) {
  message["seq"] = ++sent_;
  auto const body = message.dump(-1, ' ', false, json::error_handler_t::replace);
  auto const text = fmt::format("{}{}{}{}", length_field, body.size(), end_of_header, body);
  for (std::size_t done = 0; done < text.size();) {
    auto const put = ::write(out_, text.data() + done, text.size() - done);
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) done += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace earl::exec
