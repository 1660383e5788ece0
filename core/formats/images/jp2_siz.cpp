#include "formats/images/jp2_siz.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint16_t kSocMarker = 0xff4f;
constexpr std::uint16_t kSizMarker = 0xff51;
constexpr std::uint16_t kSotMarker = 0xff90;
constexpr std::uint32_t kCodestreamBox = 0x6a703263;  // "jp2c"
constexpr std::uint32_t kHeaderBox = 0x6a703268;      // "jp2h"
constexpr std::uint32_t kPaletteBox = 0x70636c72;     // "pclr"
constexpr std::uint32_t kColourBox = 0x636f6c72;      // "colr"
constexpr std::uint32_t kDefinitionsBox = 0x63646566; // "cdef"
constexpr std::uint32_t kResolutionBox = 0x72657320;  // "res ", contains "resc"
constexpr std::uint32_t kCaptureBox = 0x72657363;     // "resc"
constexpr int kMaxBoxes = 10000;
constexpr std::uint64_t kMaxComponentsListed = 1000;

class Bytes {
public:
    explicit Bytes(const SourceFile& source) : source_(source), file_(openForReading(source)) {}

    /// Big-endian unsigned integer of @p bytes bytes.
    std::uint64_t number(int bytes) {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) {
            const int c = std::getc(file_.get());
            if (c == EOF) {
                fail("the file ends in its header");
            }
            value = value << 8 | static_cast<unsigned>(c);
        }
        return value;
    }

    void seek(std::uint64_t offset) {
        if (offset >= source_.size || ::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0) {
            fail("there is no codestream in the file");
        }
    }

    [[nodiscard]] std::uint64_t position() const { return static_cast<std::uint64_t>(::ftello(file_.get())); }
    [[nodiscard]] std::uint64_t size() const { return source_.size; }

    [[noreturn]] void fail(const std::string& why) const {
        throw readError(ErrorCode::fileDamaged, source_.path, "damaged JPEG 2000: " + why);
    }

private:
    const SourceFile& source_;
    FilePointer file_;
};

/// pclr box: number of entries and columns, depth of the first column.
void readPalette(Bytes& bytes, Jp2Siz& siz) {
    bytes.number(2);
    siz.paletteColumns = static_cast<int>(bytes.number(1));
    siz.paletteBits = static_cast<int>(bytes.number(1) & 0x7f) + 1;
}

/// colr box: an enumerated colour space (method 1) or a profile.
[[nodiscard]] Jp2Colours coloursIn(Bytes& bytes) {
    constexpr std::uint64_t kEnumerated = 1;
    const std::uint64_t method = bytes.number(1);
    bytes.number(2);
    return method == kEnumerated ? static_cast<Jp2Colours>(bytes.number(4)) : Jp2Colours::unstated;
}

/// cdef box: meaning of the components.
void readDefinitions(Bytes& bytes, Jp2Siz& siz) {
    for (std::uint64_t left = std::min<std::uint64_t>(bytes.number(2), kMaxComponentsListed); left > 0; --left) {
        const auto component = static_cast<int>(bytes.number(2));
        const std::uint64_t kind = bytes.number(2);
        bytes.number(2);
        const bool opacity = kind == 1 || kind == 2; // straight or premultiplied
        siz.opacity = opacity && siz.opacity < 0 ? component : siz.opacity;
    }
}

/// resc box: a fraction and a power of ten per direction, vertical first.
void readCapture(Bytes& bytes, Jp2Siz& siz) {
    const auto fraction = [&] {
        const auto numerator = static_cast<double>(bytes.number(2));
        const auto denominator = static_cast<double>(bytes.number(2));
        return denominator > 0 ? numerator / denominator : 0;
    };
    const double y = fraction();
    const double x = fraction();
    const auto power = [&] { return std::pow(10.0, static_cast<std::int8_t>(bytes.number(1))); };
    siz.captureY = y * power();
    siz.captureX = x * power();
}

/// Moves to the codestream of a JP2 file, reading the boxes before it. Enters the header and resolution boxes.
void findCodestream(Bytes& bytes, Jp2Siz& siz) {
    std::uint64_t at = 0;
    bool hasColours = false; // later boxes are for other readers
    for (int box = 0; box < kMaxBoxes; ++box) {
        bytes.seek(at);
        std::uint64_t length = bytes.number(4);
        const std::uint64_t type = bytes.number(4);
        std::uint64_t header = 8;
        if (length == 1) {
            length = bytes.number(8);
            header = 16;
        }
        if (type == kCodestreamBox) {
            return;
        }
        if (type == kPaletteBox) {
            readPalette(bytes, siz);
        } else if (type == kColourBox && !hasColours) {
            siz.colours = coloursIn(bytes);
            hasColours = true;
        } else if (type == kDefinitionsBox) {
            readDefinitions(bytes, siz);
        } else if (type == kCaptureBox) {
            readCapture(bytes, siz);
        }
        if (length < header || length > UINT64_MAX - at) {
            break;
        }
        at += type == kHeaderBox || type == kResolutionBox ? header : length;
    }
    bytes.fail("there is no codestream in the file");
}

} // namespace

