#include "io/image_reader.hpp"
#include "io/picture_identity.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/region_source.hpp"
#include "io/volumes/slice_values.hpp"
#include "io/volumes/volume_assembly.hpp"
#include "io/volumes/volume_slices.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace pollard {

namespace {

using Range = MappingChoice::Range;

/// Of a slice that is read: values, levels, and buffers of decoders.
constexpr std::uint64_t kPixelBytes = 16;

/// Whether a page may have pixels without data.
bool mayHaveGaps(const std::filesystem::path& path, const ReadOptions& options) {
    try {
        return openPage(path, options, PageUse::regions)->mayHaveGaps();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::formatUnsupported) {
            throw;
        }
        return true; // a format that is read as a whole
    }
}

/// A volume of files.
class VolumeRegions final : public RegionSource {
public:
    VolumeRegions(const VolumeFiles& volume, const ReadOptions& options, const JobControl& control);

    void prepare(const JobControl& control) override;
    LoadedImage readBox(const PixelRegion& region, const SliceRange& slices, const JobControl& control) override;

private:
    using Take = std::function<void(int slice, const LoadedImage& read)>; ///< on several threads

    [[nodiscard]] bool haveGaps(const JobControl& control) const;
    [[nodiscard]] int passesNeeded(const JobControl& control) const;
    /// Whether the mapping of a slice does not depend on its values.
    [[nodiscard]] bool isMappedByType() const;
    /// Reads whole slices, some of them at the same time.
    void readAll(const MappingChoice& mapping, const JobControl& control, const Take& take) const;
    [[nodiscard]] PixelRegion area() const { return {0, 0, extent_.width, extent_.height}; }
    [[nodiscard]] ReadOptions boxOptions(const PixelRegion& region) const;

    ReadOptions options_;
    VolumeSlices slices_;
    int slicesAtOnce_ = 1;     ///< in a pass
    bool inARow_ = false;      ///< the reader takes slices one after another
    bool hasRange_ = false;    ///< levels follow from the values of all slices
    bool cropsSlices_ = false; ///< boxes are cut out of whole slices
    MappingChoice mapping_;    ///< by which boxes are read
};

VolumeRegions::VolumeRegions(const VolumeFiles& volume, const ReadOptions& options, const JobControl& control)
    : options_(options), slices_(volume.files, options), mapping_(options.mapping) {
    control.throwIfStopped();
    if (options.shrink != 1) {
        slices_.refuse(ErrorCode::invalidArgument, "a volume that is read in regions cannot be shrunk");
    }
    extent_ = slices_.extent();
    blocks_ = {extent_.width, extent_.height, 0, 0};
    const std::uint64_t sliceBytes = extent_.slicePixels() * kPixelBytes;
    if (sliceBytes > volume.memory) {
        slices_.refuse(ErrorCode::outOfMemory, "a slice of " + text(Extent{extent_.width, extent_.height, 1}) +
                                                   " needs " + sizeText(sliceBytes) + ", " + sizeText(volume.memory) +
                                                   " are allowed");
    }
    const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
    slicesAtOnce_ = static_cast<int>(std::clamp<std::uint64_t>(volume.memory / sliceBytes, 1, threads));
    identity_ = identityOf(slices_.files(), options_);
    LoadedImage first;
    inARow_ = slices_.readAtOnce(
        0, 1, options_, [&](LoadedImage read) { first = std::move(read); }, control);
    if (!inARow_) {
        first = slices_.read(0, options_, control);
    }
    slices_.describe(first.info);
    type_ = first.image->type();
    info_ = std::move(first.info);
    // Slopes of several files may differ.
    hasRange_ = !inARow_ && info_.mapping && options_.mapping.range != Range::fixed &&
                !(isMappedByType() && slices_.files().size() == 1);
    cropsSlices_ = options_.channel.kind == ChannelChoice::Kind::derived;
    passes_ = passesNeeded(control);
}

bool VolumeRegions::isMappedByType() const {
    constexpr int kShortBits = 16;
    return options_.mapping.range == Range::fixed ||
           (options_.mapping.range == Range::automatic && info_.sampleFormat != "float" && info_.bits <= kShortBits &&
            options_.channel.kind != ChannelChoice::Kind::derived);
}

bool VolumeRegions::haveGaps(const JobControl& control) const {
    for (int slice = 0; slice < slices_.count(); ++slice) {
        control.throwIfStopped();
        if (mayHaveGaps(slices_.fileOf(slice), slices_.optionsOf(slice, options_))) {
            return true;
        }
    }
    return false;
}

int VolumeRegions::passesNeeded(const JobControl& control) const {
    constexpr int kRankBits = 16;
    const bool ranks = hasRange_ && options_.mapping.range == Range::percentile;
    return (ranks ? std::max(1, info_.bits / kRankBits) : 0) + (hasRange_ || haveGaps(control) ? 1 : 0);
}

