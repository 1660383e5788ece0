#include "base/parallel.hpp"
#include "formats/zarr/ome_zarr.hpp"
#include "formats/zarr/zarr_chunks.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"
#include "io/samples/value_statistics.hpp"
#include "io/volumes/voxel_place.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <tbb/task_arena.h>
#include <utility>

namespace pollard {

namespace {

std::unique_ptr<ZarrStore> openStore(const SourceFile& source) {
    std::error_code ignored;
    if (std::filesystem::is_directory(source.path, ignored)) {
        return openFolderStore(source.path);
    }
    const std::string name = source.path.filename().string();
    if (std::ranges::find(kZarrMetadata, name) != kZarrMetadata.end()) {
        return openFolderStore(source.path.has_parent_path() ? source.path.parent_path() : ".");
    }
    return openZipStore(source.path);
}

/// Calls @p work, and names the file in errors about the content of a store.
template <class Work> auto naming(const SourceFile& source, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        const std::string_view what = error.what();
        if (what.find(source.path.string()) != std::string_view::npos) {
            throw;
        }
        const bool isWrong = error.code() == ErrorCode::invalidArgument;
        throw readError(isWrong ? ErrorCode::fileDamaged : error.code(), source.path, error.what());
    }
}

OmeZarrImage readImage(const SourceFile& source, const ZarrStore& store) {
    return naming(source, [&] { return readOmeZarr(store); });
}

/// An axis of the array whose positions are pages.
struct PageAxis {
    std::size_t axis = 0;
    std::uint64_t count = 1;
};

/// A page of an image in an open store.
class ZarrPage final : public FilePage {
public:
    ZarrPage(const SourceFile& source, const ReadOptions& options)
        : FilePage(source, options), store_(naming(source, [&] { return openStore(source); })),
          image_(readImage(source, *store_)), level_(levelOf()), chunks_(*store_, level_.array),
          x_(level_.array.shape.size() - 1) {
        describe();
    }

    BlockGrid blocks() const override {
        const auto side = [&](std::size_t axis) {
            return static_cast<std::uint32_t>(std::min(level_.array.chunk[axis], level_.array.shape[axis]));
        };
        return {side(x_), side(x_ - 1), 0, 0};
    }

    bool mayHaveGaps() const override { return info_.sampleFormat == "float" || image_.noData; }

    LoadedImage read(const JobControl& control) override {
        const PixelRegion region = part();
        ZarrBox box = boxOf(info_.page, region);
        requireRoom(box);
        LoadedImage loaded{nullptr, nullptr, info_};
        const std::optional<ValueType> values = valueType();
        if (!values) {
            const auto image = std::make_shared<Image>(levelType(), region.width, region.height);
            readBox(box, {image->data(), image->bytes()}, control);
            loaded.image = image;
            loaded.valid = gapsOf(*image, loaded.info);
            return loaded;
        }
        ValueBuffer buffer(*values, region.width, region.height);
        readBox(box, {buffer.at<std::byte>(0, 0), buffer.bytes()}, control);
        return imageOfValues(source_, buffer.grid(), options_, gaps(), info_, control);
    }

    /// Reads slices in the same chunks together, with one mapping of values. @returns false without reading for pages
    /// that are no slices, and for quantiles
    bool readSlices(int count, const TakeSlice& take, const JobControl& control) override {
        const std::optional<ValueType> values = valueType();
        using Range = MappingChoice::Range;
        const Range range = options_.mapping.range;
        if (pages_.empty() || image_.axes[pages_.front().axis].name != 'z' || repeatsSlices() ||
            (values && range == Range::percentile)) {
            return false;
        }
        const PixelRegion area = part();
        ReadOptions options = options_;
        const bool needsRange = values && !options_.statistics && range != Range::fixed &&
                                (range != Range::automatic || bytesOf(*values) > sizeof(std::int16_t));
        if (needsRange) {
            options.statistics = std::make_shared<ValueStatistics>();
            options.statistics->setCountsOfParts();
            const auto collect = [&](int, const std::byte* samples) {
                (void)imageOfValues(source_, {*values, samples, area.width, area.height}, options, gaps(), info_,
                                    control);
            };
            const auto pass = [&](int) { forEachSlice(count, area, collect, control); };
            const double zero = 0;
            const auto probe = [&] {
                (void)imageOfValues(source_, {*values, &zero, 1, 1}, options, gaps(), info_, control);
            };
            collectValues(*options.statistics, probe, pass);
        }
        const auto taken = [&](int slice, const std::byte* samples) {
            ImageInfo info = info_;
            info.page += slice;
            if (!values) {
                const auto image = std::make_shared<Image>(levelType(), area.width, area.height);
                std::memcpy(image->data(), samples, image->bytes());
                std::shared_ptr<const Mask> valid = gapsOf(*image, info);
                take({image, std::move(valid), std::move(info)});
                return;
            }
            take(imageOfValues(source_, {*values, samples, area.width, area.height}, options, gaps(), std::move(info),
                               control));
        };
        forEachSlice(count, area, taken, control);
        return true;
    }

private:
    [[nodiscard]] OmeZarrImage::Level levelOf() const {
        requireIndex(source_.path, "level", options_.level, image_.levels.size(), "image");
        return image_.levels[static_cast<std::size_t>(options_.level)];
    }

