// Contours moved to the end by an engine while the window shows them.
#include "cpu/cpu_engine.hpp"
#include "vm/contour/contour_computing.hpp"

#include "viewmodels/support/open_contours.hpp"

#include "base/error.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_job.hpp"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;

/// The CPU engine under another name, with configurable pauses and failures.
class SnakeDevice final : public Engine {
public:
    explicit SnakeDevice(Engine& cpu) : cpu_(cpu) {}
    [[nodiscard]] std::string name() const override { return "device"; }
    [[nodiscard]] std::string device() const override { return "a device"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        return {{"whole", std::string(kSnakeJob), "device", "test"}};
    }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        return cpu_.openSession(options);
    }
    [[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener,
                                       const JobControl& control) override {
        if (!job.parts.empty()) {
            return runApart(job, listener, control);
        }
        SnakeJob own = job;
        if (job.algorithm == "whole") {
            own.algorithm = "parity";
        }
        std::size_t told = 0;
        return pollard::runSnake(
            own,
            [&](std::size_t contour, const SnakeState& state) {
                ++told;
                const bool goesOn = listener(contour, state);
                std::unique_lock lock(mutex_);
                if (told == failAt_) {
                    throw Error(ErrorCode::deviceFailed, "device: it burns");
                }
                while (told == holdAt_) {
                    control.throwIfStopped();
                    wake_.wait_for(lock, std::chrono::milliseconds(5));
                }
                return goesOn;
            },
            control);
    }
    void holdAt(std::size_t state) {
        const std::scoped_lock lock(mutex_);
        holdAt_ = state;
        wake_.notify_all();
    }
    void failAt(std::size_t state) { failAt_ = state; }

private:
    /// Delivers the states of the last contour first; then, if configured, waits until no more are accepted.
    [[nodiscard]] SnakeResult runApart(const SnakeJob& job, const SnakeListener& listener, const JobControl& control) {
        std::vector<std::vector<SnakeState>> states(job.starts.size());
        SnakeResult result = pollard::runSnake(
            job,
            [&](std::size_t i, const SnakeState& state) {
                states[i].push_back(state);
                return true;
            },
            control);
        for (std::size_t i = states.size(); i-- > 0;) {
            for (const SnakeState& state : states[i]) {
                if (!listener(i, state)) {
                    return result;
                }
            }
            std::unique_lock lock(mutex_);
            while (holdAt_ != 0 && i == 1) {
                control.throwIfStopped();
                wake_.wait_for(lock, std::chrono::milliseconds(5));
            }
        }
        return result;
    }

    Engine& cpu_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::size_t holdAt_ = 0;
    std::size_t failAt_ = 0;
};

class ContourOnEngine : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    SnakeDevice* device = nullptr;
    std::unique_ptr<DocumentViewModel> document;
    std::unique_ptr<ContourViewModel> contours;
    const Contour start = squareAround(60, 60, 20);
    QStringList notices;

    void begin(const ContourEngine& engine) {
        auto made = std::make_unique<SnakeDevice>(*registry.find("cpu"));
        device = made.get();
        registry.add(std::move(made));
        document = std::make_unique<DocumentViewModel>(DocumentServices::standard(registry));
        contours = std::make_unique<ContourViewModel>(*document);
        QObject::connect(&contours->runs(), &ContourRuns::noticeRaised,
                         [this](const QString& text) { notices << text; });
        const QString path = directory.filePath(QStringLiteral("p.tif"));
        writeTiff(path.toStdString(), *discs(120, 120, {{60, 60, 40}}), {.compression = TiffCompression::none});
        document->open(path);
        ASSERT_TRUE(eventually([&] { return !document->activity().isBusy() && document->hasResult(); }));
        ASSERT_EQ(document->choices().engineName(), QStringLiteral("device"));
        contours->setActive(true);
        contours->settings().setEngine(engine);
        contours->startFrom({start}, QStringLiteral("test"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours->runs().stateCount(), 1) << contours->runs().problem().toStdString();
    }
    [[nodiscard]] bool rests() {
        return eventually([&] { return !contours->isComputing() && !contours->playback().isPlaying(); });
    }
    void expectWholeRun(SnakeMoves moves) {
        ASSERT_TRUE(contours->runs().isFinished()) << contours->runs().problem().toStdString();
        SnakeSpec spec = contours->settings().spec();
        spec.moves = moves;
        SnakeRun direct(std::make_shared<const RowSums>(document->image()), start, spec);
        const ContourRecord& record = contours->runs().currentRun()->record;
        int number = 0;
        do {
            ASSERT_LT(number, record.count());
            ASSERT_EQ(record.nodes(number), direct.state().nodes) << number;
            ASSERT_EQ(record.figures(number).energy, direct.state().energy);
            ++number;
        } while (direct.advance());
        if (const Contour end = trimmed(direct.state().nodes); end != direct.state().nodes) {
            ASSERT_LT(number, record.count());
            EXPECT_EQ(record.nodes(number++), end);
        }
        EXPECT_EQ(number, record.count());
    }
};

