#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/level_choice.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"
#include "io/samples/value_statistics.hpp"
#include "io/volumes/sample_stream.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Reads the samples of pages in ascending order.
class PageRows {
public:
    using Take = std::function<void(const RowPlace& place, const std::byte* samples)>;

    PageRows(const VolumeLayout& layout, const JobControl& control);

    /// Calls @p take for each part of each row of a region of the page, from top to bottom, with the interleaved
    /// samples in host byte order; places are in pixels of the region. @throws Error(fileDamaged), Cancelled
    void read(std::uint64_t page, const PixelRegion& region, const Take& take);
    /// The interleaved samples of consecutive voxels, counted over all pages, until the next call. @param count at most
    /// partVoxels()
    const std::byte* part(std::uint64_t firstVoxel, std::size_t count);
    [[nodiscard]] std::size_t partVoxels() const noexcept { return partVoxels_; }

private:
    const VolumeLayout& layout_;
    const JobControl& control_;
    std::unique_ptr<SampleStream> stream_;
    std::size_t partVoxels_;
    std::vector<std::byte> part_;
    bool swaps_;
};

constexpr std::size_t kPartBytes = std::size_t{1} << 20;

/// Facts about recent volumes. A file that changed within the last seconds is not kept, because its time may not show
/// the next change.
class VolumeFactsCache {
public:
    using Facts = std::shared_ptr<ValueStatistics>;

    /// Null if there are none.
    Facts find(const std::string& key) {
        const std::scoped_lock lock(mutex_);
        const auto at = std::ranges::find(entries_, key, &Entry::key);
        if (at == entries_.end()) {
            return nullptr;
        }
        entries_.splice(entries_.begin(), entries_, at);
        return entries_.front().facts;
    }

    void add(std::string key, Facts facts) {
        constexpr std::size_t kMost = 16;
        const std::scoped_lock lock(mutex_);
        entries_.push_front({std::move(key), std::move(facts)});
        if (entries_.size() > kMost) {
            entries_.pop_back();
        }
    }

private:
    struct Entry {
        std::string key;
        Facts facts;
    };

    std::mutex mutex_;
    std::list<Entry> entries_;
};

VolumeFactsCache& volumeFactsCache() {
    static VolumeFactsCache volumes;
    return volumes;
}

/// Text that differs between volumes; empty for a file that may still change within the resolution of its time.
std::string keyOf(const VolumeLayout& layout, std::uint64_t pages, int sample, const MappingChoice& choice) {
    constexpr std::chrono::seconds kSettled{3};
    std::error_code error;
    const auto time = std::filesystem::last_write_time(layout.data.path, error);
    if (error || std::filesystem::file_time_type::clock::now() - time < kSettled) {
        return {};
    }
    std::string key = layout.data.path.string();
    const bool isPercentile = choice.range == MappingChoice::Range::percentile;
    for (const std::uint64_t number :
         {layout.data.size, static_cast<std::uint64_t>(time.time_since_epoch().count()), layout.begin, layout.skip,
          static_cast<std::uint64_t>(layout.coding), static_cast<std::uint64_t>(layout.kind),
          static_cast<std::uint64_t>(layout.bits), std::uint64_t{layout.bigEndian}, layout.samples, layout.width,
          layout.height, pages, static_cast<std::uint64_t>(sample), std::bit_cast<std::uint64_t>(layout.scale.slope),
          std::bit_cast<std::uint64_t>(layout.scale.intercept), static_cast<std::uint64_t>(choice.range),
          std::uint64_t{choice.proportional}, isPercentile ? std::bit_cast<std::uint64_t>(choice.low) : 0,
          isPercentile ? std::bit_cast<std::uint64_t>(choice.high) : 0}) {
        key += '\n' + std::to_string(number);
    }
    return key;
}

/// Calls @p take with grids of the chosen samples of all voxels.
void forAllSamples(const VolumeLayout& layout, std::uint64_t pages, int sample, const JobControl& control,
                   const std::function<void(const ValueGrid&, const ValueGaps&)>& take) {
    PageRows rows(layout, control);
    const std::uint64_t voxels = pages * layout.width * layout.height;
    const std::uint64_t most = std::min<std::uint64_t>(voxels, rows.partVoxels());
    const ValuePlan plan = layout.planOf(sample);
    ValueBuffer values(plan.type(), static_cast<std::uint32_t>(most), 1);
    GapMap gaps(values.grid().width, 1);
    ValueRows converter(plan, values, gaps);
    const int stride = static_cast<int>(layout.samples);
    for (std::uint64_t first = 0; first < voxels; first += most) {
        const auto count = static_cast<std::size_t>(std::min(most, voxels - first));
        const std::byte* samples = rows.part(first, count);
        converter.put({0, 0, count}, {{&samples, 1}, stride, 0});
        const ValueGrid grid = layout.gridOf(sample, values.grid().data, static_cast<std::uint32_t>(count), 1);
        take(grid, {{}, maskOfPadding(layout, grid)});
        control.report(static_cast<double>(first) / static_cast<double>(voxels), "range");
    }
}

