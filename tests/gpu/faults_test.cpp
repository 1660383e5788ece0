// Behaviour after failures, injected one at a time.

#include "on_gpu.hpp"
#include "tree_equality.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/nodes/measure_facts.hpp"
#include "cuda/session/parent_image.hpp"
#include "cuda/session/tree_stream.hpp"
#include "cuda/tree/frame_gather.cuh"
#include "engine/engine_registry.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using cuda::CudaSession;
using cuda::FaultInjection;
using cuda::FaultPlan;
using cuda::ProbeFault;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(FaultPlan, StrikesOnceAtTheNumberGiven) {
    FaultPlan plan;
    plan.failOperation = 3;
    {
        const FaultInjection injection(plan);
        EXPECT_NO_THROW(cuda::check(cudaSuccess, "first"));
        EXPECT_NO_THROW(cuda::check(cudaSuccess, std::string("second")));
        EXPECT_FALSE(injection.failureOccurred());
        EXPECT_THROW(cuda::check(cudaSuccess, "third"), Error);
        EXPECT_TRUE(injection.failureOccurred());
        EXPECT_NO_THROW(cuda::check(cudaSuccess, "fourth"));
    }
    EXPECT_NO_THROW(cuda::check(cudaSuccess, "after"));
    EXPECT_THAT(cuda::lostContextReason(), IsEmpty());
}

TEST(FaultPlan, OfAnAllocationEndsWithTheInjection) {
    FaultPlan plan;
    plan.failAllocation = 1;
    {
        const FaultInjection injection(plan);
        EXPECT_TRUE(cuda::faults::allocationFails());
        EXPECT_FALSE(cuda::faults::allocationFails());
    }
    plan.failAllocation = 2;
    { const FaultInjection injection(plan); }
    EXPECT_FALSE(cuda::faults::allocationFails());
    EXPECT_FALSE(cuda::faults::allocationFails());
}

TEST(CudaError, IsTypedAndNamesTheOperation) {
    try {
        cuda::check(cudaErrorMemoryAllocation, "upload 5 x 5 px");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
        EXPECT_THAT(error.what(), HasSubstr("upload 5 x 5 px"));
    }
    try {
        cuda::check(cudaErrorInvalidValue, "build tree");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::deviceFailed);
        EXPECT_THAT(error.what(), HasSubstr("build tree"));
    }
    EXPECT_THAT(cuda::lostContextReason(), IsEmpty());
}

struct ProbeCase {
    const char* name;
    ProbeFault fault;
    const char* says;
};

class ProbeThatFinds : public ::testing::TestWithParam<ProbeCase> {};

TEST_P(ProbeThatFinds, NothingUsableSaysWhyInOneLine) {
    FaultPlan plan;
    plan.probe = GetParam().fault;
    const FaultInjection injection(plan);
    EngineRegistry registry{makeCpuEngine()};
    registry.add(makeCudaEngine());
    Engine& engine = *registry.find("cuda");
    EXPECT_THAT(engine.unusableReason(), HasSubstr(GetParam().says));
    EXPECT_THAT(engine.unusableReason(), Not(HasSubstr("\n")));
    EXPECT_EQ(registry.select("auto").name(), "cpu");
    const std::shared_ptr<const Image> image = makeImage(PixelType::u8, 2, 2, [](auto, auto) { return 0; });
    for (const auto& refused : std::vector<std::function<void()>>{
             [&] { (void)engine.openSession(); },
             [&] { (void)dynamic_cast<TreeStreamer&>(engine).streamTrees(std::span(&image, 1), {}, 1); },
             [&] { (void)registry.select("cuda"); },
         }) {
        try {
            refused();
            FAIL() << "was not refused";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::engineUnavailable);
            EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
        }
    }
    EXPECT_FALSE(engine.algorithms().empty()); // listed without a device, too
}

std::string nameOfProbeCase(const ::testing::TestParamInfo<ProbeCase>& instance) { return instance.param.name; }

