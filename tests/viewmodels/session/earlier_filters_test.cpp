// Filters one after another: continuing from a result and going back, the rows of a recipe of several filters, the
// change to other images, and the same pixels as a run of the recipe.
#include "cpu/cpu_engine.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/recipe/report.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "viewmodels/support/gate.hpp"
#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

namespace pollard::vm {
namespace {

using testing::discs;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using testing::samePixels;
using testing::Workspace;

/// A component of the image as read.
std::uint32_t componentOf(Workspace& space) {
    const auto session = space.registry.select("cpu").openSession();
    session->open(space.document.image());
    (void)session->buildTree({});
    return session->tree()->canonical[2];
}

class FiltersInTurn : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    EarlierFilters earlier{models};
    QSignalSpy errors{&space.document.activity(), &DocumentActivity::errorOccurred};

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void SetUp() override {
        for (const char* name : {"a.tif", "b.tif"}) {
            testing::writeDiscPages(pathOf(name), 9, static_cast<std::uint32_t>(name[0]));
        }
        ASSERT_TRUE(space.open(pathOf("a.tif")));
    }
    [[nodiscard]] std::vector<std::string> titles() const {
        std::vector<std::string> all;
        for (int row = 0; row < recipe.rowCount(); ++row) {
            all.push_back(recipe.index(row).data().toString().toStdString());
        }
        return all;
    }
    [[nodiscard]] RecipeResult run(const char* name = "a.tif") { return runOn(pathOf(name)); }
    [[nodiscard]] bool runsToWhatIsShown(const char* name = "a.tif") { return runsToWhatIsShownOf(pathOf(name)); }
    /// An opening by area, then a closing.
    void openAndClose() {
        space.filter.setRange(12, 100'000);
        ASSERT_TRUE(space.rests());
        earlier.continueFromResult();
        space.document.choices().setTreeKind(TreeKind::min);
        ASSERT_TRUE(space.rests());
        space.filter.setRange(15, 100'000);
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(FiltersInTurn, WorkOnTheResultOfTheOneBefore) {
    EXPECT_FALSE(earlier.canContinue()) << "nothing was filtered";
    EXPECT_FALSE(earlier.canGoBack());
    EXPECT_EQ(earlier.note(), QString());
    const auto original = space.document.image();
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    const auto opened = space.document.result();
    ASSERT_FALSE(samePixels(*opened, *original));
    ASSERT_TRUE(earlier.canContinue());
    earlier.continueFromResult();
    EXPECT_EQ(space.document.activity().state(), DocumentActivity::State::building);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(samePixels(*space.document.input(), *opened));
    EXPECT_TRUE(samePixels(*space.document.result(), *opened)) << "the next one demands nothing yet";
    EXPECT_EQ(space.document.image(), original) << "the image to compare with stays";
    EXPECT_TRUE(space.filter.spec().criteria.empty());
    const auto tree = space.document.tree();
    for (std::size_t p = 0; p < opened->pixelCount(); ++p) {
        ASSERT_EQ(tree->level[tree->pixelNode[p]], opened->level(p)) << "the tree is of the result";
    }
    EXPECT_EQ(earlier.count(), 1);
    EXPECT_EQ(earlier.note(), QStringLiteral("Works on the result of one filter"));
    EXPECT_THAT(earlier.details().toStdString(), HasSubstr("area>=12"));
    EXPECT_FALSE(earlier.canContinue());

    space.document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(space.rests());
    space.filter.setRange(15, 100'000);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(samePixels(*space.document.result(), *opened));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "tree", "filter"));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(FiltersInTurn, TakeOneImageToTheNextWithoutThoseInBetween) {
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    const auto opened = space.document.result();
    QSignalSpy frames(&space.document, &DocumentViewModel::frameReady);
    const auto everyFrameIsTheResult = QObject::connect(&space.document, &DocumentViewModel::frameReady, [&] {
        EXPECT_TRUE(samePixels(*space.document.result(), *opened));
    });
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(frames.size(), 1);
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_GT(frames.size(), 1);
    QObject::disconnect(everyFrameIsTheResult);
}

TEST_F(FiltersInTurn, AreOneEntryOfUndo) {
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    const FilterViewModel::State before = space.filter.state();
    const auto opened = space.document.result();
    const int entries = space.history.stack().count();
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.history.stack().count(), entries + 1);
    EXPECT_EQ(space.history.stack().undoText(), QStringLiteral("Continue from the result"));
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.filter.state(), before);
    EXPECT_EQ(earlier.count(), 0);
    EXPECT_TRUE(samePixels(*space.document.result(), *opened));
    EXPECT_EQ(space.document.input(), space.document.image());
    space.history.redo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(earlier.count(), 1);
    EXPECT_TRUE(samePixels(*space.document.input(), *opened));

    space.document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(space.rests());
    space.filter.setMinimum(5);
    ASSERT_TRUE(space.rests());
    earlier.goBack();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(earlier.count(), 0);
    EXPECT_EQ(space.document.choices().treeKind(), TreeKind::max);
    EXPECT_EQ(space.filter.minimum(), 12);
    EXPECT_TRUE(samePixels(*space.document.result(), *opened));
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(earlier.count(), 1);
    EXPECT_EQ(space.document.choices().treeKind(), TreeKind::min);
    EXPECT_EQ(space.filter.minimum(), 5);
    EXPECT_TRUE(runsToWhatIsShown());
}

/// A document whose builds can be held at their start, with a history of its models.
struct HeldWorld {
    testing::Gate begin;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    NodeSelection selection{document};
    RegionViewModel region{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};
    EditHistory history{{document, filter, selection, region, objects, table}};
    EarlierFilters earlier{{document, filter, region, history}};

    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.selectEngine = [this, select = services.selectEngine](std::string_view name) -> Engine& {
            begin.pass(JobControl());
            return select(name);
        };
        return services;
    }
    [[nodiscard]] bool rests() {
        return eventually([this] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.result();
        });
    }
    /// Makes a change and cancels the build that it starts.
    template <class Change> [[nodiscard]] bool cancelled(const Change& change) {
        const int before = begin.arrivals();
        begin.hold();
        change();
        const bool begun = eventually([&] { return begin.arrivals() > before; });
        document.cancel();
        begin.release();
        return begun && rests();
    }
};

TEST_F(FiltersInTurn, ComeBackWithAllThatWasSetWhenTheTreeIsNotBuilt) {
    HeldWorld world;
    world.document.open(pathOf("a.tif"));
    ASSERT_TRUE(world.rests());
    world.filter.setRange(12, 100'000);
    ASSERT_TRUE(world.rests());
    const FilterViewModel::State before = world.filter.state();
    const auto opened = world.document.result();
    ASSERT_TRUE(world.cancelled([&] { world.earlier.continueFromResult(); }));
    EXPECT_EQ(world.earlier.count(), 0);
    EXPECT_EQ(world.filter.state(), before);
    EXPECT_TRUE(samePixels(*world.document.result(), *opened));
    EXPECT_EQ(world.document.resultSpec(), world.filter.spec());
    ASSERT_TRUE(world.history.stack().canRedo());
    world.history.redo();
    ASSERT_TRUE(world.rests());
    EXPECT_EQ(world.earlier.count(), 1);
    ASSERT_TRUE(world.cancelled([&] { world.history.undo(); }));
    EXPECT_EQ(world.earlier.count(), 1) << "the way back is not gone either";
    EXPECT_TRUE(world.filter.spec().criteria.empty());
    EXPECT_TRUE(samePixels(*world.document.result(), *opened));
    // Only the filter is requested again if its tree does not come.
    ASSERT_TRUE(world.cancelled([&] {
        const DocumentChoices::Hold together(world.document.choices());
        world.document.choices().setTreeKind(TreeKind::min);
        world.filter.setOutput(Output::residue);
    }));
    EXPECT_EQ(world.document.choices().treeKind(), TreeKind::max);
    EXPECT_EQ(world.document.resultSpec().output, Output::residue);
}

TEST_F(FiltersInTurn, DoNotContinueFromLabelsOrFromAFilterThatIsOff) {
    space.filter.setRange(12, 100'000);
    space.filter.setOutput(Output::labels);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(earlier.canContinue());
    earlier.continueFromResult();
    EXPECT_EQ(earlier.count(), 0);
    for (const Output output : {Output::residue, Output::mask}) {
        space.filter.setOutput(output);
        EXPECT_TRUE(earlier.canContinue());
    }
    space.filter.setEnabled(false);
    EXPECT_FALSE(earlier.canContinue());
    space.document.close();
    EXPECT_FALSE(earlier.canContinue());
}

TEST_F(FiltersInTurn, AreNoMoreThanARecipeHolds) {
    QSignalSpy failed(&earlier, &EarlierFilters::failed);
    FilterStages stages = presentStages(models);
    stages.back().filter.criteria.push_back({AttributeId::area, 2, 1e9});
    stages.resize(50, stages.front());
    EXPECT_THAT(problemOf(stages).toStdString(), HasSubstr("at most 100"));
    stages.resize(49);
    EXPECT_EQ(problemOf(stages), QString());
    takeStages(stages, models, {});
    earlier.continueFromResult();
    EXPECT_EQ(failed.size(), 1);
    EXPECT_EQ(earlier.count(), 48);
    EXPECT_TRUE(runsToWhatIsShown());
}

TEST_F(FiltersInTurn, GiveTheImageOfTheirRecipeWhateverIsSetOfThem) {
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    EXPECT_TRUE(runsToWhatIsShown());
    space.filter.picks().pick(space.document.tree()->canonical[2], PicksModel::PickEffect::removed);
    EXPECT_TRUE(runsToWhatIsShown()) << "picks";
    space.region.setState({{{RegionShape::Kind::ellipse, {{3, 4}, {40, 44}}}}, -1, false});
    EXPECT_TRUE(runsToWhatIsShown()) << "region";
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "region", "tree", "filter"));
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(space.region.shapes().empty()) << "the next one works in the same region";
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "region", "tree", "filter", "tree", "filter"));
    space.document.choices().setTreeKind(TreeKind::max);
    space.filter.setRange(4, 300);
    for (const Output output : {Output::residue, Output::mask, Output::filtered}) {
        space.filter.setOutput(output);
        EXPECT_TRUE(runsToWhatIsShown()) << nameOf(output);
    }
    space.region.clear();
    EXPECT_TRUE(runsToWhatIsShown()) << "no region any more";
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "region", "tree", "filter", "region", "tree", "filter"));
    space.document.choices().setEngine(QStringLiteral("cpu"));
    space.document.choices().setConnectivity(Connectivity::eight);
    EXPECT_TRUE(runsToWhatIsShown()) << "tree";
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(FiltersInTurn, AreRowsThatCanBeEditedSwitchedMovedAndRemoved) {
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    EXPECT_THAT(titles(), ElementsAre("Read page 1", "Max-tree, 4-connected", HasSubstr("1. Filter: area>=12"),
                                      "Min-tree, 4-connected", HasSubstr("2. Filter: area>=15")));
    EXPECT_EQ(recipe.filterRow(0), 2);
    EXPECT_EQ(recipe.filterRow(1), 4);
    EXPECT_EQ(recipe.filterRow(2), -1);
    const auto both = space.document.result();
    const int entries = space.history.stack().count();

    EXPECT_EQ(recipe.edit(2, textAt(2).replace(QStringLiteral("area>=12"), QStringLiteral("area>=40"))), QString());
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(samePixels(*space.document.result(), *both));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(space.history.stack().count(), entries + 1);
    EXPECT_EQ(recipe.edit(1, textAt(1).replace(QStringLiteral("4"), QStringLiteral("8"))), QString());
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(space.document.choices().connectivity(), Connectivity::four) << "that of the filter at hand";

    const FilterStages stages = space.document.choices().earlierFilters();
    const QString wrong =
        recipe.edit(2, textAt(2).replace(QStringLiteral("\"filtered\""), QStringLiteral("\"labels\"")));
    EXPECT_THAT(wrong.toStdString(), HasSubstr("step 4 (tree): follows labels"));
    EXPECT_NE(recipe.edit(2, textAt(1)), QString()) << "a tree is no filter";
    EXPECT_EQ(space.document.choices().earlierFilters(), stages);

    ASSERT_TRUE(switchStep(2, false));
    EXPECT_EQ(recipe.rowCount(), 5);
    EXPECT_EQ(recipe.index(2).data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(space.document.input(), space.document.image());
    EXPECT_EQ(earlier.note(), QString()) << "nothing is done before";
    EXPECT_TRUE(earlier.canGoBack());
    ASSERT_TRUE(switchStep(2, true));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_FALSE(switchStep(1, false)) << "there is always a tree";

    EXPECT_FALSE(recipe.canMove(0, 1));
    EXPECT_FALSE(recipe.canMove(1, 1)) << "a tree goes with its filter";
    EXPECT_FALSE(recipe.canMove(2, -1));
    EXPECT_TRUE(recipe.canMove(2, 1));
    EXPECT_TRUE(recipe.canMove(4, -1));
    EXPECT_FALSE(recipe.canMove(4, 1));
    EXPECT_EQ(recipe.move(2, 1), QString());
    EXPECT_THAT(titles(), ElementsAre("Read page 1", "Min-tree, 4-connected", HasSubstr("1. Filter: area>=15"),
                                      "Max-tree, 8-connected", HasSubstr("2. Filter: area>=40")));
    EXPECT_EQ(space.document.choices().treeKind(), TreeKind::max);
    EXPECT_EQ(space.filter.minimum(), 40);
    EXPECT_TRUE(runsToWhatIsShown());

    EXPECT_FALSE(recipe.canRemove(1));
    recipe.remove(2);
    EXPECT_EQ(recipe.rowCount(), 3);
    EXPECT_TRUE(runsToWhatIsShown());
    while (space.history.stack().canUndo()) {
        space.history.undo();
    }
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(earlier.count(), 0);
    EXPECT_TRUE(samePixels(*space.document.result(), *space.document.image()));
    while (space.history.stack().canRedo()) {
        space.history.redo();
    }
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(FiltersInTurn, AreOnAgainWhenTheyAreEditedAndEmptyWhenTheyAreRemoved) {
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    ASSERT_TRUE(switchStep(4, false));
    EXPECT_EQ(recipe.edit(4, textAt(4).replace(QStringLiteral("[]"), QStringLiteral("[\"area>=9\"]"))), QString());
    EXPECT_TRUE(space.filter.isEnabled());
    EXPECT_EQ(space.filter.minimum(), 9);
    EXPECT_FALSE(recipe.index(4).data(Qt::CheckStateRole).toInt() == Qt::Unchecked);
    EXPECT_TRUE(runsToWhatIsShown());
    ASSERT_TRUE(switchStep(4, false));
    EXPECT_FALSE(recipe.canMove(4, -1)) << "only its panel can move it";
    EXPECT_FALSE(recipe.canMove(2, 1));
    recipe.remove(4);
    EXPECT_EQ(space.filter.spec(), FilterSpec{});
    ASSERT_TRUE(switchStep(4, false));
    ASSERT_TRUE(switchStep(4, true));
    EXPECT_EQ(space.filter.spec(), FilterSpec{}) << "nothing comes back";
    EXPECT_EQ(earlier.count(), 1);
}

TEST_F(FiltersInTurn, HaveARegionFromAboveUntilThereIsAnother) {
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    EXPECT_THAT(titles(), ElementsAre("Read page 1", "Region: one shape", "Max-tree, 4-connected",
                                      HasSubstr("1. Filter"), "Min-tree, 4-connected", HasSubstr("2. Filter")));
    ASSERT_TRUE(switchStep(1, false));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "tree", "filter"));
    EXPECT_TRUE(space.region.shapes().empty()) << "of the filter at hand, too";
    EXPECT_EQ(recipe.rowCount(), 6);
    EXPECT_TRUE(runsToWhatIsShown());
    ASSERT_TRUE(switchStep(1, true));
    EXPECT_EQ(space.region.shapes().size(), 1U);
    EXPECT_TRUE(runsToWhatIsShown());
    space.region.add({RegionShape::Kind::ellipse, {{10, 10}, {30, 30}}});
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(titles().at(4), "Region: 2 shapes");
    EXPECT_EQ(
        recipe.edit(1, textAt(1).replace(QStringLiteral("\"inverted\": false"), QStringLiteral("\"inverted\": true"))),
        QString());
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_FALSE(space.region.isInverted()) << "it has a region of its own";
    recipe.remove(4);
    EXPECT_EQ(space.region.shapes().size(), 1U) << "that from above";
    EXPECT_TRUE(space.region.isInverted());
    EXPECT_TRUE(runsToWhatIsShown());
    space.region.clear();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(titles().at(4), "Region: all pixels");
    EXPECT_TRUE(runsToWhatIsShown());
}

