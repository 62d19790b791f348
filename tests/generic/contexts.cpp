// SPDX-License-Identifier: BSD-3-Clause
#include "generic/contexts.hpp"

#include <catch2/catch.hpp>

using earl::Context;
using earl::ContextName;
using earl::Contexts;
using earl::no_number;
using earl::Rank;
using earl::Tag;

TEST_CASE("A context has the name that is found for it") {
  Contexts contexts;
  CHECK(contexts.name(Context{7}).label.empty());
  contexts.find_names_by([](Context context) {
    return ContextName{.label = context == Context{7} ? "communicator rows" : ""};
  });
  CHECK(contexts.name(Context{7}).label == "communicator rows");
  CHECK(contexts.name(Context{8}).label.empty());
}

TEST_CASE("A member of a context has a number where that is not its Rank") {
  ContextName const left{.label = "communicator left", .members = {Rank{0}, Rank{4}, Rank{5}}};
  CHECK(left.number_of(Rank{0}) == no_number);
  CHECK(left.number_of(Rank{5}) == 2);
  CHECK(left.number_of(Rank{1}) == no_number);
  CHECK(ContextName{}.number_of(Rank{5}) == no_number);
}

TEST_CASE("Collectives are counted in each context") {
  Contexts contexts;
  CHECK(contexts.collective_tag(Context{7}) == Tag{0});
  CHECK(contexts.collective_tag(Context{7}) == Tag{1});
  CHECK(contexts.collective_tag(Context{8}) == Tag{0});
}
