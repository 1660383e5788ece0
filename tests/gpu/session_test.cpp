// Compares sessions of the CUDA engine with the CPU engine, for every algorithm.

#include "on_gpu.hpp"
#include "tree_equality.hpp"

#include "base/error.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/session/parent_image.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "cuda/tree/frame_gather.cuh"
#include "support/naive_filter.hpp"
#include "support/random_images.hpp"
#include "support/ranked_values.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace pollard::testing {
namespace {

using cuda::CudaSession;
using ::testing::HasSubstr;

void expectSameTree(const ComponentTree& a, const ComponentTree& b) {
    ASSERT_NO_FATAL_FAILURE(expectEqual(a, b));
    ASSERT_EQ(a.kind, b.kind);
    ASSERT_EQ(a.connectivity, b.connectivity);
    ASSERT_EQ(a.pixelType, b.pixelType);
    ASSERT_EQ(a.width, b.width);
    ASSERT_EQ(a.height, b.height);
}

void expectSameColumn(const AttributeColumn& a, const AttributeColumn& b) {
    ASSERT_EQ(a.id, b.id);
    ASSERT_EQ(a.values.index(), b.values.index());
    std::visit([&]<class T>(
                   const Buffer<T>& values) { ASSERT_TRUE(equal("attribute", values, std::get<Buffer<T>>(b.values))); },
               a.values);
    ASSERT_TRUE(nearlySameValue(a.minimum, b.minimum)) << a.minimum << " and " << b.minimum;
    ASSERT_TRUE(nearlySameValue(a.maximum, b.maximum)) << a.maximum << " and " << b.maximum;
}

using AlgorithmParam = std::tuple<std::string, TreeKind, Connectivity>;

class CudaSessionOf : public OnGpu, public ::testing::WithParamInterface<AlgorithmParam> {
protected:
    [[nodiscard]] static TreeSpec spec() {
        const auto& [algorithm, kind, connectivity] = GetParam();
        return {kind, connectivity, algorithm};
    }

    /// Tree, attributes and some filters equal the CPU engine's.
    static void expectAsCpu(CudaSession& session, const std::shared_ptr<const Image>& image, Random& random) {
        const auto oracle = cpuSession(image, spec().kind, spec().connectivity);
        session.open(image);
        const std::uint64_t before = session.memory().usedBytes();
        const TreeReport report = session.buildTree(spec(), {});
        EXPECT_LE(session.memory().usedBytes() - before, session.estimateTreeBytes(*image));
        ASSERT_NO_FATAL_FAILURE(expectSameTree(*session.tree(), *oracle->tree()));
        ASSERT_EQ(report.algorithm, spec().algorithm);
        ASSERT_EQ(report.nodes, oracle->tree()->nodeCount());
        ASSERT_EQ(report.leaves, oracle->tree()->leafCount);
        ASSERT_EQ(report.depth, oracle->tree()->depth);
        ASSERT_EQ(report.rootLevel, oracle->tree()->level[0]);
        const auto attributes = allAttributes();
        for (const AttributeInfo& info : attributes) {
            ASSERT_NO_FATAL_FAILURE(expectSameColumn(*session.attribute(info.id, {}), *oracle->attribute(info.id, {})))
                << info.name;
        }
        Image out(image->type(), image->width(), image->height());
        Image expected(image->type(), image->width(), image->height());
        for (int i = 0; i < 4; ++i) {
            const FilterSpec filter = randomFilter(random, *oracle);
            const FilterReport actualReport = session.filter(filter, out, {});
            const FilterReport expectedReport = oracle->filter(filter, expected);
            ASSERT_TRUE(equalPixels(out, expected)) << nameOf(filter.rule) << ", " << nameOf(filter.output);
            ASSERT_EQ(actualReport.keptNodes, expectedReport.keptNodes);
            ASSERT_EQ(actualReport.removedNodes, expectedReport.removedNodes);
            ASSERT_EQ(actualReport.changedPixels, expectedReport.changedPixels);
        }
        ASSERT_NO_FATAL_FAILURE(expectSameBins(session, *oracle, random));
        ASSERT_NO_FATAL_FAILURE(expectOwnPlanes(session, random));
    }

