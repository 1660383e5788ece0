#include "core/io/write/file_size_limit.hpp"
#include "core/io/write/tile_support.hpp"

#include "base/compiler.hpp"
#include "formats/tiff/tiles/tiled_tiff.hpp"

#include <algorithm>
#include <numeric>
#include <tbb/task_arena.h>
#include <tiffio.h>

namespace pollard::test {

namespace {

namespace fs = std::filesystem;
using enum TileStore::OpenMode;
constexpr std::uint64_t kJob = 42;

/// A TIFF opened with libtiff.
class OpenTiff {
public:
    explicit OpenTiff(const fs::path& path) : tiff_(TIFFOpen(path.c_str(), "r")) {}
    [[nodiscard]] TIFF* get() const { return tiff_.get(); }

    template <class T> [[nodiscard]] T field(std::uint32_t tag) const {
        T value{};
        TIFFGetFieldDefaulted(get(), tag, &value);
        return value;
    }
    [[nodiscard]] bool has(std::uint32_t tag) const {
        void* first = nullptr;
        void* second = nullptr;
        return TIFFGetField(get(), tag, &first, &second) == 1;
    }
    /// All pixels of the current directory.
    [[nodiscard]] Grid grid(const TileLayout& layout) const {
        Grid grid{field<std::uint32_t>(TIFFTAG_IMAGEWIDTH), field<std::uint32_t>(TIFFTAG_IMAGELENGTH), {}};
        grid.values.resize(std::size_t{grid.width} * grid.height);
        std::vector<std::byte> tile(layout.tileBytes());
        for (std::uint32_t y = 0; y < grid.height; ++y) {
            for (std::uint32_t x = 0; x < grid.width; x += layout.side) {
                EXPECT_GT(TIFFReadTile(get(), tile.data(), x, y, 0, 0), 0);
                const auto row = valuesOf(tile.data() + y % layout.side * layout.rowBytes(),
                                          std::min(layout.side, grid.width - x), layout);
                std::copy(row.begin(), row.end(), grid.values.begin() + std::ptrdiff_t{y} * grid.width + x);
            }
        }
        return grid;
    }

private:
    struct Close {
        void operator()(TIFF* tiff) const { TIFFClose(tiff); }
    };
    std::unique_ptr<TIFF, Close> tiff_;
};

/// Half the sides, by the definition.
Grid reducedOf(const Grid& grid, bool means) {
    Grid half{(grid.width + 1) / 2, (grid.height + 1) / 2, {}};
    for (std::uint32_t y = 0; y < half.height; ++y) {
        for (std::uint32_t x = 0; x < half.width; ++x) {
            UInt128 sum = 0;
            unsigned count = 0;
            for (std::uint32_t v = 2 * y; v < std::min(2 * y + 2, grid.height); ++v) {
                for (std::uint32_t u = 2 * x; u < std::min(2 * x + 2, grid.width); ++u) {
                    sum += grid.at(u, v);
                    ++count;
                }
            }
            half.values.push_back(means ? static_cast<std::uint64_t>((sum * 2 + count) / (2 * count))
                                        : grid.at(2 * x, 2 * y));
        }
    }
    return half;
}

/// Writes an image from one store, which also takes the reduced versions.
/// Writes a page.
void writePage(const fs::path& path, std::span<const TileStore* const> stores, TileStore& reduced,
               const PlaneFacts& facts = {}, const JobControl& control = {},
               std::uint64_t classicBytes = kClassicTiffBytes) {
    const TiledPage page{stores, &reduced, facts};
    writeTiledTiff(path, {&page, 1}, control, classicBytes);
}

void writeGrid(const TempDir& dir, const TileLayout& layout, const Grid& grid, const PlaneFacts& facts = {},
               const JobControl& control = {}, std::uint64_t classicBytes = kClassicTiffBytes) {
    TileStore store(dir / "store", layout, kJob, create);
    putAll(store, grid);
    const TileStore* stores[] = {&store};
    writePage(dir / "out.tif", stores, store, facts, control, classicBytes);
}

/// Compares all levels with the definition.
void expectLevels(const fs::path& path, const TileLayout& layout, Grid expected, bool means) {
    const OpenTiff tiff(path);
    ASSERT_NE(tiff.get(), nullptr);
    for (std::uint32_t level = 0; level < layout.levels(); ++level) {
        ASSERT_EQ(TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(level)), 1);
        EXPECT_EQ(tiff.grid(layout), expected) << "level " << level;
        expected = reducedOf(expected, means);
    }
    EXPECT_EQ(TIFFNumberOfDirectories(tiff.get()), layout.levels());
}

TEST(TiledTiff, HasAllDepthsCompressionsAndSizes) {
    const TempDir dir;
    for (const TiffCompression compression : {TiffCompression::none, TiffCompression::deflate, TiffCompression::zstd}) {
        for (const int bits : {8, 16, 32, 64}) {
            for (const auto& [width, height] :
                 {std::pair{1U, 1U}, {1U, 33U}, {70U, 1U}, {16U, 16U}, {17U, 16U}, {64U, 32U}, {101U, 67U}}) {
                const TileLayout layout{width, height, bits, 16, compression};
                if (!isAvailable(compression)) {
                    continue;
                }
                const Grid grid = randomGrid(layout);
                for (const bool means : {true, false}) {
                    writeGrid(dir, layout, grid, {.means = means});
                    expectLevels(dir / "out.tif", layout, grid, means);
                }
            }
        }
    }
}

TEST(TiledTiff, HasReducedVersionsInSubdirectoriesIfOmeXmlDescribesIt) {
    const TempDir dir;
    const TileLayout layout{101, 67, 8, 16};
    for (const bool onMap : {false, true}) {
        PlaneFacts facts;
        facts.scene.channel = "DAPI";
        if (onMap) {
            facts.carried = {CopiedTag{33922, TIFF_DOUBLE, 6, std::vector<std::byte>(6 * sizeof(double))}};
        }
        Grid grid = randomGrid(layout);
        writeGrid(dir, layout, grid, facts);
        const OpenTiff tiff(dir / "out.tif");
        ASSERT_NE(tiff.get(), nullptr);
        EXPECT_EQ(TIFFNumberOfDirectories(tiff.get()), onMap ? layout.levels() : 1U);
        EXPECT_EQ(tiff.has(TIFFTAG_SUBIFD), !onMap);
        for (std::uint32_t level = 0; level < layout.levels(); ++level) {
            ReadOptions read;
            read.level = static_cast<int>(level);
            const LoadedImage loaded = readImage(dir / "out.tif", read);
            ASSERT_EQ(loaded.info.levels.size(), layout.levels());
            EXPECT_EQ(loaded.info.pages, 1);
            for (std::size_t i = 0; i < grid.values.size(); ++i) {
                ASSERT_EQ(loaded.image->level(i), grid.values[i]) << level;
            }
            grid = reducedOf(grid, true);
        }
    }
}

TEST(TiledTiff, RoundsMeansOfTheLargestValuesRight) {
    const TempDir dir;
    for (const int bits : {8, 16, 32, 64}) {
        const TileLayout layout{33, 33, bits, 16};
        Grid grid = randomGrid(layout);
        for (std::uint64_t& value : grid.values) {
            value = (~std::uint64_t{0} >> (64 - bits)) - value % 2;
        }
        writeGrid(dir, layout, grid);
        expectLevels(dir / "out.tif", layout, grid, true);
    }
}

TEST(TiledTiff, MeansLeaveOutPixelsWithoutData) {
    constexpr std::uint64_t kNone = 3;
    const TempDir dir;
    for (const int bits : {8, 16, 32}) {
        TileLayout layout{37, 33, bits, 16};
        layout.noData = kNone;
        Grid grid = randomGrid(layout);
        for (std::uint64_t& value : grid.values) {
            value = value % 5 == 0 ? kNone : value % 7;
        }
        writeGrid(dir, layout, grid);
        const OpenTiff tiff(dir / "out.tif");
        ASSERT_EQ(TIFFSetDirectory(tiff.get(), 1), 1);
        const Grid half = tiff.grid(layout);
        for (std::uint32_t y = 0; y < half.height; ++y) {
            for (std::uint32_t x = 0; x < half.width; ++x) {
                std::vector<std::uint64_t> values;
                for (const auto& [dx, dy] : {std::pair{0U, 0U}, {1U, 0U}, {0U, 1U}, {1U, 1U}}) {
                    const std::uint64_t value =
                        grid.at(std::min(2 * x + dx, grid.width - 1), std::min(2 * y + dy, grid.height - 1));
                    if (value != kNone) {
                        values.push_back(value);
                    }
                }
                const std::uint64_t sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
                const std::uint64_t mean = values.empty() ? kNone : (sum + values.size() / 2) / values.size();
                EXPECT_EQ(half.at(x, y), mean == kNone && !values.empty() ? values.front() : mean);
            }
        }
    }
}

TEST(TiledTiff, IsReadByRegionAndLevel) {
    const TempDir dir;
    for (const TiffCompression compression : {TiffCompression::none, TiffCompression::deflate}) {
        for (const int bits : {8, 16}) {
            const TileLayout layout{301, 203, bits, 64, compression};
            Grid grid = randomGrid(layout);
            writeGrid(dir, layout, grid);
            for (std::uint32_t level = 0; level < layout.levels(); ++level) {
                ReadOptions options;
                options.level = static_cast<int>(level);
                const LoadedImage loaded = readImage(dir / "out.tif", options);
                EXPECT_EQ(loaded.info.levels.size(), layout.levels());
                EXPECT_EQ(loaded.info.pages, 1);
                ASSERT_EQ(loaded.image->width(), grid.width);
                ASSERT_EQ(loaded.image->height(), grid.height);
                options.region = PixelRegion{grid.width / 3, grid.height / 4, grid.width / 2, grid.height / 2};
                const LoadedImage part = readImage(dir / "out.tif", options);
                for (std::uint32_t y = 0; y < grid.height; ++y) {
                    for (std::uint32_t x = 0; x < grid.width; ++x) {
                        ASSERT_EQ(loaded.image->level(std::size_t{y} * grid.width + x), grid.at(x, y));
                    }
                }
                for (std::uint32_t y = 0; y < options.region->height; ++y) {
                    for (std::uint32_t x = 0; x < options.region->width; ++x) {
                        ASSERT_EQ(part.image->level(std::size_t{y} * options.region->width + x),
                                  grid.at(options.region->x + x, options.region->y + y));
                    }
                }
                grid = reducedOf(grid, true);
            }
        }
    }
}

TEST(TiledTiff, HasItsDirectoriesFirstAndTheSmallestVersionBeforeTheOthers) {
    const TempDir dir;
    const TileLayout layout{300, 200, 8, 16};
    for (const std::uint64_t classicBytes : {kClassicTiffBytes, std::uint64_t{0}}) {
        writeGrid(dir, layout, randomGrid(layout), {}, {}, classicBytes);
        const std::uint64_t size = fs::file_size(dir / "out.tif");
        const OpenTiff tiff(dir / "out.tif");
        EXPECT_EQ(TIFFIsBigTIFF(tiff.get()) != 0, classicBytes == 0);
        std::uint64_t directoriesEnd = 0;
        std::uint64_t end = 0; // of the tiles so far
        for (std::uint32_t level = layout.levels(); level-- > 0;) {
            ASSERT_EQ(TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(level)), 1);
            directoriesEnd = std::max(directoriesEnd, TIFFCurrentDirOffset(tiff.get()));
            EXPECT_EQ(tiff.field<std::uint32_t>(TIFFTAG_SUBFILETYPE), level == 0 ? 0U : 1U);
            const std::uint32_t tiles = TIFFNumberOfTiles(tiff.get());
            ASSERT_EQ(tiles, layout.tilesAt(level));
            for (std::uint32_t tile = 0; tile < tiles; ++tile) {
                const std::uint64_t offset = TIFFGetStrileOffset(tiff.get(), tile);
                EXPECT_TRUE(end == 0 || offset == end) << level << ' ' << tile;
                if (end == 0) {
                    EXPECT_LT(offset, 9000U); // the tables take 16 bytes per tile
                    end = offset;
                }
                end += TIFFGetStrileByteCount(tiff.get(), tile);
            }
        }
        EXPECT_EQ(end, size);
        EXPECT_LT(directoriesEnd, TIFFGetStrileOffset(tiff.get(), 0));
        const OpenTiff again(dir / "out.tif");
        TIFFSetDirectory(again.get(), static_cast<tdir_t>(layout.levels() - 1));
        EXPECT_LT(directoriesEnd, TIFFGetStrileOffset(again.get(), 0));
    }
}

