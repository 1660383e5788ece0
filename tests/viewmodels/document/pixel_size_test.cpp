// The pixel size set by the user: for an image or a folder, undone, stored in sessions, not in recipes.
#include "vm/session/pixel_size_view_model.hpp"

#include "vm/filter/criteria_model.hpp"
#include "vm/image/world_scale.hpp"

#include "chunks/chunk_job.hpp"
#include "io/metadata/length_units.hpp"
#include "viewmodels/support/recipe_window.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cstring>
#include <limits>

namespace pollard::vm {
namespace {

using testing::discs;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RecipeWindow;
using testing::Workspace;
using Scope = PixelSizeViewModel::Scope;

CopiedTag tagOf(std::uint16_t number, std::uint16_t type, std::uint64_t count, const void* data, std::size_t bytes) {
    CopiedTag made{number, type, count, std::vector<std::byte>(bytes)};
    std::memcpy(made.data.data(), data, bytes);
    return made;
}

/// ImageJ's tags for a pixel width of 0.5 µm.
std::vector<CopiedTag> halfMicrometre() {
    const std::string text = "ImageJ=1.53t\nunit=micron\n";
    const float perMicrometre = 2;
    return {tagOf(270, 2, text.size() + 1, text.c_str(), text.size() + 1),
            tagOf(282, 5, 1, &perMicrometre, sizeof perMicrometre),
            tagOf(283, 5, 1, &perMicrometre, sizeof perMicrometre)};
}

PixelSize sized(double x, double y, const char* unit, std::string_view source) {
    return {x, y, unit, std::string(source)};
}

class PixelSizes : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    FolderSizes folders{&settings};
    RecipeWindow window;
    Workspace& space = window.space;
    DocumentViewModel& document = space.document;
    PixelSizeViewModel size{document, space.history};
    QUndoStack& undo = space.history.stack();

    void SetUp() override {
        document.pixelSizes().keepFolderSizes(folders);
        QDir(folder.path()).mkdir("below");
        write("plain.tif");
        write("other.tif");
        write("below/plain.tif");
        write("stated.tif", halfMicrometre());
        testing::writeDiscPages(pathOf("pages.tif"), 4);
    }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void write(const char* name, const std::vector<CopiedTag>& tags = {}) const {
        writeTiff(pathOf(name).toStdString(), {*discs(40, 30, {{15, 12, 6}}), {.carried = tags}},
                  {.compression = TiffCompression::none});
    }
    void open(const char* name) { ASSERT_TRUE(space.open(pathOf(name))) << name; }
};

TEST_F(PixelSizes, IsSetWithoutReadingTheImageAgain) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    EXPECT_FALSE(document.pixelSizes().present());
    EXPECT_EQ(size.width(), 0);
    EXPECT_EQ(size.unit(), QStringLiteral("µm"));
    EXPECT_EQ(size.originText(), QStringLiteral("the file states none"));
    EXPECT_FALSE(size.canRevert());
    const auto image = document.image();
    const auto tree = document.tree();
    QSignalSpy documents(&document, &DocumentViewModel::imageChanged);
    QSignalSpy states(&document.activity(), &DocumentActivity::stateChanged);
    QSignalSpy sizes(&document.pixelSizes(), &DocumentPixelSizes::changed);
    QSignalSpy units(&space.table, &ObjectTableModel::unitChanged);
    QSignalSpy areas(&space.region, &RegionViewModel::areaChanged);
    space.table.setPhysical(true);
    units.clear();
    size.setWidth(0.325);
    EXPECT_EQ(sizes.size(), 1);
    EXPECT_EQ(documents.size(), 0) << "it means another image";
    EXPECT_EQ(states.size(), 0);
    EXPECT_EQ(units.size(), 1);
    EXPECT_EQ(areas.size(), 1);
    EXPECT_EQ(document.image(), image);
    EXPECT_EQ(document.tree(), tree);
    EXPECT_EQ(document.pixelSizes().present(), sized(0.325, 0.325, "µm", kSetByHand));
    EXPECT_EQ(sceneSize(document.imageInfo().get()), document.pixelSizes().present());
    EXPECT_TRUE(space.table.hasPhysicalUnit());
    EXPECT_EQ(space.table.side(), 0.325);
    EXPECT_EQ(space.table.lengthUnit(), QStringLiteral("µm"));
    EXPECT_EQ(size.originText(), QStringLiteral("set by hand; the file states none"));
    size.setHeight(0.65);
    EXPECT_FALSE(size.isSquare());
    EXPECT_EQ(document.pixelSizes().present(), sized(0.325, 0.65, "µm", kSetByHand));
    size.setUnit(QStringLiteral("mm"));
    EXPECT_EQ(document.pixelSizes().present(), sized(0.325, 0.65, "mm", kSetByHand)) << "the numbers stay";
    sizes.clear();
    size.setUnit(QStringLiteral("mm"));
    size.setWidth(0.325);
    EXPECT_EQ(sizes.size(), 0) << "nothing changed";
    size.setWidth(0);
    size.setSize(1, -1, QStringLiteral("m"));
    size.setSize(1, 1, QStringLiteral("inch"));
    size.setSize(1, 1e300, QStringLiteral("m"));
    EXPECT_EQ(document.pixelSizes().present(), sized(0.325, 0.65, "mm", kSetByHand)) << "no size at all";
}