TEST_F(FiltersInTurn, AreSavedAndLoadedWhole) {
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    ASSERT_TRUE(space.rests());
    saveRecipe(recipe.recipe(), pathOf("r.json").toStdString());
    const Recipe saved = loadRecipe(pathOf("r.json").toStdString());

    Workspace other;
    RecipeViewModel loaded({other.document, other.filter, other.region, other.history});
    ASSERT_TRUE(other.open(pathOf("a.tif")));
    ASSERT_EQ(loaded.takeOver(loadRecipe(pathOf("r.json").toStdString()), pathOf("r.json")), QString());
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(toJson(loaded.recipe()), toJson(saved)) << "byte for byte";
    EXPECT_EQ(other.history.stack().count(), 1);
    EXPECT_TRUE(samePixels(*other.document.result(), *space.document.result()));
    other.history.undo();
    ASSERT_TRUE(other.rests());
    EXPECT_TRUE(other.document.choices().earlierFilters().empty());

    Workspace empty; // for the next image
    RecipeViewModel first({empty.document, empty.filter, empty.region, empty.history});
    Recipe everywhere = saved;
    std::erase_if(everywhere.steps, [](const RecipeStep& step) { return std::holds_alternative<RegionStep>(step); });
    saveRecipe(everywhere, pathOf("e.json").toStdString());
    ASSERT_EQ(first.takeOver(loadRecipe(pathOf("e.json").toStdString()), pathOf("e.json")), QString());
    ASSERT_TRUE(empty.open(pathOf("a.tif")));
    EXPECT_EQ(empty.document.choices().earlierFilters().size(), 1U);
    EXPECT_EQ(first.recipe().steps, everywhere.steps);
}

