/// As generic/pch/standard.hpp, for programs of unit tests.
#include <catch2/catch.hpp>

#include "generic/pch/standard.hpp"
