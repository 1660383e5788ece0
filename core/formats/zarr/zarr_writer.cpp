#include "formats/zarr/zarr_writer.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "formats/zarr/zarr_codecs.hpp"
#include "io/metadata/length_units.hpp"
#include "io/samples/value_levels.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/planes.hpp"
#include "json/json_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

namespace fs = std::filesystem;

PendingFolder::PendingFolder(fs::path target, std::string what) : target_(std::move(target)), what_(std::move(what)) {
    std::error_code ignored;
    if (!target_.has_filename()) {
        fail("is not a name of a folder");
    }
    if (fs::exists(fs::symlink_status(target_, ignored))) {
        fail("it exists; remove it, or name another folder");
    }
    constexpr std::size_t kKeep = 200; // bytes of the name, within the length limit
    constexpr ::mode_t kMode = 0777;
    std::random_device random;
    const fs::path temporary = target_.parent_path() / ("." + target_.filename().string().substr(0, kKeep) + ".part-" +
                                                        std::to_string(random()) + std::to_string(random()));
    if (::mkdir(temporary.c_str(), kMode) != 0) {
        fail(std::strerror(errno));
    }
    temporary_ = temporary;
}

PendingFolder::~PendingFolder() {
    if (!temporary_.empty()) {
        std::error_code ignored;
        fs::remove_all(temporary_, ignored);
    }
}

void PendingFolder::write(const std::string& name, std::span<const std::byte> bytes) const {
    const fs::path path = temporary_ / name;
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem) {
        fail(problem.message());
    }
    constexpr ::mode_t kMode = 0666;
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (descriptor < 0) {
        fail(std::strerror(errno));
    }
    int error = 0;
    while (!bytes.empty() && error == 0) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            error = count == 0 ? ENOSPC : errno;
        }
    }
    if (::close(descriptor) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        fail(std::strerror(error));
    }
}

void PendingFolder::commit() {
    const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(std::strerror(errno));
    }
    const bool isSafe = ::syncfs(descriptor) == 0;
    const int error = errno;
    ::close(descriptor);
    if (!isSafe) {
        fail(std::strerror(error));
    }
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0 &&
        (errno != EINVAL || ::rename(temporary_.c_str(), target_.c_str()) != 0)) {
        fail(std::strerror(errno));
    }
    temporary_.clear();
    syncDirectory(target_.parent_path());
}

