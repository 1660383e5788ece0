#pragma once

#include "base/error.hpp"

namespace pollard::vm {

/// Whether another engine may succeed where one failed with this.
[[nodiscard]] inline bool isDeviceTrouble(ErrorCode code) noexcept {
    return code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
}

} // namespace pollard::vm