    /// Histogram and spectra by random attributes.
    static void expectSameBins(Session& session, Session& oracle, Random& random) {
        const auto attributes = allAttributes();
        const auto pick = [&] { // others may differ from the host's in the last bit, and so fall into another bin
            for (;;) {
                if (const AttributeInfo& info = attributes[random() % attributes.size()]; info.integral) {
                    return info.id;
                }
            }
        };
        const AttributeId idX = pick();
        const AttributeId idY = pick();
        const BinSpec x{1 + random() % 50, BinScale::linear, {}, {}};
        const BinSpec y{1 + random() % 50, BinScale::log, 0.5, 200};
        try {
            const PatternSpectrum2d wanted = oracle.spectrum2d(idX, x, idY, y);
            ASSERT_TRUE(session.spectrum2d(idX, x, idY, y, {}) == wanted);
            ASSERT_TRUE(session.spectrum(idX, x, {}) == oracle.spectrum(idX, x));
            ASSERT_TRUE(session.spectrum(idY, y, {}) == oracle.spectrum(idY, y));
            ASSERT_TRUE(session.plane(idX, x, idY, y, {}) == oracle.plane(idX, x, idY, y));
        } catch (const Error& error) { // bins too narrow for the values
            ASSERT_EQ(error.code(), ErrorCode::invalidArgument);
            ASSERT_THROW((void)session.spectrum2d(idX, x, idY, y, {}), Error);
        }
    }

    /// Planes of any two attributes, of the values that the device has.
    static void expectOwnPlanes(Session& session, Random& random) {
        const auto attributes = allAttributes();
        for (int i = 0; i < 3; ++i) {
            const AttributeId idX = attributes[random() % attributes.size()].id;
            const AttributeId idY = attributes[random() % attributes.size()].id;
            const auto scale = [&] { return random() % 2 == 0 ? BinScale::linear : BinScale::log; };
            const BinSpec x{1 + random() % 300, scale(), {}, {}};
            const BinSpec y{1 + random() % 300, scale(), {}, {}};
            try {
                const AttributePlane wanted = attributePlane(*session.attribute(idX), x, *session.attribute(idY), y);
                ASSERT_TRUE(session.plane(idX, x, idY, y) == wanted)
                    << attributeInfo(idX).name << ", " << attributeInfo(idY).name;
            } catch (const Error& error) { // the logarithm of a negative value, or too narrow bins
                ASSERT_EQ(error.code(), ErrorCode::invalidArgument);
            }
        }
    }

    /// Up to three criteria whose bounds are values of nodes, and perhaps a forest.
    static FilterSpec randomFilter(Random& random, Session& oracle) {
        const auto attributes = allAttributes();
        FilterSpec filter;
        for (std::uint32_t c = random() % 4; c > 0; --c) {
            const AttributeId id = attributes[random() % attributes.size()].id;
            const auto column = oracle.attribute(id);
            Criterion criterion{id};
            criterion.minimum = column->at(random() % column->size());
            if (random() % 3 == 0) {
                criterion.maximum = column->at(random() % column->size());
            }
            filter.criteria.push_back(criterion);
        }
        for (std::uint32_t t = random() % 3 == 0 ? 1 + random() % 4 : 0; t > 0; --t) {
            filter.forest.trees.push_back(randomTree(random, [&](AttributeId id) { return oracle.attribute(id); }));
        }
        filter.match = random() % 2 == 0 ? Match::all : Match::any;
        filter.rule = kAllRules[random() % kAllRules.size()];
        filter.output = kAllOutputs[random() % kAllOutputs.size()];
        if (random() % 4 == 0) {
            filter.prominent = Prominent{kAllProminences[random() % kAllProminences.size()], 1 + random() % 20};
        }
        return filter;
    }
};

TEST_P(CudaSessionOf, RandomImagesEqualsTheCpuEngine) {
    Random random(77);
    CudaSession session({});
    for (int repeat = 0; repeat < 60; ++repeat) {
        const std::uint32_t width = 1 + random() % 300;
        const std::uint32_t height = 1 + random() % 200;
        SCOPED_TRACE(::testing::Message() << "repeat " << repeat << ", " << width << " x " << height);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(session, randomImage(random, width, height), random));
    }
}