bool isJp2Codestream(std::span<const std::byte> head) {
    constexpr std::array<unsigned char, 4> kStart = {0xff, 0x4f, 0xff, 0x51};
    for (std::size_t i = 0; i < kStart.size(); ++i) {
        if (head.size() <= i || std::to_integer<unsigned char>(head[i]) != kStart[i]) {
            return false;
        }
    }
    return true;
}

void requireJp2Tiles(const SourceFile& source, const Jp2Siz& siz) {
    Bytes bytes(source);
    Jp2Siz unused;
    if (!isJp2Codestream(source.head)) {
        findCodestream(bytes, unused);
    }
    std::uint64_t at = bytes.position() + 2;
    bytes.seek(at);
    // Main header: segments with their length.
    for (std::uint64_t marker = bytes.number(2); marker != kSotMarker; marker = bytes.number(2)) {
        const std::uint64_t length = bytes.number(2);
        if (marker < 0xff00 || length < 2) {
            bytes.fail("the main header is not one of segments");
        }
        at += 2 + length;
        bytes.seek(at);
    }
    std::vector<std::uint32_t> missing(siz.tiles, 1); // number of parts; a tile need not state it
    std::vector<bool> said(siz.tiles, false);
    for (std::uint64_t marker = kSotMarker; marker == kSotMarker; marker = bytes.number(2)) {
        bytes.number(2);
        const std::uint64_t tile = bytes.number(2);
        const std::uint64_t length = bytes.number(4);
        bytes.number(1);
        const auto parts = static_cast<std::uint32_t>(bytes.number(1));
        if (tile >= siz.tiles) {
            bytes.fail("tile " + std::to_string(tile) + " of " + std::to_string(siz.tiles));
        }
        if (parts != 0 && !said[tile]) {
            missing[tile] += parts - 1;
            said[tile] = true;
        }
        missing[tile] -= missing[tile] > 0 ? 1 : 0;
        if (length == 0) {
            break; // the last one extends to the end
        }
        if (length < 12 || length > bytes.size() - std::min(at, bytes.size())) {
            bytes.fail("a part of tile " + std::to_string(tile) + " reaches beyond the end of the file");
        }
        at += length;
        if (at + 2 > bytes.size()) {
            break; // a missing end marker is harmless
        }
        bytes.seek(at);
    }
    const auto gap = std::find_if(missing.begin(), missing.end(), [](std::uint32_t parts) { return parts != 0; });
    if (gap != missing.end()) {
        bytes.fail("tile " + std::to_string(gap - missing.begin()) + " is not complete");
    }
}

Jp2Siz readJp2Siz(const SourceFile& source) {
    Bytes bytes(source);
    Jp2Siz siz;
    if (!isJp2Codestream(source.head)) {
        findCodestream(bytes, siz);
    }
    if (bytes.number(2) != kSocMarker || bytes.number(2) != kSizMarker) {
        bytes.fail("the codestream does not begin with its sizes");
    }
    bytes.number(4); // length of the segment, capabilities
    const std::uint64_t right = bytes.number(4);
    const std::uint64_t bottom = bytes.number(4);
    const std::uint64_t left = bytes.number(4);
    const std::uint64_t top = bytes.number(4);
    const std::uint64_t tileWidth = bytes.number(4);
    const std::uint64_t tileHeight = bytes.number(4);
    const std::uint64_t tileLeft = bytes.number(4);
    const std::uint64_t tileTop = bytes.number(4);
    siz.components = static_cast<std::uint32_t>(bytes.number(2));
    if (right <= left || bottom <= top || tileWidth == 0 || tileHeight == 0 || tileLeft > left || tileTop > top ||
        siz.components == 0) {
        bytes.fail("the sizes make no sense");
    }
    siz.width = right - left;
    siz.height = bottom - top;
    siz.tiles = ((right - tileLeft - 1) / tileWidth + 1) * ((bottom - tileTop - 1) / tileHeight + 1);
    return siz;
}

} // namespace pollard
