#include "io/metadata/imagej_description.hpp"

#include "base/text.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

using Lines = std::map<std::string, std::string, std::less<>>;

/// Parses lines "key=value"; the first of each key counts.
Lines parseLines(std::string_view description) {
    constexpr std::size_t kMaxLines = 1000;
    Lines lines;
    while (!description.empty() && lines.size() < kMaxLines) {
        const std::string_view line = description.substr(0, description.find_first_of("\r\n"));
        description.remove_prefix(std::min(line.size() + 1, description.size()));
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos) {
            lines.emplace(line.substr(0, equals), line.substr(equals + 1));
        }
    }
    return lines;
}

std::string valueOf(const Lines& lines, std::string_view key) {
    const auto at = lines.find(key);
    return at == lines.end() ? std::string() : at->second;
}

/// A count; 1 if absent, 0 if invalid.
std::uint64_t countOf(const Lines& lines, std::string_view key) {
    const std::string text = valueOf(lines, key);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return text.empty() ? 1 : error == std::errc{} && end == text.data() + text.size() ? count : 0;
}

/// Letters of the axes, the fastest first.
std::string orderOf(const Lines& lines) {
    const std::string order = lowered(valueOf(lines, "order"));
    std::string sorted = order;
    std::ranges::sort(sorted);
    return sorted == "ctz" ? order : "czt";
}

double realOf(const Lines& lines, std::string_view key) { return leadingNumber(valueOf(lines, key)).value_or(0); }

/// Seconds between times; 0 if it is not stated.
double intervalOf(const Lines& lines) {
    const double interval = realOf(lines, "finterval");
    return interval > 0 && std::isfinite(interval) ? interval : 0;
}

StackPlaces setAxes(const Lines& lines, ImageInfo& info) {
    std::uint64_t channels = countOf(lines, "channels");
    const std::uint64_t frames = countOf(lines, "frames");
    std::uint64_t slices = countOf(lines, "slices");
    const std::uint64_t images = countOf(lines, "images");
    if (channels * slices == 1 && frames == 1 && images > 1) {
        slices = images; // plain stack of early versions
    }
    const auto pages = static_cast<std::uint64_t>(info.pages);
    // Some writers count each sample of a pixel as a channel.
    const auto samples = static_cast<std::uint64_t>(std::max(info.samples, 1));
    if (samples > 1 && channels % samples == 0 && channels * slices > pages / std::max<std::uint64_t>(frames, 1)) {
        channels /= samples;
    }
    // Each count is below 2^32, so a product of two fits 64 bits.
    if (channels == 0 || slices == 0 || frames == 0 || channels * slices > StackPlaces::kMaxPages ||
        channels * slices * frames > StackPlaces::kMaxPages || channels * slices * frames < pages) {
        if (pages > 1) {
            leaveUnclear("ImageJ",
                         std::to_string(channels) + " channels x " + std::to_string(slices) + " z x " +
                             std::to_string(frames) + " times are not the " + std::to_string(pages) +
                             " pages of the file",
                         info);
        }
        return {};
    }
    std::vector<StackAxis> axes;
    for (const char name : orderOf(lines)) {
        axes.push_back({name, static_cast<int>(name == 'c' ? channels : name == 'z' ? slices : frames), {}});
        if (const double interval = intervalOf(lines); name == 't' && interval > 0) {
            axes.back().step = interval;
            axes.back().unit = "s";
        }
    }
    StackPlaces places;
    places.pages.resize(channels * slices * frames);
    for (std::uint32_t page = 0; page < pages; ++page) {
        places.pages[page].directory = page;
    }
    return placePages("ImageJ", std::move(axes), std::move(places), info);
}

/// Whether the text has any count of pages.
bool countsPages(const Lines& lines) {
    return lines.contains("images") || lines.contains("channels") || lines.contains("slices") ||
           lines.contains("frames");
}

/// Canonical name of an angular unit; nothing for other units.
std::optional<std::string> angleOf(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, const char*>, 7> kAngles = {{{"arcsec", "arcsec"},
                                                                                  {"arcsecond", "arcsec"},
                                                                                  {"arcseconds", "arcsec"},
                                                                                  {"deg", "°"},
                                                                                  {"degree", "°"},
                                                                                  {"degrees", "°"},
                                                                                  {"°", "°"}}};
    for (const auto& [spelling, name] : kAngles) {
        if (unit == spelling) {
            return name;
        }
    }
    return std::nullopt;
}

