// The grid lab in its real window: painting, links between the views, transport, options, questions, and all of it
// without a mouse.
#include "support/ui_audit.hpp"
#include "test_window.hpp"

#include "lab/lab_player_panel.hpp"
#include "lab/lab_view.hpp"
#include "lab/lab_window.hpp"
#include "lab_examples.hpp"
#include "shell/translation.hpp"
#include "theme/theme.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScopeGuard>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include <set>

namespace pollard::app {
namespace {

using Layer = teach::Layer;

class GridLab : public ::testing::Test {
protected:
    TestWindow test;
    LabWindow* window = nullptr;
    LabView* picture = nullptr;
    LabView* tree = nullptr;

    void SetUp() override {
        action("gridLab")->trigger();
        window = test.window.findChild<LabWindow*>();
        ASSERT_NE(window, nullptr);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window));
        ASSERT_TRUE(QTest::qWaitForWindowActive(window));
        picture = part<LabView>("labPicture");
        tree = part<LabView>("labTree");
        lab().setPicture({4, 3, {1, 5, 1, 3, 1, 4, 1, 3, 1, 1, 1, 2}});
        ASSERT_TRUE(recorded());
    }
    QAction* action(const char* name) { return test.part<QAction>(name); }
    template <class T> T* part(const char* name) {
        T* found = window->findChild<T*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << "no part called " << name;
        return found;
    }
    vm::LabViewModel& lab() { return window->lab(); }
    vm::LabPlayerViewModel& player() { return window->player(); }
    [[nodiscard]] bool recorded() {
        return QTest::qWaitFor([&] { return player().rests() && player().recording() != nullptr; }, kPatience);
    }
    void click(const char* name) { QTest::mouseClick(part<QToolButton>(name), Qt::LeftButton); }
    static QPoint at(const LabView& view, int pixel) { return view.placeOf(pixel).toPoint(); }
};

TEST_F(GridLab, IsPaintedWithTheMouse) {
    part<QSpinBox>("labBrush")->setValue(8);
    QTest::mousePress(picture, Qt::LeftButton, {}, at(*picture, 0));
    QTest::mouseMove(picture, at(*picture, 4));
    QTest::mouseRelease(picture, Qt::LeftButton, {}, at(*picture, 4));
    EXPECT_EQ(lab().levelAt(0), 8);
    EXPECT_EQ(lab().levelAt(4), 8);
    QTest::mouseClick(picture, Qt::RightButton, {}, at(*picture, 5));
    EXPECT_EQ(part<QSpinBox>("labBrush")->value(), 4) << "taken from the pixel";
    part<QPushButton>("labUndo")->click();
    EXPECT_EQ(lab().levelAt(0), 1);
    EXPECT_EQ(lab().levelAt(4), 1);
}

TEST_F(GridLab, LightsThePixelUnderThePointerInEveryView) {
    player().toEnd();
    QTest::mouseMove(picture, at(*picture, 9));
    QTest::mouseMove(picture, at(*picture, 5));
    ASSERT_EQ(lab().hovered(), 5);
    for (const char* name : {"labPicture", "labParents", "labTree"}) {
        EXPECT_TRUE(part<LabView>(name)->accessibleDescription().contains(QLatin1String("(1, 1)"))) << name;
    }
    EXPECT_TRUE(part<QLabel>("labReadout")->accessibleName().contains(QLatin1String("(1, 1)")));
    const std::uint32_t leaf = player().recording()->tree.nodeOf[1];
    QTest::mouseMove(tree, at(*tree, 1));
    EXPECT_EQ(lab().hovered(), static_cast<int>(player().recording()->tree.nodes[leaf].canonical));
    QTest::mouseMove(part<QListWidget>("labCode"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return lab().hovered() == -1; }, kPatience));
}

TEST_F(GridLab, LooksTheSameOnTheWayBack) {
    const auto look = [&] {
        QList<QImage> images;
        for (const LabView* view : window->findChildren<LabView*>()) {
            if (view->isVisible()) {
                images << const_cast<LabView*>(view)->grab().toImage();
            }
        }
        return images;
    };
    QList<QList<QImage>> seen{look()};
    while (part<QToolButton>("labForward")->isEnabled()) {
        click("labForward");
        ASSERT_NE(look(), seen.back()) << "step " << player().done() << " shows nothing";
        seen << look();
    }
    ASSERT_EQ(seen.size(), player().stepCount() + 1);
    for (int step = player().stepCount(); step > 0; --step) {
        ASSERT_EQ(look(), seen[step]) << step;
        click("labBack");
    }
    EXPECT_EQ(look(), seen.front());
    click("labToEnd");
    EXPECT_EQ(look(), seen.back());
    part<QSlider>("labTimeline")->setValue(4);
    EXPECT_EQ(look(), seen[4]);
    click("labToStart");
    EXPECT_EQ(look(), seen.front());
}

