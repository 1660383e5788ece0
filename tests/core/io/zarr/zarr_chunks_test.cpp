#include "support/zarr_memory.hpp"

#include "base/error.hpp"
#include "formats/zarr/zarr_chunks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <stop_token>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;
using Sides = std::vector<std::uint64_t>;

/// The 16-bit sample at a place: different for places of arrays below 65536 samples.
std::uint16_t sampleAt(const Sides& shape, const Sides& place) {
    std::uint64_t index = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        index = index * shape[axis] + place[axis];
    }
    return static_cast<std::uint16_t>(index * 40503 + 1);
}

/// Calls @p take with all places of a box, the last axis fastest.
template <class Take> void forEachPlace(const ZarrBox& box, const Take& take) {
    std::uint64_t count = 1;
    for (const std::uint64_t side : box.count) {
        count *= side;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        Sides place(box.begin.size());
        std::uint64_t rest = i;
        for (std::size_t axis = place.size(); axis-- > 0;) {
            place[axis] = box.begin[axis] + rest % box.count[axis];
            rest /= box.count[axis];
        }
        take(place);
    }
}

/// The uncompressed bytes of a chunk: a walk over the axes in the order of storage.
std::string chunkBytes(const ZarrArray& array, const Sides& numbers) {
    const std::size_t axes = array.shape.size();
    std::vector<std::size_t> order = array.coding.order;
    if (order.empty()) {
        order.resize(axes);
        std::iota(order.begin(), order.end(), std::size_t{0});
    }
    ZarrBox stored{Sides(axes), Sides(axes)};
    for (std::size_t i = 0; i < axes; ++i) {
        stored.count[i] = array.chunk[order[i]];
    }
    std::string bytes;
    forEachPlace(stored, [&](const Sides& at) {
        Sides place(axes);
        bool isInside = true;
        for (std::size_t i = 0; i < axes; ++i) {
            place[order[i]] = numbers[order[i]] * array.chunk[order[i]] + at[i];
            isInside = isInside && place[order[i]] < array.shape[order[i]];
        }
        const std::uint16_t sample = isInside ? sampleAt(array.shape, place) : 0xdead;
        const char low = static_cast<char>(sample & 0xffU);
        const char high = static_cast<char>(sample >> 8U);
        bytes += array.coding.bigEndian ? high : low;
        bytes += array.coding.bigEndian ? low : high;
    });
    return bytes;
}

ZarrBox gridOf(const ZarrArray& array) {
    ZarrBox grid{Sides(array.shape.size()), array.shape};
    for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
        grid.count[axis] = (array.shape[axis] - 1) / array.chunk[axis] + 1;
    }
    return grid;
}

/// An array in a store; chunks for which @p isThere is false are left out.
template <class IsThere> void store(MemoryStore& store, const ZarrArray& array, const IsThere& isThere) {
    forEachPlace(gridOf(array), [&](const Sides& numbers) {
        if (isThere(numbers)) {
            store.values[array.keyOf(numbers)] = chunkBytes(array, numbers);
        }
    });
}

ZarrArray arrayOf(Sides shape, Sides chunk) {
    ZarrArray array;
    array.path = "0";
    array.shape = std::move(shape);
    array.chunk = std::move(chunk);
    array.bits = 16;
    array.fill = {std::byte{7}, std::byte{9}};
    return array;
}

std::vector<std::uint16_t> readBox(const ZarrChunks& chunks, const ZarrBox& box, const JobControl& control = {}) {
    std::uint64_t count = 1;
    for (const std::uint64_t side : box.count) {
        count *= side;
    }
    std::vector<std::uint16_t> samples(count);
    chunks.read(box, std::as_writable_bytes(std::span(samples)), control);
    return samples;
}

