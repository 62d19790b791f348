// SPDX-License-Identifier: BSD-3-Clause
/// Packets between EXEC and the process that runs a tool's half in EXEC. Both are one program, so
/// structures travel as they are, and pointers to constants stay valid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "debug/outside/include/earl/job_tool.h"

namespace earl::outside {

/// Longer texts are cut.
inline constexpr std::size_t most_job_text = 16384;

template <class Head>
struct JobPacket {
  Head head{};
  std::array<char, most_job_text + 1> text{};

  /// Bytes to send.
  std::size_t size() const { return offsetof(JobPacket, text) + head.text_size; }
  /// Whether so many bytes are a whole packet.
  bool is_whole(std::size_t received) const {
    return received >= offsetof(JobPacket, text) && head.text_size <= most_job_text &&
           received == size();
  }
};

enum class JobCall : std::uint32_t { event = 1, destroy };

struct JobQuestionHead {
  JobCall call{};
  std::uint32_t text_size = 0;  ///< the bytes that the event points to
  earl_job_event event{};
};

enum class JobResult : std::uint32_t { returned = 1, refused, threw, not_loaded };

struct JobAnswerHead {
  JobResult result{};
  std::uint32_t text_size = 0;  ///< a sentence
  std::uint32_t flags = 0;      ///< of the tool
  std::int32_t verdict = EARL_GO_ON;
  std::int32_t exit_code = 0;
};

using JobQuestion = JobPacket<JobQuestionHead>;
using JobAnswer = JobPacket<JobAnswerHead>;

}  // namespace earl::outside
