#include "io/reduce.hpp"

#include "base/error.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/samples/kept_values.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <tbb/parallel_for.h>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Rows between checks for a stop request.
constexpr std::uint32_t kRowsAtOnce = 64;

/// Calls @p work(y) for all rows, on all threads. @throws Cancelled
template <class Work> void forRows(std::uint32_t rows, const JobControl& control, const Work& work) {
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, rows, kRowsAtOnce), [&](const auto& range) {
        if (control.stopRequested()) {
            return;
        }
        for (std::uint32_t y = range.begin(); y != range.end(); ++y) {
            work(y);
        }
    });
    control.throwIfStopped();
}

std::shared_ptr<const Mask> unlessFull(Mask mask) {
    const std::uint64_t pixels = std::uint64_t{mask.width()} * mask.height();
    return mask.count() == pixels ? nullptr : std::make_shared<const Mask>(std::move(mask));
}

Mask croppedMask(const Mask& mask, const PixelRegion& region) {
    Mask part(region.width, region.height, false);
    for (std::uint32_t y = 0; y < region.height; ++y) {
        for (std::uint32_t x = 0; x < region.width; ++x) {
            part.set(x, y, mask.test(region.x + x, region.y + y));
        }
    }
    return part;
}

/// The facts with invalidPixels of the reduced image.
ImageInfo reducedInfo(const LoadedImage& loaded, const LoadedImage& reduced) {
    ImageInfo info = loaded.info;
    const auto pixels = static_cast<std::uint64_t>(reduced.image->pixelCount());
    info.invalidPixels = reduced.valid ? pixels - reduced.valid->count() : 0;
    return info;
}

/// Mean level of a block's valid pixels, or of all its pixels if none is valid.
template <class T> T blockMean(const LoadedImage& loaded, std::uint32_t left, std::uint32_t top, std::uint32_t right,
                               std::uint32_t bottom, bool& valid) {
    const Image& image = *loaded.image;
    const std::span<const T> pixels = image.pixels<T>();
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    std::uint64_t validSum = 0;
    std::uint64_t validCount = 0;
    for (std::uint32_t y = top; y < bottom; ++y) {
        const T* row = pixels.data() + std::size_t{y} * image.width();
        for (std::uint32_t x = left; x < right; ++x) {
            sum += row[x];
            if (loaded.valid && loaded.valid->test(x, y)) {
                validSum += row[x];
                ++validCount;
            }
        }
        count += right - left;
    }
    valid = !loaded.valid || validCount > 0;
    if (validCount > 0) {
        sum = validSum;
        count = validCount;
    }
    return static_cast<T>((2 * sum + count) / (2 * count));
}

} // namespace

PixelRegion checkedRegion(const PixelRegion& wanted, std::uint32_t width, std::uint32_t height) {
    const bool inside = wanted.width > 0 && wanted.height > 0 && wanted.x < width && wanted.y < height &&
                        wanted.width <= width - wanted.x && wanted.height <= height - wanted.y;
    if (!inside) {
        throw Error(ErrorCode::invalidArgument, "region: " + std::to_string(wanted.x) + "," + std::to_string(wanted.y) +
                                                    "," + std::to_string(wanted.width) + "," +
                                                    std::to_string(wanted.height) +
                                                    ": must hold a pixel and lie within the " + std::to_string(width) +
                                                    " x " + std::to_string(height) + " px of the page");
    }
    return wanted;
}

LoadedImage cropped(const LoadedImage& loaded, const PixelRegion& region, const JobControl& control) {
    const Image& whole = *loaded.image;
    (void)checkedRegion(region, whole.width(), whole.height());
    auto part = std::make_shared<Image>(whole.type(), region.width, region.height);
    const std::size_t pixelBytes = bytesOf(whole.type());
    forRows(region.height, control, [&](std::uint32_t y) {
        const std::size_t from = (std::size_t{region.y} + y) * whole.width() + region.x;
        std::memcpy(part->data() + std::size_t{y} * region.width * pixelBytes, whole.data() + from * pixelBytes,
                    region.width * pixelBytes);
    });
    KeptValues::crop(loaded.image, part, region);
    LoadedImage result{std::move(part), nullptr, {}};
    if (loaded.valid) {
        result.valid = unlessFull(croppedMask(*loaded.valid, region));
    }
    result.info = reducedInfo(loaded, result);
    result.info.carried = cropTags(std::move(result.info.carried), region, 1);
    return result;
}

LoadedImage shrunk(const LoadedImage& loaded, int factor, const JobControl& control) {
    if (factor < 1) {
        throw Error(ErrorCode::invalidArgument, "shrink: " + std::to_string(factor) + ": must be at least 1");
    }
    const Image& whole = *loaded.image;
    const auto side = static_cast<std::uint32_t>(factor);
    const std::uint32_t width = (whole.width() - 1) / side + 1;
    const std::uint32_t height = (whole.height() - 1) / side + 1;
    auto small = std::make_shared<Image>(whole.type(), width, height);
    Mask mask(width, height, true);
    dispatch(whole.type(), [&]<class T>(T) {
        const std::span<T> out = small->pixels<T>();
        forRows(height, control, [&](std::uint32_t y) {
            const std::uint32_t top = y * side;
            const std::uint32_t bottom = top + std::min(side, whole.height() - top);
            for (std::uint32_t x = 0; x < width; ++x) {
                const std::uint32_t left = x * side;
                bool valid = true;
                out[std::size_t{y} * width + x] =
                    blockMean<T>(loaded, left, top, left + std::min(side, whole.width() - left), bottom, valid);
                if (!valid) {
                    mask.set(x, y, false);
                }
            }
        });
    });
    KeptValues::shrink(loaded, small, side);
    LoadedImage result{std::move(small), unlessFull(std::move(mask)), {}};
    result.info = reducedInfo(loaded, result);
    result.info.carried =
        cropTags(std::move(result.info.carried), {0, 0, whole.width(), whole.height()}, static_cast<double>(factor));
    if (result.info.pixelSize) {
        result.info.pixelSize->x *= factor;
        result.info.pixelSize->y *= factor;
    }
    return result;
}

} // namespace pollard
