#include "io/metadata/scene_description.hpp"

#include "base/text.hpp"
#include "io/metadata/imagej_description.hpp"
#include "io/metadata/length_units.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

// Numbers of tags.
constexpr std::uint16_t kImageDescription = 270;
constexpr std::uint16_t kXResolution = 282;
constexpr std::uint16_t kYResolution = 283;
constexpr std::uint16_t kResolutionUnit = 296;
constexpr std::uint16_t kSizes = 50838; ///< IJMetadataByteCounts
constexpr std::uint16_t kBlock = 50839; ///< IJMetadata
// Types of tags.
constexpr std::uint16_t kByte = 1;
constexpr std::uint16_t kAscii = 2;
constexpr std::uint16_t kShort = 3;
constexpr std::uint16_t kLong = 4;
constexpr std::uint16_t kRational = 5;
// Values of ResolutionUnit.
constexpr std::uint16_t kNoUnit = 1;
constexpr std::uint16_t kInch = 2;
constexpr std::uint16_t kCentimetre = 3;

constexpr double kMicrometresInCentimetre = 10000;

template <class T> CopiedTag arrayTag(std::uint16_t number, std::uint16_t type, const std::vector<T>& values) {
    CopiedTag tag{number, type, values.size(), std::vector<std::byte>(values.size() * sizeof(T))};
    std::memcpy(tag.data.data(), values.data(), tag.data.size());
    return tag;
}

/// The block IJMetadata: a table of kinds and numbers of parts, then the parts.
class ImageJBlock {
public:
    using Parts = std::vector<std::vector<std::byte>>;

    void add(std::uint32_t kind, const Parts& parts) {
        append(table_, kind);
        append(table_, static_cast<std::uint32_t>(parts.size()));
        for (const auto& part : parts) {
            sizes_.push_back(static_cast<std::uint32_t>(part.size()));
            parts_.insert(parts_.end(), part.begin(), part.end());
        }
    }
    template <class T> static void append(std::vector<std::byte>& bytes, T number) {
        const auto data = std::as_bytes(std::span(&number, 1));
        bytes.insert(bytes.end(), data.begin(), data.end());
    }
    [[nodiscard]] std::vector<CopiedTag> tags() const {
        std::vector<std::byte> block;
        append(block, std::uint32_t{0x494a494a}); // "IJIJ"
        block.insert(block.end(), table_.begin(), table_.end());
        std::vector<std::uint32_t> sizes{static_cast<std::uint32_t>(block.size())};
        sizes.insert(sizes.end(), sizes_.begin(), sizes_.end());
        block.insert(block.end(), parts_.begin(), parts_.end());
        return {arrayTag(kSizes, kLong, sizes), arrayTag(kBlock, kByte, block)};
    }

private:
    std::vector<std::byte> table_;
    std::vector<std::byte> parts_;
    std::vector<std::uint32_t> sizes_;
};

/// A text in UTF-16 of the host's byte order; bytes that are not UTF-8 become question marks.
std::vector<std::byte> utf16Of(std::string_view text) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < text.size();) {
        const auto byteAt = [&](std::size_t at) {
            return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
        };
        const std::uint32_t first = byteAt(i);
        const std::size_t more = first < 0x80       ? 0
                                 : first >> 5 == 6  ? 1
                                 : first >> 4 == 14 ? 2
                                 : first >> 3 == 30 ? 3
                                                    : 9;
        std::uint32_t code = more == 0 ? first : first & (0x3fU >> more);
        bool right = more < 9;
        for (std::size_t k = 1; right && k <= more; ++k) {
            right = byteAt(i + k) >> 6 == 2;
            code = code << 6 | (byteAt(i + k) & 0x3fU);
        }
        i += right ? more + 1 : 1;
        code = right ? code : '?';
        if (code >= 0x10000) {
            ImageJBlock::append(bytes, static_cast<std::uint16_t>(0xd800 + ((code - 0x10000) >> 10)));
            code = 0xdc00 + ((code - 0x10000) & 0x3ff);
        }
        ImageJBlock::append(bytes, static_cast<std::uint16_t>(code));
    }
    return bytes;
}

/// 256 reds, greens and blues from black to the colour.
std::vector<std::byte> tableOf(const std::array<std::uint8_t, 3>& colour) {
    constexpr int kLast = 255;
    std::vector<std::byte> table;
    for (const std::uint8_t part : colour) {
        for (int i = 0; i <= kLast; ++i) {
            table.push_back(static_cast<std::byte>((part * i + kLast / 2) / kLast));
        }
    }
    return table;
}

