// SPDX-License-Identifier: BSD-3-Clause
/// What the command needs that runs a job in one order after the other.
#pragma once

#include "debug/analyse/load.hpp"
#include "debug/analyse/steer.hpp"
#include "debug/explore/differences.hpp"
#include "debug/explore/matching.hpp"
#include "debug/explore/search.hpp"
#include "debug/explore/shrink.hpp"
#include "debug/trace/meta.hpp"