    [[nodiscard]] ValueGaps gaps() const { return {image_.noData, nullptr}; }

    /// Of samples that are levels; null if all pixels have data.
    [[nodiscard]] std::shared_ptr<const Mask> gapsOf(const Image& image, ImageInfo& info) const {
        const std::optional<std::uint16_t> none = image_.noData ? levelOfNoData(*image_.noData) : std::nullopt;
        if (!none) {
            return nullptr;
        }
        Mask valid(image.width(), image.height(), true);
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            if (image.level(i) == *none) {
                valid.set(static_cast<std::uint32_t>(i % image.width()), static_cast<std::uint32_t>(i / image.width()),
                          false);
            }
        }
        return maskOfGaps(std::move(valid), info.invalidPixels);
    }

    [[nodiscard]] PixelType levelType() const noexcept {
        return level_.array.bits == 8 ? PixelType::u8 : PixelType::u16;
    }

    /// Unset if samples are levels.
    [[nodiscard]] std::optional<ValueType> valueType() const noexcept {
        const ZarrArray& array = level_.array;
        if (array.kind == SampleKind::unsignedInteger && array.bits <= 16) {
            return std::nullopt;
        }
        return ValuePlan{{0}, array.kind, array.bits, -1, {}}.type();
    }

    void describe() {
        constexpr std::uint64_t kMostSide = std::numeric_limits<std::uint32_t>::max();
        constexpr std::uint64_t kMostPages = std::numeric_limits<int>::max();
        const ZarrArray& full = image_.levels.front().array;
        std::uint64_t pages = 1;
        for (std::size_t axis = x_ - 1; axis-- > 0;) {
            pages_.push_back({axis, full.shape[axis]});
            pages = full.shape[axis] > kMostPages / pages ? kMostPages + 1 : pages * full.shape[axis];
        }
        if (full.shape[x_] > kMostSide || full.shape[x_ - 1] > kMostSide || pages > kMostPages) {
            throw readError(ErrorCode::limitExceeded, source_.path,
                            "the sides are above the limits of " + std::to_string(kMostSide) + " pixels and " +
                                std::to_string(kMostPages) + " pages");
        }
        info_.format = image_.format;
        info_.compression = codecsText();
        info_.photometric = "MinIsBlack";
        info_.bits = full.bits;
        info_.sampleFormat = nameOf(full.kind);
        info_.samples = 1;
        info_.pages = static_cast<int>(pages);
        info_.page = options_.page;
        requireIndex(source_.path, "page", options_.page, info_.pages, "image");
        for (const OmeZarrImage::Level& each : image_.levels) {
            info_.levels.push_back({static_cast<std::uint32_t>(each.array.shape[x_]),
                                    static_cast<std::uint32_t>(each.array.shape[x_ - 1])});
        }
        info_.level = options_.level;
        info_.width = info_.levels[static_cast<std::size_t>(info_.level)].width;
        info_.height = info_.levels[static_cast<std::size_t>(info_.level)].height;
        if (info_.levels.size() == 1) {
            info_.levels.clear();
        }
        info_.facts = image_.facts;
        info_.notes = image_.notes;
        info_.calibration = image_.calibration;
        describeAxes();
        describeSize();
        (void)GreyPlan::forSamples(source_, options_.channel, std::min(info_.bits, 16), 1, 1, false, info_.notes);
    }

