// Operators as steps of the window: the pixels of a run of the recipe, undo, recipes and sessions that hold them, and
// operators that cannot be applied.
#include "vm/document/image_units.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/recipe/operator_preview.hpp"
#include "vm/recipe/operator_view_model.hpp"
#include "vm/recipe/result_steps.hpp"

#include "operators/apply_operator.hpp"
#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using testing::discs;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using testing::samePixels;
using testing::Workspace;

class WindowOperators : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    EarlierFilters earlier{models};
    OperatorViewModel operators{models};
    QSignalSpy errors{&space.document.activity(), &DocumentActivity::errorOccurred};

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void SetUp() override {
        const auto noisy = discs(60, 48, {{20, 20, 9}, {44, 30, 6}}, 5);
        const auto image = testing::makeImage(PixelType::u8, 60, 48, [&](auto x, auto y) -> std::uint32_t {
            const std::uint16_t level = noisy->level(y * 60 + x);
            return level < 100 ? 0 : level; // operators of masks need a background
        });
        writeTiff(pathOf("a.tif").toStdString(), *image);
        ASSERT_TRUE(space.open(pathOf("a.tif")));
    }
    void apply(OperatorKind kind) {
        operators.setKind(kind);
        operators.setMarker(takesMarker(kind) ? pathOf("a.tif") : QString());
        ASSERT_EQ(operators.problem(), QString()) << nameOf(kind);
        operators.apply();
        ASSERT_TRUE(space.rests());
        ASSERT_EQ(errors.size(), 0) << errors.front().at(1).toString().toStdString();
    }
    [[nodiscard]] bool runsToWhatIsShown() { return runsToWhatIsShownOf(pathOf("a.tif")); }
    [[nodiscard]] std::string titleOfLast() const {
        return titleAt(recipe.rowCount() - 3).toStdString(); // before tree and filter
    }
};

TEST_F(WindowOperators, GiveThePixelsOfARunOfTheRecipe) {
    operators.setRadius(2);
    operators.setHeight(20);
    for (const OperatorKind kind : kOperators) {
        apply(kind);
        OperatorSpec spec = operators.spec();
        const auto direct = applyOperator(space.registry.select("cpu"), space.document.image(), spec, {}, {});
        EXPECT_TRUE(samePixels(*space.document.result(), *direct.image)) << nameOf(kind);
        EXPECT_THAT(ids(), ElementsAre("read", "operator")) << nameOf(kind);
        EXPECT_TRUE(runsToWhatIsShown()) << nameOf(kind);
        EXPECT_EQ(mappingOf(space.document).has_value(), direct.mapping.has_value()) << nameOf(kind);
        space.history.undo();
        ASSERT_TRUE(space.rests());
        EXPECT_TRUE(samePixels(*space.document.result(), *space.document.image()));
        EXPECT_FALSE(earlier.canGoBack());
    }
}

