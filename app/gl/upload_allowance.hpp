#pragma once

#include <QElapsedTimer>

#include <cstdint>
#include <limits>

namespace pollard::app {

/// Limit for the copies to the card before the frame must be shown: bytes, and time since construction.
class UploadAllowance {
public:
    UploadAllowance(std::uint64_t bytes, std::int64_t milliseconds) : left_(bytes), milliseconds_(milliseconds) {
        clock_.start();
    }
    [[nodiscard]] static UploadAllowance unlimited() { return {kUnlimited, std::numeric_limits<std::int64_t>::max()}; }
    [[nodiscard]] bool isUnlimited() const noexcept { return left_ == kUnlimited; }
    /// Takes @p bytes if any are left, even beyond the limit. The time limit never applies to the first two calls, one
    /// for each of two compared images, or a small allowance on a slow machine would never suffice.
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
        if (left_ == 0 || (taken_ >= kAlways && clock_.hasExpired(milliseconds_))) {
            return false;
        }
        ++taken_;
        if (!isUnlimited()) {
            left_ -= bytes < left_ ? bytes : left_;
        }
        return true;
    }

private:
    static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
    static constexpr int kAlways = 2;
    std::uint64_t left_;
    std::int64_t milliseconds_;
    QElapsedTimer clock_;
    int taken_ = 0;
};

} // namespace pollard::app
