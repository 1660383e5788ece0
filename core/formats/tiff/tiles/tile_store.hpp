#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/tiles/tile_layout.hpp"
#include "image/image.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <tbb/enumerable_thread_specific.h>
#include <vector>

namespace pollard {

/// Encodes and decodes the pixels of single tiles as libtiff stores them in a file. For one thread at a time.
class TileCoder {
public:
    /// @param layout valid, see TileLayout::problem()
    explicit TileCoder(const TileLayout& layout);
    ~TileCoder();
    TileCoder(TileCoder&&) noexcept;
    TileCoder& operator=(TileCoder&&) noexcept;

    /// Encodes a tile; equal pixels give equal bytes.
    /// @param pixels layout.tileBytes() bytes
    /// @throws Error(writeFailed) with libtiff's reason
    [[nodiscard]] std::vector<std::byte> encode(std::span<const std::byte> pixels);

    /// Decodes the pixels of a tile; does not change @p stored.
    /// @param pixels receives layout.tileBytes() bytes
    /// @throws Error(fileDamaged) with libtiff's reason
    void decode(std::span<const std::byte> stored, std::span<std::byte> pixels);

private:
    class MemoryTiff;

    TileLayout layout_;
    std::unique_ptr<MemoryTiff> encoding_;
    std::unique_ptr<MemoryTiff> decoding_;
};

/// A working file for an image larger than memory. Stores the tiles of the image and of its reduced versions
/// compressed, in any order and from several threads, and keeps them if the program is killed. Consists of two files,
/// an index under the path of the store and the compressed tiles under the path with the ending ".tiles"; both only
/// grow.
///
/// Every tile has an entry in the index with position and checksums, written after the bytes of the tile. A store that
/// is opened again has the tiles of all entries before the first cut or damaged entry or entry without bytes; entries
/// after the last flush() count only if the bytes match. The rest is overwritten.
///
/// Byte order is native. A store takes 16 bytes of memory per tile. All functions are thread-safe; errors keep the
/// tiles stored before.
class TileStore {
public:
    enum class OpenMode {
        create, ///< an empty store, replacing files of these names
        resume, ///< the existing store; an empty one if there is none
    };

    /// @param job number that identifies the work with all its settings
    /// @throws Error(invalidArgument) for an impossible layout, a store of another job or layout, and a store that is
    /// open elsewhere; Error(formatUnknown) for a file that is no store, Error(formatUnsupported) for another
    /// version, Error(fileDamaged) for a damaged header; Error(fileUnreadable), Error(writeFailed)
    TileStore(std::filesystem::path path, const TileLayout& layout, std::uint64_t job, OpenMode opening);
    ~TileStore();
    TileStore(const TileStore&) = delete;
    TileStore& operator=(const TileStore&) = delete;

    /// Deletes the files of a store, which must not be open. Missing files are no error.
    static void remove(const std::filesystem::path& path) noexcept;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] const TileLayout& layout() const noexcept { return layout_; }
    [[nodiscard]] std::uint64_t job() const noexcept { return job_; }

    /// Stores the tiles of a part of a level, in ascending order. Tiles are compressed in parallel on the threads of
    /// the arena, few at a time. A stopped or failed call keeps the tiles that were stored before. Later tiles replace
    /// earlier tiles.
    /// @param region in px of the level, not empty; each of its edges is at a multiple of the tile side or at the
    /// image's edge
    /// @param pixels of the region, row by row, in the image's depth
    /// @param rowBytes from a row to the next
    /// @throws Error(invalidArgument) for other regions; Error(writeFailed) with the system's reason; Cancelled
    void put(const PixelRegion& region, const void* pixels, std::size_t rowBytes, const JobControl& control = {},
             std::uint32_t level = 0);

    /// Like put() for one tile, on the calling thread only.
    /// @param pixels of layout().regionOf(tile)
    void putTile(const TileKey& tile, const void* pixels, std::size_t rowBytes);

    /// Makes all tiles stored so far durable, even if the machine fails.
    /// @throws Error(writeFailed)
    void flush();

    [[nodiscard]] bool has(const TileKey& tile) const;
    /// Number of tiles of a level that are in the store.
    [[nodiscard]] std::uint64_t count(std::uint32_t level = 0) const;
    /// Size of a tile's stored bytes; 0 if the store does not have it.
    [[nodiscard]] std::uint32_t storedBytes(const TileKey& tile) const;

    /// All pixels of a tile, row by row, with the copies that fill it at the edges.
    /// @param pixels receives layout().tileBytes() bytes
    /// @throws Error(invalidArgument) if the store lacks the tile, Error(fileDamaged), Error(fileUnreadable)
    void read(const TileKey& tile, std::span<std::byte> pixels) const;

    /// The bytes of a tile as in a TIFF. @throws as read()
    [[nodiscard]] std::vector<std::byte> readStored(const TileKey& tile) const;

private:
    struct Header;
    struct Entry;
    struct EncodedTile;
    struct Place {
        std::uint64_t offset = 0;   ///< in the file of tiles
        std::uint32_t bytes = 0;    ///< 0: the tile is not stored
        std::uint32_t checksum = 0; ///< CRC-32 of the bytes
    };
    /// Positions of the tiles of a level, in pieces because a store may have only a few tiles.
    struct LevelPlaces {
        std::vector<std::unique_ptr<Place[]>> pieces;
        std::uint64_t count = 0;
    };
    /// An open file.
    class File {
    public:
        ~File();
        File() = default;
        File(const File&) = delete;
        File& operator=(const File&) = delete;
        int descriptor = -1;
        std::uint64_t end = 0; ///< position of the next bytes
    };

    void open(File& file, const std::filesystem::path& path) const;
    void lock() const;
    void begin();
    void resume();
    void checkHeader() const;
    [[nodiscard]] Header header() const noexcept;
    [[nodiscard]] bool isPossible(const Entry& entry, std::uint64_t dataBytes) const noexcept;
    [[nodiscard]] bool hasBytesOf(const Entry& entry) const;
    void takeEntries();
    void take(const Entry& entry);
    void cut(File& file, std::uint64_t size) const;

    [[nodiscard]] PixelRegion tilesOf(const PixelRegion& region, std::uint32_t level) const;
    [[nodiscard]] EncodedTile encode(const TileKey& tile, const std::byte* pixels, std::size_t rowBytes);
    void append(const EncodedTile& encoded);
    void append(Entry entry);
    void write(const File& file, const void* data, std::size_t bytes, std::uint64_t offset) const;
    std::size_t readFrom(const File& file, void* data, std::size_t bytes, std::uint64_t offset) const;
    void sync(const File& file) const;

    [[nodiscard]] Place placeOf(const TileKey& tile) const;
    void requirePiece(const TileKey& tile);
    void setPlace(const TileKey& tile, const Place& place) noexcept;

    struct Coding {
        TileCoder coder;
        std::vector<std::byte> pixels; ///< of a whole tile
    };

    std::filesystem::path path_;
    TileLayout layout_;
    std::uint64_t job_;
    File index_;
    File tiles_;
    mutable std::mutex mutex_; ///< of the ends of the files and the places
    std::vector<LevelPlaces> places_;
    bool isFlushed_ = true;
    mutable tbb::enumerable_thread_specific<Coding> coding_;
};

/// The pixels of the image; the store must outlive them. Rows are read one after another, so that each tile is
/// decoded once. Reading throws as TileStore::read().
[[nodiscard]] PixelRows pixelRowsOf(const TileStore& store);

} // namespace pollard
