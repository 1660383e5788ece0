#include "cli_fixture.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An engine whose sessions fail during work.
class FailingEngine final : public Engine {
public:
    /// @param masks number of masks labelled before the failure
    explicit FailingEngine(ErrorCode code, int masks = 0) : code_(code), masks_(masks) {}

    [[nodiscard]] std::string name() const override { return "failing"; }
    [[nodiscard]] std::string device() const override { return "a broken card"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        return {{"columns", "max-tree", "failing", "test"},
                {"strips", kLabellingJob, "failing", "test"},
                {"flat", kLabellingJob, "failing", "test", 0, false},
                {"one-kernel", std::string(kSnakeJob), "failing", "test"}};
    }
    [[nodiscard]] Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                             const JobControl& control) override {
        if (masks_-- > 0) {
            return pollard::labelComponents(mask, grey, spec, control);
        }
        throw Error(code_, "components: the card broke");
    }
    /// Fails after three states.
    [[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener,
                                       const JobControl& control) override {
        int told = 0;
        const auto breaking = [&](std::size_t contour, const SnakeState& state) {
            if (++told > 3) {
                throw Error(code_, "region snake: the card broke");
            }
            return listener(contour, state);
        };
        return pollard::runSnake(job, breaking, control);
    }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions&) override {
        return std::make_unique<FailingSession>(code_);
    }

private:
    class FailingSession final : public Session {
    public:
        explicit FailingSession(ErrorCode code) : code_(code) {}

        void setImage(std::shared_ptr<const Image>) override {}
        TreeReport build(const TreeSpec&, const JobControl&) override {
            throw Error(code_, "build tree: the card broke");
        }
        [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return nullptr; }
        [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId, const JobControl&) override {
            return nullptr;
        }
        FilterReport runFilter(const FilterSpec&, Image&, const JobControl&) override { return {}; }
        [[nodiscard]] std::uint64_t estimateTreeBytes(const Image&) const override { return 0; }

    private:
        ErrorCode code_;
    };

    ErrorCode code_;
    std::atomic<int> masks_;
};

class EngineFallback : public CliTest {
protected:
    [[nodiscard]] Outcome run(const Args& args, ErrorCode code = ErrorCode::deviceFailed, int masks = 0) const {
        EngineRegistry registry{makeCpuEngine()};
        registry.add(std::make_unique<FailingEngine>(code, masks));
        return call(args, registry);
    }
};

TEST_F(EngineFallback, FiltersOnTheCpuWhenTheDeviceFailsOrIsTooSmall) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    for (const ErrorCode code : {ErrorCode::deviceFailed, ErrorCode::outOfMemory, ErrorCode::engineUnavailable}) {
        const Outcome outcome =
            run({"filter", path("a.tif"), "--keep", "area>=3", "-o", path("out.tif"), "--json"}, code);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(Json::parse(outcome.out).at("engine"), "cpu");
        EXPECT_THAT(outcome.err, HasSubstr("engine cpu takes over: build tree: the card broke"));
    }
}

TEST_F(EngineFallback, BuildsOnTheCpuWhenTheDeviceFails) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome = run({"tree", path("a.tif"), "--attributes", "area", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("engine"), "cpu");
    EXPECT_EQ(Json::parse(outcome.out).at("attributes").size(), 1U);
}