TEST_P(CudaSessionOf, LinesEqualsTheCpuEngine) {
    Random random(78);
    CudaSession session({});
    for (const std::uint32_t length : {1U, 2U, 31U, 32U, 33U, 64U, 65U, 1000U, 70000U}) {
        SCOPED_TRACE(length);
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(session, randomImage(random, length, 1), random));
        ASSERT_NO_FATAL_FAILURE(expectAsCpu(session, randomImage(random, 1, length), random));
    }
}

TEST_P(CudaSessionOf, ARampOf65536LevelsEqualsTheCpuEngine) {
    Random random(79);
    CudaSession session({});
    const auto ramp = makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return y * 256 + x; });
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(session, ramp, random));
    const auto waves = makeImage(PixelType::u16, 700, 500, [](auto x, auto y) {
        return (x * 91 + y * 37 + (x / 16 + y / 16) % 2 * 30000) & 0xffffU;
    });
    ASSERT_NO_FATAL_FAILURE(expectAsCpu(session, waves, random));
}

TEST_P(CudaSessionOf, NoiseNeedsNoMoreThanEstimated) {
    Random random(80);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const auto& [width, height] : {std::pair{1U, 1U}, {17U, 5U}, {640U, 480U}, {2000U, 1500U}}) {
            CudaSession session({});
            // Nearly every pixel a node: the most that there can be.
            const auto image = makeImage(type, width, height, [&](auto, auto) { return random() & 0xffffU; });
            session.open(image);
            const std::uint64_t before = session.memory().peakBytes();
            session.buildTree(spec(), {});
            EXPECT_LE(session.memory().peakBytes() - before, session.estimateTreeBytes(*image))
                << width << " x " << height << ", " << bitsOf(type) << " bit";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, CudaSessionOf,
                         ::testing::Combine(::testing::ValuesIn(cuda::maxTreeAlgorithms()),
                                            ::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)),
                         [](const auto& instance) {
                             const auto& algorithm = std::get<std::string>(instance.param);
                             const auto kind = std::get<TreeKind>(instance.param);
                             const auto connectivity = std::get<Connectivity>(instance.param);
                             return algorithm + (kind == TreeKind::max ? "_max" : "_min") +
                                    (connectivity == Connectivity::four ? "_4" : "_8");
                         });

class CudaSessionThat : public OnGpu {
protected:
    static std::shared_ptr<Image> waves(std::uint32_t width, std::uint32_t height) {
        return makeImage(PixelType::u8, width, height, [](auto x, auto y) { return (x * x + y * y * 3) / 64 % 256; });
    }
};

