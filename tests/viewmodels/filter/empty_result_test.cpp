// The notice of an empty result: when it appears, the criterion that it names, and the actions that it offers.
#include "vm/filter/criteria_model.hpp"
#include "vm/filter/empty_result.hpp"
#include "vm/recipe/earlier_filters.hpp"

#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QLocale>
#include <QTemporaryDir>

#include <limits>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using testing::samePixels;

constexpr double kInf = std::numeric_limits<double>::infinity();

class EmptyResults : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    EmptyResult empty{space.document, space.filter};
    EarlierFilters earlier{models};

    void SetUp() override {
        testing::writeDiscPages(folder.filePath(QStringLiteral("discs.tif")), 9);
        ASSERT_TRUE(space.open(folder.filePath(QStringLiteral("discs.tif"))));
    }
    void filter(const std::vector<Criterion>& criteria, Match match = Match::all, Rule rule = Rule::direct) {
        FilterSpec spec;
        spec.criteria = criteria;
        spec.match = match;
        spec.rule = rule;
        space.filter.setSpec(spec);
        ASSERT_TRUE(space.rests());
        CriteriaModel& model = space.filter.criteria();
        ASSERT_TRUE(eventually([&] {
            for (int row = 0; row < model.count(); ++row) {
                if (!model.kept(row)) {
                    return false;
                }
            }
            return true;
        }));
    }
    [[nodiscard]] std::string text() const { return empty.text().toStdString(); }
    /// "1,204 of 1,310": components removed by the criterion alone.
    [[nodiscard]] std::string removedBy(const Criterion& criterion) const {
        const std::uint64_t kept = countMeeting(*space.document.attribute(criterion.attribute), criterion);
        const auto number = [](std::uint64_t n) {
            return QLocale().toString(static_cast<qulonglong>(n)).toStdString();
        };
        const std::uint64_t all = space.document.tree()->nodeCount();
        return number(all - kept) + " of " + number(all) + " components";
    }
};

const Criterion kLarge{AttributeId::area, 12, kInf};
const Criterion kNothing{AttributeId::area, -kInf, 1};
const Criterion kFlat{AttributeId::height, -kInf, 2};

TEST_F(EmptyResults, NameTheCriterionThatRemovesMost) {
    EXPECT_FALSE(empty.isNoticed());
    filter({kLarge});
    EXPECT_FALSE(empty.isNoticed()) << "some components are kept";
    const Criterion impossible{AttributeId::area, 100, 200};
    const Criterion deep{AttributeId::height, 1000, kInf};
    filter({kFlat, kLarge, impossible, deep});
    ASSERT_EQ(space.filter.keptNodes(), 1U);
    const CriteriaModel& model = space.filter.criteria();
    const auto kept = [&](int row) {
        const Criterion criterion = model.criterion(row);
        return countMeeting(*space.document.attribute(criterion.attribute), criterion);
    };
    int worst = 0;
    for (int row = 1; row < model.count(); ++row) {
        worst = kept(row) < kept(worst) ? row : worst;
    }
    EXPECT_THAT(text(), HasSubstr("removes everything"));
    EXPECT_THAT(text(), HasSubstr(removedBy(model.criterion(worst))));
    EXPECT_THAT(text(), HasSubstr(empty.criterion().toStdString()));
}

TEST_F(EmptyResults, TurningTheCriterionOffIsAnEditThatKeepsTheOthers) {
    filter({kLarge, {AttributeId::area, -kInf, 11}});
    ASSERT_TRUE(empty.isNoticed());
    const int entries = space.history.stack().count();
    const QString named = empty.criterion();
    empty.turnOff();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(empty.isNoticed());
    EXPECT_EQ(space.filter.spec().criteria.size(), 1U);
    EXPECT_NE(criterionText(space.filter.spec().criteria.front()), named);
    EXPECT_EQ(space.history.stack().count(), entries + 1);
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(empty.isNoticed());
}

TEST_F(EmptyResults, AreLeftByShowingAllAgain) {
    filter({kNothing, kLarge});
    ASSERT_TRUE(empty.isNoticed());
    earlier.clearAll();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(empty.isNoticed());
    EXPECT_TRUE(samePixels(*space.document.result(), *space.document.image()));
}

TEST_F(EmptyResults, OfferNoSingleCriterionWhereNoneIsTheReason) {
    const Criterion none{AttributeId::area, space.document.attribute(AttributeId::area)->at(0), kInf}; // the root alone
    filter({none});
    ASSERT_TRUE(empty.isNoticed());
    EXPECT_EQ(empty.criterion(), QString()) << "the only one: the same as showing all";
    filter({none, none}, Match::any);
    ASSERT_TRUE(empty.isNoticed());
    EXPECT_EQ(empty.criterion(), QString());
    EXPECT_THAT(text(), HasSubstr("any of the criteria"));
}

TEST_F(EmptyResults, KnowThatAPruningRuleRemovesAllBelowARootThatIsRemoved) {
    const double root = space.document.attribute(AttributeId::area)->at(0);
    filter({{AttributeId::height, 0, kInf}, {AttributeId::area, -kInf, root - 1}}, Match::all, Rule::min);
    ASSERT_TRUE(empty.isNoticed());
    EXPECT_THAT(text(), HasSubstr("root does not meet Area <= "));
}

TEST_F(EmptyResults, OfAResidueMeanThatNothingIsRemoved) {
    space.filter.setOutput(Output::residue);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(text(), HasSubstr("residue"));
    space.filter.setMinimum(space.filter.domainMaximum()); // only the root is kept: the residue shows everything
    ASSERT_TRUE(space.rests());
    ASSERT_LE(space.filter.keptNodes(), 1U);
    EXPECT_FALSE(empty.isNoticed());
}

TEST_F(EmptyResults, MayComeFromPicksAndFromEarlierFilters) {
    const auto tree = space.document.tree();
    FilterSpec spec;
    spec.removed.assign(tree->canonical.begin() + 1, tree->canonical.end());
    space.filter.setSpec(spec);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(text(), HasSubstr("by hand"));
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(text(), HasSubstr("filters before"));
    earlier.clearAll();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(empty.isNoticed());
}

TEST_F(EmptyResults, StayDismissedUntilTheFilterChanges) {
    filter({kNothing, kLarge});
    ASSERT_TRUE(empty.isNoticed());
    empty.dismiss();
    EXPECT_FALSE(empty.isNoticed());
    space.filter.setMaximum(2);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(empty.isNoticed());
}

TEST_F(EmptyResults, AreNoticedInTheNextImage) {
    filter({kNothing, kLarge});
    empty.dismiss();
    const QString next = folder.filePath(QStringLiteral("next.tif"));
    testing::writeDiscPages(next, 5);
    ASSERT_TRUE(space.open(next));
    EXPECT_TRUE(eventually([&] { return empty.isNoticed(); }));
}

} // namespace
} // namespace pollard::vm
