// Independent contours: each on its own part of the image, state by state or by an engine, with the same states.
#include "vm/contour/contour_series.hpp"

#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include "snake/next_starts.hpp"
#include "snake/snake_job.hpp"

#include <gmock/gmock.h>

#include <QTemporaryDir>

#include <numeric>
#include <string>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::Random;
using testing::squareAround;

constexpr std::uint32_t kMargin = 9;

/// Three discs with a start in each.
const std::vector<Contour> kStarts{squareAround(22, 22, 5), squareAround(70, 24, 4), squareAround(24, 70, 6)};
std::shared_ptr<Image> threeDiscs() { return discs(100, 96, {{22.0, 22, 11}, {70.0, 24, 10}, {24.0, 70, 12}}); }

std::uint64_t pixelsOf(const PixelRegion& part) { return std::uint64_t{part.width} * part.height; }

class IndependentContours : public testing::OpenContours {
protected:
    void SetUp() override { ASSERT_NO_FATAL_FAILURE(open(*threeDiscs())); }
    void start(bool whole) {
        contours.settings().setEngine({whole, {}, kMargin});
        contours.startFrom(kStarts, QStringLiteral("three"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.runs().problem(), QString());
        ASSERT_EQ(contours.runs().contourCount(), 3);
    }
    /// All states of the core, contour by contour.
    [[nodiscard]] std::vector<std::vector<SnakeState>> expected(const std::shared_ptr<const Mask>& forbidden = {}) {
        SnakeJob job{document.image(), nullptr, kStarts, contours.settings().spec(), forbidden, {}};
        job.parts = partsAround(kStarts, kMargin, *document.image());
        std::vector<std::vector<SnakeState>> states(3);
        static_cast<void>(runSnake(job, [&](std::size_t i, const SnakeState& state) {
            states[i].push_back(state);
            return true;
        }));
        return states;
    }
    [[nodiscard]] std::vector<std::pair<std::size_t, Contour>> recorded() const {
        const ContourRecord& record = contours.runs().currentRun()->record;
        std::vector<std::pair<std::size_t, Contour>> all;
        for (int number = 1; number < record.count(); ++number) {
            all.emplace_back(record.moverOf(number), record.state(number).nodes);
        }
        return all;
    }
};

TEST_F(IndependentContours, TakeTheStatesOfTheCommandLineStateByStateAndByAnEngine) {
    const auto states = expected();
    std::vector<std::pair<std::size_t, Contour>> inTurn;
    for (const bool whole : {false, true}) {
        ASSERT_NO_FATAL_FAILURE(start(whole));
        ASSERT_NO_FATAL_FAILURE(finish());
        const ContourRecord& record = contours.runs().currentRun()->record;
        ASSERT_EQ(static_cast<std::size_t>(record.count()) - 1,
                  states[0].size() + states[1].size() + states[2].size() - 3);
        std::vector<std::size_t> taken(3, 1);
        for (const auto& [contour, nodes] : recorded()) {
            EXPECT_EQ(nodes, states[contour].at(taken[contour]++).nodes);
        }
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(contours.runs().allNodes()[i], states[i].back().nodes);
        }
        if (!whole) {
            inTurn = recorded();
        }
        EXPECT_EQ(recorded(), inTurn) << "in the same order, whoever moves them";
        EXPECT_TRUE(contours.runs().nameOf(contours.runs().current()).contains(QStringLiteral("surroundings of 9 px")));
    }
}

TEST_F(IndependentContours, HaveTheEnergyOfAllAndABackgroundOfTheirOwn) {
    ASSERT_NO_FATAL_FAILURE(start(false));
    ASSERT_NO_FATAL_FAILURE(finish());
    const ContourRecord& record = contours.runs().currentRun()->record;
    double before = std::numeric_limits<double>::infinity();
    for (int number = 0; number < record.count(); ++number) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto states = record.figures(number, i);
            EXPECT_EQ(states.inside.pixels + states.outside.pixels,
                      static_cast<std::int64_t>(pixelsOf(partAround(kStarts[i], kMargin, 100, 96))));
            EXPECT_EQ(states.energy, record.figures(number, 0).energy);
        }
        const auto all = expected();
        if (number == record.count() - 1) {
            for (const auto& each : all) {
                sum += each.back().energy;
            }
            EXPECT_NEAR(record.figures(number).energy, sum, 1e-9 * std::abs(sum));
        }
        if (record.state(number).kind == SnakeStep::move) {
            EXPECT_LT(record.figures(number).energy, before);
        }
        before = record.figures(number).energy;
    }
}