TEST_F(EngineFallback, FindsObjectsOnTheCpuWhenTheDeviceFails) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome = run({"components", path("a.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("engine"), "cpu");
    EXPECT_EQ(Json::parse(outcome.out).at("algorithm"), "runs");
    EXPECT_THAT(outcome.err, HasSubstr("engine cpu takes over: components: the card broke"));
    EXPECT_EQ(run({"components", path("a.tif"), "--engine", "failing"}).code, 1);
    EXPECT_EQ(run({"components", path("a.tif"), "--algorithm", "strips"}).code, 1);
    EXPECT_EQ(run({"components", path("a.tif"), "--algorithm", "runs"}).code, 0);
    const Outcome unknown = run({"components", path("a.tif"), "--algorithm", "columns"});
    EXPECT_EQ(unknown.code, 2) << "columns makes trees";
    EXPECT_THAT(unknown.err, HasSubstr("there are strips, flat, runs"));
}

TEST_F(EngineFallback, FindsObjectsOfVolumesOnTheCpuWhenTheDeviceFails) {
    Image volume(PixelType::u8, {9, 7, 3});
    std::ranges::fill(volume.pixels<std::uint8_t>(), std::uint8_t{90});
    writeTiff(path("v.tif"), {volume, {.scene = {.axes = {{'z', 3, {}}}}}});
    const Args find{"components", path("v.tif"), "--volume", "--json"};
    const auto with = [&](const char* option, const char* value) {
        Args args = find;
        args.insert(args.end(), {option, value});
        return run(args);
    };
    const Outcome outcome = run(find);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("engine"), "cpu");
    EXPECT_EQ(Json::parse(outcome.out).at("algorithm"), "runs");
    EXPECT_EQ(Json::parse(outcome.out).at("count"), 1);
    EXPECT_THAT(outcome.err, HasSubstr("engine cpu takes over: components: the card broke"));
    EXPECT_EQ(with("--engine", "failing").code, 1);
    EXPECT_EQ(with("--algorithm", "strips").code, 1);
    EXPECT_EQ(with("--algorithm", "runs").code, 0);
    EXPECT_THAT(with("--algorithm", "flat").err, HasSubstr("works on images, not on volumes"));
}

TEST_F(EngineFallback, FollowsObjectsOnTheCpuFromTheFrameOnThatTheDeviceFailedIn) {
    Args frames;
    for (int i = 0; i < 6; ++i) {
        const std::string name = "f" + std::to_string(i) + ".tif";
        (void)makeImage(name, PixelType::u8, 20, 10, 90 + static_cast<std::uint32_t>(i));
        frames.push_back(path(name));
    }
    const auto tableOf = [&](const Args& choice, int masks, Outcome& outcome) {
        Args args{"track", "--threshold", "120", "--csv", path("t.csv"), "--json", "--threads", "3"};
        args.insert(args.end(), frames.begin(), frames.end());
        args.insert(args.end(), choice.begin(), choice.end());
        outcome = run(args, ErrorCode::deviceFailed, masks);
        std::ostringstream text;
        text << std::ifstream(path("t.csv")).rdbuf();
        return text.str();
    };
    Outcome outcome;
    const std::string expected = tableOf({"--engine", "cpu"}, 0, outcome);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const int masks : {0, 1, 2, 5}) {
        EXPECT_EQ(tableOf({}, masks, outcome), expected);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("engine"), "cpu");
        EXPECT_EQ(outcome.json().at("frames"), 6);
        const std::size_t note = outcome.err.find("engine cpu takes over: components: the card broke");
        ASSERT_NE(note, std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.err.find("takes over", note + 25), std::string::npos) << "told once";
    }
    EXPECT_EQ(tableOf({}, 6, outcome), expected);
    EXPECT_EQ(outcome.json().at("engine"), "failing");
    (void)tableOf({"--engine", "failing"}, 2, outcome);
    EXPECT_EQ(outcome.code, 1);
}

TEST_F(EngineFallback, MovesASnakeOnTheCpuWhenTheDeviceFails) {
    (void)makeImage("a.tif", PixelType::u8, 60, 50, 90);
    const auto traceOf = [&](const Args& choice, const std::string& name) {
        Args args{"snake", path("a.tif"), "--init", "5,5,40,30", "--json", "--trace", path(name)};
        args.insert(args.end(), choice.begin(), choice.end());
        return run(args);
    };
    const Outcome taken = traceOf({}, "taken.csv");
    ASSERT_EQ(taken.code, 0) << taken.err;
    EXPECT_EQ(taken.json().at("engine"), "cpu");
    EXPECT_EQ(taken.json().at("algorithm"), "local-best");
    EXPECT_THAT(taken.err, HasSubstr("engine cpu takes over: "));
    const Outcome cpu = traceOf({"--engine", "cpu"}, "cpu.csv");
    ASSERT_EQ(cpu.code, 0) << cpu.err;
    EXPECT_THAT(cpu.err, IsEmpty());
    std::ostringstream texts[2];
    texts[0] << std::ifstream(path("taken.csv")).rdbuf();
    texts[1] << std::ifstream(path("cpu.csv")).rdbuf();
    EXPECT_EQ(texts[0].str(), texts[1].str());
    EXPECT_GT(std::ranges::count(texts[1].str(), '\n'), 6);
    EXPECT_EQ(traceOf({"--algorithm", "one-kernel"}, "c.csv").code, 1);
    EXPECT_EQ(traceOf({"--engine", "failing"}, "g.csv").code, 1);
    const Outcome sequential = traceOf({"--moves", "sequential"}, "d.csv");
    EXPECT_EQ(sequential.code, 0);
    EXPECT_EQ(sequential.json().at("algorithm"), "sequential");
    EXPECT_THAT(sequential.err, IsEmpty());
    EXPECT_EQ(traceOf({"--init", "50,40,8,8"}, "e.csv").json().at("engine"), "cpu") << "several contours";
    EXPECT_EQ(traceOf({"--init", "50,40,8,8", "--engine", "failing"}, "f.csv").code, 2);
}

TEST_F(EngineFallback, IsNotForAnEngineThatWasAskedFor) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome = run({"tree", path("a.tif"), "--engine", "failing"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the card broke"));
}

TEST_F(EngineFallback, IsNotForErrorsThatAnotherEngineMakesToo) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    EXPECT_EQ(run({"tree", path("a.tif")}, ErrorCode::invalidArgument).code, 1);
}

TEST_F(EngineFallback, LetsAnAlgorithmChooseItsEngine) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome cpu = run({"tree", path("a.tif"), "--algorithm", "branches", "--json"});
    ASSERT_EQ(cpu.code, 0) << cpu.err;
    EXPECT_EQ(Json::parse(cpu.out).at("engine"), "cpu");
    EXPECT_THAT(cpu.err, IsEmpty());
    EXPECT_EQ(run({"tree", path("a.tif"), "--algorithm", "columns"}).code,
              1); // the CPU engine does not have this algorithm
    const Outcome unknown = run({"tree", path("a.tif"), "--algorithm", "nothing"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("columns, branches"));
}

} // namespace
} // namespace pollard::cli
