#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/pending_tiff.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "io/image_file.hpp"
#include "io/metadata/scene_description.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

struct TiledTiffOptions {
    /// A pixel of a reduced version from 2 x 2 pixels of the level below, fewer at the end of an odd side.
    enum class Reduction {
        mean,    ///< rounded half up, as halve(): for grey values
        topLeft, ///< the first of them: for masks and labels, whose means have no meaning
    };
    Reduction reduction = Reduction::mean;
    std::vector<CarriedTag> carried; ///< resolution and geo tags of the picture
    SceneDescription scene = {};     ///< written as the description of the picture, see descriptionKind()
    /// Stored bytes of all tiles and their tables above which the file is a BigTIFF.
    std::uint64_t classicBytes = kClassicTiffBytes;
};

/// Makes those tiles of the reduced versions whose pixels are all in a store, level by level, in parallel on the
/// threads of the arena. Each thread holds five tiles at a time. Tiles that the store has are kept, so that a stopped
/// job continues. @param store receives them @throws exceptions of TileStore::read() and TileStore::put(); Cancelled
void reduceCompleteTiles(TileStore& store, TiledTiffOptions::Reduction reduction, const JobControl& control = {});

/// A page of a file of several.
struct TiledPage {
    std::span<const TileStore* const> stores; ///< of its tiles
    TileStore* reduced = nullptr;             ///< receives those of its reduced versions
    std::vector<CarriedTag> tags;             ///< besides those of the options
};

/// Where the tiles of a store go in a file.
struct TilePlaces {
    const TileStore* store = nullptr;
    std::vector<std::uint64_t> offsets; ///< see TileWriter::copy()
};

/// A file as of writeTiledPages() under construction: all but the bytes of its tiles, for which it has room. They are
/// copied by copyTiles(), or by a TileWriter in each of several processes, all before commit().
class TiledTiff {
public:
    /// Makes the reduced versions that the stores lack, and writes the directories and tables into a temporary beside
    /// the target. @throws as writeTiledPages()
    TiledTiff(std::filesystem::path path, std::span<const TiledPage> pages, const TiledTiffOptions& options,
              const JobControl& control);

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

/// Writes a picture from stores of its tiles as a tiled TIFF with reduced versions, in the layout of a cloud optimised
/// GeoTIFF: first all directories, then the tiles, those of the smallest version first and those of the picture last,
/// in ascending order each. Reduced versions are SubIFDs of a picture that OME-XML describes and no map states the
/// place of, as Bio-Formats expects; else they follow the picture. The bytes of the file depend on the pixels, the
/// layout and the options alone. The tiles are copied as they are stored. Tiles of reduced versions that no store has
/// are made as by reduceCompleteTiles().
/// @param stores of one layout, which together hold every tile of level 0 once
/// @param reduced of the same layout, receives the tiles of reduced versions; may be one of @p stores
///
/// Atomic: the data goes to a temporary beside the target, which finally replaces it; on any failure the target is
/// unchanged, and @p reduced keeps its tiles.
/// @throws Error(invalidArgument) for stores of different layouts, and for a tile that no store or more than one has;
/// as reduceCompleteTiles(); Error(writeFailed)
void writeTiledTiff(const std::filesystem::path& path, std::span<const TileStore* const> stores, TileStore& reduced,
                    const TiledTiffOptions& options = {}, const JobControl& control = {});

/// Writes pictures of one size and depth as the pages of a file, each as writeTiledTiff() and followed by its reduced
/// versions.
/// @throws as writeTiledTiff(); Error(invalidArgument) without pages, for too many, or if they differ in size or depth
void writeTiledPages(const std::filesystem::path& path, std::span<const TiledPage> pages,
                     const TiledTiffOptions& options = {}, const JobControl& control = {});

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