TEST_F(PixelSizes, OfTheFileStaysKnownAndComesBack) {
    ASSERT_NO_FATAL_FAILURE(open("stated.tif"));
    EXPECT_EQ(size.width(), 0.5);
    EXPECT_EQ(size.originText(), QStringLiteral("file: 0.5 µm (ImageJ)"));
    size.setSize(325, 325, QStringLiteral("nm"));
    EXPECT_EQ(size.originText(), QStringLiteral("set by hand; file: 0.5 µm (ImageJ)"));
    EXPECT_EQ(document.pixelSizes().ofFile(), sized(0.5, 0.5, "µm", "ImageJ"));
    EXPECT_TRUE(size.canRevert());
    size.revert();
    EXPECT_EQ(document.pixelSizes().present(), document.pixelSizes().ofFile());
    EXPECT_FALSE(size.canRevert());
    EXPECT_EQ(undo.count(), 2);
}

TEST_F(PixelSizes, IsAnEntryOfUndo) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    QSignalSpy documents(&document, &DocumentViewModel::imageChanged);
    size.setWidth(0.325);
    size.setWidth(0.65);
    space.filter.setMinimum(5);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(undo.count(), 3);
    EXPECT_EQ(undo.text(1), QStringLiteral("pixel size"));
    space.history.undo();
    space.history.undo();
    EXPECT_EQ(document.pixelSizes().present(), sized(0.325, 0.325, "µm", kSetByHand));
    space.history.undo();
    EXPECT_FALSE(document.pixelSizes().present());
    EXPECT_EQ(document.request().pixelSize, std::nullopt);
    space.history.redo();
    space.history.redo();
    EXPECT_EQ(size.width(), 0.65);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(documents.size(), 0);
    EXPECT_FALSE(space.history.isReading());
}

TEST_F(PixelSizes, IsSharedByThePagesOfAFile) {
    document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    ASSERT_NO_FATAL_FAILURE(open("pages.tif"));
    document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    size.setWidth(2);
    document.reading().setPage(0);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(document.page(), 0);
    EXPECT_EQ(document.pixelSizes().present(), sized(2, 2, "µm", kSetByHand)) << "of a page that was kept before";
    document.reading().setPage(1);
    size.setWidth(3); // while the page is on its way
    EXPECT_EQ(document.pixelSizes().present(), sized(3, 3, "µm", kSetByHand));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(document.page(), 1);
    EXPECT_EQ(document.pixelSizes().present(), sized(3, 3, "µm", kSetByHand));
    // Back over pages and sizes, in their order.
    undo.setIndex(0);
    ASSERT_TRUE(testing::eventually([&] { return !space.history.isReading(); }) && space.rests());
    EXPECT_EQ(document.page(), 0);
    EXPECT_FALSE(document.pixelSizes().present());
    undo.setIndex(undo.count());
    ASSERT_TRUE(testing::eventually([&] { return !space.history.isReading(); }) && space.rests());
    EXPECT_EQ(document.page(), 1);
    EXPECT_EQ(document.pixelSizes().present(), sized(3, 3, "µm", kSetByHand));
}

