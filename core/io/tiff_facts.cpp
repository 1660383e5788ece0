#include "io/tiff_facts.hpp"

#include "io/read_support.hpp"
#include "io/tiff_description.hpp"
#include "io/tiff_names.hpp"
#include "io/tiff_tags.hpp"

#include <algorithm>

namespace pollard {

namespace {

constexpr int kMaxSamples = 64;
constexpr int kMaxBits = 16;

std::uint16_t shortTag(TIFF* tiff, std::uint32_t tag, std::uint16_t fallback) {
    std::uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

std::uint32_t longTag(TIFF* tiff, std::uint32_t tag, std::uint32_t fallback) {
    std::uint32_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

/// libtiff's tables and buffers grow with the file: the largest are 8 bytes for each 2 stored (strip byte
/// counts) and one strip as stored.
std::uint64_t memoryLimitFor(const SourceFile& source) { return (256ULL << 20) + 8 * source.size; }

void readLayout(TIFF* tiff, TiffFacts& facts) {
    facts.tiled = TIFFIsTiled(tiff) != 0;
    facts.blockWidth = facts.tiled ? longTag(tiff, TIFFTAG_TILEWIDTH, 0) : facts.width;
    facts.blockHeight = facts.tiled ? longTag(tiff, TIFFTAG_TILELENGTH, 0)
                                    : std::min(longTag(tiff, TIFFTAG_ROWSPERSTRIP, facts.height), facts.height);
}

bool hasAlpha(TIFF* tiff) {
    std::uint16_t count = 0;
    const std::uint16_t* kinds = nullptr;
    return TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1 &&
           std::any_of(kinds, kinds + count, [](std::uint16_t kind) { return kind != EXTRASAMPLE_UNSPECIFIED; });
}

void requireCounts(const SourceFile& source, const TiffFacts& facts) {
    if (facts.width == 0 || facts.height == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "the header says " + std::to_string(facts.width) + " x " + std::to_string(facts.height) +
                            " pixels");
    }
    if (facts.samples < 1 || facts.bits < 1) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::to_string(facts.samples) + " samples a pixel of " + std::to_string(facts.bits) + " bits");
    }
    if (facts.samples > kMaxSamples) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        std::to_string(facts.samples) + " samples a pixel, the limit is " +
                            std::to_string(kMaxSamples));
    }
}

void requireSupportedSamples(const SourceFile& source, TIFF* tiff, const TiffFacts& facts) {
    const auto refuse = [&](const std::string& what) {
        throw readError(ErrorCode::formatUnsupported, source.path, what);
    };
    const std::uint16_t format = shortTag(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const std::string kind = std::to_string(facts.bits) + "-bit " + tiffSampleFormatName(format) + " samples";
    if (facts.photometric == PHOTOMETRIC_LOGL || facts.photometric == PHOTOMETRIC_LOGLUV) {
        refuse(tiffPhotometricName(facts.photometric) + " pixels are not supported");
    }
    if (facts.bits > kMaxBits || (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)) {
        refuse(kind + " are not supported, only unsigned ones of 1 to 16 bits");
    }
    if (longTag(tiff, TIFFTAG_IMAGEDEPTH, 1) > 1) {
        refuse("volumes (ImageDepth " + std::to_string(longTag(tiff, TIFFTAG_IMAGEDEPTH, 1)) + ") are not supported");
    }
    if (TIFFIsCODECConfigured(facts.compression) == 0 || facts.compression == COMPRESSION_OJPEG) {
        refuse(tiffCompressionName(facts.compression) + " compression is not supported");
    }
    if (facts.compression == COMPRESSION_JPEG && facts.bits != 8) {
        refuse(std::to_string(facts.bits) + "-bit JPEG compression is not supported");
    }
}

void requireSupportedColour(const SourceFile& source, const TiffFacts& facts) {
    const std::string name = tiffPhotometricName(facts.photometric);
    switch (facts.photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MASK:
    case PHOTOMETRIC_PALETTE:
        return;
    case PHOTOMETRIC_YCBCR:
        if (facts.compression != COMPRESSION_JPEG || facts.separate) {
            throw readError(ErrorCode::formatUnsupported, source.path,
                            "YCbCr pixels are supported only with JPEG compression and interleaved, these have " +
                                tiffCompressionName(facts.compression) + (facts.separate ? " in planes" : ""));
        }
        [[fallthrough]];
    case PHOTOMETRIC_RGB:
        if (facts.samples < 3) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            name + " with " + std::to_string(facts.samples) + " samples a pixel");
        }
        return;
    default:
        throw readError(ErrorCode::formatUnsupported, source.path,
                        name + " pixels are not supported, only grey, RGB and palette");
    }
}

