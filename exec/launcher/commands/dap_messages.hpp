// SPDX-License-Identifier: BSD-3-Clause
/// Messages of the Debug Adapter Protocol on two descriptors: a header with Content-Length, an
/// empty line, a JSON object.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace earl::exec {

class DapMessages {
 public:
  DapMessages(int in, int out) : in_(in), out_(out) {}

  /// Waits for the next message; null: the client has gone. Throws Error when the bytes are none.
  std::optional<nlohmann::json> next();
  /// Gives the message its number. False: the client has gone.
  bool send(nlohmann::json message);

 private:
  /// False: no bytes will come any more.
  bool read_more();
  std::size_t length_in(std::string const& header) const;

  int in_;
  int out_;
  std::string read_{};
  std::uint64_t sent_ = 0;
};

}  // namespace earl::exec