/// IJMetadataByteCounts and IJMetadata (tags 50838 and 50839), which imageJMetadata() reads, in host byte order. Colour
/// tables go from black to the colours. Labels are left out if all are empty.
std::vector<CopiedTag> tagsOf(const ImageJMetadata& metadata) {
    ImageJBlock block;
    if (!metadata.info.empty()) {
        block.add(0x696e666f, {utf16Of(metadata.info)}); // "info"
    }
    if (std::ranges::any_of(metadata.labels, [](const std::string& label) { return !label.empty(); })) {
        ImageJBlock::Parts labels;
        std::ranges::transform(metadata.labels, std::back_inserter(labels), utf16Of);
        block.add(0x6c61626c, labels); // "labl"
    }
    if (!metadata.windows.empty()) {
        std::vector<std::byte> ranges;
        for (const ChannelWindow& window : metadata.windows) {
            ImageJBlock::append(ranges, window.low);
            ImageJBlock::append(ranges, window.high);
        }
        block.add(0x72616e67, {ranges}); // "rang"
    }
    if (!metadata.colours.empty()) {
        ImageJBlock::Parts tables;
        std::ranges::transform(metadata.colours, std::back_inserter(tables), tableOf);
        block.add(0x6c757473, tables); // "luts"
    }
    return block.tags();
}

/// A unit as ImageJ names it.
struct Unit {
    std::string name;
    double factor = 1; ///< a length times this is in the unit
};

Unit unitOf(const PixelSize& size) {
    constexpr std::array<std::string_view, 5> kKept{"nm", "mm", "cm", "m", "km"};
    if (std::ranges::find(kKept, size.unit) != kKept.end()) {
        return {size.unit, 1};
    }
    if (const auto micrometres = micrometresOf(size.unit)) {
        return {"um", *micrometres};
    }
    return {size.unit == "°" ? "deg" : size.unit, 1};
}

/// Whether the axes are in ImageJ's order of the pages.
bool isInOrder(const std::vector<StackAxis>& axes) {
    constexpr std::string_view kOrder = "czt";
    return std::ranges::is_sorted(axes, {}, [&](const StackAxis& axis) { return kOrder.find(axis.name); });
}

std::size_t channelCount(const SceneDescription& scene) {
    const auto axis = std::ranges::find(scene.axes, 'c', &StackAxis::name);
    return axis == scene.axes.end() ? 1 : static_cast<std::size_t>(axis->count);
}

bool allHaveWindows(std::span<const Channel> facts) {
    return !facts.empty() && std::ranges::all_of(facts, [](const Channel& each) { return each.window.has_value(); });
}

/// Whether ImageJ shows several channels, each in its colour.
bool isComposite(const SceneDescription& scene) {
    const std::span<const Channel> facts = channelFacts(scene);
    return facts.size() > 1 && (allHaveWindows(facts) || std::ranges::all_of(facts, [](const Channel& each) {
                                    return each.colour.has_value();
                                }));
}

std::string countLines(const SceneDescription& scene, const WrittenPages& pages) {
    if (pages.count == 1 || !countsPages(scene.axes, pages.count) || !isInOrder(scene.axes)) {
        return {};
    }
    // With this number, ImageJ reads the pixels of an uncompressed file as a single block.
    std::string text = pages.compressed ? "images=" + std::to_string(pages.count) + '\n' : std::string();
    for (const StackAxis& axis : scene.axes) {
        text += (axis.name == 'c'   ? "channels="
                 : axis.name == 'z' ? "slices="
                                    : "frames=") +
                std::to_string(axis.count) + '\n';
        if (const auto seconds = secondsOf(axis.unit); axis.name == 't' && axis.step > 0 && seconds) {
            text += "finterval=" + exactNumber(axis.step * *seconds) + '\n';
        }
    }
    if (scene.axes.size() > 1 || channelCount(scene) > 1) {
        text += "hyperstack=true\n";
    }
    return channelCount(scene) > 1 ? text + (isComposite(scene) ? "mode=composite\n" : "mode=grayscale\n") : text;
}

