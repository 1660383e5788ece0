#include "io/ome_description.hpp"

#include <cctype>
#include <cstring>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint16_t kImageDescription = 270;
constexpr std::uint16_t kAscii = 2;
constexpr std::string_view kLetters = "CZT";

/// Letters of the axes, fastest first, completed by those that have one position; empty if they are not of OME.
std::string orderOf(const ImageInfo& source) {
    std::string order;
    std::int64_t positions = 1;
    for (const StackAxis& axis : source.axes) {
        const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(axis.name)));
        if (kLetters.find(letter) == std::string_view::npos || order.find(letter) != std::string::npos ||
            axis.count < 1) {
            return {};
        }
        order += letter;
        positions *= axis.count;
    }
    if (order.empty() || positions != source.pages) {
        return {};
    }
    for (const char letter : kLetters) {
        if (order.find(letter) == std::string::npos) {
            order += letter;
        }
    }
    return order;
}

const StackAxis* axisOf(const ImageInfo& source, char name) {
    for (const StackAxis& axis : source.axes) {
        if (axis.name == name) {
            return &axis;
        }
    }
    return nullptr;
}

void setPixelSize(pugi::xml_node pixels, const ImageInfo& source) {
    if (!source.pixelSize || source.pixelSize->print || source.pixelSize->unit != "µm") {
        return;
    }
    pixels.append_attribute("PhysicalSizeX") = source.pixelSize->x;
    pixels.append_attribute("PhysicalSizeXUnit") = "µm";
    pixels.append_attribute("PhysicalSizeY") = source.pixelSize->y;
    pixels.append_attribute("PhysicalSizeYUnit") = "µm";
}

void addChannels(pugi::xml_node pixels, const StackAxis* axis) {
    const int count = axis == nullptr ? 1 : axis->count;
    for (int i = 0; i < count; ++i) {
        pugi::xml_node channel = pixels.append_child("Channel");
        channel.append_attribute("ID") = ("Channel:0:" + std::to_string(i)).c_str();
        channel.append_attribute("SamplesPerPixel") = 1;
        if (axis != nullptr && static_cast<std::size_t>(i) < axis->labels.size()) {
            channel.append_attribute("Name") = axis->labels[static_cast<std::size_t>(i)].c_str();
        }
    }
}

CarriedTag tagOf(const std::string& text) {
    CarriedTag tag{kImageDescription, kAscii, text.size() + 1, {}};
    tag.data.resize(text.size() + 1);
    std::memcpy(tag.data.data(), text.c_str(), text.size() + 1);
    return tag;
}

} // namespace

std::optional<CarriedTag> omeDescription(const ImageInfo& source, PixelType type, std::uint32_t width,
                                         std::uint32_t height) {
    const std::string order = orderOf(source);
    if (order.empty()) {
        return std::nullopt;
    }
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
    pixels.append_attribute("DimensionOrder") = ("XY" + order).c_str();
    pixels.append_attribute("Type") = type == PixelType::u8 ? "uint8" : "uint16";
    pixels.append_attribute("SizeX") = width;
    pixels.append_attribute("SizeY") = height;
    for (const char letter : kLetters) {
        const auto name = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        const StackAxis* axis = axisOf(source, name);
        pixels.append_attribute((std::string("Size") + letter).c_str()) = axis == nullptr ? 1 : axis->count;
    }
    setPixelSize(pixels, source);
    addChannels(pixels, axisOf(source, 'c'));
    pixels.append_child("TiffData");
    std::ostringstream text;
    document.save(text, "", pugi::format_raw);
    return tagOf(text.str());
}

} // namespace pollard
