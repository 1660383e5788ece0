// Contours on the open picture: runs, their states, branches, node drags.
#include "vm/contour/contour_histograms.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "snake/contour/contour_mask.hpp"
#include "snake/fitted_law.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::makeImage;
using testing::Random;

/// A bright disc on a dark noisy background.
std::shared_ptr<Image> disc(std::uint32_t side, std::uint32_t seed = 1) {
    Random random(seed);
    return makeImage(PixelType::u8, side, side, [&](auto x, auto y) -> std::uint32_t {
        const double dx = x + 0.5 - side / 2.0;
        const double dy = y + 0.5 - side / 2.0;
        return (dx * dx + dy * dy < side * side / 9.0 ? 120 : 70) + random() % 60;
    });
}

bool same(const SnakeState& a, const SnakeState& b) {
    return a.kind == b.kind && a.round == b.round && a.reach == b.reach && a.nodes == b.nodes && a.energy == b.energy &&
           a.inside == b.inside && a.outside == b.outside;
}

/// All states of a snake of core.
std::vector<SnakeState> statesOf(const std::shared_ptr<const Image>& image, const Contour& start,
                                 const SnakeSpec& spec) {
    SnakeRun run(std::make_shared<const RowSums>(image), start, spec);
    std::vector<SnakeState> states{run.state()};
    while (run.advance()) {
        states.push_back(run.state());
    }
    return states;
}

class Contours : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    ContourViewModel contours{document};
    const Contour start{{40, 40}, {120, 40}, {120, 120}, {40, 120}};

    void open(const Image& image) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiff(path.toStdString(), image, {.deflate = false, .carried = {}});
        document.open(path);
        ASSERT_TRUE(eventually([&] { return !document.isBusy() && !document.isFiltering() && document.hasImage(); }));
    }
    /// Contours share the whole picture. After every signal, the shown state is one of the current run.
    Contours() {
        contours.setReach(std::nullopt);
        const auto check = [this] {
            if (contours.currentRun() != nullptr) {
                EXPECT_LT(contours.shown(), contours.stateCount());
            }
        };
        for (const auto signal :
             {&ContourViewModel::specChanged, &ContourViewModel::runsChanged, &ContourViewModel::statesChanged,
              &ContourViewModel::shownChanged, &ContourViewModel::transportChanged}) {
            QObject::connect(&contours, signal, &contours, check);
        }
    }
    [[nodiscard]] bool rests() {
        return eventually([&] { return !contours.isComputing() && !contours.isPlaying(); });
    }
    void begin() {
        open(*disc(160));
        contours.setActive(true);
        contours.startFrom(start, QStringLiteral("test"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.stateCount(), 1) << contours.problem().toStdString();
    }
    void finish() {
        contours.toEnd();
        ASSERT_TRUE(rests());
        ASSERT_TRUE(contours.isFinished());
    }
    void expectStates(const std::vector<SnakeState>& expected) {
        const ContourRecord& record = contours.currentRun()->record;
        ASSERT_EQ(record.count(), static_cast<int>(expected.size()));
        for (int i = 0; i < record.count(); ++i) {
            ASSERT_TRUE(same(record.state(i), expected[static_cast<std::size_t>(i)])) << "state " << i;
        }
    }

private:
    int files_ = 0;
};

TEST_F(Contours, RecordEveryStateAsTheSnakeHasIt) {
    SnakeSpec spec = contours.spec();
    spec.moves = SnakeMoves::sequential;
    contours.setSpec(spec);
    begin();
    const auto expected = statesOf(document.image(), start, contours.spec());
    ASSERT_GT(expected.size(), 70U) << "more than one whole contour is kept, and some differences";
    finish();
    expectStates(expected);
    EXPECT_EQ(contours.shown(), contours.stateCount() - 1);
    EXPECT_GT(contours.recordedBytes(), 0U);
}