std::string printLines(const std::vector<CopiedTag>& carried) {
    const auto found = std::ranges::find(carried, kResolutionUnit, &CopiedTag::tag);
    std::uint16_t unit = 0;
    if (found != carried.end() && found->data.size() == sizeof unit) {
        std::memcpy(&unit, found->data.data(), sizeof unit);
    }
    return unit == kInch ? "unit=inch\nprint=true\n" : unit == kCentimetre ? "unit=cm\nprint=true\n" : "";
}

std::string sizeLines(const SceneDescription& scene, const std::vector<CopiedTag>& carried) {
    if (!scene.pixelSize) {
        return printLines(carried);
    }
    const PixelSize& size = *scene.pixelSize;
    const Unit unit = unitOf(size);
    std::string text = "unit=" + unit.name + '\n';
    if (size.z > 0) {
        text += "spacing=" + exactNumber(size.z * unit.factor) + '\n';
    }
    return text + "pixel_width=" + exactNumber(size.x * unit.factor) +
           "\npixel_height=" + exactNumber(size.y * unit.factor) + '\n';
}

/// The displayed range of pages without several channels.
std::string windowLines(const SceneDescription& scene) {
    const std::span<const Channel> facts = channelFacts(scene);
    const auto window = scene.window        ? scene.window
                        : facts.size() == 1 ? facts.front().window
                                            : std::optional<ChannelWindow>();
    if (!window || channelCount(scene) > 1) {
        return {};
    }
    return "min=" + exactNumber(window->low) + "\nmax=" + exactNumber(window->high) + '\n';
}

/// Names that fit a line.
bool isLine(const std::string& name) { return name.find_first_of("\r\n") == std::string::npos; }

/// The function from samples to values; 0 is the number of a straight line.
std::string scaleLines(const SceneDescription& scene) {
    if (!scene.scale) {
        return {};
    }
    return "cf=0\nc0=" + exactNumber(scene.scale->intercept) + "\nc1=" + exactNumber(scene.scale->slope) +
           "\nvunit=" + (isLine(scene.scale->unit) && !scene.scale->unit.empty() ? scene.scale->unit : "Gray Value") +
           '\n';
}

/// XResolution, YResolution and ResolutionUnit as ImageJ writes them: in pixels per unit of imageJText(), with the unit
/// "none". Empty if the numbers exceed the range of the tags.
std::vector<CopiedTag> imageJResolution(const PixelSize& size) {
    const double factor = unitOf(size).factor;
    return resolutionTags(1 / (size.x * factor), 1 / (size.y * factor), kNoUnit);
}

/// Whether ImageJ's text, tags and resolution can express the scene: pages are in the order channels, slices, times,
/// there are no wavelengths, and all channels or none have colours.
bool isImageJScene(const SceneDescription& scene, const WrittenPages& pages) {
    const std::span<const Channel> facts = channelFacts(scene);
    const auto coloured = static_cast<std::size_t>(
        std::ranges::count_if(facts, [](const Channel& each) { return each.colour.has_value(); }));
    const bool hasAll = coloured == 0 || coloured == facts.size() || allHaveWindows(facts);
    const bool counted = countsPages(scene.axes, pages.count);
    return hasAll && std::ranges::all_of(facts, [](const Channel& each) { return !(each.wavelength > 0); }) &&
           (!counted || isInOrder(scene.axes)) && (pages.samples == 1 || pages.samples == 3) &&
           (!scene.pixelSize || !imageJResolution(*scene.pixelSize).empty());
}

/// ImageJ's ImageDescription: counts of the axes, unit, distance of slices and displayed range. Lines that ImageJ
/// ignores contain the exact size of a pixel and the name of the only channel.
/// @param carried tags whose resolution gives the unit of a print size
std::string imageJText(const SceneDescription& scene, const WrittenPages& pages,
                       const std::vector<CopiedTag>& carried) {
    std::string text = "ImageJ=1.11a\n"; // version that other programs write, too
    text +=
        countLines(scene, pages) + sizeLines(scene, carried) + windowLines(scene) + scaleLines(scene) + "loop=false\n";
    const bool isNamed = !scene.channel.empty() && channelCount(scene) == 1 && isLine(scene.channel);
    return isNamed ? text + "channel=" + scene.channel + '\n' : text;
}