TEST_F(GridLab, SaysEveryStepInWords) {
    auto* caption = part<QLabel>("labCaption");
    QSet<QString> said;
    for (int step = 0; step <= player().stepCount(); ++step) {
        player().moveTo(step);
        said << caption->accessibleName();
        EXPECT_TRUE(caption->accessibleName().contains(caption->text()));
    }
    EXPECT_EQ(said.size(), player().stepCount() + 1);
}

TEST_F(GridLab, PlaysAndPauses) {
    player().setSpeed(1000);
    click("labPlay");
    EXPECT_TRUE(player().isPlaying());
    ASSERT_TRUE(QTest::qWaitFor([&] { return player().done() > 2; }, kPatience));
    click("labPlay");
    EXPECT_FALSE(player().isPlaying());
}

TEST_F(GridLab, IsUsedWithoutAMouse) {
    picture->setFocus();
    QTest::keyClick(picture, Qt::Key_Right);
    QTest::keyClick(picture, Qt::Key_Down);
    EXPECT_EQ(lab().cursor(), 5);
    QTest::keyClick(picture, Qt::Key_1);
    QTest::keyClick(picture, Qt::Key_2);
    EXPECT_EQ(lab().levelAt(5), 12);
    QTest::keyClick(picture, Qt::Key_Minus);
    EXPECT_EQ(lab().levelAt(5), 11);
    lab().setBrush(6);
    QTest::keyClick(picture, Qt::Key_Return);
    EXPECT_EQ(lab().levelAt(5), 6);
    QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(lab().levelAt(5), 11);
    ASSERT_TRUE(recorded());

    QTest::keyClick(picture, Qt::Key_PageDown);
    QTest::keyClick(picture, Qt::Key_PageDown);
    EXPECT_EQ(player().done(), 2);
    QTest::keyClick(picture, Qt::Key_PageUp);
    EXPECT_EQ(player().done(), 1);
    QTest::keyClick(picture, Qt::Key_End);
    EXPECT_TRUE(player().atEnd());
    QTest::keyClick(picture, Qt::Key_Home);
    EXPECT_EQ(player().done(), 0);
    QTest::keyClick(picture, Qt::Key_Space);
    EXPECT_TRUE(player().isPlaying());
    QTest::keyClick(picture, Qt::Key_Space);
    EXPECT_FALSE(player().isPlaying());

    player().toEnd();
    tree->setFocus();
    const vm::LabTree& drawn = player().recording()->tree;
    lab().setCursor(static_cast<int>(drawn.nodes[0].canonical));
    std::set<int> visited;
    for (std::size_t n = 1; n < drawn.nodes.size(); ++n) { // down as far as it goes
        QTest::keyClick(tree, Qt::Key_Down);
        visited.insert(lab().cursor());
    }
    EXPECT_EQ(drawn.nodes[drawn.nodeOf[static_cast<std::size_t>(lab().cursor())]].end,
              drawn.nodeOf[static_cast<std::size_t>(lab().cursor())] + 1)
        << "a leaf";
    EXPECT_GT(visited.size(), 1U);
    const int leaf = lab().cursor();
    QTest::keyClick(tree, Qt::Key_Up);
    EXPECT_NE(lab().cursor(), leaf);
    QTest::keyClick(tree, Qt::Key_Down);
    EXPECT_EQ(lab().cursor(), leaf);
}

TEST_F(GridLab, AsksAndCounts) {
    part<QCheckBox>("labGuess")->click();
    while (!player().question()) {
        click("labForward");
    }
    auto question = *player().question();
    QTest::mouseClick(picture, Qt::LeftButton, {}, at(*picture, static_cast<int>(question.answer)));
    EXPECT_EQ(part<QLabel>("labScore")->text(), QStringLiteral("1 of 1 right"));
    EXPECT_TRUE(part<QLabel>("labCaption")->text().startsWith(QLatin1String("Right.")));
    while (!player().question()) {
        click("labForward");
    }
    question = *player().question();
    lab().setCursor(question.answer == 0 ? 1 : 0);
    const auto levels = lab().picture();
    picture->setFocus();
    QTest::keyClick(picture, Qt::Key_Return);
    EXPECT_EQ(lab().picture(), levels) << "an answer is no paint";
    EXPECT_EQ(part<QLabel>("labScore")->text(), QStringLiteral("1 of 2 right"));
    EXPECT_TRUE(part<QLabel>("labCaption")->text().startsWith(QLatin1String("No:")));
}

