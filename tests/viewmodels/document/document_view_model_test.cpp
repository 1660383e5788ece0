#include "vm/document/document_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeWorld;
using testing::settle;
using State = DocumentActivity::State;
using ::testing::ElementsAre;

FilterSpec areaAtLeast(double minimum) {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, minimum, std::numeric_limits<double>::infinity()});
    return spec;
}

class Document : public ::testing::Test {
protected:
    FakeWorld world;
    DocumentViewModel document{testing::fakeServices(world)};
    QSignalSpy errors{&document.activity(), &DocumentActivity::errorOccurred};
    QSignalSpy frames{&document, &DocumentViewModel::frameReady};

    void SetUp() override {
        world.files["b.tif"] = {PixelType::u16, 6, 5, 300, 3, 50};
        world.files["c.tif"] = {PixelType::u8, 7, 7, 9, 1, 20};
    }
    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    void open(const QString& name) {
        document.open(name);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        ASSERT_EQ(document.activity().state(), State::ready);
    }
    /// All data of the displayed document.
    [[nodiscard]] auto snapshot() const {
        return std::make_tuple(document.path(), document.page(), document.reading().channel(), document.imageInfo(),
                               document.image(), document.shown().histogram, document.tree(), document.result(),
                               document.choices().treeSpec(), document.choices().filterSpec(), document.resultSpec(),
                               document.choices().engineName(), document.title(),
                               document.attribute(AttributeId::area));
    }
};

TEST_F(Document, IsEmptyAtFirst) {
    EXPECT_EQ(document.activity().state(), State::empty);
    EXPECT_FALSE(document.hasImage());
    EXPECT_EQ(document.pageCount(), 0);
    document.requestFilter(areaAtLeast(3));
    document.reading().setPage(2);
    document.close();
    document.cancel();
    settle();
    EXPECT_EQ(document.activity().state(), State::empty);
    EXPECT_EQ(errors.size(), 0);
    EXPECT_EQ(frames.size(), 0);
}

TEST_F(Document, OpensImageTreeAndImageTogether) {
    QSignalSpy documents(&document, &DocumentViewModel::imageChanged);
    QSignalSpy trees(&document, &DocumentViewModel::treeChanged);
    document.open("dir/b.tif", 1);
    EXPECT_EQ(document.activity().state(), State::loading);
    EXPECT_TRUE(document.activity().isBusy());
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.activity().state(), State::ready);
    EXPECT_EQ(documents.size(), 1);
    EXPECT_EQ(trees.size(), 1);
    EXPECT_EQ(frames.size(), 1);
    EXPECT_EQ(document.title(), "b.tif (page 2 of 3)");
    EXPECT_EQ(document.image()->level(0), 300);
    EXPECT_EQ(document.shown().histogram->minimum, 300);
    ASSERT_TRUE(document.tree());
    ASSERT_TRUE(document.attribute(AttributeId::area));
    ASSERT_TRUE(document.result());
    EXPECT_EQ(document.choices().engineName(), "cpu");
    EXPECT_EQ(document.choices().engineDevice(), "cpu device");
}

TEST_F(Document, SignalsTitleAndPresenceOfAnImageWhenTheyChange) {
    QStringList signalled;
    QObject::connect(&document, &DocumentViewModel::imageChanged, &document, [&] { signalled << "image"; });
    QObject::connect(&document, &DocumentViewModel::hasImageChanged, &document, [&] { signalled << "hasImage"; });
    QObject::connect(&document, &DocumentViewModel::titleChanged, &document, [&] { signalled << "title"; });
    QObject::connect(&document, &DocumentViewModel::treeChanged, &document, [&] { signalled << "tree"; });
    QObject::connect(&document, &DocumentViewModel::frameReady, &document, [&] { signalled << "frame"; });
    ASSERT_NO_FATAL_FAILURE(open("b.tif"));
    EXPECT_EQ(std::exchange(signalled, {}), (QStringList{"image", "hasImage", "title", "tree", "frame"}));
    document.reading().setPage(1);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(std::exchange(signalled, {}), (QStringList{"image", "title", "tree", "frame"}));
    document.reading().setChannelName("green");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(std::exchange(signalled, {}), (QStringList{"image", "tree", "frame"}));
    document.close();
    EXPECT_EQ(signalled, (QStringList{"image", "hasImage", "title", "tree", "frame"}));
}

