#include "formats/tiff/tiff_facts.hpp"
#include "io/read_support.hpp"

#include <algorithm>

namespace pollard {

TiffBlocks TiffBlocks::of(const TiffFacts& facts, const PixelRegion& region) noexcept {
    return {region.x / facts.blockWidth, region.y / facts.blockHeight,
            (region.x + region.width - 1) / facts.blockWidth + 1,
            (region.y + region.height - 1) / facts.blockHeight + 1};
}

std::uint64_t TiffBlocks::decodedBytes(const TiffFacts& facts) const noexcept {
    const std::uint64_t below = std::uint64_t{bottom} * facts.blockHeight;
    const std::uint64_t rows =
        (facts.tiled ? below : std::min<std::uint64_t>(below, facts.height)) - std::uint64_t{top} * facts.blockHeight;
    const std::uint64_t planes = facts.separate ? static_cast<std::uint64_t>(facts.samples) : 1;
    const std::uint64_t rowBytes = facts.blockRowBytes() * (right - left) * planes;
    return rows > UINT64_MAX / rowBytes ? UINT64_MAX : rows * rowBytes;
}

namespace {

std::uint64_t planesOf(const TiffFacts& facts) {
    return facts.separate ? static_cast<std::uint64_t>(facts.samples) : 1;
}

/// Number of strips or tiles of the page in all planes.
std::uint64_t neededBlocks(const TiffFacts& facts) {
    return std::uint64_t{facts.blocksAcross()} * facts.blocksDown() * planesOf(facts);
}

TiffBlocks allBlocks(const TiffFacts& facts) { return TiffBlocks::of(facts, {0, 0, facts.width, facts.height}); }

/// Calls @p visit with the indices of the blocks, plane by plane.
template <class Visit> void forBlocks(const TiffFacts& facts, const TiffBlocks& blocks, const Visit& visit) {
    for (std::uint64_t plane = 0; plane < planesOf(facts); ++plane) {
        for (std::uint64_t row = blocks.top; row < blocks.bottom; ++row) {
            for (std::uint64_t column = blocks.left; column < blocks.right; ++column) {
                visit(static_cast<std::uint32_t>((plane * facts.blocksDown() + row) * facts.blocksAcross() + column));
            }
        }
    }
}

/// Checks that the tags have an entry for every strip or tile.
void requirePlaces(const SourceFile& source, const TiffPage& page) {
    TIFF* tiff = page.handle.get();
    const TiffFacts& facts = page.facts;
    const std::uint64_t needed = neededBlocks(facts);
    const std::uint64_t present = facts.tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    // Each entry needs at least one byte of the file.
    if (present < needed || needed > source.size) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::to_string(needed) + (facts.tiled ? " tiles" : " strips") + " are needed, the file has " +
                            (present < needed ? std::to_string(present) : sizeText(source.size)));
    }
    // libtiff adds empty entries for missing ones, which look like omitted blocks. It also splits large uncompressed
    // strips: then one entry is enough.
    if (facts.tiled && facts.placedBlocks < needed) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::to_string(needed) + " tiles are needed, the file has places of " +
                            std::to_string(facts.placedBlocks));
    }
}

/// Error for block @p i, which extends beyond the end of the file. Blocks of a plausible size close to the end indicate
/// a truncated file.
Error outsideError(const SourceFile& source, const TiffPage& page, std::uint32_t i) {
    constexpr std::uint64_t kSlack = 1 << 16; // for codecs that enlarge small blocks, and for tags
    TIFF* tiff = page.handle.get();
    const TiffFacts& facts = page.facts;
    const std::uint64_t decoded = allBlocks(facts).decodedBytes(facts);
    const std::uint64_t likely = decoded > UINT64_MAX / 4 ? UINT64_MAX / 2 : 2 * decoded + kSlack;
    std::uint64_t total = 0;
    std::uint64_t end = 0;
    bool isLikely = true;
    forBlocks(facts, allBlocks(facts), [&](std::uint32_t block) {
        const std::uint64_t offset = TIFFGetStrileOffset(tiff, block);
        const std::uint64_t bytes = TIFFGetStrileByteCount(tiff, block);
        isLikely = isLikely && bytes <= likely && offset <= UINT64_MAX - bytes;
        if (isLikely) {
            total = std::min(total + bytes, likely);
            end = std::max(end, offset + bytes);
        }
    });
    const auto pages = static_cast<std::uint64_t>(std::max(page.info.pages, 1));
    if (isLikely && (end - source.size) / pages <= total + kSlack) {
        return cutOffError(source, end);
    }
    return readError(ErrorCode::fileDamaged, source.path,
                     (facts.tiled ? "tile " : "strip ") + std::to_string(i) + " lies outside the file (" +
                         std::to_string(TIFFGetStrileByteCount(tiff, i)) + " bytes at " +
                         std::to_string(TIFFGetStrileOffset(tiff, i)) + " of " + std::to_string(source.size) + ")");
}

} // namespace

TiffStorage locatePixels(const SourceFile& source, const TiffPage& page, const TiffBlocks& blocks) {
    TIFF* tiff = page.handle.get();
    const TiffFacts& facts = page.facts;
    const char* kind = facts.tiled ? "tile " : "strip ";
    requirePlaces(source, page);
    if (facts.compression == COMPRESSION_OJPEG) {
        return {source.size, 0, 0}; // strips are positions in one stream, or missing; the codec locates the data
    }
    TiffStorage storage;
    std::uint64_t lastEnd = 0;
    forBlocks(facts, blocks, [&](std::uint32_t i) {
        const std::uint64_t place = TIFFGetStrileOffset(tiff, i);
        const std::uint64_t offset = place == 0 ? 0 : place + facts.shift;
        std::uint64_t bytes = TIFFGetStrileByteCount(tiff, i);
        if (facts.shift > 0) { // the only strip may be as long as all planes
            bytes = std::min(bytes, allBlocks(facts).decodedBytes(facts));
        }
        if (offset == 0 && bytes == 0) {
            ++storage.missing;
            return;
        }
        if (offset == 0 || bytes == 0) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            kind + std::to_string(i) + (bytes == 0 ? " holds no bytes" : " has no place in the file"));
        }
        if (offset >= source.size || bytes > source.size - offset) {
            throw outsideError(source, page, i);
        }
        storage.bytes += bytes;
        if (offset + bytes > lastEnd) {
            lastEnd = offset + bytes;
            storage.lastInFile = i;
        }
    });
    const std::uint64_t visited = planesOf(facts) * (blocks.bottom - blocks.top) * (blocks.right - blocks.left);
    if (storage.missing == visited && visited == neededBlocks(facts)) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::string("none of its ") + (facts.tiled ? "tiles" : "strips") + " holds data");
    }
    storage.bytes = std::min(storage.bytes, source.size); // strips may share bytes
    return storage;
}

void requirePixelsInFile(const SourceFile& source, const TiffPage& page) {
    const TiffFacts& facts = page.facts;
    requirePlaces(source, page);
    // Subsampled colours take less space than the resulting RGB.
    const std::uint64_t bytes = allBlocks(facts).decodedBytes(facts);
    if (facts.compression != COMPRESSION_NONE || facts.viaRgba || bytes <= source.size) {
        return;
    }
    // Omitted blocks take no space.
    if (locatePixels(source, page, allBlocks(facts)).missing == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::to_string(facts.width) + " x " + std::to_string(facts.height) + " pixels need " +
                            sizeText(bytes) + ", but the file has only " + sizeText(source.size));
    }
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
