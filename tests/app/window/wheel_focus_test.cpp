// The wheel over number boxes, combo boxes, sliders and tab bars.
#include "app/test_window.hpp"

#include "window/dialogs/command_palette.hpp"
#include "window/dialogs/memory_dialog.hpp"

#include <QAbstractSlider>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

namespace pollard::app {
namespace {

/// Sends a wheel event from the system: only these propagate to parents and can set the focus.
void turnWheel(QWidget& over, int units) {
    const QPointF middle = QRectF(over.rect()).center();
    QWheelEvent event(middle, over.mapToGlobal(middle), {}, {0, units}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(&over, &event);
}

/// The value that the wheel would change; invalid for other widgets.
QVariant valueOf(const QWidget& widget) {
    if (const auto* whole = qobject_cast<const QSpinBox*>(&widget)) {
        return whole->value();
    }
    if (const auto* real = qobject_cast<const QDoubleSpinBox*>(&widget)) {
        return real->value();
    }
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) {
        return choice->currentIndex();
    }
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
        return tabs->currentIndex();
    }
    const auto* slider = qobject_cast<const QAbstractSlider*>(&widget);
    return slider != nullptr && qobject_cast<const QScrollBar*>(slider) == nullptr ? QVariant(slider->value())
                                                                                   : QVariant();
}

/// Turns the wheel over all controls in @p place whose value it could change. @returns their number
int turnOverAll(QWidget& place) {
    int count = 0;
    for (QWidget* widget : place.findChildren<QWidget*>()) {
        const QVariant before = valueOf(*widget);
        if (!before.isValid() || widget->hasFocus()) {
            continue;
        }
        ++count;
        for (const int units : {-120, 120, 120}) {
            turnWheel(*widget, units);
            EXPECT_EQ(valueOf(*widget), before)
                << widget->objectName().toStdString() << " of " << widget->metaObject()->className();
        }
        EXPECT_FALSE(widget->hasFocus()) << widget->objectName().toStdString();
        if (widget->isVisible()) { // visibility is needed for the check of the focus policy
            EXPECT_NE(widget->focusPolicy(), Qt::WheelFocus) << widget->objectName().toStdString();
        }
    }
    return count;
}

SharedImage steps() {
    return makeImage(PixelType::u16, 96, 80, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>((x / 12 + y / 10) % 2 * 20000 + (x * 7 + y * 13) % 4000);
    });
}

TEST(WheelFocus, NothingOfTheWindowChangesUnderTheWheelWithoutTheFocus) {
    TestWindow test;
    test.open("steps", steps());
    int count = 0;
    for (QDockWidget* dock : test.window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        dock->show();
        dock->raise();
        ASSERT_TRUE(test.settle());
        test.window.canvas()->setFocus();
        count += turnOverAll(*dock);
    }
    EXPECT_GT(count, 50);
    EXPECT_GT(turnOverAll(test.window), count) << "the tab bars";
}

TEST(WheelFocus, NothingOfADialogChangesUnderTheWheelWithoutTheFocus) {
    TestWindow test;
    test.open("steps", steps());
    int count = 0;
    const auto look = [&](QDialog& dialog) {
        ASSERT_TRUE(appears(dialog));
        count += turnOverAll(dialog);
        dialog.close();
    };
    for (const char* name : {"preferences", "teachRace", "teachExercises"}) {
        for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
            if (each.action->objectName() == QLatin1String(name)) {
                each.action->trigger();
            }
        }
        for (QDialog* dialog : test.window.findChildren<QDialog*>()) {
            if (dialog->isVisible()) {
                ASSERT_NO_FATAL_FAILURE(look(*dialog));
            }
        }
    }
    ImageInfo info;
    info.width = info.height = 10000;
    info.bits = 8;
    info.samples = 1;
    MemoryDialog memory(vm::planMemory(info, {}, 1, {std::uint64_t{4} << 30U, 0}), {}, &test.window);
    memory.show();
    ASSERT_NO_FATAL_FAILURE(look(memory));
    EXPECT_GT(count, 12);
}

TEST(WheelFocus, TheWheelScrollsThePanelAroundABoxAndTurnsABoxWithTheFocus) {
    TestWindow test;
    test.open("steps", steps());
    auto* dock = test.part<QDockWidget>("displayDock");
    test.window.resize(1100, 480);
    ASSERT_TRUE(test.settle());
    auto* area = dock->findChild<QScrollArea*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return area->verticalScrollBar()->maximum() > 0; }, kPatience));
    auto* box = test.part<QDoubleSpinBox>("windowLow");
    const double before = box->value();
    test.window.canvas()->setFocus();
    turnWheel(*box, -120);
    EXPECT_EQ(box->value(), before);
    EXPECT_GT(area->verticalScrollBar()->value(), 0);
    area->verticalScrollBar()->setValue(0);
    ASSERT_TRUE(focus(*box));
    turnWheel(*box, 120);
    EXPECT_NE(box->value(), before);
    EXPECT_EQ(area->verticalScrollBar()->value(), 0);
}

} // namespace
} // namespace pollard::app
