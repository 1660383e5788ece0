#include "vm/display/presentation_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeWorld;
using ::testing::HasSubstr;

TEST(LatencySummary, TakesMedianAndNearestRank) {
    EXPECT_EQ(summarize({}).frames, 0U);
    const LatencySummary one = summarize({4});
    EXPECT_EQ(one.median, 4);
    EXPECT_EQ(one.p95, 4);
    const LatencySummary even = summarize({9, 1, 5, 3});
    EXPECT_EQ(even.frames, 4U);
    EXPECT_EQ(even.last, 3);
    EXPECT_EQ(even.median, 4);
    EXPECT_EQ(even.p95, 9);
    std::vector<double> hundred;
    for (int i = 100; i > 0; --i) {
        hundred.push_back(i);
    }
    EXPECT_EQ(summarize(hundred).median, 50.5);
    EXPECT_EQ(summarize(hundred).p95, 95);
}

class Presentation : public ::testing::Test {
protected:
    FakeWorld world;
    DocumentViewModel document{testing::fakeServices(world)};
    FilterViewModel filter{document};
    PresentationViewModel presentation{document, filter};
    QSignalSpy measured{&presentation, &PresentationViewModel::latencyMeasured};
    QSignalSpy badges{&presentation, &PresentationViewModel::engineBadgeChanged};

    void open(const char* engine = "cpu") {
        document.choices().setEngine(QString::fromLatin1(engine));
        document.open("a.tif");
        settleJobs();
    }
    void settleJobs() {
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); }));
    }
    [[nodiscard]] std::string badge() const { return presentation.engineBadge().toStdString(); }
    [[nodiscard]] std::string toolTip() const { return presentation.engineToolTip().toStdString(); }
};

TEST_F(Presentation, NamesEngineAndPath) {
    EXPECT_EQ(badge(), "");
    open("cuda");
    EXPECT_EQ(badge(), "CUDA");
    presentation.reportPath(DisplayPath::interop, {});
    EXPECT_EQ(badge(), "CUDA + interop");
    EXPECT_THAT(toolTip(), HasSubstr("cuda device"));
    presentation.reportPath(DisplayPath::copy, QStringLiteral("another card draws the window"));
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_THAT(toolTip(), HasSubstr("another card draws the window"));
    document.close();
    EXPECT_EQ(badge(), "");
}

TEST_F(Presentation, NamesTheProcessorAlone) {
    open();
    presentation.reportPath(DisplayPath::upload, {});
    EXPECT_EQ(badge(), "CPU");
    EXPECT_THAT(toolTip(), HasSubstr("cpu device"));
}

TEST_F(Presentation, SaysWhenForcedInteropIsMissing) {
    presentation.setMode(DisplayMode::interop);
    open("cuda");
    EXPECT_EQ(badge(), "CUDA") << "nothing was drawn yet";
    presentation.reportPath(DisplayPath::copy, QStringLiteral("no"));
    EXPECT_EQ(badge(), "CUDA + copy (no interop)");
    presentation.reportPath(DisplayPath::interop, {});
    EXPECT_EQ(badge(), "CUDA + interop");
}

TEST_F(Presentation, TellsHowTheNumbersCame) {
    open("cuda");
    presentation.reportPath(DisplayPath::interop, {});
    const std::string without = toolTip();
    badges.clear();
    presentation.reportNumbers({DisplayPath::interop, 0.8, {}});
    presentation.reportNumbers({DisplayPath::interop, 0.8, {}});
    EXPECT_EQ(badges.size(), 1);
    EXPECT_EQ(badge(), "CUDA + interop");
    EXPECT_THAT(toolTip(), HasSubstr("numbers of the components there, too: 0.8 ms"));
    presentation.reportNumbers({DisplayPath::upload, 36, QStringLiteral("no room for them")});
    EXPECT_THAT(toolTip(), HasSubstr("copied to the graphics card: 36 ms"));
    EXPECT_THAT(toolTip(), HasSubstr("no room for them"));
    presentation.reportNumbers({});
    EXPECT_EQ(toolTip(), without);
    // A reason common to the image and the numbers is reported once.
    presentation.reportPath(DisplayPath::copy, QStringLiteral("another card draws"));
    presentation.reportNumbers({DisplayPath::upload, 36, QStringLiteral("another card draws")});
    const std::string both = toolTip();
    EXPECT_EQ(both.find("another card"), both.rfind("another card"));
}

