// SPDX-License-Identifier: BSD-3-Clause
#include "exec/compiler/compiler.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>

#include "exec/launcher/nearest.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/base/words.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

template <class List>
bool contains(List const& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Options of the compilers of the time that every program here has anyway, or that name a CPU that
/// no host here has.
constexpr std::array<std::string_view, 9> dropped{"-vx",    "-vec",   "-i860",  "-i4",    "-lvec",
                                                  "-lhost", "-lnode", "-lmach", "-lkmath"};

/// Also those of the i860's compilers that begin so: -Knoieee, -Mvect=cachesize:4.
bool is_dropped(std::string_view word) {
  bool const is_of_i860 = word.size() > 2 && std::islower(static_cast<unsigned char>(word[2])) != 0;
  return contains(dropped, word) ||
         (is_of_i860 && (word.starts_with("-K") || word.starts_with("-M")));
}

/// REAL has 8 bytes.
bool doubles_reals(std::string_view word) { return word == "-r8" || word == "-Mr8"; }

/// With one of these the compiler stops before linking.
constexpr std::array<std::string_view, 6> stops{"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"};

/// Lines in reports of deadlocks and crashes come from -g.
Arguments debug_information(Compilation const& what) {
  auto const chosen = [](auto const& word) { return word.starts_with("-g"); };
  return std::ranges::any_of(what.arguments, chosen) ? Arguments{} : Arguments{"-g"};
}

/// Not those that pass on an option: -Wl, -Wp and -Wa.
bool is_warning(std::string_view word) {
  return word.starts_with("-W") && word.find(',') == std::string_view::npos;
}

/// The language of the time.
Arguments dialect(Compilation const& what) {
  if (what.language == Language::fortran)
    return {"-std=legacy", "-fallow-argument-mismatch", "-fno-backtrace"};
  if (what.compiles_cpp()) return {"-fpermissive"};
  return {"-std=gnu99", "-fcommon", "-fno-builtin-exit"};  // exit();
}

/// No warnings about that language unless the user asks for some. NX's longs were as long as an
/// int: there a pointer to the other one is wrong now.
Arguments silence(Compilation const& what, FrontEnd const& front_end) {
  if (std::ranges::any_of(what.arguments, is_warning)) return {};
  bool const is_c = what.language == Language::c && !what.compiles_cpp();
  if (!is_c || front_end.name != "nx" || what.short_words) return {"-w"};
  return {"-Wno-implicit-int",
          "-Wno-implicit-function-declaration",
          "-Wno-discarded-qualifiers",
          "-Wno-builtin-declaration-mismatch",
          "-Wno-overflow",
          "-Wno-deprecated-declarations",
          "-Wno-unused-result",
          "-Wno-endif-labels",
          "-Wno-cpp"};
}

std::string link_name(std::string_view library) {
  return "-l" + std::string(library.substr(std::string_view{"lib"}.size()));
}

void add_library(Arguments& command, std::string const& folder, std::string_view library) {
  if (!library.empty() && std::filesystem::exists(folder + "/" + std::string(library) + ".so"))
    command.push_back(link_name(library));
}

/// Nothing refers to the note, so that its library has to go in whole.
void add_note(Arguments& flags, std::string_view name, Layout const& layout) {
  flags.insert(flags.end(), {"-Wl,--push-state,--whole-archive",
                             fmt::format("{}/libearl{}.a", layout.core, name), "-Wl,--pop-state"});
}

/// The front end's other libraries that the program calls (PVM's groups).
void add_others(Arguments& flags, std::string const& folder, FrontEnd const& front_end) {
  Arguments others;
  for (auto const library : std::span{front_end.libraries}.subspan(1))
    if (library != front_end.fortran_library) add_library(others, folder, library);
  if (others.empty()) return;
  flags.emplace_back("-Wl,--push-state,--as-needed");
  flags.insert(flags.end(), others.begin(), others.end());
  flags.emplace_back("-Wl,--pop-state");
}

/// A program finds its libraries where they are now, in the build tree as installed.
Arguments link_flags(Compilation const& what, FrontEnd const& front_end, Layout const& layout) {
  auto const folder = layout.libraries_of(front_end.name);
  Arguments flags{"-L" + folder, "-Wl,-rpath," + folder, "-Wl,-rpath," + layout.core,
                  "-Wl,-rpath-link," + layout.core, "-Wl,--push-state,--no-as-needed"};
  if (what.language == Language::fortran) add_library(flags, folder, front_end.fortran_library);
  flags.push_back(link_name(front_end.libraries.front()));
  flags.emplace_back("-Wl,--pop-state");
  add_others(flags, folder, front_end);
  if (what.has_cpp_objects) flags.emplace_back("-lstdc++");
  if (what.side != Side::either) add_note(flags, what.side == Side::host ? "host" : "node", layout);
  if (what.is_application && what.side != Side::host && front_end.name == "nx")
    add_note(flags, "whole", layout);
  return flags;
}

/// The compiler preprocesses in a run of its own, and earlcc starts its later stages, shortening
/// the words in between.
Arguments short_word_flags(Compilation const& what, Layout const& layout) {
  if (what.language == Language::fortran)
    throw UsageError("-long32: is for C; the words of Fortran have 4 bytes anyway");
  if (auto const& name = what.front_end; !name.empty() && name != "nx")
    throw UsageError("-long32: is for NX; the calls of {} take `long` as the compiler has it",
                     name);
  return {"-DEARL_NX_LONG32", "-no-integrated-cpp", "-wrapper",
          fmt::format("{}/earlcc,{}", layout.commands, run_shortened)};
}

FrontEnd const& front_end_named(std::string const& name) {
  if (name.empty()) return usual_front_end();
  if (auto const* row = find_front_end(name)) return *row;
  if (auto const* row = find_left_out(name))
    throw UsageError("-api {}: {}", name, built_without(*row));
  std::vector<std::string> names;
  for (auto const& row : front_ends()) names.emplace_back(row.name);
  throw UsageError("-api {}: there is no such front end; there is: {}{}", name,
                   fmt::join(names, ", "), guess(name, names));
}

/// "-pvm2" is "-api pvm2"; -nx is more.
FrontEnd const* named_by(std::string_view word) {
  if (!word.starts_with('-') || word == "-nx") return nullptr;
  auto const* built = find_front_end(word.substr(1));
  return built ? built : find_left_out(word.substr(1));
}

/// Whether a word of a compiler's command line starts `file`, as a path or by PATH.
bool names_file(std::string const& word, std::string const& file) {
  std::error_code failed;
  auto const found = word.find('/') == std::string::npos ? find_command(word) : word;
  return !found.empty() && std::filesystem::equivalent(found, file, failed);
}

bool runs_wrapper(char const* compiler, CompilerChoice const& choice) {
  return std::ranges::any_of(split_words(compiler),
                             [&](auto const& word) { return names_file(word, choice.wrapper); });
}

struct ShowOption {
  std::string_view word;
  Show show;
};

/// MPICH's wrappers have the first ones, Open MPI's the others.
constexpr std::array show_options{
    ShowOption{"-show", Show::command},
    ShowOption{"-compile_info", Show::command},
    ShowOption{"-compile-info", Show::command},
    ShowOption{"-link_info", Show::command},
    ShowOption{"-link-info", Show::command},
    ShowOption{"-showme", Show::command},
    ShowOption{"--showme", Show::command},
    ShowOption{"-showme:compile", Show::compile_flags},
    ShowOption{"--showme:compile", Show::compile_flags},
    ShowOption{"-showme:link", Show::link_flags},
    ShowOption{"--showme:link", Show::link_flags},
};

Show show_named(std::string_view word) {
  auto const* const found = std::ranges::find(show_options, word, &ShowOption::word);
  return found == show_options.end() ? Show::nothing : found->show;
}

Arguments compile_flags(Compilation const& what, FrontEnd const& front_end, Layout const& layout) {
  auto flags = dialect(what);
  for (auto const& more : {silence(what, front_end), debug_information(what)})
    flags.insert(flags.end(), more.begin(), more.end());
  // Before the user's own -I: an `nx.h` of another system must not win.
  flags.push_back("-I" + layout.headers_of(front_end.name));
  return flags;
}

}  // namespace

