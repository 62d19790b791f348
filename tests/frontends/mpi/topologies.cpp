// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/topologies.hpp"

#include <catch2/catch.hpp>

#include "frontends/mpi/errors.hpp"

using namespace earl::mpi;

TEST_CASE("a grid's ranks are in row-major order") {
  std::vector<int> const dims{2, 3};
  std::vector<int> const periods{0, 1};
  Grid const grid = Grid::of(dims, periods.data());
  CHECK(grid.size() == 6);
  CHECK(grid.coordinates(4) == std::vector<int>{1, 1});
  CHECK(grid.rank_of(std::vector<int>{1, -1}) == 5);
  CHECK_THROWS_AS(grid.rank_of(std::vector<int>{2, 0}), MpiError);
  CHECK(grid.neighbour(0, 0, -1) == -1);
  CHECK(grid.neighbour(0, 1, -4) == 2);
}

TEST_CASE("dimensions are as equal as can be") {
  auto const filled = [](int nodes, std::vector<int> dims) {
    fill_dimensions(nodes, dims);
    return dims;
  };
  CHECK(filled(72, {0, 0, 0}) == std::vector<int>{6, 4, 3});
  CHECK(filled(13, {0, 0}) == std::vector<int>{13, 1});
  CHECK(filled(12, {0, 3, 0}) == std::vector<int>{2, 3, 2});
  CHECK_THROWS_AS(filled(12, {5, 0}), MpiError);
  CHECK_THROWS_AS(filled(12, {3}), MpiError);
}

TEST_CASE("an index that goes back is no graph") {
  std::vector<int> const index{2, 1};
  std::vector<int> const edges{0, 1};
  CHECK_THROWS_AS(Graph::of(index, edges.data()), MpiError);
}
