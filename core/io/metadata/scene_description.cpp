#include "io/metadata/scene_description.hpp"

#include "io/metadata/imagej_tags.hpp"
#include "io/metadata/length_units.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <pugixml.hpp>
#include <span>
#include <sstream>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint16_t kImageDescription = 270;
constexpr std::uint16_t kXResolution = 282;
constexpr std::uint16_t kYResolution = 283;
constexpr std::uint16_t kResolutionUnit = 296;
constexpr std::uint16_t kAscii = 2;
constexpr std::uint16_t kShort = 3;
constexpr std::uint16_t kRational = 5;
constexpr std::uint16_t kNoUnit = 1; ///< value of ResolutionUnit
constexpr std::uint16_t kCentimetre = 3;
constexpr double kMicrometresInCentimetre = 10000;
constexpr std::string_view kLetters = "CZT";

std::string shortest(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T> CarriedTag tagOf(std::uint16_t number, std::uint16_t type, const T& value) {
    CarriedTag tag{number, type, 1, std::vector<std::byte>(sizeof value)};
    std::memcpy(tag.data.data(), &value, sizeof value);
    return tag;
}

CarriedTag tagOf(const std::string& text) {
    CarriedTag tag{kImageDescription, kAscii, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
    std::memcpy(tag.data.data(), text.c_str(), text.size() + 1);
    return tag;
}

/// Whether the axes are distinct, among c, z and t, and their counts multiply to the number of pages.
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

const StackAxis* axisOf(const std::vector<StackAxis>& axes, char name) {
    for (const StackAxis& axis : axes) {
        if (axis.name == name) {
            return &axis;
        }
    }
    return nullptr;
}

/// Facts about the channels; empty if there are none of each.
std::span<const Channel> factsOf(const SceneDescription& scene) {
    const StackAxis* const axis = axisOf(scene.axes, 'c');
    const auto count = static_cast<std::size_t>(axis == nullptr ? 1 : axis->count);
    return scene.channels.size() == count ? std::span(scene.channels) : std::span<const Channel>();
}

/// Name of a position of the axis 'c', or of the only channel.
std::string nameOf(const SceneDescription& scene, std::size_t position) {
    const StackAxis* const axis = axisOf(scene.axes, 'c');
    const std::string label = axis == nullptr                  ? scene.channel
                              : position < axis->labels.size() ? axis->labels[position]
                                                               : std::string();
    const std::span<const Channel> facts = factsOf(scene);
    return label.empty() && axis != nullptr && !facts.empty() ? facts[position].name : label;
}

bool hasWindows(const SceneDescription& scene) {
    const std::span<const Channel> facts = factsOf(scene);
    return facts.size() > 1 &&
           std::ranges::all_of(facts, [](const Channel& channel) { return channel.window.has_value(); });
}

/// Letters of the axes, fastest first, followed by those with one position.
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
    pixels.append_attribute(name) = shortest(value).c_str();
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
        node.append_attribute("EmissionWavelength") = shortest(channel.wavelength).c_str();
        node.append_attribute("EmissionWavelengthUnit") = "nm";
    }
}