TEST_F(Contours, ScrubbingShowsExactlyTheRecordedStateBackAndForth) {
    begin();
    finish();
    const auto expected = statesOf(document.image(), start, contours.spec());
    const int last = contours.stateCount() - 1;
    for (const int k : {last, 0, last / 2, last / 2 + 1, last / 2, 1, last - 1, last / 3}) {
        contours.scrub(k);
        EXPECT_EQ(contours.shown(), k);
        EXPECT_EQ(contours.nodes(), expected[static_cast<std::size_t>(k)].nodes);
        EXPECT_EQ(contours.figures()->energy, expected[static_cast<std::size_t>(k)].energy);
    }
    contours.scrub(-7);
    EXPECT_EQ(contours.shown(), 0);
    contours.scrub(1 << 30);
    EXPECT_EQ(contours.shown(), last);
    EXPECT_EQ(contours.stateCount(), last + 1) << "nothing new was computed";
}

TEST_F(Contours, AStepIsOneState) {
    begin();
    const auto expected = statesOf(document.image(), start, contours.spec());
    for (int k = 1; k <= 5; ++k) {
        contours.stepForward();
        ASSERT_TRUE(rests());
        EXPECT_EQ(contours.shown(), k);
        EXPECT_EQ(contours.stateCount(), k + 1);
        EXPECT_EQ(contours.nodes(), expected[static_cast<std::size_t>(k)].nodes);
    }
    contours.stepBack();
    contours.stepBack();
    EXPECT_EQ(contours.shown(), 3);
    EXPECT_EQ(contours.nodes(), expected[3].nodes);
    contours.stepForward();
    EXPECT_EQ(contours.shown(), 4);
    EXPECT_EQ(contours.stateCount(), 6) << "it was there already";
    contours.toStart();
    EXPECT_EQ(contours.shown(), 0);
    contours.stepBack();
    EXPECT_EQ(contours.shown(), 0);
    contours.scrub(5);
    for (int i = 0; i < 3; ++i) {
        contours.stepForward(); // faster than the computation
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.shown(), 8);
    finish();
    const int last = contours.stateCount() - 1;
    contours.stepForward();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.shown(), last);
}

TEST_F(Contours, PausesAndResumesWithTheStatesOfAStraightRun) {
    begin();
    contours.setSpeed(ContourViewModel::kFastest);
    const auto expected = statesOf(document.image(), start, contours.spec());
    for (int round = 0; round < 4; ++round) {
        const int before = contours.stateCount();
        contours.play();
        EXPECT_TRUE(contours.isPlaying());
        ASSERT_TRUE(eventually([&] { return contours.stateCount() > before || contours.isFinished(); }));
        contours.pause();
        ASSERT_TRUE(rests());
        const int shown = contours.shown();
        testing::settle();
        EXPECT_EQ(contours.shown(), shown) << "nothing moves while it is paused";
    }
    contours.stepForward();
    ASSERT_TRUE(rests());
    contours.play();
    ASSERT_TRUE(eventually([&] { return !contours.isPlaying(); }));
    expectStates(expected);
    EXPECT_EQ(contours.shown(), contours.stateCount() - 1);
    contours.play();
    EXPECT_EQ(contours.shown(), 0) << "from the beginning once more";
    contours.pause();
}

TEST_F(Contours, APauseRightAfterPlayLosesNothing) {
    begin();
    for (int i = 0; i < 50; ++i) {
        contours.play();
        contours.pause();
    }
    ASSERT_TRUE(rests());
    finish();
    expectStates(statesOf(document.image(), start, contours.spec()));
}

TEST_F(Contours, PlayAtTheirOwnSpeedWhileMoreAreComputed) {
    begin();
    contours.setSpeed(1);
    contours.play();
    ASSERT_TRUE(eventually([&] { return contours.isFinished(); }));
    EXPECT_TRUE(contours.isPlaying());
    EXPECT_LT(contours.shown(), contours.stateCount() - 1) << "one state a second";
    contours.scrub(contours.stateCount() - 1);
    ASSERT_TRUE(eventually([&] { return !contours.isPlaying(); }));
}

