#include "io/read_support.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>

namespace pollard {

namespace {

/// Below this size a false claim is harmless, and highly compressed drawings are common.
constexpr std::uint64_t kHarmlessBytes = 256ULL << 20;

/// Formats 1234567 as "1,234,567".
std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string sidesText(const PixelClaim& claim) {
    return std::to_string(claim.width) + " x " + std::to_string(claim.height) + " pixels";
}

} // namespace

Error readError(ErrorCode code, const std::filesystem::path& path, const std::string& why) {
    std::string message = "cannot read image: " + path.string() + ": " + why;
    std::replace_if(
        message.begin(), message.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return {code, message};
}

void checkExpansion(const SourceFile& source, const PixelClaim& claim, double limit) {
    const std::uint64_t expanded = claim.decodedBytes - std::min(claim.omittedBytes, claim.decodedBytes);
    if (claim.compressed && expanded > kHarmlessBytes && std::isfinite(limit) &&
        static_cast<double>(expanded) > limit * static_cast<double>(claim.storedBytes)) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        sidesText(claim) + " need " + sizeText(claim.decodedBytes) + ", which cannot come from " +
                            sizeText(claim.storedBytes) + " of compressed data (limit " +
                            std::to_string(std::llround(limit)) + " : 1)");
    }
}

void checkClaim(const SourceFile& source, const PixelClaim& claim, const ReadLimits& limits) {
    const std::string size = sidesText(claim);
    if (claim.width == 0 || claim.height == 0) {
        throw readError(ErrorCode::fileDamaged, source.path, "the header states " + size);
    }
    const std::uint64_t maxPixels = std::min(limits.maxPixels, Image::kMaxPixels);
    if (claim.width > maxPixels / claim.height) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        size + " are more than the limit of " + std::to_string(maxPixels) + " pixels");
    }
    if (!claim.compressed && claim.decodedBytes > source.size) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        size + " need " + sizeText(claim.decodedBytes) + ", but the file has only " +
                            sizeText(source.size));
    }
    checkExpansion(source, claim, limits.maxExpansion);
    const std::uint64_t imageBytes = claim.width * claim.height * (claim.bits > 8 ? 2 : 1);
    requireMemory(source.path, size + " need", std::max(claim.decodedBytes, imageBytes), limits);
}

void requireMemory(const std::filesystem::path& path, const std::string& subject, std::uint64_t bytes,
                   const ReadLimits& limits) {
    const std::uint64_t limit = limits.maxDecodedBytes;
    if (limit == 0 && bytes <= kSmallJobBytes) {
        return;
    }
    const std::uint64_t allowed = limit != 0 ? limit : availableMemory();
    if (bytes > allowed) {
        throw readError(ErrorCode::limitExceeded, path,
                        subject + " " + sizeText(bytes) + ", " + sizeText(allowed) +
                            (limit != 0 ? " are allowed" : " of memory are free"));
    }
}

Error noSuchIndex(const std::filesystem::path& path, const std::string& name, const std::string& index,
                  const std::string& last, const std::string& whole) {
    return readError(ErrorCode::invalidArgument, path,
                     name + " " + index + " does not exist, the " + whole + " has " + name + "s 0 to " + last);
}

void passRow(const JobControl& control, std::uint32_t y, std::uint32_t height) {
    if (y % kRowsPerCheck == 0) {
        control.report(static_cast<double>(y) / height, "reading");
        control.throwIfStopped();
    }
}

void requireFirstPage(const SourceFile& source, int page) {
    if (page != 0) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "page " + std::to_string(page) + " does not exist, the file has page 0 only");
    }
}

std::string sizeText(std::uint64_t bytes) {
    constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
        value /= 1000;
        ++unit;
    }
    return fixedText(value, unit > 0 && value < 9.95 ? 1 : 0) + " " + kUnits[unit];
}