TEST_F(ContourOnEngine, RecordsTheStatesThatTheEngineTells) {
    begin({true, {}});
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::localBest);
    EXPECT_EQ(contours->runs().shown(), contours->runs().stateCount() - 1);
    EXPECT_TRUE(notices.isEmpty());
}

TEST_F(ContourOnEngine, ANamedAlgorithmHasMovesOfItsOwn) {
    begin({true, "whole"});
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::parity);
    EXPECT_EQ(contours->runs().currentRun()->spec.moves, SnakeMoves::parity);
    EXPECT_TRUE(contours->runs().nameOf(0).contains(QStringLiteral("whole")))
        << contours->runs().nameOf(0).toStdString();
}

TEST_F(ContourOnEngine, ShowsStatesWhileItRunsAndAPauseHoldsTheShownOne) {
    begin({true, {}});
    device->holdAt(12);
    contours->playback().setSpeed(ContourPlayback::kFastest);
    contours->playback().play();
    ASSERT_TRUE(eventually([&] { return contours->runs().stateCount() == 12 && contours->runs().shown() == 11; }))
        << "live, before the engine has ended";
    contours->playback().pause();
    device->holdAt(0);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours->runs().shown(), 11) << "though the engine went on";
    EXPECT_TRUE(contours->runs().isFinished());
    contours->playback().stepForward();
    EXPECT_EQ(contours->runs().shown(), 12);
    contours->playback().stepBack();
    EXPECT_EQ(contours->runs().shown(), 11);
    expectWholeRun(SnakeMoves::localBest);
}

TEST_F(ContourOnEngine, AStepWaitsForOneState) {
    begin({true, {}});
    device->holdAt(4);
    contours->playback().stepForward();
    ASSERT_TRUE(eventually([&] { return contours->runs().shown() == 1; }));
    EXPECT_EQ(contours->runs().stateCount(), 4);
    device->holdAt(0);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours->runs().shown(), 1);
    expectWholeRun(SnakeMoves::localBest);
}

TEST_F(ContourOnEngine, TheCpuTakesOverFromADeviceThatFails) {
    begin({true, {}});
    device->failAt(9);
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::localBest);
    ASSERT_EQ(notices.size(), 1);
    EXPECT_TRUE(notices.front().contains(QStringLiteral("it burns"))) << notices.front().toStdString();
    EXPECT_TRUE(contours->runs().problem().isEmpty());
}

TEST_F(ContourOnEngine, NobodyTakesOverFromANamedAlgorithm) {
    begin({true, "whole"});
    device->failAt(9);
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours->runs().isFinished());
    EXPECT_EQ(contours->runs().stateCount(), 9) << "what it told stays";
    EXPECT_TRUE(contours->runs().problem().contains(QStringLiteral("it burns")))
        << contours->runs().problem().toStdString();
    device->failAt(0);
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::parity);
}

TEST_F(ContourOnEngine, ARunThatWasBrokenOffGoesOnWhereItWas) {
    begin({true, {}});
    device->holdAt(7);
    contours->playback().play();
    ASSERT_TRUE(eventually([&] { return contours->runs().stateCount() == 7; }));
    contours->playback().pause();
    contours->startFrom({squareAround(60, 60, 30)}, {}); // stops the engine
    ASSERT_TRUE(eventually([&] { return contours->runs().all().size() == 2; }));
    device->holdAt(0);
    ASSERT_TRUE(rests());
    contours->selectRun(0);
    EXPECT_EQ(contours->runs().stateCount(), 7);
    EXPECT_FALSE(contours->runs().isFinished());
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::localBest);
}

