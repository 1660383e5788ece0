#include "io/metadata/scene_description.hpp"

#include "base/number_text.hpp"
#include "io/metadata/imagej_text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/write/pixel_rows.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <pugixml.hpp>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

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