PageRows::PageRows(const VolumeLayout& layout, const JobControl& control)
    : layout_(layout), control_(control), stream_(openSamples(layout, control)),
      partVoxels_(std::max<std::size_t>(1, kPartBytes / layout.voxelBytes())),
      swaps_(layout.bits > 8 && layout.coding != VolumeLayout::Coding::text &&
             layout.bigEndian != (std::endian::native == std::endian::big)) {}

const std::byte* PageRows::part(std::uint64_t firstVoxel, std::size_t count) {
    control_.throwIfStopped();
    const std::size_t bytes = count * layout_.voxelBytes();
    const std::size_t sampleBytes = layout_.sampleBytes();
    part_.resize(std::max(part_.size(), bytes));
    stream_->read(firstVoxel * layout_.voxelBytes(), part_.data(), bytes);
    if (swaps_) {
        for (std::byte* at = part_.data(); at != part_.data() + bytes; at += sampleBytes) {
            std::reverse(at, at + sampleBytes);
        }
    }
    return part_.data();
}

void PageRows::read(std::uint64_t page, const PixelRegion& region, const Take& take) {
    const std::uint64_t first = page * layout_.width * layout_.height;
    for (std::uint32_t y = 0; y < region.height; ++y) {
        for (std::uint32_t x = 0; x < region.width;) {
            const std::size_t count = std::min<std::size_t>(region.width - x, partVoxels_);
            take({x, y, count}, part(first + (std::uint64_t{region.y} + y) * layout_.width + region.x + x, count));
            x += static_cast<std::uint32_t>(count);
        }
    }
}

/// Facts about the chosen sample of all voxels, by which each page becomes levels. Reads the whole volume, for
/// quantiles several times, unless it was the volume of a recent call and its file has not changed.
/// @throws Error(fileDamaged), Cancelled
std::shared_ptr<ValueStatistics> statisticsOfVolume(const VolumeLayout& layout, std::uint64_t pages, int sample,
                                                    const MappingChoice& choice, const JobControl& control) {
    std::string key = keyOf(layout, pages, sample, choice);
    if (auto known = key.empty() ? nullptr : volumeFactsCache().find(key)) {
        return known;
    }
    auto facts = std::make_shared<ValueStatistics>();
    facts->setCountsOfParts();
    const auto add = [&](const ValueGrid& part, const ValueGaps& gaps) {
        (void)levelsOfValues(part, choice, gaps, control.withoutProgress(), facts.get());
    };
    const double zero = 0;
    const ValueGrid one = layout.gridOf(sample, &zero, 1, 1);
    collectValues(
        *facts, [&] { add(one, {}); }, [&](int) { forAllSamples(layout, pages, sample, control, add); });
    if (!key.empty()) {
        volumeFactsCache().add(std::move(key), facts);
    }
    return facts;
}

using Coding = VolumeLayout::Coding;

