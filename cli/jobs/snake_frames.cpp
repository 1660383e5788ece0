#include "jobs/snake_frames.hpp"

#include "base/error.hpp"
#include "components/threshold.hpp"
#include "io/write/image_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace pollard::cli {

namespace {

struct Colour {
    std::uint8_t red, green, blue;
};
/// M. Okabe, K. Ito, "Color Universal Design", 2008.
constexpr std::array<Colour, 6> kColours{
    {{230, 159, 0}, {86, 180, 233}, {240, 228, 66}, {0, 158, 115}, {204, 121, 167}, {213, 94, 0}}};
constexpr std::int32_t kLinesPerSide = 400;
constexpr double kLowest = 0.001;
constexpr double kHighest = 0.999;

/// Range of displayed levels.
struct Window {
    std::uint32_t low, high;
};

Window windowOf(const LevelCounts& histogram) {
    std::uint64_t all = 0;
    std::uint32_t lowest = 0;
    std::uint32_t highest = 0;
    for (std::uint32_t level = 0; level < histogram.size(); ++level) {
        if (histogram[level] != 0) {
            lowest = all == 0 ? level : lowest;
            highest = level;
            all += histogram[level];
        }
    }
    const auto percentile = [&](double fraction) {
        const auto wanted = static_cast<std::uint64_t>(fraction * static_cast<double>(all));
        std::uint64_t sum = 0;
        for (std::uint32_t level = lowest; level < highest; ++level) {
            sum += histogram[level];
            if (sum > wanted) {
                return level;
            }
        }
        return highest;
    };
    const Window window{percentile(kLowest), percentile(kHighest)};
    return window.low < window.high ? window : Window{lowest, highest};
}

/// Square pen that draws on an RGB image.
class Pen {
public:
    Pen(std::vector<std::uint8_t>& rgb, std::uint32_t width, std::uint32_t height, Colour colour)
        : rgb_(rgb), width_(static_cast<std::int32_t>(width)), height_(static_cast<std::int32_t>(height)),
          colour_(colour) {}

    void dot(std::int32_t x, std::int32_t y, std::int32_t size) {
        const std::int32_t left = x - size / 2;
        const std::int32_t top = y - size / 2;
        for (std::int32_t row = std::max(top, 0); row < std::min(top + size, height_); ++row) {
            for (std::int32_t column = std::max(left, 0); column < std::min(left + size, width_); ++column) {
                std::uint8_t* const pixel =
                    rgb_.data() + 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                                       static_cast<std::size_t>(column));
                pixel[0] = colour_.red;
                pixel[1] = colour_.green;
                pixel[2] = colour_.blue;
            }
        }
    }
    void line(ContourNode from, ContourNode to, std::int32_t size) {
        const std::int32_t steps = std::max({std::abs(to.x - from.x), std::abs(to.y - from.y), 1});
        for (std::int32_t i = 0; i <= steps; ++i) {
            const auto along = [&](std::int32_t a, std::int32_t b) {
                return a + static_cast<std::int32_t>(
                               std::lround(static_cast<double>(b - a) * i / static_cast<double>(steps)));
            };
            dot(inside(along(from.x, to.x), width_), inside(along(from.y, to.y), height_), size);
        }
    }
    void node(ContourNode place, std::int32_t size) { dot(inside(place.x, width_), inside(place.y, height_), size); }

private:
    /// Moves corners on the right and lower border to the last pixels.
    static std::int32_t inside(std::int32_t corner, std::int32_t side) { return std::min(corner, side - 1); }

    std::vector<std::uint8_t>& rgb_;
    std::int32_t width_;
    std::int32_t height_;
    Colour colour_;
};

constexpr std::size_t kDigits = 6;

} // namespace

ContourImage::ContourImage(const Image& image, const Mask* valid)
    : width_(image.width()), height_(image.height()), grey_(image.pixelCount(), 0) {
    const auto isValid = [&](std::size_t pixel) {
        return valid == nullptr ||
               valid->test(static_cast<std::uint32_t>(pixel % width_), static_cast<std::uint32_t>(pixel / width_));
    };
    const Window window = windowOf(*countLevels(image, valid));
    const std::uint32_t range = std::max(window.high - window.low, 1U);
    for (std::size_t pixel = 0; pixel < grey_.size(); ++pixel) {
        const std::uint32_t level = std::clamp<std::uint32_t>(image.level(pixel), window.low, window.high);
        grey_[pixel] = isValid(pixel) ? static_cast<std::uint8_t>(((level - window.low) * 255 + range / 2) / range) : 0;
    }
}

std::vector<std::uint8_t> ContourImage::draw(std::span<const Contour> contours) const {
    std::vector<std::uint8_t> rgb(3 * grey_.size());
    for (std::size_t pixel = 0; pixel < grey_.size(); ++pixel) {
        std::fill_n(rgb.begin() + static_cast<std::ptrdiff_t>(3 * pixel), 3, grey_[pixel]);
    }
    const std::int32_t size = std::max(static_cast<std::int32_t>(std::max(width_, height_)) / kLinesPerSide, 1);
    for (std::size_t i = 0; i < contours.size(); ++i) {
        const Contour& contour = contours[i];
        Pen pen(rgb, width_, height_, kColours[i % kColours.size()]);
        for (std::size_t k = 0; k < contour.size(); ++k) {
            pen.line(contour[k], contour[k + 1 < contour.size() ? k + 1 : 0], size);
            pen.node(contour[k], 2 * size + 1);
        }
    }
    return rgb;
}

SnakeFrames::SnakeFrames(std::filesystem::path folder, std::uint32_t step) : folder_(std::move(folder)), step_(step) {
    std::error_code problem;
    std::filesystem::create_directory(folder_, problem);
    if (!std::filesystem::is_directory(folder_)) {
        throw Error(ErrorCode::writeFailed,
                    "write frames: " + folder_.string() + ": " + (problem ? problem.message() : "it is no folder"));
    }
}

void SnakeFrames::start(const Image& image, const Mask* valid) {
    image_.emplace(image, valid);
    width_ = image.width();
    height_ = image.height();
    skipped_ = step_ - 1; // the first state is written
}

void SnakeFrames::add(std::span<const Contour> contours) {
    if (++skipped_ >= step_) {
        write(contours);
    }
}

void SnakeFrames::finish(std::span<const Contour> contours) {
    if (skipped_ != 0) {
        write(contours);
    }
}

void SnakeFrames::write(std::span<const Contour> contours) {
    std::string number = std::to_string(next_++);
    number.insert(0, kDigits - std::min(kDigits, number.size()), '0');
    const auto writer = makeRgbWriter(folder_ / ("frame-" + number + ".png"), RgbFormat::png, width_, height_);
    writer->write(image_->draw(contours));
    writer->finish();
    skipped_ = 0;
}

} // namespace pollard::cli
