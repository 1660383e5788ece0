// Checks all docks, dialogs and menus for use without a mouse, with a screen reader, and with large fonts.
#include "support/ui_audit.hpp"
#include "test_window.hpp"

#include "shell/translation.hpp"
#include "theme/theme.hpp"
#include "window/dialogs/command_palette.hpp"

#include <QAbstractButton>
#include <QDialog>
#include <QDockWidget>
#include <QFont>
#include <QFrame>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace pollard::app {
namespace {

using testing::collidingShortcuts;
using testing::cutTexts;
using testing::namelessControls;
using testing::unexplainedControls;
using testing::unreachableControls;

std::string lines(const QStringList& list) { return '\n' + list.join(u'\n').toStdString(); }

SharedImage makeBlobs() {
    return makeImage(PixelType::u8, 96, 80, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>((x / 12 + y / 10) % 2 * 120 + (x * 7 + y * 13) % 40);
    });
}

QList<QDockWidget*> docksOf(const QMainWindow& window) {
    return window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

/// Shows all docks in turn, in front of their tabs, and calls @p look for each.
template <class Look> void withEachDock(TestWindow& test, Look look) {
    for (QDockWidget* dock : docksOf(test.window)) {
        dock->show();
        dock->raise();
        ASSERT_TRUE(test.settle());
        QCoreApplication::processEvents();
        look(*dock);
        if (dock->toggleViewAction()->isVisible() && test.window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea) {
            dock->hide();
        }
    }
}

/// Sets a language during its lifetime, then English again.
class Speaking {
public:
    explicit Speaking(const QString& language) : spoken_(installLanguage(language)) {}
    ~Speaking() { installLanguage(QStringLiteral("en")); }
    Speaking(const Speaking&) = delete;
    Speaking& operator=(const Speaking&) = delete;
    [[nodiscard]] const QString& spoken() const noexcept { return spoken_; }

private:
    QString spoken_;
};

TEST(UiAudit, EveryControlOfADockHasANameATooltipAndAPlaceInTheFocusOrder) {
    TestWindow test;
    test.open("blobs", makeBlobs());
    withEachDock(test, [](const QDockWidget& dock) {
        const std::string name = dock.objectName().toStdString();
        const QStringList nameless = namelessControls(dock);
        EXPECT_TRUE(nameless.isEmpty()) << name << lines(nameless);
        const QStringList unexplained = unexplainedControls(dock);
        EXPECT_TRUE(unexplained.isEmpty()) << name << lines(unexplained);
        const QStringList unreachable = unreachableControls(dock);
        EXPECT_TRUE(unreachable.isEmpty()) << name << lines(unreachable);
    });
}

TEST(UiAudit, EveryActionHasATextAndAWayToItInAMenu) {
    TestWindow test;
    QSet<const QAction*> listed;
    for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
        EXPECT_FALSE(plainText(*each.action).isEmpty()) << each.action->objectName().toStdString();
        listed.insert(each.action);
    }
    for (const QAction* action : test.window.actionList().findChildren<QAction*>()) {
        if (!action->isSeparator() && action->isVisible() && action->menu() == nullptr) {
            EXPECT_TRUE(listed.contains(action))
                << action->objectName().toStdString() << " \"" << action->text().toStdString() << '"';
        }
    }
}

TEST(UiAudit, NoToolTipOfAnActionRepeatsItsText) {
    TestWindow test;
    for (const QAction* action : test.window.actionList().findChildren<QAction*>()) {
        const bool isChoice =
            action->actionGroup() != nullptr && action->data().isValid(); // a name, as of a colour map
        if (!action->isSeparator() && !isChoice) {
            EXPECT_FALSE(testing::isSameText(action->toolTip(), action->text())) << action->text().toStdString();
        }
    }
}

TEST(UiAudit, EveryMenuHasALetterOfItsOwn) {
    TestWindow test;
    QSet<QChar> letters;
    for (const QAction* menu : test.window.menuBar()->actions()) {
        const qsizetype mark = menu->text().indexOf(u'&');
        ASSERT_GE(mark, 0) << menu->text().toStdString();
        const QChar letter = menu->text()[mark + 1].toLower();
        EXPECT_FALSE(letters.contains(letter)) << menu->text().toStdString();
        letters.insert(letter);
    }
}

TEST(UiAudit, EveryMenuOpensByItsLetterBesideAnyPanel) {
    TestWindow test;
    test.open("blobs", makeBlobs());
    withEachDock(test, [&test](const QDockWidget& dock) {
        for (const QAction* title : test.window.menuBar()->actions()) {
            const char letter = title->text()[title->text().indexOf(u'&') + 1].toLower().toLatin1();
            QTest::keyClick(&test.window, letter, Qt::AltModifier);
            EXPECT_TRUE(title->menu()->isVisible())
                << title->text().toStdString() << " beside " << dock.objectName().toStdString();
            if (QWidget* open = QApplication::activePopupWidget()) {
                QTest::keyClick(open, Qt::Key_Escape);
            }
        }
    });
}

