// SPDX-License-Identifier: BSD-3-Clause
/// The front end of a source file in C or Fortran, by the headers that it includes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/layout.hpp"

namespace earl::exec {

/// By its ending: C or Fortran.
bool is_source(std::string_view path);
bool is_fortran(std::string_view path);

/// The file that a line of source includes: "nx.h" of `#include <nx.h>`, "fpvm3.h" of
/// `      include 'fpvm3.h'`; empty: none.
std::string_view included_file(std::string_view line);

/// The front end that has the first header among the file's includes; null: none, or the file
/// cannot be read.
FrontEnd const* front_end_of_source(std::string const& path, Layout const& layout);

struct IncludedHeader {
  std::string name;
  FrontEnd const* owner;
};

/// The first front end's header that the file includes, if `chosen` has none of its headers; null:
/// it has one, or there is none.
std::optional<IncludedHeader> header_of_another(std::string const& path, FrontEnd const& chosen,
                                                Layout const& layout);

}  // namespace earl::exec