TEST_F(Document, UsesTheSessionOnOtherThreads) {
    {
        DocumentViewModel other(testing::fakeServices(world));
        other.open("a.tif");
        ASSERT_TRUE(eventually([&] { return !other.activity().isBusy(); }));
        other.choices().setTreeKind(TreeKind::min);
        other.requestFilter(areaAtLeast(5));
        ASSERT_TRUE(eventually([&] { return !other.activity().isBusy() && !other.activity().isFiltering(); }));
    }
    EXPECT_GE(world.threads().size(), 1U);
    EXPECT_EQ(world.threads().count(std::this_thread::get_id()), 0U);
    EXPECT_EQ(world.sessions(), 0);
}

TEST_F(Document, AFailedFirstOpenSaysWhyAndLeavesNothing) {
    document.open("missing.tif");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.activity().state(), State::failed);
    ASSERT_EQ(errors.size(), 1);
    EXPECT_EQ(errors[0][0].toString(), "missing.tif was not opened");
    EXPECT_EQ(errors[0][1].toString(), "open 'missing.tif': no such file");
    EXPECT_EQ(document.activity().lastError(), errors[0][1].toString());
    EXPECT_TRUE(document.path().isEmpty());
}

TEST_F(Document, AFailedOpenKeepsThePreviousDocument) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    document.choices().setTreeKind(TreeKind::min);
    document.requestFilter(areaAtLeast(12));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    const auto before = snapshot();
    QSignalSpy documents(&document, &DocumentViewModel::imageChanged);
    document.open("missing.tif");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(errors.size(), 1);
    EXPECT_EQ(document.activity().state(), State::ready);
    EXPECT_EQ(documents.size(), 0);
    EXPECT_TRUE(snapshot() == before);

    document.requestFilter(areaAtLeast(34)); // still works
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.result()->level(0), 34);
    EXPECT_EQ(document.result()->width(), 4U);
}

TEST_F(Document, AnOpenWhoseTreeFailsKeepsThePreviousDocument) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    const auto before = snapshot();
    world.buildFailure = Error(ErrorCode::outOfMemory, "tree: needs 9 GB");
    document.open("b.tif");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    ASSERT_EQ(errors.size(), 1);
    EXPECT_EQ(errors[0][1].toString(), "tree: needs 9 GB");
    EXPECT_TRUE(snapshot() == before);
}

TEST_F(Document, ACancelledOpenKeepsThePreviousDocumentWithoutAMessage) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    for (testing::Gate* gate : {&world.read, &world.build, &world.filter}) {
        const auto before = snapshot();
        const int arrivals = gate->arrivals();
        gate->hold();
        document.open("b.tif");
        ASSERT_TRUE(eventually([&] { return gate->arrivals() > arrivals; }));
        document.cancel();
        ASSERT_TRUE(eventually([&] { return idle(); }));
        gate->release();
        settle();
        EXPECT_EQ(document.activity().state(), State::ready);
        EXPECT_TRUE(snapshot() == before);
    }
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(Document, ANewerOpenStopsTheOneThatRuns) {
    QSignalSpy documents(&document, &DocumentViewModel::imageChanged);
    world.build.hold();
    document.open("a.tif");
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 1; }));
    world.read.hold(); // c.tif may begin before b.tif is requested, but cannot end before
    document.open("c.tif");
    document.open("b.tif");
    world.read.release();
    world.build.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.title(), "b.tif (page 1 of 3)");
    EXPECT_EQ(documents.size(), 1); // neither a.tif nor c.tif ever became the document
    EXPECT_LE(world.read.arrivals(), 3);
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(Document, CloseForgetsEverythingUnderWay) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    world.filter.hold();
    document.requestFilter(areaAtLeast(3));
    ASSERT_TRUE(eventually([&] { return world.filter.arrivals() == 2; }));
    document.close();
    EXPECT_EQ(document.activity().state(), State::empty);
    EXPECT_FALSE(document.hasImage());
    EXPECT_FALSE(document.result());
    EXPECT_FALSE(document.tree());
    const auto seen = frames.size();
    world.filter.release();
    ASSERT_TRUE(eventually([&] { return world.sessions() == 0; }));
    settle();
    EXPECT_EQ(frames.size(), seen);
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(Document, AnotherTreeKeepsTheOldImageUntilTheNewOneIsThere) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    const auto oldTree = document.tree();
    const auto oldResult = document.result();
    world.build.hold();
    document.choices().setTreeKind(TreeKind::min);
    EXPECT_EQ(document.activity().state(), State::building);
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 2; }));
    EXPECT_EQ(document.tree(), oldTree);
    EXPECT_EQ(document.result(), oldResult);
    world.build.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.tree()->kind, TreeKind::min);
    EXPECT_NE(document.result(), oldResult);
}

