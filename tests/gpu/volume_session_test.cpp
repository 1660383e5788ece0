// Compares trees of volumes by the CUDA engine with the CPU engine.

#include "on_gpu.hpp"
#include "tree_equality.hpp"

#include "base/error.hpp"
#include "cuda/boruvka/boruvka_tree.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/session/parent_image.hpp"
#include "cuda/tree/frame_gather.cuh"
#include "image/volume_plane.hpp"
#include "support/random_volumes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace pollard::testing {
namespace {

using cuda::CudaSession;

using SharedImage = std::shared_ptr<const Image>;

/// Levels that change slowly, with some noise, as in a scan.
SharedImage scanOf(Random& random, PixelType type, const Extent& extent) {
    return makeVolume(type, extent, [&](auto x, auto y, auto z) {
        const std::uint32_t waves = (x * x / 40 + y * y / 30 + z * (z + x) / 35) % 30000;
        return (waves + random() % 700) >> (type == PixelType::u8 ? 7U : 0U);
    });
}

class VolumeSession : public OnGpu, public ::testing::WithParamInterface<std::tuple<TreeKind, Connectivity>> {
protected:
    [[nodiscard]] static TreeSpec spec() {
        return {std::get<TreeKind>(GetParam()), std::get<Connectivity>(GetParam()), {}};
    }
    [[nodiscard]] static std::unique_ptr<Session> oracleOf(const SharedImage& volume) {
        return cpuSession(volume, spec().kind, spec().connectivity);
    }

