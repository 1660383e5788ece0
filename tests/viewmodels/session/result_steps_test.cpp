// Objects and contours of the window as steps of its recipe: the files exported by the window equal those written by a
// run of the saved recipe, byte for byte; steps are switched off, edited, removed and loaded.
#include "vm/batch/object_tracks_view_model.hpp"
#include "vm/contour/contour_export.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/recipe/result_steps.hpp"

#include "components/object_places.hpp"
#include "components/objects/object_features.hpp"
#include "io/page_selection.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/results/recipe_outputs.hpp"
#include "support/channel_files.hpp"
#include "support/map_tags.hpp"
#include "support/object_masks.hpp"
#include "support/result_files.hpp"
#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

namespace pollard::vm {
namespace {

using testing::discs;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using testing::squareAround;

/// A workspace with its recipe.
struct Panels : testing::RecipeWindow {
    ResultSteps results{{space.document, space.region, space.objects, space.table, space.contours, space.history}};
    ObjectExport objectExport{space.table};
    ContourExport contourExport{space.contours};

    Panels() { recipe.addResults(results); }

    [[nodiscard]] int rowOf(std::string_view id) const {
        for (int row = 0; row < recipe.rowCount(); ++row) {
            if (idOf(parseStep(recipe.index(row).data(RecipeViewModel::textRole).toString().toStdString())) == id) {
                return row;
            }
        }
        return -1;
    }
    template <class Step> [[nodiscard]] Step step() const {
        for (const RecipeStep& each : recipe.recipe().steps) {
            if (const auto* found = std::get_if<Step>(&each)) {
                return *found;
            }
        }
        ADD_FAILURE() << "there is no such step";
        return {};
    }
    /// @return the reason of a failure
    [[nodiscard]] QString load(const QString& path) { return recipe.takeOver(loadRecipe(path.toStdString()), path); }
    [[nodiscard]] QString edit(const RecipeStep& step) {
        return recipe.edit(rowOf(idOf(step)), QString::fromStdString(stepText(step)));
    }
    [[nodiscard]] bool switchStep(std::string_view id, bool on) { return RecipeWindow::switchStep(rowOf(id), on); }
    [[nodiscard]] bool rests() {
        return eventually([&] { return !results.isBusy(); }) && space.rests() &&
               eventually([&] { return !results.isBusy(); });
    }
    void finishContours() {
        ASSERT_TRUE(rests());
        space.contours.playback().toEnd();
        ASSERT_TRUE(rests());
        ASSERT_TRUE(space.contours.runs().isFinished());
    }
};

class WindowResults : public ::testing::Test, public Panels {
protected:
    QTemporaryDir folder;

