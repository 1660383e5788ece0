#include "core/io/write/file_size_limit.hpp"
#include "core/io/write/tile_support.hpp"

#include "formats/tiff/tiles/tile_store.hpp"

#include <array>
#include <tbb/task_arena.h>
#include <thread>
#include <zlib.h>

namespace pollard::test {

namespace {

namespace fs = std::filesystem;
using enum TileStore::OpenMode;

constexpr std::uint64_t kJob = 0x1234'5678'9abc'def0;

/// 32 bytes of the index, as TileStore writes them.
struct IndexEntry {
    std::uint32_t level;
    std::uint32_t bytes;
    std::uint64_t number;
    std::uint64_t offset;
    std::uint32_t bytesChecksum;
    std::uint32_t checksum;
};
constexpr std::size_t kHeaderBytes = 48;

TileLayout small(std::uint32_t width = 100, std::uint32_t height = 70) { return {width, height, 8, 16}; }

std::vector<TiffCompression> codecs() {
    std::vector<TiffCompression> codecs = {TiffCompression::none, TiffCompression::deflate};
    if (isAvailable(TiffCompression::zstd)) {
        codecs.push_back(TiffCompression::zstd);
    }
    return codecs;
}

/// The tiles of an image as regions.
std::vector<PixelRegion> tileRegions(const TileLayout& layout) {
    std::vector<PixelRegion> regions;
    for (std::uint64_t number = 0; number < layout.tilesAt(0); ++number) {
        regions.push_back(layout.regionOf({0, number}));
    }
    return regions;
}

TEST(TileLayout, HalvesUntilOneTileHoldsTheImage) {
    EXPECT_EQ((TileLayout{1, 1}.levels()), 1U);
    EXPECT_EQ((TileLayout{512, 512}.levels()), 1U);
    EXPECT_EQ((TileLayout{513, 1}.levels()), 2U);
    const TileLayout huge{1'000'000, 999'999};
    EXPECT_EQ(huge.levels(), 12U);
    EXPECT_EQ(huge.tilesAt(0), 1954U * 1954U);
    std::uint32_t width = huge.width;
    std::uint32_t height = huge.height;
    for (std::uint32_t level = 0; level < huge.levels(); ++level) {
        EXPECT_EQ(huge.widthAt(level), width);
        EXPECT_EQ(huge.heightAt(level), height);
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    EXPECT_EQ(huge.tilesAt(11), 1U);
    EXPECT_EQ((small().regionOf({0, 6 + 7})), (PixelRegion{96, 16, 4, 16}));
    EXPECT_EQ((small().regionOf({0, 28})), (PixelRegion{0, 64, 16, 6}));
}

TEST(TileLayout, NamesWhatIsImpossible) {
    EXPECT_EQ(small().problem(), "");
    EXPECT_NE((TileLayout{0, 5}.problem()), "");
    EXPECT_NE((TileLayout{5, 0x8000'0000}.problem()), "");
    EXPECT_NE((TileLayout{5, 5, 12}.problem()), "");
    EXPECT_NE((TileLayout{5, 5, 8, 24}.problem()), "");
    EXPECT_NE((TileLayout{5, 5, 8, 0}.problem()), "");
    EXPECT_NE((TileLayout{5, 5, 8, 16, TiffCompression::deflate, 10}.problem()), "");
    EXPECT_NE((TileLayout{2'000'000'000, 2'000'000'000, 8, 16}.problem()), "");
}

TEST(TileStore, RoundTripsAllDepthsCompressionsAndSizes) {
    const TempDir dir;
    for (const TiffCompression compression : codecs()) {
        for (const int bits : {8, 16, 32, 64}) {
            for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 50U}, {50U, 1U}, {16U, 32U}, {101U, 67U}}) {
                const TileLayout layout{width, height, bits, 32, compression};
                const Grid grid = randomGrid(layout);
                TileStore store(dir / "store", layout, kJob, create);
                putAll(store, grid);
                EXPECT_EQ(gridOf(store), grid) << bits << " bits, " << width << " x " << height;
                EXPECT_EQ(store.count(), layout.tilesAt(0));
            }
        }
    }
}

TEST(TileStore, FillsTilesAtTheEdgeWithTheLastColumnAndRow) {
    const TempDir dir;
    const TileLayout layout{3, 2, 16, 16};
    TileStore store(dir / "store", layout, kJob, create);
    const std::array<std::uint16_t, 8> pixels = {1, 2, 3, 99, 4, 5, 6, 99};
    store.put({0, 0, 3, 2}, pixels.data(), 8);
    std::vector<std::byte> tile(layout.tileBytes());
    store.read({0, 0}, tile);
    const auto values = valuesOf(tile.data(), 256, layout);
    for (std::uint32_t i = 0; i < 256; ++i) {
        EXPECT_EQ(values[i], std::min(i % 16, 2U) + (i < 16 ? 1 : 4));
    }
}

TEST(TileStore, HasTheSameBytesForARegionOnAnyNumberOfThreads) {
    const TempDir dir;
    const Grid grid = randomGrid(small());
    for (const int threads : {1, 2, 5}) {
        tbb::task_arena arena(threads);
        arena.execute([&] {
            TileStore store(dir / std::to_string(threads), small(), kJob, create);
            putAll(store, grid);
        });
        EXPECT_EQ(readBytes(dir / std::to_string(threads)), readBytes(dir / "1"));
        EXPECT_EQ(readBytes(dir / (std::to_string(threads) + ".tiles")), readBytes(dir / "1.tiles"));
    }
}

TEST(TileStore, TakesTilesFromSeveralThreadsInAnyOrder) {
    const TempDir dir;
    const Grid grid = randomGrid(small());
    const auto image = bytesOf(grid, small());
    auto regions = tileRegions(small());
    std::shuffle(regions.begin(), regions.end(), std::mt19937(3));
    TileStore store(dir / "store", small(), kJob, create);
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < 3; ++first) {
        threads.emplace_back([&, first] {
            for (std::size_t i = first; i < regions.size(); i += 3) {
                putPart(store, image, regions[i]);
                if (i % 7 == 0) {
                    store.flush();
                }
            }
        });
    }
    threads.clear();
    EXPECT_EQ(gridOf(store), grid);
}

TEST(TileStore, ReplacesTilesAndKeepsOtherLevelsApart) {
    const TempDir dir;
    {
        TileStore store(dir / "store", small(), kJob, create);
        putAll(store, randomGrid(small(), 1));
        putAll(store, randomGrid(small(), 2));
        std::vector<std::byte> half(50 * 35, std::byte{7});
        store.put({0, 0, 50, 35}, half.data(), 50, {}, 1);
        EXPECT_EQ(store.count(1), small().tilesAt(1));
        EXPECT_FALSE(store.has({2, 0}));
        EXPECT_EQ(store.storedBytes({2, 0}), 0U);
        EXPECT_FALSE(store.has({9, 0}));
    }
    const TileStore store(dir / "store", small(), kJob, resume);
    EXPECT_EQ(gridOf(store), randomGrid(small(), 2));
    EXPECT_EQ(gridOf(store, 1).values, std::vector<std::uint64_t>(50 * 35, 7));
}

TEST(TileStore, RefusesRegionsThatAreNoWholeTiles) {
    const TempDir dir;
    TileStore store(dir / "store", small(), kJob, create);
    const std::vector<std::byte> pixels(100 * 70);
    for (const PixelRegion& region : {PixelRegion{1, 0, 15, 16},
                                      {0, 0, 15, 16},
                                      {0, 0, 0, 16},
                                      {0, 16, 16, 0},
                                      {96, 0, 16, 16},
                                      {112, 0, 16, 16},
                                      {0, 64, 16, 5},
                                      {0xffff'fff0, 0, 32, 16}}) {
        const Error error = errorOf([&] { store.put(region, pixels.data(), 100); });
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        EXPECT_NE(std::string(error.what()).find((dir / "store").string()), std::string::npos) << error.what();
    }
    EXPECT_EQ(errorOf([&] {
                  store.put({0, 0, 100, 70}, pixels.data(), 100, {}, 4);
              }).code(),
              ErrorCode::invalidArgument);
    EXPECT_EQ(errorOf([&] { store.putTile({0, 35}, pixels.data(), 100); }).code(), ErrorCode::invalidArgument);
    EXPECT_EQ(store.count(), 0U);
    EXPECT_EQ(errorOf([&] { (void)store.readStored({0, 1}); }).code(), ErrorCode::invalidArgument);
}

TEST(TileStore, StopsBetweenTiles) {
    const TempDir dir;
    TileStore store(dir / "store", small(), kJob, create);
    std::stop_source stop;
    stop.request_stop();
    const auto image = bytesOf(randomGrid(small()), small());
    EXPECT_THROW(putPart(store, image, {0, 0, 100, 70}, JobControl(stop.get_token())), Cancelled);
    putPart(store, image, {0, 0, 100, 70});
    EXPECT_EQ(gridOf(store), randomGrid(small()));
}

/// Writes a store with some flushes and returns the bytes of its files.
std::pair<std::string, std::string> filesOfStore(const TempDir& dir, const Grid& grid, int flushes) {
    {
        TileStore store(dir / "store", small(40, 40), kJob, create);
        const auto image = bytesOf(grid, small(40, 40));
        const auto regions = tileRegions(small(40, 40));
        for (std::size_t i = 0; i < regions.size(); ++i) {
            putPart(store, image, regions[i]);
            if (static_cast<int>(i) < flushes) {
                store.flush();
            }
        }
    }
    return {readBytes(dir / "store"), readBytes(dir / "store.tiles")};
}

/// Opens the store, adds the missing tiles and compares the image.
void expectCompletion(const TempDir& dir, const Grid& grid, std::uint64_t atLeast) {
    const TileLayout layout = small(40, 40);
    const auto image = bytesOf(grid, layout);
    {
        TileStore store(dir / "store", layout, kJob, resume);
        EXPECT_GE(store.count(), atLeast);
        for (std::uint64_t number = 0; number < layout.tilesAt(0); ++number) {
            if (!store.has({0, number})) {
                putPart(store, image, layout.regionOf({0, number}));
            }
        }
        EXPECT_EQ(gridOf(store), grid);
    }
    const TileStore again(dir / "store", layout, kJob, resume);
    EXPECT_EQ(gridOf(again), grid);
}

TEST(TileStore, ContinuesAfterACutOfTheIndexAtAnyByte) {
    const TempDir dir;
    const Grid grid = randomGrid(small(40, 40));
    const auto [index, tiles] = filesOfStore(dir, grid, 0);
    for (std::size_t bytes = 0; bytes <= index.size(); ++bytes) {
        writeBytes(dir / "store", index.substr(0, bytes));
        writeBytes(dir / "store.tiles", tiles);
        if (bytes > 0 && bytes < kHeaderBytes) {
            const Error error = errorOf([&] { TileStore(dir / "store", small(40, 40), kJob, resume); });
            EXPECT_EQ(error.code(), bytes < 8 ? ErrorCode::formatUnknown : ErrorCode::fileDamaged);
        } else {
            const std::size_t whole = bytes == 0 ? 0 : (bytes - kHeaderBytes) / sizeof(IndexEntry);
            expectCompletion(dir, grid, whole);
            EXPECT_EQ(readBytes(dir / "store"), index);
            EXPECT_EQ(readBytes(dir / "store.tiles"), tiles);
        }
    }
}

TEST(TileStore, ContinuesAfterACutOfTheTilesAtAnyByte) {
    const TempDir dir;
    const Grid grid = randomGrid(small(40, 40));
    for (const int flushes : {0, 3, 9}) {
        const auto [index, tiles] = filesOfStore(dir, grid, flushes);
        for (std::size_t bytes = 0; bytes <= tiles.size(); bytes += 11) {
            writeBytes(dir / "store", index);
            writeBytes(dir / "store.tiles", tiles.substr(0, bytes));
            expectCompletion(dir, grid, 0);
            EXPECT_EQ(readBytes(dir / "store.tiles"), tiles);
        }
    }
}

TEST(TileStore, ContinuesAfterDamageBehindTheLastFlush) {
    const TempDir dir;
    const Grid grid = randomGrid(small(40, 40));
    const auto [index, tiles] = filesOfStore(dir, grid, 3);
    std::uint64_t flushed = 0;
    {
        TileStore store(dir / "store", small(40, 40), kJob, resume);
        flushed = store.storedBytes({0, 0}) + store.storedBytes({0, 1}) + store.storedBytes({0, 2});
    }
    for (std::size_t at = flushed; at < tiles.size(); at += 13) {
        std::string damaged = tiles;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        writeBytes(dir / "store", index);
        writeBytes(dir / "store.tiles", damaged);
        expectCompletion(dir, grid, 3);
    }
    std::string damaged = tiles;
    damaged[0] = static_cast<char>(damaged[0] ^ 1);
    writeBytes(dir / "store", index);
    writeBytes(dir / "store.tiles", damaged);
    const TileStore store(dir / "store", small(40, 40), kJob, resume);
    EXPECT_EQ(errorOf([&] { (void)store.readStored({0, 0}); }).code(), ErrorCode::fileDamaged);
}

TEST(TileStore, ContinuesAfterDamageAnywhereInTheIndex) {
    const TempDir dir;
    const Grid grid = randomGrid(small(40, 40));
    const auto [index, tiles] = filesOfStore(dir, grid, 2);
    for (std::size_t at = kHeaderBytes; at < index.size(); at += 3) {
        std::string damaged = index;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        writeBytes(dir / "store", damaged);
        writeBytes(dir / "store.tiles", tiles);
        expectCompletion(dir, grid, 0);
    }
}

TEST(TileStore, RefusesOtherJobsLayoutsAndFiles) {
    const TempDir dir;
    const auto [index, tiles] = filesOfStore(dir, randomGrid(small(40, 40)), 0);
    const auto codeFor = [&](const TileLayout& layout, std::uint64_t job) {
        const Error error = errorOf([&] { TileStore(dir / "store", layout, job, resume); });
        EXPECT_NE(std::string(error.what()).find("cannot open tile store: " + (dir / "store").string()),
                  std::string::npos)
            << error.what();
        return error.code();
    };
    EXPECT_EQ(codeFor(small(40, 40), kJob + 1), ErrorCode::invalidArgument);
    EXPECT_EQ(codeFor(small(40, 41), kJob), ErrorCode::invalidArgument);
    EXPECT_EQ(codeFor({40, 40, 16, 16}, kJob), ErrorCode::invalidArgument);
    EXPECT_EQ(codeFor({40, 40, 8, 32}, kJob), ErrorCode::invalidArgument);
    EXPECT_EQ(codeFor({40, 40, 8, 16, TiffCompression::none}, kJob), ErrorCode::invalidArgument);
    EXPECT_EQ(codeFor({40, 40, 8, 16, TiffCompression::deflate, 2}, kJob), ErrorCode::invalidArgument);
    EXPECT_EQ(codeFor({0, 40}, kJob), ErrorCode::invalidArgument);
    EXPECT_EQ(readBytes(dir / "store"), index);
    EXPECT_EQ(readBytes(dir / "store.tiles"), tiles);
    for (std::size_t at = 0; at < kHeaderBytes; ++at) {
        std::string damaged = index;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        writeBytes(dir / "store", damaged);
        const ErrorCode expected = at < 8                ? ErrorCode::formatUnknown
                                   : at >= 16 && at < 20 ? ErrorCode::formatUnsupported
                                                         : ErrorCode::fileDamaged;
        EXPECT_EQ(codeFor(small(40, 40), kJob), expected) << at;
    }
    writeBytes(dir / "store", "any text that is longer than the header of a store of tiles");
    EXPECT_EQ(codeFor(small(40, 40), kJob), ErrorCode::formatUnknown);
    fs::remove(dir / "store");
    fs::create_directory(dir / "store");
    EXPECT_EQ(codeFor(small(40, 40), kJob), ErrorCode::writeFailed);
    EXPECT_EQ(errorOf([&] { TileStore(dir / "no" / "store", small(), kJob, create); }).code(), ErrorCode::writeFailed);
}

TEST(TileStore, IsOpenOnlyOnce) {
    const TempDir dir;
    {
        const TileStore store(dir / "store", small(), kJob, create);
        EXPECT_EQ(errorOf([&] { TileStore(dir / "store", small(), kJob, resume); }).code(), ErrorCode::invalidArgument);
    }
    { const TileStore store(dir / "store", small(), kJob, resume); }
    TileStore::remove(dir / "store");
    EXPECT_EQ(dir.entries(), 0U);
    TileStore::remove(dir / "store");
}

TEST(TileStore, KeepsItsTilesWhenTheDiskIsFull) {
    const TempDir dir;
    const Grid grid = randomGrid(small());
    TileStore store(dir / "store", small(), kJob, create);
    for (const rlim_t limit : {0, 20, 48, 60, 100, 500, 1000, 3000}) {
        const FileSizeLimit full(limit);
        const Error error = errorOf([&] { putAll(store, grid); });
        EXPECT_EQ(error.code(), ErrorCode::writeFailed);
        EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
        std::vector<std::byte> tile(small().tileBytes());
        for (std::uint64_t number = 0; number < store.count(); ++number) {
            store.read({0, number}, tile);
        }
    }
    putAll(store, grid);
    EXPECT_EQ(gridOf(store), grid);
}

TEST(TileStore, ReadsTilesBehindFourGigabytes) {
    const TempDir dir;
    const Grid grid = randomGrid(small(16, 16));
    {
        TileStore store(dir / "store", small(16, 16), kJob, create);
        putAll(store, grid);
    }
    // A hole before the tile.
    constexpr std::uint64_t kFar = 5'000'000'000;
    const std::string tile = readBytes(dir / "store.tiles");
    std::string index = readBytes(dir / "store");
    fs::resize_file(dir / "store.tiles", kFar);
    std::ofstream(dir / "store.tiles", std::ios::app | std::ios::binary) << tile;
    IndexEntry entry{};
    ASSERT_EQ(index.size(), kHeaderBytes + sizeof entry);
    std::memcpy(&entry, index.data() + kHeaderBytes, sizeof entry);
    entry.offset = kFar;
    entry.checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(&entry), static_cast<uInt>(offsetof(IndexEntry, checksum))));
    std::memcpy(index.data() + kHeaderBytes, &entry, sizeof entry);
    writeBytes(dir / "store", index);
    TileStore store(dir / "store", small(16, 16), kJob, resume);
    EXPECT_EQ(gridOf(store), grid);
    putAll(store, grid);
    EXPECT_EQ(gridOf(store), grid);
    EXPECT_EQ(fs::file_size(dir / "store.tiles"), kFar + 2 * tile.size());
}

TEST(TileStore, IsReadRowByRow) {
    const TempDir dir;
    for (const int bits : {8, 16, 32, 64}) {
        const TileLayout layout{101, 67, bits, 32};
        TileStore store(dir / "store", layout, kJob, create);
        const Grid grid = randomGrid(layout);
        putAll(store, grid);
        const PixelRows rows = pixelRowsOf(store);
        EXPECT_EQ(rows.extent.width, 101U);
        EXPECT_EQ(bitsOf(rows.type), bits);
        const std::vector<std::byte> expected = bytesOf(grid, layout);
        std::vector<std::byte> found(expected.size());
        for (std::uint32_t y = 0; y < layout.height; y += 10) {
            rows.read(y, std::min(10U, layout.height - y), found.data() + y * rows.rowBytes());
        }
        EXPECT_EQ(found, expected);
    }
}

} // namespace

} // namespace pollard::test