TEST_F(ContourOnEngine, StopsAtTheBoundOfMemoryAndGoesOn) {
    begin({true, {}});
    contours->computing().setMostBytes(contours->runs().recordedBytes() + 1);
    device->holdAt(5);
    contours->playback().toEnd();
    ASSERT_TRUE(eventually([&] { return contours->runs().stateCount() == 5; }));
    device->holdAt(0);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours->runs().isFinished());
    EXPECT_EQ(contours->runs().stateCount(), 5) << "the engine was told to end";
    EXPECT_FALSE(contours->runs().problem().isEmpty());
    contours->computing().setMostBytes(ContourComputing::kMostBytes);
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::localBest);
}

TEST_F(ContourOnEngine, StatesThatWaitForTheirTurnCountAsRecorded) {
    begin({true, {}});
    contours->settings().setEngine({true, {}, 10});
    contours->startFrom({squareAround(38, 60, 8), squareAround(80, 60, 8)}, {});
    ASSERT_TRUE(rests());
    contours->computing().setMostBytes(contours->runs().recordedBytes() + 1);
    device->holdAt(1); // before the first contour: all states of the second one wait
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours->runs().isFinished());
    EXPECT_EQ(contours->runs().stateCount(), 1) << "no contour had its turn";
    EXPECT_FALSE(contours->runs().problem().isEmpty());
    contours->playback().play();
    ASSERT_TRUE(rests()) << "the same again";
    EXPECT_FALSE(contours->runs().isFinished());
    contours->computing().setMostBytes(ContourComputing::kMostBytes);
    device->holdAt(0);
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours->runs().isFinished()) << contours->runs().problem().toStdString();
    EXPECT_GT(contours->runs().stateCount(), 3);
}

TEST_F(ContourOnEngine, SeveralContoursEvolveOnTheCpu) {
    begin({true, {}});
    device->failAt(1);
    contours->startFrom({squareAround(45, 60, 9), squareAround(75, 60, 9)}, {});
    ASSERT_TRUE(rests());
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours->runs().isFinished()) << contours->runs().problem().toStdString();
    EXPECT_TRUE(notices.isEmpty()) << "the device was not asked";
}

TEST_F(ContourOnEngine, TheCpuEngineTakesTheSameStates) {
    begin({true, "sequential"});
    document->choices().setEngine(QStringLiteral("cpu"));
    ASSERT_TRUE(eventually(
        [&] { return !document->activity().isBusy() && document->choices().engineName() == QStringLiteral("cpu"); }));
    contours->startFrom({start}, {});
    ASSERT_TRUE(rests());
    contours->playback().toEnd();
    ASSERT_TRUE(rests());
    expectWholeRun(SnakeMoves::sequential);
}

TEST(ArrivingStates, WaitForWhoRecordsThem) {
    ArrivingStates arriving(10, 1); // one state already exceeds the limit
    constexpr std::uint32_t kCount = 50;
    std::jthread engine([&](const std::stop_token& stop) {
        for (std::uint32_t i = 0; i < kCount; ++i) {
            ContourStep step;
            step.state.round = i;
            EXPECT_TRUE(arriving.add(std::move(step), stop));
        }
    });
    for (std::uint32_t next = 0; next < kCount;) {
        const std::vector<ContourStep> steps = arriving.take();
        ASSERT_LE(steps.size(), 1U);
        for (const ContourStep& step : steps) {
            EXPECT_EQ(step.state.round, next++);
        }
        std::this_thread::yield();
    }
}

TEST(ArrivingStates, LetGoOfAnEngineThatWaits) {
    for (const bool refused : {true, false}) {
        ArrivingStates arriving(10, 1);
        ASSERT_TRUE(arriving.add({}, {}));
        std::jthread engine([&](const std::stop_token& stop) { EXPECT_NE(arriving.add({}, stop), refused); });
        if (refused) {
            arriving.refuse();
        } else {
            engine.request_stop();
        }
        engine.join();
        EXPECT_EQ(arriving.isRefused(), refused);
        EXPECT_NE(arriving.hold(5), refused);
        EXPECT_EQ(arriving.heldBytes(), 5U);
    }
    ArrivingStates arriving(10);
    EXPECT_TRUE(arriving.hold(10));
    EXPECT_FALSE(arriving.hold(11));
    EXPECT_TRUE(arriving.isRefused());
    EXPECT_FALSE(arriving.add({}, {}));
}

} // namespace
} // namespace pollard::vm