TEST_F(WindowOperators, ArePreviewedUntilTheyAreApplied) {
    OperatorPreview preview(operators, models);
    QSignalSpy previews(&preview, &OperatorPreview::changed);
    const auto rests = [&] { return space.rests() && eventually([&] { return !preview.isComputing(); }); };
    operators.setRadius(2);
    operators.setHeight(20);
    EXPECT_EQ(preview.shown(), nullptr) << "not asked for";
    preview.setOn(true);
    for (const OperatorKind kind : kOperators) {
        operators.setMarker(takesMarker(kind) ? pathOf("a.tif") : QString());
        operators.setKind(kind);
        ASSERT_TRUE(rests());
        ASSERT_NE(preview.shown(), nullptr) << nameOf(kind);
        const auto direct =
            applyOperator(space.registry.select("cpu"), space.document.image(), operators.spec(), {}, {});
        EXPECT_TRUE(samePixels(*preview.shown()->image, *direct.image)) << nameOf(kind);
        EXPECT_EQ(preview.shown()->bright != 0, valuesOf(kind) == OperatorValues::lengths) << nameOf(kind);
        EXPECT_TRUE(samePixels(*space.document.result(), *space.document.image())) << "nothing is applied";
    }
    // After the filter, inside the region: apply() gives the preview.
    space.region.add({RegionShape::Kind::rectangle, {{10, 10}, {50, 40}}});
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(rests());
    operators.setKind(OperatorKind::distance);
    ASSERT_TRUE(rests());
    const auto seen = preview.shown();
    ASSERT_NE(seen, nullptr);
    preview.holdForResult();
    operators.apply();
    EXPECT_EQ(preview.shown(), seen) << "until the result is displayed";
    ASSERT_TRUE(rests());
    EXPECT_EQ(preview.shown(), nullptr) << "until another operator is chosen";
    EXPECT_TRUE(samePixels(*space.document.result(), *seen->image));
    operators.setKind(OperatorKind::hMaxima); // of lengths, at even distances
    operators.setHeight(1.5);
    ASSERT_TRUE(rests());
    const auto next = preview.shown();
    ASSERT_NE(next, nullptr);
    EXPECT_GT(next->bright, 0);
    operators.apply();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(samePixels(*space.document.result(), *next->image));
    operators.setKind(OperatorKind::reconstructionByErosion);
    operators.setMarker(pathOf("missing.tif"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(preview.shown(), nullptr);
    EXPECT_THAT(preview.problem().toStdString(), HasSubstr("missing.tif"));
    EXPECT_EQ(errors.size(), 0);
    operators.setKind(OperatorKind::median);
    ASSERT_TRUE(rests());
    EXPECT_NE(preview.shown(), nullptr);
    preview.setOn(false);
    EXPECT_EQ(preview.shown(), nullptr);
    EXPECT_FALSE(previews.isEmpty());
}

TEST_F(WindowOperators, HaveNeighboursOfTheirOwn) {
    operators.setKind(OperatorKind::fillHoles);
    space.document.choices().setConnectivity(Connectivity::eight);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(operators.spec().connectivity, Connectivity::eight) << "of the tree";
    operators.setConnectivity(Connectivity::four);
    EXPECT_EQ(operators.spec().connectivity, Connectivity::four);
    EXPECT_EQ(space.document.choices().connectivity(), Connectivity::eight);
    operators.setKind(OperatorKind::median);
    EXPECT_EQ(operators.spec().connectivity, OperatorSpec{}.connectivity) << "has none";
    operators.setKind(OperatorKind::reconstructionByDilation);
    operators.setMarker(pathOf("a.tif"));
    operators.setGreyMarker(true);
    EXPECT_THAT(operatorText(operators.spec()).toStdString(), HasSubstr("grey marker a.tif, 4-connected"));
    operators.setMarkerChannel(QStringLiteral("-1"));
    EXPECT_THAT(operators.problem().toStdString(), HasSubstr("-1"));
    operators.setMarkerChannel(QStringLiteral(" red "));
    EXPECT_EQ(operators.problem(), QString());
    EXPECT_THAT(operatorText(operators.spec()).toStdString(), HasSubstr("grey marker a.tif (red), "));
    operators.setMarkerChannel(QString());
    EXPECT_EQ(operators.spec().markerChannel, ChannelChoice{});
    apply(OperatorKind::reconstructionByDilation);
    EXPECT_TRUE(samePixels(*space.document.result(), *space.document.image())) << "from itself";
    EXPECT_TRUE(runsToWhatIsShown());
}

TEST_F(WindowOperators, FollowTheCurrentFilterAndOneAnother) {
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    operators.setRadius(1.5);
    apply(OperatorKind::opening);
    EXPECT_EQ(titleOfLast(), "2. Opening: disc, radius 1.5 px");
    EXPECT_EQ(earlier.note(), QStringLiteral("Works on the result of 2 steps"));
    apply(OperatorKind::distance);
    EXPECT_THAT(titleOfLast(), HasSubstr("Distance to the background: in px"));
    EXPECT_EQ(mappingOf(space.document)->unit, "px");
    operators.setHeight(1.5);
    apply(OperatorKind::hMaxima); // of lengths, at even distances
    space.filter.setRange(30, 100'000);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "operator", "operator", "operator", "tree", "filter"));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(earlier.details().count(u'\n'), 4);

    earlier.goBack();
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "operator", "operator"));
    EXPECT_TRUE(runsToWhatIsShown());
}

TEST_F(WindowOperators, AreSwitchedEditedMovedAndRemovedAsRowsOfTheRecipe) {
    operators.setRadius(2);
    apply(OperatorKind::erosion);
    apply(OperatorKind::dilation);
    EXPECT_TRUE(switchStep(1, false));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_TRUE(switchStep(1, true));
    EXPECT_EQ(recipe.edit(1, textAt(1).replace(QStringLiteral("2"), QStringLiteral("3"))), QString());
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_THAT(titleAt(1).toStdString(), HasSubstr("radius 3 px"));
    EXPECT_EQ(recipe.move(1, 1), QString());
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_THAT(titleAt(1).toStdString(), HasSubstr("Dilation"));
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(recipe.move(recipe.rowCount() - 1, -1), QString()) << "an operator is last: a filter follows it";
    EXPECT_THAT(ids(), ElementsAre("read", "operator", "tree", "filter", "operator"));
    EXPECT_TRUE(runsToWhatIsShown());
    recipe.remove(1);
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "operator"));
}