TEST_F(CudaSessionThat, HasNoTreeSaysSo) {
    CudaSession session({});
    const auto codeOf = [](const auto& call) {
        try {
            call();
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode::writeFailed; // stands for: nothing was thrown
    };
    Image out(PixelType::u8, 5, 5);
    EXPECT_EQ(codeOf([&] { session.buildTree({}, {}); }), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf([&] { session.open(nullptr); }), ErrorCode::invalidArgument);
    EXPECT_EQ(session.tree(), nullptr);
    session.open(waves(5, 5));
    EXPECT_EQ(session.tree(), nullptr);
    EXPECT_EQ(codeOf([&] { (void)session.attribute(AttributeId::area, {}); }), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf([&] { (void)session.filter({}, out, {}); }), ErrorCode::invalidArgument);
    TreeSpec unknown;
    unknown.algorithm = "no-such";
    EXPECT_EQ(codeOf([&] { session.buildTree(unknown, {}); }), ErrorCode::engineUnavailable);
    session.buildTree({}, {});
    Image wrongSize(PixelType::u8, 5, 6);
    Image wrongType(PixelType::u16, 5, 5);
    EXPECT_EQ(codeOf([&] { (void)session.filter({}, wrongSize, {}); }), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf([&] { (void)session.filter({}, wrongType, {}); }), ErrorCode::invalidArgument);
    EXPECT_NO_THROW((void)session.filter({}, out, {}));
    session.open(waves(4, 4));
    EXPECT_EQ(session.tree(), nullptr);
    EXPECT_EQ(session.deviceFrame(), nullptr);
}

TEST_F(CudaSessionThat, BuildsATreeNamesItsStagesAndTheirSum) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> stagesOf{
        {"columns", {"tiles", "merges", "flatten", "numbering"}},
        {"boruvka", {"tiles", "seams", "boruvka", "keys", "sort", "runs", "nodes", "numbering"}},
    };
    for (const auto& [algorithm, stages] : stagesOf) {
        CudaSession session({});
        session.open(waves(500, 300));
        const TreeReport report = session.buildTree({TreeKind::max, Connectivity::four, algorithm}, {});
        EXPECT_EQ(report.algorithm, algorithm);
        std::vector<std::string> names;
        double sum = 0;
        for (const StageTime& stage : report.stages) {
            names.push_back(stage.name);
            sum += stage.milliseconds;
        }
        EXPECT_EQ(names, stages);
        EXPECT_DOUBLE_EQ(report.milliseconds, sum);
        EXPECT_GT(report.milliseconds, 0);
    }
}

TEST_F(CudaSessionThat, ChoosesTheAlgorithmByTheDepthOfThePixels) {
    for (const auto& [type, algorithm] : {std::pair{PixelType::u8, "rims"}, {PixelType::u16, "boruvka"}}) {
        CudaSession session({});
        session.open(makeImage(type, 60, 50, [](auto x, auto y) { return x * y; }));
        EXPECT_EQ(session.buildTree({}, {}).algorithm, algorithm);
        EXPECT_EQ(session.timeParentImage({}, {}).back().name, "flatten");
    }
}

TEST_F(CudaSessionThat, CopiesTellsHowLongItTook) {
    CudaSession session({});
    session.open(waves(500, 300));
    const auto names = [&] {
        std::vector<std::string> all;
        for (const StageTime& stage : session.takeTransferStages()) {
            EXPECT_GT(stage.milliseconds, 0) << stage.name;
            all.push_back(stage.name);
        }
        return all;
    };
    EXPECT_THAT(names(), ::testing::ElementsAre("upload"));
    session.buildTree({}, {});
    EXPECT_THAT(names(), ::testing::IsEmpty());
    (void)session.tree();
    EXPECT_THAT(names(), ::testing::ElementsAre("download"));
    (void)session.tree();
    EXPECT_THAT(names(), ::testing::IsEmpty());
    (void)session.attribute(AttributeId::area, {});
    EXPECT_THAT(names(), ::testing::UnorderedElementsAre("area", "download"));
}

