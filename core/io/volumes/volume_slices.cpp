#include "io/volumes/volume_slices.hpp"

#include "base/parallel.hpp"
#include "image/mask.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/kept_values.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace pollard {

VolumeSlices::VolumeSlices(const std::vector<std::filesystem::path>& files, const ReadOptions& options)
    : options_(options) {
    options_.projection.reset();
    if (files.size() > 1) {
        files_ = arrangedSlices(files, options).value_or(SliceFiles{files, 0, {}, {}, false});
    }
    path_ = files_.files.empty() ? files.at(0) : files_.files.front();
    if (files_.files.size() < 2) {
        files_ = {};
        if (auto series = seriesOf(path_, options)) {
            files_ = std::move(*series);
            path_ = files_.files.at(0);
            options_.page = 0; // of each file
        }
    }
    pages_ = files_.files.empty() ? pagesOfFile() : SlicePages{options_.page, 0, static_cast<int>(files_.files.size())};
    takePart(options);
}

SlicePages VolumeSlices::pagesOfFile() const {
    const ImageInfo info = readImageInfo(path_, options_);
    if (info.axes.empty() || info.axes.front().name != kUnclearAxis) {
        return slicePages(info);
    }
    if (!options_.slices) {
        refuse(ErrorCode::invalidArgument,
               "which pages are the slices of a volume is not clear: " + unclearOrder(info) + "; the region 0,0,0," +
                   std::to_string(info.width) + "," + std::to_string(info.height) + "," + std::to_string(info.pages) +
                   " takes all pages in their order");
    }
    return {0, 1, info.pages};
}

void VolumeSlices::takePart(const ReadOptions& options) {
    if (options.shrink < 1) {
        refuse(ErrorCode::invalidArgument, "shrink by " + std::to_string(options.shrink) + ": must be at least 1");
    }
    if (pages_.count < 2) {
        refuse(ErrorCode::invalidArgument, "has one slice; a volume has several pages along z");
    }
    whole_ = pages_.count;
    if (options.slices) {
        const auto count = static_cast<std::uint32_t>(pages_.count);
        const auto [first, wanted] = *options.slices;
        if (wanted == 0 || first >= count || wanted > count - first) {
            refuse(ErrorCode::invalidArgument,
                   "region: " + std::to_string(wanted) + " slices from slice " + std::to_string(first) +
                       " on: must hold a slice and lie within the " + std::to_string(count) + " slices of the volume");
        }
        pages_.first += static_cast<int>(first) * pages_.stride;
        pages_.count = static_cast<int>(wanted);
        if (std::vector<std::filesystem::path>& files = files_.files; !files.empty()) {
            files.erase(files.begin(), files.begin() + first);
            files.resize(wanted);
        }
    }
    if (pages_.count <= options.shrink) {
        refuse(ErrorCode::invalidArgument, pages_.count == 1
                                               ? "region: one slice is a page and no volume"
                                               : "shrinking by " + std::to_string(options.shrink) + " leaves one of " +
                                                     std::to_string(pages_.count) + " slices, which is no volume");
    }
}

void VolumeSlices::refuse(ErrorCode code, const std::string& why) const { throw readError(code, path_, why); }

Extent VolumeSlices::extent() const {
    const ImageInfo info = readImageInfo(fileOf(0), optionsOf(0, options_));
    const PixelRegion part = wantedRegion(path_, options_.region, info.width, info.height);
    return {part.width, part.height, static_cast<std::uint32_t>(count())};
}

std::vector<std::filesystem::path> VolumeSlices::files() const {
    return files_.files.empty() ? std::vector{path_} : files_.files;
}

const std::filesystem::path& VolumeSlices::fileOf(int slice) const {
    return files_.files.empty() ? path_ : files_.files[static_cast<std::size_t>(slice)];
}

std::string VolumeSlices::nameOf(int slice) const {
    return files_.files.empty() ? "page " + std::to_string(pages_.first + slice * pages_.stride)
                                : fileOf(slice).filename().string();
}

