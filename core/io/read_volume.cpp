#include "io/read_volume.hpp"

#include "io/image_reader.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_rank.hpp"
#include "io/volumes/volume_assembly.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

namespace {

constexpr int kSlicesAtOnce = 8; ///< that are held beside a volume of blocks

/// What a slice says about the values of the volume.
struct SliceValues {
    std::optional<ValueMapping> mapping;
    bool any = false; ///< finite and with data
};

SliceValues valuesOf(const LoadedImage& slice) {
    const std::uint64_t infinite = slice.info.mapping ? slice.info.mapping->infinite : 0;
    return {slice.info.mapping, slice.image->pixelCount() > slice.info.invalidPixels + infinite};
}

/// Calls each(value) for the finite values with data.
template <class T, class Each> void forEachValue(const LoadedImage& slice, const ExactValues& exact, const Each& each) {
    const Image& image = *slice.image;
    const ValueMapping mapping = slice.info.mapping.value_or(ValueMapping{});
    const auto valueAt = [&](std::size_t i) {
        return exact ? std::visit([i](const auto& values) { return static_cast<double>(values[i]); }, *exact)
                     : mapping.valueOf(image.level(i));
    };
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            const double value = valueAt(std::size_t{y} * image.width() + x);
            if (std::isfinite(value) && (!slice.valid || slice.valid->test(x, y))) {
                each(static_cast<T>(value));
            }
        }
    }
}

/// Reads the slices into one image.
class VolumeReader {
public:
    VolumeReader(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control)
        : path_(path), options_(options), control_(control), pages_(slicePages(readImageInfo(path, options))) {
        takePart();
    }
    /// One file a slice.
    VolumeReader(SliceFiles files, const ReadOptions& options, const JobControl& control)
        : path_(files.files.at(0)), options_(options), control_(control),
          files_(std::move(files)), pages_{options.page, 0, static_cast<int>(files_.files.size())} {
        takePart();
    }

    LoadedImage read() {
        if (!readAtOnce()) {
            readSlices(options_.mapping.range == MappingChoice::Range::percentile ? choiceOfQuantiles()
                                                                                  : options_.mapping);
            if (!hasOneMapping()) {
                readSlices({MappingChoice::Range::fixed, lowest(), highest()});
            }
        }
        return finished();
    }

private:
    /// Restricts the slices to those of the options.
    void takePart() {
        if (options_.shrink < 1) {
            refuse(ErrorCode::invalidArgument, "shrink by " + std::to_string(options_.shrink) + ": must be at least 1");
        }
        if (pages_.count < 2) {
            refuse(ErrorCode::invalidArgument, "has one slice; a volume has several pages along z");
        }
        whole_ = pages_.count;
        if (options_.slices) {
            const auto count = static_cast<std::uint32_t>(pages_.count);
            const auto [first, wanted] = *options_.slices;
            if (wanted == 0 || first >= count || wanted > count - first) {
                refuse(ErrorCode::invalidArgument, "region: " + std::to_string(wanted) + " slices from slice " +
                                                       std::to_string(first) +
                                                       " on: must hold a slice and lie within the " +
                                                       std::to_string(count) + " slices of the volume");
            }
            pages_.first += static_cast<int>(first) * pages_.stride;
            pages_.count = static_cast<int>(wanted);
            if (std::vector<std::filesystem::path>& files = files_.files; !files.empty()) {
                files.erase(files.begin(), files.begin() + first);
                files.resize(wanted);
            }
        }
        if (pages_.count <= options_.shrink) {
            refuse(ErrorCode::invalidArgument,
                   pages_.count == 1 ? "region: one slice is a page and no volume"
                                     : "shrinking by " + std::to_string(options_.shrink) + " leaves one of " +
                                           std::to_string(pages_.count) + " slices, which is no volume");
        }
    }

    [[noreturn]] void refuse(ErrorCode code, const std::string& why) const { throw readError(code, path_, why); }

    /// "page 3", or the name of a file.
    [[nodiscard]] std::string nameOf(int slice) const {
        return files_.files.empty() ? "page " + std::to_string(pages_.first + slice * pages_.stride)
                                    : fileOf(slice).filename().string();
    }
    [[nodiscard]] const std::filesystem::path& fileOf(int slice) const {
        return files_.files.empty() ? path_ : files_.files[static_cast<std::size_t>(slice)];
    }
    [[nodiscard]] ReadOptions optionsOf(int slice, const MappingChoice& mapping, int threads) const {
        ReadOptions one = options_;
        one.page = pages_.first + slice * pages_.stride;
        one.mapping = mapping;
        one.threads = threads;
        one.shrink = 1;
        one.series = false;
        return one;
    }
    [[nodiscard]] LoadedImage readSlice(int slice, const MappingChoice& mapping, int threads,
                                        const JobControl& control) const {
        return readImage(fileOf(slice), optionsOf(slice, mapping, threads), control);
    }

    /// Whether the reader of the file read the slices in a row.
    bool readAtOnce() {
        if (!files_.files.empty() || pages_.stride != 1) {
            return false;
        }
        int slice = 0;
        return readSlicesAtOnce(
            path_, optionsOf(0, options_.mapping, options_.threads), pages_.count,
            [&](LoadedImage read) {
                if (slice == 0) {
                    start(read);
                }
                take(slice++, read);
            },
            control_.withoutProgress());
    }