CopiedTag doubles(std::uint16_t tag, const std::vector<double>& values) {
    CopiedTag carried{tag, TIFF_DOUBLE, values.size(), std::vector<std::byte>(values.size() * sizeof(double))};
    std::memcpy(carried.data.data(), values.data(), carried.data.size());
    return carried;
}

TEST(TiledTiff, DescribesTheImageInTheFirstDirectoryAlone) {
    const TempDir dir;
    const TileLayout layout{300, 200, 16, 64};
    PlaneFacts facts;
    facts.carried = {doubles(33550, {10.5, 10.5, 0}), doubles(33922, {0, 0, 0, 440720.5, 100000, 0})};
    facts.scene.pixelSize = PixelSize{0.25, 0.25, "µm", ""};
    writeGrid(dir, layout, randomGrid(layout), facts);
    const OpenTiff tiff(dir / "out.tif");
    for (std::uint32_t level = 0; level < layout.levels(); ++level) {
        ASSERT_EQ(TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(level)), 1);
        EXPECT_EQ(tiff.has(33550), level == 0);
        EXPECT_EQ(tiff.has(TIFFTAG_IMAGEDESCRIPTION), level == 0);
        EXPECT_EQ(tiff.has(TIFFTAG_SOFTWARE), level == 0);
    }
    const ImageInfo info = readImageInfo(dir / "out.tif");
    for (const CopiedTag& tag : facts.carried) {
        EXPECT_NE(std::ranges::find(info.carried, tag), info.carried.end()) << tag.tag;
    }
    ASSERT_TRUE(info.pixelSize);
    EXPECT_EQ(info.pixelSize->x, 0.25);
    EXPECT_EQ(info.pixelSize->unit, "µm");
}