TEST_F(FiltersInTurn, StayWithTheirFile) {
    space.region.add({RegionShape::Kind::rectangle, {{8, 6}, {50, 40}}});
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    space.filter.picks().pick(space.document.tree()->canonical[2], PicksModel::PickEffect::removed);
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    ASSERT_EQ(space.document.choices().earlierFilters().front().filter.removed.size(), 1U);
    space.document.reading().setPage(1);
    EXPECT_TRUE(runsToWhatIsShown()) << "page";
    EXPECT_EQ(space.document.choices().earlierFilters().size(), 1U);
    EXPECT_TRUE(space.document.choices().earlierFilters().front().filter.removed.empty()) << "of another image";
    space.document.reading().setReadRegion(PixelRegion{4, 2, 44, 40});
    ASSERT_TRUE(space.rests());
    const RegionShape moved{RegionShape::Kind::rectangle, {{4, 4}, {46, 38}}};
    EXPECT_EQ(space.document.choices().earlierFilters().front().region.shapes.front(), moved);
    EXPECT_EQ(space.region.shapes().front(), moved) << "as the one at hand";
    EXPECT_TRUE(runsToWhatIsShown()) << "part";
    space.document.reading().setShrink(2);
    EXPECT_TRUE(runsToWhatIsShown()) << "smaller";
    EXPECT_EQ(errors.size(), 0);
}

