#include "components/threshold.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "image/mask.hpp"
#include "image/mask_runs.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <string>

namespace pollard {

namespace {

constexpr std::uint32_t kRowsPerTask = 64;

/// Rows of all slices.
std::uint32_t rowsOf(const Image& image) noexcept { return static_cast<std::uint32_t>(image.extent().rows()); }

void requireSize(const Image& image, const Mask* valid) {
    if (valid != nullptr && (valid->width() != image.width() || valid->height() != rowsOf(image))) {
        throw Error(ErrorCode::invalidArgument, "threshold: a mask of " + std::to_string(valid->width()) + " x " +
                                                    std::to_string(valid->height()) + " px does not fit an image of " +
                                                    std::to_string(image.width()) + " x " +
                                                    std::to_string(image.height()) + " px");
    }
}

/// Calls visit(y, first, last) for the runs of valid pixels; rows in parallel.
template <class Visit>
void forEachValidRun(const Image& image, const Mask* valid, const JobControl& control, Visit&& visit) {
    forEachRange(
        rowsOf(image), control,
        [&](std::size_t begin, std::size_t end) {
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                if (valid == nullptr) {
                    visit(y, 0, image.width());
                } else {
                    forEachRun(*valid, y, true,
                               [&](std::uint32_t first, std::uint32_t last) { visit(y, first, last); });
                }
            }
        },
        kRowsPerTask);
}

} // namespace

std::unique_ptr<LevelCounts> countLevels(const Image& image, const Mask* valid, const JobControl& control) {
    requireSize(image, valid);
    tbb::enumerable_thread_specific<std::unique_ptr<LevelCounts>> parts([] { return std::make_unique<LevelCounts>(); });
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        forEachValidRun(image, valid, control, [&](std::uint32_t y, std::uint32_t first, std::uint32_t last) {
            LevelCounts& counts = *parts.local();
            const Pixel* row = pixels + std::size_t{y} * image.width();
            for (std::uint32_t x = first; x < last; ++x) {
                ++counts[row[x]];
            }
        });
    });
    auto counts = std::make_unique<LevelCounts>();
    for (const auto& part : parts) {
        for (std::size_t level = 0; level < counts->size(); ++level) {
            (*counts)[level] += (*part)[level];
        }
    }
    return counts;
}

Mask thresholdMask(const Image& image, std::uint16_t low, std::uint16_t high, const Mask* valid,
                   const JobControl& control) {
    requireSize(image, valid);
    Mask mask(image.width(), rowsOf(image), false);
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        forEachValidRun(image, valid, control, [&](std::uint32_t y, std::uint32_t first, std::uint32_t last) {
            const Pixel* row = pixels + std::size_t{y} * image.width();
            for (std::uint32_t x = first; x < last;) {
                const auto in = [&](std::uint32_t at) { return row[at] >= low && row[at] <= high; };
                while (x < last && !in(x)) {
                    ++x;
                }
                const std::uint32_t start = x;
                while (x < last && in(x)) {
                    ++x;
                }
                if (start < x) {
                    mask.setRun(start, x, y, true);
                }
            }
        });
    });
    return mask;
}

} // namespace pollard