TEST_F(CudaSessionThat, FiltersLeavesAnImageThatOutlivesIt) {
    const auto image = waves(333, 77);
    Image out(PixelType::u8, 333, 77);
    std::shared_ptr<const cuda::CudaFrame> frame;
    {
        CudaSession session({});
        session.open(image);
        session.buildTree({}, {});
        EXPECT_EQ(session.deviceFrame(), nullptr);
        FilterSpec spec = areaAtLeast(50);
        spec.output = Output::residue;
        (void)session.filter(spec, out, {});
        frame = std::static_pointer_cast<const cuda::CudaFrame>(session.deviceFrame());
        // Later work of the session must not touch it.
        Image other(PixelType::u8, 333, 77);
        (void)session.filter(areaAtLeast(1000), other, {});
        session.buildTree({TreeKind::min, Connectivity::eight, {}}, {});
        EXPECT_EQ(session.deviceFrame(), nullptr);
        session.open(waves(9, 9));
        session.buildTree({}, {});
    }
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->type(), PixelType::u8);
    EXPECT_EQ(frame->width(), 333U);
    EXPECT_EQ(frame->height(), 77U);
    const auto memory = cuda::DeviceMemory::create();
    cuda::DeviceBuffer<std::uint8_t> gathered(memory, out.pixelCount(), "image");
    frame->order().makeWait(memory->stream());
    cuda::check(cuda::launchGather(frame->view<std::uint8_t>(), gathered.data(), memory->stream()), "gather");
    frame->order().markRead(memory->stream());
    Image seen(PixelType::u8, 333, 77);
    cuda::check(
        cudaMemcpyAsync(seen.data(), gathered.data(), gathered.bytes(), cudaMemcpyDeviceToHost, memory->stream()),
        "download");
    cuda::check(cudaStreamSynchronize(memory->stream()), "download");
    EXPECT_TRUE(equalPixels(seen, out));
}

TEST_F(CudaSessionThat, OpensAnArrayEqualsOneThatOpensItsImage) {
    const auto image = waves(333, 77);
    const auto memory = cuda::DeviceMemory::create();
    const auto pixels = std::make_shared<cuda::DeviceBuffer<std::byte>>(memory, image->bytes(), "an array");
    cuda::check(
        cudaMemcpyAsync(pixels->data(), image->data(), image->bytes(), cudaMemcpyHostToDevice, memory->stream()),
        "fill an array");
    DeviceArray array{{pixels, pixels->data()}, TexelType::u8, image->extent(), 0};
    const auto oracle = cpuSession(image);
    Image expected(PixelType::u8, 333, 77);
    oracle->filter(areaAtLeast(50), expected);
    DeviceArray filtered;
    DeviceLabelArray labels;
    {
        CudaSession session({});
        session.openArray(array, {});
        cuda::check(cudaMemsetAsync(pixels->data(), 0, pixels->bytes(), memory->stream()), "clear an array");
        session.buildTree({}, {});
        expectSameTree(*session.tree(), *oracle->tree());
        filtered = session.filteredArray(areaAtLeast(50), {});
        labels = session.labelledArray(areaAtLeast(50), {});
        Image other(PixelType::u8, 333, 77);
        (void)session.filter(areaAtLeast(1000), other, {});
        array.type = TexelType::u32;
        EXPECT_THROW(session.openArray(array, {}), Error);
        array = {{image, image->data()}, TexelType::u8, image->extent(), 0};
        EXPECT_THROW(session.openArray(array, {}), Error);
        EXPECT_EQ(session.tree()->nodeCount(), oracle->tree()->nodeCount());
    }
    Image result(PixelType::u8, 333, 77);
    cuda::check(cudaMemcpy(result.data(), filtered.values.get(), result.bytes(), cudaMemcpyDeviceToHost), "fetch");
    EXPECT_TRUE(equalPixels(result, expected));
    const LabelImage numbered = oracle->labels(areaAtLeast(50));
    std::vector<std::uint32_t> fetched(numbered.labels.size());
    cuda::check(cudaMemcpy(fetched.data(), labels.labels.values.get(), numbered.labels.bytes(), cudaMemcpyDeviceToHost),
                "fetch");
    EXPECT_EQ(labels.count, numbered.count);
    EXPECT_TRUE(std::ranges::equal(fetched, numbered.labels.span()));
}

