// Contours on the open image: runs, their states, branches, node drags.
#include "vm/contour/contour_series.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/contour_levels.hpp"
#include "snake/snake_job.hpp"
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
        writeTiff(path.toStdString(), image, {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.hasImage();
        }));
    }
    /// Contours share the whole image. After every signal, the shown state is one of the current run.
    Contours() {
        contours.settings().setReach(std::nullopt);
        const auto check = [this] {
            if (contours.runs().currentRun() != nullptr) {
                EXPECT_LT(contours.runs().shown(), contours.runs().stateCount());
            }
        };
        for (const auto signal : {&ContourRuns::changed, &ContourRuns::statesChanged, &ContourRuns::shownChanged}) {
            QObject::connect(&contours.runs(), signal, &contours, check);
        }
        QObject::connect(&contours.settings(), &ContourSettings::specChanged, &contours, check);
        QObject::connect(&contours.playback(), &ContourPlayback::changed, &contours, check);
    }
    [[nodiscard]] bool rests() {
        return eventually([&] { return !contours.isComputing() && !contours.playback().isPlaying(); });
    }
    void begin() {
        open(*disc(160));
        contours.setActive(true);
        contours.startFrom({start}, QStringLiteral("test"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.runs().stateCount(), 1) << contours.runs().problem().toStdString();
    }
    void finish() {
        contours.playback().toEnd();
        ASSERT_TRUE(rests());
        ASSERT_TRUE(contours.runs().isFinished());
    }
    void expectStates(const std::vector<SnakeState>& expected) {
        const ContourRecord& record = contours.runs().currentRun()->record;
        SnakeState end = expected.back();
        trim(end, contours.runs().currentRun()->spec.lengthPrice);
        const bool isTrimmed = contours.runs().isFinished() && end.nodes != expected.back().nodes;
        const auto states = static_cast<int>(expected.size());
        ASSERT_EQ(record.count(), states + (isTrimmed ? 1 : 0));
        for (int i = 0; i < states; ++i) {
            ASSERT_TRUE(same(record.state(i), expected[static_cast<std::size_t>(i)])) << "state " << i;
        }
        if (isTrimmed) {
            EXPECT_EQ(record.state(states).kind, SnakeStep::trim);
            EXPECT_EQ(record.nodes(states), end.nodes);
            EXPECT_EQ(record.figures(states).energy, end.energy);
        }
    }

private:
    int files_ = 0;
};

TEST_F(Contours, RecordEveryStateAsTheSnakeHasIt) {
    SnakeSpec spec = contours.settings().spec();
    spec.moves = SnakeMoves::sequential;
    contours.settings().setSpec(spec);
    begin();
    const auto expected = statesOf(document.image(), start, contours.settings().spec());
    ASSERT_GT(expected.size(), 70U) << "more than one whole contour is kept, and some differences";
    finish();
    expectStates(expected);
    EXPECT_EQ(contours.runs().shown(), contours.runs().stateCount() - 1);
    EXPECT_GT(contours.runs().recordedBytes(), 0U);
}

TEST_F(Contours, ScrubbingShowsExactlyTheRecordedStateBackAndForth) {
    begin();
    finish();
    const auto expected = statesOf(document.image(), start, contours.settings().spec());
    const int last = contours.runs().stateCount() - 1;
    for (const int k : {last, 0, last / 2, last / 2 + 1, last / 2, 1, last - 1, last / 3}) {
        contours.playback().scrub(k);
        EXPECT_EQ(contours.runs().shown(), k);
        EXPECT_EQ(contours.runs().nodes(), expected[static_cast<std::size_t>(k)].nodes);
        EXPECT_EQ(contours.runs().figures()->energy, expected[static_cast<std::size_t>(k)].energy);
    }
    contours.playback().scrub(-7);
    EXPECT_EQ(contours.runs().shown(), 0);
    contours.playback().scrub(1 << 30);
    EXPECT_EQ(contours.runs().shown(), last);
    EXPECT_EQ(contours.runs().stateCount(), last + 1) << "nothing new was computed";
}