    void readSlices(const MappingChoice& mapping) {
        start(readSlice(0, mapping, options_.threads, control_));
        take(0, first_);
        const auto readInto = [&](int slice) {
            // Formats decode pages of usual sizes with few threads: slices side by side.
            return readSlice(slice, mapping, 1, control_.withoutProgress());
        };
        if (options_.shrink == 1) {
            tbb::parallel_for(1, pages_.count, [&](int slice) { take(slice, readInto(slice)); });
            return;
        }
        for (int slice = 1; slice < pages_.count; slice += kSlicesAtOnce) {
            std::vector<LoadedImage> read(static_cast<std::size_t>(std::min(kSlicesAtOnce, pages_.count - slice)));
            tbb::parallel_for(std::size_t{0}, read.size(),
                              [&](std::size_t i) { read[i] = readInto(slice + static_cast<int>(i)); });
            for (std::size_t i = 0; i < read.size(); ++i) {
                take(slice + static_cast<int>(i), read[i]);
            }
        }
    }

    /// Makes the volume for slices like this one.
    void start(const LoadedImage& first) {
        first_ = first;
        describeSlices(files_, static_cast<std::size_t>(whole_), 0, options_, first_.info);
        const Image& like = *first.image;
        const Extent voxels{like.width(), like.height(), static_cast<std::uint32_t>(pages_.count)};
        const auto side = static_cast<std::uint32_t>(options_.shrink);
        requireRoom(VolumeAssembly::extentOf(voxels, side), like.type());
        assembly_.emplace(like.type(), voxels, side);
        values_.assign(static_cast<std::size_t>(pages_.count), {});
        done_ = 0;
    }

    void take(int slice, const LoadedImage& read) {
        control_.throwIfStopped();
        const Image& like = *first_.image;
        if (read.image->type() != like.type() || read.image->extent() != like.extent() ||
            read.info.mapping.has_value() != first_.info.mapping.has_value()) {
            refuse(ErrorCode::formatUnsupported, nameOf(slice) + " differs in size or depth from the first slice");
        }
        assembly_->add(static_cast<std::uint32_t>(slice), *read.image, read.valid.get(), control_);
        values_[static_cast<std::size_t>(slice)] = valuesOf(read);
        control_.report(static_cast<double>(++done_) / pages_.count, "reading");
    }

    void requireRoom(const Extent& extent, PixelType type) const {
        const std::uint64_t slice = extent.slicePixels() * bytesOf(type);
        const std::uint64_t needed = slice * extent.slices;
        const std::uint64_t limit = options_.limits.maxDecodedBytes;
        const std::uint64_t allowed = limit != 0 ? limit : availableMemory();
        if (needed > allowed) {
            refuse(ErrorCode::limitExceeded, "a volume of " + text(extent) + " needs " + sizeText(needed) + ", " +
                                                 sizeText(allowed) +
                                                 (limit != 0 ? " are allowed" : " of memory are free"));
        }
        if (extent.pixelCount() > options_.limits.maxPixels) {
            refuse(ErrorCode::limitExceeded, "a volume of " + text(extent) + " has more than the allowed " +
                                                 std::to_string(options_.limits.maxPixels) + " pixels");
        }
    }

    /// The range between the quantiles of the options, of all slices.
    [[nodiscard]] MappingChoice choiceOfQuantiles() const {
        const LoadedImage first = readSlice(0, {}, options_.threads, control_.withoutProgress());
        if (!first.info.mapping) {
            return options_.mapping; // levels are the values of the file
        }
        constexpr int kFloatBits = 32;
        const bool isFloat = first.info.sampleFormat == "float" && first.info.bits <= kFloatBits &&
                             options_.channel.kind != ChannelChoice::Kind::derived;
        return isFloat ? choiceOfQuantiles<float>() : choiceOfQuantiles<double>();
    }
    /// @tparam T type that holds the values
    template <class T> [[nodiscard]] MappingChoice choiceOfQuantiles() const {
        const auto visit = [&](const auto& count) {
            std::atomic<int> done{0};
            tbb::parallel_for(0, pages_.count, [&](int slice) {
                control_.throwIfStopped();
                const KeptValues kept;
                const LoadedImage read = readSlice(slice, {}, 1, control_.withoutProgress());
                count([&](const auto& each) { forEachValue<T>(read, kept.of(read.image), each); });
                control_.report(static_cast<double>(++done) / pages_.count, "range");
            });
        };
        const auto ends = quantilesOf<T, 2>(visit, {options_.mapping.low, options_.mapping.high});
        return ends ? MappingChoice{MappingChoice::Range::fixed, static_cast<double>(ends->front()),
                                    static_cast<double>(ends->back())}
                    : options_.mapping;
    }

