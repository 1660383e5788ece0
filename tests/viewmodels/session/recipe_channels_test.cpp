// The recipe of an image with several channels: the filters of all channels are saved, loaded, edited and undone.
#include "vm/document/stack_view_model.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/recipe/recipe_files.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/page_selection.hpp"
#include "recipe/filter_stages.hpp"
#include "session/session.hpp"
#include "support/channel_files.hpp"
#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;

QString writeCells(const QString& path, const std::vector<const char*>& names) {
    std::vector<Channel> channels;
    for (const char* name : names) {
        channels.push_back(test::makeChannel(name));
    }
    std::vector<std::shared_ptr<Image>> planes;
    for (std::size_t i = 0; i < names.size(); ++i) {
        planes.push_back(testing::discs(60, 48, {{20.0 + 3.0 * static_cast<double>(i), 20, 9}, {44, 30, 6}},
                                        static_cast<std::uint32_t>(i + 1)));
    }
    test::writeChannelPages(path.toStdString(), channels, 60, 48, [&](int channel, std::uint32_t x, std::uint32_t y) {
        return 100 * planes[static_cast<std::size_t>(channel)]->level(std::size_t{y} * 60 + x);
    });
    return path;
}

/// A window with an image of three channels.
class ChannelRecipes : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    RecipeFiles files{recipe};
    QString cells = writeCells(pathOf("cells.ome.tif"), {"DAPI", "GFP", "Cy5"});

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void SetUp() override { ASSERT_TRUE(space.open(cells)); }

    static void show(RecipeWindow& window, int page) {
        window.space.document.reading().setPage(page);
        ASSERT_TRUE(window.space.rests());
        ASSERT_EQ(window.space.document.page(), page);
    }
    /// Filters the first two channels, each by another area, and leaves the third one as it is.
    void filterTwo() {
        space.filter.setMinimum(20);
        ASSERT_TRUE(space.rests());
        ASSERT_NO_FATAL_FAILURE(show(*this, 1));
        space.filter.setMinimum(60);
        space.filter.setOutput(Output::residue);
        space.filter.picks().pick(space.document.tree()->canonical[3], PicksModel::PickEffect::removed);
        ASSERT_TRUE(space.rests());
        ASSERT_NO_FATAL_FAILURE(show(*this, 2));
        space.filter.setSpec({});
        ASSERT_TRUE(space.rests());
        ASSERT_NO_FATAL_FAILURE(show(*this, 0));
    }
    /// @return the reason of a failure; empty after success
    [[nodiscard]] static QString load(RecipeWindow& window, const QString& path) {
        RecipeFiles disk(window.recipe);
        QString problem;
        QObject::connect(&disk, &RecipeFiles::failed, &disk,
                         [&](const QString& /*title*/, const QString& why) { problem = why; });
        disk.load(path);
        EXPECT_TRUE(eventually([&] { return !disk.isBusy(); }));
        EXPECT_TRUE(window.space.rests());
        return problem;
    }
    [[nodiscard]] QString saved(const char* name) {
        files.save(pathOf(name));
        EXPECT_TRUE(eventually([&] { return !files.isBusy(); }));
        return pathOf(name);
    }
    [[nodiscard]] static std::vector<std::string> filtersOf(const RecipeWindow& window) {
        std::vector<std::string> texts;
        for (int row = 0; row < window.recipe.rowCount(); ++row) {
            if (const QString title = window.titleAt(row); title.startsWith(QStringLiteral("Filter"))) {
                texts.push_back(title.toStdString());
            }
        }
        return texts;
    }
    [[nodiscard]] static double minimumAt(RecipeWindow& window, int page) {
        show(window, page);
        return window.space.filter.minimum();
    }
};

TEST_F(ChannelRecipes, HaveTheFiltersOfAllChannels) {
    space.filter.setMinimum(20);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(recipe.recipe().channels.empty());
    EXPECT_EQ(titleAt(0), QStringLiteral("Read DAPI")) << "pages are channels, which have names";
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const Recipe made = recipe.recipe();
    ASSERT_EQ(made.channels.size(), 1U) << "Cy5 is not filtered";
    EXPECT_EQ(made.channels[0].channel, "GFP");
    EXPECT_EQ(made.channels[0].filter.criteria, std::vector{parseCriterion("area>=60")});
    EXPECT_EQ(made.channels[0].filter.output, Output::residue);
    EXPECT_EQ(made.channels[0].filter.removed.size(), 1U);
    EXPECT_EQ(titleAt(0), QStringLiteral("Read DAPI"));
    EXPECT_EQ(titleAt(1), QStringLiteral("Max-tree, 4-connected (all channels)"));
    ASSERT_EQ(filtersOf(*this).size(), 2U);
    EXPECT_THAT(filtersOf(*this)[0], ::testing::AllOf(HasSubstr("area>=20"), ::testing::EndsWith(" (DAPI)")));
    EXPECT_THAT(filtersOf(*this)[1], ::testing::AllOf(HasSubstr("area>=60"), ::testing::EndsWith(" (GFP)")));
    EXPECT_THAT(recipe.commandLine().toStdString(),
                ::testing::AllOf(HasSubstr("\"pollard_recipe\": 2"), HasSubstr("pollard-cli run")));
    EXPECT_FALSE(recipe.isEmpty());
}