TEST_F(Document, AStaleBuildIsCancelled) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    QSignalSpy trees(&document, &DocumentViewModel::treeChanged);
    world.build.hold();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 2; }));
    document.choices().setConnectivity(Connectivity::eight);
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 3; })); // the stale one did not wait for release
    world.build.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(trees.size(), 1);
    EXPECT_EQ(document.tree()->kind, TreeKind::min);
    EXPECT_EQ(document.tree()->connectivity, Connectivity::eight);
}

TEST_F(Document, ChangingBackWhileBuildingKeepsTheTreeThatIsThere) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    const auto tree = document.tree();
    world.build.hold();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 2; }));
    document.choices().setTreeKind(TreeKind::max);
    ASSERT_TRUE(eventually([&] { return !document.worker().isBusy(Lane::build); }));
    world.build.release();
    settle();
    EXPECT_TRUE(idle());
    EXPECT_EQ(document.tree(), tree);
    EXPECT_EQ(document.choices().treeKind(), TreeKind::max);
}

TEST_F(Document, ATreeThatCameTooLateToBeStoppedDoesNotStay) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    document.choices().setTreeKind(TreeKind::min);
    // The job ends while this thread sleeps; its report is pending when the choice is reverted. Only the report, which
    // must not be delivered yet, would show that the job has ended.
    while (world.filter.arrivals() < 2) {
        std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    document.choices().setTreeKind(TreeKind::max);
    ASSERT_TRUE(eventually([&] { return idle() && !document.worker().isBusy(Lane::build); }));
    EXPECT_EQ(document.choices().treeKind(), TreeKind::max);
    EXPECT_EQ(document.tree()->kind, TreeKind::max);
}

TEST_F(Document, AFailedOrCancelledBuildTakesTheChoiceBack) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    const auto before = snapshot();
    world.buildFailure = Error(ErrorCode::outOfMemory, "tree: needs 9 GB");
    document.choices().setTreeKind(TreeKind::min);
    EXPECT_EQ(document.choices().treeKind(), TreeKind::min);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(snapshot() == before);
    EXPECT_EQ(errors.size(), 1);

    world.buildFailure.reset();
    world.build.hold();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 3; }));
    document.cancel();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    world.build.release();
    EXPECT_TRUE(snapshot() == before);
    EXPECT_EQ(errors.size(), 1);
}

TEST_F(Document, AFailedOpenGoesOnWithTheTreeThatWasWanted) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    world.build.hold();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 2; }));
    document.open("missing.tif");
    ASSERT_TRUE(eventually([&] { return errors.size() == 1; }));
    world.build.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.tree()->kind, TreeKind::min);
    EXPECT_TRUE(document.path().endsWith("a.tif"));
}

TEST_F(Document, TreeChoicesBeforeTheFirstImageHold) {
    document.choices().setTreeKind(TreeKind::min);
    document.choices().setEngine("cuda");
    document.requestFilter(areaAtLeast(5));
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    EXPECT_EQ(document.tree()->kind, TreeKind::min);
    EXPECT_EQ(document.choices().engineName(), "cuda");
    EXPECT_EQ(document.result()->level(0), 5);
}