    [[nodiscard]] QString pathOf(const QString& name) const { return folder.filePath(name); }
    void SetUp() override {
        testing::writeDiscPages(pathOf(QStringLiteral("a.tif")), 5);
        ASSERT_TRUE(space.open(pathOf(QStringLiteral("a.tif"))));
    }
    void lookAtObjects() {
        space.objects.setActive(true);
        ASSERT_TRUE(rests());
        ASSERT_NE(space.table.listing(), nullptr);
    }
    [[nodiscard]] QByteArray bytesOf(const QString& name) const {
        QFile file(pathOf(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
        return file.readAll();
    }
    template <class Export, class File> [[nodiscard]] QByteArray exported(Export& writer, File file) {
        const QString name = QStringLiteral("window.") + QString::fromUtf8(extensionOf(file).data());
        writer.save(file, pathOf(name));
        EXPECT_TRUE(eventually([&] { return !writer.isBusy(); }));
        QByteArray bytes = bytesOf(name);
        EXPECT_FALSE(bytes.isEmpty());
        return bytes;
    }
    [[nodiscard]] QByteArray pixelTable() {
        objectExport.savePixelTable(pathOf(QStringLiteral("window.csv")));
        EXPECT_TRUE(eventually([&] { return !objectExport.isBusy(); }));
        return bytesOf(QStringLiteral("window.csv"));
    }
    template <class Files> static int kinds(const Files& all) {
        return static_cast<int>(testing::writtenKinds(all).size());
    }
    /// Expects that a run of the saved recipe writes the same files as the window.
    void expectSameFiles(int count, const QString& name = QStringLiteral("a.tif")) {
        ASSERT_TRUE(rests());
        const Recipe again = parseRecipe(toJson(recipe.recipe()));
        EXPECT_EQ(again, recipe.recipe());
        const std::filesystem::path image = pathOf(name).toStdString();
        const SelectedPart part = partsOf(again, image, readOptionsOf(again)).parts.front();
        const LoadedImage loaded = readPart(image, part);
        const std::vector<RecipeFile> files = filesOf(again);
        const auto nameOfRun = [](const RecipeFile& file) {
            return QStringLiteral("run") + QString::fromStdString(file.ending);
        };
        std::vector<std::filesystem::path> targets;
        for (const RecipeFile& file : files) {
            targets.emplace_back(pathOf(nameOfRun(file)).toStdString());
        }
        RecipeOutputs outputs(files, targets, loaded, "a.tif");
        AtomicFile::commitTogether(
            outputs.finish(runRecipe(
                               again, loaded, space.registry.select("cpu"), {}, {}, {},
                               [&](const ObjectsStepReport& report, std::size_t number, const JobControl& control) {
                                   outputs.writeObjects(report, number, control);
                               },
                               channelsOfFile(image, part)),
                           {}));
        int compared = 0;
        for (const RecipeFile& file : files) {
            const QString written = nameOfRun(file);
            if (const auto* object = std::get_if<ObjectFile>(&file.kind)) {
                // The displayed table has the chosen columns; the table of a recipe has all columns, in px.
                EXPECT_EQ(*object == ObjectFile::table ? pixelTable() : exported(objectExport, *object),
                          bytesOf(written))
                    << file.ending;
                ++compared;
            } else if (const auto* contour = std::get_if<ContourFile>(&file.kind)) {
                EXPECT_EQ(exported(contourExport, *contour), bytesOf(written)) << file.ending;
                ++compared;
            }
        }
        EXPECT_EQ(compared, count);
    }
    void askForAllFiles() {
        auto objects = step<ObjectsStep>();
        objects.files = testing::writtenKinds(kObjectFiles);
        EXPECT_EQ(edit(objects), QString());
    }
    void askForAllContourFiles() {
        auto contours = step<ContoursStep>();
        contours.files = testing::writtenKinds(kContourFiles);
        EXPECT_EQ(edit(contours), QString());
    }
};

TEST_F(WindowResults, AreStepsOnceAPanelHoldsThem) {
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
    lookAtObjects();
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "objects"));
    space.objects.setActive(false);
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter")) << "a look is no step";
    lookAtObjects();
    space.table.marks().remove(std::vector<std::uint32_t>{2});
    ASSERT_TRUE(rests());
    const auto seen = step<ObjectsStep>();
    EXPECT_THAT(seen.removed, ElementsAre(2));
    space.objects.setActive(false);
    EXPECT_EQ(step<ObjectsStep>(), seen) << "hidden panels are not forgotten";
    space.contours.startFrom({squareAround(20, 20, 7)}, QStringLiteral("square"));
    ASSERT_TRUE(rests());
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "objects", "contour"));
    EXPECT_THAT(recipe.index(3).data().toString().toStdString(), HasSubstr("Objects: otsu; files: csv"));
    EXPECT_THAT(recipe.index(4).data().toString().toStdString(), HasSubstr("Contour: gaussian; files: geojson"));
    EXPECT_THAT(recipe.commandLine().toStdString(), HasSubstr("\"id\": \"contour\""));
    space.contours.deleteRun(0);
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "objects"));
    space.document.close();
    EXPECT_EQ(recipe.rowCount(), 0);
    writeTiff(pathOf(QStringLiteral("b.tif")).toStdString(), *discs(30, 30, {{15, 15, 5}}));
    ASSERT_TRUE(space.open(pathOf(QStringLiteral("b.tif"))));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
}

TEST_F(WindowResults, GiveTheFilesOfTheWindowForEveryKindOfObjects) {
    lookAtObjects();
    askForAllFiles();
    expectSameFiles(kinds(kObjectFiles));
    for (const auto threshold : {ThresholdMethod::triangle, ThresholdMethod::li, ThresholdMethod::otsu}) {
        for (const bool dark : {true, false}) {
            space.objects.setThreshold(threshold);
            space.objects.setOption(&ObjectRule::dark, dark);
            expectSameFiles(kinds(kObjectFiles));
        }
    }
    space.objects.setLevels(100, 160);
    space.objects.setConnectivity(Connectivity::four);
    expectSameFiles(kinds(kObjectFiles));
    EXPECT_EQ(step<ObjectsStep>().rule, (ObjectRule{{}, std::nullopt, false, {100, 160}, Connectivity::four}));
    space.table.setCondition(QStringLiteral("area >= 2 && grey_mean > 90"));
    space.table.sort(1, Qt::DescendingOrder);
    expectSameFiles(kinds(kObjectFiles));
    EXPECT_EQ(step<ObjectsStep>().condition, "area >= 2 && grey_mean > 90");
    EXPECT_EQ(step<ObjectsStep>().order, ObjectFeature::area);
    space.table.setCondition(QStringLiteral("area >="));
    EXPECT_EQ(step<ObjectsStep>().condition, "area >= 2 && grey_mean > 90") << "the one that is in force";
    ASSERT_GT(space.table.rowCount(), 3);
    space.table.marks().remove(std::vector<std::uint32_t>{space.table.listing()->labels[1]});
    expectSameFiles(kinds(kObjectFiles));
    EXPECT_EQ(step<ObjectsStep>().removed.size(), 1U);
    EXPECT_EQ(step<ObjectsStep>().count, space.objects.objects()->components.count);
    space.objects.setOption(&ObjectRule::fillHoles, true);
    space.objects.setOption(&ObjectRule::withoutBorder, true);
    expectSameFiles(kinds(kObjectFiles));
    EXPECT_TRUE(step<ObjectsStep>().rule.fillHoles);
    EXPECT_TRUE(step<ObjectsStep>().rule.withoutBorder);
    EXPECT_EQ(versionOf(step<ObjectsStep>()), 5) << "with the columns of the panel";
    auto plain = step<ObjectsStep>();
    plain.rule.fillHoles = false;
    plain.rule.withoutBorder = false;
    EXPECT_EQ(edit(plain), QString());
    EXPECT_FALSE(space.objects.option(&ObjectRule::fillHoles));
    EXPECT_FALSE(space.objects.option(&ObjectRule::withoutBorder));
    for (const Output output : kAllOutputs) {
        space.filter.setRange(4, 300);
        space.filter.setOutput(output);
        space.objects.setSource(StepImage::result);
        space.objects.setLevels(2, 200);
        expectSameFiles(kinds(kObjectFiles));
    }
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    expectSameFiles(kinds(kObjectFiles));
    space.objects.setSource(StepImage::original);
    space.objects.setThreshold(ThresholdMethod::otsu);
    space.document.reading().setPage(1);
    expectSameFiles(kinds(kObjectFiles));
}