TEST_F(FiltersInTurn, GoOnWithAnotherFileAsTheOneAtHandDoes) {
    space.region.add({RegionShape::Kind::rectangle, {{8, 6}, {50, 40}}});
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    space.filter.picks().pick(space.document.tree()->canonical[2], PicksModel::PickEffect::removed);
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    QSignalSpy notices(&space.document, &DocumentViewModel::noticeRaised);
    ASSERT_TRUE(space.open(pathOf("b.tif")));
    ASSERT_EQ(earlier.count(), 1);
    const FilterStage& stage = space.document.choices().earlierFilters().front();
    EXPECT_EQ(stage.filter.criteria.size(), 1U);
    EXPECT_TRUE(stage.region.shapes.empty()) << "it was drawn in the other image";
    EXPECT_TRUE(stage.filter.removed.empty()) << "of the other image";
    EXPECT_FALSE(samePixels(*space.document.input(), *space.document.image()));
    EXPECT_TRUE(runsToWhatIsShown("b.tif"));
    ASSERT_EQ(notices.size(), 1) << "a person is told";
    EXPECT_THAT(notices.front().front().toString().toStdString(), HasSubstr("earlier filter"));
    EXPECT_EQ(space.history.stack().count(), 0);
    EXPECT_EQ(errors.size(), 0);

    space.document.close();
    EXPECT_EQ(space.document.choices().earlierFilters().size(), 1U);
    ASSERT_TRUE(space.open(pathOf("a.tif"), 1));
    EXPECT_TRUE(runsToWhatIsShown("a.tif"));
}