/// IJMetadataByteCounts and IJMetadata (tags 50838 and 50839) in host byte order: names of channels as labels of all
/// pages, displayed ranges of several channels, and colour tables from black to the colours. Empty without these.
std::vector<CopiedTag> imageJTags(const SceneDescription& scene, const WrittenPages& pages) {
    const std::size_t count = channelCount(scene);
    const bool counted = countsPages(scene.axes, pages.count);
    const std::span<const Channel> facts = channelFacts(scene);
    std::size_t stride = 1; // pages from one channel to the next
    for (auto axis = scene.axes.begin(); counted && axis != scene.axes.end() && axis->name != 'c'; ++axis) {
        stride *= static_cast<std::size_t>(axis->count);
    }
    ImageJMetadata metadata;
    for (std::size_t channel = 0; channel < count && count > 1; ++channel) {
        metadata.info += "Channel " + std::to_string(channel + 1) + ": " + channelName(scene, channel) + '\n';
    }
    for (std::size_t page = 0; page < static_cast<std::size_t>(pages.count) && (counted || count == 1); ++page) {
        metadata.labels.push_back(channelName(scene, count == 1 ? 0 : page / stride % count));
    }
    for (const Channel& channel : facts) {
        if (count > 1 && allHaveWindows(facts)) {
            metadata.windows.push_back(*channel.window);
        }
        if (channel.colour) {
            metadata.colours.push_back(*channel.colour);
        }
    }
    if (metadata.colours.size() != facts.size()) {
        metadata.colours.clear();
    }
    const bool hasNames = std::ranges::any_of(metadata.labels, [](const std::string& label) { return !label.empty(); });
    return hasNames || !metadata.windows.empty() || !metadata.colours.empty() ? tagsOf(metadata)
                                                                              : std::vector<CopiedTag>();
}

constexpr std::string_view kLetters = "CZT";

template <class T> CopiedTag tagOf(std::uint16_t number, std::uint16_t type, const T& value) {
    CopiedTag tag{number, type, 1, std::vector<std::byte>(sizeof value)};
    std::memcpy(tag.data.data(), &value, sizeof value);
    return tag;
}

const StackAxis* axisOf(const std::vector<StackAxis>& axes, char name) {
    for (const StackAxis& axis : axes) {
        if (axis.name == name) {
            return &axis;
        }
    }
    return nullptr;
}

/// Letters of the axes, fastest first, followed by the axes with one position.
std::string orderOf(const std::vector<StackAxis>& axes) {
    std::string order;
    for (const StackAxis& axis : axes) {
        order += static_cast<char>(std::toupper(static_cast<unsigned char>(axis.name)));
    }
    for (const char letter : kLetters) {
        if (order.find(letter) == std::string::npos) {
            order += letter;
        }
    }
    return order;
}

void setLength(pugi::xml_node pixels, const char* name, double length, const std::string& unit) {
    if (!(length > 0)) {
        return;
    }
    // As in the reader, metres are kept and all other lengths become µm.
    const bool metres = unit == "m";
    const double value = metres ? length : length * micrometresOf(unit).value_or(1);
    pixels.append_attribute(name) = exactNumber(value).c_str();
    pixels.append_attribute((std::string(name) + "Unit").c_str()) = metres ? "m" : "µm";
}

/// Adds the facts of a channel that are known.
void addFacts(pugi::xml_node node, const Channel& channel) {
    if (channel.colour) {
        std::uint32_t rgba = 0xff;
        for (std::size_t i = 0; i < channel.colour->size(); ++i) {
            rgba |= std::uint32_t{(*channel.colour)[i]} << (24 - 8 * i);
        }
        node.append_attribute("Color") = static_cast<std::int32_t>(rgba);
    }
    if (channel.wavelength > 0) {
        node.append_attribute("EmissionWavelength") = exactNumber(channel.wavelength).c_str();
        node.append_attribute("EmissionWavelengthUnit") = "nm";
    }
}

void addChannels(pugi::xml_node pixels, const SceneDescription& scene, int samples) {
    const StackAxis* axis = axisOf(scene.axes, 'c');
    const int count = axis == nullptr ? 1 : axis->count;
    const std::span<const Channel> facts = channelFacts(scene);
    for (int i = 0; i < count; ++i) {
        pugi::xml_node channel = pixels.append_child("Channel");
        channel.append_attribute("ID") = ("Channel:0:" + std::to_string(i)).c_str();
        channel.append_attribute("SamplesPerPixel") = samples;
        const auto at = static_cast<std::size_t>(i);
        if (const std::string name = channelName(scene, at); !name.empty()) {
            channel.append_attribute("Name") = name.c_str();
        }
        if (!facts.empty()) {
            addFacts(channel, facts[at]);
        }
    }
}

