// Sessions, undo and recipes of volumes.
#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

constexpr Extent kExtent{15, 12, 7};

FilterSpec keeping(const char* criterion) {
    FilterSpec spec;
    spec.criteria = {parseCriterion(criterion)};
    return spec;
}

class VolumeSession : public ::testing::Test {
protected:
    QTemporaryDir folder;
    testing::RecipeWindow window;
    testing::Workspace& space = window.space;
    QString image = folder.filePath("volume.nii");

    void SetUp() override {
        testing::Random random(11);
        Image volume(PixelType::u8, kExtent);
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(random() % 6 * 40);
        }
        writeVoxels(image.toStdString(), volume);
    }
    [[nodiscard]] QString path(const char* name) const { return folder.filePath(name); }
    [[nodiscard]] QByteArray textOf(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] static bool shows(testing::Workspace& any, int slice) {
        any.document.setSlice(slice);
        return testing::eventually([&] { return any.document.shown().slice == static_cast<std::uint32_t>(slice); });
    }
    void filterIt() {
        ASSERT_TRUE(space.open(image));
        ASSERT_TRUE(space.document.isVolume());
        space.document.choices().setTreeKind(TreeKind::min);
        space.document.choices().setConnectivity(Connectivity::eighteen);
        space.filter.setSpec(keeping("slices_px>=2"));
        ASSERT_TRUE(space.rests());
        const std::uint32_t node = space.document.tree()->pixelNode[space.document.shown().firstPixel() + 40];
        space.filter.picks().pick(space.document.tree()->canonical[node], PicksModel::PickEffect::removed);
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(VolumeSession, IsSavedWithItsSlice) {
    ASSERT_NO_FATAL_FAILURE(filterIt());
    ASSERT_TRUE(shows(space, 1));
    ASSERT_TRUE(space.save(path("volume.pollard")));
    EXPECT_THAT(textOf("volume.pollard").toStdString(),
                ::testing::AllOf(::testing::HasSubstr("\"pollard_session\": 5"),
                                 ::testing::HasSubstr("\"volume\": true"), ::testing::HasSubstr("\"slice\": 1")));
    testing::Workspace other;
    ASSERT_TRUE(other.openSession(path("volume.pollard")));
    ASSERT_TRUE(testing::eventually([&] { return other.document.shown().slice == 1; }));
    ASSERT_TRUE(other.rests());
    EXPECT_TRUE(other.document.isVolume());
    EXPECT_EQ(other.document.slice(), 1);
    EXPECT_EQ(other.document.shown().treeSpec, space.document.shown().treeSpec);
    EXPECT_EQ(other.filter.spec(), space.filter.spec());
    EXPECT_TRUE(testing::samePixels(*other.document.result(), *space.document.result()));
    ASSERT_TRUE(other.save(path("again.pollard")));
    EXPECT_EQ(textOf("again.pollard"), textOf("volume.pollard"));
}

TEST_F(VolumeSession, OfPagesKeepsTheFirstVersion) {
    ASSERT_TRUE(space.open(image));
    space.document.setVolume(false);
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.save(path("pages.pollard")));
    const std::string text = textOf("pages.pollard").toStdString();
    EXPECT_THAT(text, ::testing::HasSubstr("\"pollard_session\": 1"));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("\"volume\"")));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("\"slice\"")));
    testing::Workspace other;
    ASSERT_TRUE(other.openSession(path("pages.pollard")));
    EXPECT_FALSE(other.document.isVolume());
    EXPECT_EQ(other.document.page(), space.document.page());
}

TEST_F(VolumeSession, SlicesAreNoEdits) {
    ASSERT_NO_FATAL_FAILURE(filterIt());
    const int edits = space.history.stack().count();
    const FilterSpec before = space.filter.spec();
    ASSERT_TRUE(shows(space, 5));
    ASSERT_TRUE(shows(space, 0));
    EXPECT_EQ(space.history.stack().count(), edits);
    space.filter.setSpec(keeping("area>=9"));
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(shows(space, 4));
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.filter.spec(), before);
    EXPECT_EQ(space.document.slice(), 4);
    EXPECT_EQ(space.document.resultSpec(), before);
}

TEST_F(VolumeSession, IsARecipeOfAllSlices) {
    ASSERT_NO_FATAL_FAILURE(filterIt());
    space.filter.picks().clear(); // recipes have none
    ASSERT_TRUE(space.rests());
    const Recipe recipe = parseRecipe(toJson(window.recipe.recipe()));
    EXPECT_TRUE(readsVolume(recipe));
    EXPECT_EQ(recipe, window.recipe.recipe());
    const RecipeResult result =
        runRecipe(recipe, readVolume(image.toStdString(), readOptionsOf(recipe)), space.registry.select("cpu"));
    for (int z = 0; z < static_cast<int>(kExtent.slices); ++z) {
        ASSERT_TRUE(shows(space, z));
        ASSERT_TRUE(
            testing::samePixels(*space.document.result(), sliceOf(*result.image, static_cast<std::uint32_t>(z))))
            << z;
    }
    EXPECT_THAT(
        window.recipe.commandLine().toStdString(),
        ::testing::AllOf(::testing::HasSubstr("--at z=volume --tree min"), ::testing::HasSubstr("--connectivity 18")));
    testing::RecipeWindow other;
    ASSERT_TRUE(other.space.open(image));
    other.space.document.setVolume(false);
    ASSERT_TRUE(other.space.rests());
    ASSERT_EQ(other.recipe.takeOver(recipe, path("recipe.json")), QString());
    ASSERT_TRUE(other.space.rests());
    EXPECT_TRUE(other.space.document.isVolume());
    EXPECT_EQ(other.space.filter.spec(), space.filter.spec());
    EXPECT_EQ(other.space.document.shown().treeSpec, space.document.shown().treeSpec);
    ASSERT_EQ(other.recipe.takeOver(recipe, path("recipe.json")), QString()) << "again, on the volume";
    ASSERT_TRUE(other.space.rests());
    EXPECT_TRUE(other.space.document.isVolume());
}

TEST_F(VolumeSession, HasItsRegionInEverySlice) {
    ASSERT_NO_FATAL_FAILURE(filterIt());
    space.filter.picks().clear();
    RegionShape shape;
    shape.kind = RegionShape::Kind::rectangle;
    shape.points = {{2, 3}, {11, 9}};
    space.region.setState({{shape}, -1, false});
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.document.choices().domain());
    const Recipe recipe = parseRecipe(toJson(window.recipe.recipe()));
    const RecipeResult result =
        runRecipe(recipe, readVolume(image.toStdString(), readOptionsOf(recipe)), space.registry.select("cpu"));
    for (int z = 0; z < static_cast<int>(kExtent.slices); ++z) {
        ASSERT_TRUE(shows(space, z));
        ASSERT_TRUE(
            testing::samePixels(*space.document.result(), sliceOf(*result.image, static_cast<std::uint32_t>(z))))
            << z;
    }
    ASSERT_TRUE(space.save(path("region.pollard")));
    testing::Workspace other;
    ASSERT_TRUE(other.openSession(path("region.pollard")));
    ASSERT_TRUE(shows(other, 2));
    ASSERT_TRUE(shows(space, 2));
    EXPECT_TRUE(testing::samePixels(*other.document.result(), *space.document.result()));
}

} // namespace
} // namespace pollard::vm