TEST(TiledTiff, HasTheSameBytesFromAnyOrderThreadsAndStores) {
    const TempDir dir;
    const TileLayout layout{300, 200, 8, 32};
    const Grid grid = randomGrid(layout);
    const auto image = bytesOf(grid, layout);
    writeGrid(dir, layout, grid);
    const std::string expected = readBytes(dir / "out.tif");
    std::mt19937 random(5);
    for (const int threads : {1, 2, 4}) {
        std::vector<std::uint64_t> numbers(layout.tilesAt(0));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = i;
        }
        std::shuffle(numbers.begin(), numbers.end(), random);
        tbb::task_arena arena(threads);
        arena.execute([&] {
            TileStore first(dir / "first", layout, kJob, create);
            TileStore second(dir / "second", layout, kJob, create);
            TileStore reduced(dir / "reduced", layout, kJob, create);
            for (const std::uint64_t number : numbers) {
                putPart(random() % 2 == 0 ? first : second, image, layout.regionOf({0, number}));
            }
            const TileStore* stores[] = {&first, &second};
            writePage(dir / "out.tif", stores, reduced);
        });
        EXPECT_EQ(readBytes(dir / "out.tif"), expected) << threads << " threads";
    }
}

TEST(TiledTiff, HasTheSameBytesFromSeveralWriters) {
    const TempDir dir;
    for (const TileLayout layout : {TileLayout{300, 200, 8, 32}, TileLayout{70, 1, 16, 16, TiffCompression::none}}) {
        const Grid grid = randomGrid(layout);
        const auto image = bytesOf(grid, layout);
        writeGrid(dir, layout, grid);
        const std::string expected = readBytes(dir / "out.tif");
        fs::remove(dir / "out.tif");
        TileStore left(dir / "left", layout, kJob, create);
        TileStore right(dir / "right", layout, kJob, create);
        const std::uint32_t seam = layout.width > 100 ? 160 : 32;
        putPart(left, image, {0, 0, seam, layout.height});
        putPart(right, image, {seam, 0, layout.width - seam, layout.height});
        for (TileStore* store : {&left, &right}) {
            reduceCompleteTiles(*store, true);
            EXPECT_EQ(store->count(1) > 0, layout.levels() > 1);
            EXPECT_EQ(store->count(layout.levels() - 1), 0U);
        }
        const TileStore* stores[] = {&left, &right};
        const TiledPage page{stores, &left, {}};
        TiledTiff tiff(dir / "out.tif", {&page, 1}, {});
        ASSERT_EQ(tiff.places(0).size(), 2U);
        for (const TilePlaces& places : tiff.places(0)) {
            TileWriter writer(tiff.temporary(), dir / "out.tif");
            writer.copy(*places.store, places.offsets, {});
            writer.sync();
        }
        EXPECT_FALSE(fs::exists(dir / "out.tif"));
        tiff.commit();
        EXPECT_TRUE(readBytes(dir / "out.tif") == expected);
    }
}

