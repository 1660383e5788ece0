#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/pending_tiff.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Makes those tiles of the reduced versions whose pixels are all in a store, level by level, in parallel on the
/// threads of the arena. Each thread holds five tiles at a time. Tiles that the store has are kept, so that a stopped
/// job continues. @param store receives them @param means see TiledPage::facts
/// @throws exceptions of TileStore::read() and TileStore::put(); Cancelled
void reduceCompleteTiles(TileStore& store, bool means, const JobControl& control = {});

/// A page of a tiled TIFF.
struct TiledPage {
    std::span<const TileStore* const> stores; ///< of its tiles, which together have every tile of level 0 once
    TileStore* reduced = nullptr;             ///< receives the tiles of its reduced versions; may be one of the stores
    /// A pixel of a reduced version is, of 2 x 2 pixels of the level below (fewer at the end of an odd side), the mean
    /// rounded half up, as halve(), or the first one. The scene of the first page counts.
    PlaneFacts facts = {};
};

/// Where the tiles of a store go in a file.
struct TilePlaces {
    const TileStore* store = nullptr;
    std::vector<std::uint64_t> offsets; ///< see TileWriter::copy()
};

/// A file as of writeTiledTiff() under construction: all but the bytes of its tiles, for which it has room. They are
/// copied by copyTiles(), or by a TileWriter in each of several processes, all before commit().
class TiledTiff {
public:
    /// Makes the reduced versions that the stores lack, and writes the directories and tables into a temporary beside
    /// the target. @throws as writeTiledTiff()
    TiledTiff(std::filesystem::path path, std::span<const TiledPage> pages, const JobControl& control,
              std::uint64_t classicBytes = kClassicTiffBytes);

    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return pending_->temporary(); }
    /// Of all stores of a page: TiledPage::stores, and behind them TiledPage::reduced if it is none of them.
    [[nodiscard]] const std::vector<TilePlaces>& places(std::size_t page) const { return places_.at(page); }

    /// Copies the tiles of all stores, which are open. @throws as TileWriter
    void copyTiles(const JobControl& control);
    /// Gives the file its name. @throws Error(writeFailed)
    void commit();

private:
    std::filesystem::path path_;
    std::optional<PendingTiff> pending_;
    std::vector<std::vector<TilePlaces>> places_; ///< per page and store
};

/// Writes images of one size and depth from stores of their tiles as a tiled TIFF with reduced versions, in the
/// layout of a cloud optimised GeoTIFF: first all directories, then the tiles, those of the smallest version first and
/// those of the image last, in ascending order each. Reduced versions are SubIFDs of an image that OME-XML describes
/// and no map states the place of, as Bio-Formats expects; else they follow the image. The bytes of the file depend
/// on the pixels, the layout and the facts alone. The tiles are copied as they are stored. Tiles of reduced versions
/// that no store has are made as by reduceCompleteTiles().
/// @param pages whose stores have one layout
/// @param classicBytes stored bytes of all tiles and their tables above which the file is a BigTIFF
///
/// Atomic: the data goes to a temporary beside the target, which finally replaces it; on any failure the target is
/// unchanged, and TiledPage::reduced keeps its tiles.
/// @throws Error(invalidArgument) without pages, for too many, for stores of different layouts, and for a tile that no
/// store or more than one has; as reduceCompleteTiles(); Error(writeFailed)
void writeTiledTiff(const std::filesystem::path& path, std::span<const TiledPage> pages, const JobControl& control = {},
                    std::uint64_t classicBytes = kClassicTiffBytes);

/// All tiles that a store has, ascending by level and number.
[[nodiscard]] std::vector<TileKey> tilesIn(const TileStore& store);

/// Copies stored tiles to their places in a file that other threads and processes write, too, each at places of its
/// own; see TiledTiff.
class TileWriter {
public:
    /// @param file that is there @param target its later name, for messages @throws Error(writeFailed)
    TileWriter(const std::filesystem::path& file, std::filesystem::path target);
    ~TileWriter();
    TileWriter(const TileWriter&) = delete;
    TileWriter& operator=(const TileWriter&) = delete;

    /// Copies the tiles of a store as they are stored, in parallel on the threads of the arena.
    /// @param places offset in the file per tile of tilesIn(); 0 leaves the tile out
    /// @throws Error(invalidArgument) for another number of places; exceptions of TileStore::readStored();
    /// Error(writeFailed); Cancelled
    void copy(const TileStore& store, std::span<const std::uint64_t> places, const JobControl& control);

    /// Makes the copied tiles durable. @throws Error(writeFailed)
    void sync();

private:
    [[noreturn]] void fail(const char* why) const;

    std::filesystem::path target_;
    int descriptor_;
};

} // namespace pollard
