// SPDX-License-Identifier: BSD-3-Clause
/// The settings of a job. One row is a key of a configuration file, an environment
/// variable and an option of `earl run`; layers are put one over the other and end in a Plan.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/plan.hpp"

namespace earl::exec {

/// `--on net`: the back end that joins hosts.
inline constexpr std::string_view network_option = "net";
/// The heading in help of settings and options about debugging.
inline constexpr std::string_view debugging_options = "Debugging";
/// Why no back end of this build joins hosts, and how to have one; empty: one does.
std::string missing_network();

struct Setting {
  std::string_view key;           ///< "tag-output": also --tag-output and EARL_TAG_OUTPUT
  std::string_view short_option;  ///< "-v"; empty: none
  std::string_view type_name;     ///< of its value in help; empty: a flag, yes or no
  std::string_view usual;         ///< built in, as text
  std::string_view group;         ///< its heading in help
  std::string_view help;
  /// Throws UsageError with the expected values.
  void (*apply)(Plan&, std::string const& value);

  std::string option() const { return "--" + std::string(key); }
  std::string variable() const;
};

std::span<Setting const> setting_rows();
/// Null: there is no such key.
Setting const* find_setting(std::string_view key);
std::vector<std::string> setting_keys();

class Settings {
 public:
  static constexpr char const* built_in = "built in";

  struct Value {
    std::string text;
    std::string origin;  ///< "built in", "/etc/earl.conf:3", "EARL_TIMEOUT", "command line"
  };

  Settings();

  /// A value of a later layer. `place` begins the sentence when it will not do ("--timeout 0").
  /// Throws UsageError.
  void put(Setting const& row, std::string value, std::string origin, std::string_view place);
  Value const& at(Setting const& row) const { return values_[index_of(row)]; }
  /// The settings of all layers. Built-in values are in the Plan already.
  void apply_to(Plan& plan) const;

 private:
  static std::size_t index_of(Setting const& row);

  std::vector<Value> values_;  ///< by row
  std::vector<bool> set_;
};

/// EARL_ON, EARL_TIMEOUT and so on. Throws UsageError.
void put_environment(Settings& settings);
/// The same of one setting.
void put_environment(Settings& settings, Setting const& row);

/// A sentence for each variable of the environment that seems to be a misspelt setting.
std::vector<std::string> misspelt_variables();

}  // namespace earl::exec