TEST_F(Contours, UpToAFramesSpeedNoStateIsPassedOver) {
    begin();
    finish();
    contours.toStart();
    std::vector<int> shown;
    QObject::connect(&contours, &ContourViewModel::shownChanged, [&] {
        shown.push_back(contours.shown());
        if (shown.size() == 4) {
            QThread::msleep(120); // the window is blocked: seven states are due
        }
    });
    contours.setSpeed(60);
    contours.play();
    ASSERT_TRUE(eventually([&] { return !contours.isPlaying(); }));
    std::vector<int> all(static_cast<std::size_t>(contours.stateCount()) - 1);
    std::iota(all.begin(), all.end(), 1);
    EXPECT_GT(all.size(), 10U);
    EXPECT_EQ(shown, all);
}

TEST_F(Contours, AStateWaitsUntilTheOneBeforeIsOnTheScreen) {
    begin();
    finish();
    contours.setActive(true);
    contours.toStart();
    contours.tellDrawn();
    contours.setSpeed(60);
    constexpr int kDelay = 35; // ms from a state to its frame: two are due
    QElapsedTimer sinceShown;
    std::vector<int> shown;
    std::vector<bool> early; // shown before the previous state's frame
    bool drawn = true;
    QObject::connect(&contours, &ContourViewModel::shownChanged, &contours, [&] {
        shown.push_back(contours.shown());
        early.push_back(!drawn && sinceShown.elapsed() < 40);
        drawn = false;
        sinceShown.start();
        QTimer::singleShot(kDelay, Qt::PreciseTimer, &contours, [&] {
            drawn = true;
            contours.tellDrawn();
        });
    });
    contours.play();
    ASSERT_TRUE(eventually([&] { return shown.size() >= 12; }));
    contours.pause();
    std::vector<int> all(shown.size());
    std::iota(all.begin(), all.end(), 1);
    EXPECT_EQ(shown, all);
    EXPECT_EQ(std::ranges::count(early, true), 0);
    ASSERT_TRUE(eventually([&] { return drawn; }));
}

TEST_F(Contours, ScreensThatShowNothingDoNotEndPlaying) {
    begin();
    finish();
    contours.setActive(true);
    contours.toStart();
    contours.tellDrawn(); // only once
    contours.setSpeed(60);
    contours.play();
    ASSERT_TRUE(eventually([&] { return contours.shown() >= 5; }));
}

TEST_F(Contours, AnotherParameterBranchesAndKeepsTheOldRun) {
    begin();
    finish();
    const SnakeSpec first = contours.spec();
    const auto expected = statesOf(document.image(), start, first);
    contours.scrub(7);
    SnakeSpec other = first;
    other.law = RegionLaw::poisson;
    contours.setSpec(other);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().size(), 2U);
    EXPECT_EQ(contours.current(), 1);
    EXPECT_EQ(contours.currentRun()->parent, 1);
    EXPECT_EQ(contours.currentRun()->parentState, 7);
    EXPECT_EQ(contours.stateCount(), 1);
    EXPECT_EQ(contours.nodes(), expected[7].nodes);
    EXPECT_TRUE(contours.nameOf(1).contains(QStringLiteral("from run 1 at state 7")))
        << contours.nameOf(1).toStdString();
    other.minLength = 16;
    contours.setSpec(other);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().size(), 2U) << "a run that has not moved is changed itself";
    EXPECT_EQ(contours.currentRun()->spec, other);
    EXPECT_EQ(contours.currentRun()->parentState, 7);
    finish();
    expectStates(statesOf(document.image(), expected[7].nodes, other));
    contours.selectRun(0);
    EXPECT_EQ(contours.spec(), first);
    EXPECT_EQ(contours.shown(), 7) << "where it was left";
    expectStates(expected);
    EXPECT_TRUE(contours.isFinished());
    contours.setCompared(1, true);
    ASSERT_EQ(contours.comparedContours().size(), 1U);
    const ContourRecord& second = contours.runs()[1].record;
    EXPECT_EQ(contours.comparedContours().front(), second.nodes(second.count() - 1));
    contours.deleteRun(0);
    ASSERT_EQ(contours.runs().size(), 1U);
    EXPECT_EQ(contours.currentRun()->id, 2);
    EXPECT_EQ(contours.spec(), other);
    contours.deleteRun(0);
    EXPECT_EQ(contours.current(), -1);
    EXPECT_TRUE(contours.nodes().empty());
    EXPECT_TRUE(contours.comparedContours().empty());
    contours.play();
    contours.stepForward();
    contours.toEnd();
    EXPECT_FALSE(contours.isPlaying());
}