TEST(TiledTiff, RefusesPlacesOfAnotherStore) {
    const TempDir dir;
    const TileLayout layout{64, 32, 8, 16};
    TileStore store(dir / "store", layout, kJob, create);
    putAll(store, randomGrid(layout));
    writeBytes(dir / "file", "");
    TileWriter writer(dir / "file", dir / "out.tif");
    const std::vector<std::uint64_t> places(layout.tilesAt(0) + 1, 8);
    const Error error = errorOf([&] { writer.copy(store, places, {}); });
    EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
    EXPECT_NE(std::string(error.what()).find("out.tif: 9 places for 8 tiles"), std::string::npos) << error.what();
    EXPECT_EQ(errorOf([&] { TileWriter(dir / "none", dir / "out.tif"); }).code(), ErrorCode::writeFailed);
}

TEST(TiledTiff, ContinuesWithTheReducedTilesOfAStoppedJob) {
    const TempDir dir;
    const TileLayout layout{300, 200, 8, 16};
    const Grid grid = randomGrid(layout);
    writeGrid(dir, layout, grid);
    const std::string expected = readBytes(dir / "out.tif");
    for (const double at : {0.05, 0.3, 0.58, 0.7, 0.95}) {
        fs::remove(dir / "out.tif");
        {
            TileStore store(dir / "store", layout, kJob, create);
            putAll(store, grid);
            const TileStore* stores[] = {&store};
            std::stop_source stop;
            const JobControl control(stop.get_token(), [&](double fraction, std::string_view) {
                EXPECT_LE(fraction, 1.0);
                if (fraction > at) {
                    stop.request_stop();
                }
            });
            EXPECT_THROW(writePage(dir / "out.tif", stores, store, {}, control), Cancelled);
            EXPECT_EQ(dir.entries(), 2U); // the files of the store
        }
        TileStore store(dir / "store", layout, kJob, resume);
        EXPECT_GT(store.count(1), 0U);
        const TileStore* stores[] = {&store};
        writePage(dir / "out.tif", stores, store);
        EXPECT_EQ(readBytes(dir / "out.tif"), expected);
    }
}