TEST_F(FiltersInTurn, DoNotGoOnWithTheFileOfASession) {
    ASSERT_TRUE(space.save(pathOf("a.pollard")));
    ASSERT_TRUE(space.open(pathOf("b.tif")));
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    QSignalSpy notices(&space.document, &DocumentViewModel::noticeRaised);
    ASSERT_TRUE(space.openSession(pathOf("a.pollard")));
    EXPECT_EQ(space.document.path(), pathOf("a.tif"));
    EXPECT_TRUE(space.document.choices().earlierFilters().empty());
    EXPECT_EQ(notices.size(), 0);
}

TEST_F(FiltersInTurn, ComeBackWithTheirPageWhoeverIsFaster) {
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    space.filter.picks().pick(space.document.tree()->canonical[2], PicksModel::PickEffect::removed);
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    const FilterStages onFirst = space.document.choices().earlierFilters();
    const int first = space.history.stack().index();
    const auto restsOnFirst = [&] {
        return eventually([&] { return !space.history.isReading(); }) && space.rests() && space.document.page() == 0;
    };
    space.document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    ASSERT_NE(space.document.choices().earlierFilters(), onFirst);
    space.history.undo();
    ASSERT_TRUE(restsOnFirst());
    space.history.redo();
    space.history.undo(); // while the second page is being read
    ASSERT_TRUE(restsOnFirst());
    EXPECT_EQ(space.history.stack().index(), first);
    EXPECT_EQ(space.document.choices().earlierFilters(), onFirst);
}