TEST(UiAudit, NoTwoControlsOfAPartHaveTheSameLetter) {
    for (const char* language : {"en", "fr"}) {
        const Speaking speaking(QLatin1String{language});
        TestWindow test;
        test.open("blobs", makeBlobs());
        test.window.findChild<QAction*>(QStringLiteral("tour"))->trigger();
        const auto* tour = test.part<QFrame>("tour");
        const QStringList ofTour = testing::collidingLetters(*tour);
        EXPECT_TRUE(ofTour.isEmpty()) << language << lines(ofTour);
        for (const QAction* menu : test.window.menuBar()->actions()) { // a letter of a menu opens the menu
            const QKeySequence letter = QKeySequence::mnemonic(menu->text());
            for (const auto* button : tour->findChildren<QPushButton*>()) {
                EXPECT_TRUE(letter.isEmpty() || button->shortcut() != letter)
                    << language << ' ' << menu->text().toStdString() << " and " << button->text().toStdString();
            }
        }
        withEachDock(test, [language](const QDockWidget& dock) {
            const QStringList found = testing::collidingLetters(dock);
            EXPECT_TRUE(found.isEmpty()) << language << ' ' << dock.objectName().toStdString() << lines(found);
        });
    }
}

TEST(UiAudit, NoTwoEntriesOfAMenuHaveTheSameLetter) {
    for (const char* language : {"en", "fr"}) {
        const Speaking speaking(QLatin1String{language});
        TestWindow test;
        test.open("blobs", makeBlobs());
        const QStringList found = testing::collidingLetters(test.window.menuBar()->actions());
        EXPECT_TRUE(found.isEmpty()) << language << lines(found);
        EXPECT_EQ(QKeySequence::mnemonic(test.part<QAction>("fit")->text()).toString(),
                  language == std::string("en") ? QStringLiteral("Alt+F") : QStringLiteral("Alt+A"));
    }
}

/// Largest contrast (WCAG) of a pixel of one image with the same pixel of the other.
double largestContrast(const QImage& one, const QImage& other) {
    const auto luminance = [](QRgb pixel) {
        const auto linear = [](int level) {
            const double value = level / 255.0;
            return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(qRed(pixel)) + 0.7152 * linear(qGreen(pixel)) + 0.0722 * linear(qBlue(pixel));
    };
    double largest = 1;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            const double a = luminance(one.pixel(x, y)) + 0.05;
            const double b = luminance(other.pixel(x, y)) + 0.05;
            largest = std::max(largest, std::max(a, b) / std::min(a, b));
        }
    }
    return largest;
}

TEST(UiAudit, TheFocusIsSeenOnEveryButtonOfTheBars) {
    using Theme = vm::SettingsViewModel::Theme;
    const auto restore = qScopeGuard([] { applyTheme(Theme::system); });
    for (const Theme theme : {Theme::light, Theme::dark, Theme::contrast}) {
        TestWindow test;
        applyTheme(theme);
        test.open("blobs", makeBlobs());
        const auto shown = [&test](const QWidget& button) {
            const QRect place(button.mapTo(&test.window, QPoint()), button.size());
            return test.window.grab(place).toImage();
        };
        int checked = 0;
        for (const QToolBar* bar : test.window.findChildren<QToolBar*>()) {
            for (auto* button : bar->findChildren<QToolButton*>()) {
                if (!button->isVisible() || !button->isEnabled() || (button->focusPolicy() & Qt::TabFocus) == 0) {
                    continue;
                }
                test.window.canvas()->setFocus();
                const QImage before = shown(*button);
                button->setFocus(Qt::TabFocusReason);
                ASSERT_TRUE(button->hasFocus()) << button->text().toStdString();
                EXPECT_GE(largestContrast(before, shown(*button)), 3)
                    << button->text().toStdString() << " in theme " << static_cast<int>(theme);
                checked += button->isChecked() ? 1 : 0;
            }
        }
        EXPECT_GT(checked, 2) << "the tree, its connectivity and the workspace";
    }
}