TEST_F(PixelSizes, OfAKeptPageIsThatOfItsFilter) {
    document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    ASSERT_NO_FATAL_FAILURE(open("pages.tif"));
    size.setWidth(0.5);
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=4um2")};
    space.filter.setSpec(spec);
    ASSERT_TRUE(space.rests());
    const auto meeting = [this](double pixels) {
        return countMeeting(*document.attribute(AttributeId::area),
                            {AttributeId::area, pixels, std::numeric_limits<double>::infinity()}, {});
    };
    ASSERT_EQ(space.filter.keptNodes(), meeting(16));
    ASSERT_NE(meeting(16), meeting(4));
    const FrameResult held = document.shown().frame; // the kept page could show it again
    document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    size.setWidth(1);
    document.reading().setPage(0);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.filter.keptNodes(), meeting(4));
}

TEST_F(PixelSizes, OfAKeptPageIsThatOfItsEarlierFilters) {
    FilterStage stage;
    stage.filter.criteria = {parseCriterion("area>=4um2")};
    document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    ASSERT_NO_FATAL_FAILURE(open("pages.tif"));
    size.setWidth(0.5);
    document.choices().setEarlierFilters({stage});
    ASSERT_TRUE(space.rests());
    OpenRequest first = document.request();
    const auto before = document.input();
    document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    first.pixelSize = sized(1, 1, "µm", kSetByHand);
    QSignalSpy trees(&document, &DocumentViewModel::treeChanged);
    document.openAs(first); // as a session does
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(trees.size(), 1) << "no tree of the other size is shown";
    Workspace fresh;
    fresh.document.choices().setEarlierFilters({stage});
    fresh.document.openAs(first);
    ASSERT_TRUE(fresh.rests());
    EXPECT_FALSE(testing::samePixels(*fresh.document.input(), *before));
    EXPECT_TRUE(testing::samePixels(*document.input(), *fresh.document.input()));
}

TEST_F(PixelSizes, OfALevelHasTheRatiosOfTheLevel) {
    writeTiff(pathOf("flat.tif").toStdString(), *discs(1101, 701, {{300, 200, 50}}));
    ChunkRequest copy; // with reduced versions
    copy.source = pathOf("flat.tif").toStdString();
    copy.target = pathOf("levels.tif").toStdString();
    copy.engines = space.registry.engines();
    (void)filterImage(copy);
    OpenRequest level;
    level.path = pathOf("levels.tif");
    level.level = 1;
    document.openAs(level);
    ASSERT_TRUE(space.rests());
    const auto& levels = document.imageInfo()->levels;
    ASSERT_GT(levels.size(), 1U);
    const double x = 2.0 * levels[1].width / levels[0].width;
    const double y = 2.0 * levels[1].height / levels[0].height;
    ASSERT_NE(x, y);
    size.setSize(2, 2, QStringLiteral("µm"));
    ASSERT_TRUE(document.request().pixelSize);
    EXPECT_DOUBLE_EQ(document.request().pixelSize->x, x);
    EXPECT_DOUBLE_EQ(document.request().pixelSize->y, y);
    EXPECT_DOUBLE_EQ(size.width(), 2);
    EXPECT_DOUBLE_EQ(size.height(), 2);
}

TEST_F(PixelSizes, IsThatOfAPixelAtFullResolution) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    document.reading().setShrink(4);
    ASSERT_TRUE(space.rests());
    size.setWidth(2); // for the displayed page
    EXPECT_EQ(document.request().pixelSize, sized(0.5, 0.5, "µm", kSetByHand));
    EXPECT_EQ(document.pixelSizes().present(), sized(2, 2, "µm", kSetByHand));
    document.reading().setShrink(1);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(size.width(), 0.5);
    // Other readers of the page, for all pages or a table, get the same.
    EXPECT_EQ(document.request().options({}).pixelSize, sized(0.5, 0.5, "µm", kSetByHand));
}