TEST_F(FiltersInTurn, AreDoneForPagesThatWereShownBefore) {
    space.document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    space.document.reading().setPage(1);
    EXPECT_TRUE(runsToWhatIsShown());
    space.document.reading().setPage(0);
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(space.document.reading().cachedPages(), 1);
    ASSERT_TRUE(switchStep(2, false)); // pages that are kept had other filters before
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.document.reading().cachedPages(), 0);
    space.document.reading().setPage(1);
    EXPECT_TRUE(runsToWhatIsShown());
    // All pages at once.
    ASSERT_TRUE(switchStep(2, true));
    space.document.reading().setPage(0);
    ASSERT_TRUE(space.rests());
    FilterStages picked = presentStages(models);
    picked.front().filter.removed = {componentOf(space)}; // of the first page only
    takeStages(picked, models, {});
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(space.document.choices().earlierFilters().front().filter.removed.empty());
    space.document.saving().saveAllPages(pathOf("all.tif"), space.document.pageFilter());
    ASSERT_TRUE(space.rests());
    space.document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    ReadOptions second;
    second.page = 1;
    EXPECT_TRUE(samePixels(*readImage(pathOf("all.tif").toStdString(), second).image, *space.document.result()));
}

TEST_F(FiltersInTurn, AreInSessions) {
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    earlier.continueFromResult();
    space.filter.setRange(4, 300);
    ASSERT_TRUE(switchStep(2, false));
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.save(pathOf("s.pollard")));
    Workspace other;
    ASSERT_TRUE(other.openSession(pathOf("s.pollard")));
    EXPECT_EQ(other.document.choices().earlierFilters(), space.document.choices().earlierFilters());
    EXPECT_TRUE(samePixels(*other.document.result(), *space.document.result()));
    EXPECT_FALSE(other.history.stack().canUndo());
    ASSERT_TRUE(other.save(pathOf("t.pollard")));
    QFile first(pathOf("s.pollard"));
    QFile again(pathOf("t.pollard"));
    ASSERT_TRUE(first.open(QIODevice::ReadOnly) && again.open(QIODevice::ReadOnly));
    EXPECT_EQ(first.readAll(), again.readAll());
    ASSERT_TRUE(other.openSession(pathOf("s.pollard"))) << "over itself";
    EXPECT_EQ(other.document.choices().earlierFilters(), space.document.choices().earlierFilters());
}