ReadOptions VolumeSlices::optionsOf(int slice, const ReadOptions& like) const {
    ReadOptions one = options_;
    one.page = pages_.first + slice * pages_.stride;
    one.region = like.region;
    one.mapping = like.mapping;
    one.statistics = like.statistics;
    one.threads = like.threads;
    one.shrink = 1;
    one.series = false;
    return one;
}

LoadedImage VolumeSlices::read(int slice, const ReadOptions& like, const JobControl& control) const {
    return readImage(fileOf(slice), optionsOf(slice, like), control);
}

bool VolumeSlices::readAtOnce(int first, int count, const ReadOptions& like, const FilePage::TakeSlice& take,
                              const JobControl& control) const {
    return files_.files.empty() && pages_.stride == 1 &&
           openPage(path_, optionsOf(first, like), PageUse::pixels)->readSlices(count, take, control);
}

void VolumeSlices::requireAlike(int slice, const LoadedImage& read, PixelType type, const Extent& extent,
                                bool isMapped) const {
    if (read.image->type() != type || read.image->width() != extent.width || read.image->height() != extent.height ||
        read.info.mapping.has_value() != isMapped) {
        refuse(ErrorCode::formatUnsupported, nameOf(slice) + " differs in size or depth from the first slice");
    }
}

void VolumeSlices::describe(ImageInfo& info) const {
    describeSlices(files_, static_cast<std::size_t>(whole_), 0, options_, info);
}

bool VolumeSlices::needsAllValues(const ImageInfo& slice) const {
    constexpr int kShortBits = 16;
    const bool isOfType = options_.mapping.range == MappingChoice::Range::automatic && slice.sampleFormat != "float" &&
                          slice.bits <= kShortBits && options_.channel.kind != ChannelChoice::Kind::derived;
    return slice.mapping && options_.mapping.range != MappingChoice::Range::fixed && !isOfType;
}

void SliceValues::add(int slice, const LoadedImage& loaded) {
    const std::uint64_t infinite = loaded.info.mapping ? loaded.info.mapping->infinite : 0;
    slices_[static_cast<std::size_t>(slice)] = {
        loaded.info.mapping, loaded.image->pixelCount() > loaded.info.invalidPixels + infinite, loaded.samples};
}

bool SliceValues::haveOneMapping() const {
    const ValueMapping* one = nullptr;
    return std::ranges::all_of(slices_, [&](const SliceFacts& slice) {
        if (!slice.any || !slice.mapping) {
            return true;
        }
        one = one == nullptr ? &*slice.mapping : one;
        const bool haveRanks = slice.mapping->ranks != nullptr || one->ranks != nullptr;
        return slice.mapping->offset == one->offset && slice.mapping->step == one->step &&
               (!haveRanks || slice.mapping->ranks == one->ranks);
    });
}

MappingChoice SliceValues::range() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    MappingChoice range{MappingChoice::Range::fixed, kInfinity, -kInfinity};
    for (const SliceFacts& slice : slices_) {
        if (slice.any) {
            range.low = std::min(range.low, slice.mapping->minimum);
            range.high = std::max(range.high, slice.mapping->maximum);
        }
    }
    return range;
}

std::optional<ValueMapping> SliceValues::whole(const ImageInfo& slice) const {
    if (!slice.mapping) {
        return std::nullopt;
    }
    const auto some = std::ranges::find_if(slices_, &SliceFacts::any);
    ValueMapping whole = *(some == slices_.end() ? slices_.front() : *some).mapping;
    if (some != slices_.end()) {
        const MappingChoice all = range();
        whole.minimum = all.low;
        whole.maximum = all.high;
    }
    whole.nan = whole.infinite = whole.clipped = 0;
    bool areExact = true;
    bool isApart = whole.minimum == whole.maximum || (slice.sampleFormat != "float" && whole.step <= 1);
    for (const SliceFacts& each : slices_) {
        const ValueMapping& mapping = *each.mapping;
        whole.nan += mapping.nan;
        whole.infinite += mapping.infinite;
        whole.clipped += mapping.clipped;
        areExact = areExact && mapping.exact;
        isApart = isApart || (mapping.exact && mapping.minimum < mapping.maximum); // integers
    }
    whole.exact = areExact && (isApart || whole.ranks != nullptr);
    return whole;
}

