// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/output_routes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "exec/launcher/output/rank_files.hpp"

namespace earl::exec {

Pipe OutputRoutes::open(Child const& child, std::string_view stream) const {
  if (!parts_.plan.output_folder.empty() && !child.catcher && !child.subscribed)
    return {.read = {}, .write = open_rank_file(parts_.plan.output_folder, child.rank, stream)};
  auto pipe = make_pipe("for one more process");
  never_block(pipe.read);
  return pipe;
}

void OutputRoutes::forward(Child const& child, LaunchSpec const& spec, pid_t writer, Pipe out,
                           Pipe error) {
  if (!out.read) return;
  if (child.catcher) {
    auto const caught = caught_output(child);
    parts_.output.add(std::move(out.read), caught, writer);
    parts_.output.add(std::move(error.read), caught, writer);
    return;
  }
  auto const prefix = prefix_of(child, spec);
  parts_.output.add(std::move(out.read),
                    {.from = Stream::out, .to = stream_of(child, spec), .prefix = prefix}, writer);
  parts_.output.add(std::move(error.read),
                    {.from = Stream::error, .to = Stream::error, .prefix = prefix}, writer);
  subscribe(child, spec, writer);
}

void OutputRoutes::forward_shared(Child const& child, LaunchSpec const& spec) {
  if (child.catcher)
    parts_.output.add(child.rank, caught_output(child));
  else if (!has_own_descriptors(child))
    parts_.output.add(child.rank, stream_of(child, spec), prefix_of(child, spec));
  subscribe(child, spec, child.writer);
}

void OutputRoutes::forward_remote(Child& child, LaunchSpec const& spec) {
  // A console's own standard output.
  if (is_direct(child))
    child.catcher = std::make_shared<Catcher>(
        parts_.output.place_for(Descriptor(::dup((*child.outlets)[0].get()))), CatchRequest{},
        Catcher::Spawner{.catch_up = [] {}, .ended = [](Rank) {}});
  if (child.catcher)
    parts_.output.add(child.rank, caught_output(child));
  else if (parts_.plan.output_folder.empty() || child.subscribed)
    parts_.output.add(child.rank, stream_of(child, spec), prefix_of(child, spec));
  subscribe(child, spec, child.writer);
}

std::shared_ptr<CaughtOutput> OutputRoutes::caught_output(Child const& child) const {
  return std::make_shared<CaughtOutput>(child.catcher, child.rank,
                                        parts_.roster.at(child.rank).visible_host);
}

/// A spawned process's lines are not the user's program's output: marked, they go where messages
/// go.
Stream OutputRoutes::stream_of(Child const& child, LaunchSpec const& spec) const {
  bool const spawned = spec.parent != no_rank && parts_.roster.at(child.rank).partition == 0;
  return spawned ? Stream::error : Stream::out;
}

std::string OutputRoutes::prefix_of(Child const& child, LaunchSpec const& spec) const {
  if (stream_of(child, spec) == Stream::out && !parts_.plan.tag_output) return {};
  return fmt::format("[rank {} {}] ", number(child.rank), child.program);
}

void OutputRoutes::subscribe(Child const& child, LaunchSpec const& spec, pid_t writer) {
  if (spec.subscription)
    parts_.delivery.subscribe(child, *spec.subscription, parts_.roster.at(child.rank).visible_host,
                              writer);
}

}  // namespace earl::exec