INSTANTIATE_TEST_SUITE_P(All, ProbeThatFinds,
                         ::testing::Values(ProbeCase{"noDriver", ProbeFault::noDriver, "no NVIDIA driver"},
                                           ProbeCase{"noDevice", ProbeFault::noDevice, "finds no GPU"},
                                           ProbeCase{"driverTooOld", ProbeFault::driverTooOld, "supports CUDA 11.4"},
                                           ProbeCase{"busy", ProbeFault::busy, "busy"},
                                           ProbeCase{"noCode", ProbeFault::noCode, "no code for compute capability"}),
                         nameOfProbeCase);

enum class Fault { allocation, operation };

/// Runs @p operation repeatedly with its first, second, ... allocation or checked operation failing, until it succeeds.
/// Every failure must throw the right Error, and @p unharmed must hold after it.
void failEach(Fault fault, const std::function<void()>& operation, const std::function<void()>& unharmed,
              int atLeast = 1) {
    constexpr int kTooMany = 5000;
    for (int k = 1; k < kTooMany; ++k) {
        SCOPED_TRACE(::testing::Message() << (fault == Fault::allocation ? "allocation " : "operation ") << k);
        FaultPlan plan;
        (fault == Fault::allocation ? plan.failAllocation : plan.failOperation) = k;
        bool threw = false;
        bool failureOccurred = false;
        {
            const FaultInjection injection(plan);
            try {
                operation();
            } catch (const Error& error) {
                threw = true;
                EXPECT_EQ(error.code(), fault == Fault::allocation ? ErrorCode::outOfMemory : ErrorCode::deviceFailed)
                    << error.what();
            }
            failureOccurred = injection.failureOccurred();
        }
        ASSERT_EQ(threw, failureOccurred);
        if (!failureOccurred) {
            EXPECT_GT(k, atLeast) << "too few points at which it can fail";
            return;
        }
        ASSERT_NO_FATAL_FAILURE(unharmed());
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    }
    FAIL() << "does not come to an end";
}

class SessionAfterAFailure : public OnGpu, public ::testing::WithParamInterface<Fault> {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        if (IsSkipped()) {
            return;
        }
        Random random(5);
        image_ = makeImage(PixelType::u16, 150, 90, [&](auto x, auto y) { return (x * y + random() % 300) & 0xffff; });
        other_ = makeImage(PixelType::u8, 70, 200, [&](auto, auto) { return random() % 256; });
        session_ = std::make_unique<CudaSession>(SessionOptions{});
        session_->open(image_);
        session_->buildTree({}, {});
        tree_ = session_->tree();
        expected_ = std::make_unique<Image>(image_->type(), image_->width(), image_->height());
        expectedReport_ = cpuSession(image_)->filter(areaAtLeast(20), *expected_);
        expectWorks(); // also allocates the data that filters keep
        used_ = session_->memory().usedBytes();
    }

    /// The session filters its old tree as before the failure.
    void expectWorks() {
        Image out(image_->type(), image_->width(), image_->height());
        const FilterReport report = session_->filter(areaAtLeast(20), out, {});
        ASSERT_TRUE(equalPixels(out, *expected_));
        ASSERT_EQ(report.keptNodes, expectedReport_.keptNodes);
        ASSERT_EQ(report.changedPixels, expectedReport_.changedPixels);
    }
    void expectUnharmed() {
        ASSERT_EQ(session_->tree(), tree_);
        ASSERT_EQ(session_->memory().usedBytes(), used_) << "memory leaked";
        ASSERT_NO_FATAL_FAILURE(expectWorks());
        ASSERT_EQ(session_->memory().usedBytes(), used_);
    }

    std::shared_ptr<Image> image_;
    std::shared_ptr<Image> other_;
    std::unique_ptr<CudaSession> session_;
    std::shared_ptr<const ComponentTree> tree_;
    std::unique_ptr<Image> expected_;
    FilterReport expectedReport_;
    std::uint64_t used_ = 0;
};

TEST_P(SessionAfterAFailure, InOpenImageKeepsItsTree) {
    failEach(
        GetParam(), [&] { session_->open(other_); }, [&] { expectUnharmed(); });
    EXPECT_EQ(session_->tree(), nullptr);
}