TEST(TiledTiff, NamesTilesThatAreMissingOrTwice) {
    const TempDir dir;
    const TileLayout layout{100, 70, 8, 16};
    const Grid grid = randomGrid(layout);
    TileStore first(dir / "first", layout, kJob, create);
    TileStore second(dir / "second", layout, kJob, create);
    const TileStore* stores[] = {&first, &second};
    const auto image = bytesOf(grid, layout);
    putPart(first, image, {0, 0, 100, 32});
    putPart(second, image, {0, 32, 48, 38});
    putPart(second, image, {64, 32, 36, 38});
    const auto message = [&] {
        const Error error = errorOf([&] { writePage(dir / "out.tif", stores, second); });
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        return std::string(error.what());
    };
    EXPECT_NE(message().find("the tile in column 3 and row 2 is in no store"), std::string::npos) << message();
    putPart(second, image, {48, 32, 16, 38});
    putPart(second, image, {16, 16, 16, 16});
    EXPECT_NE(message().find("the tile in column 1 and row 1 is in 2 stores"), std::string::npos) << message();
    TileStore other(dir / "other", {100, 70, 8, 32}, kJob, create);
    EXPECT_EQ(errorOf([&] { writePage(dir / "out.tif", stores, other); }).code(), ErrorCode::invalidArgument);
    EXPECT_FALSE(fs::exists(dir / "out.tif"));
    EXPECT_EQ(dir.entries(), 6U);
}

