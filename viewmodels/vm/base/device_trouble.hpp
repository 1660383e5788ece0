#pragma once

#include "base/error.hpp"

namespace pollard::vm {

/// Whether another engine may succeed after this error.
[[nodiscard]] inline bool isDeviceTrouble(ErrorCode code) noexcept {
    return code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
}

} // namespace pollard::vm