TEST_F(WindowResults, GiveTheFilesOfTheWindowForEveryKindOfContours) {
    space.contours.startFrom({squareAround(20, 20, 7)}, QStringLiteral("square"));
    ASSERT_TRUE(rests());
    askForAllContourFiles();
    finishContours();
    // The region of a single contour is a set of one here.
    expectSameFiles(kinds(kContourFiles));
    SnakeSpec spec = space.contours.settings().spec();
    spec.law = RegionLaw::gamma;
    spec.moves = SnakeMoves::sequential;
    spec.maxStep = 4;
    spec.minLength = 5;
    spec.maxRounds = 6;
    space.contours.settings().setSpec(spec);
    finishContours();
    expectSameFiles(kinds(kContourFiles));
    EXPECT_EQ(step<ContoursStep>().spec, spec);
    spec.maxRounds = 0;
    spec.moves = SnakeMoves::localBest;
    space.contours.settings().setSpec(spec);
    auto forbidden = std::make_shared<Mask>(60, 48, false);
    for (std::uint32_t y = 0; y < 48; ++y) {
        forbidden->setRun(31, 36, y, true);
    }
    space.contours.settings().forbidden().set(forbidden);
    space.contours.startFrom({squareAround(20, 20, 7), squareAround(45, 30, 4)}, QStringLiteral("two"));
    finishContours();
    expectSameFiles(kinds(kContourFiles));
    EXPECT_EQ(step<ContoursStep>().starts.size(), 2U);
    EXPECT_EQ(step<ContoursStep>().forbiddenPixels, StoredMask::of(*forbidden));
    lookAtObjects();
    space.table.setCondition(QStringLiteral("area > 20"));
    ASSERT_TRUE(rests());
    space.contours.settings().forbidden().clear();
    space.contours.startFromObjects(space.objects.objects(), space.table.listing()->labels);
    finishContours();
    expectSameFiles(kinds(kContourFiles) + 1);
}

TEST_F(WindowResults, HoldTheChannelsInWhichObjectsAreMeasured) {
    const QString cells = pathOf(QStringLiteral("c.ome.tif"));
    test::writeChannelPages(cells.toStdString(), {test::makeChannel("DAPI"), test::makeChannel("GFP")}, 60, 48,
                            [](int channel, std::uint32_t x, std::uint32_t y) {
                                return x > 10 && x < 30 && y > 10 && y < 30 ? 900 + channel : 10;
                            });
    ASSERT_TRUE(space.open(cells));
    lookAtObjects();
    EXPECT_FALSE(step<ObjectsStep>().measure);
    space.objects.channels().setChoice({.all = false, .channels = {"GFP", "none"}});
    ASSERT_TRUE(rests());
    const MeasureChoice expected{.all = false, .channels = {"GFP"}};
    EXPECT_EQ(step<ObjectsStep>().measure, expected) << "without a channel that the image lacks";
    const Recipe made = parseRecipe(toJson(recipe.recipe()));
    EXPECT_EQ(made, recipe.recipe());
    Panels other;
    ASSERT_TRUE(other.space.open(cells));
    EXPECT_EQ(other.recipe.takeOver(made, pathOf(QStringLiteral("r.json"))), QString());
    EXPECT_EQ(other.space.objects.channels().choice(), expected);
    ASSERT_TRUE(space.open(pathOf(QStringLiteral("a.tif"))));
    lookAtObjects();
    EXPECT_FALSE(step<ObjectsStep>().measure) << "the image has one channel";
}

TEST_F(WindowResults, NameTheWorkThatNoStepHas) {
    lookAtObjects();
    EXPECT_EQ(recipe.missing(), QStringList());
    space.objects.classes().setClasses({{"large", 0xff0000, "area > 50"}});
    ASSERT_TRUE(rests());
    ASSERT_EQ(recipe.missing().size(), 1);
    EXPECT_THAT(recipe.missing().front().toStdString(), HasSubstr("classes of objects"));
    for (const int x : {20, 24, 28}) {
        space.contours.startFrom({squareAround(x, 20, 7)}, QStringLiteral("square"));
        ASSERT_NO_FATAL_FAILURE(finishContours()); // a run that was not played would be replaced
    }
    ASSERT_EQ(space.contours.runs().all().size(), 3U);
    ASSERT_EQ(recipe.missing().size(), 2) << recipe.missing().join(u' ').toStdString();
    EXPECT_THAT(recipe.missing().back().toStdString(), ::testing::StartsWith("2 runs of contours are missing"));
    for (const QString& script : {recipe.commandLine(), recipe.pythonScript()}) {
        EXPECT_THAT(script.toStdString(),
                    ::testing::StartsWith("# " + recipe.missing().join(QStringLiteral("\n# ")).toStdString() + "\n"));
    }
    space.contours.deleteRun(0);
    EXPECT_THAT(recipe.missing().back().toStdString(), ::testing::StartsWith("One run of contours is missing"));
    ASSERT_TRUE(switchStep("objects", false));
    EXPECT_EQ(recipe.missing().size(), 1) << "objects that are off are in no script";
}

