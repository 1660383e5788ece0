// Windows and dialogs fit on the screen at every scale.
#include "app/test_window.hpp"

#include <QAction>
#include <QDialogButtonBox>
#include <QProcess>
#include <QPushButton>
#include <QScreen>

namespace pollard::app {
namespace {

QWidget* windowBeside(const QWidget& main) {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (widget != &main && widget->isVisible() && widget->windowType() != Qt::ToolTip) {
            return widget;
        }
    }
    return nullptr;
}

/// Run by the test below in a process with a scale.
TEST(DialogSizes, DISABLED_FitOnTheScreen) {
    TestWindow test;
    test.open("noise", makeNoise(32));
    const QRect space = test.window.screen()->availableGeometry();
    for (const char* name :
         {"help", "shortcuts", "about", "commands", "preferences", "applyToFolder", "teachRace", "teachExercises"}) {
        SCOPED_TRACE(name);
        test.part<QAction>(name)->trigger();
        ASSERT_TRUE(QTest::qWaitFor([&] { return windowBeside(test.window) != nullptr; }, kPatience));
        QWidget* shown = windowBeside(test.window);
        ASSERT_TRUE(appears(*shown));
        QCoreApplication::processEvents();
        EXPECT_LE(shown->width(), space.width());
        EXPECT_LE(shown->height(), space.height());
        for (const auto* box : shown->findChildren<QDialogButtonBox*>()) {
            if (const QPushButton* close = box->button(QDialogButtonBox::Close)) {
                const QRect place(close->mapToGlobal(QPoint()), close->size());
                EXPECT_TRUE(space.contains(place)) << place.right() << ' ' << place.bottom();
            }
        }
        shown->close();
        ASSERT_TRUE(QTest::qWaitFor([&] { return windowBeside(test.window) == nullptr; }, kPatience));
    }
}

TEST(DialogSizes, FitOnTheScreenAtEveryScale) {
    for (const char* scale : {"1.5", "2", "3"}) { // 3: 640 x 400 px, as at 2 on 1280 x 800
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QLatin1String(scale));
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("--gtest_filter=DialogSizes.DISABLED_FitOnTheScreen"),
                       QStringLiteral("--gtest_also_run_disabled_tests")});
        ASSERT_TRUE(process.waitForFinished(3 * kPatience));
        EXPECT_EQ(process.exitCode(), 0) << scale << process.readAll().constData();
    }
}

} // namespace
} // namespace pollard::app
