// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "frontends/nx/application.hpp"
#include "frontends/nx/errors.hpp"
#include "generic/base/number.hpp"

namespace earl::nx {

namespace {

/// Each takes a value. All but the size concern features that do not exist here: places,
/// priorities, memory and message buffers.
constexpr std::array<std::string_view, 16> with_value = {
    "-sz",  "-pn",  "-pt",  "-on",  "-pri", "-acct", "-gth", "-mbf",
    "-mea", "-mex", "-noc", "-pkt", "-sct", "-sth",  "-rlx", "-nt"};
constexpr std::string_view alone = "-plk";

std::int32_t positive(std::string_view text, std::string_view all) {
  auto const value = number_from<std::int32_t>(text);
  if (!value || *value < 0)
    throw NxError(EQPARAM, "'{}' is no number of nodes, rows or processes", all);
  return *value;
}

}  // namespace

Shape shape_of(std::string_view text) {
  auto const cross = text.find('x');
  if (cross == text.npos) return {.columns = positive(text, text)};
  return {.rows = positive(text.substr(0, cross), text),
          .columns = positive(text.substr(cross + 1), text)};
}

std::optional<Shape> take_switches(std::int32_t& count, char** argv) {
  std::optional<Shape> size;
  std::int32_t kept = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::string_view word = argv[i];
    bool const valued = i > 0 && std::ranges::find(with_value, word) != with_value.end();
    if (valued && i + 1 == count) throw NxError(EQPARAM, "the switch {} lacks its value", word);
    if (word == "-sz" && valued) size = shape_of(argv[i + 1]);
    if (valued)
      ++i;
    else if (i == 0 || word != alone)
      argv[kept++] = argv[i];
  }
  argv[kept] = nullptr;
  count = kept;
  return size;
}

}  // namespace earl::nx
