// The recipe of the window: every step edited, switched off, saved and loaded, and the same pixels as a run of the
// recipe.
#include "vm/recipe/recipe_files.hpp"

#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using testing::Workspace;

class WindowRecipes : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    RecipeFiles files{recipe};

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void SetUp() override {
        testing::writeDiscPages(pathOf("a.tif"), 9);
        ASSERT_TRUE(space.open(pathOf("a.tif")));
    }
    /// Waits for the end of reading or writing. @return the reason of a failure; empty after success
    template <class Act> [[nodiscard]] static QString problemOf(RecipeFiles& disk, const Act& act) {
        QString problem;
        const auto told = QObject::connect(&disk, &RecipeFiles::failed, &disk,
                                           [&](const QString&, const QString& why) { problem = why; });
        act();
        EXPECT_TRUE(eventually([&] { return !disk.isBusy(); }));
        QObject::disconnect(told);
        return problem;
    }
    [[nodiscard]] QString loadInto(RecipeFiles& disk, const char* name) const {
        return problemOf(disk, [&] { disk.load(pathOf(name)); });
    }
    [[nodiscard]] QString saveTo(const char* name) {
        return problemOf(files, [&] { files.save(pathOf(name)); });
    }
    [[nodiscard]] bool runsToWhatIsShown() { return runsToWhatIsShownOf(pathOf("a.tif")); }
};

TEST_F(WindowRecipes, SayWhatIsDoneStepByStep) {
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
    EXPECT_EQ(recipe.rowCount(), 3);
    EXPECT_EQ(recipe.name(), QStringLiteral("a"));
    space.document.choices().setTreeKind(TreeKind::min);
    space.filter.setRange(3, 200);
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(ids(), ElementsAre("read", "region", "tree", "filter"));
    EXPECT_EQ(titleAt(1), QStringLiteral("Region: one shape"));
    EXPECT_EQ(titleAt(2), QStringLiteral("Min-tree, 4-connected"));
    EXPECT_THAT(titleAt(3).toStdString(), HasSubstr("3<=area<=200"));
    EXPECT_THAT(textAt(2).toStdString(), HasSubstr("\"kind\": \"min\""));
    EXPECT_FALSE(recipe.canRemove(0));
    EXPECT_TRUE(recipe.canRemove(1));
    EXPECT_FALSE(recipe.canRemove(2));
    space.document.close();
    EXPECT_EQ(recipe.rowCount(), 0);
    EXPECT_EQ(recipe.commandLine(), QString());
}

TEST_F(WindowRecipes, GiveTheImageThatIsShownForEveryKindOfStep) {
    EXPECT_TRUE(runsToWhatIsShown()) << "nothing done";
    for (const Output output : kAllOutputs) {
        for (const Rule rule : kAllRules) {
            space.filter.setRange(4, 300);
            space.filter.setOutput(output);
            space.filter.setRule(rule);
            EXPECT_TRUE(runsToWhatIsShown()) << nameOf(output) << ", " << nameOf(rule);
        }
    }
    space.filter.setOutput(Output::filtered);
    for (const TreeKind kind : {TreeKind::min, TreeKind::max}) {
        for (const Connectivity connectivity : {Connectivity::eight, Connectivity::four}) {
            space.document.choices().setTreeKind(kind);
            space.document.choices().setConnectivity(connectivity);
            EXPECT_TRUE(runsToWhatIsShown()) << "tree";
        }
    }
    space.filter.criteria().add(AttributeId::height);
    space.filter.setMinimum(5);
    space.filter.criteria().setMatchMode(Match::any);
    EXPECT_TRUE(runsToWhatIsShown()) << "criteria";
    space.filter.setProminentOnly(true);
    space.filter.setProminentCount(3);
    EXPECT_TRUE(runsToWhatIsShown()) << "prominence";
    space.filter.picks().pick(space.document.tree()->canonical[2], PicksModel::PickEffect::removed);
    space.filter.picks().pick(space.document.tree()->canonical[9], PicksModel::PickEffect::kept);
    EXPECT_TRUE(runsToWhatIsShown()) << "picks";
    for (const bool inverted : {false, true}) {
        space.region.setState({{{RegionShape::Kind::ellipse, {{3, 4}, {40, 44}}},
                                {RegionShape::Kind::polygon, {{30, 5}, {58, 9}, {44, 40}}}},
                               -1,
                               inverted});
        for (const Output output : kAllOutputs) {
            space.filter.setOutput(output);
            EXPECT_TRUE(runsToWhatIsShown()) << "region, " << nameOf(output);
        }
    }
    space.filter.setOutput(Output::residue);
    space.document.reading().setPage(1);
    EXPECT_TRUE(runsToWhatIsShown()) << "page";
    space.document.reading().setReadRegion(PixelRegion{6, 3, 44, 40});
    EXPECT_TRUE(runsToWhatIsShown()) << "part";
    space.document.reading().setShrink(2);
    EXPECT_TRUE(runsToWhatIsShown()) << "smaller";
    ASSERT_TRUE(switchStep(recipe.rowCount() - 1, false));
    EXPECT_TRUE(runsToWhatIsShown()) << "filter off";
}

