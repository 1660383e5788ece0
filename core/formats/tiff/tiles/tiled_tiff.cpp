#include "formats/tiff/tiles/tiled_tiff.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "formats/tiff/tiff_directories.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/samples/value_levels.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace {

using Stores = std::span<const TileStore* const>;

/// Share of the reduced versions in the time of the job, roughly.
constexpr double kReducing = 0.6;

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "cannot write tiled TIFF: " + why);
}

/// The tiles of an image and of its reduced versions.
class ImageTiles {
public:
    ImageTiles(Stores stores, const TileStore& reduced) : stores_(stores), reduced_(reduced) {
        for (const TileStore* store : stores) {
            if (store->layout() != layout()) {
                refuse(store->path().string() + " and " + reduced.path().string() +
                       " differ in size, type or compression");
            }
        }
    }

    [[nodiscard]] const TileLayout& layout() const noexcept { return reduced_.layout(); }

    /// Checks that every tile of the image is in one store.
    void requireImage(const JobControl& control) const {
        for (std::uint64_t number = 0; number < layout().tilesAt(0); ++number) {
            control.throwIfStopped();
            const auto holders = std::count_if(stores_.begin(), stores_.end(), [&](const TileStore* store) {
                return store->has({0, number});
            });
            if (holders != 1) {
                const std::uint32_t columns = layout().columnsAt(0);
                refuse("the tile in column " + std::to_string(number % columns) + " and row " +
                       std::to_string(number / columns) + " is in " +
                       (holders == 0 ? "no store" : std::to_string(holders) + " stores"));
            }
        }
    }

    /// Null without one.
    [[nodiscard]] const TileStore* holderOf(const TileKey& tile) const {
        const auto found =
            std::find_if(stores_.begin(), stores_.end(), [&](const TileStore* store) { return store->has(tile); });
        return found != stores_.end() ? *found : reduced_.has(tile) ? &reduced_ : nullptr;
    }
    [[nodiscard]] const TileStore& storeOf(const TileKey& tile) const {
        const TileStore* const holder = holderOf(tile);
        return holder != nullptr ? *holder : reduced_;
    }
    /// Each store once.
    [[nodiscard]] std::vector<const TileStore*> stores() const {
        std::vector<const TileStore*> all(stores_.begin(), stores_.end());
        if (std::ranges::find(all, &reduced_) == all.end()) {
            all.push_back(&reduced_);
        }
        return all;
    }

    /// Bytes of all tiles as stored, with the tables of their places.
    [[nodiscard]] std::uint64_t storedBytes() const {
        std::uint64_t bytes = 0;
        for (std::uint32_t level = 0; level < layout().levels(); ++level) {
            for (std::uint64_t number = 0; number < layout().tilesAt(level); ++number) {
                bytes += storeOf({level, number}).storedBytes({level, number}) + 2 * sizeof(std::uint64_t);
            }
        }
        return bytes;
    }

    /// Number of tiles of levels [first, last).
    [[nodiscard]] std::uint64_t count(std::uint32_t first, std::uint32_t last) const {
        std::uint64_t tiles = 0;
        for (std::uint32_t level = first; level < last; ++level) {
            tiles += layout().tilesAt(level);
        }
        return tiles;
    }

private:
    Stores stores_;
    const TileStore& reduced_;
};

/// Rows of pixels.
struct Rows {
    std::byte* data;
    std::size_t rowBytes;
    std::uint32_t width;  ///< px
    std::uint32_t height; ///< px

    template <class T> [[nodiscard]] T* row(std::uint32_t y) const noexcept {
        return reinterpret_cast<T*>(data + y * rowBytes);
    }
};

/// @param to has half the sides of @p from, rounded up
template <class T>
void reduceRows(const Rows& from, const Rows& to, bool means, const std::optional<std::uint64_t>& noData) {
    for (std::uint32_t y = 0; y < to.height; ++y) {
        const T* upper = from.row<T>(2 * y);
        T* out = to.row<T>(y);
        if (means) {
            const T* lower = from.row<T>(std::min(2 * y + 1, from.height - 1));
            reduceRow(upper, lower, from.width, noData, out);
            continue;
        }
        for (std::uint32_t x = 0; x < to.width; ++x) {
            out[x] = upper[std::size_t{x} * 2];
        }
    }
}

/// Calls visit(tile, column, row) for the up to four tiles of the level below that a tile covers, each at a corner of a
/// square of two tiles.
template <class Visit> void forEachPart(const TileLayout& layout, const TileKey& tile, Visit&& visit) {
    const std::uint32_t below = tile.level - 1;
    const std::uint64_t columns = layout.columnsAt(below);
    const std::uint64_t rows = layout.tilesAt(below) / columns;
    const std::uint64_t firstColumn = tile.number % layout.columnsAt(tile.level) * 2;
    const std::uint64_t firstRow = tile.number / layout.columnsAt(tile.level) * 2;
    for (std::uint64_t row = firstRow; row < std::min(firstRow + 2, rows); ++row) {
        for (std::uint64_t column = firstColumn; column < std::min(firstColumn + 2, columns); ++column) {
            visit(TileKey{below, row * columns + column}, column - firstColumn, row - firstRow);
        }
    }
}