TEST_F(WindowResults, HoldTheColumnsThatThePanelShows) {
    lookAtObjects();
    const std::vector<std::string> first{"label", "area",      "centroid_x",  "centroid_y", "major",
                                         "minor", "perimeter", "circularity", "grey_mean"};
    EXPECT_EQ(step<ObjectsStep>().columns, first);
    space.table.setColumnShown(ObjectFeature::perimeter, false);
    space.table.setColumnShown(ObjectFeature::border, true);
    auto objects = step<ObjectsStep>();
    EXPECT_THAT(objects.columns, ElementsAre("label", "area", "centroid_x", "centroid_y", "major", "minor",
                                             "circularity", "border", "grey_mean"));
    const Recipe made = parseRecipe(toJson(recipe.recipe()));
    EXPECT_EQ(made, recipe.recipe());
    Panels other;
    ASSERT_TRUE(other.space.open(pathOf(QStringLiteral("a.tif"))));
    EXPECT_EQ(other.recipe.takeOver(made, pathOf(QStringLiteral("r.json"))), QString());
    EXPECT_TRUE(other.space.table.isColumnShown(ObjectFeature::border));
    EXPECT_FALSE(other.space.table.isColumnShown(ObjectFeature::perimeter));
    objects.columns = {"label", "holes"};
    EXPECT_EQ(edit(objects), QString());
    EXPECT_THAT(space.table.columns(), ElementsAre(ObjectFeature::label, ObjectFeature::holes));
    objects.columns.clear();
    EXPECT_EQ(edit(objects), QString());
    EXPECT_THAT(step<ObjectsStep>().columns, ElementsAre("label", "holes")) << "the panel stays as it is";
}

TEST_F(WindowResults, HaveTheTitlesThatAJoinedTableHas) {
    const ObjectTableModel& table = space.table;
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        if (info.unit != FeatureUnit::grey) {
            EXPECT_EQ(table.titleOf(info.feature).toStdString(), titleOf(info, table.unit()));
        }
    }
    for (const char* place : {"flux", "ra_deg", "dec_deg", "centroid_easting", "centroid_northing", "lon", "lat"}) {
        EXPECT_EQ(table.titleOf(ObjectQuantity(std::string(place))).toStdString(), placeTitle(place));
        EXPECT_TRUE(isPlaceColumn(place));
    }
}

