#pragma once

#include <QElapsedTimer>

#include <cstdint>
#include <limits>

namespace pollard::app {

/// How much may still be copied to the card before the frame has to be shown: bytes, and the time since construction.
class UploadAllowance {
public:
    UploadAllowance(std::uint64_t bytes, std::int64_t milliseconds) : left_(bytes), milliseconds_(milliseconds) {
        clock_.start();
    }
    [[nodiscard]] static UploadAllowance unlimited() { return {kUnlimited, std::numeric_limits<std::int64_t>::max()}; }
    [[nodiscard]] bool isUnlimited() const noexcept { return left_ == kUnlimited; }
    /// Takes so much if anything is left: the last tile may go beyond the end. Time never refuses the first two, one
    /// for each of two pictures that are compared, or a small allowance on a slow machine would never do.
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