TEST_F(CudaSessionThat, LeavesAnImageOnTheDeviceBringsItWhenAsked) {
    CudaSession session({});
    session.open(waves(333, 77));
    session.buildTree({}, {});
    Image wanted(PixelType::u8, 333, 77);
    const FilterReport report = session.filter(areaAtLeast(50), wanted, {});
    const auto first = session.deviceFrame();
    (void)session.takeTransferStages();
    const auto again = session.filterOnDevice(areaAtLeast(50), {});
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->keptNodes, report.keptNodes);
    EXPECT_EQ(again->changedPixels, report.changedPixels);
    EXPECT_NE(session.deviceFrame(), first);
    EXPECT_THAT(session.takeTransferStages(), ::testing::IsEmpty()) << "nothing was copied";
    Image out(PixelType::u8, 333, 77);
    session.fetchFrame(*session.deviceFrame(), out, {});
    EXPECT_TRUE(equalPixels(out, wanted));
    Image wrongSize(PixelType::u8, 333, 78);
    EXPECT_THROW(session.fetchFrame(*first, wrongSize, {}), Error);
    CudaSession other({});
    EXPECT_THROW(other.fetchFrame(*first, out, {}), Error) << "another session's";
}

TEST_F(CudaSessionThat, CountsAPlaneCopiesNoColumn) {
    CudaSession session({});
    session.open(waves(500, 300));
    session.buildTree({}, {});
    (void)session.takeTransferStages();
    const BinSpec bins{64, BinScale::linear, {}, {}};
    const AttributePlane plane = session.plane(AttributeId::area, bins, AttributeId::height, bins, {});
    std::vector<std::string> names;
    for (const StageTime& stage : session.takeTransferStages()) {
        names.push_back(stage.name);
    }
    EXPECT_THAT(names, ::testing::Contains("bins"));
    EXPECT_THAT(names, ::testing::Not(::testing::Contains("download")));
    EXPECT_TRUE(cpuSession(waves(500, 300))->plane(AttributeId::area, bins, AttributeId::height, bins) == plane);
}

TEST_F(CudaSessionThat, HasTheNumbersOfItsNodesAsLongAsSomebodyHoldsThem) {
    std::shared_ptr<const DevicePixels> nodes;
    std::shared_ptr<const ComponentTree> tree;
    {
        CudaSession session({});
        EXPECT_EQ(session.deviceNodes(), nullptr);
        session.open(waves(120, 90));
        EXPECT_EQ(session.deviceNodes(), nullptr);
        session.buildTree({}, {});
        nodes = session.deviceNodes();
        ASSERT_NE(nodes, nullptr);
        tree = session.tree();
        session.buildTree({TreeKind::min, Connectivity::eight, {}}, {});
        EXPECT_NE(session.deviceNodes(), nodes);
        session.open(waves(9, 9));
        EXPECT_EQ(session.deviceNodes(), nullptr);
    }
    EXPECT_EQ(nodes->texels(), TexelType::u32);
    EXPECT_EQ(nodes->width(), 120U);
    EXPECT_EQ(nodes->height(), 90U);
    const auto& pixels = dynamic_cast<const cuda::CudaNodes&>(*nodes);
    const auto memory = cuda::DeviceMemory::create();
    pixels.order().makeWait(memory->stream());
    Buffer<std::uint32_t> seen(tree->pixelCount());
    cuda::check(cudaMemcpyAsync(seen.data(), std::get<cuda::NodeView>(pixels.viewOf(0)).pixelNode, seen.bytes(),
                                cudaMemcpyDeviceToHost, memory->stream()),
                "download");
    pixels.order().markRead(memory->stream());
    nodes.reset(); // frees the memory after the copy, in the order of the stream
    cuda::check(cudaStreamSynchronize(memory->stream()), "download");
    EXPECT_TRUE(std::ranges::equal(seen, tree->pixelNode));
}

TEST_F(CudaSessionThat, IsAskedForTooMuchSaysHowMuchAndTakesNothing) {
    constexpr std::uint64_t kLeft = std::uint64_t{96} << 20U;
    const auto image = waves(5000, 4000);
    CudaSession session({});
    session.open(image);
    ASSERT_GT(session.estimateTreeBytes(*image), kLeft);
    const auto hog = cuda::DeviceMemory::create();
    cuda::DeviceBuffer<std::byte> taken(hog, hog->available() - kLeft, "everything else");
    const std::uint64_t used = session.memory().usedBytes();
    try {
        session.buildTree({}, {});
        FAIL() << "a tree was built in too little memory";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
        EXPECT_THAT(error.what(), HasSubstr("5000 x 4000"));
        EXPECT_THAT(error.what(), HasSubstr("MiB of GPU memory needed"));
        EXPECT_THAT(error.what(), HasSubstr("free"));
    }
    EXPECT_EQ(session.memory().usedBytes(), used);
    EXPECT_EQ(session.memory().peakBytes(), used);
    taken.reset();
    cuda::check(cudaStreamSynchronize(hog->stream()), "give back");
    cuda::check(cudaDeviceSynchronize(), "give back");
}

