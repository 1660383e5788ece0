#pragma once

#include "snake/contour/contour_picture.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace pollard::cli {

/// Pictures of contours on their way, one after another in a folder: frame-000000.png, frame-000001.png ...
class SnakeFrames {
public:
    /// Makes the folder if it is missing. @param step of so many states one is written
    /// @throws Error(writeFailed)
    SnakeFrames(std::filesystem::path folder, std::uint32_t step);

    /// Begins with the first state on an image.
    void start(const Image& image, const Mask* valid);
    /// The next state. @throws Error(writeFailed)
    void add(std::span<const Contour> contours);
    /// No further state on this image: the last one is written, too.
    void finish(std::span<const Contour> contours);

private:
    void write(std::span<const Contour> contours);

    std::filesystem::path folder_;
    std::uint32_t step_;
    std::uint32_t skipped_ = 0; ///< states since the last picture
    std::uint64_t next_ = 0;    ///< number of the next picture
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::optional<ContourPicture> picture_;
};

} // namespace pollard::cli
