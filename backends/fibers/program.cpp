// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/program.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/fibers/hooks.hpp"
#include "backends/fibers/relocation.hpp"
#include "backends/fibers/thread_locals.hpp"
#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

/// Indexes of libearl.so's symbols (exec/runtime/libearl.map).
constexpr std::string_view core_version = "EARL_PRIVATE";

/// Variables of the C library that ranks have for themselves. Streams and the environment are
/// switched with the rank, so that only a program's copies of them are its own.
constexpr std::array<std::string_view, 4> own_variables{"optarg", "optind", "opterr", "optopt"};

void* find_in(void* library, char const* name, char const* version) {
  void* const address = version ? ::dlvsym(library, name, version) : nullptr;
  return address ? address : ::dlsym(library, name);
}

bool in_c_library(std::string_view file) {
  auto const name = file_name(file);
  return name.starts_with("libc.so") || name.starts_with("libm.so") || name.starts_with("ld-linux");
}

/// Where a name of a shared library points to.
struct Owner {
  std::string_view file{};
  bool variable = false;
  std::size_t size = 0;
};

Owner owner_of(void* address) {
  Dl_info facts{};
  void* entry = nullptr;
  if (::dladdr1(address, &facts, &entry, RTLD_DL_SYMENT) == 0) return {};
  Owner owner{.file = facts.dli_fname ? facts.dli_fname : ""};
  if (auto const* symbol = static_cast<Symbol const*>(entry)) {
    owner.variable = ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
    owner.size = symbol->st_size;
  }
  return owner;
}

bool own_of_each(char const* name, Owner const& owner) {
  if (!owner.variable) return false;
  return !in_c_library(owner.file) ||
         std::ranges::count(own_variables, std::string_view{name}) != 0;
}

Target own(std::size_t image, Symbol const& symbol) {
  bool const function = ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC;
  return {function ? Target::Kind::own_function : Target::Kind::own, symbol.st_value, image};
}

}  // namespace

Program::Program(std::string const& path, std::vector<std::string> const& wrappers)
    : wrappers_(wrappers.size()) {
  images_.push_back(std::make_unique<Image>(path));
  for (auto const& wrapper : wrappers) images_.push_back(std::make_unique<Image>(wrapper));
  for (std::size_t i = 0; i < images_.size(); ++i) scope_.push_back({.image = i});
  // Breadth first, as the system's loader does; the list grows as it is walked.
  for (std::size_t i = 0; i < images_.size(); ++i) load_needed(*images_[i]);
  judge();
  targets_.resize(images_.size());
  for (std::size_t i = 0; i < images_.size(); ++i) {
    targets_[i].resize(images_[i]->symbol_count());
    look_up(i);
  }
  for (auto const& library : front_ends_) plan_variables(library);
}

/// Symbols of a front end, whether the program refers to them or not: the front end does.
void Program::plan_variables(std::string const& library) {
  const Image image(library);
  for (std::size_t i = 1; i < image.symbol_count(); ++i) {
    auto const& symbol = image.symbol(i);
    if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
    if (void* const shared = find_shared(image.name(symbol), nullptr))
      plan_variable(image.name(symbol), shared, symbol.st_size);
  }
}

void Program::plan_variable(char const* name, void* shared, std::size_t size) {
  if (std::ranges::count(cells_, shared, &CellPlan::shared) != 0) return;
  constexpr std::size_t alignment = 16;
  CellPlan plan{.name = name, .shared = shared, .size = size, .offset = cell_bytes_};
  if (auto const* own = images_.front()->find(name)) {
    plan.in_program = plan.defined = true;
    plan.offset = own->st_value;
  } else {
    cell_bytes_ += (size + alignment - 1) / alignment * alignment;
  }
  cells_.push_back(std::move(plan));
}

/// All that the file refers to, so that nothing is found missing when a rank runs.
void Program::look_up(std::size_t image) {
  for (bool const procedures : {false, true})
    for (auto const& relocation : images_[image]->relocations(procedures)) {
      auto const index = ELF64_R_SYM(relocation.r_info);
      if (index >= images_[image]->symbol_count())
        throw Error("{} is damaged: it refers to a name that is not there", images_[image]->path());
      look_up(image, relocation, index);
    }
}