TEST_F(WindowRecipes, SwitchStepsOffAndOnAgain) {
    space.filter.setRange(4, 300);
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(switchStep(1, false));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
    EXPECT_EQ(recipe.rowCount(), 4) << "it can be switched on again";
    EXPECT_EQ(recipe.index(1).data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(space.document.choices().domain(), nullptr);
    ASSERT_TRUE(switchStep(1, true));
    EXPECT_THAT(ids(), ElementsAre("read", "region", "tree", "filter"));
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_NE(space.document.choices().domain(), nullptr);
    ASSERT_TRUE(switchStep(3, false));
    EXPECT_FALSE(space.filter.isEnabled());
    EXPECT_FALSE(switchStep(0, false)) << "an image is always read";
    EXPECT_FALSE(switchStep(2, false)) << "there is always a tree";
    // Every change can be undone.
    while (space.history.stack().canUndo()) {
        space.history.undo();
    }
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(space.region.shapes().empty());
    EXPECT_TRUE(space.filter.isEnabled());
}

TEST_F(WindowRecipes, KeepThePlaceOfARegionThatIsOff) {
    space.region.add({RegionShape::Kind::rectangle, {{4, 6}, {50, 40}}});
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(switchStep(1, false));
    space.document.reading().setReadRegion(PixelRegion{2, 4, 56, 40});
    ASSERT_TRUE(space.rests());
    space.document.reading().setShrink(2);
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(switchStep(1, true));
    ASSERT_EQ(space.region.count(), 1);
    EXPECT_EQ(space.region.shapes()[0], (RegionShape{RegionShape::Kind::rectangle, {{1, 1}, {24, 18}}}));
}

TEST_F(WindowRecipes, TakeEditedSteps) {
    EXPECT_EQ(recipe.edit(1, QStringLiteral(R"({"id": "tree", "version": 1,
                                               "parameters": {"kind": "min", "connectivity": 8}})")),
              QString());
    EXPECT_EQ(space.document.choices().treeKind(), TreeKind::min);
    EXPECT_EQ(space.document.choices().connectivity(), Connectivity::eight);
    EXPECT_EQ(space.history.stack().count(), 1);
    EXPECT_EQ(recipe.edit(2, QStringLiteral(R"({"id": "filter", "version": 1,
                                               "parameters": {"criteria": ["area>=7"], "rule": "min"}})")),
              QString());
    EXPECT_EQ(space.filter.minimum(), 7);
    EXPECT_EQ(space.filter.rule(), Rule::min);
    EXPECT_TRUE(runsToWhatIsShown());
    EXPECT_EQ(recipe.edit(0, QStringLiteral(R"({"id": "read", "version": 1, "parameters": {"page": 1}})")), QString());
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.document.page(), 1);
    EXPECT_TRUE(runsToWhatIsShown());

    const QString before = textAt(2);
    for (const char* wrong : {R"({"id": "filter", "version": 1, "parameters": {"criteria": ["area=>7"]}})",
                              R"({"id": "filter", "version": 9, "parameters": {}})", "", "[]",
                              R"({"id": "tree", "version": 1, "parameters": {}})"}) {
        EXPECT_NE(recipe.edit(2, QLatin1String(wrong)), QString()) << wrong;
        EXPECT_EQ(textAt(2), before);
    }
    EXPECT_EQ(recipe.edit(7, QStringLiteral("{}")), QString()) << "there is no such step";
    recipe.remove(2);
    EXPECT_TRUE(space.filter.spec().criteria.empty());
    EXPECT_TRUE(runsToWhatIsShown());
}