TEST(TiledTiff, LeavesTheOldFileWhenTheDiskIsFull) {
    const TempDir dir;
    const TileLayout layout{300, 200, 16, 16};
    TileStore store(dir / "store", layout, kJob, create);
    putAll(store, randomGrid(layout));
    const TileStore* stores[] = {&store};
    reduceCompleteTiles(store, true);
    writeBytes(dir / "out.tif", "old");
    for (const rlim_t limit : {0, 4, 100, 1000, 5000, 20000, 100000}) {
        const FileSizeLimit full(limit);
        const Error error = errorOf([&] { writePage(dir / "out.tif", stores, store); });
        EXPECT_EQ(error.code(), ErrorCode::writeFailed);
        EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
        EXPECT_EQ(readBytes(dir / "out.tif"), "old");
        EXPECT_EQ(dir.entries(), 3U);
    }
    TileStore reduced(dir / "reduced", layout, kJob, create);
    const FileSizeLimit full(2000);
    EXPECT_EQ(errorOf([&] { writePage(dir / "out.tif", stores, reduced); }).code(), ErrorCode::writeFailed);
    EXPECT_EQ(readBytes(dir / "out.tif"), "old");
}

TEST(TiledTiff, ReportsDamagedTiles) {
    const TempDir dir;
    const TileLayout layout{100, 70, 8, 16};
    TileStore store(dir / "store", layout, kJob, create);
    putAll(store, randomGrid(layout));
    std::string tiles = readBytes(dir / "store.tiles");
    tiles[10] = static_cast<char>(tiles[10] ^ 1);
    std::fstream(dir / "store.tiles", std::ios::in | std::ios::out | std::ios::binary)
        .write(tiles.data(), static_cast<std::streamsize>(tiles.size()));
    const TileStore* stores[] = {&store};
    const Error error = errorOf([&] { writePage(dir / "out.tif", stores, store); });
    EXPECT_EQ(error.code(), ErrorCode::fileDamaged);
    EXPECT_NE(std::string(error.what()).find("tile 0 of level 0"), std::string::npos) << error.what();
    EXPECT_EQ(dir.entries(), 2U);
}

TEST(TiledTiff, HasPagesEachFollowedByItsReducedVersions) {
    const TempDir dir;
    const TileLayout layout{101, 67, 8, 16};
    constexpr std::uint32_t kPages = 3;
    std::vector<Grid> grids;
    std::vector<std::unique_ptr<TileStore>> stores;
    std::vector<const TileStore*> tiles;
    for (std::uint32_t page = 0; page < kPages; ++page) {
        grids.push_back(randomGrid(layout, page + 1));
        stores.push_back(std::make_unique<TileStore>(dir / ("store" + std::to_string(page)), layout, kJob, create));
        putAll(*stores.back(), grids.back());
        tiles.push_back(stores.back().get());
    }
    std::vector<TiledPage> pages;
    for (std::uint32_t page = 0; page < kPages; ++page) {
        pages.push_back({{&tiles[page], 1}, stores[page].get(), {}});
    }
    writeTiledTiff(dir / "out.tif", pages);
    EXPECT_EQ(readImageInfo(dir / "out.tif").pages, 3);
    const OpenTiff tiff(dir / "out.tif");
    EXPECT_EQ(TIFFNumberOfDirectories(tiff.get()), kPages * layout.levels());
    for (std::uint32_t page = 0; page < kPages; ++page) {
        for (std::uint32_t level = 0; level < layout.levels(); ++level) {
            ASSERT_EQ(TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(page * layout.levels() + level)), 1);
            EXPECT_EQ(tiff.grid(layout), grids[page]) << "page " << page << ", level " << level;
            ReadOptions options;
            options.page = static_cast<int>(page);
            options.level = static_cast<int>(level);
            const LoadedImage loaded = readImage(dir / "out.tif", options);
            EXPECT_EQ(loaded.image->level(0), grids[page].at(0, 0));
            EXPECT_EQ(loaded.info.levels.size(), layout.levels());
            grids[page] = reducedOf(grids[page], true);
        }
    }
    EXPECT_THROW(writeTiledTiff(dir / "none.tif", {}), Error);
}

} // namespace

} // namespace pollard::test
