// Modified work in the real window: closing or replacing it asks a question, and kept work is offered.
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"
#include "cpu/cpu_engine.hpp"

#include "shell/help_browser.hpp"
#include "vm/document/raw_view_model.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/session/stored_sessions.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/dialogs/document_dialogs.hpp"
#include "window/dialogs/leave_question.hpp"
#include "window/dialogs/preferences_dialog.hpp"
#include "window/dialogs/raw_dialog.hpp"
#include "window/menus/stored_sessions_menu.hpp"
#include "window/welcome_page.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLayoutItem>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

#include <functional>
#include <vector>

namespace pollard::app {
namespace {

class LeaveWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;
    vm::StoredSessions kept{test.models.sessions, keptFolder()};

    void SetUp() override {
        addStoredSessions(test.window, test.models, kept, test.errors);
        test.open("noise", makeNoise(64));
        work();
    }
    void work() {
        test.models.region.add({RegionShape::Kind::rectangle, {{4, 4}, {20, 20}}});
        test.models.filter.setMinimum(5);
        ASSERT_TRUE(test.settle());
    }
    [[nodiscard]] QString keptFolder() const { return folder.filePath(QStringLiteral("state")); }
    [[nodiscard]] QStringList files() const {
        return QDir(keptFolder()).entryList({QStringLiteral("kept-*.pollard")}, QDir::Files);
    }
    [[nodiscard]] QString writeImage(const char* name) const {
        QString path = folder.filePath(QLatin1String(name));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("P5\n3 2\n255\n");
        file.write("\x01\x02\x03\x04\x05\x06", 6);
        return path;
    }
    [[nodiscard]] QMessageBox* box() const {
        for (auto* each : test.window.findChildren<QMessageBox*>(QStringLiteral("leaveWork"))) {
            if (each->isVisible()) {
                return each;
            }
        }
        return nullptr;
    }
    /// The question, after waiting until it is on the screen.
    [[nodiscard]] QMessageBox* question() const {
        EXPECT_TRUE(QTest::qWaitFor([&] { return box() != nullptr; }, kPatience));
        QMessageBox* there = box();
        EXPECT_TRUE(there != nullptr && appears(*there));
        return there;
    }
    void click(const QString& text) {
        QMessageBox* there = question();
        ASSERT_NE(there, nullptr);
        for (QAbstractButton* button : there->buttons()) {
            if (button->text() == text) {
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        FAIL() << text.toStdString();
    }
    [[nodiscard]] bool isGone() {
        return QTest::qWaitFor([&] { return !test.window.isVisible(); }, kPatience);
    }
};

TEST_F(LeaveWindow, AsksBeforeItClosesAndKeepsByReturn) {
    EXPECT_FALSE(test.window.close());
    QMessageBox* there = question();
    ASSERT_NE(there, nullptr);
    EXPECT_EQ(there->text(), QStringLiteral("Keep your changes to noise?"));
    EXPECT_TRUE(there->informativeText().contains(QStringLiteral("1 region, a filter of 1 criterion")))
        << there->informativeText().toStdString();
    for (const QStringList& lacking : {testing::namelessControls(*there), testing::unexplainedControls(*there),
                                       testing::unreachableControls(*there), testing::cutTexts(*there)}) {
        EXPECT_TRUE(lacking.isEmpty()) << lacking.join(u'\n').toStdString();
    }
    for (QAbstractButton* button : there->buttons()) { // also on a narrow screen
        EXPECT_GE(QWidgetItem(button).minimumSize().width(), button->minimumSizeHint().width());
    }
    EXPECT_TRUE(test.window.isVisible());
    QTest::keyClick(there, Qt::Key_Return);
    EXPECT_TRUE(isGone());
    EXPECT_EQ(files().size(), 1);
}

TEST_F(LeaveWindow, StaysByEscape) {
    test.window.actionList().quit->trigger();
    QMessageBox* there = question();
    ASSERT_NE(there, nullptr);
    QTest::keyClick(there, Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return box() == nullptr; }, kPatience));
    EXPECT_TRUE(test.window.isVisible());
    EXPECT_TRUE(test.models.sessions.isModified());
    EXPECT_TRUE(files().isEmpty());
}

TEST_F(LeaveWindow, DiscardsOnlyWhereThatIsSaid) {
    test.window.close();
    click(QStringLiteral("&Discard"));
    EXPECT_TRUE(isGone());
    EXPECT_TRUE(files().isEmpty());
}

TEST_F(LeaveWindow, ClosesOnceTheSessionIsWritten) {
    const QString path = folder.filePath(QStringLiteral("a.pollard"));
    QSignalSpy saved(&test.models.sessions, &vm::SessionViewModel::saved);
    test.models.sessions.save(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatience));
    EXPECT_TRUE(test.models.leave.isFree());
    test.models.filter.setMinimum(9);
    test.window.close();
    click(QStringLiteral("&Save session"));
    EXPECT_TRUE(isGone());
    EXPECT_EQ(loadSession(path.toStdString()).filter.criteria.entries.front().chosen.at(AttributeId::area).minimum, 9);
    EXPECT_TRUE(files().isEmpty());
}

