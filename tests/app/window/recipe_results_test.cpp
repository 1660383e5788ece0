// Objects and contours as steps of the recipe in the real window: shown, loaded, and with the same files as the command
// line.
#include "app/test_window.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "recipe/results/recipe_outputs.hpp"
#include "support/result_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"

#include <QDockWidget>
#include <QFile>
#include <QListView>
#include <QProcess>
#include <QToolButton>

#include <type_traits>

namespace pollard::app {
namespace {

class RecipeResults : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;
    vm::RecipeViewModel* recipe = nullptr;

    [[nodiscard]] QString pathOf(const QString& name) const { return folder.filePath(name); }
    [[nodiscard]] static QByteArray bytesOf(const QString& path) {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        return file.readAll();
    }
    void SetUp() override {
        std::mt19937 random(5);
        const SharedImage image = makeImage(PixelType::u8, 80, 60, [&](std::uint32_t x, std::uint32_t y) {
            const bool in = (x >= 10 && x < 30 && y >= 12 && y < 40) || (x >= 45 && x < 70 && y >= 20 && y < 52);
            return (in ? 170 : 60) + static_cast<int>(random() % 30);
        });
        writeTiff(pathOf(QStringLiteral("a.tif")).toStdString(), *image);
        test.window.openFile(pathOf(QStringLiteral("a.tif")));
        ASSERT_TRUE(test.settle() && test.models.document.hasImage());
        recipe = test.window.findChild<vm::RecipeViewModel*>();
    }
    [[nodiscard]] QDockWidget* dock(const char* name) { return test.part<QDockWidget>(name); }
    void show(const char* name) {
        dock(name)->show();
        dock(name)->raise();
        QCoreApplication::processEvents();
    }
    [[nodiscard]] bool objectsRest() {
        return QTest::qWaitFor(
            [&] {
                const auto listing = test.models.objectTable.listing();
                return test.models.objects.state() == vm::ObjectsViewModel::State::ready && listing &&
                       !test.models.objectTable.isListing() && listing->found == test.models.objects.objects();
            },
            kPatience);
    }
    [[nodiscard]] bool contoursEnd() {
        const auto rest = [&] {
            return QTest::qWaitFor(
                [&] { return test.models.contours.runs().current() >= 0 && !test.models.contours.isComputing(); },
                kPatience);
        };
        if (!rest()) {
            return false;
        }
        test.models.contours.playback().toEnd();
        return rest() && QTest::qWaitFor([&] { return test.models.contours.runs().isFinished(); }, kPatience);
    }
    /// A recipe with all files of both steps.
    [[nodiscard]] static std::vector<RecipeStep> allSteps() {
        ObjectsStep objects;
        objects.of = StepImage::original;
        objects.condition = "area > 50";
        objects.order = ObjectFeature::area;
        objects.files = testing::writtenKinds(kObjectFiles);
        ContoursStep contours;
        contours.of = StepImage::original;
        contours.fromObjects = true;
        contours.files = testing::writtenKinds(kContourFiles);
        return {FilterStep{}, objects, contours};
    }
    void load(const std::vector<RecipeStep>& steps) {
        const QString file = pathOf(QStringLiteral("loaded.json"));
        saveRecipe({"loaded", "", "", steps}, file.toStdString());
        ASSERT_EQ(recipe->takeOver(loadRecipe(file.toStdString()), file), QString());
    }
};

TEST_F(RecipeResults, AreRowsWithACheckBoxOnceTheirPanelsAreLookedAt) {
    show("recipeDock");
    ASSERT_EQ(recipe->rowCount(), 3);
    show("objectsDock");
    ASSERT_TRUE(objectsRest());
    ASSERT_EQ(recipe->rowCount(), 4);
    auto* steps = test.part<QListView>("recipeSteps");
    steps->setCurrentIndex(recipe->index(3));
    steps->setFocus();
    QTest::keyClick(steps, Qt::Key_Space);
    EXPECT_EQ(recipe->recipe().steps.size(), 3U);
    QTest::keyClick(steps, Qt::Key_Space);
    EXPECT_EQ(recipe->recipe().steps.size(), 4U);
    show("contourDock");
    EXPECT_EQ(recipe->rowCount(), 3) << "objects that were only looked at are no step";
    test.models.objects.setOption(&ObjectRule::fillHoles, true);
    ASSERT_EQ(recipe->rowCount(), 4) << "used objects stay when another panel covers theirs";
    steps->setCurrentIndex(recipe->index(3));
    test.part<QToolButton>("recipeRemove")->click();
    EXPECT_EQ(recipe->rowCount(), 3);
}

TEST_F(RecipeResults, OfALoadedRecipeBringTheirPanelsToTheFront) {
    load(allSteps());
    ASSERT_TRUE(contoursEnd());
    EXPECT_TRUE(dock("contourDock")->isVisible());
    EXPECT_EQ(test.models.contours.runs().contourCount(), 2);
    EXPECT_EQ(test.models.objectTable.condition(), QStringLiteral("area > 50"));
    EXPECT_EQ(recipe->rowCount(), 5);
}

#ifdef POLLARD_CLI_BINARY
TEST_F(RecipeResults, AreTheFilesThatTheCommandLineWrites) {
    load(allSteps());
    ASSERT_TRUE(contoursEnd());
    show("objectsDock");
    ASSERT_TRUE(objectsRest());
    const QString saved = pathOf(QStringLiteral("saved.json"));
    saveRecipe(recipe->recipe(), saved.toStdString());
    QProcess cli;
    cli.start(QStringLiteral(POLLARD_CLI_BINARY), {QStringLiteral("run"), saved, pathOf(QStringLiteral("a.tif")),
                                                   QStringLiteral("-o"), pathOf(QStringLiteral("out"))});
    ASSERT_TRUE(cli.waitForFinished(kPatience));
    ASSERT_EQ(cli.exitCode(), 0) << cli.readAllStandardError().toStdString();
    const auto save = [](auto& writer, auto file, const QString& path) {
        if constexpr (std::is_same_v<decltype(file), ObjectFile>) {
            if (file == ObjectFile::table) {
                writer.savePixelTable(path); // the shown table has other columns
                return;
            }
        }
        writer.save(file, path);
    };
    const auto compare = [&](auto& writer, auto file, const char* stem) {
        const QString extension = QString::fromUtf8(extensionOf(file).data());
        const QString mine = pathOf(QStringLiteral("mine.") + extension);
        save(writer, file, mine);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !writer.isBusy(); }, kPatience));
        const QByteArray bytes = bytesOf(mine);
        EXPECT_FALSE(bytes.isEmpty());
        EXPECT_TRUE(bytes == bytesOf(pathOf(QStringLiteral("out/a-%1.%2").arg(QLatin1String(stem), extension))))
            << stem << '.' << extension.toStdString();
    };
    for (const ObjectFile file : testing::writtenKinds(kObjectFiles)) {
        compare(test.models.objectExport, file, "objects");
    }
    for (const ContourFile file : testing::writtenKinds(kContourFiles)) {
        compare(test.models.contourExport, file, "contour");
    }
}
#endif

} // namespace
} // namespace pollard::app
