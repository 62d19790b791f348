// SPDX-License-Identifier: BSD-3-Clause
/// As generic/pch/standard.hpp, for programs of unit tests.
#include <catch2/catch.hpp>

#include "generic/pch/standard.hpp"