/// 2 channels, 3 slices and 2 times in an order such as "czt"; each page has a level of its own.
QString writeEmbryo(const QString& path, const std::string& order, const std::vector<std::string>& channels) {
    std::vector<StackAxis> axes;
    for (const char name : order) {
        axes.push_back(name == 'c'   ? StackAxis{'c', 2, channels}
                       : name == 'z' ? StackAxis{'z', 3, {}}
                                     : StackAxis{'t', 2, {}});
    }
    test::writeStack(path.toStdString(), axes, 30, 20,
                     [order](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                         const auto on = [&](char name) { return at[order.find(name)]; };
                         const int object = x > 5 && x < 15 && y > 5 && y < 12 ? 500 : 0;
                         return 10 + object + 100 * on('c') + 20 * on('z') + 5 * on('t');
                     });
    return path;
}

TEST_F(ChannelRecipes, SelectChannelSliceAndTimeByTheAxes) {
    ASSERT_TRUE(space.open(writeEmbryo(pathOf("czt.ome.tif"), "czt", {"DAPI", "GFP"})));
    space.document.setVolume(false);
    ASSERT_TRUE(space.rests());
    ASSERT_NO_FATAL_FAILURE(show(*this, 5)); // GFP, slice 2, time 0
    space.filter.setMinimum(100);
    ASSERT_TRUE(space.rests());
    const Recipe made = recipe.recipe();
    const auto& read = std::get<ReadStep>(made.steps.front());
    ASSERT_TRUE(read.at);
    EXPECT_EQ(toString(*read.at), "channel=GFP,z=2,t=0");
    EXPECT_EQ(titleAt(0), QStringLiteral("Read GFP, z 3, time 1"));
    EXPECT_EQ(parseRecipe(toJson(made)), made);
    EXPECT_THAT(recipe.commandLine().toStdString(), HasSubstr("--at channel=GFP,z=2,t=0"));
    RecipeWindow other;
    ASSERT_TRUE(other.space.open(writeEmbryo(pathOf("tzc.ome.tif"), "tzc", {"DAPI", "GFP"})));
    EXPECT_EQ(other.recipe.takeOver(made, pathOf("r.json")), QString());
    ASSERT_TRUE(eventually([&] { return other.space.document.page() == 10; })) << "the same plane in another order";
    ASSERT_TRUE(other.space.rests());
    EXPECT_TRUE(testing::samePixels(*other.space.document.image(), *space.document.image()));
    EXPECT_TRUE(testing::samePixels(*other.space.document.result(), *space.document.result()));
    EXPECT_EQ(other.recipe.recipe().steps, made.steps);
    ASSERT_TRUE(other.space.open(writeEmbryo(pathOf("red.ome.tif"), "czt", {"DAPI", "RFP"})));
    const std::vector<RecipeStep> before = other.recipe.recipe().steps;
    EXPECT_THAT(other.recipe.takeOver(made, pathOf("r.json")).toStdString(), HasSubstr("no channel GFP"));
    EXPECT_EQ(other.recipe.recipe().steps, before) << "nothing has changed";
}

