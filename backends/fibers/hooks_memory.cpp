// SPDX-License-Identifier: BSD-3-Clause
/// Functions that remember something between calls.
#include <getopt.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

char* next_token(char* text, char const* separators) {
  return ::strtok_r(text, separators, &me().memories.token);
}

random_data& numbers() {
  auto& memories = me().memories;
  if (!memories.random.state)
    ::initstate_r(1, memories.random_state, sizeof memories.random_state, &memories.random);
  return memories.random;
}

long next_random() {
  std::int32_t value = 0;
  ::random_r(&numbers(), &value);
  return value;
}

int next_rand() { return static_cast<int>(next_random()); }

void seed_random(unsigned seed) { ::srandom_r(seed, &numbers()); }

/// Returns the previous state, which setstate takes, as glibc does.
char* current_state() { return reinterpret_cast<char*>(&numbers().state[-1]); }

char* begin_state(unsigned seed, char* state, std::size_t size) {
  char* const before = current_state();
  return ::initstate_r(seed, state, size, &numbers()) == 0 ? before : nullptr;
}

char* set_state(char* state) {
  char* const before = current_state();
  return ::setstate_r(state, &numbers()) == 0 ? before : nullptr;
}

// Unseeded, they begin as glibc's: all zero.

double next_fraction() {
  double value = 0;
  ::drand48_r(&me().memories.rand48, &value);
  return value;
}
long next_positive() {
  long value = 0;
  ::lrand48_r(&me().memories.rand48, &value);
  return value;
}
long next_signed() {
  long value = 0;
  ::mrand48_r(&me().memories.rand48, &value);
  return value;
}

// These have a state of the program's; factor and summand are still those that lcong48 has set.

double next_fraction_of(unsigned short* state) {
  double value = 0;
  ::erand48_r(state, &me().memories.rand48, &value);
  return value;
}
long next_positive_of(unsigned short* state) {
  long value = 0;
  ::nrand48_r(state, &me().memories.rand48, &value);
  return value;
}
long next_signed_of(unsigned short* state) {
  long value = 0;
  ::jrand48_r(state, &me().memories.rand48, &value);
  return value;
}

void seed_fractions(long seed) { ::srand48_r(seed, &me().memories.rand48); }
unsigned short* set_fractions(unsigned short* state) {
  auto& mine = me().memories.rand48;
  ::seed48_r(state, &mine);
  return mine.__old_x;
}
void set_parameters(unsigned short* parameters) { ::lcong48_r(parameters, &me().memories.rand48); }

/// getopt(3)'s variables: the rank's and the C library's.
class Options {
 public:
  /// A rank's first call makes the C library forget its state for another rank's arguments.
  Options() {
    auto& memories = me().memories;
    load();
    if (!std::exchange(memories.parsing, true) && optind == 1) optind = 0;
  }
  ~Options() {
    me().memories.next_word = optind;
    put("optarg", optarg);
    put("optind", optind);
    put("optopt", optopt);
  }
  Options(Options const&) = delete;
  Options& operator=(Options const&) = delete;

 private:
  static void load() {
    auto const* const index = find<int>("optind");
    auto const* const complains = find<int>("opterr");
    // A program may have no use for these: they are the rank's all the same.
    optind = index ? *index : me().memories.next_word;
    opterr = complains ? *complains : 1;
  }
  template <class T>
  static T* find(char const* name) {
    return static_cast<T*>(me().copy->variable(name));
  }
  template <class T>
  static void put(char const* name, T value) {
    if (auto* const own = find<T>(name)) *own = value;
  }
};

int short_option(int count, char* const* arguments, char const* letters) {
  const Options mine;
  return ::getopt(count, arguments, letters);
}

int long_option(int count, char* const* arguments, char const* letters, option const* names,
                int* which) {
  const Options mine;
  return ::getopt_long(count, arguments, letters, names, which);
}

int long_option_only(int count, char* const* arguments, char const* letters, option const* names,
                     int* which) {
  const Options mine;
  return ::getopt_long_only(count, arguments, letters, names, which);
}

// The static buffers that the C library uses for its answers.

tm* local_date(time_t const* when) {
  ::tzset();
  return ::localtime_r(when, &me().memories.date);
}
tm* universal_date(time_t const* when) { return ::gmtime_r(when, &me().memories.date); }
char* format_date(tm const* date) { return ::asctime_r(date, me().memories.date_text); }
char* format_time(time_t const* when) {
  auto const* const date = local_date(when);
  return date ? format_date(date) : nullptr;
}
char* error_text(int number) {
  auto& text = me().memories.error_text;
  return ::strerror_r(number, text, sizeof text);
}

}  // namespace

std::span<Hook const> memory_hooks() {
  static Hook const table[] = {
      hook("strtok", next_token),
      hook("rand", next_rand),
      hook("srand", seed_random),
      hook("random", next_random),
      hook("srandom", seed_random),
      hook("initstate", begin_state),
      hook("setstate", set_state),
      hook("drand48", next_fraction),
      hook("lrand48", next_positive),
      hook("mrand48", next_signed),
      hook("erand48", next_fraction_of),
      hook("nrand48", next_positive_of),
      hook("jrand48", next_signed_of),
      hook("srand48", seed_fractions),
      hook("seed48", set_fractions),
      hook("lcong48", set_parameters),
      hook("getopt", short_option),
      hook("getopt_long", long_option),
      hook("getopt_long_only", long_option_only),
      hook("localtime", local_date),
      hook("gmtime", universal_date),
      hook("asctime", format_date),
      hook("ctime", format_time),
      hook("strerror", error_text),
  };
  return table;
}

}  // namespace earl::fibers