TEST_F(Contours, AParameterThatChangesWhileItPlaysBranchesAndPlaysOn) {
    begin();
    contours.setSpeed(1);
    contours.play();
    ASSERT_TRUE(eventually([&] { return contours.stateCount() > 5; }));
    contours.scrub(3);
    ASSERT_TRUE(contours.isPlaying());
    const Contour nodes = contours.nodes();
    SnakeSpec other = contours.spec();
    other.moves = SnakeMoves::parity;
    contours.setSpec(other);
    ASSERT_TRUE(eventually([&] { return contours.current() == 1; }));
    EXPECT_EQ(contours.currentRun()->parentState, 3);
    EXPECT_TRUE(contours.isPlaying());
    contours.setSpeed(ContourViewModel::kFastest);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.isFinished());
    expectStates(statesOf(document.image(), nodes, other));
}

TEST_F(Contours, ADraggedNodeStartsANewRun) {
    begin();
    finish();
    contours.scrub(5);
    const Contour before = contours.nodes();
    contours.beginDrag(2);
    ASSERT_EQ(contours.draggedNode(), 2);
    contours.dragTo({before[2].x + 6.2, before[2].y + 5.8});
    Contour expected = before;
    expected[2] = {before[2].x + 6, before[2].y + 6};
    EXPECT_EQ(contours.nodes(), expected);
    contours.endDrag();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().size(), 2U) << contours.problem().toStdString();
    EXPECT_EQ(contours.nodes(), expected);
    EXPECT_EQ(contours.currentRun()->parentState, 5);
    contours.beginDrag(0);
    contours.dragTo({-50, 1000});
    EXPECT_EQ(contours.nodes()[0], (ContourNode{0, 160})) << "within the picture";
    contours.cancelDrag();
    EXPECT_EQ(contours.nodes(), expected);
    contours.beginDrag(0);
    contours.endDrag();
    testing::settle();
    EXPECT_EQ(contours.runs().size(), 2U) << "a node that stays is no change";
}

TEST_F(Contours, ANodeThatWouldCrossGoesBackWithAMessage) {
    begin();
    contours.beginDrag(0);
    contours.dragTo({140, 100}); // beyond the right side
    EXPECT_FALSE(contours.isDragAllowed());
    contours.endDrag();
    testing::settle();
    EXPECT_EQ(contours.nodes(), start);
    EXPECT_EQ(contours.runs().size(), 1U);
    EXPECT_TRUE(contours.problem().contains(QStringLiteral("went back"))) << contours.problem().toStdString();
    contours.play();
    EXPECT_TRUE(contours.problem().isEmpty());
    contours.beginDrag(0);
    EXPECT_FALSE(contours.draggedNode()) << "not while it plays";
    contours.pause();
}