TEST_F(WindowResults, AreThoseOfAVolume) {
    const QString name = QStringLiteral("v.ome.tif");
    test::writeStack(pathOf(name).toStdString(), {{'c', 2, {"DAPI", "GFP"}}, {'z', 4, {}}}, 20, 14,
                     [](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                         const bool block = x >= 3 && x < 8 && y >= 3 && y < 8 && at[1] > 0;
                         const bool bar = x == 14 && y == 9 && at[1] != 2;
                         return (block || bar ? 800 : 10) + 50 * at[0] + at[1];
                     });
    ASSERT_TRUE(space.open(pathOf(name)));
    ASSERT_TRUE(space.document.isVolume());
    lookAtObjects();
    space.objects.channels().setChoice(
        {.all = false, .channels = {"GFP"}, .counted = CountedChannel{"GFP", 853}}); // of the last slice
    space.table.setCondition(QStringLiteral("area >= 2 && slices > 1 && count[GFP] < 2"));
    space.table.sortBy(ObjectFeature::surface, true);
    ASSERT_TRUE(eventually([&] { return !space.objects.channels().isReading(); }));
    ASSERT_TRUE(rests());
    auto objects = step<ObjectsStep>();
    EXPECT_EQ(objects.rule.connectivity, Connectivity::twentySix);
    EXPECT_EQ(objects.order, ObjectFeature::surface);
    ASSERT_EQ(space.table.listing()->labels.size(), 2U) << "the block and two voxels of the bar";
    objects.files = {ObjectFile::table, ObjectFile::labels, ObjectFile::outlines};
    EXPECT_EQ(edit(objects), QString());
    ASSERT_TRUE(eventually([&] { return !space.objects.channels().isReading(); }));
    space.table.setUnit(LengthUnit::pixel);
    expectSameFiles(3, name);
    const ObjectColumn* const count = findColumn(space.table.listing()->columnList(), "count[GFP]");
    ASSERT_NE(count, nullptr);
    EXPECT_EQ(count->valueOf(space.table.listing()->labels[0]), 1) << "the block reaches the last slice";
    EXPECT_EQ(count->valueOf(space.table.listing()->labels[1]), 0);
    const Recipe made = recipe.recipe();
    EXPECT_TRUE(readsVolume(made));
    Panels other;
    ASSERT_TRUE(other.space.open(pathOf(name)));
    EXPECT_EQ(other.recipe.takeOver(made, pathOf(QStringLiteral("r.json"))), QString());
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(other.step<ObjectsStep>(), objects);

    PixelSize size{0.5, 0.5, "µm", "test"};
    size.z = 2;
    space.document.pixelSizes().set(size);
    ASSERT_TRUE(rests());
    space.table.setUnit(LengthUnit::micrometre);
    space.table.setCondition(QStringLiteral("area >= 20"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(step<ObjectsStep>().condition, "area >= 20");
    EXPECT_EQ(step<ObjectsStep>().unit, LengthUnit::micrometre) << "of all numbers: 20 um3";
    EXPECT_EQ(parseRecipe(toJson(recipe.recipe())), recipe.recipe());
}

TEST_F(WindowResults, ThatWereFollowedOverTimeAreThoseOfEachTime) {
    const QString path = pathOf(QStringLiteral("t.ome.tif"));
    test::writeStack(path.toStdString(), {{'c', 2, {"DAPI", "GFP"}}, {'t', 3, {}}}, 20, 14,
                     [](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                         const auto left = static_cast<std::uint32_t>(3 + at[1]);
                         return y >= 3 && y < 8 && ((x >= left && x < left + 4) || x == 15) ? 900 : 10 + at[0];
                     });
    ASSERT_TRUE(space.open(path, 3)); // GFP, time 1
    lookAtObjects();
    space.objects.setLevels(500, 900);
    ASSERT_TRUE(rests());
    space.table.marks().restore(removedOf({2}, 2, 280));
    ASSERT_TRUE(rests());
    const auto selection = [&] { return toString(*step<ReadStep>().at); };
    EXPECT_EQ(selection(), "channel=GFP,t=1");
    EXPECT_EQ(step<ObjectsStep>().removed, std::vector<std::uint32_t>{2});
    ObjectTracksViewModel tracks(space.document, space.objects, space.table);
    tracks.start();
    ASSERT_TRUE(eventually([&] { return tracks.state() == ObjectTracksViewModel::State::ready; }));
    EXPECT_EQ(selection(), "channel=GFP,t=each");
    EXPECT_TRUE(step<ObjectsStep>().removed.empty()) << "of one image";
    const Recipe made = recipe.recipe();
    EXPECT_EQ(parseRecipe(toJson(made)), made);
    EXPECT_EQ(partsOf(made, path.toStdString(), readOptionsOf(made)).parts.size(), 3U);
    EXPECT_EQ(recipe.takeOver(made, pathOf(QStringLiteral("r.json"))), QString());
    ASSERT_TRUE(rests());
    EXPECT_EQ(space.document.page(), 3) << "the time that is displayed is one of them";
    space.objects.setLevels(600, 900);
    ASSERT_TRUE(rests());
    EXPECT_EQ(selection(), "channel=GFP,t=1") << "others are not followed";
}

TEST_F(WindowResults, AreSwitchedOffAndTakenAway) {
    lookAtObjects();
    space.contours.startFrom({squareAround(20, 20, 7)}, QStringLiteral("square"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(switchStep("objects", false));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "contour"));
    EXPECT_EQ(recipe.rowCount(), 5) << "it can be switched on again";
    ASSERT_TRUE(switchStep("contour", false));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
    ASSERT_TRUE(switchStep("objects", true));
    ASSERT_TRUE(switchStep("contour", true));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "objects", "contour"));
    recipe.remove(rowOf("objects"));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "contour"));
    recipe.remove(rowOf("contour"));
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter"));
    EXPECT_EQ(space.contours.runs().all().size(), 1U) << "the panel stays as it is";
    space.objects.setOption(&ObjectRule::dark, true);
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "objects")) << "something else is there";
    space.contours.startFrom({squareAround(22, 20, 7)}, QStringLiteral("square"));
    ASSERT_TRUE(rests());
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "objects", "contour"));
}

