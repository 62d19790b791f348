// SPDX-License-Identifier: BSD-3-Clause
/// From one stack to another on arm64.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace earl::fibers {

inline boost::context::detail::transfer_t switch_to(boost::context::detail::fcontext_t to,
                                                    void* data) {
  return boost::context::detail::jump_fcontext(to, data);
}

}  // namespace earl::fibers
