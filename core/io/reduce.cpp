#include "io/reduce.hpp"

#include "base/error.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/region_source.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <tbb/parallel_for.h>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Side of the blocks of the transposition, small enough that rows of both images stay in the cache.
constexpr std::uint32_t kSquare = 64;

struct Position {
    std::uint32_t x;
    std::uint32_t y;
};

/// Stored position of pixel (x, y) of the upright image, for a stored image of width x height px.
constexpr Position storedAt(std::uint32_t x, std::uint32_t y, int orientation, std::uint32_t width,
                            std::uint32_t height) noexcept {
    const bool swapped = swapsSides(orientation);
    const std::uint32_t column = swapped ? y : x;
    const std::uint32_t row = swapped ? x : y;
    // First stored column on the right (2, 3) or, transposed, at the bottom (7, 8).
    const bool columnsBack = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    // First stored row at the bottom (3, 4) or, transposed, on the right (6, 7).
    const bool rowsBack = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    return {columnsBack ? width - 1 - column : column, rowsBack ? height - 1 - row : row};
}

} // namespace

PixelRegion storedRegion(const PixelRegion& upright, int orientation, std::uint32_t storedWidth,
                         std::uint32_t storedHeight) noexcept {
    const Position a = storedAt(upright.x, upright.y, orientation, storedWidth, storedHeight);
    const Position b =
        storedAt(upright.x + upright.width - 1, upright.y + upright.height - 1, orientation, storedWidth, storedHeight);
    const std::uint32_t width = swapsSides(orientation) ? upright.height : upright.width;
    const std::uint32_t height = swapsSides(orientation) ? upright.width : upright.height;
    return {std::min(a.x, b.x), std::min(a.y, b.y), width, height};
}

Image uprightImage(const Image& stored, int orientation, const JobControl& control) {
    const bool swapped = swapsSides(orientation);
    const std::uint32_t width = swapped ? stored.height() : stored.width();
    const std::uint32_t height = swapped ? stored.width() : stored.height();
    Image upright(stored.type(), width, height);
    dispatch(stored.type(), [&]<class T>(T) {
        const T* in = stored.pixels<T>().data();
        T* out = upright.pixels<T>().data();
        tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, (height - 1) / kSquare + 1), [&](const auto& bands) {
            control.throwIfStopped();
            const std::uint32_t top = bands.begin() * kSquare;
            const auto bottom =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(height, std::uint64_t{bands.end()} * kSquare));
            for (std::uint32_t left = 0; left < width; left += std::min(kSquare, width - left)) {
                const std::uint32_t right = left + std::min(kSquare, width - left);
                for (std::uint32_t y = top; y < bottom; ++y) {
                    for (std::uint32_t x = left; x < right; ++x) {
                        const Position from = storedAt(x, y, orientation, stored.width(), stored.height());
                        out[std::size_t{y} * width + x] = in[std::size_t{from.y} * stored.width() + from.x];
                    }
                }
            }
        });
    });
    return upright;
}

Mask uprightMask(const Mask& stored, int orientation) {
    const bool swapped = swapsSides(orientation);
    Mask upright(swapped ? stored.height() : stored.width(), swapped ? stored.width() : stored.height(), false);
    for (std::uint32_t y = 0; y < upright.height(); ++y) {
        for (std::uint32_t x = 0; x < upright.width(); ++x) {
            const Position from = storedAt(x, y, orientation, stored.width(), stored.height());
            upright.set(x, y, stored.test(from.x, from.y));
        }
    }
    return upright;
}

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

/// An image that readShrunk() reads in bands.
class BandSource {
public:
    BandSource(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
        ReadOptions whole = options;
        whole.shrink = 1;
        whole.mapping.proportional = true; // levels are averaged
        whole.keepSamples = false;
        whole.region.reset();
        page_ = openPage(path, whole, PageUse::regions);
        info_ = page_->info();
        area_ = wantedRegion(path, options.region, info_.width, info_.height);
        constexpr int kWidest = 16; // bits of samples that are levels
        if (info_.bits > kWidest || info_.sampleFormat != "unsigned") {
            whole.region = options.region;
            values_ = openRegions(path, whole, control.withoutProgress());
            if (!values_->isPrepared()) {
                values_->prepare(control.part(0, kRangeEnd));
                begin_ = kRangeEnd;
            }
            info_ = values_->info();
        }
    }

    [[nodiscard]] const ImageInfo& info() const noexcept { return info_; } ///< of the page or of the area
    [[nodiscard]] const PixelRegion& area() const noexcept { return area_; }
    [[nodiscard]] BlockGrid blocks() const { return page_->blocks(); }
    [[nodiscard]] bool isCropped() const noexcept { return values_ != nullptr; } ///< whether info() is of the area
    [[nodiscard]] double begin() const noexcept { return begin_; }               ///< progress before the first band
    /// Whether info() has the mapping of all values.
    [[nodiscard]] bool knowsValues() const noexcept { return values_ && values_->passes() > 0; }
    /// @param band relative to the area
    [[nodiscard]] LoadedImage read(const PixelRegion& band, const JobControl& control) {
        return values_ ? values_->read(band, control)
                       : page_->readRegion({area_.x + band.x, area_.y + band.y, band.width, band.height}, control);
    }

private:
    static constexpr double kRangeEnd = 0.5;
    std::unique_ptr<FilePage> page_;
    std::unique_ptr<RegionSource> values_; ///< null if levels are stored
    ImageInfo info_;
    PixelRegion area_;
    double begin_ = 0;
};