TEST_F(WindowResults, TakeEditedSteps) {
    lookAtObjects();
    auto objects = step<ObjectsStep>();
    objects.rule = {{}, ThresholdMethod::li, true, {}, Connectivity::four};
    objects.condition = "area > 3";
    objects.order = ObjectFeature::perimeter;
    objects.descending = true;
    EXPECT_EQ(edit(objects), QString());
    ASSERT_TRUE(rests());
    EXPECT_EQ(step<ObjectsStep>(), objects);
    EXPECT_EQ(space.objects.threshold(), ThresholdMethod::li);
    EXPECT_TRUE(space.objects.option(&ObjectRule::dark));
    EXPECT_EQ(space.table.condition(), QStringLiteral("area > 3"));
    objects.count = space.objects.objects()->components.count;
    objects.removed = {space.table.listing()->labels[0]};
    EXPECT_EQ(edit(objects), QString());
    ASSERT_TRUE(eventually([&] { return space.table.marks().removedCount() == 1; }));
    EXPECT_EQ(step<ObjectsStep>(), objects);
    objects.count = 0;
    objects.removed.clear();
    EXPECT_EQ(edit(objects), QString());
    ASSERT_TRUE(eventually([&] { return space.table.marks().removedCount() == 0; }));
    objects.side = 0.5;
    EXPECT_THAT(edit(objects).toStdString(), HasSubstr("another size"));
    // All changes except the order and condition of the table can be undone.
    space.history.undo();
    while (space.history.stack().canUndo()) {
        space.history.undo();
    }
    EXPECT_EQ(space.objects.threshold(), ThresholdMethod::otsu);

    space.contours.startFrom({squareAround(20, 20, 7)}, QStringLiteral("square"));
    finishContours();
    auto contours = step<ContoursStep>();
    contours.spec.law = RegionLaw::poisson;
    contours.apart = 3;
    contours.starts = {{RegionShape::Kind::rectangle, {{10, 10}, {30, 31}}}};
    contours.forbidden = {{RegionShape::Kind::rectangle, {{40, 0}, {50, 48}}}};
    EXPECT_EQ(edit(contours), QString());
    ASSERT_TRUE(rests());
    EXPECT_EQ(space.contours.runs().currentRun()->spec, contours.spec);
    EXPECT_EQ(space.contours.runs().currentRun()->engine.apart, contours.apart);
    EXPECT_EQ(space.contours.runs().currentRun()->record.allNodes(0),
              (std::vector<Contour>{{{10, 10}, {30, 10}, {30, 31}, {10, 31}}}));
    ASSERT_NE(space.contours.runs().currentRun()->forbidden, nullptr);
    EXPECT_EQ(space.contours.runs().currentRun()->forbidden->count(), 480U);
    const std::size_t runs = space.contours.runs().all().size();
    askForAllContourFiles();
    ASSERT_TRUE(rests());
    EXPECT_EQ(space.contours.runs().all().size(), runs) << "other files are no other run";
    auto wrong = step<ContoursStep>();
    wrong.of = StepImage::result;
    EXPECT_THAT(edit(wrong).toStdString(), HasSubstr("on the original"));
    wrong = step<ContoursStep>();
    wrong.forbiddenPixels = StoredMask{2, 2, {0, 4}};
    EXPECT_THAT(edit(wrong).toStdString(), HasSubstr("an image of 2 x 2 px"));
    EXPECT_NE(recipe.edit(rowOf("contour"), QStringLiteral(R"({"id": "objects", "version": 1, "parameters": {}})")),
              QString());
    EXPECT_EQ(space.contours.runs().all().size(), runs);
}

TEST_F(WindowResults, MakeForbiddenPixelsBesideTheWindow) {
    ContoursStep step;
    step.of = StepImage::original;
    step.starts = {{RegionShape::Kind::rectangle, {{10, 10}, {30, 31}}}};
    step.forbiddenPixels = StoredMask::of(testing::makeMask(60, 48, [](auto x, auto) { return x >= 40 && x < 44; }));
    const Recipe forbidding{"x", "", "", {step}};
    ASSERT_EQ(results.takeAll(forbidding), QString());
    EXPECT_TRUE(results.isBusy());
    EXPECT_EQ(space.contours.runs().currentRun(), nullptr) << "they are made on another thread";
    EXPECT_THAT(ids(), ElementsAre("read", "tree", "filter", "contour"));
    ASSERT_TRUE(rests());
    ASSERT_NE(space.contours.runs().currentRun(), nullptr);
    EXPECT_EQ(this->step<ContoursStep>().forbiddenPixels, step.forbiddenPixels);

    space.contours.settings().forbidden().clear();
    space.contours.startFrom({squareAround(20, 20, 7)}, QStringLiteral("square"));
    ASSERT_TRUE(rests());
    const std::size_t runs = space.contours.runs().all().size();
    ASSERT_EQ(results.takeAll(forbidding), QString());
    ASSERT_EQ(results.takeAll({"x", "", "", {FilterStep{}}}), QString()) << "which has no contour";
    EXPECT_FALSE(results.isBusy());
    testing::settle();
    EXPECT_EQ(space.contours.runs().all().size(), runs) << "it was replaced";
    EXPECT_EQ(space.contours.settings().forbidden().mask(), nullptr);
}

TEST_F(WindowResults, AreSavedAndLoadedAgain) {
    lookAtObjects();
    space.objects.setLevels(100, 255);
    space.table.setCondition(QStringLiteral("area > 5"));
    space.filter.setRange(4, 300);
    space.region.add({RegionShape::Kind::rectangle, {{4, 4}, {50, 40}}});
    ASSERT_TRUE(rests());
    space.table.marks().remove(std::vector<std::uint32_t>{space.table.listing()->labels[0]});
    space.contours.startFrom({squareAround(20, 20, 7), squareAround(45, 30, 4)}, QStringLiteral("two"));
    finishContours();
    askForAllFiles();
    const QString file = pathOf(QStringLiteral("r.json"));
    saveRecipe(recipe.recipe(), file.toStdString());
    const Recipe saved = loadRecipe(file.toStdString());

    Panels other;
    QSignalSpy objectsWanted(&other.results, &ResultSteps::objectsWanted);
    QSignalSpy contoursWanted(&other.results, &ResultSteps::contoursWanted);
    ASSERT_TRUE(other.space.open(pathOf(QStringLiteral("a.tif"))));
    ASSERT_EQ(other.load(file), QString());
    ASSERT_TRUE(eventually([&] { return other.recipe.recipe().steps == saved.steps; }));
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(toJson(other.recipe.recipe()), toJson(saved)) << "byte for byte";
    EXPECT_EQ(objectsWanted.size(), 1);
    EXPECT_EQ(contoursWanted.size(), 1);
    EXPECT_EQ(other.space.table.marks().removedCount(), 1);

    // A recipe without objects and contours removes them from the window.
    saveRecipe({"plain", "", "", {FilterStep{}}}, file.toStdString());
    ASSERT_EQ(other.load(file), QString());
    ASSERT_TRUE(other.rests());
    EXPECT_THAT(other.ids(), ElementsAre("read", "tree", "filter"));
}

