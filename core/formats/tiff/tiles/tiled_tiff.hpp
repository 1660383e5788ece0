#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Makes the tiles of reduced versions whose pixels are all in the store, level by level, in parallel on the threads of
/// the arena. Each thread holds five tiles at a time. Keeps tiles that the store has, so that a stopped job continues.
/// @param store receives the tiles @param means see TiledPage::facts
/// @throws exceptions of TileStore::read() and TileStore::put(); Cancelled
void reduceCompleteTiles(TileStore& store, bool means, const JobControl& control = {});

/// A page of a tiled TIFF.
struct TiledPage {
    std::span<const TileStore* const> stores; ///< together have every tile of level 0 once
    TileStore* reduced = nullptr;             ///< receives tiles of reduced versions; may be one of the stores
    /// A pixel of a reduced version is the mean of 2 x 2 pixels of the level below (fewer at the end of an odd side),
    /// rounded half up like in halve(), or the first of these pixels. The scene of the first page is used.
    PlaneFacts facts = {};
};

/// Positions of the tiles of a store in a file.
struct TilePlaces {
    const TileStore* store = nullptr;
    std::vector<std::uint64_t> offsets; ///< see TileWriter::copy()
};

/// A file of writeTiledTiff() under construction, with reserved space for the bytes of the tiles. copyTiles(), or a
/// TileWriter in each of several processes, copies the tiles before commit().
class TiledTiff {
public:
    /// Makes missing reduced versions and writes directories and tables into a temporary file in the folder of the
    /// target. @throws as writeTiledTiff()
    TiledTiff(std::filesystem::path path, std::span<const TiledPage> pages, const JobControl& control,
              std::uint64_t classicBytes = kClassicTiffBytes);

    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return pending_->temporary(); }
    /// Places in all stores of a page: TiledPage::stores, then TiledPage::reduced unless it is in that list.
    [[nodiscard]] const std::vector<TilePlaces>& places(std::size_t page) const { return places_.at(page); }

    /// Copies the tiles of all stores. @throws as TileWriter
    void copyTiles(const JobControl& control);
    /// Gives the file its name. @throws Error(writeFailed)
    void commit();

private:
    std::filesystem::path path_;
    std::optional<PendingTiff> pending_;
    std::vector<std::vector<TilePlaces>> places_; ///< per page and store
};

/// Writes images of one size and depth from stores of their tiles as a tiled TIFF with reduced versions, in the
/// layout of a cloud optimised GeoTIFF: first all directories, then the tiles in ascending order, from the smallest
/// version to the image. Reduced versions are SubIFDs, as Bio-Formats expects, if OME-XML describes the image and it
/// has no place on a map; else they follow the image. The bytes of the file depend only on pixels, layout and facts.
/// Stored tiles are copied. Missing tiles of reduced versions are made like by reduceCompleteTiles().
/// @param pages with stores of one layout
/// @param classicBytes stored bytes of all tiles and their tables above which the file is a BigTIFF
///
/// Atomic: writes a temporary file in the folder of the target, which replaces the target at the end. On any failure
/// the target is unchanged, and TiledPage::reduced keeps its tiles.
/// @throws Error(invalidArgument) without pages, for too many, for stores of different layouts, and for a tile that no
/// store or more than one has; as reduceCompleteTiles(); Error(writeFailed)
void writeTiledTiff(const std::filesystem::path& path, std::span<const TiledPage> pages, const JobControl& control = {},
                    std::uint64_t classicBytes = kClassicTiffBytes);

/// All tiles that a store has, ascending by level and number.
[[nodiscard]] std::vector<TileKey> tilesIn(const TileStore& store);

/// Copies stored tiles to their positions in a file. Several threads and processes may write other positions of the
/// file; see TiledTiff.
class TileWriter {
public:
    /// @param file must exist @param target later name of the file, for messages @throws Error(writeFailed)
    TileWriter(const std::filesystem::path& file, std::filesystem::path target);
    ~TileWriter();
    TileWriter(const TileWriter&) = delete;
    TileWriter& operator=(const TileWriter&) = delete;

    /// Copies the stored tiles of a store, in parallel on the threads of the arena.
    /// @param places offset in the file for each tile of tilesIn(); 0: the tile is not copied
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
