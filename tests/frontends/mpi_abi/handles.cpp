// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/handles.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <map>

#include "frontends/mpi/errors.hpp"

using namespace earl::mpi;

static_assert(sizeof(MPI_Status) == 32);
static_assert(offsetof(MPI_Status, MPI_SOURCE) == 0);
static_assert(offsetof(MPI_Status, MPI_TAG) == 4);
static_assert(offsetof(MPI_Status, MPI_ERROR) == 8);
static_assert(offsetof(MPI_Status, MPI_internal) == 12);
static_assert(sizeof(Handle) == sizeof(void*));

namespace {

bool has_fixed_size(Handle type) {
  constexpr std::uintptr_t of_c = 0x240, of_fortran = 0x2c0, mask = 0x3c0;
  return (handle::bits(type) & mask) == of_c || (handle::bits(type) & mask) == of_fortran;
}

std::uint32_t number(Kind kind) { return static_cast<std::uint32_t>(kind); }

}  // namespace

TEST_CASE("mpi abi: the first bits of a predefined handle are its kind") {
  for (Handle const op : {MPI_SUM, MPI_MAX, MPI_LXOR, MPI_MAXLOC, MPI_NO_OP}) {
    CHECK(handle::kind_number(op) == number(Kind::operation));
    CHECK(handle::is_predefined_operation(op));
  }
  CHECK(handle::kind_number(MPI_COMM_SELF) == number(Kind::communicator));
  CHECK(handle::kind_number(MPI_GROUP_EMPTY) == number(Kind::group));
  CHECK(handle::kind_number(MPI_WIN_NULL) == number(Kind::window));
  CHECK(handle::kind_number(MPI_INFO_ENV) == number(Kind::info));
  CHECK(handle::kind_number(MPI_ERRORS_RETURN) == number(Kind::errhandler));
  CHECK(handle::kind_number(MPI_REQUEST_NULL) == number(Kind::request));
  CHECK(handle::kind_number(MPI_AINT) == number(Kind::datatype));
  CHECK(handle::kind_number(MPI_COMPLEX32) == number(Kind::datatype));
  // Files, sessions and messages are not here; a null pointer is of no kind.
  for (Handle const other : {0x118, 0x120, 0x128, 0x1f, 0x40, 0})
    CHECK(handle::kind_number(other) == 0);
  for (Handle const op : {MPI_OP_NULL, Handle{0x40}, MPI_COMM_NULL, Handle{-1}})
    CHECK_FALSE(handle::is_predefined_operation(op));
}

TEST_CASE("mpi abi: the bits of a type of fixed size are its size") {
  std::map<Handle, std::size_t> const sizes{
      {MPI_CHAR, 1},       {MPI_SIGNED_CHAR, 1}, {MPI_UNSIGNED_CHAR, 1}, {MPI_BYTE, 1},
      {MPI_INT8_T, 1},     {MPI_UINT8_T, 1},     {MPI_INT16_T, 2},       {MPI_UINT16_T, 2},
      {MPI_INT32_T, 4},    {MPI_UINT32_T, 4},    {MPI_INT64_T, 8},       {MPI_UINT64_T, 8},
      {MPI_INTEGER1, 1},   {MPI_INTEGER2, 2},    {MPI_INTEGER4, 4},      {MPI_INTEGER8, 8},
      {MPI_REAL4, 4},      {MPI_REAL8, 8},       {MPI_REAL16, 16},       {MPI_COMPLEX8, 8},
      {MPI_COMPLEX16, 16}, {MPI_COMPLEX32, 32}};
  for (auto const& [type, size] : sizes) {
    CHECK(has_fixed_size(type));
    CHECK(builtin::fixed_size_of(type) == size);
    CHECK(builtin::size_of(type) == size);
  }
}