/// A side in a multiple of the file's unit: as a line states it exactly if it agrees with the resolution tag.
double sideOf(const Lines& lines, std::string_view key, double resolution, double unit) {
    constexpr double kTagDigits = 1e-6; // relative
    const double exact = realOf(lines, key);
    return std::abs(exact * resolution - 1) < kTagDigits ? exact * unit : unit / resolution;
}

bool isMetre(std::string_view unit) {
    constexpr std::array<std::string_view, 5> kMetres{"m", "meter", "metre", "meters", "metres"};
    return std::ranges::find(kMetres, unit) != kMetres.end();
}

/// The unit that stands for a unit of the file, and its number in one unit of the file.
std::optional<std::pair<std::string, double>> knownUnit(const std::string& unit) {
    if (const auto angle = angleOf(unit)) {
        return std::pair{*angle, 1.0};
    }
    if (isMetre(unit)) {
        return std::pair{std::string("m"), 1.0};
    }
    const auto micrometres = micrometresOf(unit);
    return micrometres ? std::optional(std::pair{std::string("µm"), *micrometres}) : std::nullopt;
}

/// Pixel size without the slice distance; nothing if the unit is neither a length nor an angle, or is for printing.
std::optional<PixelSize> sizeOf(const Lines& lines, double xResolution, double yResolution) {
    const std::string yUnit = valueOf(lines, "yunit");
    const auto unit = knownUnit(valueOf(lines, "unit"));
    const auto ofY = yUnit.empty() ? unit : knownUnit(yUnit);
    if (!(xResolution > 0) || !(yResolution > 0) || lines.contains("print") || !unit || !ofY ||
        unit->first != ofY->first) {
        return std::nullopt;
    }
    return PixelSize{sideOf(lines, "pixel_width", xResolution, unit->second),
                     sideOf(lines, "pixel_height", yResolution, ofY->second), unit->first, "ImageJ", false};
}

/// Sides in a unit that is no length, such as pixel; as in ImageJ, 72 pixels per inch state none.
std::optional<VoxelSides> spacingOf(const Lines& lines, double xResolution, double yResolution) {
    constexpr double kScreen = 72;
    const auto sideAt = [](double resolution) {
        return resolution > 0 && std::isfinite(resolution) && resolution != kScreen ? 1 / resolution : 1;
    };
    const double distance = std::abs(realOf(lines, "spacing"));
    const VoxelSides sides{sideAt(xResolution), sideAt(yResolution),
                           distance > 0 && std::isfinite(distance) ? distance : 0};
    return sides.z > 0 || sides.x != sides.y ? std::optional(sides) : std::nullopt;
}

constexpr std::uint32_t kMagic = 0x494a494a;  // "IJIJ"
constexpr std::uint32_t kLabels = 0x6c61626c; // "labl"
constexpr std::uint32_t kRanges = 0x72616e67; // "rang"
constexpr std::uint32_t kTables = 0x6c757473; // "luts"
constexpr std::size_t kMaxLabels = 100'000;
constexpr std::size_t kMaxUnits = 1000; ///< UTF-16 code units per label

std::uint32_t numberAt(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t width, bool bigEndian) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < width; ++i) {
        number = number << 8 | bytes[at + (bigEndian ? i : width - 1 - i)];
    }
    return number;
}

