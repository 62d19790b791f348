// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include "debug/symbols/modules.hpp"

namespace earl::trace {

namespace {

/// libdw, loaded when a line is wanted: no process of a healthy run pays for it.
class Libdw {
 public:
  Libdw() : library_(dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) return;
    find(begin, "dwfl_begin");
    find(end, "dwfl_end");
    find(report_begin, "dwfl_report_begin");
    find(report_offline, "dwfl_report_offline");
    find(report_end, "dwfl_report_end");
    find(info, "dwfl_module_info");
    find(name_at, "dwfl_module_addrname");
    find(unit_at, "dwfl_module_addrdie");
    find(next_unit, "dwfl_module_nextcu");
    find(holds, "dwarf_haspc");
    find(rows, "dwarf_getsrclines");
    find(row, "dwarf_onesrcline");
    find(row_address, "dwarf_lineaddr");
    find(row_number, "dwarf_lineno");
    find(row_file, "dwarf_linesrc");
    find(row_ends, "dwarf_lineendsequence");
    find(find_elf, "dwfl_standard_find_debuginfo");
    find(section_address, "dwfl_offline_section_address");
  }
  bool usable() const { return library_ != nullptr && missing_ == 0; }

  decltype(&dwfl_begin) begin = nullptr;
  decltype(&dwfl_end) end = nullptr;
  decltype(&dwfl_report_begin) report_begin = nullptr;
  decltype(&dwfl_report_offline) report_offline = nullptr;
  decltype(&dwfl_report_end) report_end = nullptr;
  decltype(&dwfl_module_info) info = nullptr;
  decltype(&dwfl_module_addrname) name_at = nullptr;
  decltype(&dwfl_module_addrdie) unit_at = nullptr;
  decltype(&dwfl_module_nextcu) next_unit = nullptr;
  decltype(&dwarf_haspc) holds = nullptr;
  decltype(&dwarf_getsrclines) rows = nullptr;
  decltype(&dwarf_onesrcline) row = nullptr;
  decltype(&dwarf_lineaddr) row_address = nullptr;
  decltype(&dwarf_lineno) row_number = nullptr;
  decltype(&dwarf_linesrc) row_file = nullptr;
  decltype(&dwarf_lineendsequence) row_ends = nullptr;
  decltype(&dwfl_standard_find_debuginfo) find_elf = nullptr;
  decltype(&dwfl_offline_section_address) section_address = nullptr;

 private:
  template <class Function>
  void find(Function& function, char const* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) ++missing_;
  }
  void* library_;
  int missing_ = 0;
};

std::string_view base_name(std::string_view path) {
  auto const slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// clang writes no .debug_aranges, and without them libdw knows no unit by its address.
Dwarf_Die* unit_of(Libdw const& dw, Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  Dwarf_Die* unit = dw.unit_at(module, address, &bias);
  if (unit != nullptr) return unit;
  do {
    unit = dw.next_unit(module, unit, &bias);
  } while (unit != nullptr && dw.holds(unit, address - bias) != 1);
  return unit;
}

/// The last row at or before `address` that has a line. A compiler gives line 0 to code that it
/// merged from several statements; the row before is then the nearest place.
Dwarf_Line* row_of(Libdw const& dw, Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Lines* rows = nullptr;
  std::size_t count = 0;
  if (dw.rows(unit, &rows, &count) != 0) return nullptr;
  Dwarf_Line* best = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* row = dw.row(rows, i);
    Dwarf_Addr at = 0;
    if (dw.row_address(row, &at) != 0 || at > address) break;
    bool ends = false;
    int number = 0;
    dw.row_ends(row, &ends);
    dw.row_number(row, &number);
    if (ends) best = nullptr;
    if (!ends && number > 0) best = row;
  }
  return best;
}

/// One module under libdw's eyes.
class Look {
 public:
  explicit Look(std::string const& path) {
    if (!dw_.usable()) return;
    callbacks_.find_debuginfo = dw_.find_elf;
    callbacks_.section_address = dw_.section_address;
    callbacks_.debuginfo_path = &debug_path_;
    session_ = dw_.begin(&callbacks_);
    if (session_ == nullptr) return;
    dw_.report_begin(session_);
    module_ = dw_.report_offline(session_, "", path.c_str(), -1);
    dw_.report_end(session_, nullptr, nullptr);
    if (module_ != nullptr)
      dw_.info(module_, nullptr, &start_, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  ~Look() {
    if (session_ != nullptr) dw_.end(session_);
  }
  Look(Look const&) = delete;
  Look& operator=(Look const&) = delete;

  /// "file:line"; empty: unknown.
  std::string line_at(std::uint64_t offset) const {
    if (module_ == nullptr) return {};
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = unit_of(dw_, module_, start_ + offset, bias);
    Dwarf_Line* row = unit == nullptr ? nullptr : row_of(dw_, unit, start_ + offset - bias);
    if (row == nullptr) return {};
    int number = 0;
    dw_.row_number(row, &number);
    char const* file = dw_.row_file(row, nullptr, nullptr);
    return file == nullptr ? std::string{} : fmt::format("{}:{}", base_name(file), number);
  }
  std::string function_at(std::uint64_t offset) const {
    char const* name = module_ == nullptr ? nullptr : dw_.name_at(module_, start_ + offset);
    return name == nullptr ? std::string{} : name;
  }

 private:
  Libdw dw_;
  Dwfl_Callbacks callbacks_{};
  char* debug_path_ = nullptr;
  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr start_ = 0;
};

}  // namespace

// A return address is behind the call; one byte back is in it.

std::string line_of(std::string const& path, std::uint64_t offset) {
  auto const line = offset == 0 ? std::string{} : Look(path).line_at(offset - 1);
  return line.empty() ? fmt::format("{}+{:#x}", base_name(path), offset) : line;
}

std::string function_of(std::string const& path, std::uint64_t offset) {
  return offset == 0 ? std::string{} : Look(path).function_at(offset - 1);
}

}  // namespace earl::trace