TEST_F(IndependentContours, WhosePartsOverlapSayWhyAndChangeNothing) {
    ASSERT_NO_FATAL_FAILURE(start(false));
    const auto nodes = contours.runs().allNodes();
    contours.settings().setEngine({false, {}, 40});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().problem(), QStringLiteral("The parts of the contours 1 and 2 overlap."));
    EXPECT_EQ(contours.settings().engine(), (ContourEngine{false, {}, kMargin})) << "that of the run at hand";
    EXPECT_EQ(contours.runs().allNodes(), nodes);
    ASSERT_EQ(contours.runs().all().size(), 1U);
    contours.settings().setEngine({false, {}, {}}); // together
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().problem(), QString());
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_GT(contours.runs().figures()->outside.pixels, 100 * 96 / 2) << "one background";
}

TEST_F(IndependentContours, GoOnAfterTheMemoryWasFull) {
    ASSERT_NO_FATAL_FAILURE(start(true));
    ASSERT_NO_FATAL_FAILURE(finish());
    const auto all = recorded();
    const auto last = contours.runs().allNodes();
    contours.deleteRun(0);
    ASSERT_NO_FATAL_FAILURE(start(true));
    contours.computing().setMostBytes(contours.runs().recordedBytes() + 1); // exceeded by the first states that arrive
    contours.playback().toEnd();
    ASSERT_TRUE(rests());
    contours.computing().setMostBytes(ContourComputing::kMostBytes);
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_EQ(recorded(), all);
    EXPECT_EQ(contours.runs().allNodes(), last);
}

TEST_F(IndependentContours, HaveHistogramsOfTheirParts) {
    ContourHistograms histograms(contours);
    ASSERT_NO_FATAL_FAILURE(start(false));
    ASSERT_NO_FATAL_FAILURE(finish());
    contours.runs().setContour(1);
    ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
    const ContourLevels& levels = *histograms.levels();
    const PixelRegion part = partAround(kStarts[1], kMargin, 100, 96);
    const auto outside = contours.runs().figures()->outside;
    const double mean = static_cast<double>(outside.levels) / static_cast<double>(outside.pixels);
    double shares = 0;
    double found = 0;
    for (std::size_t bin = 0; bin < levels.outside.shares.size(); ++bin) {
        shares += levels.outside.shares[bin];
        found += levels.outside.shares[bin] * (levels.low + levels.step * (static_cast<double>(bin) + 0.5) - 0.5);
    }
    EXPECT_LT(outside.pixels, static_cast<std::int64_t>(pixelsOf(part)));
    EXPECT_GT(shares, 0.9);
    EXPECT_LE(shares, 1 + 1e-9) << "of the part's pixels alone";
    EXPECT_NEAR(found / shares, mean, 6);
}

TEST(TurnOrder, IsThatOfAGroupWhateverComesFirst) {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
        std::vector<std::uint32_t> counts;
        for (std::uint32_t k = 1 + random() % 6; k > 0; --k) {
            counts.push_back(random() % 8);
        }
        std::vector<std::pair<std::size_t, std::uint32_t>> expected;
        for (std::uint32_t round = 0; round < 8; ++round) {
            for (std::size_t k = 0; k < counts.size(); ++k) {
                if (round < counts[k]) {
                    expected.emplace_back(k, round);
                }
            }
        }
        TurnOrder order(counts.size());
        std::vector<std::uint32_t> next(counts.size(), 0);
        std::vector<std::pair<std::size_t, std::uint32_t>> found;
        const auto take = [&](const std::vector<ContourStep>& steps) {
            for (const ContourStep& step : steps) {
                found.emplace_back(step.contour, step.state.round);
                EXPECT_EQ(step.state.nodes, squareAround(20, 20, 3 + static_cast<std::int32_t>(step.state.round)));
            }
        };
        for (std::uint32_t left = std::accumulate(counts.begin(), counts.end(), 0U); left > 0;) {
            const std::size_t k = random() % counts.size();
            if (next[k] < counts[k]) {
                SnakeState state;
                state.round = next[k]++;
                state.nodes = squareAround(20, 20, 3 + static_cast<std::int32_t>(state.round));
                take(order.add(k, state));
                --left;
            }
        }
        take(order.finish());
        EXPECT_EQ(found, expected);
        EXPECT_EQ(order.bytes(), 0U) << "nothing waits any more";
    }
}

TEST(TurnOrder, KeepsWhatWaitsAlone) {
    const auto stateOf = [](std::uint32_t round) {
        SnakeState state;
        state.round = round;
        state.nodes = squareAround(20, 20, 3 + static_cast<std::int32_t>(round % 9));
        return state;
    };
    constexpr std::uint32_t kCount = 3000;
    TurnOrder order(2);
    std::uint64_t most = 0;
    static_cast<void>(order.add(1, stateOf(0)));
    for (std::uint32_t round = 0; round < kCount; ++round) { // the second contour is a state ahead
        ASSERT_EQ(order.add(1, stateOf(round + 1)).size(), 0U);
        ASSERT_EQ(order.add(0, stateOf(round)).size(), 2U);
        most = std::max(most, order.bytes());
    }
    TurnOrder ahead(2);
    for (std::uint32_t round = 0; round < kCount; ++round) {
        ASSERT_EQ(ahead.add(1, stateOf(round)).size(), 0U);
    }
    EXPECT_LT(most, ahead.bytes() / 4);
    ASSERT_EQ(ahead.add(0, stateOf(0)).size(), 2U);
    EXPECT_EQ(ahead.finish().size(), kCount - 1);
    EXPECT_EQ(ahead.bytes(), 0U);
}

