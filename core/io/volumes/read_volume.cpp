#include "io/volumes/read_volume.hpp"

#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/samples/value_image.hpp"
#include "io/samples/value_statistics.hpp"
#include "io/volumes/volume_slices.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr int kSlicesAtOnce = 8; ///< in memory besides a volume of blocks

/// Reads the slices into one image.
class VolumeReader {
public:
    VolumeReader(const std::vector<std::filesystem::path>& files, const ReadOptions& options, const JobControl& control)
        : slices_(files, withoutRanks(options)), options_(withoutRanks(options)), control_(control),
          values_(slices_.count()) {}

    LoadedImage read() {
        if (!readAtOnce()) {
            LoadedImage first = slices_.read(0, options_, control_);
            if (slices_.needsAllValues(first.info)) {
                collect(false);
                first = slices_.read(0, options_, control_.withoutProgress());
            }
            readSlices(std::move(first));
            if (!values_.haveOneMapping()) {
                collect(true);
                readSlices(slices_.read(0, options_, control_.withoutProgress()));
            }
        }
        return finished();
    }

private:
    /// Levels that are averaged are proportional to values.
    static ReadOptions withoutRanks(ReadOptions options) {
        options.mapping.proportional = options.mapping.proportional || options.shrink > 1;
        options.keepSamples = options.keepSamples && options.shrink == 1;
        return options;
    }

    /// Whether the reader of the file read the slices in a row.
    bool readAtOnce() {
        int slice = 0;
        return slices_.readAtOnce(
            0, slices_.count(), options_,
            [&](LoadedImage read) {
                if (slice == 0) {
                    start(read);
                }
                take(slice++, read);
            },
            control_.withoutProgress());
    }

    /// Finds how the values of all slices become levels. @param ofValues whether samples of slices have different
    /// values
    void collect(bool ofValues) {
        options_.statistics = std::make_shared<ValueStatistics>();
        if (ofValues) {
            options_.statistics->useValues();
        }
        ReadOptions like = options_;
        like.threads = 1; // slices side by side
        const auto read = [&](int slice) { (void)slices_.read(slice, like, control_.withoutProgress()); };
        collectValues(
            *options_.statistics, [&] { read(0); },
            [&](int) {
                std::atomic<int> done{0};
                tbb::parallel_for(0, slices_.count(), [&](int slice) {
                    control_.throwIfStopped();
                    read(slice);
                    control_.report(static_cast<double>(++done) / slices_.count(), "range");
                });
            });
        if (!options_.statistics->isKnown()) { // files of pages that have one range each
            options_.statistics.reset();
            if (ofValues) {
                options_.mapping = values_.range();
            }
        }
    }

    void readSlices(LoadedImage first) {
        start(std::move(first));
        take(0, first_);
        ReadOptions like = options_;
        like.threads = 1; // formats decode pages of usual sizes with few threads: slices side by side
        const auto readInto = [&](int slice) { return slices_.read(slice, like, control_.withoutProgress()); };
        const int count = slices_.count();
        if (options_.shrink == 1) {
            tbb::parallel_for(1, count, [&](int slice) { take(slice, readInto(slice)); });
            return;
        }
        for (int slice = 1; slice < count; slice += kSlicesAtOnce) {
            std::vector<LoadedImage> read(static_cast<std::size_t>(std::min(kSlicesAtOnce, count - slice)));
            tbb::parallel_for(std::size_t{0}, read.size(),
                              [&](std::size_t i) { read[i] = readInto(slice + static_cast<int>(i)); });
            for (std::size_t i = 0; i < read.size(); ++i) {
                take(slice + static_cast<int>(i), read[i]);
            }
        }
    }

    /// Makes the volume for slices like this one.
    void start(LoadedImage first) {
        first_ = std::move(first);
        slices_.describe(first_.info);
        const Image& like = *first_.image;
        const Extent voxels{like.width(), like.height(), static_cast<std::uint32_t>(slices_.count())};
        const auto side = static_cast<std::uint32_t>(options_.shrink);
        requireRoom(VolumeAssembly::extentOf(voxels, side), like.type());
        assembly_.emplace(like.type(), voxels, side);
        done_ = 0;
    }