TEST_F(GridLab, HasTheOptionsThatTheAlgorithmAsksFor) {
    for (int number = 0; number < static_cast<int>(teach::players().size()); ++number) {
        player().setPlayer(number);
        ASSERT_TRUE(recorded());
        const teach::PlayerInfo& info = player().info();
        SCOPED_TRACE(std::string(info.id));
        EXPECT_TRUE(player().problem().isEmpty()) << player().problem().toStdString();
        EXPECT_EQ(part<QComboBox>("labKind")->isVisible(), info.asksTree);
        EXPECT_EQ(part<QComboBox>("labTile")->isVisible(), info.asksTiles);
        EXPECT_EQ(part<QSpinBox>("labThreads")->isVisible(), info.asksThreads);
        EXPECT_EQ(part<QComboBox>("labRule")->isVisible(), info.asksFilter);
        EXPECT_EQ(part<QSpinBox>("labThreshold")->isVisible(), info.asksThreshold);
        for (const LabView* view : window->findChildren<LabView*>()) {
            EXPECT_EQ(view->isVisible(), hasPart(player(), view->part())) << view->objectName().toStdString();
        }
        EXPECT_EQ(part<QListWidget>("labCode")->count(), static_cast<int>(info.lines.size()));
        player().toEnd();
        EXPECT_FALSE(part<QLabel>("labCaption")->text().isEmpty());
        EXPECT_FALSE(picture->grab().isNull());
    }
}

TEST_F(GridLab, ChangesTheTreeByItsOptions) {
    auto* kind = part<QComboBox>("labKind");
    kind->setCurrentIndex(1);
    emit kind->activated(1);
    ASSERT_TRUE(recorded());
    EXPECT_EQ(player().recording()->tree.kind, TreeKind::min);
    auto* example = part<QComboBox>("labExample");
    emit example->activated(1);
    EXPECT_EQ(lab().picture(), vm::labExamples().front().picture);
    part<QSpinBox>("labWidth")->setValue(16);
    EXPECT_EQ(lab().width(), 16);
}

TEST_F(GridLab, TakesPixelsOfTheOpenImage) {
    EXPECT_FALSE(part<QPushButton>("labCrop")->isEnabled());
    EXPECT_FALSE(action("labTakeCrop")->isEnabled());
    test.open("ramp", makeImage(PixelType::u8, 100, 80, [](std::uint32_t x, std::uint32_t) { return int(x); }));
    part<QPushButton>("labCrop")->click();
    EXPECT_EQ(lab().levelAt(0), 42) << "around the middle";
    EXPECT_EQ(lab().width(), 16);
    test.models.probe.setPosition({20.5, 8.5});
    action("labTakeCrop")->trigger();
    EXPECT_EQ(lab().levelAt(0), 12) << "around the pointer";
}

using Letters = std::tuple<int, const char*>; ///< size in percent, language
class GridLabAudit : public ::testing::TestWithParam<Letters> {};

TEST_P(GridLabAudit, HasNamesTooltipsAFocusOrderAndRoomForItsTexts) {
    const auto& [percent, language] = GetParam();
    const auto silence = qScopeGuard([] { speak(QStringLiteral("en")); });
    if (speak(QLatin1String(language)) != QLatin1String(language)) {
        GTEST_SKIP() << "this build has no translation to " << language;
    }
    const QFont usual = QApplication::font();
    const auto restore = qScopeGuard([&usual] { QApplication::setFont(usual); });
    QFont larger = usual;
    larger.setPointSizeF(usual.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    TestWindow test;
    test.part<QAction>("gridLab")->trigger();
    auto* window = test.window.findChild<LabWindow*>();
    window->resize(window->size() * percent / 100);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window));
    vm::LabPlayerViewModel& player = window->player();
    player.setGuessing(true);
    for (int number = 0; number < static_cast<int>(teach::players().size()); ++number) {
        teach::PlayerSpec spec = player.spec();
        spec.turns = teach::Turns::byHand;
        player.start(number, spec, 1);
        ASSERT_TRUE(QTest::qWaitFor([&] { return player.rests() && player.done() == 1; }, kPatience));
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        const std::string name(player.info().id);
        const auto lines = [](const QStringList& list) { return '\n' + list.join(u'\n').toStdString(); };
        EXPECT_TRUE(testing::namelessControls(*window).isEmpty()) << name << lines(testing::namelessControls(*window));
        EXPECT_TRUE(testing::unexplainedControls(*window).isEmpty())
            << name << lines(testing::unexplainedControls(*window));
        EXPECT_TRUE(testing::unreachableControls(*window).isEmpty())
            << name << lines(testing::unreachableControls(*window));
        EXPECT_TRUE(testing::cutTexts(*window).isEmpty()) << name << lines(testing::cutTexts(*window));
    }
}

INSTANTIATE_TEST_SUITE_P(Percent, GridLabAudit,
                         ::testing::Combine(::testing::Values(100, 200), ::testing::Values("en", "fr")),
                         [](const auto& each) {
                             return std::to_string(std::get<0>(each.param)) + '_' + std::get<1>(each.param);
                         });

} // namespace
} // namespace pollard::app