std::shared_ptr<const SampleGrid> SliceValues::takeSamples(const Image& levels) {
    const auto some = std::ranges::find_if(slices_, [](const SliceFacts& slice) { return slice.samples != nullptr; });
    if (some == slices_.end()) {
        return nullptr;
    }
    const ValueType type = some->samples->type;
    SampleGrid all{type, Buffer<std::byte>(levels.pixelCount() * bytesOf(type))};
    const std::size_t pixels = levels.pixelCount() / slices_.size();
    for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
        SliceFacts& from = slices_[slice];
        const std::size_t first = slice * pixels;
        if (from.samples) {
            std::ranges::copy(from.samples->samples.span(), all.samples.data() + first * bytesOf(type));
            from.samples.reset();
            continue;
        }
        const std::vector<std::uint64_t> ofLevels = samplesOfLevels(*from.mapping, levels.type());
        for (std::size_t i = first; i < first + pixels; ++i) {
            putSample(all, i, ofLevels[levels.level(i)]);
        }
    }
    return std::make_shared<const SampleGrid>(std::move(all));
}

namespace {

/// Rows of blocks in a task.
constexpr std::size_t kRowsPerTask = 16;

std::uint32_t blocksIn(std::uint32_t voxels, std::uint32_t side) noexcept { return (voxels - 1) / side + 1; }

} // namespace

VolumeAssembly::VolumeAssembly(PixelType type, const Extent& voxels, std::uint32_t side)
    : voxels_(voxels), side_(side), volume_(std::make_shared<Image>(type, extentOf(voxels, side))) {
    if (side > 1) {
        sums_.assign(volume_->extent().slicePixels(), 0);
    }
}

Extent VolumeAssembly::extentOf(const Extent& voxels, std::uint32_t side) noexcept {
    return {blocksIn(voxels.width, side), blocksIn(voxels.height, side), blocksIn(voxels.slices, side)};
}

void VolumeAssembly::add(std::uint32_t z, const Image& slice, const Mask* valid, const JobControl& control) {
    if (side_ == 1) {
        copy(z, slice, valid);
        return;
    }
    const Extent& blocks = volume_->extent();
    if (valid != nullptr && validSums_.empty()) {
        validSums_ = sums_;
        validCounts_.resize(sums_.size());
        for (std::size_t i = 0; i < validCounts_.size(); ++i) {
            validCounts_[i] = blockVoxels(static_cast<std::uint32_t>(i % blocks.width),
                                          static_cast<std::uint32_t>(i / blocks.width), slices_);
        }
    }
    dispatch(slice.type(), [&]<class T>(T) {
        forEachIndex(
            blocks.height, control, [&](std::size_t row) { addRow<T>(static_cast<std::uint32_t>(row), slice, valid); },
            kRowsPerTask);
        ++slices_;
        if (slices_ < side_ && z + 1 < voxels_.slices) {
            return;
        }
        forEachIndex(
            blocks.height, control, [&](std::size_t row) { finishRow<T>(static_cast<std::uint32_t>(row), z / side_); },
            kRowsPerTask);
        slices_ = 0;
        std::ranges::fill(sums_, 0);
        validSums_.clear();
        validCounts_.clear();
    });
}

std::shared_ptr<const Mask> VolumeAssembly::valid() const {
    return mask_ && mask_->count() < volume_->pixelCount() ? mask_ : nullptr;
}

