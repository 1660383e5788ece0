#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/region_source.hpp"
#include "io/samples/value_image.hpp"
#include "io/samples/value_statistics.hpp"
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
    /// Reads the first slice, and finds out whether levels follow from the values of all.
    [[nodiscard]] LoadedImage readFirst(const JobControl& control);
    /// Reads whole slices, several at the same time.
    void readAll(const JobControl& control, const Take& take) const;
    /// Finds how the values of all slices become levels. @param ofValues whether samples of slices have different
    /// values
    ValidLevels findValues(bool ofValues, const JobControl& control);
    ValidLevels findLevels(const JobControl& control);
    [[nodiscard]] PixelRegion area() const { return {0, 0, extent_.width, extent_.height}; }
    [[nodiscard]] ReadOptions boxOptions(const PixelRegion& region) const;

    ReadOptions options_;
    VolumeSlices slices_;
    int slicesAtOnce_ = 1;         ///< in a pass
    bool inARow_ = false;          ///< the reader reads slices one after another
    bool hasRange_ = false;        ///< levels follow from the values of all slices
    bool cropsSlices_ = false;     ///< boxes are cut out of whole slices
    bool takesStatistics_ = false; ///< slices map values by facts about all
    int rangePasses_ = 0;          ///< that find the levels of values
};

VolumeRegions::VolumeRegions(const VolumeFiles& volume, const ReadOptions& options, const JobControl& control)
    : options_(options), slices_(volume.files, options) {
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
    LoadedImage first = readFirst(control);
    slices_.describe(first.info);
    type_ = first.image->type();
    info_ = std::move(first.info);
    cropsSlices_ = options_.channel.kind == ChannelChoice::Kind::derived;
    passes_ = passesNeeded(control);
}

LoadedImage VolumeRegions::readFirst(const JobControl& control) {
    LoadedImage first;
    const auto readOne = [&] {
        inARow_ = slices_.readAtOnce(
            0, 1, options_, [&](LoadedImage read) { first = std::move(read); }, control);
        if (!inARow_) {
            first = slices_.read(0, options_, control);
        }
    };
    if (options_.mapping.range == Range::fixed) {
        readOne();
        return first;
    }
    // Values add themselves to statistics unless a file has one range for its pages.
    options_.statistics = std::make_shared<ValueStatistics>();
    options_.statistics->beginPass(true);
    readOne();
    const auto type = options_.statistics->type();
    options_.statistics.reset();
    takesStatistics_ = type.has_value() || (first.info.mapping && slices_.files().size() > 1 && first.info.pages == 1);
    if (type) {
        readOne();
        hasRange_ = slices_.needsAllValues(first.info);
        rangePasses_ = hasRange_ ? passesOver(*type, options_.mapping) : 0;
    }
    return first;
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
    // Slopes of several files may differ.
    const bool mayDiffer = info_.mapping && options_.mapping.range != Range::fixed && slices_.files().size() > 1;
    return hasRange_ ? rangePasses_ : mayDiffer || haveGaps(control) ? 1 : 0;
}

void VolumeRegions::readAll(const JobControl& control, const Take& take) const {
    const int count = slices_.count();
    std::atomic<int> done{0};
    const auto takeOne = [&](int slice, const LoadedImage& read) {
        control.throwIfStopped();
        slices_.requireAlike(slice, read, type_, extent_, info_.mapping.has_value());
        take(slice, read);
        control.report(static_cast<double>(++done) / count, kPassStage);
    };
    ReadOptions like = options_;
    like.keepSamples = false;
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
    try {
        ValidLevels valid = hasRange_ ? findValues(false, control) : findLevels(control);
        info_.invalidPixels = valid.invalid;
        if (valid.invalid > 0) {
            validLevels_ = valid;
        }
    } catch (...) {
        options_.statistics.reset();
        throw;
    }
    noteLostValues(options_.mapping, info_);
    isPrepared_ = true;
}

ValidLevels VolumeRegions::findValues(bool ofValues, const JobControl& control) {
    options_.statistics = std::make_shared<ValueStatistics>();
    if (ofValues) {
        options_.statistics->useValues();
    }
    const JobControl quiet = control.withoutProgress();
    const auto takeType = [this](const LoadedImage& slice) { type_ = slice.image->type(); };
    const auto readFirst = [&] {
        if (!inARow_ || !slices_.readAtOnce(0, 1, options_, takeType, quiet)) {
            takeType(slices_.read(0, options_, quiet));
        }
    };
    passes_ = collectValues(*options_.statistics, readFirst, [&](int pass) {
        readAll(
            control.part(static_cast<double>(pass) / std::max(passes_, pass + 1), 1.0 / std::max(passes_, pass + 1)),
            [](int, const LoadedImage&) {});
    });
    const LoadedImage pixel = slices_.read(0, boxOptions({0, 0, 1, 1}), quiet);
    info_.mapping = pixel.info.mapping;
    type_ = pixel.image->type();
    const std::uint64_t invalid = invalidValues(*options_.statistics);
    const auto ends = levelEndsOf(*options_.statistics);
    return {invalid, !ends, ends ? ends->smallest : std::uint16_t{0}, ends ? ends->largest : std::uint16_t{0}};
}

ValidLevels VolumeRegions::findLevels(const JobControl& control) {
    ValidLevels valid;
    SliceValues values(slices_.count());
    std::mutex mutex;
    readAll(control, [&](int slice, const LoadedImage& read) {
        const ValidLevels levels = validLevelsOf(read);
        values.add(slice, read);
        const std::scoped_lock lock(mutex);
        valid.join(levels);
    });
    if (!values.haveOneMapping()) {
        if (takesStatistics_) {
            return findValues(true, control);
        }
        options_.mapping = values.range(); // files of pages that have one range each; both ends of all occur
        info_.mapping = slices_.read(0, boxOptions({0, 0, 1, 1}), control.withoutProgress()).info.mapping;
        return {valid.invalid, false, 0, maxLevelOf(type_)};
    }
    info_.mapping = values.whole(info_);
    return valid;
}

ReadOptions VolumeRegions::boxOptions(const PixelRegion& region) const {
    const PixelRegion page = options_.region.value_or(PixelRegion{});
    ReadOptions like = options_;
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
    SliceValues values(static_cast<int>(slices.count));
    const auto take = [&](std::uint32_t slice, LoadedImage read) {
        control.throwIfStopped();
        if (crops) {
            read = cropped(read, part, control);
        }
        slices_.requireAlike(static_cast<int>(slices.first + slice), read, type_, {part.width, part.height},
                             info_.mapping.has_value());
        assembly.add(slice, *read.image, read.valid.get(), control);
        values.add(static_cast<int>(slice), read);
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
    return {box, valid, std::move(info), options_.keepSamples ? values.takeSamples(*box) : nullptr};
}

} // namespace

std::unique_ptr<RegionSource> openRegions(const VolumeFiles& volume, const ReadOptions& options,
                                          const JobControl& control) {
    return std::make_unique<VolumeRegions>(volume, options, control);
}

} // namespace pollard
