// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/predefined.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

using namespace earl;
using namespace earl::mpi;

namespace {

/// Values one behind the other, beginning at an odd address.
class Packed {
 public:
  template <class... Values>
  explicit Packed(Values... values) {
    (append(values), ...);
  }
  std::byte* data() { return memory_.data() + 1; }
  std::size_t size() const { return memory_.size() - 1; }
  bool operator==(Packed const& other) const { return memory_ == other.memory_; }

 private:
  template <class Value>
  void append(Value value) {
    std::size_t const at = memory_.size();
    // In a long double 10 bytes are its value.
    std::size_t const bytes = std::is_same_v<Value, long double> ? 10 : sizeof value;
    memory_.resize(at + sizeof value);
    std::memcpy(memory_.data() + at, &value, bytes);
  }
  std::vector<std::byte> memory_{std::byte{}};
};

Packed combined(Handle op, Handle datatype, Packed into, Packed from) {
  auto const combine = predefined_combine(op, datatype);
  REQUIRE(combine.function);
  CHECK(into.size() % combine.unit == 0);
  combine({into.data(), into.size()}, {from.data(), from.size()});
  return into;
}

template <class Value, class Place>
void locate(Handle datatype) {
  auto const v = [](int value) { return static_cast<Value>(value); };
  auto const p = [](int place) { return static_cast<Place>(place); };
  Packed const ours{v(3), p(1), v(2), p(5), v(7), p(9)};
  Packed const theirs{v(4), p(2), v(2), p(3), v(6), p(8)};
  CHECK(combined(MPI_MAXLOC, datatype, ours, theirs) == Packed{v(4), p(2), v(2), p(3), v(7), p(9)});
  CHECK(combined(MPI_MINLOC, datatype, ours, theirs) == Packed{v(3), p(1), v(2), p(3), v(6), p(8)});
}

}  // namespace

TEST_CASE("mpi: values with places are combined wherever they lie") {
  locate<float, int>(MPI_FLOAT_INT);
  locate<double, int>(MPI_DOUBLE_INT);
  locate<long, int>(MPI_LONG_INT);
  locate<short, int>(MPI_SHORT_INT);
  locate<int, int>(MPI_2INT);
  locate<int, int>(MPI_2INTEGER);
  locate<float, float>(MPI_2REAL);
  locate<double, double>(MPI_2DOUBLE_PRECISION);
}

TEST_CASE("mpi: a long double with a place has 20 bytes") {
  auto const combine = predefined_combine(MPI_MAXLOC, MPI_LONG_DOUBLE_INT);
  CHECK(combine.unit == 20);
  Packed ours{3.0L, 1}, theirs{4.0L, 2};
  combine({ours.data(), 20}, {theirs.data(), 20});
  CHECK(std::memcmp(ours.data(), theirs.data(), 10) == 0);
  CHECK(std::memcmp(ours.data() + 16, theirs.data() + 16, 4) == 0);
}

TEST_CASE("mpi: numbers are combined wherever they lie") {
  CHECK(combined(MPI_SUM, MPI_INT, Packed{1, 2}, Packed{3, 4}) == Packed{4, 6});
  CHECK(combined(MPI_SUM, MPI_INT, Packed{2147483647}, Packed{1}) == Packed{-2147483647 - 1});
  CHECK(combined(MPI_PROD, MPI_SHORT, Packed{short{-32768}}, Packed{short{-32768}}) ==
        Packed{short{0}});
  CHECK(combined(MPI_PROD, MPI_DOUBLE, Packed{1.5}, Packed{2.0}) == Packed{3.0});
  CHECK(combined(MPI_SUM, MPI_COMPLEX, Packed{1.0F, 2.0F}, Packed{3.0F, 4.0F}) ==
        Packed{4.0F, 6.0F});
  CHECK(combined(MPI_LXOR, MPI_LONG, Packed{5L, 0L}, Packed{1L, 7L}) == Packed{0L, 1L});
}

TEST_CASE("mpi: there is no operation on other datatypes") {
  CHECK_FALSE(predefined_combine(MPI_MAXLOC, MPI_INT).function);
  CHECK_FALSE(predefined_combine(MPI_SUM, MPI_2INT).function);
  CHECK_FALSE(predefined_combine(MPI_SUM, MPI_BYTE).function);
  CHECK_FALSE(predefined_combine(MPI_MAX, MPI_COMPLEX).function);
}
