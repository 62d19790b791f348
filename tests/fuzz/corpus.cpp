// SPDX-License-Identifier: BSD-3-Clause
/// Runs a fuzzer's function without libFuzzer, so that any compiler's build tests it: on every file
/// of a folder, on nothing, and on copies with bytes changed, others in each run. FUZZ_SEED in the
/// environment does the same again.
/// usage: corpus_NAME FOLDER [copies of each]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

void run(std::string const& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(input.data()), input.size());
}

std::string changed(std::string input, std::mt19937& random) {
  if (input.empty() || random() % 8 == 0) input.append(1 + random() % 64, '\0');
  for (auto n = 1 + random() % 8; n > 0; --n)
    input[random() % input.size()] = static_cast<char>(random());
  if (random() % 4 == 0) input.resize(random() % (input.size() + 1));
  return input;
}

std::string contents_of(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// In one order, so that a seed means the same everywhere.
std::set<std::filesystem::path> files_in(char const* folder) {
  std::set<std::filesystem::path> paths;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry.path());
  return paths;
}

unsigned chosen_seed() {
  char const* const wanted = std::getenv("FUZZ_SEED");
  return wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : std::random_device{}();
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::fprintf(stderr, "usage: %s FOLDER [COPIES]\n", words[0]), 2;
  auto const copies = count > 2 ? std::atoi(words[2]) : 200;
  auto const seed = chosen_seed();
  std::printf("FUZZ_SEED=%u does the same again\n", seed);
  std::fflush(stdout);  // it must be seen, too, when an input ends this process
  std::mt19937 random(seed);
  int files = 0;
  run({});
  for (auto const& path : files_in(words[1])) {
    auto const input = contents_of(path);
    run(input);
    for (int i = 0; i < copies; ++i) run(changed(input, random));
    ++files;
  }
  std::printf("%d files, %d changed copies of each\n", files, copies);
  return files == 0 ? 1 : 0;
}
