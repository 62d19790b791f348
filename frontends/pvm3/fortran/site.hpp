// SPDX-License-Identifier: BSD-3-Clause
/// The place of a Fortran routine's call in the program. This library is an archive, as in PVM: its
/// code is the program's own, and no range of addresses distinguishes it.
#pragma once

extern "C" void const* earl_pvm_set_site(void const* site);

namespace earl::pvm::fortran {

/// While it lives, the calls of libpvm3 and libgpvm3 have the site of the function that made it:
/// inlined always, so that this is the program's place and not the library's.
class Site {
 public:
  [[gnu::always_inline]] Site()
      : before_(earl_pvm_set_site(__builtin_extract_return_addr(__builtin_return_address(0)))) {}
  Site(Site const&) = delete;
  Site& operator=(Site const&) = delete;
  [[gnu::always_inline]] ~Site() { earl_pvm_set_site(before_); }

 private:
  void const* before_;  ///< of a call whose message handler makes this one
};

}  // namespace earl::pvm::fortran
