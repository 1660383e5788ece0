// The dialog that applies a recipe to many files.
#include "app/test_window.hpp"

#include "io/tiff/tiff_writer.hpp"
#include "recipe/presets.hpp"
#include "window/dialogs/batch_dialog.hpp"
#include "window/dialogs/command_palette.hpp"

#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>
#include <QTreeWidget>
#include <QUrl>

namespace pollard::app {
namespace {

class BatchWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;

    void SetUp() override {
        writeTiff(pathOf("a.tif").toStdString(), *makeNoise(32), {});
        writeTiff(pathOf("b.tif").toStdString(), *makeNoise(48), {});
    }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] BatchDialog& show() {
        test.part<QAction>("applyToFolder")->trigger();
        return *test.part<BatchDialog>("batchDialog");
    }
    template <class T> [[nodiscard]] static T& part(BatchDialog& dialog, const char* name) {
        return *dialog.findChild<T*>(QLatin1String(name));
    }
    static void drop(QWidget& target, const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths) {
            urls << QUrl::fromLocalFile(path);
        }
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&target, &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&target, &event);
    }
    [[nodiscard]] static bool runs(BatchDialog& dialog) {
        auto& start = part<QPushButton>(dialog, "batchStart");
        if (!QTest::qWaitFor([&] { return start.isEnabled(); }, kPatience)) {
            return false;
        }
        QTest::mouseClick(&start, Qt::LeftButton);
        auto& open = part<QPushButton>(dialog, "batchShowFolder");
        return QTest::qWaitFor([&] { return open.isVisible(); }, kPatience);
    }
};

TEST_F(BatchWindow, IsFoundByTheWordBatch) {
    QTest::keyClick(&test.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = test.part<CommandPalette>("commandPalette");
    QTest::keyClicks(palette->findChild<QLineEdit*>(QStringLiteral("commandQuery")), QStringLiteral("batch"));
    const auto* list = palette->findChild<QTreeWidget*>(QStringLiteral("commandList"));
    ASSERT_GT(list->topLevelItemCount(), 0);
    EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("Apply to a folder"));
    palette->reject();
}

TEST_F(BatchWindow, AppliesAPresetToDroppedFilesAndOpensAResult) {
    BatchDialog& dialog = show();
    EXPECT_EQ(&show(), &dialog) << "one dialog";
    auto& source = part<QComboBox>(dialog, "batchSource");
    EXPECT_EQ(source.count(), static_cast<int>(allPresets().size())) << "without a picture";
    EXPECT_FALSE(part<QPushButton>(dialog, "batchStart").isEnabled());
    drop(dialog, {pathOf("a.tif")});
    drop(dialog, {pathOf("b.tif")});
    ASSERT_TRUE(runs(dialog));
    EXPECT_EQ(part<QLabel>(dialog, "batchCount").text(), QStringLiteral("2 done"));
    EXPECT_FALSE(part<QPushButton>(dialog, "batchOpenTable").isEnabled()) << "the preset has no objects";
    auto& files = part<QTableView>(dialog, "batchList");
    const QPoint second = files.visualRect(files.model()->index(1, 0)).center();
    QTest::mouseClick(files.viewport(), Qt::LeftButton, Qt::NoModifier, second);
    EXPECT_TRUE(part<QPushButton>(dialog, "batchOpen").isEnabled());
    QTest::mouseDClick(files.viewport(), Qt::LeftButton, Qt::NoModifier, second);
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == pathOf("pollard/b.tif"); }, kPatience));
    ASSERT_TRUE(test.settle());
}

TEST_F(BatchWindow, OpensWithTheImagesOfAFolderThatIsDroppedOnTheWindow) {
    drop(test.window, {folder.path()});
    auto& dialog = *test.part<BatchDialog>("batchDialog");
    const auto& count = part<QLabel>(dialog, "batchCount");
    EXPECT_TRUE(QTest::qWaitFor([&] { return count.text() == QStringLiteral("2 files"); }, kPatience));
    EXPECT_FALSE(test.models.document.hasImage());
    EXPECT_TRUE(test.errors.texts.isEmpty());
}

TEST_F(BatchWindow, FollowsTheWorkOnThePictureAndNamesWhatIsWrong) {
    BatchDialog& dialog = show();
    auto& source = part<QComboBox>(dialog, "batchSource");
    const int presets = source.count();
    test.window.openFile(pathOf("a.tif"));
    ASSERT_TRUE(test.settle());
    ASSERT_EQ(source.count(), presets + 1);
    EXPECT_EQ(source.currentIndex(), 1) << "the preset stays";
    source.setCurrentIndex(0);
    EXPECT_EQ(source.currentText(), QStringLiteral("Steps just done to a.tif"));
    test.models.filter.setRange(5, 400); // after the dialog opened
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(part<QCheckBox>(dialog, "batchResume").isEnabled());
    drop(dialog, {pathOf("a.tif")});
    auto& target = part<QLineEdit>(dialog, "batchTarget");
    ASSERT_TRUE(QTest::qWaitFor([&] { return target.text() == pathOf("pollard"); }, kPatience));
    target.setFocus();
    target.selectAll();
    QTest::keyClicks(&target, folder.path());
    ASSERT_TRUE(runs(dialog));
    EXPECT_TRUE(part<QLabel>(dialog, "batchProblem").text().contains(QLatin1String("is also an input")));
    target.selectAll();
    QTest::keyClicks(&target, pathOf("out"));
    ASSERT_TRUE(runs(dialog));
    const auto& count = part<QLabel>(dialog, "batchCount");
    ASSERT_TRUE(QTest::qWaitFor([&] { return count.text() == QStringLiteral("1 done"); }, kPatience));
    const auto image = readImage(pathOf("out/a.tif").toStdString()).image;
    const SharedImage shown = test.models.document.result();
    ASSERT_EQ(image->bytes(), shown->bytes());
    EXPECT_EQ(std::memcmp(image->data(), shown->data(), image->bytes()), 0);
    test.models.document.close();
    EXPECT_EQ(source.count(), presets);
    EXPECT_TRUE(dialog.isVisible());
    QTest::keyClick(&dialog, Qt::Key_Escape);
    EXPECT_FALSE(dialog.isVisible());
}

} // namespace
} // namespace pollard::app
