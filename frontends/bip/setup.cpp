// SPDX-License-Identifier: BSD-3-Clause
/// Manual, 3.1 and 5: bip_init, bip_taginit, and the configuration.
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "frontends/bip/call.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::bip {

namespace {

/// Separates bip_init's exchange from all other collectives.
constexpr std::uint64_t init_context = 0x4249'5000'0001;  // "BIP"

std::string host_name() {
  utsname name{};
  ::uname(&name);
  return name.nodename;
}

/// Also when it is there and cannot be looked at, which reading it will say.
bool there(std::string const& file) {
  return !file.empty() &&
         (::access(file.c_str(), F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

}  // namespace

void State::size_queue(int tag, int nbufs, int size) {
  if (ready()) throw Error("called after bip_init: call it before bip_init");
  check_tag(tag);
  auto const same = [&](QueueSize const& one) { return one.tag == tag; };
  if (std::any_of(own_sizes_.begin(), own_sizes_.end(), same))
    throw Error("called twice for tag {}: call it once", tag);
  constexpr std::uint64_t most_words = 1 << 30;
  auto const words =
      static_cast<std::uint64_t>(nbufs) * (static_cast<std::uint64_t>(size) + header_words);
  if (nbufs <= 0 || size < 0 || words > most_words)
    throw Error(Fault::bad_length, "room for {} messages of {} words in the queue of tag {}", nbufs,
                size, tag);
  own_sizes_.push_back({.tag = tag, .words = static_cast<std::uint32_t>(words)});
}

void State::init() {
  if (ready()) throw Error("called twice: call it once");
  peers_.emplace(process_, "bip");
  check_configuration();
  me_ = peers_->me();
  process_.cell(bip_mynode) = me_;
  process_.cell(bip_numnodes) = peers_->size();
  exchange_sizes();
  sends_.emplace(Sends::Parts{
      .process = process_, .options = options_, .peers = *peers_, .queues = *queues_, .me = me_});
  if (!options_.unknown.empty())
    process_.print_line(
        fmt::format("bip: BIP_OPTS has letters that mean nothing: {}", options_.unknown));
}

/// Under a launcher the job's size is fixed, and a file that BIPCONF names must have room for it. A
/// program started by hand is the node that the file names.
void State::check_configuration() {
  auto const size = peers_->size();
  bool const by_hand = process_.table().find(process_.rank())->role == Role::bare;
  if (!options_.file_named && !(by_hand && there(options_.file))) {
    if (options_.nodes != 0 && options_.nodes < size)
      throw Error("BIP_OPTS uses {} nodes, and the job has {}", options_.nodes, size);
    return;
  }
  auto const configuration = read_configuration(options_.file);
  auto const named = static_cast<int>(configuration.nodes.size());
  if (options_.nodes > named)
    throw Error("BIP_OPTS asks for {} nodes, and {} has {}", options_.nodes, options_.file, named);
  int const used = options_.nodes == 0 ? named : options_.nodes;
  if (by_hand) check_by_hand(configuration, used);
  if (size > used)
    throw Error("the job has {} processes, and {} names {} nodes: bipconf makes a larger one", size,
                options_.file, used);
}

/// The number of this node. Checks that the job can be one.
void State::check_by_hand(Configuration const& configuration, int nodes) const {
  auto const node = options_.node ? *options_.node
                                  : node_of_host(configuration, nodes, host_name(), options_.file);
  if (node >= nodes)
    throw Error("EARL_BIP_NODE={}: {} names {} nodes, 0 to {}", node, options_.file, nodes,
                nodes - 1);
  if (nodes > 1)
    throw Error(
        "this is node {} of the {} in {}, started by hand, and nothing brings them together: start "
        "them with bipload, or earl run -n {}",
        node, nodes, options_.file, nodes);
}

/// Waits for all nodes; each sends the sizes of its queues.
void State::exchange_sizes() {
  queues_.emplace(peers_->size(), me_, static_cast<std::uint32_t>(BIPSMALLSIZE));
  queues_->share(options_.strictness == Strictness::faithful);
  const Group all_ranks{.members = peers_->ranks(),
                        .me = static_cast<std::size_t>(me_),
                        .context = context_of(Space::collective, init_context)};
  auto const count = static_cast<std::uint32_t>(own_sizes_.size());
  auto const counts = earl::all_gather(process_, all_ranks, bytes_of(count));
  auto const sizes = earl::all_gather(process_, all_ranks, std::as_bytes(std::span{own_sizes_}));
  std::size_t at = 0;
  for (int node = 0; node < peers_->size(); ++node) {
    std::uint32_t many = 0;
    std::memcpy(&many, counts.data() + sizeof many * static_cast<std::size_t>(node), sizeof many);
    for (; many > 0; --many, at += sizeof(QueueSize)) {
      QueueSize size;
      std::memcpy(&size, sizes.data() + at, sizeof size);
      queues_->resize(node, size);
    }
  }
}

namespace {

void init(State& me) { me.init(); }

int taginit(State& me, int tag, int nbufs, int size) {
  try {
    me.size_queue(tag, nbufs, size);
    return 0;
  } catch (Error const& error) {
    if (error.fault() != Fault::bad_length || me.options().strict()) throw;
    me.process().print_line(fmt::format("bip bip_taginit: {}", error.what()));
    return -1;
  }
}

}  // namespace
}  // namespace earl::bip

namespace bip = earl::bip;

extern "C" void bip_init(void) { bip::call_any_time("bip_init", bip::init); }

extern "C" int bip_taginit(int tag, int nbufs, int size) {
  return bip::call_any_time("bip_taginit", bip::taginit, tag, nbufs, size);
}
