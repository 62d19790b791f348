// SPDX-License-Identifier: BSD-3-Clause
#include "generic/contexts.hpp"

#include <catch2/catch.hpp>

using earl::Context;
using earl::Contexts;
using earl::Tag;

TEST_CASE("A context has the label that it was given last") {
  Contexts contexts;
  CHECK(contexts.label(7).empty());
  contexts.set_label(Context{7}, "communicator rows");
  contexts.set_label(Context{8}, "communicator columns");
  contexts.set_label(Context{7}, "communicator diagonal");
  CHECK(contexts.label(7) == "communicator diagonal");
  CHECK(contexts.label(8) == "communicator columns");
  contexts.set_label(Context{7}, "");
  CHECK(contexts.label(7).empty());
  CHECK(contexts.label(8) == "communicator columns");
}

TEST_CASE("A context without a label has the one that is found for it") {
  Contexts contexts;
  contexts.set_label(Context{7}, "communicator rows");
  contexts.find_labels_by([](Context context) {
    return context == Context{8} ? std::string{"communicator 0x84"} : std::string{};
  });
  CHECK(contexts.label(7) == "communicator rows");
  CHECK(contexts.label(8) == "communicator 0x84");
  CHECK(contexts.label(9).empty());
}

TEST_CASE("Collectives are counted in each context") {
  Contexts contexts;
  CHECK(contexts.collective_tag(Context{7}) == Tag{0});
  CHECK(contexts.collective_tag(Context{7}) == Tag{1});
  CHECK(contexts.collective_tag(Context{8}) == Tag{0});
}