TEST_F(Contours, AStepIsOneState) {
    begin();
    const auto expected = statesOf(document.image(), start, contours.settings().spec());
    for (int k = 1; k <= 5; ++k) {
        contours.playback().stepForward();
        ASSERT_TRUE(rests());
        EXPECT_EQ(contours.runs().shown(), k);
        EXPECT_EQ(contours.runs().stateCount(), k + 1);
        EXPECT_EQ(contours.runs().nodes(), expected[static_cast<std::size_t>(k)].nodes);
    }
    contours.playback().stepBack();
    contours.playback().stepBack();
    EXPECT_EQ(contours.runs().shown(), 3);
    EXPECT_EQ(contours.runs().nodes(), expected[3].nodes);
    contours.playback().stepForward();
    EXPECT_EQ(contours.runs().shown(), 4);
    EXPECT_EQ(contours.runs().stateCount(), 6) << "it was there already";
    contours.playback().toStart();
    EXPECT_EQ(contours.runs().shown(), 0);
    contours.playback().stepBack();
    EXPECT_EQ(contours.runs().shown(), 0);
    contours.playback().scrub(5);
    for (int i = 0; i < 3; ++i) {
        contours.playback().stepForward(); // faster than the computation
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().shown(), 8);
    finish();
    const int last = contours.runs().stateCount() - 1;
    contours.playback().stepForward();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().shown(), last);
}

TEST_F(Contours, PausesAndResumesWithTheStatesOfAStraightRun) {
    begin();
    contours.playback().setSpeed(ContourPlayback::kFastest);
    const auto expected = statesOf(document.image(), start, contours.settings().spec());
    for (int round = 0; round < 4; ++round) {
        const int before = contours.runs().stateCount();
        contours.playback().play();
        EXPECT_TRUE(contours.playback().isPlaying());
        ASSERT_TRUE(eventually([&] { return contours.runs().stateCount() > before || contours.runs().isFinished(); }));
        contours.playback().pause();
        ASSERT_TRUE(rests());
        const int shown = contours.runs().shown();
        testing::settle();
        EXPECT_EQ(contours.runs().shown(), shown) << "nothing moves while it is paused";
    }
    contours.playback().stepForward();
    ASSERT_TRUE(rests());
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return !contours.playback().isPlaying(); }));
    expectStates(expected);
    EXPECT_EQ(contours.runs().shown(), contours.runs().stateCount() - 1);
    contours.playback().play();
    EXPECT_EQ(contours.runs().shown(), 0) << "from the beginning once more";
    contours.playback().pause();
}

TEST_F(Contours, APauseRightAfterPlayLosesNothing) {
    begin();
    for (int i = 0; i < 50; ++i) {
        contours.playback().play();
        contours.playback().pause();
    }
    ASSERT_TRUE(rests());
    finish();
    expectStates(statesOf(document.image(), start, contours.settings().spec()));
}

TEST_F(Contours, PlayAtTheirOwnSpeedWhileMoreAreComputed) {
    begin();
    contours.playback().setSpeed(1);
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return contours.runs().isFinished(); }));
    EXPECT_TRUE(contours.playback().isPlaying());
    EXPECT_LT(contours.runs().shown(), contours.runs().stateCount() - 1) << "one state a second";
    contours.playback().scrub(contours.runs().stateCount() - 1);
    ASSERT_TRUE(eventually([&] { return !contours.playback().isPlaying(); }));
}

TEST_F(Contours, UpToAFramesSpeedNoStateIsPassedOver) {
    begin();
    finish();
    contours.playback().toStart();
    std::vector<int> shown;
    QObject::connect(&contours.runs(), &ContourRuns::shownChanged, [&] {
        shown.push_back(contours.runs().shown());
        if (shown.size() == 4) {
            QThread::msleep(120); // the window is blocked: seven states are due
        }
    });
    contours.playback().setSpeed(60);
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return !contours.playback().isPlaying(); }));
    std::vector<int> all(static_cast<std::size_t>(contours.runs().stateCount()) - 1);
    std::iota(all.begin(), all.end(), 1);
    EXPECT_GT(all.size(), 10U);
    EXPECT_EQ(shown, all);
}