TEST_F(LeaveWindow, StaysIfTheWorkCannotBeKept) {
    ASSERT_TRUE(QDir(keptFolder()).removeRecursively());
    QFile inTheWay(keptFolder());
    ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
    test.window.close();
    click(QStringLiteral("&Keep for next time"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.errors.titles.size() == 1; }, kPatience));
    EXPECT_TRUE(test.window.isVisible());
    EXPECT_TRUE(test.models.sessions.isModified());
}

TEST_F(LeaveWindow, AsksNoMoreIfThatIsWanted) {
    test.window.close();
    QMessageBox* there = question();
    ASSERT_NE(there, nullptr);
    there->checkBox()->setChecked(true);
    QTest::keyClick(there, Qt::Key_Escape);
    EXPECT_TRUE(test.models.settings.isAskingAboutWork()) << "nothing was kept";
    test.window.close();
    there = question();
    ASSERT_NE(there, nullptr);
    there->checkBox()->setChecked(true);
    QTest::keyClick(there, Qt::Key_Return);
    EXPECT_TRUE(isGone());
    EXPECT_FALSE(test.models.settings.isAskingAboutWork());
    test.window.show();
    test.models.filter.setMinimum(11);
    test.window.close();
    EXPECT_TRUE(isGone());
    EXPECT_EQ(box(), nullptr);
    // Re-enabled in the preferences.
    test.window.show();
    const EngineRegistry registry{makeCpuEngine()};
    auto* dialog = new PreferencesDialog(test.models, registry, &test.window);
    auto* choice = dialog->findChild<QComboBox*>(QStringLiteral("askAboutWork"));
    EXPECT_EQ(choice->currentText(), QStringLiteral("Keep without asking"));
    choice->setCurrentIndex(0);
    emit choice->activated(0);
    EXPECT_TRUE(test.models.settings.isAskingAboutWork());
    delete dialog;
}

TEST_F(LeaveWindow, AsksWhateverElseIsOpened) {
    const QString other = writeImage("b.pgm");
    const auto trigger = [this](const QString& name) {
        for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
            if (each.action->objectName() == name) {
                each.action->trigger();
                return;
            }
        }
        ADD_FAILURE() << name.toStdString();
    };
    QFile session(folder.filePath(QStringLiteral("any.pollard")));
    ASSERT_TRUE(session.open(QIODevice::WriteOnly));
    session.close();
    test.models.recentFiles.add(other);
    struct Way {
        const char* name;
        std::function<void()> go;
    };
    const std::vector<Way> ways{
        {"a file", [&] { test.window.openFile(other); }},
        {"a session", [&] { test.window.openFile(session.fileName()); }},
        {"a drop",
         [&] {
             QMimeData data;
             data.setUrls({QUrl::fromLocalFile(other)});
             QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
             QApplication::sendEvent(&test.window, &enter);
             QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
             QApplication::sendEvent(&test.window, &drop);
         }},
        {"the recent list",
         [&] {
             for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
                 if (each.action->toolTip() == other) {
                     each.action->trigger();
                     return;
                 }
             }
             ADD_FAILURE() << "it is not in the list";
         }},
        {"a sample of a preset",
         [&] {
             const auto* presets = test.window.findChild<vm::PresetViewModel*>();
             trigger(QStringLiteral("sample-") + presets->name(0));
         }},
        {"a sample of the help",
         [&] {
             test.window.actionList().firstSteps->trigger();
             auto* browser = test.window.findChild<HelpBrowser*>();
             emit browser->sampleChosen(QStringLiteral("cells.tif"));
             browser->close();
         }},
        {"raw data",
         [&] {
             test.window.findChild<DocumentDialogs*>()->openRaw(other);
             auto* dialog = test.part<RawDialog>("rawDialog");
             dialog->accept();
         }},
        {"nothing", [&] { test.window.actionList().close->trigger(); }},
        {"the end", [&] { test.window.actionList().quit->trigger(); }},
    };
    for (const Way& way : ways) {
        SCOPED_TRACE(way.name);
        way.go();
        QMessageBox* there = question();
        ASSERT_NE(there, nullptr);
        QTest::keyClick(there, Qt::Key_Escape);
        ASSERT_TRUE(QTest::qWaitFor([&] { return box() == nullptr; }, kPatience));
        ASSERT_TRUE(test.settle());
        EXPECT_EQ(test.models.document.path(), QStringLiteral("/memory/noise"));
        EXPECT_EQ(test.models.filter.minimum(), 5);
        EXPECT_EQ(test.models.region.count(), 1);
    }
    EXPECT_TRUE(files().isEmpty());
    EXPECT_TRUE(test.errors.titles.isEmpty()) << test.errors.texts.join(u'\n').toStdString();
}