TEST_F(FiltersInTurn, AreNamedInReportsAndCommands) {
    space.filter.setRange(12, 100'000);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(recipe.commandLine().toStdString(), HasSubstr("pollard-cli filter"));
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    const QString command = recipe.commandLine();
    EXPECT_THAT(command.toStdString(), HasSubstr("pollard-cli run"));
    EXPECT_TRUE(command.contains(QString::fromStdString(toJson(recipe.recipe()))));
    const QString html = htmlOf(reportOf(space.document, QStringLiteral("1"), command));
    EXPECT_THAT(html.toStdString(), HasSubstr("Earlier filters"));
    EXPECT_THAT(html.toStdString(), HasSubstr("Max-tree, 4-connected; Filter: area&gt;=12"));
    EXPECT_TRUE(html.contains(command.toHtmlEscaped()));
    ASSERT_TRUE(switchStep(2, false));
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(htmlOf(reportOf(space.document, QStringLiteral("1"), {})).contains(QStringLiteral("Earlier filters")));
    EXPECT_THAT(recipe.commandLine().toStdString(), HasSubstr("pollard-cli filter"));
}

TEST_F(FiltersInTurn, SaveWithTagsOfWhatTheValuesAre) {
    constexpr std::uint16_t kNoData = 42113;
    constexpr std::uint16_t kText = 2;
    const CopiedTag noData{kNoData, kText, 4, {std::byte{'2'}, std::byte{'5'}, std::byte{'5'}, std::byte{0}}};
    writeTiff(pathOf("c.tif").toStdString(), {*discs(60, 48, {{20, 20, 9}}), {.carried = {noData}}},
              {.compression = TiffCompression::none});
    ASSERT_TRUE(space.open(pathOf("c.tif")));
    const auto hasNoData = [&](const char* name) {
        QSignalSpy saved(&space.document.saving(), &DocumentSaving::saved);
        space.document.saving().saveFiltered(pathOf(name));
        EXPECT_TRUE(eventually([&] { return !saved.isEmpty(); }));
        const auto tags = readImage(pathOf(name).toStdString()).info.carried;
        return std::any_of(tags.begin(), tags.end(), [](const CopiedTag& tag) { return tag.tag == kNoData; });
    };
    ASSERT_NO_FATAL_FAILURE(openAndClose());
    EXPECT_TRUE(hasNoData("levels.tif")) << "levels of the file";
    space.filter.setOutput(Output::mask);
    ASSERT_TRUE(space.rests());
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(hasNoData("mask.tif")) << "a filtered mask is no level of the file";
    EXPECT_EQ(run("c.tif").values, ResultValues::others);
}

} // namespace
} // namespace pollard::vm
