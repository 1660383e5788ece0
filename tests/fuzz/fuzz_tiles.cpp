// Any bytes as the two files of a tile store: an error in one line, or a store whose tiles are read, or refused in one
// line, and which takes others. The first byte selects the layout, the next two are the length of the index; checksums
// of the header, the entries and the stored bytes are mended, so that changed ones are read.
#include "promise.hpp"

#include "base/error.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "support/temp_dir.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace pollard;
using fuzz::require;

constexpr std::uint64_t kJob = 7;
// Of the files, see tile_store.cpp.
constexpr std::size_t kHeaderBytes = 48;
constexpr std::size_t kEntryBytes = 32;
constexpr std::size_t kOffsetAt = 16;
constexpr std::size_t kBytesChecksumAt = 24;
constexpr std::size_t kChecksumBytes = 4;

using Bytes = std::vector<std::uint8_t>;

std::uint32_t checksumOf(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

template <class T> T valueAt(const Bytes& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

void setValue(Bytes& bytes, std::size_t at, std::uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// Sets the checksum at the end of a record.
void mend(Bytes& index, std::size_t at, std::size_t length) {
    const std::size_t end = at + length - kChecksumBytes;
    setValue(index, end, checksumOf(std::span(index).subspan(at, length - kChecksumBytes)));
}

void mend(Bytes& index, const Bytes& tiles) {
    if (index.size() < kHeaderBytes) {
        return;
    }
    mend(index, 0, kHeaderBytes);
    for (std::size_t at = kHeaderBytes; at + kEntryBytes <= index.size(); at += kEntryBytes) {
        const std::size_t length = valueAt<std::uint32_t>(index, at + 4);
        const auto offset = valueAt<std::uint64_t>(index, at + kOffsetAt);
        if (offset <= tiles.size() && length <= tiles.size() - offset) {
            setValue(index, at + kBytesChecksumAt, checksumOf(std::span(tiles).subspan(offset, length)));
        }
        mend(index, at, kEntryBytes);
    }
}

void save(const std::filesystem::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void requireOneLine(const Error& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
}

std::uint64_t countOf(const TileStore& store) {
    std::uint64_t count = 0;
    for (std::uint32_t level = 0; level < store.layout().levels(); ++level) {
        count += store.count(level);
    }
    return count;
}

/// Reads all tiles. @return how many the store has
std::uint64_t readAll(const TileStore& store) {
    const TileLayout& layout = store.layout();
    std::vector<std::byte> pixels(layout.tileBytes());
    std::uint64_t found = 0;
    for (std::uint32_t level = 0; level < layout.levels(); ++level) {
        for (std::uint64_t number = 0; number < layout.tilesAt(level); ++number) {
            const TileKey tile{level, number};
            if (!store.has(tile)) {
                require(store.storedBytes(tile) == 0, "no bytes of a tile that is missing");
                continue;
            }
            ++found;
            try {
                require(store.readStored(tile).size() == store.storedBytes(tile), "all bytes of a tile");
                store.read(tile, pixels);
            } catch (const Error& error) {
                requireOneLine(error);
            }
        }
    }
    return found;
}

void use(const std::filesystem::path& path, const TileLayout& layout) {
    std::uint64_t count = 0;
    {
        const TileStore store(path, layout, kJob, TileStore::OpenMode::resume);
        count = readAll(store);
        require(countOf(store) == count, "the number of tiles");
    }
    TileStore store(path, layout, kJob, TileStore::OpenMode::resume);
    require(countOf(store) == count, "the same tiles when it is opened again");
    std::vector<std::byte> pixels(layout.tileBytes());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = static_cast<std::byte>(i * 7);
    }
    store.putTile({0, 0}, pixels.data(), layout.rowBytes());
    std::vector<std::byte> again(layout.tileBytes());
    store.read({0, 0}, again);
    require(again == pixels, "a tile that was stored is read back");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kPrefix = 3;
    if (size < kPrefix) {
        return 0;
    }
    static const test::TempDir folder;
    const std::filesystem::path store = folder / "store";
    TileLayout layout{40, 20, (data[0] & 1U) != 0 ? 16 : 8, 16};
    layout.compression = (data[0] & 2U) != 0 ? TiffCompression::none : TiffCompression::deflate;
    const std::size_t indexBytes = std::min<std::size_t>(data[1] + 256U * data[2], size - kPrefix);
    Bytes index(data + kPrefix, data + kPrefix + indexBytes);
    const Bytes tiles(data + kPrefix + indexBytes, data + size);
    mend(index, tiles);
    std::filesystem::path tilesPath = store;
    save(store, index);
    save(tilesPath += ".tiles", tiles);
    try {
        use(store, layout);
    } catch (const Error& error) {
        requireOneLine(error);
    }
    return 0;
}
