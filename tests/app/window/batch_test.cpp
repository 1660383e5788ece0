// The dialog that applies a recipe to many files.
#include "app/support/gated_engine.hpp"
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "recipe/presets.hpp"
#include "window/dialogs/batch_dialog.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/dialogs/leave_question.hpp"

#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QTableView>
#include <QTimer>
#include <QTreeWidget>
#include <QUrl>

#include <future>
#include <optional>

namespace pollard::app {
namespace {

class BatchWindow : public ::testing::Test {
protected:
    explicit BatchWindow(std::unique_ptr<Engine> engine = nullptr) : test(std::move(engine)) {}

    QTemporaryDir folder;
    TestWindow test;

    void SetUp() override {
        writeTiff(pathOf("a.tif").toStdString(), *makeNoise(32));
        writeTiff(pathOf("b.tif").toStdString(), *makeNoise(48));
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
    EXPECT_EQ(source.count(), static_cast<int>(allPresets().size())) << "without an image";
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
    auto* all = test.part<QPushButton>("seriesBatch");
    ASSERT_NE(all, nullptr);
    all->click();
    auto& dialog = *test.part<BatchDialog>("batchDialog");
    const auto& count = part<QLabel>(dialog, "batchCount");
    EXPECT_TRUE(QTest::qWaitFor([&] { return count.text() == QStringLiteral("2 files"); }, kPatience));
    EXPECT_FALSE(test.models.document.hasImage());
    EXPECT_TRUE(test.errors.texts.isEmpty());
}

TEST_F(BatchWindow, FollowsTheWorkOnTheImageAndNamesWhatIsWrong) {
    BatchDialog& dialog = show();
    auto& source = part<QComboBox>(dialog, "batchSource");
    const int presets = source.count();
    test.window.openFile(pathOf("a.tif"));
    ASSERT_TRUE(test.settle());
    ASSERT_EQ(source.count(), presets + 1);
    EXPECT_EQ(source.currentIndex(), 1) << "the preset stays";
    EXPECT_EQ(source.itemText(0), QStringLiteral("Steps just done to a.tif: none yet"));
    test.models.filter.setRange(5, 400); // after the dialog opened
    ASSERT_TRUE(test.settle());
    source.setCurrentIndex(0);
    EXPECT_EQ(source.currentText(), QStringLiteral("Steps just done to a.tif"));
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

TEST_F(BatchWindow, OffersTheStepsJustDoneOnlyIfThereAreSome) {
    test.window.openFile(pathOf("a.tif"));
    ASSERT_TRUE(test.settle());
    BatchDialog& dialog = show();
    auto& source = part<QComboBox>(dialog, "batchSource");
    const auto isOffered = [&source] { return (source.model()->index(0, 0).flags() & Qt::ItemIsEnabled) != 0; };
    EXPECT_FALSE(isOffered());
    EXPECT_EQ(source.itemText(0), QStringLiteral("Steps just done to a.tif: none yet"));
    EXPECT_EQ(source.currentIndex(), 1) << "the first preset";
    dialog.close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);

    test.models.filter.setMinimum(5);
    ASSERT_TRUE(test.settle());
    BatchDialog& again = show();
    auto& now = part<QComboBox>(again, "batchSource");
    EXPECT_EQ(now.currentText(), QStringLiteral("Steps just done to a.tif"));
    drop(again, {pathOf("a.tif")});
    auto& start = part<QPushButton>(again, "batchStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return start.isEnabled(); }, kPatience));
    test.part<QAction>("undo")->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(now.currentText(), QStringLiteral("Steps just done to a.tif: none yet"));
    EXPECT_FALSE(start.isEnabled());
    test.models.objects.setActive(true);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(now.currentText(), QStringLiteral("Steps just done to a.tif")) << "objects are steps, too";
    EXPECT_TRUE(start.isEnabled());
}

/// A batch whose first file waits at a gate.
class RunningBatch : public BatchWindow {
protected:
    explicit RunningBatch(std::promise<void> gate = {})
        : BatchWindow(std::make_unique<testing::GatedEngine>(gate.get_future().share())), gate_(std::move(gate)) {}
    ~RunningBatch() override { open(); }

    std::promise<void> gate_;
    bool isOpen_ = false;
    int asked_ = 0;

    void SetUp() override {
        BatchWindow::SetUp();
        BatchDialog& dialog = show();
        drop(dialog, {folder.path()});
        auto& start = part<QPushButton>(dialog, "batchStart");
        ASSERT_TRUE(QTest::qWaitFor([&] { return start.isEnabled(); }, kPatience));
        QTest::mouseClick(&start, Qt::LeftButton);
        ASSERT_FALSE(start.isEnabled());
    }
    void TearDown() override { open(); }
    void open() {
        if (!std::exchange(isOpen_, true)) {
            gate_.set_value();
        }
    }
    /// Answers the question, which runs an event loop, as soon as it is on the screen.
    void answer(const QString& button) {
        auto* timer = new QTimer(&test.window);
        QObject::connect(timer, &QTimer::timeout, &test.window, [this, timer, button] {
            auto* box = test.window.findChild<QMessageBox*>(QStringLiteral("leaveBatch"));
            if (box == nullptr || !box->isVisible() || !box->windowHandle()->isExposed()) {
                return;
            }
            timer->deleteLater();
            ++asked_;
            EXPECT_EQ(box->text(), QStringLiteral("0 of 2 files are done. Stop the batch and leave?"));
            EXPECT_EQ(box->informativeText(), QStringLiteral("Finished files stay."));
            EXPECT_TRUE(testing::unexplainedControls(*box).isEmpty());
            EXPECT_TRUE(testing::cutTexts(*box).isEmpty());
            for (QAbstractButton* each : box->buttons()) {
                if (each->text() == button) {
                    QTest::mouseClick(each, Qt::LeftButton);
                }
            }
        });
        timer->start(10);
    }
};

TEST_F(RunningBatch, IsStoppedByTheEndOfTheProgramOnlyIfTheUserAgrees) {
    answer(QStringLiteral("&Cancel"));
    EXPECT_FALSE(test.window.close());
    EXPECT_TRUE(test.window.isVisible());
    answer(QStringLiteral("&Stop and leave"));
    EXPECT_TRUE(test.window.close());
    EXPECT_EQ(asked_, 2);
}

TEST_F(RunningBatch, ThatEndsWhileTheQuestionIsOpenShowsItsResults) {
    QTimer::singleShot(0, &test.window, [this] { open(); });
    EXPECT_FALSE(test.window.close());
    EXPECT_EQ(test.part<QLabel>("batchCount")->text(), QStringLiteral("2 done"));
    EXPECT_TRUE(test.window.close()) << "nothing to ask about";
}

TEST_F(RunningBatch, IsStoppedAtTheEndOfTheDesktopSessionWithoutAQuestionThatIsNotAllowed) {
    EXPECT_TRUE(leaveAtLogout(test.window, test.models, false));
    EXPECT_TRUE(test.window.close()) << "not asked either, although its file has not ended yet";
    open();
    const auto& count = *test.part<QLabel>("batchCount");
    EXPECT_TRUE(QTest::qWaitFor([&] { return count.text().contains(QStringLiteral("cancelled")); }, kPatience));
}

TEST_F(RunningBatch, AsksAtTheEndOfTheDesktopSessionIfItMay) {
    answer(QStringLiteral("&Cancel"));
    EXPECT_FALSE(leaveAtLogout(test.window, test.models, true));
    answer(QStringLiteral("&Stop and leave"));
    EXPECT_TRUE(leaveAtLogout(test.window, test.models, true));
    EXPECT_EQ(asked_, 2);
}

} // namespace
} // namespace pollard::app