std::string typeName(ValueType type) {
    return isFloat(type) ? (type == ValueType::f32 ? "float" : "double")
                         : (isSigned(type) ? "int" : "uint") + std::to_string(bitsOf(type));
}

std::string omeXml(const SceneDescription& scene, const WrittenPages& pages) {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node root = document.append_child("OME");
    root.append_attribute("xmlns") = "http://www.openmicroscopy.org/Schemas/OME/2016-06";
    root.append_attribute("Creator") = "Pollard";
    pugi::xml_node image = root.append_child("Image");
    image.append_attribute("ID") = "Image:0";
    pugi::xml_node pixels = image.append_child("Pixels");
    pixels.append_attribute("ID") = "Pixels:0";
    pixels.append_attribute("DimensionOrder") = ("XY" + orderOf(scene.axes)).c_str();
    pixels.append_attribute("Type") = typeName(pages.type).c_str();
    pixels.append_attribute("SizeX") = pages.width;
    pixels.append_attribute("SizeY") = pages.height;
    for (const char letter : kLetters) {
        const auto name = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        const StackAxis* axis = axisOf(scene.axes, name);
        const int samples = letter == 'C' ? pages.samples : 1;
        pixels.append_attribute((std::string("Size") + letter).c_str()) = samples * (axis == nullptr ? 1 : axis->count);
    }
    if (const StackAxis* const time = axisOf(scene.axes, 't'); time != nullptr && time->step > 0) {
        pixels.append_attribute("TimeIncrement") = exactNumber(time->step).c_str();
        pixels.append_attribute("TimeIncrementUnit") = time->unit.c_str();
    }
    if (scene.pixelSize && !scene.sizeInGeoTags) {
        setLength(pixels, "PhysicalSizeX", scene.pixelSize->x, scene.pixelSize->unit);
        setLength(pixels, "PhysicalSizeY", scene.pixelSize->y, scene.pixelSize->unit);
        setLength(pixels, "PhysicalSizeZ", scene.pixelSize->z, scene.pixelSize->unit);
    }
    addChannels(pixels, scene, pages.samples);
    pixels.append_child("TiffData");
    std::ostringstream text;
    document.save(text, "", pugi::format_raw);
    return text.str();
}

/// Whether OME-XML can express the scene.
bool isOmeScene(const SceneDescription& scene, const WrittenPages& pages) {
    return countsPages(scene.axes, pages.count) && (!scene.pixelSize || micrometresOf(scene.pixelSize->unit));
}

bool isResolution(const CopiedTag& tag) {
    return tag.tag == kXResolution || tag.tag == kYResolution || tag.tag == kResolutionUnit;
}

/// The resolution for a known size; nothing if the carried tags say enough.
std::optional<std::vector<CopiedTag>> resolutionFor(DescriptionKind kind, const SceneDescription& scene,
                                                    const std::vector<CopiedTag>& carried) {
    constexpr const char* kDegree = "°";
    if (!scene.pixelSize) {
        return std::nullopt;
    }
    if (kind == DescriptionKind::imageJ) {
        return imageJResolution(*scene.pixelSize);
    }
    const bool stated =
        scene.sizeInGeoTags && (scene.pixelSize->unit == kDegree || std::ranges::none_of(carried, isResolution));
    return stated ? std::nullopt : std::optional(resolutionTags(*scene.pixelSize));
}

} // namespace

std::span<const Channel> channelFacts(const SceneDescription& scene) {
    const StackAxis* const axis = axisOf(scene.axes, 'c');
    const auto count = static_cast<std::size_t>(axis == nullptr ? 1 : axis->count);
    return scene.channels.size() == count ? std::span(scene.channels) : std::span<const Channel>();
}

std::string channelName(const SceneDescription& scene, std::size_t position) {
    const StackAxis* const axis = axisOf(scene.axes, 'c');
    const std::string label = axis == nullptr                  ? scene.channel
                              : position < axis->labels.size() ? axis->labels[position]
                                                               : std::string();
    const std::span<const Channel> facts = channelFacts(scene);
    return label.empty() && axis != nullptr && !facts.empty() ? facts[position].name : label;
}