TEST_F(Contours, AStateWaitsUntilTheOneBeforeIsOnTheScreen) {
    begin();
    finish();
    contours.setActive(true);
    contours.playback().toStart();
    contours.playback().reportDrawn();
    contours.playback().setSpeed(60);
    constexpr int kDelay = 35; // ms from a state to its frame: two are due
    QElapsedTimer sinceShown;
    std::vector<int> shown;
    std::vector<bool> early; // shown before the previous state's frame
    bool drawn = true;
    QObject::connect(&contours.runs(), &ContourRuns::shownChanged, &contours, [&] {
        shown.push_back(contours.runs().shown());
        early.push_back(!drawn && sinceShown.elapsed() < 40);
        drawn = false;
        sinceShown.start();
        QTimer::singleShot(kDelay, Qt::PreciseTimer, &contours, [&] {
            drawn = true;
            contours.playback().reportDrawn();
        });
    });
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return shown.size() >= 12; }));
    contours.playback().pause();
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
    contours.playback().toStart();
    contours.playback().reportDrawn(); // only once
    contours.playback().setSpeed(60);
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return contours.runs().shown() >= 5; }));
}

TEST_F(Contours, AnotherParameterBranchesAndKeepsTheOldRun) {
    begin();
    finish();
    const SnakeSpec first = contours.settings().spec();
    const auto expected = statesOf(document.image(), start, first);
    contours.playback().scrub(7);
    SnakeSpec other = first;
    other.law = RegionLaw::poisson;
    contours.settings().setSpec(other);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().current(), 1);
    EXPECT_EQ(contours.runs().currentRun()->parent, 1);
    EXPECT_EQ(contours.runs().currentRun()->parentState, 7);
    EXPECT_EQ(contours.runs().stateCount(), 1);
    EXPECT_EQ(contours.runs().nodes(), expected[7].nodes);
    EXPECT_TRUE(contours.runs().nameOf(1).contains(QStringLiteral("from run 1 at state 7")))
        << contours.runs().nameOf(1).toStdString();
    other.minLength = 16;
    other.lengthPrice = 0.25;
    contours.settings().setSpec(other);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().all().size(), 2U) << "a run that has not moved is changed itself";
    EXPECT_EQ(contours.runs().currentRun()->spec, other);
    EXPECT_EQ(contours.runs().currentRun()->parentState, 7);
    finish();
    expectStates(statesOf(document.image(), expected[7].nodes, other));
    contours.selectRun(0);
    EXPECT_EQ(contours.settings().spec(), first);
    EXPECT_EQ(contours.runs().shown(), 7) << "where it was left";
    expectStates(expected);
    EXPECT_TRUE(contours.runs().isFinished());
    contours.runs().setCompared(1, true);
    ASSERT_EQ(contours.runs().comparedContours().size(), 1U);
    const ContourRecord& second = contours.runs().all()[1].record;
    EXPECT_EQ(contours.runs().comparedContours().front(), second.nodes(second.count() - 1));
    contours.deleteRun(0);
    ASSERT_EQ(contours.runs().all().size(), 1U);
    EXPECT_EQ(contours.runs().currentRun()->id, 2);
    EXPECT_EQ(contours.settings().spec(), other);
    contours.deleteRun(0);
    EXPECT_EQ(contours.runs().current(), -1);
    EXPECT_TRUE(contours.runs().nodes().empty());
    EXPECT_TRUE(contours.runs().comparedContours().empty());
    contours.playback().play();
    contours.playback().stepForward();
    contours.playback().toEnd();
    EXPECT_FALSE(contours.playback().isPlaying());
}

TEST_F(Contours, AParameterThatChangesWhileItPlaysBranchesAndPlaysOn) {
    begin();
    contours.playback().setSpeed(1);
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return contours.runs().stateCount() > 5; }));
    contours.playback().scrub(3);
    ASSERT_TRUE(contours.playback().isPlaying());
    const Contour nodes = contours.runs().nodes();
    SnakeSpec other = contours.settings().spec();
    other.moves = SnakeMoves::parity;
    contours.settings().setSpec(other);
    ASSERT_TRUE(eventually([&] { return contours.runs().current() == 1; }));
    EXPECT_EQ(contours.runs().currentRun()->parentState, 3);
    EXPECT_TRUE(contours.playback().isPlaying());
    contours.playback().setSpeed(ContourPlayback::kFastest);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().isFinished());
    expectStates(statesOf(document.image(), nodes, other));
}

