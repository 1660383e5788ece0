// The memory of a build on the CPU: bounds from the size and from the pixels, and refusals by a limit.
#include "cpu/tree_memory.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/system.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/branch_tree.hpp"
#include "cpu/cpu_engine.hpp"
#include "cpu/node_attributes.hpp"
#include "cpu/tree_builder.hpp"
#include "engine/engine.hpp"
#include "support/peak_memory.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using NamedImages = std::vector<std::pair<std::string, std::shared_ptr<Image>>>;

constexpr std::uint32_t kSide = 1600;

/// Images with few and many nodes: flat, waves with weak noise (as a photograph), noise, few levels, spots, a slope.
NamedImages imagesOf(PixelType type) {
    Random random(51);
    const std::uint32_t most = maxLevelOf(type);
    const auto make = [&](auto level) { return makeImage(type, kSide, kSide, level); };
    return {{"flat", make([](auto, auto) { return 7U; })},
            {"photo", make([&](auto x, auto y) {
                 const double wave = 2 + std::sin(x / 29.0) + std::cos(y / 41.0);
                 return static_cast<std::uint32_t>(wave / 4.2 * most) + random() % (1 + most / 100);
             })},
            {"noise", make([&](auto, auto) { return random() % (most + 1); })},
            {"few levels", make([&](auto, auto) { return random() % 3; })},
            {"spots", make([](auto x, auto y) { return (x + y) % 2; })},
            {"slope", make([&](auto x, auto y) { return (x + y) * most / (2 * kSide); })}};
}

/// Measures the stages of a build and compares each with its bound.
void expectBoundsOf(const Image& image, const TreeSpec& spec) {
    const PeakMemory memory;
    if (!memory.isKnown()) {
        GTEST_SKIP() << "this system does not reset the peak of a process's memory";
    }
    std::uint64_t ofNumbers = 0;
    {
        cpu::BranchRuns runs = cpu::buildTileTrees(image, spec, cpu::TileParts::islands, {});
        const std::uint64_t ofTiles = memory.bytes();
        EXPECT_LE(ofTiles, cpu::countTileBytes(image, spec.kind, {}));
        const std::uint64_t toCollect = cpu::bytesToCollect(runs);
        cpu::joinSeams(runs, image, spec, {});
        const auto nodes = cpu::collectNodes(runs, std::size_t{maxLevelOf(image.type())} + 1, {});
        const std::uint64_t ofNodes = memory.bytes();
        EXPECT_LE(ofNodes, ofTiles + toCollect);
        ofNumbers = ofNodes + cpu::bytesToNumber(nodes, runs);
    }
    const PeakMemory ofBuild;
    StageTimer timer;
    (void)cpu::buildComponentTree(image, spec, {}, timer);
    EXPECT_LE(ofBuild.bytes(), ofNumbers);
    EXPECT_LE(ofBuild.bytes(), cpu::estimateTreeBytes(image) + PeakMemory::kOverhead);
}

TEST(TreeMemory, OfEachStageIsWithinItsBound) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const auto& [name, image] : imagesOf(type)) {
            SCOPED_TRACE(::testing::Message() << name << ", " << bitsOf(type) << " bits");
            expectBoundsOf(*image, {TreeKind::max, Connectivity::four, {}});
            expectBoundsOf(*image, {TreeKind::min, Connectivity::eight, {}});
        }
    }
}

TEST(TreeMemory, OfVolumesIsWithinItsBound) {
    Random random(53);
    constexpr std::uint32_t kEdge = 130;
    for (const std::uint32_t levels : {1U, 3U, 65'536U}) {
        Image volume(PixelType::u16, Extent{kEdge, kEdge, kEdge});
        std::ranges::generate(volume.pixels<std::uint16_t>(),
                              [&] { return static_cast<std::uint16_t>(random() % levels); });
        for (const Connectivity connectivity : {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix}) {
            SCOPED_TRACE(::testing::Message() << levels << " levels, neighbours " << static_cast<int>(connectivity));
            expectBoundsOf(volume, {TreeKind::max, connectivity, {}});
        }
    }
}

#ifndef POLLARD_ASAN // keeps freed memory

/// Leaves a job so much memory, as long as it exists.
class MemoryLeft {
public:
    explicit MemoryLeft(std::uint64_t bytes) {
        constexpr std::uint64_t kMuch = std::uint64_t{1} << 50U;
        limitMemory(kMuch);
        std::ifstream status("/proc/self/statm");
        std::uint64_t whole = 0;
        std::uint64_t resident = 0;
        std::uint64_t ofFiles = 0;
        status >> whole >> resident >> ofFiles;
        limitMemory((resident - ofFiles) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + bytes);
    }
    MemoryLeft(const MemoryLeft&) = delete;
    MemoryLeft& operator=(const MemoryLeft&) = delete;
    ~MemoryLeft() { limitMemory(0); }
};

constexpr std::uint32_t kLargeSide = 3000;
constexpr std::uint64_t kLargePixels = std::uint64_t{kLargeSide} * kLargeSide;

std::shared_ptr<Image> largeNoise() {
    Random random(52);
    return makeImage(PixelType::u16, kLargeSide, kLargeSide, [&](auto, auto) { return random() % 65536; });
}

TEST(TreeMemory, RefusesOnlyTheImageThatDoesNotFit) {
    const auto noise = largeNoise();
    const auto flat = makeImage(PixelType::u16, kLargeSide, kLargeSide, [](auto, auto) { return 7U; });
    const auto waves = makeImage(PixelType::u16, kLargeSide, kLargeSide, [](auto x, auto y) {
        return static_cast<std::uint32_t>(1000 * (2 + std::sin(x / 29.0) + std::cos(y / 41.0)));
    });
    const auto session = makeCpuEngine()->openSession();
    for (const std::uint64_t bytes : {kLargePixels * 10, kLargePixels * 27}) { // before and after the tiles
        session->open(noise);
        const MemoryLeft left(bytes);
        ASSERT_GT(session->estimateTreeBytes(*noise), availableMemory());
        try {
            (void)session->buildTree({});
            FAIL() << "the tree takes more";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
            EXPECT_THAT(error.what(), ::testing::StartsWith("tree of 3000 x 3000 px: about "));
        }
        EXPECT_EQ(session->tree(), nullptr);
    }
    for (const auto& image : {flat, waves}) {
        session->open(image);
        const MemoryLeft left(kLargePixels * 20);
        ASSERT_GT(session->estimateTreeBytes(*image), availableMemory());
        EXPECT_NO_THROW((void)session->buildTree({}));
    }
}

TEST(TreeMemory, ColumnsGiveWayToAnotherAttribute) {
    const auto session = makeCpuEngine()->openSession();
    session->open(largeNoise());
    (void)session->buildTree({});
    (void)session->attribute(AttributeId::elongation);
    const cpu::NodeAttributes first(session->tree());
    const std::uint64_t needed = first.estimateBytes(AttributeId::perimeter);
    const std::uint64_t shared = 8 * session->tree()->nodeCount(); // areas that elongation has measured, too
    const MemoryLeft left(needed / 2);
    ASSERT_LT(availableMemory(), needed - shared);
    const auto column = session->attribute(AttributeId::perimeter);
    EXPECT_EQ(column->size(), session->tree()->nodeCount());
    EXPECT_EQ(session->attribute(AttributeId::perimeter), column) << "kept";
}

#endif

} // namespace
} // namespace pollard::testing
