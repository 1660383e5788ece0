#include "io/foreign_content.hpp"

#include "base/text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace pollard {

namespace {

struct Kind {
    std::string_view start; ///< in small letters
    std::string_view text;
};

constexpr std::array kKinds{
    Kind{"version https://git-lfs", "is a pointer of Git LFS, not the picture; 'git lfs pull' fetches the picture"},
    Kind{"<!doctype html", "is a web page, not a picture; download the file itself"},
    Kind{"<html", "is a web page, not a picture; download the file itself"},
    Kind{"<svg", "is an SVG drawing, which has no pixels; export it as PNG or TIFF"},
    Kind{"%pdf", "is a PDF document; export its picture as PNG or TIFF"},
    Kind{"%!ps", "is a PostScript document; export its picture as PNG or TIFF"},
    Kind{"\x89hdf", "is an HDF5 file that no reader opens; export the picture as TIFF"},
    Kind{"\x1f\x8b", "is compressed by gzip; unpack it"},
    Kind{"{\"", "is a JSON file, not a picture"},
    Kind{"{\n", "is a JSON file, not a picture"},
};

/// The first bytes in small letters, without the byte-order mark of UTF-8 and spaces at the start.
std::string startOf(const SourceFile& source, std::size_t bytes) {
    std::string text(bytes, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), openForReading(source.path).get()));
    text.erase(0, text.starts_with("\xef\xbb\xbf") ? 3 : 0);
    text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return lowered(text);
}

std::string kindOfXml(const std::string& text) {
    if (text.find("<ome") != std::string::npos) {
        return "is OME-XML without pixels; open the TIFF file that it describes";
    }
    if (text.find("<html") != std::string::npos) {
        return "is a web page, not a picture; download the file itself";
    }
    return text.find("<svg") != std::string::npos ? "is an SVG drawing, which has no pixels; export it as PNG or TIFF"
                                                  : "is an XML file, not a picture";
}

/// Whether the bytes are the header of Analyze 7.5: the size of the header and a number of sides, in either byte order.
bool isAnalyze(const SourceFile& source) noexcept {
    constexpr std::uint32_t kHeader = 348;
    constexpr std::size_t kSides = 40;
    constexpr int kMostSides = 7;
    std::uint32_t size = 0;
    std::uint16_t sides = 0;
    if (source.size < kHeader || source.head.size() < kSides + sizeof sides) {
        return false;
    }
    std::memcpy(&size, source.head.data(), sizeof size);
    std::memcpy(&sides, source.head.data() + kSides, sizeof sides);
    const bool swapped = size == __builtin_bswap32(kHeader);
    sides = swapped ? __builtin_bswap16(sides) : sides;
    return (swapped || size == kHeader) && sides >= 1 && sides <= kMostSides;
}

/// Whether the bytes are the first element of a data set of DICOM: group 2 or 8, a small element, and a representation
/// of two capitals or a short length. A file has 128 bytes and "DICM" before it.
bool isBareDicom(const SourceFile& source) noexcept {
    if (source.head.size() < 8) {
        return false;
    }
    const auto byte = [&](std::size_t at) { return std::to_integer<int>(source.head[at]); };
    const bool group = (byte(0) == 2 || byte(0) == 8) && byte(1) == 0 && byte(3) == 0;
    const bool explicitType = std::isupper(byte(4)) != 0 && std::isupper(byte(5)) != 0;
    const bool implicitLength = byte(5) == 0 && byte(6) == 0 && byte(7) == 0 && byte(4) % 2 == 0;
    return group && (explicitType || implicitLength);
}

/// The header beside a file that holds pixels alone; empty if there is none.
std::string headerBeside(const std::filesystem::path& path) {
    constexpr std::array kPairs{std::pair{".img", ".hdr"}, std::pair{".raw", ".mhd"}, std::pair{".raw", ".nhdr"},
                                std::pair{".zraw", ".mhd"}};
    for (const auto& [pixels, header] : kPairs) {
        std::filesystem::path beside = path;
        beside.replace_extension(header);
        std::error_code ignored;
        if (path.extension() == pixels && std::filesystem::is_regular_file(beside, ignored)) {
            return beside.filename().string();
        }
    }
    return {};
}

} // namespace

std::string foreignContent(const SourceFile& source) {
    constexpr std::size_t kStart = 4096; // a declaration and comments stand before the first element of XML
    const std::string text = startOf(source, kStart);
    const auto kind = std::ranges::find_if(kKinds, [&](const Kind& each) { return text.starts_with(each.start); });
    if (kind != kKinds.end()) {
        return std::string(kind->text);
    }
    if (text.starts_with("<?xml") || text.starts_with("<ome")) {
        return kindOfXml(text);
    }
    if (isAnalyze(source)) {
        return "is in the format Analyze 7.5, which does not state left and right; convert it to NIfTI";
    }
    if (isBareDicom(source)) {
        return "is a data set of DICOM without the 132 bytes before it; dcmconv writes a complete file";
    }
    const std::string header = headerBeside(source.path);
    return header.empty() ? std::string() : "holds pixels alone; open its header " + header;
}

} // namespace pollard