TEST_F(ChannelRecipes, SelectAProjectionAndTheNextFileOpensAsOne) {
    StackViewModel stack(space.document);
    ASSERT_TRUE(space.open(writeEmbryo(pathOf("czt.ome.tif"), "czt", {"DAPI", "GFP"})));
    EXPECT_EQ(stack.depth(), StackViewModel::Depth::volume);
    EXPECT_EQ(stack.pagesText(), QString::fromUtf8("12 pages (2 channels × 3 z × 2 times)"));
    stack.setDepth(StackViewModel::Depth::maximum);
    ASSERT_TRUE(eventually([&] { return stack.depth() == StackViewModel::Depth::maximum; }));
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(space.document.isVolume());
    EXPECT_EQ(space.document.image()->level(0), 10 + 40) << "DAPI, time 0, the largest of the slices";
    EXPECT_TRUE(stack.isProjected(1));
    EXPECT_FALSE(stack.isProjected(2));
    stack.setPosition(0, 1);
    ASSERT_TRUE(eventually([&] { return stack.position(0) == 1 && space.document.image()->level(0) == 150; }));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(titleAt(0), QStringLiteral("Read GFP, z: maximum, time 1"));
    EXPECT_EQ(toString(*std::get<ReadStep>(recipe.recipe().steps.front()).at), "channel=GFP,z=max,t=0");
    ASSERT_TRUE(space.save(pathOf("s.pollard")));
    testing::Workspace again;
    ASSERT_TRUE(again.openSession(pathOf("s.pollard")));
    EXPECT_EQ(again.document.request().projection, Projection::maximum) << "a session holds it";
    EXPECT_TRUE(testing::samePixels(*again.document.image(), *space.document.image()));
    ASSERT_TRUE(space.open(writeEmbryo(pathOf("next.ome.tif"), "czt", {"DAPI", "GFP"})));
    EXPECT_EQ(stack.depth(), StackViewModel::Depth::maximum) << "as the file before";
    ASSERT_TRUE(space.open(cells));
    EXPECT_EQ(stack.depth(), StackViewModel::Depth::slice) << "a file without slices";
    EXPECT_FALSE(stack.offersDepth());
}

TEST_F(ChannelRecipes, SessionsBringBackThePartInAFileOfAnotherOrder) {
    const QString image = writeEmbryo(pathOf("e.ome.tif"), "czt", {"DAPI", "GFP"});
    ASSERT_TRUE(space.open(image));
    space.document.setVolume(false);
    ASSERT_TRUE(space.rests());
    ASSERT_NO_FATAL_FAILURE(show(*this, 3)); // GFP, slice 1, time 0
    ASSERT_TRUE(space.save(pathOf("s.pollard")));
    const SavedSession saved = loadSession(pathOf("s.pollard").toStdString());
    ASSERT_TRUE(saved.image.at);
    EXPECT_EQ(toString(*saved.image.at), "channel=GFP,z=1,t=0");
    EXPECT_EQ(saved.image.read.page, 3);
    const auto shown = space.document.image()->level(0);
    {
        testing::Workspace same;
        ASSERT_TRUE(same.openSession(pathOf("s.pollard")));
        EXPECT_EQ(same.document.page(), 3);
    }
    writeEmbryo(image, "tzc", {"DAPI", "GFP"});
    testing::Workspace other;
    ASSERT_TRUE(other.openSession(pathOf("s.pollard")));
    EXPECT_EQ(other.document.page(), 6 + 2) << "channel 1 of 2 times and 3 slices, slice 1";
    EXPECT_EQ(other.document.image()->level(0), shown);
    writeEmbryo(image, "czt", {"DAPI", "RFP"});
    testing::Workspace lacking;
    QSignalSpy failed(&lacking.sessions, &SessionViewModel::failed);
    EXPECT_FALSE(lacking.openSession(pathOf("s.pollard")));
    ASSERT_TRUE(eventually([&] { return !failed.isEmpty(); }));
    EXPECT_THAT(failed.front().back().toString().toStdString(), HasSubstr("no channel GFP (has DAPI, RFP)"));
    EXPECT_FALSE(lacking.document.hasImage());
    // A session without `at` opens its page, like sessions of earlier versions.
    SavedSession old = saved;
    old.image.at.reset();
    saveSession(old, pathOf("old.pollard").toStdString());
    testing::Workspace again;
    ASSERT_TRUE(again.openSession(pathOf("old.pollard")));
    EXPECT_EQ(again.document.page(), 3);
}