bool countsPages(const std::vector<StackAxis>& axes, int pages) {
    std::string seen;
    std::int64_t positions = 1;
    for (const StackAxis& axis : axes) {
        const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(axis.name)));
        if (kLetters.find(letter) == std::string_view::npos || seen.find(letter) != std::string::npos ||
            axis.count < 1 || axis.count > pages) {
            return false;
        }
        seen += letter;
        positions *= axis.count;
    }
    return positions == pages;
}

DescriptionKind descriptionKind(const SceneDescription& scene, const WrittenPages& pages) {
    constexpr int kMostBits = 32; // of both programs
    const bool counted = countsPages(scene.axes, pages.count);
    const bool hasSize = scene.pixelSize && !scene.sizeInGeoTags;
    const bool hasStack = !scene.channel.empty() || (counted && pages.count > 1);
    const bool isOme = isOmeScene(scene, pages) && (hasSize || hasStack);
    const bool isWide = bitsOf(pages.type) > kMostBits;
    if (isWide && !isFloat(pages.type)) {
        return DescriptionKind::none;
    }
    if (scene.wantsOme && isOme) {
        return DescriptionKind::omeXml;
    }
    const bool isText = !scene.pixelSize || scene.pixelSize->unit.find_first_of("\r\n=\\") == std::string::npos;
    const bool isShown = scene.window || std::ranges::any_of(channelFacts(scene), [](const Channel& channel) {
                             return channel.colour || channel.window;
                         });
    if (scene.scale && !isWide && isText) {
        return DescriptionKind::imageJ;
    }
    if (pages.forImageJ && !isWide && isText && (scene.pixelSize || hasStack || isShown) &&
        isImageJScene(scene, pages)) {
        return DescriptionKind::imageJ;
    }
    return isOme                          ? DescriptionKind::omeXml
           : hasSize && isText && !isWide ? DescriptionKind::imageJ
                                          : DescriptionKind::none;
}

std::vector<CopiedTag> pageTags(std::vector<CopiedTag> carried, const SceneDescription& scene,
                                const WrittenPages& pages, bool isFirst) {
    const DescriptionKind kind = descriptionKind(scene, pages);
    if (auto resolution = resolutionFor(kind, scene, carried)) {
        std::erase_if(carried, isResolution);
        std::ranges::move(*resolution, std::back_inserter(carried));
    }
    if (isFirst) {
        if (auto description = imageDescription(scene, pages, carried)) {
            carried.push_back(std::move(*description));
        }
        if (kind == DescriptionKind::imageJ) {
            std::ranges::move(imageJTags(scene, pages), std::back_inserter(carried));
        }
    }
    return carried;
}

std::optional<CopiedTag> imageDescription(const SceneDescription& scene, const WrittenPages& pages,
                                          const std::vector<CopiedTag>& carried) {
    switch (descriptionKind(scene, pages)) {
    case DescriptionKind::omeXml:
        return textTag(kImageDescription, omeXml(scene, pages));
    case DescriptionKind::imageJ:
        return textTag(kImageDescription, imageJText(scene, pages, carried));
    case DescriptionKind::none:
        break;
    }
    return std::nullopt;
}

CopiedTag textTag(std::uint16_t number, const std::string& text) {
    CopiedTag tag{number, kAscii, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
    std::memcpy(tag.data.data(), text.c_str(), text.size() + 1);
    return tag;
}

std::vector<CopiedTag> resolutionTags(double xPerUnit, double yPerUnit, std::uint16_t unit) {
    const auto x = static_cast<float>(xPerUnit);
    const auto y = static_cast<float>(yPerUnit);
    // In this range, a rational of two 32-bit integers preserves the digits of a float.
    const auto fits = [](float value) { return value >= 1e-7F && value <= 4e9F; };
    if (!fits(x) || !fits(y)) {
        return {};
    }
    return {tagOf(kXResolution, kRational, x), tagOf(kYResolution, kRational, y), tagOf(kResolutionUnit, kShort, unit)};
}

std::vector<CopiedTag> resolutionTags(const PixelSize& size) {
    const auto micrometres = micrometresOf(size.unit);
    const double unit = micrometres ? kMicrometresInCentimetre / *micrometres : 1;
    return resolutionTags(unit / size.x, unit / size.y, micrometres ? kCentimetre : kNoUnit);
}

} // namespace pollard