void append(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

std::string utf8Of(std::span<const std::uint8_t> utf16, bool bigEndian) {
    constexpr std::uint32_t kReplacement = 0xfffd;
    std::string text;
    const std::size_t units = std::min(utf16.size() / 2, kMaxUnits);
    for (std::size_t i = 0; i < units; ++i) {
        std::uint32_t code = numberAt(utf16, 2 * i, 2, bigEndian);
        if (code >= 0xd800 && code < 0xe000) {
            const std::uint32_t low = i + 1 < units ? numberAt(utf16, 2 * i + 2, 2, bigEndian) : 0;
            const bool pair = code < 0xdc00 && low >= 0xdc00 && low < 0xe000;
            code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : kReplacement;
            i += pair ? 1 : 0;
        }
        append(text, code);
    }
    return text;
}

std::optional<ChannelWindow> windowOf(double low, double high) {
    return std::isfinite(low) && std::isfinite(high) && low < high ? std::optional(ChannelWindow{low, high})
                                                                   : std::nullopt;
}

double realAt(std::span<const std::uint8_t> bytes, std::size_t at, bool bigEndian) {
    const std::uint64_t first = numberAt(bytes, at, 4, bigEndian);
    const std::uint64_t second = numberAt(bytes, at + 4, 4, bigEndian);
    return std::bit_cast<double>(bigEndian ? first << 32 | second : second << 32 | first);
}

/// Pairs of numbers; empty unless all are windows.
std::vector<ChannelWindow> windowsOf(std::span<const std::uint8_t> part, bool bigEndian) {
    constexpr std::size_t kPair = 16;
    std::vector<ChannelWindow> windows;
    for (std::size_t at = 0; at + kPair <= part.size(); at += kPair) {
        const auto window = windowOf(realAt(part, at, bigEndian), realAt(part, at + kPair / 2, bigEndian));
        if (!window) {
            return {};
        }
        windows.push_back(*window);
    }
    return windows;
}

/// The brightest of 256 reds, greens and blues, or the last of equal values; black for a damaged table.
std::array<std::uint8_t, 3> brightestOf(std::span<const std::uint8_t> table) {
    constexpr std::size_t kEntries = 256;
    std::array<std::uint8_t, 3> brightest{};
    int sum = 0;
    for (std::size_t i = 0; i < kEntries && table.size() == 3 * kEntries; ++i) {
        const std::array colour{table[i], table[kEntries + i], table[2 * kEntries + i]};
        if (const int light = colour[0] + colour[1] + colour[2]; light >= sum) {
            sum = light;
            brightest = colour;
        }
    }
    return brightest;
}

/// Labels of the channels; empty unless all pages of a channel share theirs.
std::vector<std::string> channelLabels(const std::vector<std::string>& labels, std::size_t count, std::size_t step) {
    std::vector<std::string> names(count);
    for (std::size_t page = 0; page < labels.size(); ++page) {
        std::string& name = names[page / step % count];
        if (page < step * count && name.empty()) {
            name = factText(labels[page]);
        }
        if (name.empty() || name != factText(labels[page])) {
            return {}; // labels also distinguish slices or times
        }
    }
    return names;
}

/// A text in which ImageJ writes characters beyond Latin-1 as \\u and four digits.
std::string unescaped(std::string_view text) {
    constexpr std::size_t kDigits = 4;
    std::string plain;
    while (!text.empty()) {
        std::uint32_t code = 0;
        const char* const digits = text.data() + 2;
        if (text.starts_with("\\u") && text.size() >= 2 + kDigits &&
            std::from_chars(digits, digits + kDigits, code, 16).ptr == digits + kDigits) {
            append(plain, code);
            text.remove_prefix(2 + kDigits);
        } else {
            plain += text.front();
            text.remove_prefix(1);
        }
    }
    return plain;
}

/// Unit of the values; empty for the name that stands for none.
std::string valueUnitOf(const Lines& lines) {
    std::string unit = factText(unescaped(valueOf(lines, "vunit")));
    const std::string small = lowered(unit);
    return small == "gray value" || small == "grey value" ? std::string() : unit;
}

/// Takes the calibration function of the samples if it is a straight line.
void describeValues(const Lines& lines, ImageInfo& info) {
    constexpr int kStraight = 0;
    constexpr int kNone = 20;
    constexpr int kOpticalDensity = 21;
    if (!lines.contains("cf")) {
        info.calibration = calibrationOf(1, 0, valueUnitOf(lines));
        return;
    }
    const std::string name = valueOf(lines, "cf");
    const int function = static_cast<int>(std::clamp(realOf(lines, "cf"), -1.0, 1e6));
    const auto intercept = leadingNumber(valueOf(lines, "c0"));
    const auto slope = leadingNumber(valueOf(lines, "c1"));
    if (function == kStraight && intercept && slope) {
        info.calibration = calibrationOf(*slope, *intercept, valueUnitOf(lines));
    } else if (function != kNone) {
        info.notes.push_back("the calibration function " + factText(name, 20) + " of ImageJ" +
                             (function == kOpticalDensity ? " (uncalibrated OD)" : "") +
                             " is not applied, only straight lines are: values are those of the file");
    }
}

} // namespace

bool isImageJ(std::string_view description) { return description.starts_with("ImageJ="); }

std::uint64_t imageJImages(std::string_view description) {
    const Lines lines = parseLines(description);
    const std::uint64_t images = countOf(lines, "images");
    const std::uint64_t planes = countOf(lines, "channels") * countOf(lines, "slices");
    return images > 1 ? images : planes > StackPlaces::kMaxPages ? planes : planes * countOf(lines, "frames");
}