TEST_P(SessionAfterAFailure, InBuildTreeKeepsItsTree) {
    for (const std::string& algorithm : cuda::maxTreeAlgorithms()) {
        SCOPED_TRACE(algorithm);
        const TreeSpec spec{TreeKind::min, Connectivity::eight, algorithm};
        failEach(
            GetParam(), [&] { session_->buildTree(spec, {}); }, [&] { expectUnharmed(); }, 3);
        const auto oracle = cpuSession(image_, TreeKind::min, Connectivity::eight);
        ASSERT_EQ(session_->tree()->nodeCount(), oracle->tree()->nodeCount());
        session_->buildTree({}, {}); // the old tree again
        tree_ = session_->tree();
        ASSERT_NO_FATAL_FAILURE(expectWorks());
        used_ = session_->memory().usedBytes();
    }
}

TEST_P(SessionAfterAFailure, InATreeOfAVolumeKeepsTheTreeBefore) {
    Random random(6);
    const auto volume = randomVolume(random, {40, 35, 33});
    for (const Connectivity connectivity : {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix}) {
        CudaSession session({});
        session.open(volume);
        session.buildTree({TreeKind::max, connectivity, {}}, {});
        const auto tree = session.tree();
        const std::uint64_t used = session.memory().usedBytes();
        failEach(
            GetParam(),
            [&] {
                session.buildTree({TreeKind::min, connectivity, {}}, {});
            },
            [&] {
                ASSERT_EQ(session.tree(), tree);
                ASSERT_EQ(session.memory().usedBytes(), used) << "memory leaked";
            },
            3);
        const auto oracle = cpuSession(volume, TreeKind::min, connectivity);
        ASSERT_NO_FATAL_FAILURE(expectEqual(*session.tree(), *oracle->tree()));
    }
}

TEST_P(SessionAfterAFailure, InTreeGivesItTheNextTime) {
    // A new session each time: chunks for the copies are taken once in a session's life.
    std::unique_ptr<CudaSession> session;
    const auto fresh = [&] {
        session = std::make_unique<CudaSession>(SessionOptions{});
        session->open(image_);
        session->buildTree({}, {});
    };
    fresh();
    failEach(
        GetParam(), [&] { (void)session->tree(); },
        [&] {
            ASSERT_EQ(session->tree()->nodeCount(), tree_->nodeCount());
            ASSERT_TRUE(std::ranges::equal(session->tree()->pixelNode, tree_->pixelNode));
            fresh();
        });
}

TEST_P(SessionAfterAFailure, InAttributeGivesItTheNextTime) {
    const auto oracle = cpuSession(image_);
    for (const AttributeInfo& info : allAttributes()) {
        SCOPED_TRACE(info.name);
        session_->open(image_);
        session_->buildTree({}, {});
        const std::uint64_t used = session_->memory().usedBytes();
        std::shared_ptr<const AttributeColumn> column;
        failEach(
            GetParam(), [&] { column = session_->attribute(info.id, {}); },
            [&] {
                ASSERT_LE(session_->memory().usedBytes(),
                          used + cuda::estimateMeasureBytes(info.id, tree_->nodeCount(), tree_->extent()));
            },
            0);
        ASSERT_NE(column, nullptr);
        const auto expected = oracle->attribute(info.id);
        for (std::size_t node = 0; node < column->size(); ++node) {
            ASSERT_TRUE(nearlySameValue(column->at(node), expected->at(node)))
                << node << ": " << column->at(node) << " and " << expected->at(node);
        }
    }
}