TEST_F(WindowRecipes, AreSavedAndLoadedAgain) {
    space.document.choices().setTreeKind(TreeKind::min);
    space.filter.setRange(4, 300);
    space.filter.setOutput(Output::residue);
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    space.document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    recipe.setName(QStringLiteral("  my \n recipe "));
    EXPECT_EQ(recipe.name(), QStringLiteral("my recipe"));
    ASSERT_EQ(saveTo("r.json"), QString());
    const Recipe saved = loadRecipe(pathOf("r.json").toStdString());
    EXPECT_EQ(saved, recipe.recipe());
    EXPECT_THAT(saveTo("no such folder/r.json").toStdString(), HasSubstr("no such folder"));

    Workspace other;
    RecipeViewModel loaded({other.document, other.filter, other.region, other.history});
    RecipeFiles loadedFiles(loaded);
    ASSERT_TRUE(other.open(pathOf("a.tif")));
    ASSERT_EQ(loadInto(loadedFiles, "r.json"), QString());
    ASSERT_TRUE(eventually([&] { return other.document.page() == 1 && loaded.recipe() == saved; }));
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(loaded.name(), QStringLiteral("my recipe"));
    EXPECT_EQ(toJson(loaded.recipe()), toJson(saved)) << "byte for byte";
    // Without another page it is one entry and can be undone.
    const int entries = other.history.stack().count();
    other.filter.reset();
    ASSERT_EQ(loadInto(loadedFiles, "r.json"), QString());
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(loaded.recipe(), saved);
    EXPECT_EQ(other.history.stack().count(), entries + 2);
    EXPECT_EQ(other.history.stack().undoText(), QStringLiteral("recipe"));
}

TEST_F(WindowRecipes, ThatTheWindowCannotShowChangeNothing) {
    const auto write = [this](const QByteArray& text) {
        QFile file(pathOf("r.json"));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    space.filter.setRange(4, 300);
    ASSERT_TRUE(space.rests());
    const Recipe before = recipe.recipe();
    Recipe labelled{"labelled", "", "", {FilterStep{}, FilterStep{}}};
    std::get<FilterStep>(labelled.steps.front()).filter.output = Output::labels;
    write(QByteArray::fromStdString(toJson(labelled)));
    EXPECT_THAT(loadInto(files, "r.json").toStdString(), HasSubstr("follows labels"));
    write("{\"pollard_recipe\": 3}");
    EXPECT_THAT(loadInto(files, "r.json").toStdString(), HasSubstr("this program reads version 1 to 2"));
    EXPECT_NE(loadInto(files, "none.json"), QString());
    EXPECT_EQ(recipe.recipe(), before);
}

TEST_F(WindowRecipes, AreReadOnAnotherThreadAndTheLastOneCounts) {
    for (int minimum = 1; minimum <= 9; ++minimum) {
        FilterStep filter;
        filter.filter.criteria = {parseCriterion("area>=" + std::to_string(minimum))};
        saveRecipe({"r", "", "", {filter}}, pathOf((std::to_string(minimum) + ".json").c_str()).toStdString());
    }
    QSignalSpy loaded(&files, &RecipeFiles::loaded);
    const Recipe before = recipe.recipe();
    const int entries = space.history.stack().count();
    for (int minimum = 1; minimum <= 9; ++minimum) {
        files.load(pathOf((std::to_string(minimum) + ".json").c_str()));
        EXPECT_EQ(recipe.recipe(), before) << "nothing changes before it was read";
    }
    ASSERT_TRUE(eventually([&] { return !files.isBusy(); }));
    EXPECT_EQ(loaded.size(), 1);
    EXPECT_EQ(space.filter.minimum(), 9);
    EXPECT_EQ(space.history.stack().count(), entries + 1);
}

TEST_F(WindowRecipes, AreWrittenEvenIfTheProgramEndsAtOnce) {
    std::vector<Recipe> saved;
    {
        RecipeFiles ending(recipe);
        for (const char* name : {"a.json", "b.json", "c.json"}) {
            recipe.setName(QLatin1String(name));
            saved.push_back(recipe.recipe());
            ending.save(pathOf(name));
        }
    }
    EXPECT_EQ(loadRecipe(pathOf("a.json").toStdString()), saved[0]);
    EXPECT_EQ(loadRecipe(pathOf("b.json").toStdString()), saved[1]);
    EXPECT_EQ(loadRecipe(pathOf("c.json").toStdString()), saved[2]);
}

TEST_F(WindowRecipes, AreCopiedAsACommandForAShell) {
    space.filter.setRange(4, 300);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(recipe.commandLine().toStdString(), HasSubstr("pollard-cli filter"));
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    ASSERT_TRUE(space.rests());
    const QString command = recipe.commandLine();
    EXPECT_THAT(command.toStdString(), HasSubstr("pollard-cli run a.json"));
    EXPECT_TRUE(command.contains(QString::fromStdString(toJson(recipe.recipe()))));
}

} // namespace
} // namespace pollard::vm