void VolumeRegions::readAll(const MappingChoice& mapping, const JobControl& control, const Take& take) const {
    const int count = slices_.count();
    std::atomic<int> done{0};
    const auto takeOne = [&](int slice, const LoadedImage& read) {
        control.throwIfStopped();
        slices_.requireAlike(slice, read, type_, extent_, info_.mapping.has_value());
        take(slice, read);
        control.report(static_cast<double>(++done) / count, kPassStage);
    };
    ReadOptions like = options_;
    like.mapping = mapping;
    const JobControl quiet = control.withoutProgress();
    if (inARow_) {
        int slice = 0;
        (void)slices_.readAtOnce(
            0, count, like, [&](LoadedImage read) { takeOne(slice++, read); }, quiet);
        return;
    }
    like.threads = slicesAtOnce_ > 1 ? 1 : options_.threads;
    tbb::task_arena arena(slicesAtOnce_);
    arena.execute(
        [&] { tbb::parallel_for(0, count, [&](int slice) { takeOne(slice, slices_.read(slice, like, quiet)); }); });
}

void VolumeRegions::prepare(const JobControl& control) {
    if (isPrepared()) {
        return;
    }
    const bool ranks = hasRange_ && options_.mapping.range == Range::percentile;
    const double ranking = ranks ? static_cast<double>(passes_ - 1) / passes_ : 0;
    MappingChoice mapping = options_.mapping;
    if (ranks) {
        tbb::task_arena arena(slicesAtOnce_);
        arena.execute([&] { mapping = slices_.rangeOfQuantiles(options_, control.part(0, ranking)); });
    }
    ValidLevels valid;
    SliceValues values(slices_.count());
    std::mutex mutex;
    readAll(mapping, control.part(ranking, 1 - ranking), [&](int slice, const LoadedImage& read) {
        const ValidLevels levels = validLevelsOf(read);
        values.add(slice, read);
        const std::scoped_lock lock(mutex);
        valid.join(levels);
    });
    info_.mapping = values.whole(info_);
    if (!values.haveOneMapping()) {
        mapping = values.range();
        ReadOptions pixel = boxOptions({0, 0, 1, 1});
        pixel.mapping = mapping;
        info_.mapping = slices_.read(0, pixel, control.withoutProgress()).info.mapping;
        // Both ends of the range occur.
        valid = {valid.invalid, false, 0, maxLevelOf(type_)};
    } else if (hasRange_ && mapping.range != Range::fixed && !isMappedByType()) {
        cropsSlices_ = true; // the mapping follows from all values of a slice
    }
    mapping_ = mapping;
    info_.invalidPixels = valid.invalid;
    if (valid.invalid > 0) {
        validLevels_ = valid;
    }
    isPrepared_ = true;
}

ReadOptions VolumeRegions::boxOptions(const PixelRegion& region) const {
    const PixelRegion page = options_.region.value_or(PixelRegion{});
    ReadOptions like = options_;
    like.mapping = mapping_;
    like.region = PixelRegion{page.x + region.x, page.y + region.y, region.width, region.height};
    return like;
}

LoadedImage VolumeRegions::readBox(const PixelRegion& region, const SliceRange& slices, const JobControl& control) {
    const auto all = static_cast<std::uint32_t>(slices_.count());
    if (slices.count == 0 || slices.first >= all || slices.count > all - slices.first) {
        slices_.refuse(ErrorCode::invalidArgument, "a box of " + std::to_string(slices.count) + " slices from slice " +
                                                       std::to_string(slices.first) + " on is not in the volume");
    }
    if (!isPrepared()) {
        slices_.refuse(ErrorCode::invalidArgument, "a box cannot be read before the passes over the whole volume");
    }
    const PixelRegion part = checkedRegion(region, extent_.width, extent_.height);
    const bool crops = cropsSlices_ && part != area();
    ReadOptions like = boxOptions(crops ? area() : part);
    VolumeAssembly assembly(type_, {part.width, part.height, slices.count}, 1);
    const auto take = [&](std::uint32_t slice, LoadedImage read) {
        control.throwIfStopped();
        if (crops) {
            read = cropped(read, part, control);
        }
        slices_.requireAlike(static_cast<int>(slices.first + slice), read, type_, {part.width, part.height},
                             info_.mapping.has_value());
        assembly.add(slice, *read.image, read.valid.get(), control);
    };
    const JobControl quiet = control.withoutProgress();
    const int first = static_cast<int>(slices.first);
    if (inARow_) {
        std::uint32_t slice = 0;
        (void)slices_.readAtOnce(
            first, static_cast<int>(slices.count), like, [&](LoadedImage read) { take(slice++, std::move(read)); },
            quiet);
    } else {
        like.threads = 1; // slices side by side
        tbb::parallel_for(std::uint32_t{0}, slices.count, [&](std::uint32_t slice) {
            take(slice, slices_.read(first + static_cast<int>(slice), like, quiet));
        });
    }
    ImageInfo info = info_;
    const std::shared_ptr<Image>& box = assembly.volume();
    box->setSides(voxelSides(info.pixelSize, info.spacing));
    const std::shared_ptr<const Mask> valid = assembly.valid();
    info.invalidPixels = valid ? box->pixelCount() - valid->count() : 0;
    return {box, valid, std::move(info)};
}

} // namespace

std::unique_ptr<RegionSource> openRegions(const VolumeFiles& volume, const ReadOptions& options,
                                          const JobControl& control) {
    return std::make_unique<VolumeRegions>(volume, options, control);
}

} // namespace pollard
