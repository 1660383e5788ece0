#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include <cmath>
#include <limits>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeWorld;
using testing::settle;

constexpr double kInf = std::numeric_limits<double>::infinity();

class Filter : public ::testing::Test {
protected:
    FakeWorld world;
    DocumentViewModel document{testing::fakeServices(world)};
    FilterViewModel filter{document};
    QSignalSpy specs{&filter, &FilterViewModel::specChanged};

    void SetUp() override {
        world.files["small.tif"] = {PixelType::u8, 6, 5, 3, 1, 50};
        world.files["large.tif"] = {PixelType::u8, 9, 9, 3, 1, 1e6};
    }
    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    void open(const QString& name = "a.tif") { // areas 1..1000
        document.open(name);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        ASSERT_TRUE(filter.isAvailable());
    }
    [[nodiscard]] Criterion criterion() const {
        const FilterSpec spec = filter.spec();
        return spec.criteria.empty() ? Criterion{filter.attribute(), -kInf, kInf} : spec.criteria.front();
    }
    [[nodiscard]] std::uint64_t jobs() const { return document.worker().statistics(Lane::filter).posted; }
};

TEST_F(Filter, RemovesNothingByDefault) {
    EXPECT_EQ(filter.attribute(), AttributeId::area);
    EXPECT_EQ(filter.minimum(), 1);
    EXPECT_FALSE(filter.isAvailable());
    EXPECT_TRUE(filter.spec().criteria.empty());
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(filter.minimum(), 1);
    EXPECT_EQ(filter.maximum(), 1000);
    EXPECT_TRUE(filter.spec().criteria.empty());
    EXPECT_EQ(filter.criterionText(), "every node");
    EXPECT_EQ(specs.size(), 0);
}

TEST_F(Filter, KnowsWhetherItsCountersAreThoseOfWhatIsSet) {
    EXPECT_FALSE(filter.areCountersCurrent());
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(filter.areCountersCurrent());
    QSignalSpy changes(&filter, &FilterViewModel::countersCurrentChanged);
    world.build.hold();
    document.choices().setTreeKind(TreeKind::min);
    EXPECT_FALSE(filter.areCountersCurrent()) << "another tree is on its way";
    filter.setMinimum(40); // a drag during the build
    settle();
    EXPECT_FALSE(filter.areCountersCurrent());
    EXPECT_EQ(changes.size(), 1);
    world.build.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(filter.areCountersCurrent());
    world.filter.hold();
    filter.setMinimum(50);
    EXPECT_FALSE(filter.areCountersCurrent());
    filter.setMinimum(40);
    world.filter.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(filter.areCountersCurrent());
    filter.setLive(false);
    filter.setMinimum(60);
    EXPECT_FALSE(filter.areCountersCurrent()) << "they wait for Apply";
    filter.apply();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(filter.areCountersCurrent());
    world.read.hold();
    document.open("large.tif");
    EXPECT_TRUE(filter.areCountersCurrent()) << "those of the image that is shown";
    world.read.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(filter.areCountersCurrent());
    document.close();
    EXPECT_FALSE(filter.areCountersCurrent());
}

TEST_F(Filter, TellsThatTheRootIsKeptAnyway) {
    ASSERT_NO_FATAL_FAILURE(open()); // one node of 12 px
    EXPECT_FALSE(filter.isRootKeptAnyway());
    filter.setRange(1, 11);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_TRUE(filter.isRootKeptAnyway());
    filter.setRange(1, 12);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_FALSE(filter.isRootKeptAnyway());
    filter.criteria().add(AttributeId::height);
    filter.setRange(100, 200); // not met by its 12 px either
    ASSERT_TRUE(eventually([&] { return idle() && filter.isRootKeptAnyway(); })) << "as soon as it is measured";
    filter.criteria().setMatchMode(Match::any);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_FALSE(filter.isRootKeptAnyway());
    filter.setEnabled(false);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_FALSE(filter.isRootKeptAnyway());
}

TEST_F(Filter, TakesItsDomainFromTheTree) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(filter.domain(), ValueDomain::over(1, 1000, true, true));
    EXPECT_TRUE(filter.domain().logarithmic);
    EXPECT_EQ(filter.unit(), "px");
}

struct SetCase {
    double minimum, maximum; ///< set in this order
    double shownMinimum, shownMaximum;
    double specMinimum, specMaximum;
    const char* text;
};

class FilterBounds : public Filter, public ::testing::WithParamInterface<SetCase> {};

TEST_P(FilterBounds, AreClampedAndTheEndsAreNoBounds) {
    const SetCase& c = GetParam();
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setMinimum(c.minimum);
    filter.setMaximum(c.maximum);
    EXPECT_EQ(filter.minimum(), c.shownMinimum);
    EXPECT_EQ(filter.maximum(), c.shownMaximum);
    EXPECT_EQ(criterion().minimum, c.specMinimum);
    EXPECT_EQ(criterion().maximum, c.specMaximum);
    EXPECT_EQ(filter.criterionText(), c.text);
}