    /// Of slices with values; the others agree with any mapping.
    [[nodiscard]] bool hasOneMapping() const {
        const ValueMapping* one = nullptr;
        return std::ranges::all_of(values_, [&](const SliceValues& slice) {
            if (!slice.any || !slice.mapping) {
                return true;
            }
            one = one == nullptr ? &*slice.mapping : one;
            return slice.mapping->offset == one->offset && slice.mapping->step == one->step;
        });
    }
    [[nodiscard]] double lowest() const {
        double value = std::numeric_limits<double>::infinity();
        for (const SliceValues& slice : values_) {
            value = slice.any ? std::min(value, slice.mapping->minimum) : value;
        }
        return value;
    }
    [[nodiscard]] double highest() const {
        double value = -std::numeric_limits<double>::infinity();
        for (const SliceValues& slice : values_) {
            value = slice.any ? std::max(value, slice.mapping->maximum) : value;
        }
        return value;
    }

    /// The mapping with the facts about all slices.
    [[nodiscard]] std::optional<ValueMapping> wholeMapping() const {
        if (!first_.info.mapping) {
            return std::nullopt;
        }
        const auto some = std::ranges::find_if(values_, &SliceValues::any);
        ValueMapping whole = *(some == values_.end() ? values_.front() : *some).mapping;
        if (some != values_.end()) {
            whole.minimum = lowest();
            whole.maximum = highest();
        }
        whole.nan = whole.infinite = whole.clipped = 0;
        bool areExact = true;
        bool isApart = whole.minimum == whole.maximum || (first_.info.sampleFormat != "float" && whole.step <= 1);
        for (const SliceValues& slice : values_) {
            const ValueMapping& mapping = *slice.mapping;
            whole.nan += mapping.nan;
            whole.infinite += mapping.infinite;
            whole.clipped += mapping.clipped;
            areExact = areExact && mapping.exact;
            isApart = isApart || (mapping.exact && mapping.minimum < mapping.maximum); // integers
        }
        whole.exact = areExact && isApart;
        return whole;
    }

    [[nodiscard]] LoadedImage finished() {
        ImageInfo info = first_.info;
        info.mapping = wholeMapping();
        const int shrink = options_.shrink;
        if (info.pixelSize && shrink > 1) {
            info.pixelSize->x *= shrink;
            info.pixelSize->y *= shrink;
            info.pixelSize->z *= shrink;
        }
        if (shrink > 1) {
            const Image& slice = *first_.image;
            info.carried = cropTags(std::move(info.carried), {0, 0, slice.width(), slice.height()}, shrink);
        }
        const std::shared_ptr<Image>& volume = assembly_->volume();
        volume->setSides(voxelSides(info.pixelSize));
        const std::shared_ptr<const Mask> valid = assembly_->valid();
        info.invalidPixels = valid ? volume->pixelCount() - valid->count() : 0;
        return {volume, valid, std::move(info)};
    }

    const std::filesystem::path path_; ///< the first one of several files
    const ReadOptions& options_;
    const JobControl& control_;
    SliceFiles files_; ///< one a slice; none: slices are pages
    SlicePages pages_;
    int whole_ = 0;     ///< slices, those that are not read included
    LoadedImage first_; ///< slice
    std::optional<VolumeAssembly> assembly_;
    std::vector<SliceValues> values_; ///< per slice
    std::atomic<int> done_{0};        ///< slices
};

} // namespace

SlicePages slicePages(const ImageInfo& info) {
    int stride = 1;
    for (const StackAxis& axis : info.axes) {
        if (axis.name == 'z') {
            return {info.page - info.page / stride % axis.count * stride, stride, axis.count};
        }
        stride *= axis.count;
    }
    const bool isPlain = info.axes.empty() || (info.axes.size() == 1 && info.axes.front().name == 'p');
    return isPlain ? SlicePages{0, 1, info.pages} : SlicePages{info.page, 1, 1};
}

bool statesVolume(const ImageInfo& info) noexcept {
    const auto z = std::ranges::find(info.axes, 'z', &StackAxis::name);
    return z != info.axes.end() && z->count > 1;
}

VoxelSides voxelSides(const std::optional<PixelSize>& size) noexcept {
    if (!size || size->print) {
        return {};
    }
    const auto inWidths = [&](double side) { // 0.6 / 0.2 is 3
        constexpr double kDecimals = 1e6;
        const double exact = side / size->x;
        const double decimal = std::round(exact * kDecimals) / kDecimals;
        return std::abs(decimal - exact) < 1e-12 * exact ? decimal : exact;
    };
    return {1, inWidths(size->y), size->z > 0 ? inWidths(size->z) : 1};
}

LoadedImage readVolume(const std::vector<std::filesystem::path>& files, const ReadOptions& options,
                       const JobControl& control) {
    auto slices = arrangedSlices(files, options).value_or(SliceFiles{files, 0, {}, {}, false});
    if (slices.files.size() == 1) {
        return readVolume(slices.files.front(), options, control);
    }
    return VolumeReader(std::move(slices), options, control).read();
}

LoadedImage readVolume(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    if (auto series = seriesOf(path, options)) {
        ReadOptions whole = options;
        whole.page = 0; // of each file
        return VolumeReader(std::move(*series), whole, control).read();
    }
    return VolumeReader(path, options, control).read();
}

} // namespace pollard