void VolumeAssembly::copy(std::uint32_t z, const Image& slice, const Mask* valid) {
    std::memcpy(volume_->data() + z * slice.bytes(), slice.data(), slice.bytes());
    for (std::uint32_t y = 0; valid != nullptr && y < voxels_.height; ++y) {
        forEachRun(*valid, y, false, [&](std::uint32_t first, std::uint32_t last) {
            addGap(first, last, std::size_t{z} * voxels_.height + y);
        });
    }
}

template <class T> void VolumeAssembly::addRow(std::uint32_t row, const Image& slice, const Mask* valid) {
    const std::size_t width = volume_->width();
    std::uint64_t* const sums = sums_.data() + row * width;
    const bool hasGaps = !validSums_.empty();
    std::uint64_t* const validSums = hasGaps ? validSums_.data() + row * width : nullptr;
    std::uint64_t* const validCounts = hasGaps ? validCounts_.data() + row * width : nullptr;
    const std::uint32_t bottom = row * side_ + std::min(side_, voxels_.height - row * side_);
    for (std::uint32_t y = row * side_; y < bottom; ++y) {
        const T* const levels = slice.pixels<T>().data() + std::size_t{y} * voxels_.width;
        const auto forBlocks = [&](std::uint32_t first, std::uint32_t last, const auto& take) {
            while (first < last) {
                const std::uint32_t block = first / side_;
                const auto end =
                    static_cast<std::uint32_t>(std::min<std::uint64_t>((block + std::uint64_t{1}) * side_, last));
                std::uint64_t sum = 0;
                for (std::uint32_t x = first; x < end; ++x) {
                    sum += levels[x];
                }
                take(block, sum, end - first);
                first = end;
            }
        };
        const auto addValid = [&](std::uint32_t block, std::uint64_t sum, std::uint32_t count) {
            validSums[block] += sum;
            validCounts[block] += count;
        };
        forBlocks(0, voxels_.width, [&](std::uint32_t block, std::uint64_t sum, std::uint32_t count) {
            sums[block] += sum;
            if (hasGaps && valid == nullptr) {
                addValid(block, sum, count);
            }
        });
        if (valid != nullptr) {
            forEachRun(*valid, y, true,
                       [&](std::uint32_t first, std::uint32_t last) { forBlocks(first, last, addValid); });
        }
    }
}

template <class T> void VolumeAssembly::finishRow(std::uint32_t row, std::uint32_t layer) {
    const Extent& blocks = volume_->extent();
    const std::size_t volumeRow = std::size_t{layer} * blocks.height + row;
    T* const out = volume_->pixels<T>().data() + volumeRow * blocks.width;
    for (std::uint32_t x = 0; x < blocks.width; ++x) {
        const std::size_t block = std::size_t{row} * blocks.width + x;
        std::uint64_t sum = sums_[block];
        std::uint64_t count = blockVoxels(x, row, slices_);
        if (!validSums_.empty() && validCounts_[block] > 0) {
            sum = validSums_[block];
            count = validCounts_[block];
        } else if (!validSums_.empty()) {
            addGap(x, x + 1, volumeRow);
        }
        out[x] = static_cast<T>((2 * sum + count) / (2 * count));
    }
}

void VolumeAssembly::addGap(std::uint32_t first, std::uint32_t last, std::size_t row) {
    {
        const std::scoped_lock lock(mutex_);
        if (!mask_) {
            mask_ =
                std::make_shared<Mask>(volume_->width(), static_cast<std::uint32_t>(volume_->extent().rows()), true);
        }
    }
    mask_->setRun(first, last, static_cast<std::uint32_t>(row), false);
}

std::uint64_t VolumeAssembly::blockVoxels(std::uint32_t x, std::uint32_t y, std::uint32_t slices) const noexcept {
    return std::uint64_t{std::min(side_, voxels_.width - x * side_)} * std::min(side_, voxels_.height - y * side_) *
           slices;
}

} // namespace pollard