TEST_F(Contours, SayWhyAStartIsNone) {
    contours.startFrom(start, {});
    EXPECT_TRUE(contours.problem().contains(QStringLiteral("Open an image")));
    open(*disc(160));
    const auto problemOf = [&](const Contour& contour) {
        contours.startFrom(contour, {});
        EXPECT_TRUE(rests());
        EXPECT_EQ(contours.current(), -1);
        return contours.problem().toStdString();
    };
    EXPECT_THAT(problemOf({{10, 10}, {12, 10}, {12, 12}, {10, 12}}), ::testing::HasSubstr("holds 4 px"));
    EXPECT_THAT(problemOf({{10, 10}, {90, 90}, {90, 10}, {10, 90}}), ::testing::HasSubstr("no simple polygon"));
    EXPECT_THAT(problemOf({{10, 10}, {190, 10}, {90, 90}}), ::testing::HasSubstr("beyond the image"));
    contours.startFrom(start, {});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.problem().isEmpty());
    // Parameters that do not fit the start change nothing.
    const SnakeSpec good = contours.spec();
    SnakeSpec bad = good;
    bad.minPixels = 1000000;
    contours.setSpec(bad);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours.problem().isEmpty());
    EXPECT_EQ(contours.spec(), good);
    EXPECT_EQ(contours.nodes(), start);
}

TEST_F(Contours, StartFromShapesTheMiddleAndObjects) {
    open(*makeImage(PixelType::u8, 100, 80, [](auto x, auto y) -> std::uint32_t {
        return x >= 20 && x < 60 && y >= 30 && y < 50 ? 200 : 10; // one object
    }));
    contours.startFromShape({RegionShape::Kind::rectangle, {{10.4, 20.6}, {50, 60}}});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.nodes(), (Contour{{10, 21}, {50, 21}, {50, 60}, {10, 60}}));
    contours.startInMiddle({0, 0, 100, 80});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.nodes(), (Contour{{25, 20}, {75, 20}, {75, 60}, {25, 60}}));
    EXPECT_EQ(contours.runs().size(), 1U) << "the one before had not moved";
    ObjectsViewModel objects(document);
    objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return objects.state() == ObjectsViewModel::State::ready; }));
    contours.startFromObject(objects.objects(), 1);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.nodes(), (Contour{{60, 30}, {60, 50}, {20, 50}, {20, 30}}));
    contours.startFromObject(objects.objects(), 2);
    EXPECT_FALSE(contours.problem().isEmpty());
    const auto tree = document.tree();
    const std::uint32_t node = tree->pixelNode[40 * 100 + 30];
    contours.startFromComponent(tree->canonical[node]);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.currentRun()->origin, QStringLiteral("component"));
    EXPECT_EQ(contours.nodes(), (Contour{{60, 30}, {60, 50}, {20, 50}, {20, 30}}));
}

TEST_F(Contours, GoWithThePicture) {
    begin();
    contours.setSpeed(ContourViewModel::kFastest);
    contours.play();
    ASSERT_TRUE(eventually([&] { return contours.stateCount() > 1; }));
    open(*disc(90, 2));
    EXPECT_EQ(contours.current(), -1);
    EXPECT_TRUE(contours.runs().empty());
    EXPECT_FALSE(contours.isPlaying());
    testing::settle();
    EXPECT_TRUE(contours.runs().empty()) << "what was under way does not come back";
    const Contour small{{20, 20}, {70, 20}, {70, 70}, {20, 70}};
    contours.startFrom(small, {});
    ASSERT_TRUE(rests());
    finish();
    expectStates(statesOf(document.image(), small, contours.spec()));
    EXPECT_EQ(contours.currentRun()->id, 1);
}

TEST_F(Contours, StopAtTheBoundOfMemory) {
    begin();
    contours.setMostBytes(1);
    contours.setSpeed(ContourViewModel::kFastest);
    contours.play();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours.problem().isEmpty());
    contours.stepForward();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.stateCount(), 1);
    EXPECT_EQ(contours.shown(), 0);
    contours.setMostBytes(ContourViewModel::kMostBytes);
    finish();
    expectStates(statesOf(document.image(), start, contours.spec()));
}