void Program::look_up(std::size_t image, Relocation const& relocation, std::size_t index) {
  auto const& path = images_[image]->path();
  switch (asks(relocation)) {
    case RelocationKind::symbol:
    case RelocationKind::symbol_sum:
      if (targets_[image][index].kind == Target::Kind::unknown)
        targets_[image][index] = resolve(image, index);
      return;
    case RelocationKind::copy:
      if (image == 0) return plan_copy(relocation, index);
      break;
    case RelocationKind::tls_module:
    case RelocationKind::tls_offset:
    case RelocationKind::tls_address:
    case RelocationKind::tls_descriptor:
      if (index != 0 && targets_[image][index].kind == Target::Kind::unknown)
        targets_[image][index] = resolve_thread_local(image, index);
      return;
    case RelocationKind::unknown:
      break;
    default:
      return;
  }
  throw Error("{} has a relocation ({}) that Earl cannot do: use --on shm", path,
              ELF64_R_TYPE(relocation.r_info));
}

void Program::load_needed(Image const& of) {
  for (auto const& name : of.needed()) {
    if (std::ranges::count(seen_, name) != 0) continue;
    seen_.push_back(name);
    auto const path = find_library(name, of);
    if (path.empty()) throw Error("{} needs {}, which is not here", of.path(), name);
    if (is_shared(name, path)) {
      share(path);
      continue;
    }
    scope_.push_back({.image = images_.size(), .shared = nullptr});
    images_.push_back(std::make_unique<Image>(path));
  }
}

void Program::share(std::string const& path) {
  // By its name where it is loaded already: the C library must be the one that is here.
  auto const name = path.substr(path.rfind('/') + 1);
  void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!handle) handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw Error("{}", ::dlerror());
  shared_.push_back(handle);
  scope_.push_back({.image = 0, .shared = handle});
  if (is_front_end(path)) front_ends_.push_back(path);
}

void Program::judge() const {
  auto const& program = *images_.front();
  if (!program.shared_object())
    throw Error(
        "{} is not position-independent, so there can be only one of it in a process: link "
        "it again with -pie, or use --on shm",
        program.path());
  if (auto const why = objection_to_thread_locals(program); !why.empty())
    throw Error("{}: use --on shm", why);
  auto const imports = [&](char const* name) { return program.imports(name); };
  if (auto const why = objection_to(imports); !why.empty())
    throw Error("{}: {}: use --on shm", program.path(), why);
  for (auto const& image : images_)
    if (auto const why = objection_to(*image); !why.empty()) throw Error("{}: use --on shm", why);
}

/// In the system loader's order: breadth first. Hooks replace symbols of the libraries that all
/// ranks share.
Target Program::resolve(std::size_t image, std::size_t index) {
  auto const& from = *images_[image];
  auto const& symbol = from.symbol(index);
  char const* const name = from.name(symbol);
  if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return own(image, symbol);
  if (auto const next = next_wrapper(image, symbol)) return *next;
  char const* const version = from.version(index);
  void* const hook = find_hook(name);
  for (auto const& place : scope_) {
    if (!place.shared) {
      if (auto const* found = images_[place.image]->find(name)) return own(place.image, *found);
      continue;
    }
    void* const address = find_in(place.shared, name, version);
    // A shared library's own libraries are searched, too: of one that ranks have for themselves,
    // theirs is meant.
    if (address && is_private(owner_of(address).file)) continue;
    // The C++ runtime in libearl.so is Earl's own, and of programs that are linked with that.
    bool const meant = version && std::string_view{version} == core_version;
    if (address && !meant && is_core(owner_of(address).file)) continue;
    if (address && hook) return {Target::Kind::fixed, reinterpret_cast<std::uintptr_t>(hook), 0};
    if (address) return shared_target(name, address);
  }
  if (ELF64_ST_BIND(symbol.st_info) == STB_WEAK) return {Target::Kind::fixed, 0, 0};
  throw Error("{} needs {}, which none of its libraries has", from.path(), name);
}

/// A wrapper's call by a front end's second name, which has a P before the first, is for the
/// wrapper that comes after it: to each the others look like the library. As
/// exec/runtime/wrapper_chain.cpp has it for processes.
std::optional<Target> Program::next_wrapper(std::size_t image, Symbol const& symbol) const {
  char const* const name = images_[image]->name(symbol);
  if (image >= wrappers_ || symbol.st_shndx != SHN_UNDEF || (*name != 'P' && *name != 'p'))
    return std::nullopt;
  if (image == 0 && !images_[0]->find(name + 1)) return std::nullopt;
  for (auto next = image + 1; next <= wrappers_; ++next)
    if (auto const* found = images_[next]->find(name + 1))
      return in_front_end(name) ? std::optional{own(next, *found)} : std::nullopt;
  return std::nullopt;
}