TEST_P(SessionAfterAFailure, InAnAttributeOfAVolumeGivesItTheNextTime) {
    Random random(7);
    const auto volume = randomVolume(random, {20, 25, 13});
    volume->setSides({1, 1, 2.5});
    const auto oracle = cpuSession(volume, TreeKind::max, Connectivity::twentySix);
    for (const AttributeId id : {AttributeId::bboxArea, AttributeId::border, AttributeId::centroidZ,
                                 AttributeId::medium, AttributeId::sphericity, AttributeId::euler}) {
        SCOPED_TRACE(attributeInfo(id).name);
        CudaSession session({});
        session.open(volume);
        session.buildTree({TreeKind::max, Connectivity::twentySix, {}}, {});
        const std::uint64_t used = session.memory().usedBytes();
        std::shared_ptr<const AttributeColumn> column;
        failEach(
            GetParam(), [&] { column = session.attribute(id, {}); },
            [&] {
                ASSERT_LE(session.memory().usedBytes(),
                          used + cuda::estimateMeasureBytes(id, oracle->tree()->nodeCount(), volume->extent()));
            },
            0);
        ASSERT_NE(column, nullptr);
        const auto expected = oracle->attribute(id);
        for (std::size_t node = 0; node < column->size(); ++node) {
            ASSERT_TRUE(sameValue(column->at(node), expected->at(node))) << node;
        }
    }
}

TEST_P(SessionAfterAFailure, InAPlaneCountsTheRightOneTheNextTime) {
    const BinSpec linear{40, BinScale::linear, {}, {}};
    const BinSpec log{30, BinScale::log, {}, {}};
    AttributePlane plane;
    (void)session_->attribute(AttributeId::area, {}); // measured, so that no more than the counting fails
    (void)session_->plane(AttributeId::area, log, AttributeId::height, linear, {});
    used_ = session_->memory().usedBytes();
    failEach(
        GetParam(), [&] { plane = session_->plane(AttributeId::area, log, AttributeId::height, linear, {}); },
        [&] { expectUnharmed(); }, 3);
    EXPECT_TRUE(plane == cpuSession(image_)->plane(AttributeId::area, log, AttributeId::height, linear));
}

TEST_P(SessionAfterAFailure, InFilterKeepsItsTreeAndImage) {
    const auto frame = session_->deviceFrame();
    FilterSpec spec = areaAtLeast(3);
    spec.rule = Rule::max;
    spec.output = Output::residue;
    Image out(image_->type(), image_->width(), image_->height());
    failEach(
        GetParam(), [&] { (void)session_->filter(spec, out, {}); },
        [&] {
            ASSERT_EQ(session_->deviceFrame(), frame);
            ASSERT_EQ(session_->tree(), tree_);
            ASSERT_EQ(session_->memory().usedBytes(), used_);
        },
        3);
    EXPECT_NE(session_->deviceFrame(), frame);
    Image expected(image_->type(), image_->width(), image_->height());
    (void)cpuSession(image_)->filter(spec, expected);
    EXPECT_TRUE(equalPixels(out, expected));
}

TEST_P(SessionAfterAFailure, InAFilterThatMeasuresGivesTheRightImageTheNextTime) {
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 10}, {AttributeId::volume, 500}, {AttributeId::mean, 2.5}};
    Image out(image_->type(), image_->width(), image_->height());
    session_->open(image_);
    session_->buildTree({}, {});
    failEach(
        GetParam(), [&] { (void)session_->filter(spec, out, {}); }, [] {}, 3);
    Image expected(image_->type(), image_->width(), image_->height());
    (void)cpuSession(image_)->filter(spec, expected);
    EXPECT_TRUE(equalPixels(out, expected));
}

TEST_P(SessionAfterAFailure, EverywhereLeavesNothingBehind) {
    Image out(other_->type(), other_->width(), other_->height());
    failEach(
        GetParam(),
        [&] {
            session_->open(other_);
            session_->buildTree({}, {});
            (void)session_->tree();
            for (const AttributeInfo& info : allAttributes()) {
                (void)session_->attribute(info.id, {});
            }
            (void)session_->filter(areaAtLeast(9), out, {});
        },
        [] {}, 10);
    session_->open(makeImage(PixelType::u8, 1, 1, [](auto, auto) { return 0; }));
    EXPECT_EQ(session_->memory().usedBytes(), cuda::blockBytes<std::byte>(1));
}

