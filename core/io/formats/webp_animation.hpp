#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace pollard {

/// Writes pictures that follow each other as one animated WebP, without loss, that is shown again and again. The file
/// appears under its name with finish(); without it the target stays as it was.
class WebpAnimation {
public:
    /// Longest side of a frame, px.
    static constexpr std::uint32_t kMaxSide = 16383;

    /// @throws Error(writeFailed), Error(invalidArgument) if a side is 0 or more than kMaxSide
    WebpAnimation(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height);
    ~WebpAnimation();
    WebpAnimation(const WebpAnimation&) = delete;
    WebpAnimation& operator=(const WebpAnimation&) = delete;

    /// The next frame.
    /// @param rgb values of shape (height, width, 3)
    /// @param milliseconds for which it is shown, at least 1
    /// @throws Error(invalidArgument), Error(outOfMemory), Error(writeFailed)
    void add(std::span<const std::uint8_t> rgb, int milliseconds);

    /// @throws Error(writeFailed), Error(invalidArgument) without a frame
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace pollard