bool Program::is_front_end_here(std::string_view file) const {
  return std::ranges::any_of(
      front_ends_, [&](std::string_view path) { return file_name(path) == file_name(file); });
}

/// Whether a front end, or a library that ranks have for themselves, has the name and the one it is
/// the second of.
bool Program::in_front_end(char const* name) const {
  for (auto const& place : scope_) {
    auto const* const image = place.shared ? nullptr : images_[place.image].get();
    if (image && place.image > wrappers_ && image->find(name) && image->find(name + 1)) return true;
    void* const address = place.shared ? find_in(place.shared, name, nullptr) : nullptr;
    if (address && is_front_end_here(owner_of(address).file))
      return find_in(place.shared, name + 1, nullptr) != nullptr;
  }
  return false;
}

Target Program::find(std::string_view name, std::optional<std::size_t> behind) const {
  const std::string text{name};
  bool reached = !behind;
  for (auto const& place : scope_) {
    if (!reached) {
      reached = !place.shared && place.image == *behind;
      continue;
    }
    auto const* const found = place.shared ? nullptr : images_[place.image]->find(name);
    if (found) return own(place.image, *found);
    void* const address = place.shared ? find_in(place.shared, text.c_str(), nullptr) : nullptr;
    if (!address || is_private(owner_of(address).file) || is_core(owner_of(address).file)) continue;
    if (void* const hook = find_hook(name))
      return {Target::Kind::fixed, reinterpret_cast<std::uintptr_t>(hook), 0};
    auto const cell = std::ranges::find(cells_, address, &CellPlan::shared);
    if (cell == cells_.end())
      return {Target::Kind::fixed, reinterpret_cast<std::uintptr_t>(address), 0};
    return {Target::Kind::cell, 0, static_cast<std::size_t>(cell - cells_.begin())};
  }
  return {};
}

bool Program::is_private(std::string_view file) const {
  return std::any_of(images_.begin() + 1, images_.end(), [&](auto const& image) {
    return file_name(image->path()) == file_name(file);
  });
}

void* Program::find_shared(char const* name, char const* version) const {
  for (auto* const handle : shared_)
    if (void* const address = find_in(handle, name, version)) return address;
  return nullptr;
}

Target Program::shared_target(char const* name, void* address) {
  auto const owner = owner_of(address);
  if (!own_of_each(name, owner))
    return {Target::Kind::fixed, reinterpret_cast<std::uintptr_t>(address), 0};
  plan_variable(name, address, owner.size);
  auto const found = std::ranges::find(cells_, address, &CellPlan::shared);
  return {Target::Kind::cell, 0, static_cast<std::size_t>(found - cells_.begin())};
}

/// A variable that the program has taken over from a library: a private one's is copied out of the
/// rank's own copy, a shared one's becomes the rank's cell.
void Program::plan_copy(Relocation const& relocation, std::size_t index) {
  auto const& program = *images_.front();
  auto const& symbol = program.symbol(index);
  char const* const name = program.name(symbol);
  for (std::size_t i = 1; i < images_.size(); ++i)
    if (auto const* found = images_[i]->find(name)) {
      sources_[relocation.r_offset] = {i, found->st_value, symbol.st_size};
      return;
    }
  void* const shared = find_shared(name, program.version(index));
  if (!shared) throw Error("{} needs {}, which none of its libraries has", program.path(), name);
  cells_.push_back({.name = name,
                    .shared = shared,
                    .size = symbol.st_size,
                    .in_program = true,
                    .offset = relocation.r_offset});
}

/// The C library's own stay its own: all ranks run in the thread that has them.
Target Program::resolve_thread_local(std::size_t image, std::size_t index) const {
  auto const& from = *images_[image];
  auto const& symbol = from.symbol(index);
  if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
    return {Target::Kind::thread_local_variable, symbol.st_value, image};
  for (auto const& place : scope_) {
    if (place.shared) continue;
    auto const* const found = images_[place.image]->find(from.name(symbol));
    if (found && ELF64_ST_TYPE(found->st_info) == STT_TLS)
      return {Target::Kind::thread_local_variable, found->st_value, place.image};
  }
  throw Error(
      "{} uses a thread-local variable ({}) of a library that all ranks share: use --on shm",
      from.path(), from.name(symbol));
}

}  // namespace earl::fibers
