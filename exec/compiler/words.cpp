// SPDX-License-Identifier: BSD-3-Clause
#include "exec/compiler/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace earl::exec {

namespace {

struct Token {
  enum class Kind { space, name, number, other };
  Kind kind = Kind::other;
  std::string_view text;
  bool ours = true;  ///< not out of a header of the system
};
using Tokens = std::vector<Token>;

/// The words that may stand beside `long` in a declaration.
constexpr std::array specifiers{
    std::string_view{"auto"},     std::string_view{"const"},    std::string_view{"double"},
    std::string_view{"extern"},   std::string_view{"int"},      std::string_view{"long"},
    std::string_view{"register"}, std::string_view{"signed"},   std::string_view{"static"},
    std::string_view{"typedef"},  std::string_view{"unsigned"}, std::string_view{"volatile"},
};

/// In nxstdio32.h, too.
constexpr std::array formatting{
    std::string_view{"printf"},   std::string_view{"fprintf"},   std::string_view{"sprintf"},
    std::string_view{"snprintf"}, std::string_view{"vprintf"},   std::string_view{"vfprintf"},
    std::string_view{"vsprintf"}, std::string_view{"vsnprintf"}, std::string_view{"scanf"},
    std::string_view{"fscanf"},   std::string_view{"sscanf"},    std::string_view{"vscanf"},
    std::string_view{"vfscanf"},  std::string_view{"vsscanf"},
};

/// Names of the C library: a program's own declaration of one must agree with the header's.
constexpr std::array library_longs{
    std::string_view{"atol"},    std::string_view{"clock"},   std::string_view{"ftell"},
    std::string_view{"jrand48"}, std::string_view{"labs"},    std::string_view{"lrand48"},
    std::string_view{"lseek"},   std::string_view{"mrand48"}, std::string_view{"nrand48"},
    std::string_view{"random"},  std::string_view{"strtol"},  std::string_view{"strtoul"},
    std::string_view{"telldir"}, std::string_view{"time"},    std::string_view{"times"},
};

template <class List>
bool is_one_of(List const& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view source) : left_(source) {}

  Tokens all() {
    Tokens tokens;
    while (!left_.empty()) tokens.push_back(next());
    return tokens;
  }

 private:
  Token next() {
    bool const begins_line = std::exchange(line_begins_, false);
    if (begins_line && left_.front() == '#') return directive();
    if (is_space(left_.front())) {
      line_begins_ = left_.front() == '\n';
      return take(Token::Kind::space, 1);
    }
    if (begins_name(left_.front())) return take_while(Token::Kind::name, continues_name);
    if (left_.front() == '"' || left_.front() == '\'') return literal();
    bool const number = std::isdigit(static_cast<unsigned char>(left_.front())) != 0;
    if (number)
      return take_while(Token::Kind::number, [](char c) { return continues_name(c) || c == '.'; });
    return take(Token::Kind::other, left_.starts_with("->") ? 2 : 1);
  }

  /// A line `# 12 "/usr/include/stdio.h" 1 3 4`, whose flag 3 says that a header of the system
  /// follows; or a pragma.
  Token directive() {
    auto const end = std::min(left_.find('\n'), left_.size());
    auto const line = left_.substr(0, end);
    auto const quote = line.rfind('"');
    if (line.size() > 2 && std::isdigit(static_cast<unsigned char>(line[2])) != 0)
      ours_ = quote == std::string_view::npos || line.find('3', quote) == std::string_view::npos;
    return take(Token::Kind::space, end);
  }

  Token literal() {
    std::size_t end = 1;
    while (end < left_.size() && left_[end] != left_[0]) end += left_[end] == '\\' ? 2U : 1U;
    return take(Token::Kind::other, std::min(end + 1, left_.size()));
  }

  template <class Fits>
  Token take_while(Token::Kind kind, Fits const& fits) {
    return take(kind,
                static_cast<std::size_t>(std::ranges::find_if_not(left_, fits) - left_.begin()));
  }

  Token take(Token::Kind kind, std::size_t size) {
    Token const token{.kind = kind, .text = left_.substr(0, size), .ours = ours_};
    left_.remove_prefix(size);
    return token;
  }

  std::string_view left_;
  bool line_begins_ = true;
  bool ours_ = true;
};

class Shortener {
 public:
  explicit Shortener(Tokens const& tokens) : tokens_(tokens) {}

  std::string operator()() const {
    std::string text;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      auto const& token = tokens_[i];
      if (!token.ours)
        text += token.text;
      else if (token.text == "long")
        text += in_place_of_long(i);
      else if (token.kind == Token::Kind::number)
        text += constant(token.text);
      else
        text += called(i);
    }
    return text;
  }

 private:
  /// The next token that is no space, after or (-1) before that one; the end: there is none.
  std::size_t beside(std::size_t i, int step) const {
    do {
      i += static_cast<std::size_t>(step);
    } while (i < tokens_.size() && tokens_[i].kind == Token::Kind::space);
    return i;
  }

  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view{};
  }

  std::string_view in_place_of_long(std::size_t at) const {
    std::vector<std::string_view> words{"long"};
    std::size_t end = beside(at, 1);
    for (; is_one_of(specifiers, text(end)); end = beside(end, 1)) words.push_back(text(end));
    for (auto i = beside(at, -1); is_one_of(specifiers, text(i)); i = beside(i, -1))
      words.push_back(text(i));
    if (std::ranges::count(words, "long") > 1 || is_one_of(words, "double")) return "long";
    auto const open = beside(end, 1);
    if (is_one_of(library_longs, text(end)) && text(open) == "(" && text(beside(open, 1)) == ")")
      return "long";
    return is_one_of(words, "int") ? "" : "int";
  }

  /// 12L and 0x12UL without their L; 1.5L and 12LL stay.
  static std::string constant(std::string_view number) {
    std::string all(number);
    auto const suffix = all.find_last_not_of("uUlL") + 1;
    bool const hexadecimal = number.size() > 1 && (number[1] == 'x' || number[1] == 'X');
    auto const is_l = [](char c) { return c == 'l' || c == 'L'; };
    if (number.find('.') != std::string_view::npos ||
        number.find(hexadecimal ? 'p' : 'e') != std::string_view::npos ||
        number.find(hexadecimal ? 'P' : 'E') != std::string_view::npos ||
        std::count_if(all.begin() + static_cast<std::ptrdiff_t>(suffix), all.end(), is_l) != 1)
      return all;
    all.erase(std::remove_if(all.begin() + static_cast<std::ptrdiff_t>(suffix), all.end(), is_l),
              all.end());
    return all;
  }

  std::string called(std::size_t i) const {
    std::string const word(text(i));
    auto const before = text(beside(i, -1));
    if (tokens_[i].kind != Token::Kind::name || !is_one_of(formatting, word) || before == "." ||
        before == "->" || text(beside(i, 1)) != "(")
      return word;
    return "earl_nx32_" + word;
  }

  Tokens const& tokens_;
};

}  // namespace

std::string with_short_words(std::string_view source) {
  auto const tokens = Scanner(source).all();
  return Shortener(tokens)();
}

}  // namespace earl::exec
