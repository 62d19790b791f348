// SPDX-License-Identifier: BSD-3-Clause
/// The standard and library headers that most files include: precompiled for the larger libraries
/// of the tree (-Db_pch=false turns that off). No file includes this one; each file includes the
/// headers that it uses.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
