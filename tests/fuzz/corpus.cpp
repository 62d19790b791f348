/// Runs a fuzzer's function without libFuzzer, so that any compiler's build tests it: on every file
/// of a folder, on nothing, and on copies with bytes changed.
/// usage: corpus_NAME FOLDER [copies of each]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
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

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::fprintf(stderr, "usage: %s FOLDER [COPIES]\n", words[0]), 2;
  auto const copies = count > 2 ? std::atoi(words[2]) : 200;
  std::mt19937 random(1);
  int files = 0;
  run({});
  for (auto const& entry : std::filesystem::directory_iterator(words[1])) {
    auto const input = contents_of(entry.path());
    run(input);
    for (int i = 0; i < copies; ++i) run(changed(input, random));
    ++files;
  }
  std::printf("%d files, %d changed copies of each\n", files, copies);
  return files == 0 ? 1 : 0;
}