    void take(int slice, const LoadedImage& read) {
        control_.throwIfStopped();
        slices_.requireAlike(slice, read, first_.image->type(), first_.image->extent(),
                             first_.info.mapping.has_value());
        assembly_->add(static_cast<std::uint32_t>(slice), *read.image, read.valid.get(), control_);
        values_.add(slice, read);
        control_.report(static_cast<double>(++done_) / slices_.count(), "reading");
    }

    void requireRoom(const Extent& extent, PixelType type) const {
        requireMemory(slices_.path(), "a volume of " + text(extent) + " needs", extent.pixelCount() * bytesOf(type),
                      options_.limits);
        if (extent.pixelCount() > options_.limits.maxPixels) {
            slices_.refuse(ErrorCode::limitExceeded, "a volume of " + text(extent) + " has more than the allowed " +
                                                         std::to_string(options_.limits.maxPixels) + " pixels");
        }
    }

    [[nodiscard]] LoadedImage finished() {
        ImageInfo info = first_.info;
        if (!options_.statistics) {
            info.mapping = values_.whole(info);
        }
        noteLostValues(options_.mapping, info);
        const int shrink = options_.shrink;
        if (info.pixelSize && shrink > 1) {
            info.pixelSize->x *= shrink;
            info.pixelSize->y *= shrink;
            info.pixelSize->z *= shrink;
        }
        if (info.spacing) {
            info.spacing = VoxelSides{info.spacing->x * shrink, info.spacing->y * shrink, info.spacing->z * shrink};
        }
        if (shrink > 1) {
            const Image& slice = *first_.image;
            info.carried = cropTags(std::move(info.carried), {0, 0, slice.width(), slice.height()}, shrink);
            shrinkVoxels(info.place, shrink, shrink, shrink);
            shrinkPixels(info.sky, shrink, shrink, shrink);
        }
        const std::shared_ptr<Image>& volume = assembly_->volume();
        volume->setSides(voxelSides(info.pixelSize, info.spacing));
        const std::shared_ptr<const Mask> valid = assembly_->valid();
        info.invalidPixels = valid ? volume->pixelCount() - valid->count() : 0;
        return {volume, valid, std::move(info), options_.keepSamples ? values_.takeSamples(*volume) : nullptr};
    }

    const VolumeSlices slices_;
    ReadOptions options_;
    const JobControl& control_;
    LoadedImage first_; ///< slice
    std::optional<VolumeAssembly> assembly_;
    SliceValues values_;
    std::atomic<int> done_{0}; ///< slices
};

} // namespace

SlicePages pagesAlong(const ImageInfo& info, char axis) {
    int stride = 1;
    for (const StackAxis& each : info.axes) {
        if (each.name == axis) {
            return {info.page - info.page / stride % each.count * stride, stride, each.count};
        }
        stride *= each.count;
    }
    return {info.page, 1, 1};
}

SlicePages slicePages(const ImageInfo& info) {
    const bool isPlain = info.axes.empty() || (info.axes.size() == 1 && info.axes.front().name == 'p');
    return isPlain ? SlicePages{0, 1, info.pages} : pagesAlong(info, 'z');
}

bool statesVolume(const ImageInfo& info) noexcept {
    const auto z = std::ranges::find(info.axes, 'z', &StackAxis::name);
    return z != info.axes.end() && z->count > 1;
}

VoxelSides voxelSides(const std::optional<PixelSize>& size, const std::optional<VoxelSides>& spacing) noexcept {
    const bool isOfScene = size && !size->print;
    if (!isOfScene && !spacing) {
        return {};
    }
    const VoxelSides sides = isOfScene ? VoxelSides{size->x, size->y, size->z} : *spacing;
    const auto inWidths = [&](double side) { // 0.6 / 0.2 is 3
        constexpr double kDecimals = 1e6;
        const double exact = side / sides.x;
        const double decimal = std::round(exact * kDecimals) / kDecimals;
        return std::abs(decimal - exact) < 1e-12 * exact ? decimal : exact;
    };
    return {1, inWidths(sides.y), sides.z > 0 ? inWidths(sides.z) : 1};
}

LoadedImage readVolume(const std::vector<std::filesystem::path>& files, const ReadOptions& options,
                       const JobControl& control) {
    return VolumeReader(files, options, control).read();
}

LoadedImage readVolume(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    return readVolume(std::vector{path}, options, control);
}

} // namespace pollard