TEST_F(Contours, RestWhileNobodyLooks) {
    begin();
    contours.setSpeed(1);
    contours.play();
    contours.setActive(false);
    EXPECT_FALSE(contours.isPlaying());
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().size(), 1U);
}

TEST_F(Contours, HistogramsHoldThePixelsWithinAndWithout) {
    begin();
    ContourHistograms histograms(contours);
    contours.stepForward();
    ASSERT_TRUE(rests());
    ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
    const auto levels = histograms.levels();
    const Image& image = *document.image();
    const Image mask = contourMask(contours.nodes(), image.width(), image.height());
    std::vector<double> inside(levels->inside.shares.size());
    std::vector<double> outside(inside.size());
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const double bin = std::floor((image.level(i) - levels->low) / levels->step);
        if (bin >= 0 && bin < static_cast<double>(inside.size())) {
            (mask.level(i) != 0 ? inside : outside)[static_cast<std::size_t>(bin)] += 1;
        }
    }
    for (std::size_t bin = 0; bin < inside.size(); ++bin) {
        EXPECT_NEAR(levels->inside.shares[bin] * static_cast<double>(contours.figures()->inside.pixels), inside[bin],
                    1e-6);
        EXPECT_NEAR(levels->outside.shares[bin] * static_cast<double>(contours.figures()->outside.pixels), outside[bin],
                    1e-6);
    }
    const FittedLaw law(RegionLaw::gaussian, contours.figures()->inside);
    EXPECT_NEAR(levels->inside.fitted[3], law.density(levels->low + 3 * levels->step), 1e-12) << "bins of one level";
    contours.setActive(false);
    EXPECT_EQ(histograms.levels(), nullptr);
}

TEST(ContoursWithGaps, LeaveOutPixelsWithoutData) {
    const auto image = disc(120, 4);
    const auto valid = std::make_shared<Mask>(120, 120, true);
    for (std::uint32_t y = 50; y < 70; ++y) {
        valid->setRun(0, 60, y, false);
    }
    const EngineRegistry registry{makeCpuEngine()};
    DocumentServices services = DocumentServices::standard(registry);
    services.readInfo = {};
    services.read = [&](const std::filesystem::path&, const ReadOptions&, const JobControl&) {
        LoadedImage loaded;
        loaded.image = image;
        loaded.valid = valid;
        loaded.info.width = loaded.info.height = 120;
        loaded.info.bits = 8;
        loaded.info.samples = 1;
        return loaded;
    };
    DocumentViewModel document(std::move(services));
    ContourViewModel contours(document);
    contours.setReach(std::nullopt);
    ContourHistograms histograms(contours);
    document.open(QStringLiteral("gaps"));
    ASSERT_TRUE(eventually([&] { return document.hasImage() && !document.isBusy(); }));
    contours.setActive(true);
    const Contour start{{30, 30}, {90, 30}, {90, 90}, {30, 90}};
    contours.startFrom(start, {});
    ASSERT_TRUE(eventually([&] { return contours.current() == 0; }));
    EXPECT_EQ(contours.figures()->inside.pixels, 3600 - 20 * 30);
    contours.toEnd();
    ASSERT_TRUE(eventually([&] { return !contours.isPlaying() && !contours.isComputing(); }));
    SnakeRun direct(std::make_shared<const RowSums>(image, valid.get()), start, contours.spec());
    while (direct.advance()) {
    }
    EXPECT_EQ(contours.nodes(), direct.state().nodes);
    ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
    const auto& shares = histograms.levels()->inside.shares;
    EXPECT_LE(std::accumulate(shares.begin(), shares.end(), 0.0), 1 + 1e-9);
    EXPECT_GT(std::accumulate(shares.begin(), shares.end(), 0.0), 0.98);
}

} // namespace
} // namespace pollard::vm
