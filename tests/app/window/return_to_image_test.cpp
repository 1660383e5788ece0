// After editing a number or a text of a panel the focus returns to the image.
#include "app/test_window.hpp"

#include "widgets/input_focus.hpp"
#include "window/panel_dock.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QStatusBar>

namespace pollard::app {
namespace {

class KeysOfFields : public ::testing::Test {
protected:
    TestWindow test;

    void SetUp() override { test.open("noise", makeNoise(64)); }
    [[nodiscard]] bool imageGetsKeys(int milliseconds = kPatience) {
        return QTest::qWaitFor([this] { return test.window.canvas()->hasFocus(); }, milliseconds);
    }
    /// Whether the field keeps the focus after queued events.
    [[nodiscard]] static bool keepsKeys(const QWidget& field) {
        QCoreApplication::processEvents();
        return field.hasFocus();
    }
};

TEST_F(KeysOfFields, ReturnTakesANumberAndLettersAreCommandsAgain) {
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* box = test.part<QDoubleSpinBox>("minimum");
        ASSERT_TRUE(focus(*box));
        box->selectAll();
        QTest::keyClicks(box, key == Qt::Key_Return ? "12" : "15");
        EXPECT_TRUE(box->hasFocus()) << "while it is typed";
        QTest::keyClick(box, key);
        ASSERT_TRUE(imageGetsKeys());
        EXPECT_EQ(test.models.filter.minimum(), key == Qt::Key_Return ? 12 : 15);
    }
    QTest::qWait(ReturnToImage::kPause + 50); // the time itself is under test
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_R);
    EXPECT_EQ(test.models.region.tool(), vm::RegionViewModel::Tool::rectangle);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_S);
    EXPECT_TRUE(test.models.display.isSplitEnabled());
}

TEST_F(KeysOfFields, LettersTypedOnAfterReturnAreNoCommands) {
    auto* box = test.part<QDoubleSpinBox>("minimum");
    ASSERT_TRUE(focus(*box));
    box->selectAll();
    QTest::keyClicks(box, "12");
    QTest::keyClick(box, Qt::Key_Return);
    ASSERT_TRUE(imageGetsKeys());
    const auto map = test.models.display.isInverted();
    QTest::keyClicks(QApplication::focusWidget(), "rsi b1");
    EXPECT_EQ(test.models.region.tool(), vm::RegionViewModel::Tool::hand);
    EXPECT_EQ(test.models.display.compare().mode(), vm::CompareViewModel::Mode::off);
    EXPECT_EQ(test.models.display.isInverted(), map);
    EXPECT_TRUE(test.window.statusBar()->currentMessage().contains(QStringLiteral("letters are commands")));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_1, Qt::ControlModifier); // no text
    EXPECT_EQ(test.models.document.choices().treeKind(), TreeKind::max);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_2, Qt::ControlModifier);
    EXPECT_EQ(test.models.document.choices().treeKind(), TreeKind::min);
}

TEST_F(KeysOfFields, EscapeDropsTheNumberThatIsTyped) {
    auto* box = test.part<QDoubleSpinBox>("minimum");
    const double before = box->value();
    ASSERT_TRUE(focus(*box));
    box->selectAll();
    QTest::keyClicks(box, "33");
    QTest::keyClick(box, Qt::Key_Escape);
    ASSERT_TRUE(imageGetsKeys());
    EXPECT_EQ(box->value(), before);
    EXPECT_EQ(test.models.filter.minimum(), before);
    EXPECT_EQ(box->cleanText(), box->textFromValue(before)) << "the text is that of the value";
}

TEST_F(KeysOfFields, EveryNumberAndChoiceOfEveryPanelDoesSo) {
    int count = 0;
    for (QDockWidget* dock : test.window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        bringForward(*dock);
        ASSERT_TRUE(test.settle());
        for (QWidget* field : dock->findChildren<QWidget*>()) {
            const bool isField =
                qobject_cast<QAbstractSpinBox*>(field) != nullptr || qobject_cast<QComboBox*>(field) != nullptr;
            if (!isField || !field->isVisible() || !field->isEnabled()) {
                continue;
            }
            for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {
                ASSERT_TRUE(focus(*field)) << field->objectName().toStdString();
                QTest::keyClick(field, key);
                EXPECT_TRUE(imageGetsKeys()) << field->objectName().toStdString();
            }
            ++count;
        }
    }
    EXPECT_GT(count, 20);
}

TEST_F(KeysOfFields, ATextThatIsWrongKeepsTheKeysAndTabGoesOn) {
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(test.settle());
    auto* condition = test.part<QLineEdit>("objectsCondition");
    ASSERT_TRUE(focus(*condition));
    QTest::keyClicks(condition, "nonsense > 3");
    QTest::keyClick(condition, Qt::Key_Return);
    EXPECT_TRUE(keepsKeys(*condition));
    condition->setText(
        QStringLiteral("area > 3")); // typing opens a list, which takes the focus without a window manager
    QTest::keyClick(condition, Qt::Key_Return);
    EXPECT_TRUE(imageGetsKeys());
    EXPECT_EQ(test.models.objectTable.condition(), QStringLiteral("area > 3"));
    ASSERT_TRUE(focus(*condition));
    QTest::keyClicks(condition, " and");
    QTest::keyClick(condition, Qt::Key_Escape);
    EXPECT_TRUE(imageGetsKeys()) << "Escape leaves whatever is typed";
    auto* box = test.part<QDoubleSpinBox>("minimum");
    ASSERT_TRUE(focus(*box));
    QTest::keyClick(box, Qt::Key_Tab);
    EXPECT_FALSE(box->hasFocus());
    EXPECT_FALSE(test.window.canvas()->hasFocus()) << "to the next field";
}

TEST_F(KeysOfFields, AFloatingPanelGivesThemBack) {
    auto* dock = test.part<QDockWidget>("filterDock");
    dock->setFloating(true);
    ASSERT_TRUE(appears(*dock));
    auto* box = test.part<QDoubleSpinBox>("minimum");
    const auto returnsThem = [&] {
        EXPECT_TRUE(focus(*box));
        QTest::keyClick(box, Qt::Key_Return);
        return imageGetsKeys(1000);
    };
    EXPECT_TRUE(QTest::qWaitFor(returnsThem, kPatience)); // again if a window manager gives the panel the focus late
}

TEST_F(KeysOfFields, ADialogKeepsThem) {
    QDialog dialog(&test.window);
    auto* number = new QSpinBox(&dialog);
    dialog.show();
    ASSERT_TRUE(appears(dialog));
    ASSERT_TRUE(focus(*number));
    QTest::keyClick(number, Qt::Key_Return);
    EXPECT_TRUE(keepsKeys(*number));
}

TEST_F(KeysOfFields, TheKeysThatSelectAllMakeNoRegion) {
    test.window.canvas()->setFocus();
    QTest::keyClick(test.window.canvas(), Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(test.models.region.count(), 0);
}

} // namespace
} // namespace pollard::app