TEST(ZarrChunks, ReadsAnyBoxLikeTheWholeArray) {
    std::mt19937 random(3);
    const auto below = [&](std::uint64_t count) { return static_cast<std::uint64_t>(random()) % count; };
    for (int round = 0; round < 60; ++round) {
        const std::size_t axes = 2 + below(3);
        Sides shape(axes);
        Sides chunk(axes);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            shape[axis] = 1 + below(9);
            chunk[axis] = 1 + below(5);
        }
        ZarrArray array = arrayOf(shape, chunk);
        array.coding.bigEndian = round % 2 == 1;
        if (round % 3 > 0) {
            array.coding.order.resize(axes);
            std::iota(array.coding.order.begin(), array.coding.order.end(), std::size_t{0});
            std::shuffle(array.coding.order.begin(), array.coding.order.end(), random);
        }
        MemoryStore memory;
        const auto isThere = [](const Sides& numbers) { return (numbers[0] + numbers[1]) % 3 != 1; };
        store(memory, array, isThere);
        const ZarrChunks chunks(memory, array);
        for (int part = 0; part < 5; ++part) {
            ZarrBox box{Sides(axes), Sides(axes)};
            for (std::size_t axis = 0; axis < axes; ++axis) {
                box.begin[axis] = below(shape[axis]);
                box.count[axis] = 1 + below(shape[axis] - box.begin[axis]);
            }
            const std::vector<std::uint16_t> found = readBox(chunks, box);
            std::size_t i = 0;
            forEachPlace(box, [&](const Sides& place) {
                Sides numbers = place;
                for (std::size_t axis = 0; axis < axes; ++axis) {
                    numbers[axis] /= chunk[axis];
                }
                const std::uint16_t expected = isThere(numbers) ? sampleAt(shape, place) : 0x0907;
                ASSERT_EQ(found[i++], expected) << "round " << round;
            });
        }
    }
}

TEST(ZarrChunks, ReadsOnlyTheChunksOfARegion) {
    const ZarrArray array = arrayOf({4, 60, 50}, {1, 16, 16});
    MemoryStore memory;
    store(memory, array, [](const Sides& numbers) { return numbers[2] != 3; });
    const ZarrChunks chunks(memory, array);
    EXPECT_EQ(memory.found + memory.missing, 0);

    (void)readBox(chunks, {{2, 0, 0}, {1, 60, 50}}); // a plane
    EXPECT_EQ(memory.found, 4 * 3);
    EXPECT_EQ(memory.missing, 4);
    EXPECT_EQ(memory.bytes, 12U * 16 * 16 * 2);

    memory.found = memory.missing = 0;
    (void)readBox(chunks, {{1, 15, 16}, {1, 2, 16}}); // two rows of two chunks
    EXPECT_EQ(memory.found, 2);
    EXPECT_EQ(memory.missing, 0);
    EXPECT_EQ(chunks.chunksOf({{1, 15, 16}, {1, 2, 17}}), 4U);
}

std::string littleEndian(std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i, value >>= 8U) {
        bytes += static_cast<char>(value & 0xffU);
    }
    return bytes;
}

/// A shard of chunks of 2 x 2 samples in 2 columns; the second one is missing.
std::string shardOf(const ZarrArray& array) {
    const bool isIndexAtEnd = array.shards->indexAtEnd;
    const auto number = [&](std::uint64_t value) {
        std::string bytes = littleEndian(value);
        if (array.shards->index.bigEndian) {
            std::ranges::reverse(bytes);
        }
        return bytes;
    };
    const std::string chunk = chunkBytes(array, {0, 0});
    constexpr std::uint64_t kIndex = 2 * 16 + 4;
    std::string index = number(isIndexAtEnd ? 0 : kIndex) + number(chunk.size()) + number(~0ULL) + number(~0ULL);
    const std::uint32_t crc = crc32cOf(std::as_bytes(std::span(index)));
    index += littleEndian(crc).substr(0, 4);
    return isIndexAtEnd ? chunk + index : index + chunk;
}

TEST(ZarrChunks, ReadsChunksOfShards) {
    for (const auto& [isAtEnd, bigEndian] :
         {std::array{true, false}, std::array{false, false}, std::array{false, true}}) {
        ZarrArray array = arrayOf({2, 4}, {2, 2});
        array.shards = ZarrShards{{2, 4}, {{}, bigEndian, {ZarrCodec::crc32c}}, isAtEnd};
        MemoryStore memory;
        const std::string whole = shardOf(array);
        memory.values[array.keyOf(Sides{0, 0})] = whole;
        const ZarrChunks chunks(memory, array);
        const std::vector<std::uint16_t> found = readBox(chunks, {{0, 0}, {2, 4}});
        for (std::uint64_t y = 0; y < 2; ++y) {
            for (std::uint64_t x = 0; x < 4; ++x) {
                EXPECT_EQ(found[y * 4 + x], x < 2 ? sampleAt(array.shape, {y, x}) : 0x0907);
            }
        }
        const std::uint64_t before = memory.bytes;
        (void)readBox(chunks, {{0, 0}, {1, 1}});
        EXPECT_EQ(memory.bytes - before, 8U) << "the index is known";

        // A damaged index, and a chunk outside of the shard.
        for (std::size_t at = 0; at < whole.size(); ++at) {
            MemoryStore damaged;
            std::string shard = whole;
            shard[at] = static_cast<char>(shard[at] ^ 0x55);
            damaged.values[array.keyOf(Sides{0, 0})] = shard;
            const bool isIndex = isAtEnd ? at >= 8 : at < 36;
            const ZarrChunks read(damaged, array);
            if (isIndex) {
                EXPECT_THROW((void)readBox(read, {{0, 0}, {2, 4}}), Error) << at;
            } else {
                EXPECT_NO_THROW((void)readBox(read, {{0, 0}, {2, 4}})) << at;
            }
        }
    }
}