StackPlaces describeImageJ(std::string_view description, double xResolution, double yResolution, ImageInfo& info) {
    // Other programs write this version, which never wrote such a text.
    constexpr std::string_view kNoVersion = "1.11a";
    const Lines lines = parseLines(description);
    if (const std::string version = factText(valueOf(lines, "ImageJ"), 40); !version.empty() && version != kNoVersion) {
        info.facts.emplace_back("Written by", "ImageJ " + version);
    }
    if (auto size = sizeOf(lines, xResolution, yResolution)) {
        info.pixelSize = std::move(size);
    }
    const auto unit = knownUnit(valueOf(lines, "unit"));
    const double distance = std::abs(realOf(lines, "spacing")) * (unit ? unit->second : 1);
    if (unit && distance > 0 && std::isfinite(distance)) {
        info.facts.emplace_back("Distance in z", factNumber(distance) + " " + unit->first);
        if (info.pixelSize && info.pixelSize->unit == unit->first) {
            info.pixelSize->z = distance;
        }
    }
    if (!unit && !info.pixelSize) {
        info.spacing = spacingOf(lines, xResolution, yResolution);
    }
    describeValues(lines, info);
    if (const double interval = intervalOf(lines); interval > 0) {
        info.facts.emplace_back("Time step", factNumber(interval) + " s");
    }
    if (const std::string channel = factText(valueOf(lines, "channel")); !channel.empty()) {
        info.facts.emplace_back(kChannelFact, channel);
    }
    const bool counted = countsPages(lines);
    return counted && (info.pages > 1 || countOf(lines, "images") > 1) ? setAxes(lines, info) : StackPlaces{};
}

void describeImageJChannels(std::string_view description, const ImageJMetadata& metadata, ImageInfo& info) {
    const auto axis =
        std::find_if(info.axes.begin(), info.axes.end(), [](const StackAxis& a) { return a.name == 'c'; });
    const std::size_t count = axis == info.axes.end() ? 1 : static_cast<std::size_t>(axis->count);
    info.channels.assign(count, {});
    if (axis != info.axes.end() && metadata.labels.size() == static_cast<std::size_t>(info.pages)) {
        const auto step = std::accumulate(info.axes.begin(), axis, std::size_t{1}, [](std::size_t all, const auto& a) {
            return all * static_cast<std::size_t>(a.count);
        });
        axis->labels = channelLabels(metadata.labels, count, step);
        for (std::size_t i = 0; i < axis->labels.size(); ++i) {
            info.channels[i].name = axis->labels[i];
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (metadata.windows.size() == count) {
            info.channels[i].window = metadata.windows[i];
        }
        if (metadata.colours.size() == count) {
            info.channels[i].colour = metadata.colours[i];
        }
    }
    const Lines lines = parseLines(description);
    if (count == 1) {
        info.channels[0].name = factText(valueOf(lines, "channel"));
    }
    const std::string low = valueOf(lines, "min");
    const std::string high = valueOf(lines, "max");
    if (count == 1 && !info.channels[0].window && !low.empty() && !high.empty()) {
        info.channels[0].window = windowOf(leadingNumber(low).value_or(0), leadingNumber(high).value_or(0));
    }
}

ImageJMetadata imageJMetadata(std::span<const std::uint8_t> block, std::span<const std::uint32_t> sizes,
                              bool bigEndian) {
    // The first part lists the others: four letters and a number of parts each.
    constexpr std::size_t kEntry = 8;
    if (sizes.empty() || sizes[0] < 4 || sizes[0] > block.size() || numberAt(block, 0, 4, bigEndian) != kMagic) {
        return {};
    }
    ImageJMetadata metadata;
    std::size_t part = 1;
    std::size_t at = sizes[0];
    for (std::size_t entry = 4; entry + kEntry <= sizes[0]; entry += kEntry) {
        const std::uint32_t kind = numberAt(block, entry, 4, bigEndian);
        const std::uint32_t count = numberAt(block, entry + 4, 4, bigEndian);
        const bool wanted = kind == kLabels || kind == kRanges || kind == kTables;
        if (count > sizes.size() - part || (wanted && count > kMaxLabels)) {
            return {};
        }
        for (std::uint32_t i = 0; i < count; ++i, ++part) {
            if (sizes[part] > block.size() - at) {
                return {};
            }
            const auto bytes = block.subspan(at, sizes[part]);
            if (kind == kLabels) {
                metadata.labels.push_back(utf8Of(bytes, bigEndian));
            } else if (kind == kRanges) {
                metadata.windows = windowsOf(bytes, bigEndian);
            } else if (kind == kTables) {
                metadata.colours.push_back(brightestOf(bytes));
            }
            at += sizes[part];
        }
    }
    return metadata;
}

} // namespace pollard
