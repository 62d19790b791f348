// SPDX-License-Identifier: BSD-3-Clause
/// One PVM message: the packed or received data, and the read position.
#pragma once

#include <vector>

#include "frontends/common/body.hpp"
#include "frontends/pvm3/element_runs.hpp"
#include "frontends/pvm3/translate.hpp"
#include "generic/request.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::pvm {

/// The encoding of a buffer: the numbers of pvm_initsend().
enum class Packing : int {
  xdr = PvmDataDefault,
  raw = PvmDataRaw,
  in_place = PvmDataInPlace,  ///< refers to the program's memory until it is sent
  trace = PvmDataTrace,       ///< a record for a tracer; bytes as raw
};

class MessageBuffer {
 public:
  // --- identity of this message; pvm_setminfo() may change the plain data
  int context = 0;
  int tag = 0;
  int wait_id = 0;
  int source = 0;
  int dest = 0;

  Packing packing() const { return packing_; }
  /// pvmminfo::enc.
  int signature() const { return signature_; }
  /// The length of the body. In PVM data in place does not count, not even when it has been sent.
  std::size_t length() const;
  Encoding encoding() const;
  Bytes bytes() const { return body_.bytes(); }

  void start(Packing packing, int owner);          ///< empty, to be packed
  void arrive(Message message, int from, int to);  ///< holds a received message
  /// A probe saw it: described, but not here yet.
  void describe(Envelope const& envelope, int from);
  void clear();

  // --- packing. Appends at the end, also behind data that has been sent or received.
  MutableBytes append(std::size_t size) { return body_.append(size); }
  void append(Bytes bytes) { body_.append(bytes); }
  void refer_to(Bytes memory) { pieces_.push_back(memory); }
  /// In place, something that is not in the program's memory.
  void refer_to_copy(Bytes value) { refer_to(copies_.emplace_back(Gather{value}).bytes()); }
  /// The data that a send sends; refers to this buffer, and in place to the program's memory.
  Gather contents() const;

  // --- unpacking
  void pack_mode() { unpacking_ = false; }
  /// Reading starts at the first byte, unless it had begun already.
  void unpack_mode();
  /// In PVM data that was packed in place and never sent cannot be read.
  bool readable() const { return unpacking_ && packing_ != Packing::in_place; }
  std::size_t left() const { return body_.size() - cursor_; }
  Bytes rest() const { return body_.bytes().subspan(cursor_); }
  /// The next `size` bytes; asked for at most left().
  Bytes next(std::size_t size);
  void skip_to_end() { cursor_ = body_.size(); }

  // --- types, for a debugger that compares them
  /// Behind what has been packed there are elements of this type.
  void note_packed(ElementKind kind) { packed_.add(kind); }
  /// All that has been packed.
  ElementRuns const& packed() const { return packed_; }
  /// From now on `watch` is notified when other types are unpacked than the sender has packed.
  void compare_types(Interceptor& watch, MessageId const& id, std::uint32_t word) {
    watch_ = &watch;
    id_ = id;
    sent_ = ElementRuns{types_in(word)};
  }
  void note_unpacked(ElementKind kind) {
    if (watch_ && unpacked_.add(kind)) [[unlikely]]
      compare(kind);
  }

 private:
  void compare(ElementKind kind);

  Packing packing_ = Packing::xdr;
  int signature_ = 0;
  bool unpacking_ = false;
  Body body_;
  std::vector<Bytes> pieces_;
  std::vector<Buffer> copies_;
  std::size_t cursor_ = 0;
  std::size_t probed_length_ = 0;
  ElementRuns packed_{};
  ElementRuns sent_{};
  ElementRuns unpacked_{};
  MessageId id_{};
  Interceptor* watch_ = nullptr;  ///< null: types are not compared
};

}  // namespace earl::pvm