TEST(ZarrChunks, ReadsEveryChunkOfEveryShard) {
    ZarrArray array = arrayOf({4, 12}, {2, 3});
    array.shards = ZarrShards{{4, 6}, {{}, false, {}}, true};
    MemoryStore memory;
    for (const std::uint64_t shard : {0U, 1U}) {
        std::string chunksOfShard;
        std::string index;
        for (const Sides& place : {Sides{0, 0}, Sides{0, 1}, Sides{1, 0}, Sides{1, 1}}) {
            const std::string chunk = chunkBytes(array, {place[0], 2 * shard + place[1]});
            index += littleEndian(chunksOfShard.size()) + littleEndian(chunk.size());
            chunksOfShard += chunk;
        }
        memory.values[array.keyOf(Sides{0, shard})] = chunksOfShard + index;
    }
    const ZarrChunks chunks(memory, array);
    const std::vector<std::uint16_t> found = readBox(chunks, {{0, 0}, {4, 12}});
    for (std::uint64_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i], sampleAt(array.shape, {i / 12, i % 12})) << i;
    }
}

TEST(ZarrChunks, NamesDamagedChunks) {
    const ZarrArray array = arrayOf({4, 4}, {2, 2});
    MemoryStore memory;
    store(memory, array, [](const Sides&) { return true; });
    memory.values["0/1.0"].pop_back();
    const ZarrChunks chunks(memory, array);
    EXPECT_NO_THROW((void)readBox(chunks, {{0, 0}, {2, 4}}));
    try {
        (void)readBox(chunks, {{0, 0}, {4, 4}});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::fileDamaged);
        EXPECT_THAT(error.what(), HasSubstr("chunk 0/1.0: 7 bytes where 8"));
    }
}

TEST(ZarrChunks, StopsBetweenChunks) {
    const ZarrArray array = arrayOf({64, 64}, {4, 4});
    MemoryStore memory;
    store(memory, array, [](const Sides&) { return true; });
    const ZarrChunks chunks(memory, array);
    std::stop_source stop;
    const JobControl control(stop.get_token(), [&](double, std::string_view) { stop.request_stop(); });
    EXPECT_THROW((void)readBox(chunks, {{0, 0}, {64, 64}}, control), Cancelled);
    EXPECT_LT(memory.found, 16 * 16 / 2);
}

TEST(ZarrCodecs, KnowTheChecksumOfTheStandard) {
    constexpr std::string_view kDigits = "123456789"; // RFC 3720 and the catalogue of CRCs
    EXPECT_EQ(crc32cOf(std::as_bytes(std::span(kDigits))), 0xe306'9283U);
    const std::vector<std::byte> zeros(32);
    EXPECT_EQ(crc32cOf(zeros), 0x8a91'36aaU);
}

TEST(ZarrCodecs, RefuseDamagedAndLongerBytes) {
    std::vector<std::byte> bytes(5000);
    std::mt19937 random(5);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random() % 5);
    }
    const std::vector<std::byte> packed = bloscCompressed(bytes, 2);
    EXPECT_LT(packed.size(), bytes.size());
    const auto decoded = [](const std::vector<std::byte>& in, std::size_t size) {
        ZarrDecoder decoder;
        std::ranges::copy(in, decoder.input(in.size()).begin());
        constexpr std::array kCodecs = {ZarrCodec::blosc};
        const auto out = decoder.decode(kCodecs, size);
        return std::vector<std::byte>(out.begin(), out.end());
    };
    EXPECT_EQ(decoded(packed, bytes.size()), bytes);
    EXPECT_THROW((void)decoded(packed, bytes.size() - 1), Error);
    EXPECT_THROW((void)decoded(packed, bytes.size() + 1), Error);
    EXPECT_THROW((void)decoded({packed.begin(), packed.end() - 1}, bytes.size()), Error);
    EXPECT_THROW((void)decoded({}, bytes.size()), Error);
}

} // namespace

} // namespace pollard::test