FrontEnd const& usual_front_end() {
  auto const* nx = find_front_end("nx");
  return nx ? *nx : front_ends().front();
}

std::string choose_compiler(Language language, CompilerChoice const& choice) {
  bool const is_c = language == Language::c;
  if (choice.own && *choice.own) {
    if (runs_wrapper(choice.own, choice))
      throw UsageError("{}={}: this is the wrapper itself; name the compiler that it shall run",
                       is_c ? "EARL_CC" : "EARL_FC", choice.own);
    return choice.own;
  }
  if (choice.common && *choice.common && !runs_wrapper(choice.common, choice)) return choice.common;
  return !is_c ? "gfortran" : choice.is_cpp ? "g++" : "gcc";
}

bool Compilation::links() const {
  // Without a file, as with -v, there is nothing to link.
  auto const names_input = [](auto const& word) { return !word.starts_with('-') || word == "-"; };
  return (show != Show::nothing || std::ranges::any_of(arguments, names_input)) &&
         std::ranges::none_of(arguments, [](auto const& word) { return contains(stops, word); });
}

bool Compilation::compiles_cpp() const {
  constexpr std::array<std::string_view, 5> extensions{".C", ".cc", ".cpp", ".cxx", ".c++"};
  auto const is_cpp = [&](std::string const& word) {
    return !word.starts_with('-') &&
           contains(extensions, std::filesystem::path{word}.extension().native());
  };
  return language == Language::c && std::ranges::any_of(arguments, is_cpp);
}