TEST_F(Contours, ADraggedNodeStartsANewRun) {
    begin();
    finish();
    contours.playback().scrub(5);
    const Contour before = contours.runs().nodes();
    contours.beginDrag(2);
    ASSERT_EQ(contours.runs().drag()->node, 2);
    contours.dragTo({before[2].x + 6.2, before[2].y + 5.8});
    Contour expected = before;
    expected[2] = {before[2].x + 6, before[2].y + 6};
    EXPECT_EQ(contours.runs().nodes(), expected);
    contours.endDrag();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().all().size(), 2U) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.runs().nodes(), expected);
    EXPECT_EQ(contours.runs().currentRun()->parentState, 5);
    contours.beginDrag(0);
    contours.dragTo({-50, 1000});
    EXPECT_EQ(contours.runs().nodes()[0], (ContourNode{0, 160})) << "within the image";
    contours.runs().cancelDrag();
    EXPECT_EQ(contours.runs().nodes(), expected);
    contours.beginDrag(0);
    contours.endDrag();
    testing::settle();
    EXPECT_EQ(contours.runs().all().size(), 2U) << "a node that stays is no change";
}

TEST_F(Contours, ANodeThatWouldCrossGoesBackWithAMessage) {
    begin();
    contours.beginDrag(0);
    contours.dragTo({140, 100}); // beyond the right side
    EXPECT_FALSE(contours.runs().drag()->allowed);
    contours.endDrag();
    testing::settle();
    EXPECT_EQ(contours.runs().nodes(), start);
    EXPECT_EQ(contours.runs().all().size(), 1U);
    EXPECT_TRUE(contours.runs().problem().contains(QStringLiteral("went back")))
        << contours.runs().problem().toStdString();
    contours.playback().play();
    EXPECT_TRUE(contours.runs().problem().isEmpty());
    contours.beginDrag(0);
    EXPECT_FALSE(contours.runs().drag()) << "not while it plays";
    contours.playback().pause();
}

TEST_F(Contours, SayWhyAStartIsNone) {
    contours.startFrom({start}, {});
    EXPECT_TRUE(contours.runs().problem().contains(QStringLiteral("Open an image")));
    open(*disc(160));
    const auto problemOf = [&](const Contour& contour) {
        contours.startFrom({contour}, {});
        EXPECT_TRUE(rests());
        EXPECT_EQ(contours.runs().current(), -1);
        return contours.runs().problem().toStdString();
    };
    EXPECT_THAT(problemOf({{10, 10}, {12, 10}, {12, 12}, {10, 12}}), ::testing::HasSubstr("holds 4 px"));
    EXPECT_THAT(problemOf({{10, 10}, {90, 90}, {90, 10}, {10, 90}}), ::testing::HasSubstr("no simple polygon"));
    EXPECT_THAT(problemOf({{10, 10}, {190, 10}, {90, 90}}), ::testing::HasSubstr("beyond the image"));
    contours.startFrom({start}, {});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().isEmpty());
    // Parameters that do not fit the start change nothing.
    const SnakeSpec good = contours.settings().spec();
    SnakeSpec bad = good;
    bad.minPixels = 1000000;
    contours.settings().setSpec(bad);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours.runs().problem().isEmpty());
    EXPECT_EQ(contours.settings().spec(), good);
    EXPECT_EQ(contours.runs().nodes(), start);
}

TEST_F(Contours, StartFromShapesTheMiddleAndObjects) {
    open(*makeImage(PixelType::u8, 100, 80, [](auto x, auto y) -> std::uint32_t {
        return x >= 20 && x < 60 && y >= 30 && y < 50 ? 200 : 10; // one object
    }));
    contours.startFromShapes({{RegionShape::Kind::rectangle, {{10.4, 20.6}, {50, 60}}}});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().nodes(), (Contour{{10, 21}, {50, 21}, {50, 60}, {10, 60}}));
    contours.startInMiddle({0, 0, 100, 80});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().nodes(), (Contour{{25, 20}, {75, 20}, {75, 60}, {25, 60}}));
    EXPECT_EQ(contours.runs().all().size(), 1U) << "the one before had not moved";
    ObjectsViewModel objects(document);
    objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return objects.state() == ObjectsViewModel::State::ready; }));
    contours.startFromObjects(objects.objects(), {1});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().nodes(), (Contour{{60, 30}, {60, 50}, {20, 50}, {20, 30}}));
    contours.startFromObjects(objects.objects(), {2});
    EXPECT_FALSE(contours.runs().problem().isEmpty());
    const auto tree = document.tree();
    const std::uint32_t node = tree->pixelNode[40 * 100 + 30];
    contours.startFromComponent(tree->canonical[node]);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().currentRun()->origin, QStringLiteral("component"));
    EXPECT_EQ(contours.runs().nodes(), (Contour{{60, 30}, {60, 50}, {20, 50}, {20, 30}}));
}

