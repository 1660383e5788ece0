#pragma once

#include "core/io/io_volume_files.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// DICOM files, byte for byte.
namespace pollard::test {

inline constexpr const char* kImplicitSyntax = "1.2.840.10008.1.2";
inline constexpr const char* kExplicitSyntax = "1.2.840.10008.1.2.1";

inline std::string dicomTag(std::uint32_t tag) {
    return bytesOfNumber(static_cast<std::uint16_t>(tag >> 16), false) +
           bytesOfNumber(static_cast<std::uint16_t>(tag & 0xffff), false);
}

/// An element; an odd length is padded. @param open of unknown length, closed by a delimiter
inline std::string dicomElement(std::uint32_t tag, const std::string& vr, std::string value, bool implicit = false,
                                bool open = false) {
    if (value.size() % 2 != 0) {
        value += vr == "UI" || vr == "OB" ? '\0' : ' ';
    }
    const bool isLong = vr == "OB" || vr == "OW" || vr == "OF" || vr == "OD" || vr == "SQ" || vr == "UN";
    const auto length = open ? 0xffffffffU : static_cast<std::uint32_t>(value.size());
    std::string out = dicomTag(tag);
    if (implicit) {
        out += bytesOfNumber(length, false);
    } else if (isLong) {
        out += vr + std::string(2, '\0') + bytesOfNumber(length, false);
    } else {
        out += vr + bytesOfNumber(static_cast<std::uint16_t>(length), false);
    }
    return out + value + (open ? dicomTag(0xfffee0dd) + std::string(4, '\0') : "");
}

inline std::string dicomItem(const std::string& content, bool open = false) {
    return dicomTag(0xfffee000) +
           bytesOfNumber(open ? 0xffffffffU : static_cast<std::uint32_t>(content.size()), false) + content +
           (open ? dicomTag(0xfffee00d) + std::string(4, '\0') : "");
}

/// The elements of a data set with their value representations.
struct DicomFile {
    std::string syntax = kExplicitSyntax;
    bool open = false; ///< sequences have no lengths
    std::map<std::uint32_t, std::pair<std::string, std::string>> elements = {};

    [[nodiscard]] bool implicit() const { return syntax == kImplicitSyntax; }

    DicomFile& text(std::uint32_t tag, const char* vr, const std::string& value) {
        elements[tag] = {vr, value};
        return *this;
    }
    DicomFile& number(std::uint32_t tag, int value) {
        elements[tag] = {"US", bytesOfNumber(static_cast<std::uint16_t>(value), false)};
        return *this;
    }
    /// Pixels in fragments, after an empty table of offsets or @p table.
    DicomFile& fragments(const std::vector<std::string>& parts, const std::string& table = {}) {
        std::string value = dicomItem(table);
        for (std::string part : parts) {
            part.resize(part.size() + part.size() % 2);
            value += dicomItem(part);
        }
        elements[0x7fe00010] = {"fragments", value};
        return *this;
    }
    /// A sequence of items, each a row of elements.
    DicomFile& sequence(std::uint32_t tag, const std::vector<std::string>& items) {
        elements[tag] = {"SQ", sequenceValue(items)};
        return *this;
    }
    [[nodiscard]] std::string sequenceValue(const std::vector<std::string>& items) const {
        std::string value;
        for (const std::string& item : items) {
            value += dicomItem(item, open);
        }
        return value;
    }
    /// An element inside a sequence.
    [[nodiscard]] std::string inner(std::uint32_t tag, const char* vr, const std::string& value) const {
        return dicomElement(tag, vr, value, implicit(), open && std::string(vr) == "SQ");
    }
    /// A functional group: a sequence with one item of one element or more.
    [[nodiscard]] std::string group(std::uint32_t tag, const std::string& content) const {
        return inner(tag, "SQ", sequenceValue({content}));
    }

    [[nodiscard]] std::string bytes() const {
        const std::string meta = dicomElement(0x00020010, "UI", syntax);
        std::string out =
            std::string(128, '\0') + "DICM" +
            dicomElement(0x00020000, "UL", bytesOfNumber(static_cast<std::uint32_t>(meta.size()), false)) + meta;
        for (const auto& [tag, element] : elements) {
            const auto& [vr, value] = element;
            out += vr == "fragments" ? dicomElement(tag, "OB", value, false, true)
                                     : dicomElement(tag, vr, value, implicit(), open && vr == "SQ");
        }
        return out;
    }
};

/// A grey image or, with frames, several.
inline DicomFile dicomImage(int width, int height, int bits, bool isSigned, const std::string& pixels, int frames = 1) {
    DicomFile file;
    file.number(0x00280002, 1)
        .text(0x00280004, "CS", "MONOCHROME2")
        .number(0x00280010, height)
        .number(0x00280011, width)
        .number(0x00280100, bits)
        .number(0x00280101, bits)
        .number(0x00280102, bits - 1)
        .number(0x00280103, isSigned ? 1 : 0)
        .text(0x7fe00010, bits > 8 ? "OW" : "OB", pixels);
    if (frames > 1) {
        file.text(0x00280008, "IS", std::to_string(frames));
    }
    return file;
}

/// "1\2.5\-3"
inline std::string dicomNumbers(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) {
        std::array<char, 32> word{};
        std::snprintf(word.data(), word.size(), "%.10g", number);
        text += (text.empty() ? "" : "\\") + std::string(word.data());
    }
    return text;
}

/// A slice of a series in the plane z = place, with one value in all of its 4 x 3 pixels.
inline DicomFile dicomSlice(double place, int value, const std::string& series = "1.2.3") {
    std::string pixels;
    for (int i = 0; i < 12; ++i) {
        pixels += bytesOfNumber(static_cast<std::uint16_t>(value), false);
    }
    DicomFile file = dicomImage(4, 3, 16, false, pixels);
    file.text(0x00080060, "CS", "CT")
        .text(0x0020000e, "UI", series)
        .text(0x00200011, "IS", "4")
        .text(0x00200032, "DS", dicomNumbers({-10, 20, place}))
        .text(0x00200037, "DS", dicomNumbers({1, 0, 0, 0, 1, 0}))
        .text(0x00280030, "DS", dicomNumbers({0.5, 0.25}));
    return file;
}

} // namespace pollard::test
