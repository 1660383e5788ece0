#include "vm/document/document_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>

#include <limits>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::FakeWorld;
using ::testing::IsEmpty;

constexpr double kInf = std::numeric_limits<double>::infinity();
const Criterion kLargeArea{AttributeId::area, 100, kInf};
const Criterion kDarkLevel{AttributeId::level, -kInf, 50};

class Criteria : public ::testing::Test {
protected:
    FakeWorld world;
    DocumentViewModel document{testing::fakeServices(world)};
    FilterViewModel filter{document};
    CriteriaModel& criteria = filter.criteria();
    QAbstractItemModelTester tester{&criteria, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QSignalSpy specs{&filter, &FilterViewModel::specChanged};

    void SetUp() override {
        world.files["small.tif"] = {PixelType::u8, 6, 5, 3, 1, 50};
        document.open("a.tif"); // areas 1..1000, other attributes 0..255
        ASSERT_TRUE(eventually([&] { return idle() && filter.isAvailable(); }));
    }
    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    void addDarkLevel() {
        criteria.add(AttributeId::level);
        ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
        filter.setMaximum(50);
    }
    void addTwo() {
        filter.setMinimum(100);
        ASSERT_NO_FATAL_FAILURE(addDarkLevel());
        ASSERT_THAT(filter.spec().criteria, ElementsAre(kLargeArea, kDarkLevel));
        specs.clear();
    }
};

TEST_F(Criteria, BeginAsOneThatEveryNodeMeets) {
    EXPECT_EQ(criteria.count(), 1);
    EXPECT_EQ(criteria.current(), 0);
    EXPECT_EQ(criteria.matchMode(), Match::all);
    EXPECT_EQ(criteria.data(criteria.index(0), Qt::DisplayRole), "Area: any value");
    EXPECT_THAT(filter.spec().criteria, IsEmpty());
}

TEST_F(Criteria, EveryChangeOfTheListChangesTheSpecExactlyOnce) {
    filter.setMinimum(100);
    specs.clear();
    criteria.add(AttributeId::level); // without bounds: no further node is removed
    EXPECT_EQ(criteria.current(), 1);
    EXPECT_EQ(filter.attribute(), AttributeId::level);
    ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
    EXPECT_EQ(specs.size(), 0);
    filter.setMaximum(50);
    EXPECT_EQ(specs.size(), 1);
    EXPECT_THAT(filter.spec().criteria, ElementsAre(kLargeArea, kDarkLevel));
    criteria.setEnabled(0, false);
    EXPECT_EQ(specs.size(), 2);
    EXPECT_THAT(filter.spec().criteria, ElementsAre(kDarkLevel));
    criteria.setEnabled(0, false);
    EXPECT_EQ(specs.size(), 2);
    EXPECT_TRUE(criteria.setData(criteria.index(0), Qt::Checked, Qt::CheckStateRole));
    EXPECT_EQ(specs.size(), 3);
    criteria.setMatchMode(Match::any);
    EXPECT_EQ(specs.size(), 4);
    EXPECT_EQ(filter.spec().match, Match::any);
    criteria.duplicate(0);
    EXPECT_EQ(specs.size(), 5);
    EXPECT_EQ(criteria.current(), 1);
    EXPECT_THAT(filter.spec().criteria, ElementsAre(kLargeArea, kLargeArea, kDarkLevel));
    criteria.remove(1);
    EXPECT_EQ(specs.size(), 6);
    EXPECT_THAT(filter.spec().criteria, ElementsAre(kLargeArea, kDarkLevel));
}

TEST_F(Criteria, ChoosingAnotherRowEditsItAndFiltersNothing) {
    ASSERT_NO_FATAL_FAILURE(addTwo());
    QSignalSpy attributes(&filter, &FilterViewModel::attributeChanged);
    criteria.setCurrent(0);
    EXPECT_EQ(attributes.size(), 1);
    EXPECT_EQ(filter.attribute(), AttributeId::area);
    EXPECT_EQ(filter.minimum(), 100);
    EXPECT_EQ(specs.size(), 0);
    filter.setMinimum(200);
    EXPECT_EQ(specs.size(), 1);
    EXPECT_THAT(filter.spec().criteria, ElementsAre(Criterion{AttributeId::area, 200, kInf}, kDarkLevel));
    criteria.setCurrent(7);
    criteria.setCurrent(-1);
    EXPECT_EQ(criteria.current(), 0);
}

TEST_F(Criteria, RemovingKeepsAnotherRowCurrent) {
    ASSERT_NO_FATAL_FAILURE(addTwo());
    criteria.add(AttributeId::depth);
    ASSERT_EQ(criteria.count(), 3);
    criteria.setCurrent(1);
    criteria.remove(0); // a row before the current one
    EXPECT_EQ(criteria.current(), 0);
    EXPECT_EQ(filter.attribute(), AttributeId::level);
    criteria.remove(0); // the current one: the next one takes its place
    EXPECT_EQ(criteria.current(), 0);
    EXPECT_EQ(filter.attribute(), AttributeId::depth);
    criteria.remove(0); // the only one loses its bounds
    EXPECT_EQ(criteria.count(), 1);
    EXPECT_EQ(filter.attribute(), AttributeId::area);
    EXPECT_THAT(filter.spec().criteria, IsEmpty());
    criteria.add(AttributeId::level);
    criteria.remove(1); // the last row
    EXPECT_EQ(criteria.current(), 0);
    criteria.remove(5);
    EXPECT_EQ(criteria.count(), 1);
}

TEST_F(Criteria, WithAnyOneThatEveryNodeMeetsKeepsEverything) {
    ASSERT_NO_FATAL_FAILURE(addTwo());
    criteria.setMatchMode(Match::any);
    EXPECT_EQ(filter.criterionText(), "area >= 100 or level <= 50");
    filter.reset();
    EXPECT_THAT(filter.spec().criteria, IsEmpty());
    EXPECT_EQ(filter.criterionText(), "every node");
    criteria.setEnabled(1, false); // then ignored
    EXPECT_THAT(filter.spec().criteria, ElementsAre(kLargeArea));
}

TEST_F(Criteria, ASingleCriterionIsTheSameFilterHoweverJoined) {
    filter.setMinimum(100);
    specs.clear();
    criteria.setMatchMode(Match::any);
    EXPECT_EQ(specs.size(), 0);
    EXPECT_EQ(filter.spec().match, Match::all);
}

TEST_F(Criteria, RememberTheirNumbersEachForItself) {
    filter.setMinimum(100);
    criteria.duplicate(0);
    filter.setMinimum(300);
    filter.setAttribute(AttributeId::level);
    ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
    filter.setAttribute(AttributeId::area);
    EXPECT_EQ(filter.minimum(), 300);
    criteria.setCurrent(0);
    EXPECT_EQ(filter.minimum(), 100);
}

TEST_F(Criteria, AreClampedToTheTreeWhetherTheyAreCurrentOrNot) {
    ASSERT_NO_FATAL_FAILURE(addTwo());
    document.open("small.tif"); // areas 1..50
    ASSERT_TRUE(eventually([&] { return idle() && filter.isAvailable(); }));
    EXPECT_THAT(filter.spec().criteria, ElementsAre(Criterion{AttributeId::area, 50, kInf}, kDarkLevel));
    EXPECT_EQ(document.resultSpec(), filter.spec());
    document.open("a.tif");
    ASSERT_TRUE(eventually([&] { return idle() && filter.isAvailable(); }));
    EXPECT_THAT(filter.spec().criteria, ElementsAre(kLargeArea, kDarkLevel));
}

TEST_F(Criteria, AChunkFilterIsTakenAtOnce) {
    FilterSpec wanted;
    wanted.criteria = {{AttributeId::area, 20, 200}, kDarkLevel};
    wanted.match = Match::any;
    wanted.rule = Rule::max;
    wanted.output = Output::mask;
    filter.setEnabled(false);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    specs.clear();
    const auto posted = document.worker().statistics(Lane::filter).posted;
    filter.setSpec(wanted);
    EXPECT_EQ(filter.spec(), wanted);
    EXPECT_EQ(specs.size(), 1);
    EXPECT_EQ(document.worker().statistics(Lane::filter).posted, posted + 1);
    EXPECT_TRUE(filter.isEnabled());
    EXPECT_EQ(criteria.count(), 2);
    EXPECT_EQ(criteria.current(), 0);
    filter.setSpec(wanted);
    EXPECT_EQ(specs.size(), 1);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(filter.spec(), wanted) << "what is measured later changes nothing that fits";
    filter.setSpec({});
    EXPECT_EQ(filter.spec(), FilterSpec{});
    EXPECT_EQ(criteria.count(), 1);
}

TEST_F(Criteria, CountTheNodesThatEachKeepsAlone) {
    EXPECT_FALSE(criteria.kept(0).has_value()) << "not before it rests";
    ASSERT_TRUE(eventually([&] { return criteria.kept(0).has_value(); }));
    EXPECT_EQ(criteria.kept(0), 1U);
    filter.setMinimum(100); // the only node has all 12 px of the image
    EXPECT_FALSE(criteria.kept(0).has_value()) << "never that of another criterion";
    ASSERT_TRUE(eventually([&] { return criteria.kept(0).has_value(); }));
    EXPECT_EQ(criteria.kept(0), 0U);
    EXPECT_EQ(criteria.data(criteria.index(0), CriteriaModel::keptRole).toULongLong(), 0U);
}

TEST(CountMeeting, TakesBothBoundsAndLeavesOutWhatIsNoNumber) {
    AttributeColumn column;
    Buffer<double> values(5);
    const double numbers[] = {1, 2, 3, std::numeric_limits<double>::quiet_NaN(), 4};
    std::copy(std::begin(numbers), std::end(numbers), values.begin());
    column.values = std::move(values);
    EXPECT_EQ(countMeeting(column, {AttributeId::mean, 2, 3}), 2U);
    EXPECT_EQ(countMeeting(column, {AttributeId::mean, -kInf, kInf}), 4U);
    EXPECT_EQ(countMeeting(column, {AttributeId::mean, 3.5, 3.9}), 0U);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_THROW(static_cast<void>(countMeeting(column, {}, JobControl(stopped.get_token()))), Cancelled);
}

TEST(CriterionText, IsShortAndExact) {
    EXPECT_EQ(criterionText({AttributeId::area, 100, kInf}), "area >= 100");
    EXPECT_EQ(criterionText({AttributeId::border, 0, 0}), "border = 0");
    EXPECT_EQ(criterionText({AttributeId::elongation, 1.25, 3.5}), "1.25 <= elongation <= 3.5");
    EXPECT_EQ(criterionText({AttributeId::hu2, -kInf, 3.25e-7}), "hu2 <= 3.25e-07");
    EXPECT_EQ(criterionText({AttributeId::mean, 1234.5678, kInf}), "mean >= 1234.568");
    EXPECT_EQ(criterionText({AttributeId::euler, -3, kInf}), "euler >= -3");
    EXPECT_EQ(criterionText({AttributeId::volume, -kInf, kInf}), "any volume");
    EXPECT_EQ(criterionText({AttributeId::area, 126105, kInf}), "area >= 126105");
}

TEST(CriterionText, IsShownInTheLocaleOfTheUser) {
    const QLocale before;
    QLocale::setDefault(QLocale(QStringLiteral("en_US")));
    EXPECT_EQ(shownCriterion({AttributeId::area, 126105, 1570291}), "126,105 <= Area <= 1,570,291");
    EXPECT_EQ(shownCriterion({AttributeId::mean, 1234.5, kInf}), "Mean grey level >= 1,234.5");
    EXPECT_EQ(shownCriterion({AttributeId::volume, -kInf, kInf}), "Volume: any value");
    QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
    EXPECT_EQ(shownCriterion({AttributeId::area, 126105, kInf}), "Area >= 126.105");
    EXPECT_EQ(shownCriterion({AttributeId::elongation, 1.25, kInf}), "Elongation >= 1,25");
    EXPECT_EQ(criterionText({AttributeId::elongation, 1.25, kInf}), "elongation >= 1.25");
    QLocale::setDefault(before);
}

} // namespace
} // namespace pollard::vm