TEST_F(Contours, GoWithTheImage) {
    begin();
    contours.playback().setSpeed(ContourPlayback::kFastest);
    contours.playback().play();
    ASSERT_TRUE(eventually([&] { return contours.runs().stateCount() > 1; }));
    open(*disc(90, 2));
    EXPECT_EQ(contours.runs().current(), -1);
    EXPECT_TRUE(contours.runs().all().empty());
    EXPECT_FALSE(contours.playback().isPlaying());
    testing::settle();
    EXPECT_TRUE(contours.runs().all().empty()) << "what was under way does not come back";
    const Contour small{{20, 20}, {70, 20}, {70, 70}, {20, 70}};
    contours.startFrom({small}, {});
    ASSERT_TRUE(rests());
    finish();
    expectStates(statesOf(document.image(), small, contours.settings().spec()));
    EXPECT_EQ(contours.runs().currentRun()->id, 1);
}

TEST_F(Contours, StopAtTheBoundOfMemory) {
    begin();
    contours.computing().setMostBytes(1);
    contours.playback().setSpeed(ContourPlayback::kFastest);
    contours.playback().play();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(contours.runs().problem().isEmpty());
    contours.playback().stepForward();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().stateCount(), 1);
    EXPECT_EQ(contours.runs().shown(), 0);
    contours.computing().setMostBytes(ContourComputing::kMostBytes);
    finish();
    expectStates(statesOf(document.image(), start, contours.settings().spec()));
}

TEST_F(Contours, RestWhileNobodyLooks) {
    begin();
    contours.playback().setSpeed(1);
    contours.playback().play();
    contours.setActive(false);
    EXPECT_FALSE(contours.playback().isPlaying());
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().all().size(), 1U);
}

TEST_F(Contours, HistogramsHoldThePixelsWithinAndWithout) {
    begin();
    ContourHistograms histograms(contours);
    contours.playback().stepForward();
    ASSERT_TRUE(rests());
    ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
    const auto levels = histograms.levels();
    const Image& image = *document.image();
    const Image mask = contourMask(contours.runs().nodes(), image.width(), image.height());
    std::vector<double> inside(levels->inside.shares.size());
    std::vector<double> outside(inside.size());
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const double bin = std::floor((image.level(i) - levels->low) / levels->step);
        if (bin >= 0 && bin < static_cast<double>(inside.size())) {
            (mask.level(i) != 0 ? inside : outside)[static_cast<std::size_t>(bin)] += 1;
        }
    }
    for (std::size_t bin = 0; bin < inside.size(); ++bin) {
        EXPECT_NEAR(levels->inside.shares[bin] * static_cast<double>(contours.runs().figures()->inside.pixels),
                    inside[bin], 1e-6);
        EXPECT_NEAR(levels->outside.shares[bin] * static_cast<double>(contours.runs().figures()->outside.pixels),
                    outside[bin], 1e-6);
    }
    const FittedLaw law(RegionLaw::gaussian, contours.runs().figures()->inside);
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
    contours.settings().setReach(std::nullopt);
    ContourHistograms histograms(contours);
    document.open(QStringLiteral("gaps"));
    ASSERT_TRUE(eventually([&] { return document.hasImage() && !document.activity().isBusy(); }));
    contours.setActive(true);
    const Contour start{{30, 30}, {90, 30}, {90, 90}, {30, 90}};
    contours.startFrom({start}, {});
    ASSERT_TRUE(eventually([&] { return contours.runs().current() == 0; }));
    EXPECT_EQ(contours.runs().figures()->inside.pixels, 3600 - 20 * 30);
    contours.playback().toEnd();
    ASSERT_TRUE(eventually([&] { return !contours.playback().isPlaying() && !contours.isComputing(); }));
    SnakeRun direct(std::make_shared<const RowSums>(image, valid.get()), start, contours.settings().spec());
    while (direct.advance()) {
    }
    EXPECT_EQ(contours.runs().nodes(), direct.state().nodes);
    ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
    const auto& shares = histograms.levels()->inside.shares;
    EXPECT_LE(std::accumulate(shares.begin(), shares.end(), 0.0), 1 + 1e-9);
    EXPECT_GT(std::accumulate(shares.begin(), shares.end(), 0.0), 0.98);
}

} // namespace
} // namespace pollard::vm