TEST_F(Document, TurnsPagesAndChannelsWithinTheFile) {
    ASSERT_NO_FATAL_FAILURE(open("b.tif"));
    document.reading().setPage(2);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.page(), 2);
    document.reading().setChannelName("green");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.reading().channelName(), "green");
    EXPECT_EQ(document.page(), 2);
    document.reading().setPage(3);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(errors.size(), 1);
    EXPECT_EQ(document.page(), 2);
    document.reading().setChannelName("purple(");
    EXPECT_EQ(errors.size(), 2);
    EXPECT_EQ(document.reading().channelName(), "green");
}

TEST_F(Document, ABurstOfFiltersKeepsTwoInFlightAndShowsTheLast) {
    ASSERT_NO_FATAL_FAILURE(open("b.tif"));
    std::vector<int> shown;
    QObject::connect(&document, &DocumentViewModel::frameReady, &document,
                     [&] { shown.push_back(document.result()->level(0)); });
    const auto before = document.worker().statistics(Lane::filter);
    world.filter.hold();
    for (int i = 1; i <= 200; ++i) {
        document.requestFilter(areaAtLeast(i));
        if (i == 1) {
            ASSERT_TRUE(eventually([&] { return world.filter.arrivals() == 2; }));
        }
    }
    EXPECT_TRUE(document.activity().isFiltering());
    world.filter.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_THAT(shown, ElementsAre(1, 200));
    EXPECT_EQ(document.resultSpec(), areaAtLeast(200));
    const auto after = document.worker().statistics(Lane::filter);
    EXPECT_EQ(after.started - before.started, 2U);
    EXPECT_LE(after.maxInFlight, 2);
}

TEST_F(Document, ABurstWithTheEventLoopTurningShowsNothingStale) {
    ASSERT_NO_FATAL_FAILURE(open("b.tif"));
    std::vector<int> shown;
    QObject::connect(&document, &DocumentViewModel::frameReady, &document,
                     [&] { shown.push_back(document.result()->level(0)); });
    for (int i = 1; i <= 200; ++i) {
        document.requestFilter(areaAtLeast(i));
        QCoreApplication::processEvents();
    }
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
    EXPECT_EQ(shown.back(), 200);
    EXPECT_LE(document.worker().statistics(Lane::filter).maxInFlight, 2);
}

TEST_F(Document, TheSameFilterTwiceIsOneJob) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    document.requestFilter(areaAtLeast(9));
    document.requestFilter(areaAtLeast(9));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    document.requestFilter(areaAtLeast(9));
    EXPECT_FALSE(document.activity().isFiltering());
    EXPECT_EQ(document.worker().statistics(Lane::filter).posted, 1U);
}

TEST_F(Document, AnImageThatAViewHoldsIsNeverWritten) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    document.requestFilter(areaAtLeast(1));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    const std::shared_ptr<const Image> held = document.result();
    for (int i = 2; i < 10; ++i) {
        document.requestFilter(areaAtLeast(i));
        ASSERT_TRUE(eventually([&] { return idle(); }));
        ASSERT_EQ(document.result()->level(0), i);
        ASSERT_EQ(held->level(0), 1);
    }
}

TEST_F(Document, AFailedFilterKeepsTheImage) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    const auto image = document.result();
    world.filterFailure = Error(ErrorCode::invalidArgument, "filter: no");
    document.requestFilter(areaAtLeast(3));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.result(), image);
    EXPECT_EQ(errors.size(), 1);
    world.filterFailure.reset();
    document.requestFilter(areaAtLeast(3)); // filtered again after the failure
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.result()->level(0), 3);
}

TEST_F(Document, MeasuresAttributesOnRequest) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    QSignalSpy ready(&document, &DocumentViewModel::attributeReady);
    EXPECT_FALSE(document.attribute(AttributeId::mean));
    document.requestAttribute(AttributeId::mean);
    document.requestAttribute(AttributeId::depth);
    ASSERT_TRUE(
        eventually([&] { return document.attribute(AttributeId::mean) && document.attribute(AttributeId::depth); }));
    EXPECT_EQ(ready.size(), 2);
    document.requestAttribute(AttributeId::mean);
    EXPECT_EQ(ready.size(), 3);
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(document.attribute(AttributeId::mean)); // the last requested one comes with every tree
}

