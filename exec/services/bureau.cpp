#include "exec/services/bureau.hpp"

namespace earl::exec {

Bureau::Bureau(Desk& desk) : desk_(desk) {}

bool Bureau::serve(Owed const& owed, Reader& request) {
  presence_.asks(owed.to);
  auto by_id = owed;
  by_id.to = presence_.id_of(owed.to);
  return answer(by_id, request);
}

bool Bureau::answer(Owed const& owed, Reader& request) {
  switch (static_cast<Operation>(owed.operation)) {
    case Operation::group_join:
      groups_.join(owed, NameRequest::read(request).name);
      return true;
    case Operation::group_leave:
      groups_.leave(owed, NameRequest::read(request).name);
      return true;
    case Operation::group_members:
      groups_.members(owed, NameRequest::read(request).name);
      return true;
    case Operation::group_barrier:
      groups_.barrier(owed, MeetRequest::read(request));
      return true;
    case Operation::group_freeze:
      groups_.freeze(owed, MeetRequest::read(request));
      return true;
    case Operation::barrier:
      meetings_.barrier(owed, MeetRequest::read(request));
      return true;
    case Operation::event_post:
      meetings_.post(owed, NameRequest::read(request).name);
      return true;
    case Operation::event_clear:
      meetings_.clear(owed, NameRequest::read(request).name);
      return true;
    case Operation::event_wait:
      meetings_.wait(owed, NameRequest::read(request).name);
      return true;
    case Operation::store_put:
      store_.put(owed, StorePut::read(request));
      return true;
    case Operation::store_get:
      store_.get(owed, StoreGet::read(request));
      return true;
    case Operation::store_list:
      store_.list(owed);
      return true;
    case Operation::notice:
      notices_.ask(owed, NoticeRequest::read(request));
      return true;
    case Operation::processes:
      notices_.list(owed);
      return true;
    case Operation::hosts:
      desk_.answer(owed, desk_.hosts());
      return true;
    case Operation::retire:
      retire(process_of(owed.to));
      desk_.answer(owed, Done{});
      return true;
    default:
      return false;
  }
}

void Bureau::died(Rank rank, int wait_status) {
  forget(presence_.id_of(rank), wait_status);
  presence_.died(rank);
}

std::optional<Lack> Bureau::lack_of(Rank rank) const {
  auto const id = presence_.id_of(rank);
  for (Service const* service :
       std::initializer_list<Service const*>{&groups_, &meetings_, &store_})
    if (auto lack = service->lack_of(id)) return lack;
  return std::nullopt;
}

void Bureau::retire(Rank process) {
  forget(presence_.id_of(process), 0);
  presence_.left(process);
}

void Bureau::forget(Rank id, int wait_status) {
  for (Service* service : std::initializer_list<Service*>{&groups_, &meetings_, &store_, &notices_})
    service->died(id, wait_status);
}

}  // namespace earl::exec
