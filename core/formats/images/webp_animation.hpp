#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace pollard {

/// Writes images as the frames of a lossless, endlessly looping animated WebP. The file gets its name at finish();
/// without finish() the target is unchanged.
class WebpAnimation {
public:
    /// Largest side of a frame, px.
    static constexpr std::uint32_t kMaxSide = 16383;

    /// @throws Error(writeFailed), Error(invalidArgument) if a side is 0 or above kMaxSide
    WebpAnimation(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height);
    ~WebpAnimation();
    WebpAnimation(const WebpAnimation&) = delete;
    WebpAnimation& operator=(const WebpAnimation&) = delete;

    /// Adds a frame.
    /// @param rgb values of shape (height, width, 3)
    /// @param milliseconds display time, at least 1
    /// @throws Error(invalidArgument), Error(outOfMemory), Error(writeFailed)
    void add(std::span<const std::uint8_t> rgb, int milliseconds);

    /// @throws Error(writeFailed), Error(invalidArgument) without a frame
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace pollard
