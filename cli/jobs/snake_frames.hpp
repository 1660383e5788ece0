#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace pollard::cli {

/// An image in 8-bit grey, scaled from the 0.1 to the 99.9 percentile of its valid levels, as background for contours.
class ContourImage {
public:
    /// @param valid pixels with data, null for all; others become black
    explicit ContourImage(const Image& image, const Mask* valid = nullptr);

    /// RGB values of shape (height, width, 3) with the contours as lines in colours distinguishable with colour vision
    /// deficiency, 1/400 of the image and at least one px wide, and their nodes as larger squares.
    [[nodiscard]] std::vector<std::uint8_t> draw(std::span<const Contour> contours) const;

private:
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<std::uint8_t> grey_;
};

/// Images of evolving contours in a folder: frame-000000.png, frame-000001.png ...
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
    std::uint64_t next_ = 0;    ///< number of the next image
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::optional<ContourImage> image_;
};

} // namespace pollard::cli