TEST_F(ChannelRecipes, StateTheAxesOfPlainPages) {
    const QString plain = pathOf("plain.tif");
    const auto page = [](int number, const JobControl&) {
        auto image = std::make_shared<Image>(PixelType::u8, 30U, 20U);
        std::ranges::fill(image->pixels<std::uint8_t>(), static_cast<std::uint8_t>(10 * number));
        return Plane{ownedRows(std::move(image)), {}};
    };
    writeTiff(plain.toStdString(), {6, page}, {.arePages = true});
    StackViewModel stack(space.document);
    ASSERT_TRUE(space.open(plain));
    ASSERT_EQ(stack.axisCount(), 1);
    EXPECT_TRUE(stack.offersAxes());
    space.document.reading().setAxes(QStringLiteral(" T2 z3 "));
    ASSERT_TRUE(eventually([&] { return stack.axisCount() == 2; }));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(stack.axisTitle(0), QStringLiteral("Z"));
    EXPECT_EQ(stack.size(0), 3);
    EXPECT_TRUE(stack.offersAxes()) << "to change them";
    stack.setPosition(1, 1);
    ASSERT_TRUE(eventually([&] { return space.document.page() == 3; }));
    ASSERT_TRUE(space.rests());
    const Recipe made = recipe.recipe();
    const auto& read = std::get<ReadStep>(made.steps.front());
    EXPECT_EQ(read.axes, "t2z3");
    ASSERT_TRUE(read.at);
    EXPECT_EQ(toString(*read.at), "z=0,t=1");
    RecipeWindow other;
    ASSERT_TRUE(other.space.open(plain));
    EXPECT_EQ(other.recipe.takeOver(made, pathOf("r.json")), QString());
    ASSERT_TRUE(eventually([&] { return other.space.document.request().axes == "t2z3"; }));
    ASSERT_TRUE(other.space.rests());
    EXPECT_EQ(other.space.document.page(), 3);
    ASSERT_TRUE(space.save(pathOf("s.pollard")));
    testing::Workspace again;
    ASSERT_TRUE(again.openSession(pathOf("s.pollard")));
    EXPECT_EQ(again.document.request().axes, "t2z3");
    EXPECT_EQ(again.document.page(), 3);

    QSignalSpy errors(&space.document.activity(), &DocumentActivity::errorOccurred);
    for (const char* wrong : {"t4z3", "q"}) {
        errors.clear();
        space.document.reading().setAxes(QLatin1String(wrong));
        ASSERT_TRUE(eventually([&] { return !errors.isEmpty(); })) << wrong;
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(space.document.request().axes, "t2z3") << "the image stays";
    }
    space.document.reading().setAxes({});
    ASSERT_TRUE(eventually([&] { return stack.axisCount() == 1; }));
    ASSERT_TRUE(space.open(cells));
    EXPECT_FALSE(stack.offersAxes()) << "the file states channels";
}

TEST_F(ChannelRecipes, RunToWhatEveryChannelShows) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const Recipe made = recipe.recipe();
    const auto each = recipesOfChannels(made, {}, *space.document.imageInfo());
    ASSERT_TRUE(each);
    EXPECT_EQ(each->read, 0U);
    ASSERT_EQ(each->others.size(), 1U);
    ReadOptions gfp;
    gfp.page = 1;
    const RecipeResult result =
        runRecipe(each->others.at(1), readImage(cells.toStdString(), gfp), space.registry.select("cpu"));
    ASSERT_NO_FATAL_FAILURE(show(*this, 1));
    EXPECT_TRUE(testing::samePixels(*result.image, *space.document.result()));
}

TEST_F(ChannelRecipes, AreAppliedToAllChannelsAsOneEdit) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const Recipe made = recipe.recipe();
    const QString path = saved("r.json");
    RecipeWindow other;
    ASSERT_TRUE(other.space.open(cells));
    other.space.filter.setMinimum(33);
    ASSERT_TRUE(other.space.rests());
    ASSERT_NO_FATAL_FAILURE(show(other, 2));
    ASSERT_NO_FATAL_FAILURE(show(other, 0));
    const int before = other.space.history.stack().index();
    const auto rows = filtersOf(other);
    EXPECT_EQ(load(other, path), QString());
    EXPECT_EQ(other.recipe.recipe().steps, made.steps);
    EXPECT_EQ(other.recipe.recipe().channels, made.channels) << "that of Cy5 is gone";
    EXPECT_EQ(other.space.history.stack().index(), before + 1);
    other.space.history.undo();
    ASSERT_TRUE(other.space.rests());
    EXPECT_EQ(filtersOf(other), rows);
    EXPECT_EQ(other.space.filter.minimum(), 33);
    other.space.history.stack().redo();
    ASSERT_TRUE(other.space.rests());
    EXPECT_EQ(other.recipe.recipe().channels, made.channels);
    EXPECT_EQ(minimumAt(other, 1), 60);
    EXPECT_EQ(other.space.filter.output(), Output::residue);
    EXPECT_EQ(minimumAt(other, 2), other.space.filter.domainMinimum()) << "not filtered";
}