TEST_F(CudaSessionThat, HasRanksEqualsTheCpuEngine) {
    Random random(46);
    CudaSession session({});
    const auto oracle = makeCpuEngine()->openSession();
    for (int repeat = 0; repeat < 10; ++repeat) {
        const auto image = makeImage(PixelType::u16, 1 + random() % 90, 1 + random() % 90,
                                     [&](auto, auto) { return std::min(random() % 60, random() % 60); });
        const auto mapping = repeat % 2 == 0 ? rankedMapping(ValueType::f32, unevenFloats(random, 60))
                                             : ValueMapping{.offset = -1024.5, .step = 0.25};
        session.open(image, nullptr, mapping);
        oracle->open(image, nullptr, mapping);
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            session.buildTree({kind, Connectivity::four, {}}, {});
            oracle->buildTree({kind, Connectivity::four, {}});
            for (const AttributeInfo& info : allAttributes()) {
                ASSERT_NO_FATAL_FAILURE(expectSameColumn(*session.attribute(info.id, {}), *oracle->attribute(info.id)))
                    << info.name;
            }
            const auto sums = oracle->attribute(AttributeId::sum);
            FilterSpec spec;
            spec.criteria = {{AttributeId::sum, (sums->minimum + sums->maximum) / 2}, {AttributeId::level, 2}};
            spec.match = Match::any;
            spec.prominent = {Prominence::extinctionVolume, 5};
            Image out(PixelType::u16, image->extent());
            Image expected(PixelType::u16, image->extent());
            const FilterReport report = session.filter(spec, out);
            ASSERT_EQ(report.keptNodes, oracle->filter(spec, expected).keptNodes);
            ASSERT_TRUE(equalPixels(out, expected));
            const BinSpec bins{20, BinScale::linear, {}, {}};
            ASSERT_EQ(session.plane(AttributeId::sum, bins, AttributeId::area, bins, {}),
                      oracle->plane(AttributeId::sum, bins, AttributeId::area, bins));
            ASSERT_TRUE(session.spectrum(AttributeId::area, bins, {}) == oracle->spectrum(AttributeId::area, bins));
            if (mapping.ranks != nullptr) {
                FilterSpec residue = spec;
                residue.output = Output::residue;
                ASSERT_TRUE(equalPixels(*session.filterRanks(residue).image, *oracle->filterRanks(residue).image));
            }
        }
    }
}

TEST_F(CudaSessionThat, WasStoppedKeepsItsTree) {
    CudaSession session({});
    session.open(waves(300, 300));
    session.buildTree({}, {});
    const auto tree = session.tree();
    Image out(PixelType::u8, 300, 300);
    (void)session.filter(areaAtLeast(10), out, {});
    const auto frame = session.deviceFrame();
    const std::uint64_t used = session.memory().usedBytes();
    std::stop_source stop;
    stop.request_stop();
    const JobControl stopped(stop.get_token());
    EXPECT_THROW(session.buildTree({TreeKind::min, Connectivity::four, "base"}, stopped), Cancelled);
    EXPECT_THROW((void)session.filter(areaAtLeast(20), out, stopped), Cancelled);
    EXPECT_THROW((void)session.attribute(AttributeId::volume, stopped), Cancelled);
    EXPECT_EQ(session.tree(), tree);
    EXPECT_EQ(session.deviceFrame(), frame);
    EXPECT_EQ(session.memory().usedBytes(), used);
}

} // namespace
} // namespace pollard::testing
