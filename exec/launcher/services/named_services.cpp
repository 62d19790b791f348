// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/named_services.hpp"

namespace earl::exec {

NamedServices::NamedServices(ServiceContext& context) : context_(context) {}

bool NamedServices::serve(PendingReply const& reply, Reader& request) {
  presence_.asks(reply.to);
  auto by_id = reply;
  by_id.to = presence_.id_of(reply.to);
  return answer(by_id, request);
}

bool NamedServices::answer(PendingReply const& reply, Reader& request) {
  switch (static_cast<Operation>(reply.operation)) {
    case Operation::group_join:
      groups_.join(reply, request.get<NameRequest>().name);
      return true;
    case Operation::group_leave:
      groups_.leave(reply, request.get<NameRequest>().name);
      return true;
    case Operation::group_members:
      groups_.members(reply, request.get<NameRequest>().name);
      return true;
    case Operation::group_barrier:
      groups_.barrier(reply, request.get<MeetRequest>());
      return true;
    case Operation::group_freeze:
      groups_.freeze(reply, request.get<MeetRequest>());
      return true;
    case Operation::barrier:
      meetings_.barrier(reply, request.get<MeetRequest>());
      return true;
    case Operation::event_post:
      meetings_.post(reply, request.get<NameRequest>().name);
      return true;
    case Operation::event_clear:
      meetings_.clear(reply, request.get<NameRequest>().name);
      return true;
    case Operation::event_wait:
      meetings_.wait(reply, request.get<NameRequest>().name);
      return true;
    case Operation::store_put:
      store_.put(reply, request.get<StorePut>());
      return true;
    case Operation::store_get:
      store_.get(reply, request.get<StoreGet>());
      return true;
    case Operation::store_list:
      store_.list(reply);
      return true;
    case Operation::notice:
      notices_.ask(reply, request.get<NoticeRequest>());
      return true;
    case Operation::processes:
      notices_.list(reply);
      return true;
    case Operation::hosts:
      context_.answer(reply, context_.hosts());
      return true;
    case Operation::retire:
      retire(process_of(reply.to));
      context_.answer(reply, Nothing{});
      return true;
    default:
      return false;
  }
}

void NamedServices::died(Rank rank, int wait_status) {
  remove(presence_.id_of(rank), wait_status);
  presence_.died(rank);
}

std::optional<WaitReason> NamedServices::wait_reason_of(Rank rank) const {
  auto const id = presence_.id_of(rank);
  for (Service const* service :
       std::initializer_list<Service const*>{&groups_, &meetings_, &store_})
    if (auto reason = service->wait_reason_of(id)) return reason;
  return std::nullopt;
}

void NamedServices::retire(Rank process) {
  remove(presence_.id_of(process), 0);
  presence_.left(process);
}

void NamedServices::remove(Rank id, int wait_status) {
  for (Service* service : std::initializer_list<Service*>{&groups_, &meetings_, &store_, &notices_})
    service->died(id, wait_status);
}

}  // namespace earl::exec