TEST_F(ChannelRecipes, OnlyChangeOtherChannelsAsAnEditToo) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const QString path = saved("r.json");
    RecipeWindow other;
    ASSERT_TRUE(other.space.open(cells));
    other.space.filter.setMinimum(20);
    ASSERT_TRUE(other.space.rests());
    const int before = other.space.history.stack().index();
    EXPECT_EQ(load(other, path), QString());
    EXPECT_EQ(other.space.history.stack().index(), before + 1);
    EXPECT_EQ(filtersOf(other).size(), 2U);
    other.space.history.undo();
    ASSERT_TRUE(other.space.rests());
    EXPECT_EQ(filtersOf(other).size(), 1U);
}

TEST_F(ChannelRecipes, FollowToAnotherReading) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    ASSERT_NO_FATAL_FAILURE(show(*this, 1));
    const Recipe made = recipe.recipe();
    ASSERT_EQ(made.channels.size(), 1U);
    EXPECT_EQ(made.channels[0].channel, "DAPI");
    const QString path = saved("r.json");
    RecipeWindow other;
    ASSERT_TRUE(other.space.open(cells));
    EXPECT_EQ(load(other, path), QString());
    ASSERT_TRUE(eventually([&] { return other.space.document.page() == 1; }));
    ASSERT_TRUE(other.space.rests());
    EXPECT_EQ(other.recipe.recipe().steps, made.steps);
    EXPECT_EQ(other.recipe.recipe().channels, made.channels);
    EXPECT_EQ(minimumAt(other, 0), 20);
}

TEST_F(ChannelRecipes, ChangeNothingIfAChannelIsMissing) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const QString path = saved("r.json");
    RecipeWindow other;
    EXPECT_THAT(load(other, path).toStdString(), HasSubstr("Open an image first"));
    ASSERT_TRUE(other.space.open(writeCells(pathOf("two.ome.tif"), {"DAPI", "Cy5"})));
    const Recipe before = other.recipe.recipe();
    EXPECT_EQ(load(other, path), QStringLiteral("The recipe has filters for channels that this image does not have: "
                                                "GFP. Its channels are DAPI, Cy5."));
    EXPECT_EQ(other.recipe.recipe(), before);
    EXPECT_EQ(other.space.history.stack().count(), 0);
    testing::writeDiscPages(pathOf("grey.tif"), 3);
    ASSERT_TRUE(other.space.open(pathOf("grey.tif")));
    EXPECT_TRUE(load(other, path).startsWith(QStringLiteral("no channel DAPI"))) << load(other, path).toStdString();
    EXPECT_EQ(other.space.history.stack().count(), 0);
}

TEST_F(ChannelRecipes, AreEditedSwitchedAndRemovedByRows) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const int row = recipe.rowCount() - 1;
    const auto original = recipe.recipe().channels;
    EXPECT_FALSE(recipe.canMove(row, -1));
    ASSERT_TRUE(recipe.canRemove(row));
    EXPECT_EQ(recipe.index(row).data(RecipeViewModel::stageRole), -1);

    EXPECT_TRUE(switchStep(row, false));
    EXPECT_TRUE(recipe.recipe().channels.empty());
    EXPECT_EQ(recipe.rowCount(), row + 1);
    EXPECT_TRUE(switchStep(row, true));
    EXPECT_EQ(recipe.recipe().channels, original);

    QString text = textAt(row);
    EXPECT_EQ(recipe.edit(row, text.replace(QStringLiteral("area>=60"), QStringLiteral("area>=70"))), QString());
    EXPECT_EQ(recipe.recipe().channels[0].filter.criteria, std::vector{parseCriterion("area>=70")});
    recipe.remove(row);
    EXPECT_TRUE(recipe.recipe().channels.empty());
    EXPECT_EQ(recipe.rowCount(), row);
    space.history.undo();
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(recipe.recipe().channels, original);
    EXPECT_EQ(space.filter.minimum(), 20) << "that of the displayed channel stays";
    EXPECT_EQ(minimumAt(*this, 1), 60);
}

TEST_F(ChannelRecipes, OfOneChannelLeaveTheOthersAlone) {
    ASSERT_NO_FATAL_FAILURE(filterTwo());
    const auto channels = recipe.recipe().channels;
    QFile file(pathOf("one.json"));
    ASSERT_TRUE(file.open(QFile::WriteOnly));
    file.write(R"({"pollard_recipe": 1, "name": "one",
                   "steps": [{"id": "filter", "version": 1, "parameters": {"criteria": ["area>=7"]}}]})");
    file.close();
    EXPECT_EQ(load(*this, pathOf("one.json")), QString());
    EXPECT_EQ(space.filter.minimum(), 7);
    EXPECT_EQ(recipe.recipe().channels, channels);
}

} // namespace
} // namespace pollard::vm
