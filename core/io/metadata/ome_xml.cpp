#include "io/metadata/ome_xml.hpp"

#include "base/number_text.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <pugixml.hpp>
#include <string>

namespace pollard {

namespace {

constexpr std::size_t kMaxBytes = 64ULL << 20;
constexpr std::uint64_t kMaxPlanes = 1ULL << 31;
constexpr double kMicrometresInMetre = 1e6;
constexpr double kNanometresInMicrometre = 1000;

/// Element name without namespace prefix.
std::string_view localName(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    const std::size_t colon = name.rfind(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node childOf(const pugi::xml_node& parent, std::string_view name) {
    return parent.find_child([&](const pugi::xml_node& node) { return localName(node) == name; });
}

/// Sizes of the stack along C, Z and T.
struct Sizes {
    std::uint64_t c = 1;
    std::uint64_t z = 1;
    std::uint64_t t = 1;

    [[nodiscard]] std::uint64_t of(char letter) const { return letter == 'C' ? c : letter == 'Z' ? z : t; }
    [[nodiscard]] bool sensible() const {
        return c > 0 && z > 0 && t > 0 && c <= kMaxPlanes && z <= kMaxPlanes / c && t <= kMaxPlanes / (c * z);
    }
};

/// Page and position of the first plane of a TiffData block.
struct Block {
    std::uint64_t page = 0;
    Sizes first{0, 0, 0};
};

struct Pixels {
    Sizes sizes;               ///< in planes: c counts the samples of a pixel as one
    std::string order = "CZT"; ///< fastest first
    std::vector<Channel> channels;
    std::vector<Block> blocks;
    bool otherFiles = false;
};

std::uint64_t numberOf(const pugi::xml_node& node, const char* name, std::uint64_t fallback) {
    return node.attribute(name).as_ullong(fallback);
}

std::string orderOf(const pugi::xml_node& pixels) {
    std::string order = pixels.attribute("DimensionOrder").as_string("XYCZT");
    if (order.starts_with("XY")) {
        order.erase(0, 2);
    }
    std::string sorted = order;
    std::sort(sorted.begin(), sorted.end());
    return sorted == "CTZ" ? order : "CZT";
}

void readBlocks(const pugi::xml_node& node, Pixels& pixels) {
    std::string_view file;
    for (const pugi::xml_node& block : node.children()) {
        if (localName(block) != "TiffData") {
            continue;
        }
        const std::string_view name = childOf(block, "UUID").attribute("FileName").as_string();
        pixels.otherFiles |= !file.empty() && !name.empty() && name != file;
        file = name.empty() ? file : name;
        pixels.blocks.push_back(
            {numberOf(block, "IFD", 0),
             {numberOf(block, "FirstC", 0), numberOf(block, "FirstZ", 0), numberOf(block, "FirstT", 0)}});
    }
}

/// A real number; 0 if absent or invalid.
double realOf(const pugi::xml_node& node, const char* name) {
    return leadingNumber(node.attribute(name).as_string()).value_or(0);
}

/// A length in µm; 0 if invalid.
double lengthOf(const pugi::xml_node& node, const char* length, const char* unit, const char* defaultUnit = "µm") {
    const double value = realOf(node, length);
    const double micrometres = micrometresOf(node.attribute(unit).as_string(defaultUnit)).value_or(0) * value;
    return micrometres > 0 && std::isfinite(micrometres) ? micrometres : 0;
}

Channel channelOf(const pugi::xml_node& node) {
    Channel channel;
    channel.name = factText(node.attribute("Name").as_string());
    if (const pugi::xml_attribute colour = node.attribute("Color")) {
        const auto rgba = static_cast<std::uint32_t>(colour.as_llong()); // stored as a signed number
        const auto byte = [rgba](int shift) { return static_cast<std::uint8_t>(rgba >> shift & 0xff); };
        channel.colour = {byte(24), byte(16), byte(8)};
    }
    channel.wavelength = lengthOf(node, "EmissionWavelength", "EmissionWavelengthUnit", "nm") * kNanometresInMicrometre;
    return channel;
}

Pixels readPixels(const pugi::xml_node& node, const ImageInfo& info) {
    Pixels pixels;
    pixels.order = orderOf(node);
    std::uint64_t samples = 0;
    for (const pugi::xml_node& channel : node.children()) {
        if (localName(channel) == "Channel") {
            samples = std::max<std::uint64_t>(samples, numberOf(channel, "SamplesPerPixel", 1));
            pixels.channels.push_back(channelOf(channel));
        }
    }
    pixels.sizes = {numberOf(node, "SizeC", 1), numberOf(node, "SizeZ", 1), numberOf(node, "SizeT", 1)};
    if (samples > 1 && pixels.sizes.c % samples == 0) {
        pixels.sizes.c /= samples;
    }
    // Some writers count each sample of a pixel as a channel of one sample.
    Sizes& sizes = pixels.sizes;
    const auto onPage = static_cast<std::uint64_t>(std::max(info.samples, 1));
    const auto pages = static_cast<std::uint64_t>(info.pages);
    if (samples <= 1 && onPage > 1 && sizes.sensible() && sizes.c % onPage == 0 &&
        sizes.c / onPage * sizes.z * sizes.t == pages) {
        sizes.c /= onPage;
    }
    readBlocks(node, pixels);
    return pixels;
}

/// Index of a plane if planes are consecutive, with the first letter of @p order fastest.
std::uint64_t planeNumber(const Sizes& plane, const Sizes& sizes, const std::string& order) {
    std::uint64_t number = 0;
    for (auto letter = order.rbegin(); letter != order.rend(); ++letter) {
        number = number * sizes.of(*letter) + plane.of(*letter);
    }
    return number;
}

/// Order that agrees with the positions of all blocks, preferably the stated one. Empty if there is none.
std::string storedOrder(const Pixels& pixels) {
    std::array<std::string, 7> orders = {pixels.order, "CZT", "CTZ", "ZCT", "ZTC", "TCZ", "TZC"};
    for (const std::string& order : orders) {
        const bool fits = std::all_of(pixels.blocks.begin(), pixels.blocks.end(), [&](const Block& block) {
            const Sizes& first = block.first;
            return first.c < pixels.sizes.c && first.z < pixels.sizes.z && first.t < pixels.sizes.t &&
                   planeNumber(first, pixels.sizes, order) == block.page;
        });
        if (fits) {
            return order;
        }
    }
    return {};
}

void setAxes(const Pixels& pixels, std::size_t images, ImageInfo& info) {
    const Sizes& sizes = pixels.sizes;
    const auto pages = static_cast<std::uint64_t>(info.pages);
    const auto give = [&](const std::string& why) {
        info.notes.push_back("OME-XML: " + why + "; pages are counted as stored");
    };
    if (!sizes.sensible()) {
        return give("the sizes of the stack make no sense");
    }
    const std::string said = std::to_string(sizes.c) + " channels x " + std::to_string(sizes.z) + " z x " +
                             std::to_string(sizes.t) + " times";
    if (pixels.otherFiles) {
        return give("the image of " + said + " lies in several files");
    }
    if (images > 1) {
        return give(std::to_string(images) + " images in one file");
    }
    if (sizes.c * sizes.z * sizes.t != pages) {
        return give(said + " are not the " + std::to_string(info.pages) + " pages of the file");
    }
    const std::string order = storedOrder(pixels);
    if (order.empty()) {
        return give("the planes are stored in no regular order");
    }
    info.axes.clear();
    for (const char letter : order) {
        const auto count = static_cast<int>(sizes.of(letter));
        if (count == 1) {
            continue;
        }
        StackAxis axis{letter == 'C' ? 'c' : letter == 'Z' ? 'z' : 't', count, {}};
        const bool named = std::any_of(pixels.channels.begin(), pixels.channels.end(),
                                       [](const Channel& channel) { return !channel.name.empty(); });
        if (letter == 'C' && named && pixels.channels.size() == static_cast<std::size_t>(count)) {
            for (const Channel& channel : pixels.channels) {
                axis.labels.push_back(channel.name);
            }
        }
        info.axes.push_back(std::move(axis));
    }
}

/// Whether sizes are in metres, as for maps; they are then kept in metres.
bool inMetres(const pugi::xml_node& pixels) {
    const auto isMetre = [&](const char* unit) { return std::string_view(pixels.attribute(unit).as_string()) == "m"; };
    return isMetre("PhysicalSizeXUnit") && isMetre("PhysicalSizeYUnit");
}

/// Sides in a unit that is no length, such as "pixel" and "reference frame".
std::optional<VoxelSides> spacingOf(const pugi::xml_node& pixels) {
    const std::string_view unit = pixels.attribute("PhysicalSizeXUnit").as_string();
    const auto sideOf = [&](const char* size, const char* unitName) {
        const double side = pixels.attribute(size).as_double();
        return unit == pixels.attribute(unitName).as_string() && side > 0 && std::isfinite(side) ? side : 0;
    };
    const VoxelSides sides{sideOf("PhysicalSizeX", "PhysicalSizeXUnit"), sideOf("PhysicalSizeY", "PhysicalSizeYUnit"),
                           sideOf("PhysicalSizeZ", "PhysicalSizeZUnit")};
    return sides.x > 0 && sides.y > 0 ? std::optional(sides) : std::nullopt;
}

void addFact(ImageInfo& info, const char* label, const char* text) {
    if (std::string shown = factText(text); !shown.empty()) {
        info.facts.emplace_back(label, std::move(shown));
    }
}

void describeImage(const pugi::xml_node& root, const pugi::xml_node& image, const pugi::xml_node& pixels,
                   ImageInfo& info) {
    const double x = lengthOf(pixels, "PhysicalSizeX", "PhysicalSizeXUnit");
    const double y = lengthOf(pixels, "PhysicalSizeY", "PhysicalSizeYUnit");
    const double z = lengthOf(pixels, "PhysicalSizeZ", "PhysicalSizeZUnit");
    if (x > 0 && y > 0) {
        info.pixelSize = PixelSize{x, y, "µm", "OME-XML", false, z};
        if (inMetres(pixels)) {
            info.pixelSize =
                PixelSize{realOf(pixels, "PhysicalSizeX"), realOf(pixels, "PhysicalSizeY"), "m", "OME-XML", false,
                          z / kMicrometresInMetre};
        }
    }
    if (!info.pixelSize) {
        info.spacing = spacingOf(pixels);
    }
    addFact(info, "Image name", image.attribute("Name").as_string());
    addFact(info, "Acquired", childOf(image, "AcquisitionDate").child_value());
    const pugi::xml_node objective = childOf(childOf(root, "Instrument"), "Objective");
    if (const double times = realOf(objective, "NominalMagnification"); times > 0) {
        info.facts.emplace_back("Objective", factNumber(times) + "x");
    }
    if (z > 0) {
        info.facts.emplace_back("Distance in z", factNumber(z) + " µm");
    }
    if (const double step = realOf(pixels, "TimeIncrement"); step > 0 && std::isfinite(step)) {
        info.facts.emplace_back("Time step", factNumber(step) + " " +
                                                 factText(pixels.attribute("TimeIncrementUnit").as_string("s"), 20));
    }
}

} // namespace

bool isOmeXml(std::string_view description) {
    // Declaration and comments of any length may precede the root.
    const std::string_view start = description.substr(0, 4096);
    for (std::size_t at = start.find('<'); at != std::string_view::npos; at = start.find('<', at + 1)) {
        const std::string_view tag = start.substr(at + 1);
        if (tag.empty() || tag[0] == '?' || tag[0] == '!') {
            continue;
        }
        const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
        return name == "OME" || name.ends_with(":OME");
    }
    return false;
}

void describeOmeXml(std::string_view description, ImageInfo& info) {
    if (description.size() > kMaxBytes) {
        info.notes.emplace_back("OME-XML: longer than 64 MiB, not read");
        return;
    }
    pugi::xml_document document;
    // Expands only XML's five predefined entities; declarations of others are skipped.
    const pugi::xml_parse_result result = document.load_buffer(description.data(), description.size());
    const pugi::xml_node root = document.document_element();
    if (!result || localName(root) != "OME") {
        info.notes.push_back("OME-XML: damaged, not used: " +
                             factText(result ? "the root is no OME element" : result.description()));
        return;
    }
    const pugi::xml_node image = childOf(root, "Image");
    const pugi::xml_node pixels = childOf(image, "Pixels");
    if (!pixels) {
        const bool elsewhere = static_cast<bool>(childOf(root, "BinaryOnly"));
        info.notes.emplace_back(elsewhere ? "OME-XML: the description lies in another file of the same image"
                                          : "OME-XML: no image is described");
        return;
    }
    const auto images =
        std::count_if(root.begin(), root.end(), [](const pugi::xml_node& node) { return localName(node) == "Image"; });
    describeImage(root, image, pixels, info);
    const Pixels read = readPixels(pixels, info);
    if (read.channels.size() == 1 && read.sizes.c == 1) {
        addFact(info, kChannelFact, read.channels[0].name.c_str());
    }
    if (info.pages > 1) {
        setAxes(read, static_cast<std::size_t>(images), info);
    }
    info.channels = read.channels;
}

} // namespace pollard