TEST_F(LeaveWindow, OpensTheOtherImageOnceTheWorkIsKept) {
    const QString other = writeImage("b.pgm");
    test.window.openFile(other);
    click(QStringLiteral("&Keep for next time"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == other; }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(files().size(), 1);
    EXPECT_FALSE(test.window.isWindowModified());
    ASSERT_TRUE(QTest::qWaitFor([&] { return kept.entries().size() == 1; }, kPatience));
    // Continues the work with the menu entry.
    auto* menu = test.window.menuBar()->findChild<QMenu*>(QStringLiteral("keptWorkMenu"));
    ASSERT_NE(menu, nullptr);
    ASSERT_EQ(menu->actions().size(), 1);
    EXPECT_EQ(menu->actions().front()->text(), QStringLiteral("&1  noise: 1 region, a filter of 1 criterion"));
    // A tenth entry has no mnemonic: 10 begins with the digit of the first entry.
    const QDir keptSessions(keptFolder());
    const QString file = keptSessions.filePath(files().constFirst());
    for (int copy = 2; copy <= vm::StoredSessions::kMostFiles; ++copy) {
        ASSERT_TRUE(QFile::copy(file, keptSessions.filePath(QStringLiteral("kept-copy%1.pollard").arg(copy))));
    }
    kept.look();
    ASSERT_TRUE(QTest::qWaitFor([&] { return kept.entries().size() == 10; }, kPatience));
    EXPECT_TRUE(menu->actions().at(8)->text().startsWith(QStringLiteral("&9  ")));
    EXPECT_TRUE(menu->actions().at(9)->text().startsWith(QStringLiteral("10  ")));
}

TEST_F(LeaveWindow, OffersStoredSessionsOnTheWelcomePage) {
    const QString other = writeImage("b.pgm");
    test.window.openFile(other);
    click(QStringLiteral("&Discard"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == other; }, kPatience));
    ASSERT_TRUE(test.settle());
    test.models.document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(test.settle());
    test.window.actionList().close->trigger();
    click(QStringLiteral("&Keep for next time"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return kept.entries().size() == 1; }, kPatience));
    EXPECT_FALSE(test.models.document.hasImage());
    const auto* page = test.window.findChild<WelcomePage*>();
    const auto button = [page]() -> QPushButton* {
        const auto all = page->findChildren<QPushButton*>(QStringLiteral("keptGoOn"));
        const auto shown = std::ranges::find_if(all, [](const QPushButton* each) { return each->isVisible(); });
        return shown == all.end() ? nullptr : *shown;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return button() != nullptr; }, kPatience));
    EXPECT_TRUE(button()->text().startsWith(QStringLiteral("Continue b.pgm: "))) << button()->text().toStdString();
    for (const QStringList& lacking :
         {testing::namelessControls(*page), testing::unexplainedControls(*page), testing::cutTexts(*page)}) {
        EXPECT_TRUE(lacking.isEmpty()) << lacking.join(u'\n').toStdString();
    }
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == other; }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.choices().treeKind(), TreeKind::min);
    EXPECT_TRUE(test.window.isWindowModified());
    EXPECT_TRUE(kept.entries().isEmpty());
    // Discards it, after a question.
    test.window.actionList().close->trigger();
    click(QStringLiteral("&Keep for next time"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return button() != nullptr; }, kPatience));
    QToolButton* discard = button()->parentWidget()->findChild<QToolButton*>(QStringLiteral("keptDiscard"));
    ASSERT_NE(discard, nullptr);
    QTest::mouseClick(discard, Qt::LeftButton);
    auto* sure = test.part<QMessageBox>("discardKept");
    ASSERT_NE(sure, nullptr);
    ASSERT_TRUE(appears(*sure));
    EXPECT_EQ(files().size(), 1);
    for (QAbstractButton* each : sure->buttons()) {
        if (each->text() == QStringLiteral("&Discard")) {
            QTest::mouseClick(each, Qt::LeftButton);
            break;
        }
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return button() == nullptr; }, kPatience));
    EXPECT_TRUE(files().isEmpty());
}

TEST_F(LeaveWindow, AsksAtTheEndOfTheDesktopSessionIfItMay) {
    EXPECT_TRUE(leaveAtLogout(test.window, test.models, false));
    EXPECT_EQ(files().size(), 1);
    test.models.filter.setMinimum(8);
    const auto answer = [this](Qt::Key key) {
        auto* timer = new QTimer(&test.window); // the question runs an event loop
        QObject::connect(timer, &QTimer::timeout, &test.window, [this, timer, key] {
            if (QMessageBox* there = box(); there != nullptr) {
                timer->deleteLater();
                QTest::keyClick(there, key);
            }
        });
        timer->start(10);
    };
    answer(Qt::Key_Escape);
    EXPECT_FALSE(leaveAtLogout(test.window, test.models, true));
    answer(Qt::Key_Return);
    EXPECT_TRUE(leaveAtLogout(test.window, test.models, true));
    EXPECT_EQ(files().size(), 1);
    const SavedSession session = loadSession(QDir(keptFolder()).filePath(files().front()).toStdString());
    EXPECT_EQ(session.filter.criteria.entries.front().chosen.at(AttributeId::area).minimum, 8);
}

} // namespace
} // namespace pollard::app
