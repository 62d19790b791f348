// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/errors.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::mpi;

TEST_CASE("each error of the core has a class") {
  CHECK(class_of(MpiError(ErrorClass::tag, "tag")) == ErrorClass::tag);
  CHECK(class_of(Error(Fault::bad_rank, "rank")) == ErrorClass::rank);
  CHECK(class_of(Error(Fault::bad_request, "request")) == ErrorClass::request);
  CHECK(class_of(Error(Fault::no_memory, "memory")) == ErrorClass::other);
  CHECK(class_of(Error("anything")) == ErrorClass::intern);
}

TEST_CASE("codes have texts, known or not") {
  CHECK(error_text(0) == "no error");
  CHECK(error_text(14) == "message longer than the room for it");
  CHECK(error_text(-3) == "unknown error code");
  CHECK(name_of(ErrorClass::in_status) == std::string{"MPI_ERR_IN_STATUS"});
}
