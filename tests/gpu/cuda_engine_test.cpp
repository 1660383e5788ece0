// The engine as the registry sees it, and its streams.

#include "cuda/cuda_engine.hpp"

#include "on_gpu.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "cuda/session/parent_image.hpp"
#include "cuda/session/tree_stream.hpp"
#include "engine/engine_registry.hpp"
#include "snake/snake_job.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

TEST(CudaEngine, IsCalledCuda) { EXPECT_EQ(makeCudaEngine()->name(), "cuda"); }

TEST(CudaEngine, SaysInOneLineWhyItCannotBeUsed) {
    const auto engine = makeCudaEngine();
    const std::string reason = engine->unusableReason();
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    if (engine->device().empty()) {
        EXPECT_FALSE(reason.empty());
    }
}

TEST(CudaEngine, RefusesANumberWithoutADevice) {
    const int count = countCudaDevices();
    const auto engine = makeCudaEngine(count + 3);
    const std::string reason = engine->unusableReason();
    EXPECT_FALSE(reason.empty());
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    if (count > 0) {
        EXPECT_THAT(reason, ::testing::HasSubstr("there is no GPU " + std::to_string(count + 3)));
        EXPECT_THAT(makeCudaEngine(count - 1)->unusableReason(), ::testing::IsEmpty());
    }
    EXPECT_THROW((void)engine->openSession(), Error);
}

TEST(CudaEngine, NamesNoDeviceWithoutMemory) {
    const auto engine = makeCudaEngine();
    EXPECT_EQ(engine->device().empty(), engine->memoryBytes() == 0);
}

TEST(CudaEngine, NamesEveryAlgorithmWithItsPaper) {
    std::map<std::string, std::set<std::string>> names;
    for (const AlgorithmInfo& algorithm : makeCudaEngine()->algorithms()) {
        EXPECT_EQ(algorithm.engine, "cuda");
        const bool isOurs = algorithm.name == "boruvka" || algorithm.name == "rims" || algorithm.name == "strips" ||
                            algorithm.name == "one-kernel";
        EXPECT_EQ(algorithm.source == "Pollard", isOurs) << algorithm.name;
        EXPECT_FALSE(algorithm.source.empty()) << algorithm.name;
        names[algorithm.job].insert(algorithm.name);
    }
    EXPECT_EQ(names.size(), 3U);
    EXPECT_THAT(names[std::string(kSnakeJob)], ::testing::UnorderedElementsAre("one-kernel", "seed-gpu"));
    EXPECT_THAT(names[kLabellingJob], ::testing::UnorderedElementsAre("strips", "ha4-32", "ha4-64", "tmk"));
    EXPECT_THAT(names["max-tree"],
                ::testing::UnorderedElementsAre("boruvka", "rims", "base", "columns", "border", "halo"));
}

TEST(CudaEngine, OpensASessionOrSaysWhyNot) {
    const auto engine = makeCudaEngine();
    if (engine->unusableReason().empty()) {
        EXPECT_NE(engine->openSession(), nullptr);
        return;
    }
    try {
        (void)engine->openSession();
        FAIL() << "a session was opened";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::engineUnavailable);
        EXPECT_THAT(error.what(), ::testing::HasSubstr(engine->unusableReason()));
    }
}

TEST(CudaEngine, IsChosenByAutoWhereItCanBeUsed) {
    EngineRegistry registry{makeCpuEngine()};
    registry.add(makeCudaEngine());
    ASSERT_NE(registry.find("cuda"), nullptr);
    const bool usable = registry.find("cuda")->unusableReason().empty();
    EXPECT_EQ(registry.select("auto").name(), usable ? "cuda" : "cpu");
    if (!usable) {
        EXPECT_THROW((void)registry.select("cuda"), Error);
    }
}

TEST(CudaEngine, OffersToShowItsImagesInTextures) { EXPECT_NE(makeCudaEngine()->makeGlTarget(), nullptr); }

class TreeStream : public OnGpu, public ::testing::WithParamInterface<std::string> {
protected:
    static std::vector<std::shared_ptr<const Image>> images(PixelType type) {
        Random random(6);
        std::vector<std::shared_ptr<const Image>> all;
        for (int i = 0; i < 4; ++i) {
            all.push_back(
                makeImage(type, 310, 190, [&](auto x, auto y) { return x / 9 * y / 7 % 100 + random() % 5; }));
        }
        return all;
    }
};

TEST_P(TreeStream, GivesTheParentImageOfEveryImageOnce) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto all = images(type);
        std::vector<Buffer<std::uint32_t>> expected;
        for (const auto& image : all) {
            expected.push_back(canonicalParentImage(*cpuSession(image)->tree()));
        }
        constexpr int kCount = 50;
        std::mutex mutex;
        std::vector<int> seen(kCount, 0);
        int wrong = 0;
        TreeSpec spec;
        spec.algorithm = GetParam();
        const StreamReport report =
            cuda::streamParentImages(all, spec, kCount, {}, [&](int i, std::span<const std::uint32_t> parents) {
                const std::lock_guard lock(mutex);
                ++seen[static_cast<std::size_t>(i)];
                wrong += std::ranges::equal(parents, expected[static_cast<std::size_t>(i) % all.size()]) ? 0 : 1;
            });
        EXPECT_EQ(seen, std::vector<int>(kCount, 1));
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(report.images, kCount);
        EXPECT_EQ(report.algorithm, GetParam());
        EXPECT_GT(report.milliseconds, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(All, TreeStream, ::testing::ValuesIn(cuda::maxTreeAlgorithms()),
                         [](const auto& instance) { return instance.param; });

class TreeStreamThat : public OnGpu {};

TEST_F(TreeStreamThat, CannotStartSaysWhy) {
    const auto engine = makeCudaEngine();
    const auto codeOf = [&](std::vector<std::shared_ptr<const Image>> images, const TreeSpec& spec, int count) {
        try {
            (void)dynamic_cast<TreeStreamer&>(*engine).streamTrees(images, spec, count);
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode::writeFailed; // stands for: nothing was thrown
    };
    const auto small = makeImage(PixelType::u8, 3, 3, [](auto x, auto) { return x; });
    const auto large = makeImage(PixelType::u8, 3, 4, [](auto x, auto) { return x; });
    TreeSpec unknown;
    unknown.algorithm = "no-such";
    EXPECT_EQ(codeOf({}, {}, 1), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf({nullptr}, {}, 1), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf({small}, {}, 0), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf({small, large}, {}, 2), ErrorCode::invalidArgument);
    EXPECT_EQ(codeOf({small}, unknown, 1), ErrorCode::engineUnavailable);
    EXPECT_EQ(codeOf({small}, {}, 1), ErrorCode::writeFailed);
}

TEST_F(TreeStreamThat, IsStoppedEnds) {
    const auto image = makeImage(PixelType::u8, 1000, 1000, [](auto x, auto y) { return (x ^ y) & 0xff; });
    std::stop_source stop;
    std::atomic<int> done{0};
    const std::vector<std::shared_ptr<const Image>> images{image};
    EXPECT_THROW((void)cuda::streamParentImages(images, {}, 1'000'000, JobControl(stop.get_token()),
                                                [&](int, std::span<const std::uint32_t>) {
                                                    if (++done == 5) {
                                                        stop.request_stop();
                                                    }
                                                }),
                 Cancelled);
    EXPECT_GE(done, 5);
    EXPECT_LT(done, 1'000'000);
}

} // namespace
} // namespace pollard::testing