void PendingFolder::fail(const std::string& why) const {
    throw Error(ErrorCode::writeFailed, what_ + ": " + target_.string() + ": " + why);
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhat = "cannot write OME-Zarr";
constexpr std::uint32_t kChunkSide = 512;
constexpr std::uint32_t kCoarsestSide = 512;

std::uint32_t halved(std::uint32_t side) noexcept { return side / 2 + side % 2; }

/// Extents of the image and its reduced versions.
std::vector<Extent> levelsOf(Extent extent) {
    std::vector<Extent> levels{extent};
    while (std::max(extent.width, extent.height) > kCoarsestSide) {
        extent.width = halved(extent.width);
        extent.height = halved(extent.height);
        levels.push_back(extent);
    }
    return levels;
}

/// A name of UDUNITS-2 for a unit of length; empty for others.
std::string unitName(const std::string& unit) {
    constexpr std::array<std::pair<double, const char*>, 6> kNames = {{{1e-3, "nanometer"},
                                                                       {1, "micrometer"},
                                                                       {1e3, "millimeter"},
                                                                       {1e4, "centimeter"},
                                                                       {1e6, "meter"},
                                                                       {1e9, "kilometer"}}};
    const std::optional<double> micrometres = micrometresOf(unit);
    const auto* found = std::ranges::find_if(kNames, [&](const auto& name) { return name.first == micrometres; });
    return found == kNames.end() ? std::string() : found->second;
}

/// The rows of a table of properties, NGFF 0.4: objects with the label and the values that there are.
Json rowsOf(const LabelProperties& properties) {
    Json rows = Json::array();
    for (const std::uint32_t label : properties.labels) {
        Json row{{"label-value", label}};
        for (std::size_t column = 0; column < properties.names.size(); ++column) {
            std::visit(
                [&]<class T>(const T& value) {
                    if constexpr (std::is_same_v<T, double>) {
                        if (std::isfinite(value)) { // JSON has no others
                            row[properties.names[column]] = value;
                        }
                    } else if constexpr (!std::is_same_v<T, std::monostate>) {
                        row[properties.names[column]] = value;
                    }
                },
                properties.value(column, label));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The first channel of the scene; nothing if the scene has no channels.
std::optional<Channel> channelOf(const PlaneFacts& facts) {
    if (!facts.scene.channels.empty()) {
        return facts.scene.channels.front();
    }
    std::optional<Channel> channel;
    if (!facts.scene.channel.empty()) {
        channel.emplace().name = facts.scene.channel;
    }
    return channel;
}

/// The size of a pixel, or its sides without a unit; nothing for sizes that are no lengths of the scene.
std::optional<PixelSize> sizeOf(const PlaneFacts& facts) {
    const std::optional<PixelSize>& size = facts.scene.pixelSize;
    if (const auto& sides = facts.spacing; !size && sides) {
        return PixelSize{sides->x, sides->y, {}, {}, false, sides->z};
    }
    return size && !size->print && !unitName(size->unit).empty() ? size : std::nullopt;
}

/// Metadata of the group and the arrays.
class Metadata {
public:
    /// @param channels facts about each channel; facts about the image if it has no axis of channels
    Metadata(std::string name, const Extent& extent, ValueType type, const std::vector<PlaneFacts>& channels,
             bool areLabels)
        : name_(std::move(name)), type_(type), channels_(channels), facts_(channels.front()), areLabels_(areLabels),
          isThird_(facts_.isZarr3) {
        if (channelOf(facts_)) {
            axes_.emplace_back("c");
        }
        if (extent.isVolume()) {
            axes_.emplace_back("z");
        }
        axes_.emplace_back("y");
        axes_.emplace_back("x");
    }

    [[nodiscard]] Json array(const Extent& level) const {
        std::vector<std::uint32_t> shape;
        std::vector<std::uint32_t> chunks;
        for (const std::string& axis : axes_) {
            const std::uint32_t side = axis == "x"   ? level.width
                                       : axis == "y" ? level.height
                                       : axis == "z" ? level.slices
                                                     : static_cast<std::uint32_t>(channels_.size());
            shape.push_back(side);
            chunks.push_back(axis == "x" || axis == "y" ? kChunkSide : 1);
        }
        if (isThird_) {
            return arrayOfThird(shape, chunks);
        }
        return {{"zarr_format", 2},
                {"shape", shape},
                {"chunks", chunks},
                {"dtype", sampleTypeOf(type_).array},
                {"compressor", {{"id", "blosc"}, {"cname", "zstd"}, {"clevel", 3}, {"shuffle", 1}, {"blocksize", 0}}},
                {"fill_value", 0},
                {"order", "C"},
                {"filters", nullptr},
                {"dimension_separator", "/"}};
    }

    [[nodiscard]] Json group(std::size_t levels) const {
        const std::optional<PixelSize> known = sizeOf(facts_);
        const bool hasUnit = known && !known->unit.empty();
        const PixelSize size = known.value_or(PixelSize{1, 1, {}, {}, false, 1});
        Json axes = Json::array();
        for (const std::string& name : axes_) {
            Json axis{{"name", name}, {"type", name == "c" ? "channel" : "space"}};
            if (name != "c" && hasUnit && (name != "z" || size.z > 0)) {
                axis["unit"] = unitName(size.unit);
            }
            axes.push_back(std::move(axis));
        }
        Json datasets = Json::array();
        for (std::size_t level = 0; level < levels; ++level) {
            const double factor = std::ldexp(1.0, static_cast<int>(level));
            Json scale = Json::array();
            Json translation = Json::array();
            for (const std::string& name : axes_) {
                const double step = name == "x"                 ? size.x
                                    : name == "y"               ? size.y
                                    : name == "z" && size.z > 0 ? size.z
                                                                : 1;
                const bool isReduced = name == "x" || name == "y";
                scale.push_back(isReduced ? step * factor : step);
                translation.push_back(isReduced ? step * (factor - 1) / 2 : 0.0);
            }
            Json transformations = Json::array({{{"type", "scale"}, {"scale", scale}}});
            if (level > 0 && facts_.means) { // the centre of the first pixel
                transformations.push_back({{"type", "translation"}, {"translation", translation}});
            }
            datasets.push_back({{"path", std::to_string(level)}, {"coordinateTransformations", transformations}});
        }
        Json multiscale = Json::object();
        if (!isThird_) {
            multiscale["version"] = "0.4";
        }
        multiscale.update({{"name", name_},
                           {"type", facts_.means ? "mean" : "first of 2 x 2"},
                           {"metadata", {{"description", "halved in x and y"}}},
                           {"axes", axes},
                           {"datasets", datasets}});
        Json attributes = isThird_ ? Json{{"version", "0.5"}} : Json::object();
        attributes["multiscales"] = Json::array({std::move(multiscale)});
        if (areLabels_) {
            Json& label = attributes["image-label"] = isThird_ ? Json::object() : Json{{"version", "0.4"}};
            if (facts_.properties != nullptr && !facts_.properties->labels.empty()) {
                label["properties"] = rowsOf(*facts_.properties);
            }
        } else if (channelOf(facts_)) {
            Json channels = Json::array();
            std::ranges::transform(channels_, std::back_inserter(channels),
                                   [this](const PlaneFacts& facts) { return channel(facts); });
            attributes["omero"] = {{"channels", std::move(channels)}};
        }
        return attributes;
    }

    /// Of the arrays, by the conventions of CF.
    [[nodiscard]] Json attributes() const {
        Json attributes = Json::object();
        const auto isUnit = [this](const PlaneFacts& facts) { return facts.scale.unit == facts_.scale.unit; };
        if (!areLabels_ && !facts_.scale.unit.empty() && std::ranges::all_of(channels_, isUnit)) {
            attributes["units"] = facts_.scale.unit;
        }
        if (!areLabels_ && !facts_.scale.isIdentity()) {
            attributes["scale_factor"] = facts_.scale.slope;
            attributes["add_offset"] = facts_.scale.intercept;
        }
        if (facts_.noData && !isFloat(type_)) {
            attributes["_FillValue"] = static_cast<std::int64_t>(*facts_.noData);
        }
        return attributes;
    }

    [[nodiscard]] bool isThird() const noexcept { return isThird_; }

private:
    /// Of Zarr 3, with the keys of chunks of Zarr 2.
    [[nodiscard]] Json arrayOfThird(const std::vector<std::uint32_t>& shape,
                                    const std::vector<std::uint32_t>& chunks) const {
        const std::string name = type_ == ValueType::f32   ? "float32"
                                 : type_ == ValueType::f64 ? "float64"
                                                           : sampleTypeOf(type_).name;
        const Json fill = isFloat(type_) ? Json(0.0) : Json(0);
        const Json bytes = bytesOf(type_) == 1 ? Json{{"name", "bytes"}}
                                               : Json{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}};
        return {{"zarr_format", 3},
                {"node_type", "array"},
                {"shape", shape},
                {"data_type", name},
                {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", chunks}}}}},
                {"chunk_key_encoding", {{"name", "v2"}, {"configuration", {{"separator", "/"}}}}},
                {"fill_value", fill},
                {"codecs", Json::array({bytes,
                                        {{"name", "blosc"},
                                         {"configuration",
                                          {{"cname", "zstd"},
                                           {"clevel", 3},
                                           {"shuffle", "shuffle"},
                                           {"typesize", bytesOf(type_)},
                                           {"blocksize", 0}}}}})},
                {"attributes", attributes()},
                {"dimension_names", axes_}};
    }

    /// Smallest and largest number of the type, without fractions.
    [[nodiscard]] std::pair<double, double> range() const {
        return dispatch(type_, []<class T>(T) {
            using Limits = std::numeric_limits<T>;
            return Limits::is_integer
                       ? std::pair(static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max()))
                       : std::pair(0.0, 1.0);
        });
    }

    [[nodiscard]] Json channel(const PlaneFacts& facts) const {
        const Channel channel = *channelOf(facts);
        const auto [firstValue, lastValue] = facts.range.value_or(range());
        constexpr std::array<std::uint8_t, 3> kWhite = {255, 255, 255};
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        std::string colour;
        for (const std::uint8_t part : channel.colour.value_or(kWhite)) {
            colour += {kDigits[part / 16U], kDigits[part % 16U]};
        }
        const ChannelWindow window = channel.window.value_or(ChannelWindow{firstValue, lastValue});
        return {{"label", channel.name},
                {"color", colour},
                {"active", true},
                {"window",
                 {{"min", std::min(firstValue, window.low)},
                  {"max", std::max(lastValue, window.high)},
                  {"start", window.low},
                  {"end", window.high}}}};
    }

    std::string name_;
    ValueType type_;
    const std::vector<PlaneFacts>& channels_;
    const PlaneFacts& facts_; ///< that all channels share
    bool areLabels_;
    bool isThird_;
    std::vector<std::string> axes_;
};

/// The first of 2 x 2 pixels.
template <class T> void takeEverySecond(const T* row, std::uint32_t width, T* out) {
    for (std::uint32_t x = 0; x < width; x += 2) {
        *out++ = row[x];
    }
}

/// Writes rows of chunks. @param prefix of their names, for the axes before y and x
/// @param pixels whole rows, from @p top on, which is at the edge of chunks
template <class Sample> void writeChunks(const PendingFolder& folder, const std::string& prefix,
                                         std::span<const Sample> pixels, std::uint32_t imageWidth, std::uint32_t top,
                                         const JobControl& control) {
    const std::size_t rows = pixels.size() / imageWidth;
    const auto across = (std::size_t{imageWidth} - 1) / kChunkSide + 1;
    const auto down = (rows - 1) / kChunkSide + 1;
    forEachIndex(
        across * down, control,
        [&](std::size_t index) {
            const std::size_t left = index % across * kChunkSide;
            const std::size_t first = index / across * kChunkSide;
            const std::size_t width = std::min<std::size_t>(kChunkSide, imageWidth - left);
            const std::size_t height = std::min<std::size_t>(kChunkSide, rows - first);
            std::vector<Sample> chunk(std::size_t{kChunkSide} * kChunkSide);
            for (std::size_t y = 0; y < height; ++y) {
                std::ranges::copy(pixels.subspan((first + y) * imageWidth + left, width),
                                  chunk.begin() + static_cast<std::ptrdiff_t>(y * kChunkSide));
            }
            if (std::ranges::all_of(chunk, [](Sample sample) { return bitsOfSample(sample) == 0; })) {
                return;
            }
            const std::vector<std::byte> bytes = bloscCompressed(std::as_bytes(std::span(chunk)), sizeof(Sample));
            folder.write(prefix + std::to_string(top / kChunkSide + index / across) + "/" +
                             std::to_string(index % across),
                         bytes);
        },
        1);
}

/// Writes all levels of slices row by row, with memory for some rows of chunks of each level.
template <class Sample> class LevelWriter {
public:
    /// @param place of the channel in the names of chunks, behind the level: "", "/0"
    LevelWriter(const PendingFolder& folder, const std::vector<Extent>& levels, const PlaneFacts& facts,
                std::string place, const JobControl& control)
        : folder_(folder), means_(facts.means), channel_(std::move(place)), control_(control) {
        if (facts.noData) {
            noData_ = bitsOfSample(static_cast<Sample>(*facts.noData));
        }
        constexpr std::size_t kPixels = std::size_t{1} << 24U; // enough chunks for many threads
        const std::size_t rowOfChunks = std::size_t{kChunkSide} * levels.front().width;
        const auto rows = static_cast<std::uint32_t>(
            kChunkSide * std::clamp<std::size_t>(kPixels / rowOfChunks, 1, kPixels / kChunkSide));
        for (const Extent& level : levels) {
            const std::uint32_t capacity = std::min(rows, level.height);
            bands_.push_back({level, capacity, 0, 0, std::vector<Sample>(std::size_t{level.width} * capacity)});
        }
    }

    void write(const PixelRows& pixels) {
        const Extent& extent = pixels.extent;
        Band& first = bands_.front();
        for (std::uint32_t z = 0; z < extent.slices; ++z) {
            place_ = channel_ + "/" + (extent.isVolume() ? std::to_string(z) + "/" : std::string());
            for (Band& band : bands_) {
                band.top = 0;
            }
            while (first.top < extent.height) {
                const std::uint64_t row = std::uint64_t{z} * extent.height + first.top;
                control_.report(static_cast<double>(row) / static_cast<double>(extent.rows()), "writing");
                first.rows = std::min(first.capacity, extent.height - first.top);
                pixels.read(row, first.rows, reinterpret_cast<std::byte*>(first.pixels.data()));
                finish(0);
            }
        }
    }

private:
    /// Rows of a level, at most so many.
    struct Band {
        Extent level;
        std::uint32_t capacity = 0; ///< rows; whole chunks, or the level
        std::uint32_t top = 0;      ///< of the first row
        std::uint32_t rows = 0;     ///< that are there
        std::vector<Sample> pixels;
    };

    /// Writes the rows of a level and adds them to the next one. A pair of rows lies in one band.
    void finish(std::size_t number) {
        Band& band = bands_[number];
        const std::uint32_t width = band.level.width;
        const auto pixels = std::span<const Sample>(band.pixels).first(std::size_t{band.rows} * width);
        writeChunks(folder_, std::to_string(number) + place_, pixels, width, band.top, control_);
        if (number + 1 < bands_.size()) {
            Band& next = bands_[number + 1];
            for (std::uint32_t y = 0; y < band.rows; y += 2) {
                const Sample* upper = pixels.data() + std::size_t{y} * width;
                const Sample* lower = y + 1 < band.rows ? upper + width : upper;
                Sample* const out = next.pixels.data() + std::size_t{next.rows++} * next.level.width;
                means_ ? reduceRow(upper, lower, width, noData_, out) : takeEverySecond(upper, width, out);
            }
            if (next.rows == next.capacity || next.top + next.rows == next.level.height) {
                finish(number + 1);
            }
        }
        band.top += band.rows;
        band.rows = 0;
    }

    const PendingFolder& folder_;
    bool means_;
    std::optional<std::uint64_t> noData_; ///< bits of the sample of pixels without data
    std::string channel_;
    const JobControl& control_;
    std::string place_; ///< of a slice in the names of its chunks, behind the level
    std::vector<Band> bands_;
};

void writeMetadata(const PendingFolder& folder, const Metadata& metadata, const std::vector<Extent>& levels) {
    const auto write = [&](const std::string& name, const Json& json) {
        const std::string text = readableText(json);
        folder.write(name, std::as_bytes(std::span(text)));
    };
    if (metadata.isThird()) {
        write("zarr.json",
              {{"zarr_format", 3}, {"node_type", "group"}, {"attributes", {{"ome", metadata.group(levels.size())}}}});
        for (std::size_t level = 0; level < levels.size(); ++level) {
            write(std::to_string(level) + "/zarr.json", metadata.array(levels[level]));
        }
        return;
    }
    write(".zgroup", {{"zarr_format", 2}});
    write(".zattrs", metadata.group(levels.size()));
    for (std::size_t level = 0; level < levels.size(); ++level) {
        write(std::to_string(level) + "/.zarray", metadata.array(levels[level]));
        if (const Json attributes = metadata.attributes(); !attributes.empty()) {
            write(std::to_string(level) + "/.zattrs", attributes);
        }
    }
}

/// Writes the channels of an image one after another, or an image without an axis of channels.
class ImageWriter {
public:
    ImageWriter(const std::filesystem::path& path, const Plane& first)
        : path_(path), extent_(first.rows.extent), type_(first.rows.type),
          areLabels_(first.rows.areLabels || (type_ == ValueType::u32 && !first.facts.means)),
          levels_(levelsOf(extent_)) {
        folder_.emplace(path, kWhat);
    }

    void write(const Plane& plane, const JobControl& control) {
        const PixelRows& pixels = plane.rows;
        PlaneFacts own = plane.facts;
        if (areLabels_) {
            own.means = false;
            own.noData.reset();
            own.scene.channel.clear();
            own.scene.channels.clear();
        }
        const bool isSecond = !channels_.empty();
        if (pixels.extent != extent_ || pixels.type != type_ || (isSecond && areLabels_)) {
            refuse("channels that differ in size or in the type of their values are not one image; write .tif");
        }
        if (isSecond && !isFloat(type_) && own.noData != channels_.front().noData) {
            refuse("channels whose pixels without data have different values are not one image; write .tif");
        }
        const std::string place = channelOf(own) ? "/" + std::to_string(channels_.size()) : std::string();
        channels_.push_back(own);
        dispatch(type_, [&]<class Sample>(Sample) {
            LevelWriter<Sample>(*folder_, levels_, own, place, control).write(pixels);
        });
    }

    void commit() {
        writeMetadata(*folder_, Metadata(path_.stem().string(), extent_, type_, channels_, areLabels_), levels_);
        folder_->commit();
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": " + path_.string() + ": " + why);
    }

    std::filesystem::path path_;
    Extent extent_;
    ValueType type_; ///< of all channels
    bool areLabels_;
    std::vector<Extent> levels_;
    std::optional<PendingFolder> folder_;
    std::vector<PlaneFacts> channels_; ///< that are written
};

/// The plane as an array has it: with the scale of its samples, or with values as samples. A source in Zarr has one
/// scale for all channels. Other whole numbers remain such without a scale, because few programs know it.
Plane planeFor(Plane plane, int count) {
    plane = withNan(std::move(plane));
    PlaneFacts& facts = plane.facts;
    const ValueType type = plane.rows.type;
    const bool becomesReal = !isFloat(type) && isFloat(typeOfValues(facts.scale.intercept, facts.scale.slope, type));
    if (!facts.isZarr && (count > 1 || !becomesReal)) {
        return withNan(inValues(std::move(plane)));
    }
    if (facts.range) { // of samples, like all windows
        facts.range =
            std::minmax({facts.scale.sampleOf(facts.range->first), facts.scale.sampleOf(facts.range->second)});
    }
    return plane;
}

} // namespace

void writeZarr(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    std::optional<ImageWriter> image;
    for (int number = 0; number < planes.count; ++number) {
        const double share = 1.0 / planes.count;
        const JobControl part = control.part(number * share, share);
        const Plane plane = planeFor(planes.make(number, part), planes.count);
        if (!image) {
            image.emplace(path, plane);
        }
        image->write(plane, part);
    }
    image->commit();
}

} // namespace pollard