TEST_F(WindowOperators, WorkInsideTheRegion) {
    space.region.add({RegionShape::Kind::rectangle, {{10, 10}, {30, 31}}});
    ASSERT_TRUE(space.rests());
    operators.setRadius(3);
    apply(OperatorKind::dilation);
    EXPECT_THAT(ids(), ElementsAre("read", "region", "operator"));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(space.document.result()->level(0), space.document.image()->level(0));
}

TEST_F(WindowOperators, StayInRecipesAndSessions) {
    operators.setRadius(2);
    apply(OperatorKind::opening);
    const auto opened = space.document.result();
    writeTiff(pathOf("half.tif").toStdString(), *testing::makeImage(PixelType::u8, 60, 48, [&](auto x, auto y) {
                  return opened->level(y * 60 + x) / 2U;
              }));
    operators.setKind(OperatorKind::reconstructionByDilation);
    operators.setMarker(pathOf("half.tif"));
    operators.setGreyMarker(true);
    operators.setConnectivity(Connectivity::eight);
    operators.apply();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(samePixels(*space.document.result(), *opened));
    apply(OperatorKind::distance);
    const auto shown = space.document.result();
    const Recipe saved = recipe.recipe();
    ASSERT_TRUE(space.save(pathOf("work.pollard")));
    Workspace other;
    ASSERT_TRUE(other.openSession(pathOf("work.pollard")));
    EXPECT_TRUE(samePixels(*other.document.result(), *shown));
    EXPECT_EQ(other.document.choices().earlierFilters(), space.document.choices().earlierFilters());
    earlier.clearAll();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(samePixels(*space.document.result(), *space.document.image()));
    ASSERT_EQ(ResultSteps::obstacleOf(saved), QString());
    EXPECT_EQ(recipe.takeOver(saved, pathOf("r.json")), QString());
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(samePixels(*space.document.result(), *shown));
    EXPECT_EQ(recipe.recipe().steps, saved.steps);
}

TEST_F(WindowOperators, SaveLengthsAsARunDoes) {
    apply(OperatorKind::distance);
    QSignalSpy saved(&space.document.saving(), &DocumentSaving::saved);
    space.document.saving().saveFiltered(pathOf("far.tif"));
    ASSERT_TRUE(eventually([&] { return !saved.isEmpty(); }));
    const LoadedImage far = readImage(pathOf("far.tif").toStdString(), {});
    const auto direct =
        applyOperator(space.registry.select("cpu"), space.document.image(), {.kind = OperatorKind::distance}, {}, {});
    EXPECT_EQ(far.info.sampleFormat, "float");
    for (std::size_t p = 0; p < far.image->pixelCount(); ++p) {
        ASSERT_EQ(valueOf(far.info.mapping, far.image->level(p)), valueOf(direct.mapping, direct.image->level(p)));
    }
}

TEST_F(WindowOperators, ThatCannotBeAppliedSaySo) {
    operators.setKind(OperatorKind::reconstructionByDilation);
    EXPECT_THAT(operators.problem().toStdString(), HasSubstr("marker"));
    operators.apply();
    EXPECT_FALSE(earlier.canGoBack());
    operators.setKind(OperatorKind::opening);
    operators.setRadius(20'000);
    EXPECT_THAT(operators.problem().toStdString(), HasSubstr("must be from 0 to 10000"));
    operators.setRadius(2);
    space.filter.setRange(12, 100'000);
    space.filter.setOutput(Output::labels);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(operators.problem().toStdString(), HasSubstr("labels"));
    space.filter.setOutput(Output::filtered);
    ASSERT_TRUE(space.rests());
    writeTiff(pathOf("small.tif").toStdString(), *discs(30, 48, {{20, 20, 9}}, 5));
    operators.setKind(OperatorKind::reconstructionByDilation);
    operators.setMarker(pathOf("small.tif"));
    operators.apply();
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(errors.size(), 1);
    EXPECT_THAT(errors.front().at(1).toString().toStdString(), HasSubstr("has 30 x 48 px, the image 60 x 48 px"));
    EXPECT_FALSE(earlier.canGoBack()) << "the step that failed is gone";
}

} // namespace
} // namespace pollard::vm