/// Makes one tile from the tiles of the level below.
void reduceTile(const ImageTiles& tiles, const TileKey& tile, TileStore& reduced, bool means) {
    const TileLayout& layout = tiles.layout();
    const PixelRegion region = layout.regionOf(tile);
    const std::uint32_t below = tile.level - 1;
    const Rows to{nullptr, layout.rowBytes(), region.width, region.height};
    const Rows from{nullptr, 2 * layout.rowBytes(), std::min(2 * region.width, layout.widthAt(below) - 2 * region.x),
                    std::min(2 * region.height, layout.heightAt(below) - 2 * region.y)};
    // The fifth tile receives the pixels of each tile, and then the result.
    Buffer<std::byte> memory(layout.tileBytes() * 5);
    std::byte* const single = memory.data() + layout.tileBytes() * 4;
    forEachPart(layout, tile, [&](const TileKey& part, std::uint64_t column, std::uint64_t row) {
        tiles.storeOf(part).read(part, {single, layout.tileBytes()});
        std::byte* const corner = memory.data() + row * layout.side * from.rowBytes + column * layout.rowBytes();
        for (std::uint32_t v = 0; v < layout.side; ++v) {
            std::memcpy(corner + v * from.rowBytes, single + v * layout.rowBytes(), layout.rowBytes());
        }
    });
    dispatch(layout.type(), [&]<class T>(T) {
        reduceRows<T>({memory.data(), from.rowBytes, from.width, from.height},
                      {single, to.rowBytes, to.width, to.height}, means, layout.noData);
    });
    reduced.putTile(tile, single, to.rowBytes);
}

/// Makes the tiles of all reduced versions that no store has.
/// @param isChosen whether a tile is to be made
template <class IsChosen> void reduceTiles(const ImageTiles& tiles, TileStore& reduced, bool means,
                                           const JobControl& control, IsChosen&& isChosen) {
    const TileLayout& layout = tiles.layout();
    const auto all = static_cast<double>(tiles.count(1, layout.levels()));
    std::atomic<std::uint64_t> done{0};
    for (std::uint32_t level = 1; level < layout.levels(); ++level) {
        forEachIndex(
            layout.tilesAt(level), control,
            [&](std::size_t number) {
                const TileKey tile{level, number};
                if (tiles.holderOf(tile) == nullptr && isChosen(tile)) {
                    control.throwIfStopped();
                    reduceTile(tiles, tile, reduced, means);
                }
                control.report(static_cast<double>(++done) / all, "reducing");
            },
            1);
    }
}

/// A page with its directories in the file.
struct PageDirectories {
    ImageTiles tiles;
    const TiledPage& page;
    int number;
    int count; ///< of all pages
    const SceneDescription& scene;
    bool hasSubdirectories; ///< reduced versions are SubIFDs of the page; else they follow it
    /// Offset of each level's directory in the file, for SubIFDs: libtiff from 4.6 on counts them as pages while it
    /// writes.
    std::vector<std::uint64_t> directories = {};

    [[nodiscard]] WrittenPages pages() const {
        const TileLayout& layout = tiles.layout();
        return {
            layout.type(), 1, layout.width, layout.height, count, false, layout.compression != TiffCompression::none};
    }

    /// Makes the directory of a level current. @returns false if libtiff fails
    [[nodiscard]] bool open(TIFF* tiff, std::uint32_t level) const {
        if (hasSubdirectories) {
            return TIFFSetSubDirectory(tiff, directories.at(level)) == 1;
        }
        const auto first = static_cast<std::uint32_t>(number) * tiles.layout().levels();
        return TIFFSetDirectory(tiff, static_cast<tdir_t>(first + level)) == 1;
    }
};

/// Whether readers of the description look for reduced versions in SubIFDs; readers of maps look for pages.
bool wantsSubdirectories(const TileLayout& layout, int count, const SceneDescription& scene,
                         const std::vector<CopiedTag>& tags) {
    return layout.levels() > 1 && !hasPlace(tags) &&
           descriptionKind(scene, {layout.type(), 1, layout.width, layout.height, count, false}) ==
               DescriptionKind::omeXml;
}