INSTANTIATE_TEST_SUITE_P(Cases, FilterBounds,
                         ::testing::Values(SetCase{100, 1000, 100, 1000, 100, kInf, "area >= 100"},
                                           SetCase{1, 500, 1, 500, -kInf, 500, "area <= 500"},
                                           SetCase{10, 20, 10, 20, 10, 20, "10 <= area <= 20"},
                                           SetCase{-5, 2000, 1, 1000, -kInf, kInf, "every node"},
                                           SetCase{99.6, 1000, 100, 1000, 100, kInf, "area >= 100"},
                                           SetCase{500, 100, 500, 500, 500, 500,
                                                   "area = 500"}, // stops at the other bound
                                           SetCase{5000, 1000, 1000, 1000, 1000, kInf, "area >= 1000"},
                                           SetCase{std::nan(""), std::nan(""), 1, 1000, -kInf, kInf, "every node"},
                                           SetCase{-kInf, kInf, 1, 1000, -kInf, kInf, "every node"}));

TEST_F(Filter, TheLowerBoundStopsAtTheUpperOne) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setMaximum(100);
    filter.setMinimum(500);
    EXPECT_EQ(filter.criterionText(), "area = 100");
}

TEST_F(Filter, TheSliderEndsAreTheDomainEnds) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setMinimumPosition(0.5);
    EXPECT_EQ(filter.minimum(), filter.domain().valueAt(0.5));
    EXPECT_EQ(filter.minimum(), std::round(filter.minimum()));
    filter.setMinimumPosition(0);
    EXPECT_EQ(criterion().minimum, -kInf);
    filter.setMaximumPosition(0.25);
    EXPECT_NEAR(filter.maximumPosition(), 0.25, 0.05);
    filter.setMaximumPosition(1);
    EXPECT_EQ(criterion().maximum, kInf);
}

TEST_F(Filter, TellsEveryChangeOnceAndNoChangeNever) {
    ASSERT_NO_FATAL_FAILURE(open());
    QSignalSpy ranges(&filter, &FilterViewModel::rangeChanged);
    filter.setMinimum(100);
    EXPECT_EQ(specs.size(), 1);
    EXPECT_EQ(ranges.size(), 1);
    filter.setMinimum(100);
    filter.setMinimum(100.2);
    filter.setMaximum(1000);
    filter.setRule(Rule::direct);
    filter.setOutput(Output::filtered);
    filter.setAttribute(AttributeId::area);
    filter.setEnabled(true);
    filter.setLive(true);
    EXPECT_EQ(specs.size(), 1);
    EXPECT_EQ(ranges.size(), 1);
    filter.setRange(10, 50);
    EXPECT_EQ(specs.size(), 2);
    EXPECT_EQ(ranges.size(), 2);
    filter.setRange(50, 10); // in the wrong order: the same
    EXPECT_EQ(specs.size(), 2);
    filter.setRule(Rule::min);
    EXPECT_EQ(specs.size(), 3);
    filter.setOutput(Output::residue);
    EXPECT_EQ(specs.size(), 4);
    filter.setEnabled(false);
    EXPECT_EQ(specs.size(), 5);
    filter.setMinimum(20); // takes effect when enabled again
    EXPECT_EQ(specs.size(), 5);
    filter.setEnabled(true);
    EXPECT_EQ(specs.size(), 6);
    filter.setAttribute(AttributeId::level);
    EXPECT_EQ(specs.size(), 7);
    ASSERT_TRUE(eventually([&] { return idle() && filter.isAvailable(); }));
    EXPECT_EQ(specs.size(), 7);
}

TEST_F(Filter, DisabledRemovesNothingAndKeepsTheNumbers) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setMinimum(100);
    filter.setEnabled(false);
    EXPECT_TRUE(filter.spec().criteria.empty());
    EXPECT_EQ(filter.minimum(), 100);
    filter.setEnabled(true);
    EXPECT_EQ(criterion().minimum, 100);
}

TEST_F(Filter, ABurstOf200SliderEventsEndsWithTheLastImage) {
    ASSERT_NO_FATAL_FAILURE(open());
    std::vector<int> shown;
    QObject::connect(&document, &DocumentViewModel::frameReady, &document,
                     [&] { shown.push_back(document.result()->level(0)); });
    const int arrivals = world.filter.arrivals();
    world.filter.hold();
    for (int i = 0; i < 200; ++i) {
        filter.setMinimum(2 + i);
        if (i == 0) {
            ASSERT_TRUE(eventually([&] { return world.filter.arrivals() > arrivals; }));
        }
    }
    world.filter.release();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(specs.size(), 200);
    EXPECT_THAT(shown, ::testing::ElementsAre(2, 201));
    EXPECT_LE(document.worker().statistics(Lane::filter).maxInFlight, 2);
    EXPECT_EQ(world.filter.arrivals() - arrivals, 2);
}

TEST_F(Filter, WithLiveOffNothingRunsUntilApply) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setLive(false);
    const auto before = jobs();
    for (int i = 2; i < 100; ++i) {
        filter.setMinimum(i);
    }
    settle();
    EXPECT_EQ(jobs(), before);
    EXPECT_TRUE(filter.isPending());
    filter.apply();
    EXPECT_FALSE(filter.isPending());
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(jobs(), before + 1);
    EXPECT_EQ(document.result()->level(0), 99);

    filter.setMinimum(100);
    EXPECT_TRUE(filter.isPending());
    filter.setMinimum(99); // back to the applied value
    EXPECT_FALSE(filter.isPending());
}