TEST_CASE("mpi abi: other types are as long as the compiler's") {
  std::map<Handle, std::size_t> const sizes{{MPI_SHORT, sizeof(short)},
                                            {MPI_INT, sizeof(int)},
                                            {MPI_LONG, sizeof(long)},
                                            {MPI_LONG_LONG, 8},
                                            {MPI_UNSIGNED_LONG_LONG, 8},
                                            {MPI_FLOAT, sizeof(float)},
                                            {MPI_DOUBLE, sizeof(double)},
                                            {MPI_LONG_DOUBLE, sizeof(long double)},
                                            {MPI_WCHAR, sizeof(wchar_t)},
                                            {MPI_C_BOOL, 1},
                                            {MPI_C_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double)},
                                            {MPI_CXX_BOOL, sizeof(bool)},
                                            {MPI_CXX_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double)},
                                            {MPI_CHARACTER, 1},
                                            {MPI_LOGICAL, 4},
                                            {MPI_DOUBLE_COMPLEX, 16},
                                            {MPI_2INT, 8},
                                            {MPI_2DOUBLE_PRECISION, 16},
                                            {MPI_PACKED, 1},
                                            {MPI_AINT, 8},
                                            {MPI_COUNT, 8},
                                            {MPI_OFFSET, 8}};
  for (auto const& [type, size] : sizes) {
    CHECK_FALSE(has_fixed_size(type));
    CHECK(builtin::size_of(type) == size);
  }
}

TEST_CASE("mpi abi: no two types have one number; pairs with holes have none") {
  std::map<std::uint32_t, int> types;
  for (auto const& one : builtin::facts)
    if (one.size != 0) ++types[one.number];
  CHECK(types.size() == 57);
  CHECK(types.count(0) == 0);
  for (auto const& [number, count] : types) CHECK(count == 1);
  for (Handle const pair : {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT,
                            MPI_LONG_DOUBLE_INT, MPI_DATATYPE_NULL})
    CHECK(builtin::number_of(pair) == 0);
  // As in MPICH's handles.
  CHECK(builtin::number_of(MPI_CHAR) == 0x01);
  CHECK(builtin::number_of(MPI_INT) == 0x05);
  CHECK(builtin::number_of(MPI_COUNT) == 0x45);
}

namespace {

struct Made {
  int value = 0;
};

}  // namespace

TEST_CASE("mpi abi: handles that programs make are above the predefined ones, in 32 bits") {
  Table<Made, Kind::communicator> table;
  Handle const made = table.open({7});
  CHECK(handle::bits(made) >= handle::end_of_predefined);
  CHECK(handle::bits(made) <= 0xffff'ffff);
  CHECK(handle::kind_number(made) == number(Kind::communicator));
  REQUIRE(table.find(made));
  CHECK(table.find(made)->value == 7);
  CHECK_FALSE(table.find(made | Handle{1} << 40));
  CHECK(handle::kind_number(made | Handle{1} << 40) == 0);
  CHECK(table.close(made).value == 7);
  CHECK_FALSE(table.find(made));
  // A keyval is an int here, too.
  Table<Made, Kind::keyval> keyvals;
  int const keyval = keyvals.open({3});
  REQUIRE(keyvals.find(keyval));
  CHECK_FALSE(keyvals.find(MPI_TAG_UB));
}

TEST_CASE("mpi abi: a fault of a handle is reported") {
  Table<Made, Kind::request> requests;
  Handle const made = requests.open({1});
  CHECK(handle::objection(0x180, Kind::request) == "MPI_REQUEST_NULL");
  CHECK(handle::objection(0x101, Kind::request) == "0x101, a handle of kind communicator");
  CHECK(handle::objection(0x4400'0000, Kind::communicator) ==
        "0x44000000, a handle of libmpich's (compile and link with one -api of earlcc)");
  CHECK(handle::objection(0, Kind::datatype) == "0x0, no handle of any kind");
  CHECK(handle::objection(0x20ff, Kind::datatype) == "0x20ff, no handle of any kind");
  CHECK(handle::objection(handle::bits(made), Kind::request)
            .ends_with("a request that was freed or never made"));
  CHECK_THROWS_AS(handle::refuse(made, Kind::request, "request"), MpiError);
}

TEST_CASE("mpi abi: a status has the bytes and whether it was cancelled") {
  MPI_Status status{};
  low_word(status) = 7;
  high_word(status) = 3;
  CHECK(status.MPI_internal[0] == 7);
  CHECK(status.MPI_internal[1] == 3);
}

TEST_CASE("mpi abi: classes have the standard's numbers") {
  CHECK(static_cast<int>(ErrorClass::request) == 7);
  CHECK(error_text(15) == "message longer than the room for it");
  CHECK(name_of(ErrorClass::rma_flavor) == std::string{"MPI_ERR_RMA_FLAVOR"});
}