void requireBlocks(const SourceFile& source, TIFF* tiff, const TiffFacts& facts) {
    if (facts.blockWidth == 0 || facts.blockHeight == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "blocks of " + std::to_string(facts.blockWidth) + " x " + std::to_string(facts.blockHeight) +
                            " pixels");
    }
    // The decoder computes positions from the facts, libtiff sizes its output from the tags: both must agree.
    const std::uint64_t rowBytes = facts.tiled ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff);
    if (rowBytes != facts.blockRowBytes()) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "rows of " + std::to_string(rowBytes) + " bytes where " +
                            std::to_string(facts.blockRowBytes()) + " were expected");
    }
}

TiffFacts readFacts(const SourceFile& source, TIFF* tiff) {
    TiffFacts facts;
    facts.width = longTag(tiff, TIFFTAG_IMAGEWIDTH, 0);
    facts.height = longTag(tiff, TIFFTAG_IMAGELENGTH, 0);
    facts.bits = shortTag(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    facts.samples = shortTag(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    facts.photometric = shortTag(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    facts.compression = shortTag(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    facts.separate =
        facts.samples > 1 && shortTag(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    facts.alpha = hasAlpha(tiff);
    requireCounts(source, facts);
    requireSupportedSamples(source, tiff, facts);
    requireSupportedColour(source, facts);
    if (facts.photometric == PHOTOMETRIC_YCBCR) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    readLayout(tiff, facts);
    requireBlocks(source, tiff, facts);
    return facts;
}

ImageInfo makeInfo(TIFF* tiff, const TiffFacts& facts) {
    ImageInfo info;
    info.format = TIFFIsBigTIFF(tiff) != 0 ? "BigTIFF" : "TIFF";
    info.compression = tiffCompressionName(facts.compression);
    info.photometric = tiffPhotometricName(facts.photometric);
    info.width = facts.width;
    info.height = facts.height;
    info.bits = facts.bits;
    info.samples = facts.samples;
    info.carried = readCarriedTags(tiff);
    if (facts.photometric == PHOTOMETRIC_MINISWHITE) {
        info.notes.emplace_back("MinIsWhite: grey levels inverted");
    }
    const std::uint16_t orientation = shortTag(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (orientation != ORIENTATION_TOPLEFT) {
        info.notes.push_back("orientation " + std::to_string(orientation) + " not applied, shown as stored");
    }
    return info;
}

} // namespace

std::uint64_t TiffFacts::decodedBytes() const noexcept {
    const std::uint64_t rows = tiled ? std::uint64_t{blocksDown()} * blockHeight : height;
    const std::uint64_t planes = separate ? static_cast<std::uint64_t>(samples) : 1;
    const std::uint64_t rowBytes = blockRowBytes() * blocksAcross() * planes;
    return rows > UINT64_MAX / rowBytes ? UINT64_MAX : rows * rowBytes;
}

TiffPage openTiffPage(const SourceFile& source, int page) {
    TiffHandle handle = TiffHandle::openForReading(source.path, memoryLimitFor(source));
    TIFF* tiff = handle.get();
    const auto pages = static_cast<int>(TIFFNumberOfDirectories(tiff)); // ends at a loop in the chain
    const std::string chainFault = handle.messages().lastError;
    if (pages == 0) {
        throw readError(ErrorCode::fileDamaged, source.path, "no page can be found: " + chainFault);
    }
    if (page >= pages) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "page " + std::to_string(page) + " does not exist, the file has pages 0 to " +
                            std::to_string(pages - 1));
    }
    const std::string description = TIFFSetDirectory(tiff, 0) != 0 ? tiffDescription(tiff) : std::string();
    handle.messages().clear();
    if (TIFFSetDirectory(tiff, static_cast<tdir_t>(page)) == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "the tags of page " + std::to_string(page) + " are damaged: " + handle.messages().lastError);
    }
    const TiffFacts facts = readFacts(source, tiff);
    ImageInfo info = makeInfo(tiff, facts);
    info.pages = pages;
    info.page = page;
    describeTiff(tiff, description, info);
    if (!chainFault.empty()) {
        info.notes.push_back("the list of pages is damaged after page " + std::to_string(pages - 1));
    }
    return {std::move(handle), facts, std::move(info)};
}

TiffStorage locatePixels(const SourceFile& source, const TiffPage& page) {
    TIFF* tiff = page.handle.get();
    const TiffFacts& facts = page.facts;
    const char* kind = facts.tiled ? "tile " : "strip ";
    const std::uint64_t needed =
        std::uint64_t{facts.blocksAcross()} * facts.blocksDown() * (facts.separate ? facts.samples : 1);
    const std::uint64_t present = facts.tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    // Each strip or tile takes at least a byte of the file to say where it is.
    if (present < needed || needed > source.size) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::to_string(needed) + (facts.tiled ? " tiles" : " strips") + " are needed, the file has " +
                            (present < needed ? std::to_string(present) : sizeText(source.size)));
    }
    TiffStorage storage;
    std::uint64_t lastEnd = 0;
    for (std::uint32_t i = 0; i < needed; ++i) {
        const std::uint64_t offset = TIFFGetStrileOffset(tiff, i);
        const std::uint64_t bytes = TIFFGetStrileByteCount(tiff, i);
        if (offset == 0 || bytes == 0) {
            throw readError(ErrorCode::fileDamaged, source.path, kind + std::to_string(i) + " is missing");
        }
        if (offset >= source.size || bytes > source.size - offset) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            kind + std::to_string(i) + " lies outside the file (" + std::to_string(bytes) +
                                " bytes at " + std::to_string(offset) + " of " + std::to_string(source.size) + ")");
        }
        storage.bytes += bytes;
        if (offset + bytes > lastEnd) {
            lastEnd = offset + bytes;
            storage.lastInFile = i;
        }
    }
    storage.bytes = std::min(storage.bytes, source.size); // strips that share bytes do not add data
    return storage;
}

TiffPalette readTiffPalette(const SourceFile& source, const TiffPage& page) {
    const std::uint16_t* maps[3] = {};
    if (TIFFGetField(page.handle.get(), TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) != 1) {
        throw readError(ErrorCode::fileDamaged, source.path, "palette pixels without a palette");
    }
    const std::size_t size = std::size_t{1} << page.facts.bits;
    const auto all = [&](auto&& predicate) {
        return std::all_of(std::begin(maps), std::end(maps),
                           [&](const std::uint16_t* map) { return std::all_of(map, map + size, predicate); });
    };
    const bool plain = all([](std::uint16_t v) { return v < 256; });
    const bool scaled =
        all([](std::uint16_t v) { return v % 257 == 0; }) || all([](std::uint16_t v) { return v % 256 == 0; });
    TiffPalette palette;
    palette.type = plain || scaled ? PixelType::u8 : PixelType::u16;
    const int shift = !plain && scaled ? 8 : 0;
    palette.colours.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            palette.colours[i][c] = static_cast<std::uint16_t>(maps[c][i] >> shift);
        }
    }
    return palette;
}

} // namespace pollard
