// SPDX-License-Identifier: BSD-3-Clause
/// Objects that a handle and others refer to: they end with the last of them. One thread.
#pragma once

#include <cstdint>
#include <utility>

namespace earl::mpi {

class Counted {
 public:
  Counted() = default;
  Counted(Counted const&) = delete;
  Counted& operator=(Counted const&) = delete;

 protected:
  ~Counted() = default;

 private:
  template <class T>
  friend class Ref;
  std::uint32_t references_ = 0;
};

/// One reference; null by default. T derives from Counted.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_) ++object_->references_;
  }
  Ref(Ref const& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && --object_->references_ == 0) [[unlikely]]
      end(object_);
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  /// Not inlined, so that the destructor is.
  [[gnu::noinline]] static void end(T* object) { delete object; }

  T* object_ = nullptr;
};

template <class T, class... Arguments>
Ref<T> make(Arguments&&... arguments) {
  return Ref<T>{new T(std::forward<Arguments>(arguments)...)};
}

}  // namespace earl::mpi
