#include "jobs/snake_frames.hpp"

#include "base/error.hpp"
#include "io/write/rgb_writer.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace pollard::cli {

namespace {

constexpr std::size_t kDigits = 6;

} // namespace

SnakeFrames::SnakeFrames(std::filesystem::path folder, std::uint32_t step) : folder_(std::move(folder)), step_(step) {
    std::error_code problem;
    std::filesystem::create_directory(folder_, problem);
    if (!std::filesystem::is_directory(folder_)) {
        throw Error(ErrorCode::writeFailed,
                    "write frames: " + folder_.string() + ": " + (problem ? problem.message() : "it is no folder"));
    }
}

void SnakeFrames::start(const Image& image, const Mask* valid) {
    picture_.emplace(image, valid);
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
    writer->write(picture_->draw(contours));
    writer->finish();
    skipped_ = 0;
}

} // namespace pollard::cli