/// Tags of the directory of an image, not of a reduced version.
void setPageTags(const PendingTiff& pending, const PageDirectories& placed) {
    TIFF* tiff = pending.get();
    if (placed.count > 1) {
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        TIFFSetField(tiff, TIFFTAG_PAGENUMBER, placed.number, placed.count);
    }
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Pollard");
    const std::vector<CopiedTag> tags =
        pageTags(placed.page.facts.carried, placed.scene, placed.pages(), placed.number == 0);
    if (placed.hasSubdirectories) {
        const std::vector<std::uint64_t> places(placed.tiles.layout().levels() - 1); // libtiff sets the numbers
        TIFFSetField(tiff, TIFFTAG_SUBIFD, static_cast<int>(places.size()), places.data());
    }
    pending.require(writeCopiedTags(tiff, tags));
}

/// Tags of the directory of a level.
void setDirectory(const PendingTiff& pending, const PageDirectories& placed, std::uint32_t level) {
    TIFF* tiff = pending.get();
    const TileLayout& layout = placed.tiles.layout();
    errno = 0;
    if (level > 0) {
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    }
    setSampleTags(tiff, layout.widthAt(level), layout.heightAt(level), layout.type());
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout.side);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout.side);
    pending.require(setCompression(tiff, layout.compression, layout.effort, isFloat(layout.type())));
    if (level == 0) {
        setPageTags(pending, placed);
    }
}

/// Calls visit(page, level) for all directories in their order.
template <class Visit> void forEachDirectory(const std::vector<PageDirectories>& pages, Visit&& visit) {
    for (const PageDirectories& page : pages) {
        for (std::uint32_t level = 0; level < page.tiles.layout().levels(); ++level) {
            visit(page, level);
        }
    }
}

/// Takes the offsets of directories from the file.
void findDirectories(const PendingTiff& pending, std::vector<PageDirectories>& pages) {
    const TiffOutline outline =
        readTiffOutline({pending.temporary(), std::filesystem::file_size(pending.temporary()), {}});
    pending.require(outline.pages.size() == pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const TiffDirectory& page = outline.pages[i].page;
        pages[i].directories = {page.offset};
        pages[i].directories.insert(pages[i].directories.end(), page.children.begin(), page.children.end());
    }
}

/// Writes the directories of all levels, and then the tables of their tiles with zeros, which keep the place.
void writeDirectories(const PendingTiff& pending, std::vector<PageDirectories>& pages) {
    TIFF* tiff = pending.get();
    forEachDirectory(pages, [&](const PageDirectories& page, std::uint32_t level) {
        setDirectory(pending, page, level);
        errno = 0;
        pending.require(TIFFDeferStrileArrayWriting(tiff) == 1 && TIFFWriteCheck(tiff, 1, kWriteTiff) == 1 &&
                        TIFFWriteDirectory(tiff) == 1);
    });
    if (pages.front().hasSubdirectories) {
        findDirectories(pending, pages);
    }
    forEachDirectory(pages, [&](const PageDirectories& page, std::uint32_t level) {
        errno = 0;
        pending.require(page.open(tiff, level) && TIFFForceStrileArrayWriting(tiff) == 1);
    });
}

/// Reserves space for the tiles of a level at the end of the file and completes the table of the level.
/// @param offsets receives the offset of each tile
void reserveTiles(PendingTiff& pending, const PageDirectories& page, std::uint32_t level,
                  std::vector<std::uint64_t>& offsets, const JobControl& control) {
    const ImageTiles& tiles = page.tiles;
    errno = 0;
    pending.require(page.open(pending.get(), level));
    for (std::uint64_t number = 0; number < tiles.layout().tilesAt(level); ++number) {
        control.throwIfStopped();
        const TileKey tile{level, number};
        offsets.push_back(
            pending.reserveTile(static_cast<std::uint32_t>(number), tiles.storeOf(tile).storedBytes(tile)));
    }
    errno = 0;
    pending.require(TIFFFlush(pending.get()) == 1);
}

} // namespace

void reduceCompleteTiles(TileStore& store, bool means, const JobControl& control) {
    const TileStore* const stores[] = {&store};
    reduceTiles(ImageTiles(stores, store), store, means, control, [&](const TileKey& tile) {
        bool complete = true;
        forEachPart(store.layout(), tile, [&](const TileKey& part, std::uint64_t /*column*/, std::uint64_t /*row*/) {
            complete = complete && store.has(part);
        });
        return complete;
    });
}