TEST_F(PixelSizes, OfAFolderIsThatOfImagesWithoutOneOfTheirOwn) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    size.setScope(Scope::folder);
    size.setWidth(0.25);
    const PixelSize expected = sized(0.25, 0.25, "µm", kSetForFolder);
    EXPECT_EQ(document.pixelSizes().present(), expected);
    EXPECT_EQ(size.originText(), QStringLiteral("set for this folder; the file states none"));
    EXPECT_EQ(undo.count(), 1);
    EXPECT_EQ(undo.undoText(), QStringLiteral("pixel size of the folder"));
    for (const char* name : {"other.tif", "pages.tif"}) {
        ASSERT_NO_FATAL_FAILURE(open(name));
        EXPECT_EQ(document.pixelSizes().present(), expected) << name;
        EXPECT_EQ(size.scope(), Scope::folder);
        EXPECT_TRUE(size.canRevert());
    }
    ASSERT_NO_FATAL_FAILURE(open("stated.tif"));
    EXPECT_EQ(document.pixelSizes().present(), sized(0.5, 0.5, "µm", "ImageJ"));
    EXPECT_FALSE(size.canRevert());
    ASSERT_NO_FATAL_FAILURE(open("below/plain.tif"));
    EXPECT_FALSE(document.pixelSizes().present()) << "not of folders below";
    ASSERT_NO_FATAL_FAILURE(open("other.tif"));
    size.setScope(Scope::image);
    EXPECT_EQ(document.pixelSizes().present(), sized(0.25, 0.25, "µm", kSetByHand));
    size.setWidth(0.75);
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    EXPECT_EQ(document.pixelSizes().present(), expected) << "the other image's is its own";
    // After a restart.
    FolderSizes again(&settings);
    EXPECT_EQ(again.sizeFor(pathOf("any.tif")), expected);
    EXPECT_FALSE(again.sizeFor(pathOf("below/any.tif")));
    size.revert();
    EXPECT_FALSE(document.pixelSizes().present());
    EXPECT_FALSE(folders.sizeFor(pathOf("any.tif")));
}

TEST_F(PixelSizes, OfAFolderIsThatOfAllPagesThatAreSaved) {
    ASSERT_NO_FATAL_FAILURE(open("pages.tif"));
    size.setScope(Scope::folder);
    size.setWidth(0.5);
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=4um2")};
    space.filter.setSpec(spec);
    ASSERT_TRUE(space.rests());
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveAllPages(pathOf("all.tif"), document.pageFilter());
    ASSERT_TRUE(testing::eventually([&] { return saved.size() == 1; }));
    spec.criteria = {parseCriterion("area>=16")};
    for (int page = 0; page < 2; ++page) {
        ReadOptions options;
        options.page = page;
        const LoadedImage read = readImage(pathOf("pages.tif").toStdString(), options);
        const auto session = space.registry.select("cpu").openSession({});
        session->open(read.image);
        (void)session->buildTree({});
        Image expected(read.image->type(), read.image->width(), read.image->height());
        (void)session->filter(spec, expected);
        EXPECT_TRUE(testing::samePixels(*readImage(pathOf("all.tif").toStdString(), options).image, expected)) << page;
    }
}

TEST_F(PixelSizes, OfAFolderIsUndoneWithIt) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    size.setScope(Scope::folder);
    size.setWidth(0.25);
    size.setWidth(0.125);
    space.history.undo();
    EXPECT_EQ(document.pixelSizes().present(), sized(0.25, 0.25, "µm", kSetForFolder));
    EXPECT_EQ(folders.sizeFor(pathOf("any.tif")), document.pixelSizes().present());
    space.history.undo();
    EXPECT_FALSE(document.pixelSizes().present());
    EXPECT_FALSE(folders.sizeFor(pathOf("any.tif")));
    space.history.redo();
    EXPECT_EQ(size.scope(), Scope::folder);
    EXPECT_EQ(document.pixelSizes().present(), sized(0.25, 0.25, "µm", kSetForFolder));
}

TEST_F(PixelSizes, ThatIsSetForTheFolderHoldsForTheOpenImageToo) {
    ASSERT_NO_FATAL_FAILURE(open("stated.tif"));
    size.setScope(Scope::folder);
    size.setWidth(0.25);
    EXPECT_EQ(size.scope(), Scope::folder);
    EXPECT_EQ(size.width(), 0.25);
    EXPECT_EQ(size.originText(), QStringLiteral("set for this folder; file: 0.5 µm (ImageJ)"));
    ASSERT_NO_FATAL_FAILURE(open("stated.tif"));
    EXPECT_EQ(size.width(), 0.5) << "other images that state one keep it";
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    EXPECT_EQ(size.width(), 0.25);
}

TEST_F(PixelSizes, IsKeptInASession) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    size.setSize(0.325, 0.65, QStringLiteral("µm"));
    const QString session = pathOf("s.pollard");
    ASSERT_TRUE(space.save(session));
    Workspace later;
    ASSERT_TRUE(later.openSession(session));
    EXPECT_EQ(later.document.pixelSizes().present(), sized(0.325, 0.65, "µm", kSetByHand));
    EXPECT_EQ(later.history.stack().count(), 0);
    // With the same image open, too.
    size.revert();
    EXPECT_FALSE(document.pixelSizes().present());
    ASSERT_TRUE(space.openSession(session));
    EXPECT_EQ(document.pixelSizes().present(), sized(0.325, 0.65, "µm", kSetByHand));
}

