#include "io/volumes/projection.hpp"

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "image/mask.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/read_volume.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Levels of voxels above each other.
struct Column {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    std::uint16_t low = std::numeric_limits<std::uint16_t>::max();
    std::uint16_t high = 0;

    void add(std::uint16_t level) noexcept {
        sum += level;
        ++count;
        low = std::min(low, level);
        high = std::max(high, level);
    }
    [[nodiscard]] std::uint64_t by(Projection projection) const noexcept {
        return projection == Projection::maximum   ? high
               : projection == Projection::minimum ? low
                                                   : (2 * sum + count) / (2 * count);
    }
};

/// The samples of the pixels of a maximum or minimum: taken from voxels with data, or from all voxels of a column
/// without data.
SampleGrid projectedSamples(const LoadedImage& volume, const LoadedImage& image, Projection projection,
                            const JobControl& control) {
    const Extent& extent = volume.image->extent();
    const SampleGrid& from = *volume.samples;
    SampleGrid to{from.type, Buffer<std::byte>(extent.slicePixels() * bytesOf(from.type))};
    const bool descends = volume.info.mapping && volume.info.mapping->file.slope < 0;
    const bool isHighest = (projection == Projection::maximum) != descends;
    dispatch(from.type, [&]<class T>(T) {
        const auto* const samples = reinterpret_cast<const T*>(from.samples.data());
        auto* const out = reinterpret_cast<T*>(to.samples.data());
        const auto project = [&](std::size_t row) {
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                const std::size_t pixel = row * extent.width + x;
                const auto y = static_cast<std::uint32_t>(row);
                const bool isGap = image.valid && !image.valid->test(x, y);
                std::optional<T> found;
                for (std::uint32_t z = 0; z < extent.slices; ++z) {
                    const T sample = samples[z * extent.slicePixels() + pixel];
                    const bool counts = isGap || !volume.valid || volume.valid->test(x, z * extent.height + y);
                    if (counts && (!found || (isHighest ? sample > *found : sample < *found))) {
                        found = sample;
                    }
                }
                out[pixel] = found.value_or(T{});
            }
        };
        forEachIndex(extent.height, control, project, 1);
    });
    return to;
}

/// Maximum, minimum or mean of the voxels with data.
LoadedImage projected(const LoadedImage& volume, Projection projection, const JobControl& control) {
    const Image& voxels = *volume.image;
    const Extent& extent = voxels.extent();
    const Mask* const valid = volume.valid.get();
    auto image = std::make_shared<Image>(voxels.type(), extent.width, extent.height);
    auto mask = std::make_shared<Mask>(extent.width, extent.height, true);
    dispatch(voxels.type(), [&]<class T>(T) {
        const auto from = voxels.pixels<T>();
        const auto to = image->template pixels<T>();
        const auto project = [&](std::size_t row) {
            const auto y = static_cast<std::uint32_t>(row);
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                const std::size_t pixel = row * extent.width + x;
                Column all;
                Column withData;
                for (std::uint32_t z = 0; z < extent.slices; ++z) {
                    const T level = from[z * extent.slicePixels() + pixel];
                    all.add(level);
                    if (valid != nullptr && valid->test(x, z * extent.height + y)) {
                        withData.add(level);
                    }
                }
                const bool isGap = valid != nullptr && withData.count == 0;
                if (isGap) {
                    mask->set(x, y, false);
                }
                to[pixel] = static_cast<T>((valid == nullptr || isGap ? all : withData).by(projection));
            }
        };
        forEachIndex(extent.height, control, project, 1);
    });
    LoadedImage result{std::move(image), nullptr, volume.info};
    if (mask->count() < extent.slicePixels()) {
        result.valid = std::move(mask);
    }
    if (volume.samples && projection != Projection::mean) {
        result.samples = std::make_shared<const SampleGrid>(projectedSamples(volume, result, projection, control));
    }
    return result;
}

