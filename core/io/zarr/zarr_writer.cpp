#include "io/zarr/zarr_writer.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "image/halving.hpp"
#include "io/metadata/length_units.hpp"
#include "io/write/sample_type.hpp"
#include "io/zarr/pending_folder.hpp"
#include "io/zarr/zarr_codecs.hpp"
#include "json/json_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhat = "cannot write OME-Zarr";
constexpr std::uint32_t kChunkSide = 512;
constexpr std::uint32_t kCoarsestSide = 512;

std::uint32_t halved(std::uint32_t side) noexcept { return side / 2 + side % 2; }

/// Extents of the picture and its reduced versions.
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

/// Metadata of the group and the arrays.
class Metadata {
public:
    Metadata(std::string name, const Extent& extent, const SampleType& type, const ZarrFacts& facts, bool isLabels,
             double lastValue)
        : name_(std::move(name)), type_(type), facts_(facts), isLabels_(isLabels), lastValue_(lastValue) {
        if (facts.channel) {
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
                                                     : 1;
            shape.push_back(side);
            chunks.push_back(axis == "x" || axis == "y" ? kChunkSide : 1);
        }
        return {{"zarr_format", 2},
                {"shape", shape},
                {"chunks", chunks},
                {"dtype", type_.zarr},
                {"compressor", {{"id", "blosc"}, {"cname", "zstd"}, {"clevel", 3}, {"shuffle", 1}, {"blocksize", 0}}},
                {"fill_value", 0},
                {"order", "C"},
                {"filters", nullptr},
                {"dimension_separator", "/"}};
    }

    [[nodiscard]] Json group(std::size_t levels) const {
        const bool hasSize = facts_.size && !facts_.size->print && !unitName(facts_.size->unit).empty();
        const PixelSize size = hasSize ? *facts_.size : PixelSize{1, 1, {}, {}, false, 1};
        Json axes = Json::array();
        for (const std::string& name : axes_) {
            Json axis{{"name", name}, {"type", name == "c" ? "channel" : "space"}};
            if (name != "c" && hasSize && (name != "z" || size.z > 0)) {
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
        Json attributes{{"multiscales", Json::array({{{"version", "0.4"},
                                                      {"name", name_},
                                                      {"type", facts_.means ? "mean" : "first of 2 x 2"},
                                                      {"axes", axes},
                                                      {"datasets", datasets}}})}};
        if (isLabels_) {
            attributes["image-label"] = {{"version", "0.4"}};
        } else if (facts_.channel) {
            attributes["omero"] = {{"channels", Json::array({channel(*facts_.channel)})}};
        }
        return attributes;
    }

private:
    [[nodiscard]] Json channel(const Channel& channel) const {
        constexpr std::array<std::uint8_t, 3> kWhite = {255, 255, 255};
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        std::string colour;
        for (const std::uint8_t part : channel.colour.value_or(kWhite)) {
            colour += {kDigits[part / 16U], kDigits[part % 16U]};
        }
        const ChannelWindow window = channel.window.value_or(ChannelWindow{facts_.offset, lastValue_});
        return {{"label", channel.name},
                {"color", colour},
                {"active", true},
                {"window",
                 {{"min", std::min(facts_.offset, window.low)},
                  {"max", std::max(lastValue_, window.high)},
                  {"start", window.low},
                  {"end", window.high}}}};
    }

    std::string name_;
    const SampleType& type_;
    const ZarrFacts& facts_;
    bool isLabels_;
    double lastValue_;
    std::vector<std::string> axes_;
};

/// The first of 2 x 2 pixels.
template <class T> std::vector<T> everySecond(std::span<const T> from, const Extent& level) {
    std::vector<T> to;
    to.reserve(std::size_t{halved(level.width)} * halved(level.height));
    for (std::uint32_t y = 0; y < level.height; y += 2) {
        for (std::uint32_t x = 0; x < level.width; x += 2) {
            to.push_back(from[std::size_t{y} * level.width + x]);
        }
    }
    return to;
}

/// Means of 2 x 2 pixels, rounded half up.
template <class T> std::vector<T> meansOf(std::span<const T> from, const Extent& level) {
    const std::uint32_t width = halved(level.width);
    std::vector<T> to(std::size_t{width} * halved(level.height));
    for (std::uint32_t y = 0; y < level.height; y += 2) {
        const T* upper = from.data() + std::size_t{y} * level.width;
        const T* lower = y + 1 < level.height ? upper + level.width : upper;
        halveRow(upper, lower, level.width, to.data() + std::size_t{y / 2} * width);
    }
    return to;
}

/// Writes the chunks of a slice. @param prefix of their names, for the axes before y and x
/// @param valueOf the sample of a pixel
template <class Sample, class Pixel, class ValueOf>
void writeChunks(const PendingFolder& folder, const std::string& prefix, std::span<const Pixel> pixels,
                 const Extent& level, const ValueOf& valueOf, const JobControl& control) {
    const auto across = (std::size_t{level.width} - 1) / kChunkSide + 1;
    const auto down = (std::size_t{level.height} - 1) / kChunkSide + 1;
    forEachIndex(
        across * down, control,
        [&](std::size_t index) {
            const std::size_t left = index % across * kChunkSide;
            const std::size_t top = index / across * kChunkSide;
            const std::size_t width = std::min<std::size_t>(kChunkSide, level.width - left);
            const std::size_t height = std::min<std::size_t>(kChunkSide, level.height - top);
            std::vector<Sample> chunk(std::size_t{kChunkSide} * kChunkSide);
            for (std::size_t y = 0; y < height; ++y) {
                std::ranges::transform(pixels.subspan((top + y) * level.width + left, width),
                                       chunk.begin() + static_cast<std::ptrdiff_t>(y * kChunkSide), valueOf);
            }
            if (std::ranges::all_of(chunk, [](Sample sample) { return sample == 0; })) {
                return;
            }
            const std::vector<std::byte> bytes = bloscCompressed(std::as_bytes(std::span(chunk)), sizeof(Sample));
            folder.write(prefix + std::to_string(index / across) + "/" + std::to_string(index % across), bytes);
        },
        1);
}

/// Writes all levels of all slices, with memory for the reduced versions of one.
template <class Sample, class Pixel, class ValueOf>
void writeLevels(const PendingFolder& folder, std::span<const Pixel> pixels, const std::vector<Extent>& levels,
                 const ZarrFacts& facts, const ValueOf& valueOf, const JobControl& control) {
    const std::uint32_t slices = levels.front().slices;
    const std::size_t slicePixels = levels.front().slicePixels();
    for (std::uint32_t z = 0; z < slices; ++z) {
        std::span<const Pixel> slice = pixels.subspan(z * slicePixels, slicePixels);
        std::vector<Pixel> reduced;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            if (level > 0) {
                reduced = facts.means ? meansOf(slice, levels[level - 1]) : everySecond(slice, levels[level - 1]);
                slice = reduced;
            }
            const std::string prefix = std::to_string(level) + (facts.channel ? "/0/" : "/") +
                                       (levels.front().isVolume() ? std::to_string(z) + "/" : std::string());
            writeChunks<Sample>(folder, prefix, slice, levels[level], valueOf, control);
        }
        control.report((z + 1.0) / slices, "writing");
    }
}

void writeMetadata(const PendingFolder& folder, const Metadata& metadata, const std::vector<Extent>& levels) {
    const auto write = [&](const std::string& name, const Json& json) {
        const std::string text = readableText(json);
        folder.write(name, std::as_bytes(std::span(text)));
    };
    write(".zgroup", {{"zarr_format", 2}});
    write(".zattrs", metadata.group(levels.size()));
    for (std::size_t level = 0; level < levels.size(); ++level) {
        write(std::to_string(level) + "/.zarray", metadata.array(levels[level]));
    }
}

} // namespace