TEST_F(WindowResults, OfARecipeStartContoursAtItsObjects) {
    ObjectsStep objects;
    objects.of = StepImage::original;
    objects.condition = "area > 20";
    ContoursStep contours;
    contours.of = StepImage::original;
    contours.fromObjects = true;
    contours.spec.law = RegionLaw::rayleigh;
    const Recipe asked{"from objects", "", "", {objects, contours}};
    const QString file = pathOf(QStringLiteral("r.json"));
    saveRecipe(asked, file.toStdString());
    ASSERT_EQ(load(file), QString());
    ASSERT_TRUE(eventually([&] { return space.contours.runs().current() >= 0; }));
    ASSERT_TRUE(rests());
    const LoadedImage loaded = readImage(pathOf(QStringLiteral("a.tif")).toStdString());
    const RecipeResult result = runRecipe(asked, loaded, space.registry.select("cpu"));
    const auto& states = result.contours.front().contours.states;
    finishContours();
    ASSERT_EQ(space.contours.runs().allNodes().size(), states.size());
    ASSERT_GT(states.size(), 1U);
    for (std::size_t i = 0; i < states.size(); ++i) {
        EXPECT_EQ(space.contours.runs().allNodes()[i], states[i].nodes);
    }
}

TEST_F(WindowResults, OfARecipeAreThoseOfTheImageThatItReads) {
    space.document.reading().setPage(1);
    lookAtObjects();
    space.table.setCondition(QStringLiteral("area > 20"));
    ASSERT_TRUE(rests());
    ASSERT_GT(space.table.listing()->labels.size(), 1U);
    space.table.marks().remove(std::vector<std::uint32_t>{space.table.listing()->labels[0]});
    ASSERT_TRUE(rests());
    const auto objects = step<ObjectsStep>();
    const std::size_t listed = space.table.listing()->labels.size();
    ReadStep second;
    second.page = 1;
    ContoursStep contours;
    contours.of = StepImage::original;
    contours.fromObjects = true;
    contours.spec.law = RegionLaw::rayleigh;
    const QString file = pathOf(QStringLiteral("r.json"));
    saveRecipe({"second page", "", "", {second, objects, contours}}, file.toStdString());

    Panels other;
    ASSERT_TRUE(other.space.open(pathOf(QStringLiteral("a.tif"))));
    ASSERT_EQ(other.load(file), QString());
    ASSERT_TRUE(eventually([&] { return other.space.contours.runs().current() >= 0; }));
    ASSERT_TRUE(other.rests());
    EXPECT_EQ(other.space.document.page(), 1);
    EXPECT_EQ(other.step<ObjectsStep>(), objects);
    EXPECT_EQ(other.space.contours.runs().allNodes().size(), listed);
    EXPECT_EQ(other.space.contours.settings().spec(), contours.spec);
}

TEST_F(WindowResults, OfARecipeSayWhyNotWhenTheImageIsThere) {
    RecipeFiles files(recipe);
    QSignalSpy failed(&files, &RecipeFiles::failed);
    ReadStep second;
    second.page = 1;
    ContoursStep contours;
    contours.of = StepImage::original;
    contours.starts = {{RegionShape::Kind::rectangle, {{10, 10}, {30, 31}}}};
    contours.forbiddenPixels = StoredMask{2, 2, {0, 4}};
    saveRecipe({"x", "", "", {second, contours}}, pathOf(QStringLiteral("r.json")).toStdString());
    files.load(pathOf(QStringLiteral("r.json")));
    ASSERT_TRUE(eventually([&] { return !failed.isEmpty(); }));
    EXPECT_EQ(space.document.page(), 1);
    EXPECT_THAT(failed.front().back().toString().toStdString(), HasSubstr("an image of 2 x 2 px"));
}

TEST_F(WindowResults, OfARecipeAreOneEntryWithItsFilter) {
    ObjectsStep objects;
    objects.rule.method = ThresholdMethod::li;
    FilterStep filter;
    filter.filter.criteria.push_back({AttributeId::area, 4, 300});
    saveRecipe({"x", "", "", {filter, objects}}, pathOf(QStringLiteral("r.json")).toStdString());
    ASSERT_EQ(load(pathOf(QStringLiteral("r.json"))), QString());
    ASSERT_TRUE(rests());
    EXPECT_EQ(space.objects.threshold(), ThresholdMethod::li);
    EXPECT_EQ(space.filter.spec(), filter.filter);
    EXPECT_EQ(space.history.stack().count(), 1);
    space.history.undo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(space.objects.threshold(), ThresholdMethod::otsu);
    EXPECT_EQ(space.filter.spec(), FilterSpec{});
}