/// Variance of the Laplacian, 4 v - (left + right + above + below), over the pixels that have data in all five.
double sharpnessOf(const Image& volume, const Mask* valid, std::uint32_t z) {
    const Extent& extent = volume.extent();
    double sum = 0;
    double squares = 0;
    std::uint64_t count = 0;
    for (std::uint32_t y = 1; y + 1 < extent.height; ++y) {
        std::int64_t rowSum = 0;
        std::int64_t rowSquares = 0;
        const std::uint32_t row = z * extent.height + y;
        for (std::uint32_t x = 1; x + 1 < extent.width; ++x) {
            if (valid != nullptr && !(valid->test(x, row) && valid->test(x - 1, row) && valid->test(x + 1, row) &&
                                      valid->test(x, row - 1) && valid->test(x, row + 1))) {
                continue;
            }
            const std::size_t pixel = std::size_t{row} * extent.width + x;
            const std::int64_t around = std::int64_t{volume.level(pixel - 1)} + volume.level(pixel + 1) +
                                        volume.level(pixel - extent.width) + volume.level(pixel + extent.width);
            const std::int64_t laplacian = 4 * std::int64_t{volume.level(pixel)} - around;
            rowSum += laplacian;
            rowSquares += laplacian * laplacian;
            ++count;
        }
        sum += static_cast<double>(rowSum);
        squares += static_cast<double>(rowSquares);
    }
    if (count == 0) {
        return 0;
    }
    const auto pixels = static_cast<double>(count);
    return squares / pixels - sum / pixels * (sum / pixels);
}

/// The first of the slices with the largest sharpness.
std::uint32_t sharpestOf(const LoadedImage& volume, const JobControl& control) {
    std::vector<double> sharpness(volume.image->extent().slices);
    forEachIndex(
        sharpness.size(), control,
        [&](std::size_t z) {
            sharpness[z] = sharpnessOf(*volume.image, volume.valid.get(), static_cast<std::uint32_t>(z));
        },
        1);
    return static_cast<std::uint32_t>(std::ranges::max_element(sharpness) - sharpness.begin());
}

LoadedImage sliceOf(const LoadedImage& volume, std::uint32_t z) {
    const Extent& extent = volume.image->extent();
    LoadedImage result{std::make_shared<const Image>(sliceOf(*volume.image, z)), nullptr, volume.info};
    if (volume.valid) {
        Mask mask = volume.valid->rows(z * extent.height, extent.height);
        if (mask.count() < extent.slicePixels()) {
            result.valid = std::make_shared<const Mask>(std::move(mask));
        }
    }
    moveFirst(result.info.place, 0, 0, z);
    if (volume.samples) {
        result.samples = std::make_shared<const SampleGrid>(
            croppedSamples(*volume.samples, extent.width, {0, z * extent.height, extent.width, extent.height}));
    }
    return result;
}

/// The page of the only slice that is asked for; nothing for several, and for slices that do not exist.
std::optional<int> onlyPage(const ReadOptions& options, const ImageInfo& info) {
    const SlicePages pages = slicePages(info);
    const auto count = static_cast<std::uint32_t>(pages.count);
    const SliceRange wanted = options.slices.value_or(SliceRange{0, count});
    const bool isOne = wanted.count == 1 && wanted.first < count;
    return isOne ? std::optional(pages.first + static_cast<int>(wanted.first) * pages.stride) : std::nullopt;
}

} // namespace

std::string_view nameOf(Projection projection) noexcept {
    constexpr std::array<std::string_view, 4> kNames{"max", "min", "mean", "sharpest"};
    return kNames[static_cast<std::size_t>(projection)];
}

LoadedImage readProjection(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    const Projection projection = options.projection.value_or(Projection::maximum);
    ReadOptions plain = options;
    plain.projection.reset();
    const ImageInfo info = readImageInfo(path, plain);
    if (const auto page = onlyPage(options, info)) {
        plain.page = *page;
        return readImage(path, plain, control);
    }
    plain.keepSamples = options.keepSamples && options.shrink == 1 && projection != Projection::mean;
    plain.shrink = 1;
    plain.mapping.proportional = plain.mapping.proportional || options.shrink > 1 || projection == Projection::mean ||
                                 projection == Projection::sharpest; // levels are summed
    const LoadedImage volume = readVolume(path, plain, control);
    const std::uint32_t slices = volume.image->extent().slices;
    try {
        const bool isSlice = projection == Projection::sharpest;
        const std::uint32_t z = isSlice ? sharpestOf(volume, control) : 0;
        LoadedImage result = isSlice ? sliceOf(volume, z) : projected(volume, projection, control);
        result.info.page = info.page;
        result.info.invalidPixels = result.valid ? result.image->pixelCount() - result.valid->count() : 0;
        const std::uint32_t first = options.slices ? options.slices->first : 0;
        result.info.notes.push_back(std::string("projection: ") + std::string(nameOf(projection)) + " of " +
                                    std::to_string(slices) + " slices" +
                                    (isSlice ? ", slice " + std::to_string(first + z) : ""));
        return options.shrink > 1 ? shrunk(result, options.shrink, control) : result;
    } catch (const std::bad_alloc&) {
        throw readError(ErrorCode::outOfMemory, path, "not enough memory for the projection");
    }
}

} // namespace pollard