    void describeAxes() {
        for (const PageAxis& page : pages_) {
            const char name = image_.axes[page.axis].name;
            if (page.count == 1) {
                continue;
            }
            if (name == 'p' || std::ranges::find(info_.axes, name, &StackAxis::name) != info_.axes.end()) {
                info_.axes = {{'p', info_.pages, {}}}; // pages without a meaning
                return;
            }
            info_.axes.push_back({name, static_cast<int>(page.count), {}});
            const std::vector<double>& steps = image_.levels.front().scale;
            const std::string& unit = image_.axes[page.axis].unit;
            if (name == 't' && !steps.empty() && secondsOf(unit) && std::isfinite(steps[page.axis])) {
                info_.axes.back().step = std::max(steps[page.axis], 0.0);
                info_.axes.back().unit = unit;
            }
        }
        const auto channels = std::ranges::find(info_.axes, 'c', &StackAxis::name);
        if (channels != info_.axes.end()) {
            info_.channels = image_.channels;
            for (const Channel& channel : info_.channels) {
                channels->labels.push_back(channel.name);
            }
        } else if (image_.channels.size() == 1) {
            info_.channels = image_.channels;
            if (!info_.channels.front().name.empty()) {
                info_.facts.emplace_back(kChannelFact, info_.channels.front().name);
            }
        }
    }

    /// Sets the size of a pixel: x and y from the steps of the level, z from the steps of the first level.
    void describeSize() {
        const std::vector<double>& steps = level_.scale;
        if (steps.empty()) {
            return;
        }
        const auto usable = [](double step) { return step > 0 && std::isfinite(step); };
        const std::optional<double> unitX = micrometresOf(image_.axes[x_].unit);
        const std::optional<double> unitY = micrometresOf(image_.axes[x_ - 1].unit);
        if (!usable(steps[x_]) || !usable(steps[x_ - 1])) {
            return;
        }
        if (!unitX || !unitY) {
            describeSpacing(steps);
            return;
        }
        const std::string unit = voxelUnit(image_.axes[x_].unit).value_or("µm");
        const double inMicrometres = micrometresOf(unit).value_or(1);
        info_.pixelSize = PixelSize{steps[x_] * (*unitX / inMicrometres), steps[x_ - 1] * (*unitY / inMicrometres),
                                    unit, "OME-Zarr", false};
        const auto z = std::ranges::find(image_.axes, 'z', &OmeZarrImage::Axis::name);
        const std::vector<double>& full = image_.levels.front().scale;
        if (z != image_.axes.end() && !full.empty()) {
            const double step = full[static_cast<std::size_t>(z - image_.axes.begin())];
            const std::optional<double> unitZ = micrometresOf(z->unit);
            info_.pixelSize->z = unitZ && usable(step) ? step * (*unitZ / inMicrometres) : 0;
        }
    }

    /// The steps, if axes have no unit, or one that is no length.
    void describeSpacing(const std::vector<double>& steps) {
        const auto& x = image_.axes[x_];
        if (x.unit != image_.axes[x_ - 1].unit) {
            return;
        }
        const auto z = std::ranges::find(image_.axes, 'z', &OmeZarrImage::Axis::name);
        const std::vector<double>& full = image_.levels.front().scale;
        const bool hasDepth = z != image_.axes.end() && !full.empty() && z->unit == x.unit;
        const double step = hasDepth ? full[static_cast<std::size_t>(z - image_.axes.begin())] : 0;
        info_.spacing = VoxelSides{steps[x_], steps[x_ - 1], step > 0 && std::isfinite(step) ? step : 0};
    }

    [[nodiscard]] std::string codecsText() const {
        constexpr std::array<const char*, 5> kNames = {"Deflate", "Zstandard", "LZ4", "Blosc", "CRC-32C"};
        std::string text;
        for (const ZarrCodec codec : level_.array.coding.codecs) {
            text += (text.empty() ? "" : ", ") + std::string(kNames[static_cast<std::size_t>(codec)]);
        }
        text = text.empty() ? "none" : text;
        return level_.array.shards ? text + ", in shards" : text;
    }

    /// Whether the level has fewer slices than the first one.
    [[nodiscard]] bool repeatsSlices() const {
        return std::ranges::any_of(pages_,
                                   [&](const PageAxis& page) { return level_.array.shape[page.axis] != page.count; });
    }

