#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/value_image.hpp"
#include "io/volumes/volume_range.hpp"

#include <algorithm>
#include <any>
#include <cmath>
#include <limits>

namespace pollard {

namespace {

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

/// Compares the size of all samples with that of the data file.
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

/// The plan for samples that are levels; for others, its sample is that of the values.
GreyPlan greyPlan(const SourceFile& source, const VolumeLayout& layout, const ReadOptions& options,
                  std::vector<std::string>& notes) {
    const bool isColour = layout.colour && layout.kind == SampleKind::unsignedInteger && layout.bits <= 16;
    const auto samples = static_cast<int>(layout.samples);
    const bool alpha = isColour && layout.alpha;
    return GreyPlan::forSamples(source, options.channel, std::min(layout.bits, 16), isColour ? 3 : 1, samples, alpha,
                                notes, alpha ? 3 : -1);
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
    std::any& known; ///< the range found for the page before

    /// rangeOfVolume() for all pages, with one choice for all requests of `known`.
    template <class T> [[nodiscard]] VolumeRange<T> range(int pages, const MappingChoice& choice) const {
        if (!known.has_value()) {
            known = rangeOfVolume<T>(layout, static_cast<std::uint64_t>(pages), sample, choice, control);
        }
        return std::any_cast<VolumeRange<T>>(known);
    }

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

/// Changes a mapping of samples into one of values; the slope is above 0.
void scaleMapping(const VolumeLayout& layout, ValueMapping& mapping) {
    const auto valueOf = [&](double sample) { return layout.intercept + layout.slope * sample; };
    mapping.offset = valueOf(mapping.offset);
    mapping.step *= layout.slope;
    mapping.minimum = valueOf(mapping.minimum);
    mapping.maximum = valueOf(mapping.maximum);
}

LoadedImage readLevels(const PageRequest& request, GreyPlan plan, ImageInfo info) {
    auto image = std::make_shared<Image>(plan.type, request.region.width, request.region.height);
    GapMap gaps(request.region.width, request.region.height);
    GreyRows rows(request.source, std::move(plan), *image, &gaps);
    request.read(rows);
    if (const auto valid = gaps.valid()) {
        info.invalidPixels = image->pixelCount() - valid->count();
    }
    if (request.layout.isScaled()) {
        ValueMapping mapping{0, 1, true};
        mapping.minimum = image->level(0);
        mapping.maximum = image->level(0);
        for (std::size_t i = 0; i < image->pixelCount(); ++i) {
            mapping.minimum = std::min<double>(mapping.minimum, image->level(i));
            mapping.maximum = std::max<double>(mapping.maximum, image->level(i));
        }
        scaleMapping(request.layout, mapping);
        info.mapping = mapping;
    }
    return {std::move(image), gaps.valid(), std::move(info)};
}

/// Integers of a range of less than 65,536: level = value - @p low.
template <class T> LoadedImage exactLevels(const ValueGrid& grid, T low, ImageInfo info) {
    const auto* values = static_cast<const T*>(grid.data);
    auto image = std::make_shared<Image>(PixelType::u16, grid.width, grid.height);
    const auto levels = image->pixels<std::uint16_t>();
    T smallest = values[0];
    T largest = values[0];
    for (std::size_t i = 0; i < levels.size(); ++i) {
        smallest = std::min(smallest, values[i]);
        largest = std::max(largest, values[i]);
        levels[i] = static_cast<std::uint16_t>(static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(low));
    }
    info.mapping =
        ValueMapping{static_cast<double>(low), 1, true, static_cast<double>(smallest), static_cast<double>(largest)};
    return {std::move(image), nullptr, std::move(info)};
}

/// Values in their type by the mapping of all pages.
template <class T> LoadedImage mapped(const PageRequest& request, const ValueGrid& grid, int pages, ImageInfo info) {
    const VolumeLayout& layout = request.layout;
    ReadOptions options = request.options;
    MappingChoice& choice = options.mapping;
    using Range = MappingChoice::Range;
    constexpr bool keepsType = std::is_integral_v<T> && sizeof(T) <= 2;
    if (choice.range == Range::fixed) {
        choice.low = (choice.low - layout.intercept) / layout.slope;
        choice.high = (choice.high - layout.intercept) / layout.slope;
    } else if (layout.oneRange && (choice.range != Range::automatic || !keepsType)) {
        const VolumeRange<T> all = request.range<T>(pages, choice);
        if constexpr (std::is_integral_v<T>) {
            constexpr std::uint64_t kMost = 65535;
            if (choice.range == Range::automatic &&
                static_cast<std::uint64_t>(all.high) - static_cast<std::uint64_t>(all.low) <= kMost) {
                return exactLevels<T>(grid, all.low, std::move(info));
            }
        }
        if (all.finite > 0) {
            choice = {Range::fixed, static_cast<double>(all.low), static_cast<double>(all.high)};
        }
    }
    return imageOfValues(request.source, grid, options, {}, std::move(info), request.control);
}

/// Values of a negative slope, with all that depends on their order.
class DescendingRows final : public RowSink {
public:
    DescendingRows(const VolumeLayout& layout, const ValuePlan& plan, ValueBuffer& values)
        : layout_(layout), samples_(plan.samples), values_(values), row_(plan.type(), values.grid().width, 1),
          gaps_(values.grid().width, 1), converter_(plan, row_, gaps_) {}

    const std::vector<int>& samples() const noexcept override { return samples_; }
    void put(const RowPlace& place, const PackedRows& packed) override {
        converter_.put({0, 0, place.count}, packed);
        double* out = values_.at<double>(place.x, place.y);
        dispatch(row_.grid().type, [&]<class T>(T) {
            std::transform(row_.at<T>(0, 0), row_.at<T>(0, 0) + place.count, out,
                           [&](T sample) { return layout_.intercept + layout_.slope * static_cast<double>(sample); });
        });
    }

private:
    const VolumeLayout& layout_;
    std::vector<int> samples_;
    ValueBuffer& values_;
    ValueBuffer row_;
    GapMap gaps_;
    ValueRows converter_;
};

LoadedImage readDescending(const PageRequest& request, const ValuePlan& plan, ImageInfo info) {
    const VolumeLayout& layout = request.layout;
    ValueBuffer values(ValueType::f64, request.region.width, request.region.height);
    DescendingRows rows(layout, plan, values);
    request.read(rows);
    ReadOptions options = request.options;
    const MappingChoice choice = options.mapping;
    if (choice.range != MappingChoice::Range::fixed) {
        MappingChoice turned = choice;
        turned.low = 1 - choice.high;
        turned.high = 1 - choice.low;
        dispatch(plan.type(), [&]<class T>(T) {
            const auto all = request.range<T>(info.pages, turned);
            const auto valueOf = [&](T sample) {
                return layout.intercept + layout.slope * static_cast<double>(sample);
            };
            if (all.finite > 0) {
                options.mapping = {MappingChoice::Range::fixed, valueOf(all.high), valueOf(all.low)};
            }
        });
    }
    return imageOfValues(request.source, values.grid(), options, {}, std::move(info), request.control);
}

LoadedImage readValues(const PageRequest& request, ImageInfo info) {
    const VolumeLayout& layout = request.layout;
    const ValuePlan plan = layout.planOf(request.sample);
    if (layout.slope < 0) {
        return readDescending(request, plan, std::move(info));
    }
    ValueBuffer values(plan.type(), request.region.width, request.region.height);
    GapMap gaps(request.region.width, request.region.height);
    ValueRows rows(plan, values, gaps);
    request.read(rows);
    const int pages = info.pages;
    LoadedImage loaded =
        dispatch(plan.type(), [&]<class T>(T) { return mapped<T>(request, values.grid(), pages, std::move(info)); });
    scaleMapping(layout, *loaded.info.mapping);
    return loaded;
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
        const ValueType type = layout.slope < 0 ? ValueType::f64 : layout.planOf(0).type();
        const std::size_t bytes = keepsLevels() ? layout.sampleBytes() : bytesOf(type);
        // VolumePage has compared the samples with the file; values may take more bytes than they do.
        checkClaim(layout.data,
                   {region_.width, region_.height, layout.bits,
                    product(std::uint64_t{region_.width} * region_.height, bytes), layout.data.size, true},
                   options.limits);
    }

    /// Whether levels depend on the range of all pages.
    [[nodiscard]] bool usesRange() const noexcept {
        const bool isAutomatic = options_.mapping.range == MappingChoice::Range::automatic;
        const bool keepsType = layout_.slope > 0 && layout_.kind != SampleKind::real && layout_.bits <= 16;
        return !keepsLevels() && layout_.oneRange && options_.mapping.range != MappingChoice::Range::fixed &&
               !(isAutomatic && keepsType);
    }

    [[nodiscard]] LoadedImage read(int page) {
        const PageRequest request{source_, layout_, options_, control_, region_, plan_.samples[0], page, rows_, range_};
        ImageInfo info = info_;
        info.page = page;
        info.place = placeOf(layout_, page);
        moveFirst(info.place, region_.x, region_.y, 0);
        return keepsLevels() ? readLevels(request, plan_, std::move(info)) : readValues(request, std::move(info));
    }

private:
    /// Whether levels are the samples.
    [[nodiscard]] bool keepsLevels() const noexcept {
        return layout_.kind == SampleKind::unsignedInteger && layout_.bits <= 16 &&
               (!layout_.isScaled() ||
                (layout_.slope > 0 && options_.mapping.range == MappingChoice::Range::automatic));
    }

    const SourceFile& source_;
    const VolumeLayout& layout_;
    const ReadOptions& options_;
    const JobControl& control_;
    const ImageInfo& info_;
    PixelRegion region_;
    PageRows rows_;
    GreyPlan plan_;
    std::any range_;
};

} // namespace

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
    info_.place = placeOf(layout_, options.page);
    info_.facts = layout_.facts;
    if (layout_.bits > 8 && layout_.coding != Coding::text) {
        info_.facts.emplace_back("Byte order", layout_.bigEndian ? "big-endian" : "little-endian");
    }
    info_.notes = layout_.notes;
    (void)greyPlan(source, layout_, options, info_.notes);
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