TEST_F(Document, MovesToAnotherEngine) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    document.choices().setEngine("cuda");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.choices().engineName(), "cuda");
    document.choices().setEngine("quantum");
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(errors.size(), 1);
    EXPECT_EQ(document.choices().requestedEngine(), "cuda");
    EXPECT_EQ(document.choices().engineName(), "cuda");
}

TEST_F(Document, ADeviceThatFailsIsReplacedByTheProcessor) {
    QSignalSpy notices(&document, &DocumentViewModel::noticeRaised);
    world.failingEngine = "cuda";
    world.buildFailure = Error(ErrorCode::outOfMemory, "cuda: needs 90 GB of 80 GB");
    document.choices().setEngine("cuda");
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    EXPECT_EQ(document.choices().engineName(), "cpu");
    ASSERT_EQ(notices.size(), 1);
    EXPECT_TRUE(notices[0][0].toString().contains("needs 90 GB"));
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(Document, ADeviceThatFailsInMidWorkLosesNothing) {
    QSignalSpy notices(&document, &DocumentViewModel::noticeRaised);
    document.choices().setEngine("cuda");
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    world.failingEngine = "cuda";
    world.filterFailure = Error(ErrorCode::deviceFailed, "cuda: illegal address");
    document.requestFilter(areaAtLeast(8));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.result()->level(0), 8);
    EXPECT_EQ(document.choices().engineName(), "cpu");
    EXPECT_EQ(notices.size(), 1);
    EXPECT_EQ(errors.size(), 0);
    document.requestFilter(areaAtLeast(9));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.result()->level(0), 9);
    EXPECT_EQ(notices.size(), 1);
}

TEST_F(Document, SavesTheImageOfTheLastPositionWithTheTagsOfTheSource) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    world.filter.hold();
    document.requestFilter(areaAtLeast(21));
    document.saving().saveFiltered("out.tif");
    document.saving().saveFiltered("copy.tif");
    world.filter.release();
    ASSERT_TRUE(eventually([&] { return saved.size() == 2; }));
    const auto written = world.written();
    ASSERT_EQ(written.size(), 2U);
    EXPECT_EQ(written[0].name, "out.tif");
    EXPECT_EQ(written[1].name, "copy.tif");
    EXPECT_EQ(written[0].level, 21);
    ASSERT_EQ(written[0].carried.size(), 1U);
    EXPECT_EQ(written[0].carried[0].tag, 282);
    ASSERT_TRUE(eventually([&] { return idle(); }));
}

TEST_F(Document, NeverSavesTheImageOfAnotherImage) {
    ASSERT_NO_FATAL_FAILURE(open("a.tif"));
    world.filter.hold();
    document.requestFilter(areaAtLeast(21));
    ASSERT_TRUE(eventually([&] { return world.filter.arrivals() == 2; }));
    document.requestFilter(areaAtLeast(22));
    document.saving().saveFiltered("out.tif");
    document.open("c.tif"); // goes before the filter that waits
    world.filter.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(errors.size(), 1);
    EXPECT_TRUE(world.written().empty());
}

TEST_F(Document, SavingNothingSaysSo) {
    document.saving().saveFiltered("out.tif");
    EXPECT_EQ(errors.size(), 1);
}

TEST_F(Document, TellsProgressAndIsQuietAfterwards) {
    QStringList texts;
    QObject::connect(&document.activity(), &DocumentActivity::progressChanged, &document,
                     [&] { texts << document.activity().progressText(); });
    world.build.hold();
    document.open("a.tif");
    ASSERT_TRUE(eventually([&] { return texts.contains("Opening a.tif: finding components"); }));
    EXPECT_GT(document.activity().progress(), 0.3);
    EXPECT_LT(document.activity().progress(), 1);
    world.build.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    settle();
    EXPECT_EQ(document.activity().progress(), 0);
    EXPECT_TRUE(document.activity().progressText().isEmpty());
}

TEST_F(Document, QuitsInMidBuild) {
    {
        DocumentViewModel other(testing::fakeServices(world));
        world.build.hold();
        other.open("a.tif");
        ASSERT_TRUE(eventually([&] { return world.build.arrivals() == 1; }));
    }
    world.build.release();
}

} // namespace
} // namespace pollard::vm