TEST_F(Presentation, TellsAPathOnce) {
    open();
    badges.clear();
    presentation.reportPath(DisplayPath::upload, {});
    presentation.reportPath(DisplayPath::upload, {});
    EXPECT_EQ(badges.size(), 1);
}

TEST_F(Presentation, MeasuresFromTheControlToTheFrameOfItsSpec) {
    open();
    filter.setMinimum(10);
    EXPECT_EQ(presentation.waiting(), 1U);
    presentation.reportFrame(document.resultSpec()); // the previous image, drawn again
    EXPECT_EQ(measured.size(), 0);
    settleJobs();
    QTest::qWait(20); // the time to be measured
    presentation.reportFrame(document.resultSpec());
    ASSERT_EQ(measured.size(), 1);
    EXPECT_GE(measured.at(0).at(0).toDouble(), 20);
    EXPECT_EQ(presentation.latency().frames, 1U);
    EXPECT_EQ(presentation.latency().last, measured.at(0).at(0).toDouble());
    EXPECT_THAT(presentation.latencyText().toStdString(), HasSubstr("ms to screen"));
    EXPECT_THAT(presentation.latencyToolTip().toStdString(), HasSubstr("median"));
    presentation.reportFrame(document.resultSpec());
    EXPECT_EQ(measured.size(), 1) << "a frame counts once";
}

TEST_F(Presentation, ForgetsChangesThatLaterOnesReplaced) {
    open();
    filter.setMinimum(10);
    filter.setMinimum(20);
    filter.setMinimum(30);
    const FilterSpec second = [&] {
        FilterSpec spec = filter.spec();
        spec.criteria.at(0).minimum = 20;
        return spec;
    }();
    presentation.reportFrame(second);
    EXPECT_EQ(measured.size(), 1);
    EXPECT_EQ(presentation.waiting(), 1U) << "only the last is still to come";
    presentation.reportFrame(filter.spec());
    EXPECT_EQ(measured.size(), 2);
    EXPECT_EQ(presentation.waiting(), 0U);
}

TEST_F(Presentation, MeasuresEveryControlOfTheFilterButNoTree) {
    open();
    const auto expectMeasured = [&](const char* what) {
        measured.clear();
        settleJobs();
        presentation.reportFrame(filter.spec());
        EXPECT_EQ(measured.size(), 1) << what;
    };
    filter.setMinimum(10);
    expectMeasured("minimum");
    filter.setMaximum(500);
    expectMeasured("maximum");
    filter.setOutput(Output::residue);
    expectMeasured("output");
    filter.setRule(Rule::max);
    expectMeasured("rule");
    filter.setEnabled(false);
    expectMeasured("enabled");
    filter.setEnabled(true);
    document.choices().setTreeKind(TreeKind::min);
    measured.clear();
    settleJobs();
    presentation.reportFrame(filter.spec());
    EXPECT_EQ(measured.size(), 0) << "a frame that waited for a tree";
}

TEST_F(Presentation, MeasuresNothingThatWasAskedForBeforeAnImageOrWithoutLive) {
    filter.setMinimum(10);
    open();
    presentation.reportFrame(document.resultSpec());
    filter.setLive(false);
    filter.setMinimum(40);
    filter.apply();
    settleJobs();
    presentation.reportFrame(document.resultSpec());
    EXPECT_EQ(measured.size(), 0);
    EXPECT_EQ(presentation.waiting(), 0U);
}

TEST_F(Presentation, ForgetsTimesOfAnotherTreeOrEngine) {
    open("cuda");
    filter.setMinimum(10);
    presentation.reportFrame(filter.spec());
    ASSERT_EQ(presentation.latency().frames, 1U);
    document.choices().setEngine("cpu");
    settleJobs();
    EXPECT_EQ(presentation.latency().frames, 0U);
    EXPECT_EQ(presentation.latencyText(), QString());
}

TEST_F(Presentation, LooksAtTheLastFramesOnlyAndNeverKeepsMoreChanges) {
    open();
    for (int i = 0; i < 600; ++i) {
        filter.setMinimum(2 + i % 900);
        presentation.reportFrame(filter.spec());
    }
    EXPECT_EQ(presentation.latency().frames, PresentationViewModel::kHistory);
    for (int i = 0; i < 600; ++i) {
        filter.setMinimum(2 + i % 900);
    }
    EXPECT_LE(presentation.waiting(), 256U);
}

} // namespace
} // namespace pollard::vm