    /// The box of a region of a page. In a level with fewer slices, several pages share a slice.
    [[nodiscard]] ZarrBox boxOf(int page, const PixelRegion& region) const {
        ZarrBox box{std::vector<std::uint64_t>(x_ + 1), std::vector<std::uint64_t>(x_ + 1, 1)};
        auto number = static_cast<std::uint64_t>(page);
        for (const PageAxis& axis : pages_) {
            box.begin[axis.axis] = number % axis.count * level_.array.shape[axis.axis] / axis.count;
            number /= axis.count;
        }
        box.begin[x_ - 1] = region.y;
        box.begin[x_] = region.x;
        box.count[x_ - 1] = region.height;
        box.count[x_] = region.width;
        return box;
    }

    /// Checks the memory for a box with that for its chunks. Chunks limit the expansion of compressed bytes.
    void requireRoom(const ZarrBox& box) const {
        const std::uint64_t chunks = chunks_.chunksOf(box);
        constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 28U;
        if (chunks > kMostChunks) {
            throw readError(ErrorCode::limitExceeded, source_.path,
                            std::to_string(chunks) + " chunks are more than the limit of " +
                                std::to_string(kMostChunks) + "; read a region");
        }
        const int threads = options_.threads > 0 ? options_.threads : tbb::this_task_arena::max_concurrency();
        const std::uint64_t height = box.count[x_ - 1] * (pages_.empty() ? 1 : box.count[pages_.front().axis]);
        const std::uint64_t samples = box.count[x_] * height * level_.array.sampleBytes();
        const std::uint64_t together = std::min<std::uint64_t>(chunks, static_cast<std::uint64_t>(threads));
        checkClaim(source_,
                   {box.count[x_], height, info_.bits, samples + chunks_.memoryFor(static_cast<int>(together)),
                    std::numeric_limits<std::uint64_t>::max(), true},
                   options_.limits);
    }

    /// Calls @p each with the number of a slice, from the page of the options on, and its samples.
    template <class Each>
    void forEachSlice(int count, const PixelRegion& part, const Each& each, const JobControl& control) const {
        const std::size_t z = pages_.front().axis;
        const std::uint64_t depth = level_.array.chunk[z];
        const std::uint64_t sliceBytes = std::uint64_t{part.width} * part.height * level_.array.sampleBytes();
        constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29U; // of slices at once
        for (int first = 0; first < count;) {
            ZarrBox box = boxOf(info_.page + first, part);
            const std::uint64_t together =
                std::clamp<std::uint64_t>(std::min(depth - box.begin[z] % depth, kMostBytes / sliceBytes), 1,
                                          static_cast<std::uint64_t>(count - first));
            box.count[z] = together;
            requireRoom(box);
            Buffer<std::byte> slices(static_cast<std::size_t>(sliceBytes * together));
            readBox(box, slices.span(), control);
            for (std::uint64_t i = 0; i < together; ++i, ++first) {
                control.throwIfStopped();
                each(first, slices.data() + i * sliceBytes);
            }
        }
    }

    void readBox(const ZarrBox& box, std::span<std::byte> out, const JobControl& control) const {
        naming(source_, [&] {
            if (options_.threads > 0) {
                ThreadArena(options_.threads).execute([&] { chunks_.read(box, out, control); });
            } else {
                chunks_.read(box, out, control);
            }
        });
    }

    std::unique_ptr<ZarrStore> store_;
    OmeZarrImage image_;
    OmeZarrImage::Level level_;
    ZarrChunks chunks_;
    std::size_t x_;               ///< the last axis
    std::vector<PageAxis> pages_; ///< the fastest first
};

/// Stores are folders, of which the metadata may be named in their place, and zip files.
bool isZarr(const SourceFile& source) {
    std::error_code ignored;
    return source.startsWith("PK\3\4") || std::filesystem::is_directory(source.path, ignored) ||
           std::ranges::find(kZarrMetadata, source.path.filename().string()) != kZarrMetadata.end();
}

} // namespace

const ImageReader& zarrReader() {
    static const ImageReader reader{
        .filter = {"OME-Zarr", {"zarr", "zip", "ozx"}, {kZarrMetadata.begin(), kZarrMetadata.end()}},
        .recognises = isZarr,
        .open = openAs<ZarrPage>,
        .readsRegions = true,
        .keepsOpen = true};
    return reader;
}

} // namespace pollard