TEST_F(PixelSizes, TheDistanceOfSlicesIsSetByHand) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    EXPECT_FALSE(size.hasDistance());
    PixelSize ofFile{0.5, 0.5, "µm", "OME-XML"};
    ofFile.z = 1.5;
    const Image volume(PixelType::u8, {20, 10, 4});
    writeTiff(pathOf("volume.tif").toStdString(), {volume, {.scene = {.pixelSize = ofFile, .axes = {{'z', 4, {}}}}}});
    document.open(pathOf("volume.tif"));
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(document.isVolume());
    EXPECT_TRUE(size.hasDistance());
    EXPECT_EQ(size.distance(), 1.5);
    size.setDistance(3);
    ASSERT_TRUE(document.pixelSizes().present());
    EXPECT_EQ(document.pixelSizes().present()->x, 0.5);
    EXPECT_EQ(document.pixelSizes().present()->z, 3);
    EXPECT_EQ(document.pixelSizes().voxelSides(), (VoxelSides{1, 1, 6}));
    size.setWidth(1);
    EXPECT_EQ(size.distance(), 3) << "another side leaves it";
    size.setDistance(-1);
    EXPECT_EQ(size.distance(), 3);
    size.setUnit(QStringLiteral("mm"));
    EXPECT_EQ(size.distance(), 3) << "the numbers stay";
    EXPECT_EQ(document.pixelSizes().present()->unit, "mm");
    const QString session = pathOf("s.pollard");
    ASSERT_TRUE(space.save(session));
    Workspace later;
    ASSERT_TRUE(later.openSession(session));
    ASSERT_TRUE(later.document.pixelSizes().present());
    EXPECT_EQ(later.document.pixelSizes().present()->z, 3);
    size.setScope(Scope::folder);
    EXPECT_EQ(FolderSizes(&settings).sizeFor(pathOf("any.tif"))->z, 3);
    size.revert();
    EXPECT_EQ(size.distance(), 1.5);
}

TEST_F(PixelSizes, OfAFolderIsKeptInASessionForOtherComputers) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    size.setScope(Scope::folder);
    size.setWidth(0.25);
    ASSERT_TRUE(space.save(pathOf("s.pollard")));
    Workspace elsewhere;
    ASSERT_TRUE(elsewhere.openSession(pathOf("s.pollard")));
    EXPECT_EQ(elsewhere.document.pixelSizes().present(), sized(0.25, 0.25, "µm", kSetByHand));
    ASSERT_TRUE(space.openSession(pathOf("s.pollard")));
    EXPECT_TRUE(folders.sizeFor(pathOf("any.tif"))) << "that of the folder stays";
}

TEST_F(PixelSizes, IsNotWrittenIntoRecipesForOtherImages) {
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    space.filter.setMinimum(5);
    ASSERT_TRUE(space.rests());
    const Recipe before = window.recipe.recipe();
    size.setWidth(0.325);
    EXPECT_EQ(window.recipe.recipe(), before);
    EXPECT_THAT(toJson(window.recipe.recipe()), Not(HasSubstr("pixel_size")));
    EXPECT_FALSE(window.textAt(0).contains("pixel_size"));
    EXPECT_TRUE(window.recipe.commandLine().contains("--pixel-size 0.325um")) << "it is for this image";
    // A recipe with another reading does not change the size, and one with a size sets it.
    EXPECT_EQ(window.recipe.edit(0, R"({"id": "read", "version": 2, "parameters": {"shrink": 2}})"), QString());
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(document.request().shrink, 2);
    EXPECT_EQ(size.width(), 0.65);
    QSignalSpy documents(&document, &DocumentViewModel::imageChanged);
    EXPECT_EQ(window.recipe.edit(0, R"({"id": "read", "version": 3, "parameters":
        {"shrink": 2, "pixel_size": {"x": 3, "y": 4, "unit": "mm"}}})"),
              QString());
    EXPECT_EQ(document.pixelSizes().present(), sized(6, 8, "mm", kSetByHand));
    EXPECT_EQ(documents.size(), 0);
    EXPECT_EQ(window.recipe.takeOver(before, QStringLiteral("r.json")), QString());
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(document.pixelSizes().present(), sized(3, 4, "mm", kSetByHand));
}