TEST_F(IndependentContours, KnowTheirParts) {
    ASSERT_NO_FATAL_FAILURE(start(false));
    ASSERT_EQ(contours.runs().currentRun()->parts.size(), kStarts.size());
    for (std::size_t i = 0; i < kStarts.size(); ++i) {
        EXPECT_EQ(contours.runs().currentRun()->parts[i], partAround(kStarts[i], kMargin, 100, 96));
    }
    contours.settings().setEngine({false, {}, {}});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().currentRun()->parts.empty()) << "they share the image";
}

class IndependentSessions : public ::testing::Test {
protected:
    QTemporaryDir folder;
    testing::Workspace space;

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void SetUp() override {
        writeTiff(pathOf("a.tif").toStdString(),
                  {2,
                   [](int page, const JobControl&) {
                       return Plane{
                           ownedRows(discs(100, 96, {{22.0 + page, 22, 11}, {70.0, 24.0 + page, 10}, {24, 70, 12}},
                                           static_cast<std::uint32_t>(page + 1)))};
                   }},
                  {.arePages = true});
        ASSERT_TRUE(space.open(pathOf("a.tif")));
        space.contours.setActive(true);
    }
    [[nodiscard]] bool finish() {
        space.contours.playback().toEnd();
        return space.rests() && space.contours.runs().isFinished();
    }
};

TEST_F(IndependentSessions, AreSavedAndUndone) {
    space.contours.startFrom(kStarts, QStringLiteral("three"));
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(finish());
    space.contours.playback().toStart();
    space.contours.settings().setEngine({true, {}, kMargin}); // branches at the start
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.history.stack().undoText(), QStringLiteral("surroundings of contours"));
    space.history.undo();
    EXPECT_EQ(space.contours.settings().engine(), ContourEngine());
    space.history.redo();
    EXPECT_EQ(space.contours.settings().engine().apart, kMargin);
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(finish());
    const auto last = space.contours.runs().allNodes();
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    EXPECT_EQ(loadSession(pathOf("a.pollard").toStdString()).contours.engine.apart, kMargin);
    testing::Workspace other;
    QSignalSpy noticed(&other.contours.runs(), &ContourRuns::noticeRaised);
    ASSERT_TRUE(other.openSession(pathOf("a.pollard")));
    EXPECT_TRUE(noticed.isEmpty()) << "every run ends as it did";
    EXPECT_EQ(other.contours.settings().engine(), space.contours.settings().engine());
    EXPECT_EQ(other.contours.runs().allNodes(), last);
    EXPECT_TRUE(other.contours.runs().isFinished());
    ASSERT_TRUE(other.save(pathOf("b.pollard")));
    EXPECT_EQ(toJson(loadSession(pathOf("b.pollard").toStdString())),
              toJson(loadSession(pathOf("a.pollard").toStdString())));
}

TEST_F(IndependentSessions, FollowTheirObjectsOverAStack) {
    for (const bool whole : {false, true}) {
        space.document.reading().setPage(0);
        ASSERT_TRUE(space.rests());
        space.contours.settings().setEngine({whole, {}, kMargin});
        space.contours.startFrom(kStarts, QStringLiteral("three"));
        ASSERT_TRUE(space.rests());
        ASSERT_TRUE(finish());
        const auto onFirst = space.contours.runs().allNodes();
        space.contours.follow().start();
        ASSERT_TRUE(eventually([&] { return !space.contours.follow().isRunning(); }));
        ASSERT_EQ(space.contours.runs().problem(), QString());
        const SnakeSpec spec = space.contours.settings().spec();
        space.document.reading().setPage(1);
        ASSERT_TRUE(space.rests());
        const std::vector<Contour> starts =
            nextStarts(onFirst, {}, {*space.document.image(), nullptr, spec, nullptr, kMargin});
        SnakeJob job{space.document.image(), nullptr, starts, spec, nullptr, {}};
        job.parts = partsAround(starts, kMargin, *space.document.image());
        const SnakeResult found = runSnake(job, {});
        ASSERT_EQ(space.contours.runs().contourCount(), 3);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(space.contours.runs().allNodes()[i], found.states[i].nodes);
        }
        EXPECT_TRUE(space.contours.runs().isFinished());
    }
}

} // namespace
} // namespace pollard::vm