TEST(UiAudit, ButtonsThatQtAddsAreSeenInEveryTheme) {
    using Theme = vm::SettingsViewModel::Theme;
    const auto restore = qScopeGuard([] { applyTheme(Theme::system); });
    QMainWindow window;
    QToolBar* above = window.addToolBar(QStringLiteral("above"));
    auto* beside = new QToolBar(QStringLiteral("beside"), &window);
    beside->setObjectName(QStringLiteral("workspaceBar"));
    window.addToolBar(Qt::LeftToolBarArea, beside);
    for (int i = 0; i < 40; ++i) { // more than fit
        above->addAction(QStringLiteral("Action"));
        beside->addAction(QStringLiteral("Action"));
    }
    auto* dock = new QDockWidget(QStringLiteral("Panel"), &window);
    window.addDockWidget(Qt::RightDockWidgetArea, dock);
    window.resize(400, 260);
    window.show();
    ASSERT_TRUE(appears(window));
    for (const Theme theme : {Theme::light, Theme::dark, Theme::contrast, Theme::light}) {
        applyTheme(theme);
        QCoreApplication::processEvents();
        int seen = 0;
        for (const char* name : {"qt_toolbar_ext_button", "qt_dockwidget_closebutton", "qt_dockwidget_floatbutton"}) {
            for (const auto* button : window.findChildren<QAbstractButton*>(QLatin1String(name))) {
                ASSERT_TRUE(button->isVisible()) << name;
                const QImage shown = window.grab(QRect(button->mapTo(&window, QPoint()), button->size())).toImage();
                QImage ground(shown.size(), QImage::Format_RGB32);
                ground.fill(window.palette().color(QPalette::Window));
                EXPECT_GE(largestContrast(ground, shown), 4.5) << name << " in theme " << static_cast<int>(theme);
                ++seen;
            }
        }
        EXPECT_EQ(seen, 4);
    }
}

TEST(UiAudit, NoTwoActionsShareAShortcut) {
    TestWindow test;
    const QStringList found = collidingShortcuts(test.window);
    EXPECT_TRUE(found.isEmpty()) << lines(found);
}

using Dialog = std::tuple<const char*, const char*>; ///< action, language
class DialogAudit : public ::testing::TestWithParam<Dialog> {};

TEST_P(DialogAudit, HasNamesTooltipsAFocusOrderAndRoomForItsTexts) {
    const auto& [name, language] = GetParam();
    const Speaking speaking(QLatin1String{language});
    if (speaking.spoken() != QLatin1String(language)) {
        GTEST_SKIP() << "this build has no translation to " << language;
    }
    TestWindow test;
    test.open("blobs", makeBlobs());
    QAction* action = nullptr;
    for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
        if (each.action->objectName() == QLatin1String(name)) {
            action = each.action;
        }
    }
    ASSERT_NE(action, nullptr);
    action->trigger();
    QList<QDialog*> dialogs = test.window.findChildren<QDialog*>();
    dialogs.removeIf([](const QDialog* each) { return !each->isVisible(); });
    ASSERT_EQ(dialogs.size(), 1);
    QDialog& dialog = *dialogs.front();
    ASSERT_TRUE(appears(dialog));
    EXPECT_TRUE(namelessControls(dialog).isEmpty()) << lines(namelessControls(dialog));
    EXPECT_TRUE(unexplainedControls(dialog).isEmpty()) << lines(unexplainedControls(dialog));
    EXPECT_TRUE(unreachableControls(dialog).isEmpty()) << lines(unreachableControls(dialog));
    EXPECT_TRUE(cutTexts(dialog).isEmpty()) << lines(cutTexts(dialog));
    dialog.close();
}

INSTANTIATE_TEST_SUITE_P(All, DialogAudit,
                         ::testing::Combine(::testing::Values("preferences", "commands", "help", "shortcuts", "about",
                                                              "teachRace", "teachExercises", "applyToFolder"),
                                            ::testing::Values("en", "fr")),
                         [](const auto& each) {
                             return std::string(std::get<0>(each.param)) + '_' + std::get<1>(each.param);
                         });

using Letters = std::tuple<int, const char*>; ///< size in percent, language
class TextSize : public ::testing::TestWithParam<Letters> {};

TEST_P(TextSize, NoTextOfADockIsCut) {
    const auto& [percent, language] = GetParam();
    const Speaking speaking(QLatin1String{language});
    if (speaking.spoken() != QLatin1String(language)) {
        GTEST_SKIP() << "this build has no translation to " << language;
    }
    const QFont usual = QApplication::font();
    const auto restore = qScopeGuard([&usual] { QApplication::setFont(usual); });
    QFont larger = usual;
    larger.setPointSizeF(usual.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    TestWindow test;
    test.window.resize(test.window.size() * percent / 100);
    test.open("blobs", makeBlobs());
    withEachDock(test, [](const QDockWidget& dock) {
        const QStringList cut = cutTexts(dock);
        EXPECT_TRUE(cut.isEmpty()) << dock.objectName().toStdString() << lines(cut);
    });
}

INSTANTIATE_TEST_SUITE_P(Percent, TextSize,
                         ::testing::Combine(::testing::Values(100, 200, 300), ::testing::Values("en", "fr")),
                         [](const auto& each) {
                             return std::to_string(std::get<0>(each.param)) + '_' + std::get<1>(each.param);
                         });

} // namespace
} // namespace pollard::app