TEST_F(Filter, TurningLiveOnAppliesWhatIsPending) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setLive(false);
    filter.setMinimum(40);
    filter.setLive(true);
    EXPECT_FALSE(filter.isPending());
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.result()->level(0), 40);
}

TEST_F(Filter, KeepsThePersonsNumbersAcrossImages) {
    ASSERT_NO_FATAL_FAILURE(open()); // 1..1000
    filter.setRange(100, 800);
    ASSERT_NO_FATAL_FAILURE(open("large.tif")); // 1..1,000,000
    EXPECT_EQ(filter.minimum(), 100);
    EXPECT_EQ(filter.maximum(), 800);
    EXPECT_EQ(document.result()->level(0), 100);
    ASSERT_NO_FATAL_FAILURE(open("small.tif")); // 1..50: shown clamped
    EXPECT_EQ(filter.minimum(), 50);
    EXPECT_EQ(filter.maximum(), 50);
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(filter.minimum(), 100); // not lost
    EXPECT_EQ(filter.maximum(), 800);
}

TEST_F(Filter, AnOpenEndStaysOpenInAWiderDomain) {
    ASSERT_NO_FATAL_FAILURE(open("small.tif"));
    filter.setRange(10, 50);
    EXPECT_EQ(criterion().maximum, kInf);
    ASSERT_NO_FATAL_FAILURE(open("large.tif"));
    EXPECT_EQ(filter.minimum(), 10);
    EXPECT_EQ(filter.maximum(), 1e6);
    EXPECT_EQ(criterion().maximum, kInf);
}

TEST_F(Filter, RemembersTheNumbersOfEachAttribute) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setMinimum(100);
    filter.setAttribute(AttributeId::level);
    ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
    EXPECT_EQ(filter.domain(), ValueDomain::over(0, 255, true, false));
    EXPECT_TRUE(filter.spec().criteria.empty());
    filter.setMaximum(200);
    filter.setAttribute(AttributeId::area);
    EXPECT_EQ(filter.minimum(), 100);
    EXPECT_EQ(filter.maximum(), 1000);
    filter.setAttribute(AttributeId::level);
    EXPECT_EQ(filter.maximum(), 200);
}

TEST_F(Filter, ACriterionMayComeBeforeTheImage) {
    filter.setCriterion({AttributeId::area, 100, kInf});
    EXPECT_EQ(filter.minimum(), 100);
    EXPECT_EQ(filter.criterionText(), "area >= 100");
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(filter.minimum(), 100);
    EXPECT_EQ(document.result()->level(0), 100);
    EXPECT_EQ(jobs(), 0U); // the image came with the tree
}

TEST_F(Filter, ACriterionOfAnotherAttributeIsTakenWhole) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setCriterion({AttributeId::level, 12, 34});
    EXPECT_EQ(filter.attribute(), AttributeId::level);
    ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
    EXPECT_EQ(filter.minimum(), 12);
    EXPECT_EQ(filter.maximum(), 34);
}

TEST_F(Filter, ResetTakesTheBoundsAway) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setRange(10, 20);
    filter.reset();
    EXPECT_TRUE(filter.spec().criteria.empty());
    EXPECT_EQ(filter.minimum(), 1);
    EXPECT_EQ(filter.maximum(), 1000);
}

TEST_F(Filter, CountsWhatTheImageLost) {
    QSignalSpy counters(&filter, &FilterViewModel::countersChanged);
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(counters.size(), 1);
    EXPECT_EQ(filter.keptNodes(), 1U);
    EXPECT_EQ(filter.changedPixels(), 12U);
}

TEST_F(Filter, ClosingMakesItUnavailable) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setMinimum(100);
    document.close();
    EXPECT_FALSE(filter.isAvailable());
    EXPECT_EQ(filter.minimum(), 100);
    settle();
    EXPECT_FALSE(document.activity().isFiltering());
}

TEST(FilterTexts, EveryChoiceHasATitleAndAnExplanation) {
    for (const AttributeInfo& info : allAttributes()) {
        EXPECT_FALSE(attributeTitle(info.id).isEmpty());
        EXPECT_FALSE(attributeDetails(info.id).isEmpty());
    }
    for (const Rule rule : kAllRules) {
        EXPECT_FALSE(ruleTitle(rule).isEmpty());
        EXPECT_FALSE(ruleToolTip(rule).isEmpty());
    }
    for (const Output output : kAllOutputs) {
        EXPECT_FALSE(outputTitle(output).isEmpty());
        EXPECT_FALSE(outputToolTip(output).isEmpty());
    }
    for (const Prominence measure : kAllProminences) {
        EXPECT_FALSE(prominenceTitle(measure).isEmpty());
        EXPECT_FALSE(prominenceToolTip(measure).isEmpty());
    }
}

} // namespace
} // namespace pollard::vm
