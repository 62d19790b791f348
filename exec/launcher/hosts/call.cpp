// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/call.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <sstream>

#include "generic/base/error.hpp"
#include "generic/base/hex.hpp"
#include "generic/base/number.hpp"
#include "generic/system/sockets.hpp"

namespace earl::exec {

namespace {

constexpr char const* first_word = "earl-agent-2";
constexpr std::int32_t to_exec = -1;
constexpr std::size_t most_callers = 256;
constexpr auto call_back_timeout = std::chrono::seconds{10};

int milliseconds_until(Deadline deadline) {
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

bool send_word(int socket, Bytes word) {
  return ::send(socket, word.data(), word.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(word.size());
}

/// A whole word of the handshake; false: it did not come.
template <class Word>
bool receive_word(int socket, Word& word, Deadline deadline) {
  std::size_t have = 0;
  auto* const bytes = reinterpret_cast<char*>(&word);
  while (have < sizeof word) {
    pollfd line{.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&line, 1, milliseconds_until(deadline)) <= 0) return false;
    auto const got = ::recv(socket, bytes + have, sizeof word - have, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return false;
    have += static_cast<std::size_t>(got);
  }
  return true;
}

/// The fault of the listener; empty: it is EXEC, and these are the keys.
std::string shake_hands(int socket, ConnectRequest const& request, Deadline deadline,
                        SessionKeys& keys) {
  Challenge received;
  if (!receive_word(socket, received, deadline) || !is_challenge(received))
    return "what answers there is not Earl";
  auto const said =
      claim(request.secret, received, static_cast<std::int32_t>(request.number), to_exec);
  Proof got;
  if (!send_word(socket, bytes_of(said)) || !receive_word(socket, got, deadline))
    return "the other end closed the connection: this agent's secret is not that job's";
  if (!verifies(request.secret, received, said, got)) return "it does not know this job's secret";
  keys = session_keys(request.secret, received, said);
  return {};
}

struct Attempt {
  std::string address;
  Descriptor socket;
};

std::vector<pollfd> watched(std::vector<Attempt> const& attempts) {
  std::vector<pollfd> list;
  list.reserve(attempts.size());
  for (auto const& attempt : attempts)
    list.push_back({.fd = attempt.socket.get(), .events = POLLOUT, .revents = 0});
  return list;
}

}  // namespace

std::string line_of(ConnectRequest const& request) {
  auto line =
      fmt::format("{} {} {} {}", first_word, request.number, to_hex(request.secret), request.name);
  for (auto const& address : request.addresses) line += " " + address;
  return line + "\n";
}

std::optional<ConnectRequest> connect_request_from(std::string const& line) {
  std::istringstream fields(line);
  std::string first;
  std::string number;
  std::string secret;
  ConnectRequest request;
  fields >> first >> number >> secret >> request.name;
  auto const count = number_from<std::uint32_t>(number);
  auto const key = secret_from_hex(secret);
  if (first != first_word || !count || !key) return std::nullopt;
  request.number = *count;
  request.secret = *key;
  for (std::string address; fields >> address;) request.addresses.push_back(std::move(address));
  return request.addresses.empty() ? std::nullopt : std::optional{request};
}

AuthenticatedSocket call_back(ConnectRequest const& request) {
  auto const deadline = Clock::now() + call_back_timeout;
  std::string trouble;
  auto const failed = [&](std::string const& address, std::string const& why) {
    trouble += fmt::format("{}{}: {}", trouble.empty() ? "" : "; ", address, why);
  };
  std::vector<Attempt> attempts;
  for (auto const& address : request.addresses)
    if (auto const endpoint = socket_address_from(address))
      attempts.push_back({.address = address, .socket = connect_to(*endpoint)});
  while (!attempts.empty() && Clock::now() < deadline) {
    auto list = watched(attempts);
    if (::poll(list.data(), list.size(), milliseconds_until(deadline)) <= 0) break;
    auto const at = std::ranges::find_if(list, [](auto const& one) { return one.revents != 0; });
    auto const found = attempts.begin() + (at - list.begin());
    auto attempt = std::move(*found);
    attempts.erase(found);
    if (auto const error = connect_error(attempt.socket.get()); error != 0) {
      failed(attempt.address, system_message(error));
      continue;
    }
    SessionKeys keys;
    auto const why = shake_hands(attempt.socket.get(), request, deadline, keys);
    if (why.empty())
      return {.socket = std::move(attempt.socket),
              .outgoing = keys.from_caller,
              .incoming = keys.to_caller};
    failed(attempt.address, why);
  }
  for (auto const& attempt : attempts) failed(attempt.address, "no answer");
  throw Error("EXEC cannot be reached from host {}: {}", request.name, trouble);
}

Switchboard::Switchboard(Loop& loop, Secret const& secret, std::string const& address,
                         Called called)
    : loop_(loop), secret_(secret), called_(std::move(called)), listener_(listen_at(address)) {
  loop_.watch(listener_.get(), EPOLLIN, [this](std::uint32_t) { admit(); });
}

Switchboard::~Switchboard() {
  loop_.remove(listener_.get());
  for (auto const& caller : callers_) loop_.remove(caller.socket.get());
}

std::vector<std::string> Switchboard::addresses() const {
  auto const end = own_end(listener_.get());
  auto const own = to_text(end);
  if (host_text(end) != "0.0.0.0") return {own};
  auto const port = own.substr(own.rfind(':'));
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) throw Error("this host's addresses: {}", system_message(errno));
  std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> const owner(all, &::freeifaddrs);
  std::vector<std::string> list;
  std::vector<std::string> loopback;
  for (auto const* one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || (one->ifa_flags & IFF_UP) == 0)
      continue;
    SocketAddress endpoint{.size = sizeof(sockaddr_in)};
    std::memcpy(&endpoint.address, one->ifa_addr, sizeof(sockaddr_in));
    auto& to = (one->ifa_flags & IFF_LOOPBACK) != 0 ? loopback : list;
    to.push_back(host_text(endpoint) + port);
  }
  list.insert(list.end(), loopback.begin(), loopback.end());
  return list;
}

void Switchboard::admit() {
  while (auto socket = accept_from(listener_.get())) {
    if (callers_.size() == most_callers) drop(callers_.begin());
    int const fd = socket.get();
    callers_.push_back({.socket = std::move(socket), .challenge = challenge()});
    auto const caller = std::prev(callers_.end());
    // read_claim() sees whether the peer has gone.
    static_cast<void>(send_word(fd, bytes_of(caller->challenge)));
    loop_.watch(fd, EPOLLIN, [this, caller](std::uint32_t) { read_claim(caller); });
  }
}

void Switchboard::drop(Callers::iterator caller) {
  ++rejected_connections_;
  remove(caller);
}

void Switchboard::remove(Callers::iterator caller) {
  loop_.remove(caller->socket.get());
  callers_.erase(caller);
}

void Switchboard::read_claim(Callers::iterator caller) {
  std::array<std::byte, sizeof(Claim)> room{};
  auto& received = caller->received;
  auto const got = ::recv(caller->socket.get(), room.data(), room.size() - received.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // Without a report: an agent that has met EXEC at another of its addresses.
  if (got <= 0) return received.empty() ? remove(caller) : drop(caller);
  received.insert(received.end(), room.begin(), room.begin() + got);
  if (received.size() == sizeof(Claim)) judge(caller);
}

void Switchboard::judge(Callers::iterator caller) {
  Claim claim;
  std::memcpy(&claim, caller->received.data(), sizeof claim);
  auto const proven = verifies(secret_, caller->challenge, claim) && claim.to == to_exec;
  if (!proven ||
      !send_word(caller->socket.get(), bytes_of(proof(secret_, caller->challenge, claim))))
    return drop(caller);
  auto const keys = session_keys(secret_, caller->challenge, claim);
  AuthenticatedSocket connection{.socket = std::move(caller->socket),
                                 .outgoing = keys.to_caller,
                                 .incoming = keys.from_caller};
  loop_.remove(connection.socket.get());
  callers_.erase(caller);
  called_(static_cast<std::uint32_t>(claim.from), std::move(connection));
}

}  // namespace earl::exec