/// Rows of a band: a multiple of the factor, with whole rows of blocks if they have about @p pixels.
std::uint32_t bandRows(const BandSource& source, std::uint32_t factor, std::uint64_t pixels) {
    const std::uint64_t wanted = std::max<std::uint64_t>(pixels / source.area().width, 1);
    const std::uint32_t block = source.blocks().height;
    const std::uint64_t both = std::lcm(std::uint64_t{block}, std::uint64_t{factor});
    const std::uint64_t unit = both <= std::max<std::uint64_t>(wanted, block) ? both : factor;
    const std::uint64_t rows = std::max(wanted / unit * unit, unit);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, source.area().height));
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

PixelRegion wantedRegion(const std::filesystem::path& path, const std::optional<PixelRegion>& wanted,
                         std::uint32_t width, std::uint32_t height) {
    return wanted ? namingFile(path, [&] { return checkedRegion(*wanted, width, height); })
                  : PixelRegion{0, 0, width, height};
}

void scalePixels(ImageInfo& info, std::uint32_t width, std::uint32_t height, double scaleX, double scaleY) {
    info.carried = cropTags(std::move(info.carried), {0, 0, width, height}, scaleX, scaleY);
    shrinkVoxels(info.place, scaleX, scaleY, 1);
    shrinkPixels(info.sky, scaleX, scaleY, 1);
    if (info.pixelSize) {
        info.pixelSize->x *= scaleX;
        info.pixelSize->y *= scaleY;
    }
    if (info.spacing) {
        info.spacing->x *= scaleX;
        info.spacing->y *= scaleY;
    }
}

void placeRegion(ImageInfo& info, const PixelRegion& region) {
    info.carried = cropTags(std::move(info.carried), region, 1);
    moveFirst(info.place, region.x, region.y, 0);
    moveFirst(info.sky, region.x, region.y, 0);
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
    if (loaded.samples) {
        result.samples = std::make_shared<const SampleGrid>(croppedSamples(*loaded.samples, whole.width(), region));
    }
    result.info = reducedInfo(loaded, result);
    placeRegion(result.info, region);
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
    scalePixels(result.info, whole.width(), whole.height(), factor, factor);
    return result;
}

LoadedImage readShrunk(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control,
                       std::uint64_t bandPixels) {
    if (options.shrink < 1) {
        throw readError(ErrorCode::invalidArgument, path,
                        "shrink by " + std::to_string(options.shrink) + ": must be at least 1");
    }
    try {
        BandSource source(path, options, control);
        const auto factor = static_cast<std::uint32_t>(options.shrink);
        const PixelRegion& area = source.area();
        const std::uint32_t width = (area.width - 1) / factor + 1;
        const std::uint32_t height = (area.height - 1) / factor + 1;
        const std::uint32_t rows = bandRows(source, factor, std::min(bandPixels, options.limits.maxPixels));
        std::shared_ptr<Image> image;
        Mask mask(width, height, true);
        LoadedImage result;
        std::optional<ValueMapping> mapping;
        for (std::uint32_t y = 0; y < area.height; y += std::min(rows, area.height - y)) {
            control.throwIfStopped();
            control.report(source.begin() + (1 - source.begin()) * y / area.height, "reading");
            const LoadedImage band =
                source.read({0, y, area.width, std::min(rows, area.height - y)}, control.withoutProgress());
            const LoadedImage small = shrunk(band, options.shrink, control.withoutProgress());
            if (!image) {
                image = std::make_shared<Image>(small.image->type(), width, height);
                result.info = source.info();
                result.info.notes = band.info.notes;
            }
            addValues(mapping, band.info.mapping);
            const std::uint32_t first = y / factor;
            std::memcpy(image->data() + std::size_t{first} * width * bytesOf(image->type()), small.image->data(),
                        small.image->pixelCount() * bytesOf(image->type()));
            for (std::uint32_t row = 0; small.valid && row < small.image->height(); ++row) {
                for (std::uint32_t x = 0; x < width; ++x) {
                    mask.set(x, first + row, small.valid->test(x, row));
                }
            }
        }
        if (!source.knowsValues()) {
            result.info.mapping = mapping;
        }
        result.image = std::move(image);
        result.valid = unlessFull(std::move(mask));
        result.info = reducedInfo(result, result);
        if (!source.isCropped()) {
            placeRegion(result.info, area);
        }
        scalePixels(result.info, area.width, area.height, options.shrink, options.shrink);
        return result;
    } catch (const std::bad_alloc&) {
        throw readError(ErrorCode::outOfMemory, path, "not enough memory to decode the image");
    }
}

} // namespace pollard