TEST_F(PixelSizes, IsFoundByALineOfKnownLength) {
    EXPECT_EQ(PixelSizeViewModel::sideOf(50, 200), 0.25);
    EXPECT_EQ(PixelSizeViewModel::sideOf(50, 0), 0);
    EXPECT_EQ(PixelSizeViewModel::sideOf(0, 50), 0);
    EXPECT_EQ(PixelSizeViewModel::sideOf(1e300, 1), 0);
    size.setMeasuring(true);
    EXPECT_FALSE(size.isMeasuring()) << "nothing is open";
    ASSERT_NO_FATAL_FAILURE(open("plain.tif"));
    QSignalSpy drawn(&size, &PixelSizeViewModel::lineDrawn);
    size.beginLine({1, 1});
    EXPECT_FALSE(size.line()) << "the tool is not chosen";
    size.setMeasuring(true);
    size.beginLine({2, 3});
    size.moveLine({12, 5}, true);
    EXPECT_EQ(size.line(), QLineF(2, 3, 12, 3)) << "nearer to the side";
    size.moveLine({4, 9}, true);
    EXPECT_EQ(size.line(), QLineF(2, 3, 2, 9));
    size.moveLine({5, 7}, false);
    size.finishLine();
    ASSERT_EQ(drawn.size(), 1);
    EXPECT_EQ(drawn[0][0].toDouble(), 5);
    size.forgetLine();
    size.beginLine({2, 3});
    size.finishLine();
    EXPECT_EQ(drawn.size(), 1) << "a click";
    EXPECT_FALSE(size.line());
    size.finishLine();
    ASSERT_EQ(drawn.size(), 2) << "typed";
    EXPECT_EQ(drawn[1][0].toDouble(), 0);
    document.close();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(size.isMeasuring());
}

TEST(FolderSizes, AreTheLatestOfABoundedList) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    FolderSizes sizes(&settings);
    const auto file = [](std::size_t i) { return QStringLiteral("/pictures/%1/a.tif").arg(i); };
    for (std::size_t i = 0; i < FolderSizes::kMaxFolders + 3; ++i) {
        sizes.setFor(file(i), PixelSize{1.0 + static_cast<double>(i), 2, "µm", "any"});
    }
    EXPECT_EQ(sizes.count(), FolderSizes::kMaxFolders);
    EXPECT_FALSE(sizes.sizeFor(file(2)));
    EXPECT_EQ(sizes.sizeFor(file(3)), sized(4, 2, "µm", kSetForFolder));
    sizes.setFor(file(3), PixelSize{9, 9, "m", ""}); // the latest
    sizes.setFor(file(1000), PixelSize{1, 1, "m", ""});
    EXPECT_TRUE(sizes.sizeFor(file(3)));
    EXPECT_FALSE(sizes.sizeFor(file(4)));
    const FolderSizes again(&settings);
    EXPECT_EQ(again.count(), FolderSizes::kMaxFolders);
    EXPECT_EQ(again.sizeFor(file(3)), sized(9, 9, "m", kSetForFolder));
    EXPECT_EQ(again.sizeFor(file(1000)), sized(1, 1, "m", kSetForFolder));
    sizes.setFor(file(3), std::nullopt);
    EXPECT_FALSE(sizes.sizeFor(file(3)));
    EXPECT_FALSE(sizes.sizeFor({}));
    sizes.clear();
    EXPECT_EQ(FolderSizes(&settings).count(), 0U);
}

TEST(FolderSizes, LeaveOutWhatIsNoSize) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    settings.setValue("pixelSizes/folders",
                      R"([{"folder": "/a", "x": 1, "y": 2, "unit": "m"}, {"folder": "/b", "x": 0, "y": 2, "unit": "m"},
                          {"folder": "/c", "x": 1, "y": 2, "unit": "inch"}, {"x": 1, "y": 2, "unit": "m"}, 7,
                          {"folder": "/d", "x": "1", "y": 2, "unit": "m"}])");
    const FolderSizes sizes(&settings);
    EXPECT_EQ(sizes.count(), 1U);
    EXPECT_EQ(sizes.sizeFor("/a/x.tif"), sized(1, 2, "m", kSetForFolder));
    settings.setValue("pixelSizes/folders", "[{");
    EXPECT_EQ(FolderSizes(&settings).count(), 0U);
}

} // namespace
} // namespace pollard::vm
