#include "io/read_volume.hpp"

#include "io/image_reader.hpp"
#include "io/read_support.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Reads the slices into one image.
class VolumeReader {
public:
    VolumeReader(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control)
        : path_(path), options_(options), control_(control), info_(readImageInfo(path, options)),
          pages_(slicePages(info_)) {
        requireReadable();
    }
    /// @param files one a slice
    VolumeReader(const std::vector<std::filesystem::path>& files, const ReadOptions& options, const JobControl& control)
        : path_(files.at(0)), options_(options), control_(control),
          files_(files), pages_{options.page, 0, static_cast<int>(files.size())} {
        requireReadable();
    }

    LoadedImage read() {
        if (files_.empty()) {
            if (auto rows = readSlicesAtOnce(path_, options_, control_)) {
                return ofRows(std::move(*rows));
            }
        }
        return ofSlices();
    }

private:
    void requireReadable() const {
        if (pages_.count < 2) {
            refuse(ErrorCode::invalidArgument, "has one slice; a volume has several pages along z");
        }
        if (options_.mapping.range == MappingChoice::Range::percentile) {
            refuse(ErrorCode::invalidArgument,
                   "percentiles of a volume are not computed; give the range as auto, minmax or LOW:HIGH");
        }
        if (options_.shrink > 1) {
            refuse(ErrorCode::invalidArgument, "volumes are read at their own resolution, without shrinking");
        }
    }

    LoadedImage ofSlices() {
        readSlices(options_.mapping);
        const auto& first = mappings_.front();
        const bool isOne = std::ranges::all_of(mappings_, [&](const std::optional<ValueMapping>& mapping) {
            return mapping.has_value() == first.has_value() &&
                   (!mapping || (mapping->offset == first->offset && mapping->step == first->step));
        });
        if (!isOne) {
            readSlices({MappingChoice::Range::fixed, lowest(), highest()});
        }
        LoadedImage loaded = std::move(first_);
        loaded.image = std::move(volume_);
        loaded.info.mapping = wholeMapping();
        return loaded;
    }

    [[noreturn]] void refuse(ErrorCode code, const std::string& why) const { throw readError(code, path_, why); }

    /// "page 3", or the name of a file.
    [[nodiscard]] std::string nameOf(int slice) const {
        return files_.empty() ? "page " + std::to_string(pages_.first + slice * pages_.stride)
                              : fileOf(slice).filename().string();
    }
    void requireData(const LoadedImage& read, int slice = 0) const {
        if (read.valid) {
            refuse(ErrorCode::formatUnsupported, nameOf(slice) + " has pixels without data, which volumes cannot have");
        }
    }

    /// The volume from a picture of all rows.
    [[nodiscard]] LoadedImage ofRows(LoadedImage rows) const {
        requireData(rows);
        const Image& picture = *rows.image;
        const auto slices = static_cast<std::uint32_t>(pages_.count);
        const Extent extent{picture.width(), picture.height() / slices, slices};
        requireRoom(extent, picture.type());
        auto volume = std::make_shared<Image>(picture.type(), extent);
        volume->setSides(voxelSides(info_.pixelSize));
        std::memcpy(volume->data(), picture.data(), picture.bytes());
        LoadedImage loaded{std::move(volume), nullptr, info_};
        loaded.info.mapping = rows.info.mapping;
        return loaded;
    }

    [[nodiscard]] const std::filesystem::path& fileOf(int slice) const {
        return files_.empty() ? path_ : files_[static_cast<std::size_t>(slice)];
    }

    LoadedImage readSlice(int slice, const MappingChoice& mapping, int threads, const JobControl& control) const {
        ReadOptions one = options_;
        one.page = pages_.first + slice * pages_.stride;
        one.mapping = mapping;
        one.threads = threads;
        LoadedImage read = readImage(fileOf(slice), one, control);
        requireData(read, slice);
        return read;
    }

    void readSlices(const MappingChoice& mapping) {
        first_ = readSlice(0, mapping, options_.threads, control_);
        const Image& like = *first_.image;
        const Extent extent{like.width(), like.height(), static_cast<std::uint32_t>(pages_.count)};
        requireRoom(extent, like.type());
        volume_ = std::make_shared<Image>(like.type(), extent);
        volume_->setSides(voxelSides(first_.info.pixelSize));
        mappings_.assign(static_cast<std::size_t>(pages_.count), first_.info.mapping);
        const std::size_t bytes = like.bytes();
        std::memcpy(volume_->data(), like.data(), bytes);
        std::atomic<int> done{1};
        // Formats decode pages of usual sizes with few threads: slices side by side.
        tbb::parallel_for(1, pages_.count, [&](int slice) {
            control_.throwIfStopped();
            const LoadedImage read = readSlice(slice, mapping, 1, {});
            if (read.image->type() != like.type() || read.image->extent() != like.extent() ||
                read.info.mapping.has_value() != first_.info.mapping.has_value()) {
                refuse(ErrorCode::formatUnsupported, nameOf(slice) + " differs in size or depth from the first slice");
            }
            std::memcpy(volume_->data() + static_cast<std::size_t>(slice) * bytes, read.image->data(), bytes);
            mappings_[static_cast<std::size_t>(slice)] = read.info.mapping;
            control_.report(static_cast<double>(++done) / pages_.count, "reading");
        });
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

    [[nodiscard]] double lowest() const {
        return std::ranges::min(mappings_, {}, [](const auto& mapping) { return mapping->minimum; })->minimum;
    }
    [[nodiscard]] double highest() const {
        return std::ranges::max(mappings_, {}, [](const auto& mapping) { return mapping->maximum; })->maximum;
    }

    /// The mapping with the facts about all slices.
    [[nodiscard]] std::optional<ValueMapping> wholeMapping() const {
        std::optional<ValueMapping> whole = mappings_.front();
        if (whole) {
            whole->minimum = lowest();
            whole->maximum = highest();
            whole->infinite = whole->clipped = 0;
            for (const auto& mapping : mappings_) {
                whole->infinite += mapping->infinite;
                whole->clipped += mapping->clipped;
            }
        }
        return whole;
    }

    const std::filesystem::path& path_; ///< the first one of several files
    const ReadOptions& options_;
    const JobControl& control_;
    std::vector<std::filesystem::path> files_; ///< one a slice; empty: slices are pages
    ImageInfo info_;                           ///< of the page of the options, if slices are pages
    SlicePages pages_;
    LoadedImage first_;
    std::shared_ptr<Image> volume_;
    std::vector<std::optional<ValueMapping>> mappings_; ///< per slice
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
    return VolumeReader(files, options, control).read();
}

LoadedImage readVolume(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    return VolumeReader(path, options, control).read();
}

} // namespace pollard