void addChannels(pugi::xml_node pixels, const SceneDescription& scene, int samples) {
    const StackAxis* axis = axisOf(scene.axes, 'c');
    const int count = axis == nullptr ? 1 : axis->count;
    const std::span<const Channel> facts = factsOf(scene);
    for (int i = 0; i < count; ++i) {
        pugi::xml_node channel = pixels.append_child("Channel");
        channel.append_attribute("ID") = ("Channel:0:" + std::to_string(i)).c_str();
        channel.append_attribute("SamplesPerPixel") = samples;
        const auto at = static_cast<std::size_t>(i);
        if (const std::string name = nameOf(scene, at); !name.empty()) {
            channel.append_attribute("Name") = name.c_str();
        }
        if (!facts.empty()) {
            addFacts(channel, facts[at]);
        }
    }
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
    pixels.append_attribute("Type") = ("uint" + std::to_string(pages.bits)).c_str();
    pixels.append_attribute("SizeX") = pages.width;
    pixels.append_attribute("SizeY") = pages.height;
    for (const char letter : kLetters) {
        const auto name = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        const StackAxis* axis = axisOf(scene.axes, name);
        const int samples = letter == 'C' ? pages.samples : 1;
        pixels.append_attribute((std::string("Size") + letter).c_str()) = samples * (axis == nullptr ? 1 : axis->count);
    }
    if (scene.pixelSize) {
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

/// Counts of the axes if ImageJ's page order is the same; empty for pages without a meaning.
std::string imageJCounts(const SceneDescription& scene, int pages) {
    std::string text;
    std::size_t last = 0;
    for (const StackAxis& axis : scene.axes) {
        constexpr std::string_view kOrder = "czt";
        constexpr const char* kNames[] = {"channels", "slices", "frames"};
        const std::size_t at = kOrder.find(axis.name);
        if (at < last) {
            return {};
        }
        last = at;
        text += std::string(kNames[at]) + '=' + std::to_string(axis.count) + '\n';
    }
    return text.empty() ? text : "images=" + std::to_string(pages) + '\n' + text;
}

std::string imageJText(const SceneDescription& scene, int pages, bool counted) {
    std::string text = "ImageJ=1.11a\n"; // version that other programs write, too
    text += counted ? imageJCounts(scene, pages) : std::string();
    text += counted && hasWindows(scene) ? "hyperstack=true\nmode=composite\n" : "";
    if (scene.pixelSize) {
        const PixelSize& size = *scene.pixelSize;
        const auto micrometres = micrometresOf(size.unit);
        // Unit of the resolution tags, which ImageJ interprets as pixels per unit.
        text += "unit=" + (micrometres ? "cm" : size.unit == "°" ? "deg" : size.unit) + '\n';
        if (size.z > 0) {
            const double scale = micrometres ? *micrometres / kMicrometresInCentimetre : 1;
            text += "spacing=" + shortest(size.z * scale) + '\n';
        }
    }
    return text + "loop=false\n";
}

/// Whether windows are stored, in ImageJ's order of the pages.
bool isHyperstack(const SceneDescription& scene, const WrittenPages& pages) {
    const bool isText = !scene.pixelSize || scene.pixelSize->unit.find_first_of("\r\n=") == std::string::npos;
    return isText && hasWindows(scene) && pages.samples == 1 && countsPages(scene.axes, pages.count) &&
           !imageJCounts(scene, pages.count).empty();
}

} // namespace

std::optional<CarriedTag> imageDescription(const SceneDescription& scene, const WrittenPages& pages) {
    const bool counted = countsPages(scene.axes, pages.count);
    const bool isLength = scene.pixelSize && micrometresOf(scene.pixelSize->unit);
    const bool isText = scene.pixelSize && scene.pixelSize->unit.find_first_of("\r\n=") == std::string::npos;
    if (isHyperstack(scene, pages)) {
        return tagOf(imageJText(scene, pages.count, true));
    }
    if (scene.pixelSize && (!isLength || !counted)) {
        return isText ? std::optional(tagOf(imageJText(scene, pages.count, counted))) : std::nullopt;
    }
    const bool hasSomethingToSay = scene.pixelSize || !scene.channel.empty() || pages.count > 1;
    return counted && hasSomethingToSay ? std::optional(tagOf(omeXml(scene, pages))) : std::nullopt;
}

std::vector<CarriedTag> imageJTags(const SceneDescription& scene, const WrittenPages& pages) {
    if (!isHyperstack(scene, pages)) {
        return {};
    }
    const std::span<const Channel> facts = factsOf(scene);
    int stride = 1; // pages from one channel to the next
    for (auto axis = scene.axes.begin(); axis->name != 'c'; ++axis) {
        stride *= axis->count;
    }
    ImageJMetadata metadata;
    for (int page = 0; page < pages.count; ++page) {
        metadata.labels.push_back(nameOf(scene, static_cast<std::size_t>(page / stride) % facts.size()));
    }
    for (const Channel& channel : facts) {
        metadata.windows.push_back(*channel.window);
        if (channel.colour) {
            metadata.colours.push_back(*channel.colour);
        }
    }
    if (metadata.colours.size() != facts.size()) {
        metadata.colours.clear();
    }
    return tagsOf(metadata);
}

std::vector<CarriedTag> resolutionTags(const PixelSize& size) {
    const auto micrometres = micrometresOf(size.unit);
    const double unit = micrometres ? kMicrometresInCentimetre / *micrometres : 1;
    const auto x = static_cast<float>(unit / size.x);
    const auto y = static_cast<float>(unit / size.y);
    // In this range, a rational of two 32-bit integers preserves the digits of a float.
    const auto fits = [](float value) { return value >= 1e-7F && value <= 4e9F; };
    if (!fits(x) || !fits(y)) {
        return {};
    }
    return {tagOf(kXResolution, kRational, x), tagOf(kYResolution, kRational, y),
            tagOf(kResolutionUnit, kShort, micrometres ? kCentimetre : kNoUnit)};
}

} // namespace pollard