TEST_P(SessionAfterAFailure, InAStreamLeavesNothingBehind) {
    const std::vector<std::shared_ptr<const Image>> images{other_, other_};
    const auto freeBytes = [] { return cuda::DeviceMemory::create()->available(); };
    const auto run = [&] { (void)cuda::streamParentImages(images, {}, 5, {}); };
    run();
    const std::uint64_t before = freeBytes();
    failEach(
        GetParam(), run, [] {}, 5);
    constexpr std::uint64_t kDriversOwn = std::uint64_t{64} << 20U;
    EXPECT_GE(freeBytes() + kDriversOwn, before);
    EXPECT_NO_THROW(run());
}

TEST_P(SessionAfterAFailure, WhileItOpensIsAnError) {
    failEach(
        GetParam(), [] { (void)makeCudaEngine()->openSession(); }, [] {}, 0);
}

TEST_P(SessionAfterAFailure, ThatEndsTheContextMakesWayForTheCpuEngine) {
    if (GetParam() == Fault::allocation) {
        GTEST_SKIP() << "an allocation does not end the context";
    }
    EngineRegistry registry{makeCpuEngine()};
    registry.add(makeCudaEngine());
    EXPECT_EQ(registry.select("auto").name(), "cuda");
    {
        FaultPlan plan;
        plan.failOperation = 2;
        plan.failureKillsContext = true;
        const FaultInjection injection(plan);
        EXPECT_THROW(session_->buildTree({}, {}), Error);
        ASSERT_TRUE(injection.failureOccurred());
        EXPECT_THAT(registry.find("cuda")->unusableReason(), HasSubstr("restart"));
        EXPECT_EQ(registry.select("auto").name(), "cpu");
        EXPECT_THROW((void)registry.find("cuda")->openSession(), Error);
    }
    EXPECT_EQ(registry.select("auto").name(), "cuda");
    expectUnharmed();
}

std::string nameOfFault(const ::testing::TestParamInfo<Fault>& instance) {
    return instance.param == Fault::allocation ? "allocation" : "operation";
}

INSTANTIATE_TEST_SUITE_P(Faults, SessionAfterAFailure, ::testing::Values(Fault::allocation, Fault::operation),
                         nameOfFault);

class LostContextDeathTest : public OnGpu {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        ::testing::FLAGS_gtest_death_test_style = "threadsafe"; // a new process, so that the GPU works in it
    }
};

/// Exits with 0 if all is as it should be after a kernel of the session's stream read where it must not.
[[noreturn]] void loseTheContext() {
    int exitCode = 1;
    {
        EngineRegistry registry{makeCpuEngine()};
        registry.add(makeCudaEngine());
        CudaSession session({});
        session.open(makeImage(PixelType::u8, 64, 64, [](auto x, auto y) { return (x * y) & 0xff; }));
        session.buildTree({}, {});
        Image out(PixelType::u8, 64, 64);
        (void)session.filter(areaAtLeast(5), out, {});
        const auto frame = std::static_pointer_cast<const cuda::CudaFrame>(session.deviceFrame());
        cuda::FrameView<std::uint8_t> view = frame->view<std::uint8_t>();
        view.pixelNode = reinterpret_cast<const std::uint32_t*>(std::uintptr_t{64});
        std::uint8_t* const nowhere = reinterpret_cast<std::uint8_t*>(std::uintptr_t{128});
        (void)cuda::launchGather(view, nowhere, session.memory().stream());
        try {
            (void)session.filter(areaAtLeast(7), out, {});
        } catch (const Error& error) {
            const bool typed = error.code() == ErrorCode::deviceFailed;
            const bool told = !registry.find("cuda")->unusableReason().empty();
            exitCode = typed && told && registry.select("auto").name() == "cpu" ? 0 : 2;
        }
    } // nothing that is let go here may throw
    std::_Exit(exitCode);
}

TEST_F(LostContextDeathTest, IsTypedToldAndSurvived) {
    EXPECT_EXIT(loseTheContext(), ::testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace pollard::testing