Compilation parse_compilation(Language language, Arguments const& arguments) {
  Compilation what{.language = language, .arguments = {}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto const& word = arguments[i];
    if (word == "-long32") {
      what.short_words = true;
    } else if (auto const show = show_named(word); show != Show::nothing) {
      what.show = show;
      if (word == "-compile_info" || word == "-compile-info") what.arguments.emplace_back("-c");
    } else if (word == "-static" || word == "--static") {
      throw UsageError(
          "{}: Earl's libraries are shared ones only, so that a program runs on each back end and "
          "under each debugger; leave it out",
          word);
    } else if (word.starts_with("-cc=") || word.starts_with("-fc=") || word.starts_with("-f77=")) {
      what.compiler = word.substr(word.find('=') + 1);
    } else if (word == "-h" || word == "--help") {
      what.help = true;
    } else if (word == "-api") {
      if (++i == arguments.size()) throw UsageError("-api: the name of a front end is missing");
      what.front_end = arguments[i];
    } else if (word.starts_with("-api=")) {
      what.front_end = word.substr(5);
    } else if (word == "-host" || word == "-node") {
      what.side = word == "-host" ? Side::host : Side::node;
    } else if (word == "-nx") {
      what.is_application = true;
    } else if (auto const* named = named_by(word)) {
      what.front_end = named->name;
    } else if (language == Language::fortran && doubles_reals(word)) {
      what.arguments.insert(what.arguments.end(), {"-fdefault-real-8", "-fdefault-double-8"});
    } else if (!is_dropped(word)) {
      what.arguments.push_back(word);
    }
  }
  return what;
}

Arguments compiler_command(Compilation const& what, std::string const& compiler,
                           Layout const& layout) {
  auto const& front_end = front_end_named(what.front_end);
  if (what.show == Show::compile_flags) return compile_flags(what, front_end, layout);
  if (what.show == Show::link_flags) return link_flags(what, front_end, layout);
  auto command = split_words(compiler);
  auto const add = [&](Arguments const& more) {
    command.insert(command.end(), more.begin(), more.end());
  };
  add(compile_flags(what, front_end, layout));
  if (what.short_words) add(short_word_flags(what, layout));
  add(what.arguments);
  if (what.links()) add(link_flags(what, front_end, layout));
  return command;
}

}  // namespace earl::exec