    /// Builds the tree and compares it; leaves it in the session.
    static void expectSameTree(CudaSession& session, const SharedImage& volume, Session& oracle) {
        SCOPED_TRACE(text(volume->extent()));
        session.open(volume);
        const std::uint64_t before = session.memory().peakBytes();
        const TreeReport report = session.buildTree(spec(), {});
        EXPECT_LE(session.memory().peakBytes(), before + session.estimateTreeBytes(*volume));
        EXPECT_EQ(report.algorithm, "boruvka");
        const auto expected = oracle.tree();
        ASSERT_NO_FATAL_FAILURE(expectEqual(*session.tree(), *expected));
        ASSERT_EQ(session.tree()->extent(), volume->extent());
        ASSERT_EQ(session.tree()->connectivity, expected->connectivity);
        ASSERT_EQ(report.nodes, expected->nodeCount());
        ASSERT_EQ(report.rootLevel, expected->level[0]);
    }
    static void expectSameTree(const SharedImage& volume) {
        CudaSession session({});
        ASSERT_NO_FATAL_FAILURE(expectSameTree(session, volume, *oracleOf(volume)));
    }
};

TEST_P(VolumeSession, GivesTheTreesOfRandomVolumes) {
    Random random(91);
    CudaSession session({});
    for (int repeat = 0; repeat < 150; ++repeat) {
        const Extent extent{1 + random() % 70, 1 + random() % 60, 2 + random() % 50};
        const auto volume = repeat % 3 == 0 ? scanOf(random, PixelType::u16, extent) : randomVolume(random, extent);
        ASSERT_NO_FATAL_FAILURE(expectSameTree(session, volume, *oracleOf(volume))) << "repeat " << repeat;
    }
}

TEST_P(VolumeSession, TakesLinesPlanesAndSizesOfBricks) {
    Random random(92);
    CudaSession session({});
    for (const Extent extent : {Extent{1, 1, 2}, Extent{1, 1, 1000}, Extent{1, 300, 200}, Extent{300, 1, 200},
                                Extent{40000, 1, 2}, Extent{1, 40000, 2}, Extent{16, 16, 16}, Extent{17, 17, 17},
                                Extent{15, 15, 15}, Extent{32, 32, 32}, Extent{33, 16, 48}}) {
        for (int repeat = 0; repeat < 4; ++repeat) {
            const auto volume = randomVolume(random, extent);
            ASSERT_NO_FATAL_FAILURE(expectSameTree(session, volume, *oracleOf(volume)));
        }
    }
}

TEST_P(VolumeSession, TakesDeepTrees) {
    const Extent extent{40, 40, 40};
    expectSameTree(makeVolume(PixelType::u16, extent, [&](auto x, auto y, auto z) {
        const std::uint32_t row = z * extent.height + (z % 2 == 0 ? y : extent.height - 1 - y);
        return row * extent.width + (row % 2 == 0 ? x : extent.width - 1 - x); // one path through all voxels
    }));
    expectSameTree(makeVolume(PixelType::u16, {65536, 1, 2}, [](auto x, auto, auto) { return x; }));
    expectSameTree(makeVolume(PixelType::u16, {1, 1, 65536}, [](auto, auto, auto z) { return z; }));
    expectSameTree(makeVolume(PixelType::u16, {2, 3, 20000}, [](auto x, auto y, auto z) {
        return (z % 2 == 0 ? 40000U : 0U) + z + (z % 2 == 1 && x + y > 0 ? 0U : 1U); // a comb with rising saddles
    }));
}

TEST_P(VolumeSession, LeavesTheTrunkOutOfTheSort) {
    Random random(93);
    const auto ground = makeVolume(PixelType::u8, {210, 205, 200}, [&](auto x, auto y, auto z) {
        return x % 70 < 50 ? 90U : (random() + y / 8 + z) & 0xffU; // most voxels have one level
    });
    ASSERT_GE(ground->pixelCount(), std::size_t{1} << 23U);
    expectSameTree(ground);
    expectSameTree(scanOf(random, PixelType::u16, ground->extent()));
}

TEST_P(VolumeSession, BuildsTheSameInEveryRun) {
    Random random(94);
    const auto noise = makeVolume(PixelType::u16, {150, 140, 60}, [&](auto, auto, auto) { return random() & 0xffffU; });
    const auto oracle = oracleOf(noise);
    CudaSession session({});
    for (int run = 0; run < 10; ++run) {
        ASSERT_NO_FATAL_FAILURE(expectSameTree(session, noise, *oracle));
    }
}

TEST_P(VolumeSession, GivesTheParentImage) {
    Random random(95);
    const auto memory = cuda::DeviceMemory::create();
    for (int repeat = 0; repeat < 30; ++repeat) {
        const auto volume = randomVolume(random, {1 + random() % 50, 1 + random() % 50, 2 + random() % 50});
        cuda::DeviceBuffer<std::byte> pixels(memory, volume->bytes(), "a test's volume");
        cuda::check(
            cudaMemcpyAsync(pixels.data(), volume->data(), volume->bytes(), cudaMemcpyHostToDevice, memory->stream()),
            "upload");
        cuda::StageClock clock(memory->stream());
        const auto parents = cuda::buildParentImage(
            {pixels.data(), volume->type(), volume->width(), volume->height(), volume->extent().slices}, spec(), memory,
            clock, {});
        std::vector<std::uint32_t> actual(parents.size());
        cuda::check(
            cudaMemcpyAsync(actual.data(), parents.data(), parents.bytes(), cudaMemcpyDeviceToHost, memory->stream()),
            "download");
        cuda::check(cudaStreamSynchronize(memory->stream()), "parent image");
        const Buffer<std::uint32_t> expected = canonicalParentImage(*oracleOf(volume)->tree());
        ASSERT_TRUE(std::equal(actual.begin(), actual.end(), expected.begin(), expected.end()))
            << text(volume->extent());
    }
}

TEST_P(VolumeSession, MeasuresAndFiltersAsTheCpuEngine) {
    Random random(96);
    CudaSession session({});
    for (int repeat = 0; repeat < 20; ++repeat) {
        const Extent extent{1 + random() % 40, 1 + random() % 40, 2 + random() % 30};
        const auto volume = std::const_pointer_cast<Image>(randomVolume(random, extent));
        volume->setSides({1, 1, 2.5});
        SCOPED_TRACE(text(extent) + ", repeat " + std::to_string(repeat));
        const auto oracle = oracleOf(volume);
        ASSERT_NO_FATAL_FAILURE(expectSameTree(session, volume, *oracle));
        const auto all = volumeAttributes();
        std::vector<AttributeInfo> attributes(all.begin(), all.end());
        std::erase_if(attributes, [&](const AttributeInfo& info) {
            return info.id == AttributeId::euler && oracle->tree()->connectivity == Connectivity::eighteen;
        });
        for (const AttributeInfo& info : attributes) {
            const auto expected = oracle->attribute(info.id, {});
            const auto actual = session.attribute(info.id, {});
            ASSERT_EQ(actual->values.index(), expected->values.index()) << info.name;
            std::visit(
                [&]<class T>(const Buffer<T>& values) {
                    ASSERT_TRUE(std::ranges::equal(values, std::get<Buffer<T>>(expected->values), sameValue<T>))
                        << info.name;
                },
                actual->values);
        }
        Image out(volume->type(), extent);
        Image expected(volume->type(), extent);
        for (int i = 0; i < 6; ++i) {
            const AttributeId id = attributes[random() % attributes.size()].id;
            FilterSpec filter;
            filter.criteria.push_back({id, oracle->attribute(id)->at(random() % oracle->tree()->nodeCount())});
            filter.rule = kAllRules[random() % kAllRules.size()];
            filter.output = kAllOutputs[random() % kAllOutputs.size()];
            const FilterReport report = session.filter(filter, out, {});
            const FilterReport expectedReport = oracle->filter(filter, expected);
            ASSERT_TRUE(std::equal(out.data(), out.data() + out.bytes(), expected.data())) << attributeInfo(id).name;
            ASSERT_EQ(report.keptNodes, expectedReport.keptNodes);
            ASSERT_EQ(report.changedPixels, expectedReport.changedPixels);
            for (const VolumePlane plane : {VolumePlane{VolumeAxis::z, random() % extent.slices},
                                            VolumePlane{VolumeAxis::y, random() % extent.height},
                                            VolumePlane{VolumeAxis::x, random() % extent.width},
                                            VolumePlane{VolumeAxis::x, random() % extent.width, {true, true, true}}}) {
                const Image wanted = imageOf(plane, expected);
                Image image(wanted.type(), wanted.extent());
                ASSERT_EQ(session.filterPlane(filter, plane, image, {}).keptNodes, report.keptNodes);
                ASSERT_TRUE(equalPixels(image, wanted));
            }
            const LabelImage labels = session.labels(filter, {});
            const LabelImage expectedLabels = oracle->labels(filter, {});
            ASSERT_EQ(labels.count, expectedLabels.count);
            ASSERT_EQ(labels.slices, expectedLabels.slices);
            ASSERT_TRUE(std::ranges::equal(labels.labels, expectedLabels.labels));
        }
    }
}

TEST_P(VolumeSession, KeepsSlicesAndNodesOnTheDevice) {
    Random random(98);
    const auto memory = cuda::DeviceMemory::create();
    const auto valuesOf = [&](const cuda::CudaPixels& pixels, std::uint32_t slice, std::size_t count) {
        pixels.order().makeWait(memory->stream());
        Buffer<std::uint32_t> values(count);
        std::visit(
            [&]<class V>(const V& view) {
                if constexpr (std::is_same_v<V, cuda::NodeView>) {
                    cuda::check(cudaMemcpyAsync(values.data(), view.pixelNode, values.bytes(), cudaMemcpyDeviceToHost,
                                                memory->stream()),
                                "download");
                    cuda::check(cudaStreamSynchronize(memory->stream()), "download");
                } else {
                    using T = std::remove_cvref_t<decltype(view.value(0))>;
                    cuda::DeviceBuffer<T> image(memory, count, "image");
                    Buffer<T> levels(count);
                    cuda::check(cuda::launchGather(view, image.data(), memory->stream()), "gather");
                    cuda::check(cudaMemcpyAsync(levels.data(), image.data(), image.bytes(), cudaMemcpyDeviceToHost,
                                                memory->stream()),
                                "download");
                    cuda::check(cudaStreamSynchronize(memory->stream()), "download");
                    std::copy(levels.begin(), levels.end(), values.begin());
                }
            },
            pixels.viewOf(slice));
        pixels.order().markRead(memory->stream());
        return values;
    };
    for (int repeat = 0; repeat < 12; ++repeat) {
        CudaSession session({});
        const Extent extent{1 + random() % 90, 1 + random() % 70, 2 + random() % 20};
        const auto volume =
            repeat % 2 == 0 ? scanOf(random, PixelType::u16, extent) : SharedImage(randomVolume(random, extent));
        SCOPED_TRACE(text(extent) + ", repeat " + std::to_string(repeat));
        const auto oracle = oracleOf(volume);
        session.open(volume);
        ASSERT_EQ(session.deviceNodes(), nullptr);
        (void)session.buildTree(spec(), {});
        ASSERT_EQ(session.deviceFrame(), nullptr);
        const auto nodes = session.deviceNodes();
        ASSERT_NE(nodes, nullptr);
        ASSERT_EQ((Extent{nodes->width(), nodes->height(), nodes->slices()}), extent);
        const std::size_t pixels = extent.slicePixels();
        const auto tree = oracle->tree();
        for (std::uint32_t slice = 0; slice < extent.slices; ++slice) {
            const auto numbers = valuesOf(dynamic_cast<const cuda::CudaNodes&>(*nodes), slice, pixels);
            ASSERT_TRUE(std::equal(numbers.begin(), numbers.end(), tree->pixelNode.begin() + slice * pixels)) << slice;
        }
        for (const Output output : kAllOutputs) {
            FilterSpec filter = areaAtLeast(2 + random() % 30);
            filter.output = output;
            const auto report = session.filterOnDevice(filter, {});
            ASSERT_TRUE(report.has_value());
            const auto frame = session.deviceFrame();
            ASSERT_NE(frame, nullptr);
            ASSERT_EQ(frame->slices(), extent.slices);
            Image expected(volume->type(), extent);
            ASSERT_EQ(oracle->filter(filter, expected).changedPixels, report->changedPixels);
            for (const std::uint32_t slice : {extent.slices - 1, 0U, random() % extent.slices}) {
                const auto levels = valuesOf(dynamic_cast<const cuda::CudaFrame&>(*frame), slice, pixels);
                for (std::size_t i = 0; i < pixels; ++i) {
                    ASSERT_EQ(levels[i], expected.level(slice * pixels + i)) << "slice " << slice << ", pixel " << i;
                }
            }
            // One decision for slices and sections.
            Image section(volume->type(), extent.width, extent.slices);
            const VolumePlane plane{VolumeAxis::y, random() % extent.height};
            ASSERT_EQ(session.filterPlane(filter, plane, section, {}).milliseconds, report->milliseconds);
            ASSERT_TRUE(equalPixels(section, imageOf(plane, expected)));
            ASSERT_EQ(session.deviceFrame(), frame);
            ASSERT_TRUE(session.filterOnDevice(filter, {}).has_value());
            ASSERT_EQ(session.deviceFrame(), frame);
            Image all(volume->type(), extent);
            session.fetchFrame(*frame, all, {});
            ASSERT_TRUE(std::equal(all.data(), all.data() + all.bytes(), expected.data()));
            Image slice(volume->type(), extent.width, extent.height);
            ASSERT_THROW(session.fetchFrame(*frame, slice, {}), Error);
            (void)session.filterOnDevice(areaAtLeast(1000), {});
            ASSERT_NE(session.deviceFrame(), frame);
        }
    }
}

TEST_P(VolumeSession, StaysWithinFortyBytesAVoxel) {
    // Includes the image, which takes two bytes per voxel.
    Random random(97);
    const Extent extent{256, 256, 128};
    const auto noise = makeVolume(PixelType::u16, extent, [&](auto, auto, auto) { return random() & 0xffffU; });
    for (const auto& volume : {scanOf(random, PixelType::u16, extent), SharedImage(noise)}) {
        CudaSession session({});
        session.open(volume);
        (void)session.buildTree(spec(), {});
        const double bytes =
            static_cast<double>(session.memory().peakBytes()) / static_cast<double>(volume->pixelCount());
        RecordProperty(volume == noise ? "noise" : "scan", std::to_string(bytes) + " bytes a voxel");
        EXPECT_LE(bytes, 40);
    }
}

TEST_P(VolumeSession, TriesWithLessMemoryThanTheMost) {
    const auto smooth =
        makeVolume(PixelType::u16, {256, 256, 128}, [](auto x, auto y, auto z) { return x / 32 + y / 32 + z; });
    std::uint64_t need = 0;
    std::uint32_t nodes = 0;
    {
        CudaSession session({});
        session.open(smooth);
        const std::uint64_t before = session.memory().usedBytes();
        nodes = session.buildTree(spec(), {}).nodes;
        need = session.memory().peakBytes() - before;
    }
    CudaSession session({});
    session.open(smooth);
    const std::uint64_t left = (need + session.estimateTreeBytes(*smooth)) / 2;
    ASSERT_GT(left, session.leastTreeBytes(*smooth));
    ASSERT_LT(left, session.estimateTreeBytes(*smooth));
    const auto hog = cuda::DeviceMemory::create();
    const cuda::DeviceBuffer<std::byte> taken(hog, hog->available() - left, "everything else");
    EXPECT_EQ(session.buildTree(spec(), {}).nodes, nodes);
}

INSTANTIATE_TEST_SUITE_P(All, VolumeSession,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::six, Connectivity::eighteen,
                                                              Connectivity::twentySix)),
                         [](const auto& instance) {
                             return std::string(std::get<TreeKind>(instance.param) == TreeKind::max ? "max_" : "min_") +
                                    std::to_string(static_cast<int>(std::get<Connectivity>(instance.param)));
                         });

TEST(VolumeAlgorithms, AreBoruvkaAlone) {
    const Extent volume{10, 10, 10};
    EXPECT_EQ(cuda::maxTreeOf({}, PixelType::u8, volume).name, "boruvka");
    EXPECT_EQ(cuda::maxTreeOf({}, PixelType::u16, volume).name, "boruvka");
    EXPECT_EQ(cuda::maxTreeOf({}, PixelType::u8, {10, 10}).name, "rims");
    for (const std::string& algorithm : cuda::maxTreeAlgorithms()) {
        const TreeSpec spec{TreeKind::max, Connectivity::six, algorithm};
        if (algorithm == "boruvka") {
            EXPECT_NO_THROW((void)cuda::maxTreeOf(spec, PixelType::u8, volume));
        } else {
            EXPECT_THROW((void)cuda::maxTreeOf(spec, PixelType::u8, volume), Error) << algorithm;
        }
    }
}

} // namespace
} // namespace pollard::testing
