// The dialog with the DICOM series of a folder.
#include "app/test_window.hpp"

#include "batch/input_files.hpp"
#include "core/io/volumes/dicom_files.hpp"
#include "window/dialogs/document_dialogs.hpp"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>

namespace pollard::app {
namespace {

void write(const QString& path, const std::string& bytes) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(bytes));
}

bool hasEnded(const SeriesDialog& dialog) {
    return QTest::qWaitFor([&] { return dialog.findChild<QProgressBar*>()->isHidden(); }, kPatience);
}

TEST(SeriesDialogs, ListSeriesAndNameAFile) {
    const QTemporaryDir folder;
    QDir(folder.path()).mkdir(QStringLiteral("scan"));
    for (int i = 0; i < 3; ++i) {
        write(folder.filePath(QStringLiteral("scan/IM%1").arg(i)), pollard::test::dicomSlice(i, 7).bytes());
    }
    write(folder.filePath(QStringLiteral("other")), pollard::test::dicomSlice(0, 7, "8.8").bytes());
    SeriesDialog dialog(QStringList{folder.path()});
    dialog.show();
    ASSERT_TRUE(hasEnded(dialog));
    auto* series = dialog.findChild<QTreeWidget*>(QStringLiteral("series"));
    ASSERT_EQ(series->topLevelItemCount(), 2);
    EXPECT_EQ(dialog.file(), folder.filePath(QStringLiteral("other"))) << "the first one is chosen";
    const QTreeWidgetItem& second = *series->topLevelItem(1);
    EXPECT_EQ(second.text(0), QStringLiteral("series 4 (CT)"));
    EXPECT_EQ(second.text(2), QStringLiteral("4 × 3 × 3"));
    EXPECT_EQ(second.text(3), QStringLiteral("3"));
    EXPECT_EQ(second.text(5), QStringLiteral("scan"));
    series->setCurrentItem(series->topLevelItem(1));
    EXPECT_EQ(dialog.file(), folder.filePath(QStringLiteral("scan/IM0")));
    dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->click();
    EXPECT_EQ(dialog.result(), QDialog::Accepted);
    TestWindow test;
    test.window.openFile(dialog.file());
    ASSERT_TRUE(test.settle());
    ASSERT_TRUE(test.models.document.isVolume());
    EXPECT_EQ(test.models.document.sliceCount(), 3);
}

TEST(SeriesDialogs, SayThatThereIsNone) {
    const QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("text.txt")), "no image");
    SeriesDialog dialog(QStringList{folder.path()});
    dialog.show();
    ASSERT_TRUE(hasEnded(dialog));
    EXPECT_TRUE(dialog.file().isEmpty());
    EXPECT_FALSE(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->isEnabled());
    EXPECT_EQ(dialog.findChild<QLabel*>(QStringLiteral("seriesState"))->text(),
              QStringLiteral("\"%1\" is a folder. Open one of its files.").arg(QDir(folder.path()).dirName()));
}

TEST(SeriesDialogs, ListPlatesAndFilesAndOpenASingleOne) {
    const QTemporaryDir folder;
    QDir(folder.path()).mkpath(QStringLiteral("screen.zarr/A/1/0"));
    write(folder.filePath(QStringLiteral("screen.zarr/.zattrs")),
          R"({"plate": {"wells": [{"path": "A/1"}, {"path": "B/2"}]}})");
    write(folder.filePath(QStringLiteral("screen.zarr/.zgroup")), R"({"zarr_format": 2})");
    write(folder.filePath(QStringLiteral("screen.zarr/A/1/0/0.pgm")), "P5\n1 1\n255\n\1"); // no image of the folder
    if (imagesListedBy(folder.filePath(QStringLiteral("screen.zarr")).toStdString()).paths.empty()) {
        GTEST_SKIP() << "a build without Zarr";
    }
    {
        SeriesDialog dialog(QStringList{folder.path()});
        dialog.show();
        EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.result() == QDialog::Accepted; }, kPatience));
        EXPECT_EQ(dialog.file(), folder.filePath(QStringLiteral("screen.zarr")));
    }
    QDir(folder.path()).mkdir(QStringLiteral("day"));
    write(folder.filePath(QStringLiteral("day/b.pgm")), "P5\n1 1\n255\n\1");
    write(folder.filePath(QStringLiteral("day/notes.txt")), "no image");
    SeriesDialog dialog(QStringList{folder.path()});
    dialog.show();
    ASSERT_TRUE(hasEnded(dialog));
    auto* list = dialog.findChild<QTreeWidget*>(QStringLiteral("series"));
    ASSERT_EQ(list->topLevelItemCount(), 2);
    EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("screen.zarr"));
    EXPECT_EQ(list->topLevelItem(0)->text(2), QStringLiteral("2 images"));
    EXPECT_EQ(list->topLevelItem(1)->text(0), QStringLiteral("b.pgm"));
    EXPECT_EQ(list->topLevelItem(1)->text(5), QStringLiteral("day"));
    dialog.findChild<QPushButton*>(QStringLiteral("seriesBatch"))->click();
    EXPECT_EQ(dialog.result(), SeriesDialog::kApplyToAll);
}

} // namespace
} // namespace pollard::app