Error cutOffError(const SourceFile& source, std::uint64_t needed) {
    return readError(ErrorCode::fileDamaged, source.path,
                     "the file is cut off: it has " + grouped(source.size) + " of at least " + grouped(needed) +
                         " bytes; copy it again");
}

std::filesystem::path zarrMetadataIn(const std::filesystem::path& folder) {
    for (const char* name : {"zarr.json", ".zgroup", ".zarray", ".zattrs"}) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(folder / name, ignored)) {
            return folder / name;
        }
    }
    return {};
}

bool isZarrFolder(const std::filesystem::path& path) noexcept {
    try {
        return !zarrMetadataIn(path).empty();
    } catch (const std::bad_alloc&) {
        return false;
    }
}

SourceFile openSource(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        if (path == "-") {
            throw readError(ErrorCode::fileNotFound, path, "standard input is not read; give the name of a file");
        }
        throw readError(ErrorCode::fileNotFound, path, "no such file");
    }
    if (status.type() == fs::file_type::none) {
        throw readError(ErrorCode::fileUnreadable, path, error.message());
    }
    if (fs::is_directory(status)) {
        if (const fs::path metadata = zarrMetadataIn(path); !metadata.empty()) {
            SourceFile source = openSource(metadata);
            source.path = path;
            return source;
        }
        throw readError(ErrorCode::fileUnreadable, path, "is a folder; open one of its files");
    }
    if (!fs::is_regular_file(status)) {
        throw readError(ErrorCode::fileUnreadable, path, "is a pipe or a device; give the name of a file");
    }
    SourceFile source{path, 0, {}};
    const FilePointer file = openForReading(path);
    source.size = fs::file_size(path, error);
    if (error) {
        throw readError(ErrorCode::fileUnreadable, path, error.message());
    }
    if (source.size == 0) {
        throw readError(ErrorCode::fileUnreadable, path, "the file is empty");
    }
    source.head.resize(SourceFile::kHeadBytes);
    source.head.resize(std::fread(source.head.data(), 1, source.head.size(), file.get()));
    if (std::ferror(file.get()) != 0) {
        throw readError(ErrorCode::fileUnreadable, path, std::strerror(errno));
    }
    return source;
}

FilePointer openForReading(const std::filesystem::path& path) {
    FilePointer file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        throw readError(ErrorCode::fileUnreadable, path, std::strerror(errno));
    }
    return file;
}

FilePointer openForReading(const SourceFile& source) {
    if (source.content.empty()) {
        return openForReading(source.path);
    }
    // The mode is for reading only.
    FilePointer file(::fmemopen(const_cast<std::byte*>(source.content.data()), source.content.size(), "rb"));
    if (!file) {
        throw readError(ErrorCode::fileUnreadable, source.path, std::strerror(errno));
    }
    return file;
}

namespace {

struct Kind {
    std::string_view start; ///< in small letters
    std::string_view text;
};

constexpr std::array kKinds{
    Kind{"version https://git-lfs", "is a pointer of Git LFS, not the image; 'git lfs pull' fetches the image"},
    Kind{"<!doctype html", "is a web page, not an image; download the file itself"},
    Kind{"<html", "is a web page, not an image; download the file itself"},
    Kind{"<svg", "is an SVG drawing, which has no pixels; export it as PNG or TIFF"},
    Kind{"%pdf", "is a PDF document; export its image as PNG or TIFF"},
    Kind{"%!ps", "is a PostScript document; export its image as PNG or TIFF"},
    Kind{"\x89hdf", "is an HDF5 file that no reader opens; export the image as TIFF"},
    Kind{"\x1f\x8b", "is compressed by gzip; unpack it"},
    Kind{"{\"", "is a JSON file, not an image"},
    Kind{"{\n", "is a JSON file, not an image"},
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
        return "is a web page, not an image; download the file itself";
    }
    return text.find("<svg") != std::string::npos ? "is an SVG drawing, which has no pixels; export it as PNG or TIFF"
                                                  : "is an XML file, not an image";
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

/// The separate header of a file that contains only pixels; empty if there is none.
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
