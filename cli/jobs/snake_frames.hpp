#pragma once

#include "snake/contour/contour_picture.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace pollard::cli {

/// Pictures of evolving contours in a folder: frame-000000.png, frame-000001.png ...
class SnakeFrames {
public:
    /// Creates the folder if missing. @param step every step-th state is written
    /// @throws Error(writeFailed)
    SnakeFrames(std::filesystem::path folder, std::uint32_t step);

    /// Starts with the first state on an image.
    void start(const Image& image, const Mask* valid);
    /// Adds the next state. @throws Error(writeFailed)
    void add(std::span<const Contour> contours);
    /// Ends the states on this image; always writes the last one.
    void finish(std::span<const Contour> contours);

private:
    void write(std::span<const Contour> contours);

    std::filesystem::path folder_;
    std::uint32_t step_;
    std::uint32_t skipped_ = 0; ///< states since the last written one
    std::uint64_t next_ = 0;    ///< number of the next picture
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::optional<ContourPicture> picture_;
};

} // namespace pollard::cli