bool isZarrName(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return extension == ".zarr";
}

void writeZarr(const std::filesystem::path& path, const Image& image, const ZarrFacts& facts,
               const JobControl& control) {
    const double lastLevel = maxLevelOf(image.type());
    const SampleType& type = sampleTypeFor(facts.offset, facts.step, lastLevel);
    const std::vector<Extent> levels = levelsOf(image.extent());
    PendingFolder folder(path, kWhat);
    writeMetadata(
        folder,
        Metadata(path.stem().string(), image.extent(), type, facts, false, facts.offset + facts.step * lastLevel),
        levels);
    dispatch(image.type(), [&]<class Level>(Level) {
        std::visit(
            [&]<class Sample>(Sample) {
                const auto valueOf = [&](Level level) {
                    return static_cast<Sample>(facts.offset + facts.step * static_cast<double>(level));
                };
                writeLevels<Sample>(folder, image.pixels<Level>(), levels, facts, valueOf, control);
            },
            type.sample);
    });
    folder.commit();
}

void writeZarr32(const std::filesystem::path& path, std::span<const std::uint32_t> labels, const Extent& extent,
                 const ZarrFacts& facts, const JobControl& control) {
    if (labels.size() != extent.pixelCount()) {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": " + path.string() + ": " +
                                                    std::to_string(labels.size()) + " values for " + text(extent));
    }
    ZarrFacts plain;
    plain.size = facts.size;
    plain.means = false;
    const std::vector<Extent> levels = levelsOf(extent);
    PendingFolder folder(path, kWhat);
    writeMetadata(folder, Metadata(path.stem().string(), extent, kUnsigned32, plain, true, 0), levels);
    writeLevels<std::uint32_t>(
        folder, labels, levels, plain, [](std::uint32_t label) { return label; }, control);
    folder.commit();
}

} // namespace pollard