TiledTiff::TiledTiff(std::filesystem::path path, std::span<const TiledPage> pages, const JobControl& control,
                     std::uint64_t classicBytes)
    : path_(std::move(path)) {
    if (pages.empty()) {
        refuse("no pages");
    }
    const TileLayout& layout = pages.front().reduced->layout();
    constexpr std::uint64_t kMostDirectories = 65535; // pages are counted by 16 bits, as by some versions of libtiff
    if (pages.size() * layout.levels() > kMostDirectories) {
        refuse(std::to_string(pages.size()) + " pages with " + std::to_string(layout.levels()) + " versions each");
    }
    std::vector<PageDirectories> placed;
    std::uint64_t bytes = 0;
    SceneDescription scene = pages.front().facts.scene;
    scene.wantsOme = scene.wantsOme || isOmeName(path_);
    const bool hasSubdirectories =
        wantsSubdirectories(layout, static_cast<int>(pages.size()), scene, pages.front().facts.carried);
    for (const TiledPage& page : pages) {
        const auto number = static_cast<int>(placed.size());
        const auto count = static_cast<int>(pages.size());
        placed.push_back({ImageTiles(page.stores, *page.reduced), page, number, count, scene, hasSubdirectories});
        const ImageTiles& tiles = placed.back().tiles;
        if (tiles.layout() != layout) {
            refuse("its pages differ in size, type or compression");
        }
        tiles.requireImage(control);
        reduceTiles(tiles, *page.reduced, page.facts.means,
                    control.part(static_cast<double>(number) / count, 1.0 / count),
                    [](const TileKey&) { return true; });
        bytes += tiles.storedBytes();
    }
    pending_.emplace(path_, bytes > classicBytes);
    writeDirectories(*pending_, placed);
    for (const PageDirectories& page : placed) {
        std::vector<std::vector<std::uint64_t>> offsets(layout.levels());
        for (std::uint32_t level = layout.levels(); level-- > 0;) {
            reserveTiles(*pending_, page, level, offsets[level], control);
        }
        std::vector<TilePlaces>& places = places_.emplace_back();
        for (const TileStore* store : page.tiles.stores()) {
            TilePlaces& ofStore = places.emplace_back(TilePlaces{store, {}});
            for (const TileKey& tile : tilesIn(*store)) {
                ofStore.offsets.push_back(page.tiles.holderOf(tile) == store ? offsets[tile.level][tile.number] : 0);
            }
        }
    }
}

void TiledTiff::copyTiles(const JobControl& control) {
    TileWriter writer(temporary(), path_);
    const auto share = 1.0 / static_cast<double>(places_.size());
    for (std::size_t page = 0; page < places_.size(); ++page) {
        const auto part = share / static_cast<double>(places_[page].size());
        for (std::size_t i = 0; i < places_[page].size(); ++i) {
            const TilePlaces& places = places_[page][i];
            writer.copy(*places.store, places.offsets,
                        control.part(static_cast<double>(page) * share + static_cast<double>(i) * part, part));
        }
    }
}

void TiledTiff::commit() { pending_->commit(); }

void writeTiledTiff(const std::filesystem::path& path, std::span<const TiledPage> pages, const JobControl& control,
                    std::uint64_t classicBytes) {
    TiledTiff tiff(path, pages, control.part(0, kReducing), classicBytes);
    tiff.copyTiles(control.part(kReducing, 1 - kReducing));
    control.throwIfStopped();
    tiff.commit();
}

std::vector<TileKey> tilesIn(const TileStore& store) {
    std::vector<TileKey> tiles;
    for (std::uint32_t level = 0; level < store.layout().levels(); ++level) {
        for (std::uint64_t number = 0; number < store.layout().tilesAt(level); ++number) {
            if (store.has({level, number})) {
                tiles.push_back({level, number});
            }
        }
    }
    return tiles;
}

TileWriter::TileWriter(const std::filesystem::path& file, std::filesystem::path target)
    : target_(std::move(target)), descriptor_(::open(file.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
        fail(std::strerror(errno));
    }
}

TileWriter::~TileWriter() { ::close(descriptor_); }

void TileWriter::copy(const TileStore& store, std::span<const std::uint64_t> places, const JobControl& control) {
    const std::vector<TileKey> tiles = tilesIn(store);
    if (tiles.size() != places.size()) {
        throw Error(ErrorCode::invalidArgument, "cannot write tiled TIFF: " + target_.string() + ": " +
                                                    std::to_string(places.size()) + " places for " +
                                                    std::to_string(tiles.size()) + " tiles");
    }
    std::atomic<std::size_t> done{0};
    forEachIndex(
        tiles.size(), control,
        [&](std::size_t i) {
            control.throwIfStopped();
            if (places[i] != 0) {
                const std::vector<std::byte> stored = store.readStored(tiles[i]);
                if (writeAt(descriptor_, stored.data(), stored.size(), places[i]) != stored.size()) {
                    fail(std::strerror(errno));
                }
            }
            control.report(static_cast<double>(++done) / static_cast<double>(tiles.size()), "writing");
        },
        1);
}

void TileWriter::sync() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
        fail(std::strerror(errno));
    }
}

void TileWriter::fail(const char* why) const {
    throw Error(ErrorCode::writeFailed, std::string(kWriteTiff) + ": " + target_.string() + ": " + why);
}

} // namespace pollard