TEST_F(WindowResults, OfARecipeThatFiltersNothingDoNotBringBackAFilterThatIsOff) {
    space.filter.setMinimum(9);
    space.filter.setEnabled(false);
    ASSERT_TRUE(rests());
    saveRecipe({"x", "", "", {ObjectsStep{}}}, pathOf(QStringLiteral("r.json")).toStdString());
    ASSERT_EQ(load(pathOf(QStringLiteral("r.json"))), QString());
    ASSERT_TRUE(rests());
    EXPECT_TRUE(space.filter.isEnabled());
    EXPECT_EQ(space.filter.spec(), FilterSpec{});
}

TEST_F(WindowResults, ThatTheWindowCannotShowChangeNothing) {
    lookAtObjects();
    const Recipe before = recipe.recipe();
    const QString file = pathOf(QStringLiteral("r.json"));
    const auto problemOf = [&](const std::vector<RecipeStep>& steps) {
        saveRecipe({"x", "", "", steps}, file.toStdString());
        return load(file).toStdString();
    };
    ContoursStep contour;
    contour.starts = {{RegionShape::Kind::rectangle, {{10, 10}, {30, 31}}}};
    EXPECT_THAT(problemOf({ObjectsStep{}, ObjectsStep{}}), HasSubstr("one of each"));
    EXPECT_THAT(problemOf({contour, contour}), HasSubstr("one of each"));
    EXPECT_THAT(problemOf({ObjectsStep{}, FilterStep{}}), HasSubstr("before it filters"));
    EXPECT_THAT(problemOf({FilterStep{}, contour}), HasSubstr("on the original"));
    EXPECT_THAT(problemOf({OperatorStep{}, contour}), HasSubstr("on the original"));
    const RegionStep region{{{RegionShape::Kind::rectangle, {{1, 1}, {9, 9}}}}, false};
    EXPECT_THAT(problemOf({FilterStep{}, region, ObjectsStep{}}),
                ::testing::AllOf(HasSubstr("another region"), HasSubstr("pollard-cli run")));
    EXPECT_EQ(recipe.recipe(), before);
}

TEST_F(WindowResults, OfWhichOneCannotBeTakenLeaveTheFilterAsItWas) {
    space.filter.setRange(4, 300);
    ASSERT_TRUE(rests());
    const Recipe before = recipe.recipe();
    FilterStep filter;
    filter.filter.criteria.push_back({AttributeId::area, 9});
    ContoursStep contour;
    contour.of = StepImage::original;
    contour.starts = {{RegionShape::Kind::rectangle, {{10, 10}, {30, 31}}}};
    contour.forbiddenPixels = StoredMask{2, 2, {0, 4}};
    const QString file = pathOf(QStringLiteral("r.json"));
    saveRecipe({"x", "", "", {filter, contour}}, file.toStdString());
    EXPECT_THAT(load(file).toStdString(), HasSubstr("an image of 2 x 2 px"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(recipe.recipe().steps, before.steps);
}

TEST_F(WindowResults, AskForAnImage) {
    Panels empty;
    const QString file = pathOf(QStringLiteral("r.json"));
    saveRecipe({"x", "", "", {ObjectsStep{}}}, file.toStdString());
    EXPECT_THAT(empty.load(file).toStdString(), HasSubstr("Open an image first"));
    saveRecipe({"x", "", "", {FilterStep{}}}, file.toStdString());
    EXPECT_EQ(empty.load(file), QString());
}

TEST_F(WindowResults, OfAMapAreInDegreesAndRunTheSame) {
    POLLARD_NEED_PROJ();
    const QString path = pathOf(QStringLiteral("a.tif"));
    const LoadedImage plain = readImage(path.toStdString());
    PlaneFacts facts;
    facts.carried = testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10);
    writeTiff(path.toStdString(), {*plain.image, facts});
    space.document.close();
    ASSERT_TRUE(space.open(path));
    lookAtObjects();
    space.table.setUnit(LengthUnit::pixel); // files of recipes are in px
    space.contours.startFrom({squareAround(20, 20, 7)}, QStringLiteral("square"));
    finishContours();
    EXPECT_EQ(step<ObjectsStep>().geojsonIn, GeoJsonIn::degrees);
    EXPECT_EQ(step<ContoursStep>().geojsonIn, GeoJsonIn::degrees);
    space.table.setPhysical(false); // outlines have properties in the unit of the table, or of a recipe in px
    ASSERT_TRUE(rests());
    askForAllFiles();
    askForAllContourFiles();
    space.table.setUnit(LengthUnit::pixel); // the unit in files of a recipe
    expectSameFiles(kinds(kObjectFiles) + kinds(kContourFiles));
    // A recipe made with pixels keeps them.
    auto objects = step<ObjectsStep>();
    objects.geojsonIn = GeoJsonIn::pixels;
    EXPECT_EQ(edit(objects), QString());
    ASSERT_TRUE(rests());
    EXPECT_EQ(step<ObjectsStep>().geojsonIn, GeoJsonIn::pixels);
    EXPECT_EQ(step<ContoursStep>().geojsonIn, GeoJsonIn::degrees);
}

} // namespace
} // namespace pollard::vm