/// @p one * @p other, the largest number on overflow.
std::uint64_t product(std::uint64_t one, std::uint64_t other) noexcept {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(one, other, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

std::string sidesText(const VolumeLayout& layout) {
    std::string text = std::to_string(layout.width) + " x " + std::to_string(layout.height);
    for (const auto& [name, count] : layout.axes) {
        text += " x " + std::to_string(count);
    }
    return text;
}

void requireSides(const VolumeLayout& layout, std::uint64_t pages) {
    constexpr std::uint64_t kMaxSamples = 1024;
    if (layout.samples < 1 || layout.samples > kMaxSamples) {
        throw readError(ErrorCode::formatUnsupported, layout.data.path,
                        std::to_string(layout.samples) + " samples a voxel are not supported, 1 to " +
                            std::to_string(kMaxSamples) + " are");
    }
    if (layout.width == 0 || layout.height == 0 || pages == 0) {
        throw readError(ErrorCode::fileDamaged, layout.data.path, "the header states " + sidesText(layout) + " voxels");
    }
    constexpr std::uint64_t kMaxSide = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint64_t kMaxPages = std::numeric_limits<int>::max();
    if (layout.width > kMaxSide || layout.height > kMaxSide || pages > kMaxPages) {
        throw readError(ErrorCode::limitExceeded, layout.data.path,
                        sidesText(layout) + " voxels: more than the limit of " + std::to_string(Image::kMaxPixels) +
                            " pixels a page or " + std::to_string(kMaxPages) + " pages");
    }
}

/// Checks whether the data file can contain all samples.
void requireSamples(const VolumeLayout& layout, const ReadLimits& limits) {
    const SourceFile& data = layout.data;
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t bytes = bytesOfSamples(layout);
    if (bytes > kMost || layout.skip > kMost - bytes || layout.begin > kMost - bytes - layout.skip) {
        throw readError(ErrorCode::fileDamaged, data.path,
                        "the header states " + sidesText(layout) + " voxels, more than a file can hold");
    }
    if (layout.begin >= data.size) {
        throw cutOffError(data, layout.begin + 1);
    }
    const std::uint64_t stored = data.size - layout.begin;
    std::uint64_t least = 1;
    if (layout.coding == Coding::none) {
        least = layout.skip + bytes;
    } else if (layout.coding == Coding::hex) {
        least = product(layout.skip + bytes, 2);
    } else if (layout.coding == Coding::text) {
        least = product(bytes / layout.sampleBytes(), 2) - 1; // a digit and a separator
    } else if (constexpr std::uint64_t kHarmless = 256ULL << 20;
               layout.skip + bytes > kHarmless &&
               static_cast<double>(layout.skip + bytes) > limits.maxExpansion * static_cast<double>(stored)) {
        throw readError(ErrorCode::limitExceeded, data.path,
                        sidesText(layout) + " voxels need " + sizeText(layout.skip + bytes) +
                            ", which cannot come from " + sizeText(stored) + " of compressed data (limit " +
                            std::to_string(std::llround(limits.maxExpansion)) + " : 1)");
    }
    if (least > stored) {
        throw cutOffError(data, layout.begin + least);
    }
}

std::vector<StackAxis> axesOf(const VolumeLayout& layout, int pages) {
    std::vector<StackAxis> axes;
    for (const auto& [name, count] : layout.axes) {
        if (count > 1) {
            const bool isUsed = name == 'p' || std::ranges::find(axes, name, &StackAxis::name) != axes.end();
            if (isUsed) {
                return {{'p', pages, {}}}; // more axes than names: pages without a meaning
            }
            axes.push_back({name, static_cast<int>(count), {}});
            if (name == 't') {
                axes.back().step = layout.timeStep;
                axes.back().unit = layout.timeUnit;
            }
        }
    }
    return axes;
}

/// The place of the slice of a page.
std::optional<VoxelPlace> placeOf(const VolumeLayout& layout, int page) {
    std::optional<VoxelPlace> place = layout.place;
    std::uint64_t stride = 1;
    for (const auto& [name, count] : layout.axes) {
        if (name == 'z') {
            moveFirst(place, 0, 0, static_cast<double>(static_cast<std::uint64_t>(page) / stride % count));
        }
        stride *= count;
    }
    return place;
}

/// The plan for samples that are levels; for values, only its choice of the sample is used.
GreyPlan greyPlan(const SourceFile& source, const VolumeLayout& layout, const ReadOptions& options,
                  std::vector<std::string>& notes) {
    const bool isColour = layout.colour && layout.kind == SampleKind::unsignedInteger && layout.bits <= 16;
    const auto samples = static_cast<int>(layout.samples);
    const bool alpha = isColour && layout.alpha;
    return GreyPlan::forSamples(source, options.channel, std::min(layout.bits, 16), isColour ? 3 : 1, samples, alpha,
                                notes, alpha && !options.ignoreAlpha ? 3 : -1);
}

/// A page being read.
struct PageRequest {
    const SourceFile& source;
    const VolumeLayout& layout;
    const ReadOptions& options;
    const JobControl& control;
    PixelRegion region;
    int sample = 0;
    int page = 0;
    PageRows& rows;
    std::shared_ptr<ValueStatistics> statistics; ///< by which values become levels; null: by their own

    void read(RowSink& sink) const {
        const int stride = static_cast<int>(layout.samples);
        rows.read(static_cast<std::uint64_t>(page), region, [&](const RowPlace& place, const std::byte* samples) {
            sink.put(place, {{&samples, 1}, stride, 0});
            if (place.x == 0 && place.y % 64 == 0) {
                control.report(static_cast<double>(place.y) / region.height, "reading");
            }
        });
        control.report(1.0, "reading");
    }
};

/// The mapping of scaled samples that are levels.
ValueMapping mappingOf(const LoadedImage& loaded, const VolumeLayout& layout) {
    ValueMapping mapping = storedMapping(loaded.image->type(), {layout.scale.slope, layout.scale.intercept, {}});
    const ValidLevels levels = validLevelsOf(loaded);
    mapping.minimum = levels.none ? 0 : mapping.valueOf(levels.smallest);
    mapping.maximum = levels.none ? 0 : mapping.valueOf(levels.largest);
    return mapping;
}

LoadedImage readLevels(const PageRequest& request, GreyPlan plan, ImageInfo info) {
    auto image = std::make_shared<Image>(plan.type, request.region.width, request.region.height);
    GapMap gaps(request.region.width, request.region.height);
    GreyRows rows(request.source, std::move(plan), *image, &gaps);
    request.read(rows);
    const auto padding = maskOfPadding(
        request.layout, {request.layout.planOf(0).stored(), image->data(), image->width(), image->height()});
    LoadedImage loaded{std::move(image), padding ? padding : gaps.valid(), std::move(info)};
    if (loaded.valid) {
        loaded.info.invalidPixels = loaded.image->pixelCount() - loaded.valid->count();
    }
    if (!request.layout.scale.isIdentity()) {
        loaded.info.mapping = mappingOf(loaded, request.layout);
    }
    return loaded;
}

LoadedImage readValues(const PageRequest& request, ImageInfo info) {
    const ValuePlan plan = request.layout.planOf(request.sample);
    ValueBuffer values(plan.type(), request.region.width, request.region.height);
    GapMap gaps(request.region.width, request.region.height);
    ValueRows rows(plan, values, gaps);
    request.read(rows);
    const ValueGrid grid =
        request.layout.gridOf(request.sample, values.grid().data, request.region.width, request.region.height);
    ReadOptions options = request.options;
    options.statistics = request.statistics;
    return imageOfValues(request.source, grid, options, {{}, maskOfPadding(request.layout, grid)}, std::move(info),
                         request.control);
}

/// Reads pages in ascending order.
class PageReader {
public:
    /// @param info about the page of the options
    PageReader(const SourceFile& source, const VolumeLayout& layout, const ReadOptions& options, const ImageInfo& info,
               const JobControl& control)
        : source_(source), layout_(layout), options_(options), control_(control), info_(info),
          region_(wantedRegion(source.path, options.region, info.width, info.height)), rows_(layout, control) {
        std::vector<std::string> notes;
        plan_ = greyPlan(source, layout, options, notes);
        const std::size_t bytes = keepsLevels() ? layout.sampleBytes() : bytesOf(layout.planOf(0).type());
        // VolumePage has compared the samples with the file; values may take more bytes than they do.
        checkClaim(layout.data,
                   {region_.width, region_.height, layout.bits,
                    product(std::uint64_t{region_.width} * region_.height, bytes), layout.data.size, true},
                   options.limits);
    }

    /// Whether levels depend on the range of all pages.
    [[nodiscard]] bool usesRange() const noexcept {
        const bool isGiven = options_.statistics && info_.pages == 1;
        return !keepsLevels() && layout_.oneRange && !isGiven &&
               options_.mapping.range != MappingChoice::Range::fixed &&
               !keepsType(options_.mapping, layout_.planOf(0).stored());
    }

    [[nodiscard]] LoadedImage read(int page) {
        const int sample = plan_.samples[0];
        if (usesRange() && !statistics_) {
            statistics_ = statisticsOfVolume(layout_, static_cast<std::uint64_t>(info_.pages), sample, options_.mapping,
                                             control_);
        }
        const PageRequest request{source_,  layout_, options_,
                                  control_, region_, sample,
                                  page,     rows_,   statistics_ ? statistics_ : options_.statistics};
        ImageInfo info = info_;
        info.page = page;
        info.place = placeOf(layout_, page);
        moveFirst(info.place, region_.x, region_.y, 0);
        return keepsLevels() ? readLevels(request, plan_, std::move(info)) : readValues(request, std::move(info));
    }

private:
    /// Whether levels are the samples.
    [[nodiscard]] bool keepsLevels() const noexcept {
        const bool takesValues = options_.statistics && options_.statistics->usesValues();
        return layout_.kind == SampleKind::unsignedInteger && layout_.bits <= 16 &&
               (layout_.scale.isIdentity() ||
                (layout_.scale.slope > 0 && !takesValues && options_.mapping.range == MappingChoice::Range::automatic));
    }

    const SourceFile& source_;
    const VolumeLayout& layout_;
    const ReadOptions& options_;
    const JobControl& control_;
    const ImageInfo& info_;
    PixelRegion region_;
    PageRows rows_;
    GreyPlan plan_;
    std::shared_ptr<ValueStatistics> statistics_; ///< of all pages; null before they are needed
};

/// Unit of the values, and their mapping if it is known without the voxels.
void describeValues(const VolumeLayout& layout, ImageInfo& info) {
    constexpr int kByte = 8;
    info.calibration = layout.colour ? std::nullopt : calibrationOf(1, 0, layout.scale.unit);
    if (layout.kind == SampleKind::unsignedInteger && layout.bits <= 2 * kByte && !layout.scale.isIdentity() &&
        layout.scale.slope > 0) {
        info.mapping = storedMapping(layout.bits > kByte ? PixelType::u16 : PixelType::u8, layout.scale);
    }
}

} // namespace

std::shared_ptr<const Mask> maskOfPadding(const VolumeLayout& layout, const ValueGrid& samples) {
    if (!layout.padding) {
        return nullptr;
    }
    Mask mask(samples.width, samples.height, true);
    const auto [low, high] = *layout.padding;
    dispatch(samples.type, [&, low = low, high = high]<class T>(T) {
        const T* sample = static_cast<const T*>(samples.data);
        for (std::uint32_t y = 0; y < samples.height; ++y) {
            for (std::uint32_t x = 0; x < samples.width; ++x, ++sample) {
                if (const auto number = static_cast<double>(*sample); number >= low && number <= high) {
                    mask.set(x, y, false);
                }
            }
        }
    });
    std::uint64_t padded = 0;
    return maskOfGaps(std::move(mask), padded);
}

std::uint64_t bytesOfSamples(const VolumeLayout& layout) noexcept {
    std::uint64_t bytes = product(product(layout.width, layout.height), product(layout.samples, layout.sampleBytes()));
    for (const auto& [name, count] : layout.axes) {
        bytes = product(bytes, count);
    }
    return bytes;
}

VolumePage::VolumePage(const SourceFile& source, VolumeLayout layout, const ReadOptions& options)
    : FilePage(source, options), layout_(std::move(layout)) {
    std::uint64_t pages = 1;
    for (const auto& [name, count] : layout_.axes) {
        pages = product(pages, count);
    }
    requireSides(layout_, pages);
    requireSamples(layout_, options.limits);
    info_.format = layout_.format;
    constexpr std::array<const char*, 5> kCodings = {"none", "Deflate", "text", "hexadecimal text", "pages"};
    info_.compression = kCodings[static_cast<std::size_t>(layout_.coding)];
    info_.photometric = layout_.colour ? "RGB" : "MinIsBlack";
    info_.width = static_cast<std::uint32_t>(layout_.width);
    info_.height = static_cast<std::uint32_t>(layout_.height);
    info_.bits = layout_.bits;
    info_.sampleFormat = nameOf(layout_.kind);
    info_.samples = static_cast<int>(layout_.samples);
    info_.pages = static_cast<int>(pages);
    info_.page = options.page;
    requireIndex(source.path, "page", options.page, info_.pages, "file");
    info_.axes = axesOf(layout_, info_.pages);
    info_.pixelSize = layout_.pixelSize;
    info_.spacing = layout_.spacing;
    info_.window = layout_.window;
    info_.place = placeOf(layout_, options.page);
    info_.facts = layout_.facts;
    if (layout_.bits > 8 && layout_.coding != Coding::text) {
        info_.facts.emplace_back("Byte order", layout_.bigEndian ? "big-endian" : "little-endian");
    }
    info_.notes = layout_.notes;
    describeValues(layout_, info_);
    info_.masksByAlpha = greyPlan(source, layout_, options, info_.notes).alpha >= 0;
}

bool VolumePage::mayHaveGaps() const {
    return layout_.kind == SampleKind::real || (layout_.colour && !layout_.coloursHaveData);
}

LoadedImage VolumePage::read(const JobControl& control) {
    return PageReader(source_, layout_, options_, info_, control).read(options_.page);
}

bool VolumePage::readSlices(int count, const TakeSlice& take, const JobControl& control) {
    PageReader reader(source_, layout_, options_, info_, control);
    if (layout_.coding == Coding::none && !reader.usesRange()) {
        return false;
    }
    for (int page = options_.page; page < options_.page + count; ++page) {
        take(reader.read(page));
    }
    return true;
}

} // namespace pollard
