// The grid lab in its real window: painting, links between the views, transport, options and questions, also by keys
// alone.
#include "support/ui_audit.hpp"
#include "test_window.hpp"

#include "lab/exercise_dialog.hpp"
#include "lab/lab_export.hpp"
#include "lab/lab_panels.hpp"
#include "lab/lab_scene.hpp"
#include "lab/lab_view.hpp"
#include "lab/lab_window.hpp"
#include "lab/race_dialog.hpp"
#include "shell/translation.hpp"
#include "theme/theme.hpp"
#include "vm/lab/lab_view_model.hpp"

#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QHorizontalBarSeries>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <set>
#include <string_view>

namespace pollard::app {
namespace {

using Layer = teach::Layer;

class GridLab : public ::testing::Test {
protected:
    TestWindow test;
    LabWindow* window = nullptr;
    LabView* image = nullptr;
    LabView* tree = nullptr;

    void SetUp() override {
        action("gridLab")->trigger();
        window = test.window.findChild<LabWindow*>();
        ASSERT_NE(window, nullptr);
        ASSERT_TRUE(appears(*window));
        ASSERT_TRUE(activate(*window));
        image = part<LabView>("labImage");
        tree = part<LabView>("labTree");
        lab().setImage({4, 3, {1, 5, 1, 3, 1, 4, 1, 3, 1, 1, 1, 2}});
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
        return QTest::qWaitFor([&] { return player().isIdle() && player().recording() != nullptr; }, kPatience);
    }
    void click(const char* name) { QTest::mouseClick(part<QToolButton>(name), Qt::LeftButton); }
    static QPoint at(const LabView& view, int pixel) { return view.placeOf(pixel).toPoint(); }
};

TEST_F(GridLab, ComparesTwoAlgorithmsAtTheSameShareOfTheirSteps) {
    const auto numberOf = [](const char* id) {
        const auto players = teach::players();
        return static_cast<int>(std::ranges::find(players, std::string_view(id), &teach::PlayerInfo::id) -
                                players.begin());
    };
    EXPECT_EQ(window->findChild<LabBeside*>(), nullptr);
    player().setPlayer(numberOf("watershed"));
    ASSERT_TRUE(recorded());
    auto* const choice = part<QComboBox>("labPlayerBeside");
    choice->setCurrentIndex(numberOf("forest") + 1);
    emit choice->activated(choice->currentIndex());
    const auto* const beside = part<LabBeside>("labBeside");
    const vm::LabPlayerViewModel& other = beside->own();
    ASSERT_TRUE(QTest::qWaitFor([&] { return other.isIdle() && other.stepCount() > 0; }, kPatience));
    EXPECT_EQ(other.info().id, "forest");
    EXPECT_TRUE(part<LabView>("labBesideImage")->isVisible());
    EXPECT_EQ(other.done(), 0);
    player().toEnd();
    EXPECT_TRUE(other.atEnd());
    player().moveTo(player().stepCount() / 2);
    EXPECT_NEAR(static_cast<double>(other.done()) / other.stepCount(),
                static_cast<double>(player().done()) / player().stepCount(), .5 / other.stepCount() + 1e-9);
    const int kind = static_cast<int>(TreeKind::min);
    part<QComboBox>("labKind")->setCurrentIndex(part<QComboBox>("labKind")->findData(kind));
    emit part<QComboBox>("labKind")->activated(part<QComboBox>("labKind")->currentIndex());
    ASSERT_TRUE(recorded());
    ASSERT_TRUE(QTest::qWaitFor([&] { return other.isIdle(); }, kPatience));
    EXPECT_EQ(other.spec().kind, player().spec().kind);
    choice->setCurrentIndex(0);
    emit choice->activated(0);
    EXPECT_EQ(window->findChild<LabBeside*>(), nullptr);
}

TEST_F(GridLab, IsPaintedWithTheMouse) {
    part<QSpinBox>("labBrush")->setValue(8);
    QTest::mousePress(image, Qt::LeftButton, {}, at(*image, 0));
    QTest::mouseMove(image, at(*image, 4));
    QTest::mouseRelease(image, Qt::LeftButton, {}, at(*image, 4));
    EXPECT_EQ(lab().levelAt(0), 8);
    EXPECT_EQ(lab().levelAt(4), 8);
    QTest::mouseClick(image, Qt::RightButton, {}, at(*image, 5));
    EXPECT_EQ(part<QSpinBox>("labBrush")->value(), 4) << "taken from the pixel";
    part<QPushButton>("labUndo")->click();
    EXPECT_EQ(lab().levelAt(0), 1);
    EXPECT_EQ(lab().levelAt(4), 1);
}

TEST_F(GridLab, LightsThePixelUnderThePointerInEveryView) {
    player().toEnd();
    QTest::mouseMove(image, at(*image, 9));
    QTest::mouseMove(image, at(*image, 5));
    ASSERT_EQ(lab().hovered(), 5);
    for (const char* name : {"labImage", "labParents", "labTree"}) {
        EXPECT_TRUE(part<LabView>(name)->accessibleDescription().contains(QLatin1String("(1, 1)"))) << name;
    }
    EXPECT_TRUE(part<QLabel>("labReadout")->accessibleName().contains(QLatin1String("(1, 1)")));
    const std::uint32_t leaf = player().recording()->tree.nodeOf[1];
    const auto canonical = static_cast<int>(player().recording()->tree.nodes[leaf].canonical);
    QTest::mouseMove(tree, at(*tree, 1));
    EXPECT_TRUE(QTest::qWaitFor([&] { return lab().hovered() == canonical; }, kPatience));
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
    image->setFocus();
    QTest::keyClick(image, Qt::Key_Right);
    QTest::keyClick(image, Qt::Key_Down);
    EXPECT_EQ(lab().cursor(), 5);
    QTest::keyClick(image, Qt::Key_1);
    QTest::keyClick(image, Qt::Key_2);
    EXPECT_EQ(lab().levelAt(5), 12);
    QTest::keyClick(image, Qt::Key_Minus);
    EXPECT_EQ(lab().levelAt(5), 11);
    lab().setBrush(6);
    QTest::keyClick(image, Qt::Key_Return);
    EXPECT_EQ(lab().levelAt(5), 6);
    QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(lab().levelAt(5), 11);
    ASSERT_TRUE(recorded());

    QTest::keyClick(image, Qt::Key_PageDown);
    QTest::keyClick(image, Qt::Key_PageDown);
    EXPECT_EQ(player().done(), 2);
    QTest::keyClick(image, Qt::Key_PageUp);
    EXPECT_EQ(player().done(), 1);
    QTest::keyClick(image, Qt::Key_End);
    EXPECT_TRUE(player().atEnd());
    QTest::keyClick(image, Qt::Key_Home);
    EXPECT_EQ(player().done(), 0);
    QTest::keyClick(image, Qt::Key_Space);
    EXPECT_TRUE(player().isPlaying());
    QTest::keyClick(image, Qt::Key_Space);
    EXPECT_FALSE(player().isPlaying());

    player().toEnd();
    tree->setFocus();
    const vm::DrawnTree& drawn = player().recording()->tree;
    lab().setCursor(static_cast<int>(drawn.nodes[0].canonical));
    std::set<int> visited;
    for (std::size_t n = 1; n < drawn.nodes.size(); ++n) { // down to the leaf
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
    QTest::mouseClick(image, Qt::LeftButton, {}, at(*image, static_cast<int>(question.answer)));
    EXPECT_EQ(part<QLabel>("labScore")->text(), QStringLiteral("1 of 1 right"));
    EXPECT_TRUE(part<QLabel>("labCaption")->text().startsWith(QLatin1String("Right.")));
    while (!player().question()) {
        click("labForward");
    }
    question = *player().question();
    lab().setCursor(question.answer == 0 ? 1 : 0);
    const auto levels = lab().image();
    image->setFocus();
    QTest::keyClick(image, Qt::Key_Return);
    EXPECT_EQ(lab().image(), levels) << "an answer is no paint";
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
        EXPECT_EQ(part<QComboBox>("labAttribute")->isVisible(), info.asksFilter);
        EXPECT_EQ(part<QSpinBox>("labThreshold")->isVisible(), info.asksThreshold);
        for (const LabView* view : window->findChildren<LabView*>()) {
            EXPECT_EQ(view->isVisible(), hasPart(player().recording().get(), view->part()))
                << view->objectName().toStdString();
        }
        EXPECT_EQ(part<QListWidget>("labCode")->count(), static_cast<int>(info.lines.size()));
        player().toEnd();
        EXPECT_FALSE(part<QLabel>("labCaption")->text().isEmpty());
        EXPECT_FALSE(image->grab().isNull());
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
    EXPECT_EQ(lab().image(), vm::labExamples().front().image);
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

TEST_F(GridLab, SavesAStateAsADrawing) {
    player().moveTo(9);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("state.svg"));
    ASSERT_EQ(saveStateDrawing(window->scene(), path), QString());
    QSvgRenderer svg(path);
    ASSERT_TRUE(svg.isValid());
    EXPECT_EQ(svg.viewBox().size(), stateSize(window->scene()));
    const auto painted = [&] {
        QImage image(svg.viewBox().size(), QImage::Format_RGB32);
        image.fill(Qt::red);
        QPainter painter(&image);
        svg.render(&painter);
        return image;
    };
    const QImage state = painted();
    EXPECT_FALSE(QRgb(state.pixel(state.width() / 2, 3)) == qRgb(255, 0, 0)) << "all of it is painted";
    player().moveTo(12);
    ASSERT_EQ(saveStateDrawing(window->scene(), path), QString());
    ASSERT_TRUE(svg.load(path));
    EXPECT_NE(painted(), state);
    EXPECT_FALSE(saveStateDrawing(window->scene(), folder.filePath(QStringLiteral("no/such/folder.svg"))).isEmpty());
}

class LabFrameFiles : public GridLab {
protected:
    QTemporaryDir folder;
    LabFrames frames;
    int written = -1;
    QString error;

    void SetUp() override {
        GridLab::SetUp();
        QObject::connect(&frames, &LabFrames::finished, &frames, [this](int number, const QString& why) {
            written = number;
            error = why;
        });
    }
    [[nodiscard]] LabFrames::Order order() { return {player().recording(), window->palette(), window->font(), 250}; }
    [[nodiscard]] bool ended() {
        return QTest::qWaitFor([this] { return written >= 0; }, kPatience);
    }
};

TEST_F(LabFrameFiles, HaveAnImageForEveryStep) {
    frames.startImages(order(), folder.path());
    ASSERT_TRUE(ended());
    EXPECT_EQ(error, QString());
    EXPECT_EQ(written, player().stepCount() + 1);
    const QStringList names = QDir(folder.path()).entryList(QDir::Files, QDir::Name);
    ASSERT_EQ(names.size(), written);
    EXPECT_EQ(names.front(), LabFrames::nameOf(0, written));
    QImage before;
    for (const QString& name : names) {
        const QImage image(folder.filePath(name));
        ASSERT_EQ(image.size(), stateSize(window->scene()));
        ASSERT_NE(image, before) << name.toStdString();
        before = image;
    }
}

TEST_F(LabFrameFiles, AreOneAnimationIfThatIsWanted) {
    const QString path = folder.filePath(QStringLiteral("steps.webp"));
    frames.startAnimation(order(), path);
    ASSERT_TRUE(ended());
    EXPECT_EQ(error, QString());
    EXPECT_EQ(written, player().stepCount() + 1);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    EXPECT_TRUE(bytes.startsWith("RIFF"));
    EXPECT_EQ(bytes.count("ANMF"), written) << "a frame a step";
}

TEST_F(LabFrameFiles, SayWhyTheyWereNotWritten) {
    frames.startAnimation(order(), folder.filePath(QStringLiteral("no/such/folder.webp")));
    ASSERT_TRUE(ended());
    EXPECT_EQ(written, 0);
    EXPECT_TRUE(error.contains(QLatin1String("folder.webp"))) << error.toStdString();
}

TEST_F(LabFrameFiles, EndEarlyWhenCancelled) {
    QObject::connect(&frames, &LabFrames::progressed, &frames, [this](int number) {
        if (number == 2) {
            frames.cancel();
        }
    });
    const QString path = folder.filePath(QStringLiteral("steps.webp"));
    lab().loadExample(static_cast<int>(vm::labExamples().size()) - 1); // with a large number of steps
    ASSERT_TRUE(recorded());
    frames.startAnimation(order(), path);
    ASSERT_TRUE(ended());
    EXPECT_EQ(error, QString());
    EXPECT_LT(written, player().stepCount() + 1);
    EXPECT_FALSE(QFileInfo::exists(path));
}

TEST_F(GridLab, GoesOnWithNothingWhenItIsClosed) {
    action("teachLecture")->trigger();
    ASSERT_TRUE(recorded());
    player().setPlaying(true);
    ASSERT_TRUE(player().isPlaying());
    window->close();
    EXPECT_FALSE(player().isPlaying());
    EXPECT_FALSE(window->demonstration().isActive());
    action("teachLecture")->trigger(); // restarts
    EXPECT_TRUE(window->isVisible());
    EXPECT_TRUE(window->demonstration().isActive());
}

TEST_F(GridLab, IsShownInLecturesWithTwoKeys) {
    action("teachLecture")->trigger();
    vm::DemonstrationViewModel& lecture = window->demonstration();
    ASSERT_TRUE(recorded());
    ASSERT_GE(lecture.titles().size(), 3);
    auto* scenes = part<QListWidget>("labScenes");
    EXPECT_TRUE(scenes->isVisible());
    EXPECT_EQ(scenes->count(), lecture.titles().size());
    EXPECT_TRUE(window->isFullScreen());
    EXPECT_FALSE(part<QWidget>("labSide")->isVisible());
    EXPECT_EQ(lecture.current(), 0);
    image->setFocus();
    QTest::keyClick(image, Qt::Key_PageDown);
    EXPECT_EQ(player().done(), 1);
    QTest::keyClick(image, Qt::Key_PageUp);
    QTest::keyClick(image, Qt::Key_PageUp); // already at the first scene
    EXPECT_EQ(player().done(), 0);
    player().toEnd();
    scenes->setFocus(); // for any focus
    QTest::keyClick(scenes, Qt::Key_PageDown);
    EXPECT_EQ(lecture.current(), 1);
    EXPECT_EQ(scenes->currentRow(), 1);
    ASSERT_TRUE(recorded());
    EXPECT_EQ(player().done(), 0);
    QTest::keyClick(scenes, Qt::Key_Space);
    EXPECT_TRUE(player().isPlaying());
    QTest::keyClick(image, Qt::Key_Escape);
    EXPECT_FALSE(lecture.isActive());
    EXPECT_FALSE(window->isFullScreen());
    EXPECT_TRUE(part<QWidget>("labSide")->isVisible());
}

TEST_F(GridLab, KeepsItsImageAndStepDuringALecture) {
    const teach::LabImage own = lab().image();
    player().moveTo(3);
    const int before = player().player();
    vm::DemonstrationViewModel& lecture = window->demonstration();
    lecture.setActive(true);
    ASSERT_TRUE(recorded());
    EXPECT_NE(lab().image(), own);
    image->setFocus();
    QTest::keyClick(image, Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_EQ(lecture.current(), 1);
    ASSERT_TRUE(recorded());
    const teach::LabImage scene = lab().image();
    QTest::mouseClick(image, Qt::LeftButton, {}, at(*image, 1));
    QTest::keyClick(image, Qt::Key_9);
    EXPECT_EQ(lab().image(), scene) << "nothing is painted during a lecture";
    QTest::keyClick(image, Qt::Key_Escape);
    ASSERT_TRUE(recorded());
    EXPECT_EQ(lab().image(), own);
    EXPECT_EQ(player().done(), 3);
    EXPECT_EQ(player().player(), before);
    QTest::mouseClick(image, Qt::LeftButton, {}, at(*image, 1));
    EXPECT_EQ(lab().levelAt(1), lab().brush());
    lecture.setActive(true); // goes on where it was left
    ASSERT_TRUE(recorded());
    EXPECT_EQ(lecture.current(), 1);
    EXPECT_EQ(lab().image(), scene);
    QTest::keyClick(image, Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(lecture.current(), 0);
}

TEST_F(GridLab, FitsOnASmallProjector) {
    for (int each = 0; each < static_cast<int>(teach::players().size()); ++each) {
        player().start(each, player().spec(), 0);
        ASSERT_TRUE(QTest::qWaitFor([&] { return player().isIdle(); }, kPatience));
        QCoreApplication::processEvents();
        const QSize least = window->minimumSizeHint();
        EXPECT_TRUE(least.width() <= 1012 && least.height() <= 728)
            << each << ": " << least.width() << " x " << least.height();
    }
}

TEST_F(GridLab, ShowsEveryPreparedSceneAsItIsMeant) {
    vm::DemonstrationViewModel& lecture = window->demonstration();
    for (int scene = 0; scene < lecture.titles().size(); ++scene) {
        lecture.show(scene);
        ASSERT_TRUE(recorded());
        EXPECT_TRUE(player().problem().isEmpty()) << player().problem().toStdString();
        EXPECT_EQ(player().recording()->trace->image, lab().image());
        EXPECT_GT(player().stepCount(), 3);
    }
}

TEST(ExerciseSheet, IsAPdfOfThreeExercisesAPage) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("sheet.pdf"));
    ASSERT_EQ(saveSheet({7, 8, false}, path), QString());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    EXPECT_TRUE(bytes.startsWith("%PDF"));
    EXPECT_EQ(bytes.count("/Type /Page\n"), 3) << "three exercises a page";
    EXPECT_FALSE(saveSheet({7, 8, false}, folder.filePath(QStringLiteral("no/such/folder.pdf"))).isEmpty());
}

TEST(ExerciseDialog, AsksForTopicAndLevelAndShowsTheFirstExercise) {
    TestWindow test;
    test.part<QAction>("teachExercises")->trigger();
    auto* dialog = test.part<QDialog>("exerciseDialog");
    ASSERT_TRUE(appears(*dialog));
    std::set<QByteArray> seen;
    const auto look = [&] {
        const QImage image = dialog->grab().toImage();
        seen.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
        return seen.size();
    };
    EXPECT_EQ(look(), 1U);
    auto* topic = dialog->findChild<QComboBox*>(QStringLiteral("exerciseTopic"));
    ASSERT_EQ(topic->count(), 1 + static_cast<int>(teach::kAllQuestions.size()));
    topic->setCurrentIndex(4);
    EXPECT_EQ(look(), 2U);
    dialog->findChild<QComboBox*>(QStringLiteral("exerciseLevel"))->setCurrentIndex(2);
    EXPECT_EQ(look(), 3U);
    dialog->findChild<QCheckBox*>(QStringLiteral("exerciseAnswers"))->setChecked(true);
    EXPECT_EQ(look(), 4U);
}

TEST(ExerciseDialog, SavesAtReturn) {
    TestWindow test;
    test.part<QAction>("teachExercises")->trigger();
    auto* dialog = test.part<QDialog>("exerciseDialog");
    ASSERT_TRUE(activate(*dialog));
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("exerciseSave"));
    const QSignalSpy clicked(save, &QPushButton::clicked);
    save->disconnect(dialog); // a dialog for files would wait for an answer
    QTest::keyClick(dialog->findChild<QSpinBox*>(QStringLiteral("exerciseSeed")), Qt::Key_Return);
    EXPECT_EQ(clicked.size(), 1);
}

TEST(ExerciseSheet, WritesAnswersOnlyIfTheyAreWanted) {
    const auto painted = [](const teach::Exercise& exercise, bool answered) {
        QImage page(700, 400, QImage::Format_RGB32);
        page.fill(Qt::white);
        QPainter painter(&page);
        paintExercise(painter, page.rect(), exercise, 1, answered);
        return page;
    };
    for (const teach::Question question : teach::kAllQuestions) {
        const teach::Exercise one = teach::makeExercise(question, 3);
        EXPECT_EQ(painted(one, false), painted(teach::makeExercise(question, 3), false));
        EXPECT_NE(painted(one, false), painted(one, true));
        teach::Exercise wrong = one;
        for (std::int64_t& answer : wrong.answer) {
            answer = answer < 0 ? answer : answer == 0 ? 1 : 0;
        }
        EXPECT_EQ(painted(one, false), painted(wrong, false)) << "nothing tells the answer";
        EXPECT_NE(painted(one, true), painted(wrong, true));
    }
}

class Race : public ::testing::Test {
protected:
    TestWindow test;
    RaceDialog* dialog = nullptr;

    void open() {
        test.part<QAction>("teachRace")->trigger();
        dialog = test.window.findChild<RaceDialog*>();
        ASSERT_NE(dialog, nullptr);
        ASSERT_TRUE(appears(*dialog));
    }
    [[nodiscard]] bool ended() {
        return QTest::qWaitFor([this] { return !dialog->race().isRunning(); }, kPatience);
    }
};

TEST_F(Race, TimesEveryAlgorithmOnTheOpenImage) {
    open();
    auto* start = dialog->findChild<QPushButton*>(QStringLiteral("raceStart"));
    EXPECT_FALSE(start->isEnabled()) << "without an image";
    EXPECT_TRUE(start->isDefault());
    test.open("noise", makeNoise(120));
    ASSERT_TRUE(start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
    EXPECT_TRUE(dialog->race().isRunning());
    EXPECT_TRUE(dialog->findChild<QPushButton*>(QStringLiteral("raceCancel"))->isDefault());
    EXPECT_EQ(dialog->findChild<QTreeWidget*>(QStringLiteral("raceTimes"))->topLevelItem(0)->text(2),
              QStringLiteral("running"));
    ASSERT_TRUE(ended());
    ASSERT_GE(dialog->race().runners().size(), 2U);
    for (const auto& runner : dialog->race().runners()) {
        EXPECT_TRUE(runner.problem.isEmpty()) << runner.problem.toStdString();
        ASSERT_TRUE(runner.milliseconds.has_value()) << runner.name.toStdString();
        EXPECT_GT(*runner.milliseconds, 0);
    }
    const auto* chart = dialog->findChild<RaceChart*>();
    EXPECT_TRUE(chart->accessibleDescription().contains(dialog->race().runners().front().name));
    const auto bars = static_cast<QHorizontalBarSeries*>(chart->chart()->series().constFirst())->barSets();
    EXPECT_EQ(bars.constFirst()->count(), static_cast<int>(dialog->race().runners().size()));
    EXPECT_DOUBLE_EQ(bars.constFirst()->at(bars.constFirst()->count() - 1),
                     *dialog->race().runners().front().milliseconds);
    const auto* across = qobject_cast<QCategoryAxis*>(chart->chart()->axes(Qt::Horizontal).constFirst());
    ASSERT_NE(across, nullptr);
    EXPECT_GE(across->count(), 3) << "round ticks";
    const auto* times = dialog->findChild<QTreeWidget*>(QStringLiteral("raceTimes"));
    EXPECT_EQ(times->headerItem()->text(3), QStringLiteral("Speed-up"));
    EXPECT_EQ(times->topLevelItem(0)->text(3).remove(QRegularExpression(QStringLiteral("[.,]0"))), QStringLiteral("1"));
    EXPECT_TRUE(dialog->findChild<QPushButton*>(QStringLiteral("raceSave"))->isEnabled());
    EXPECT_EQ(dialog->findChild<QLabel*>(QStringLiteral("raceAbsent"))->text(), dialog->race().absent());
    test.models.document.choices().setTreeKind(TreeKind::min);
    EXPECT_FALSE(dialog->race().runners().front().milliseconds.has_value()) << "they were of another tree";
    EXPECT_TRUE(dialog->race().subject().contains(QStringLiteral("min-tree")));
    ASSERT_TRUE(test.settle());
    dialog->race().start();
    ASSERT_TRUE(ended());
    EXPECT_TRUE(dialog->race().runners().front().milliseconds.has_value());
    test.open("another", makeNoise(50));
    EXPECT_FALSE(dialog->race().runners().front().milliseconds.has_value()) << "they were of another image";
}

TEST_F(Race, EndsWhenItIsStopped) {
    test.open("noise", makeNoise(900, 65535));
    open();
    dialog->race().start();
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("raceCancel")), Qt::LeftButton);
    ASSERT_TRUE(ended());
    EXPECT_FALSE(dialog->race().runners().back().milliseconds.has_value());
    dialog->race().start();
    EXPECT_TRUE(dialog->race().isRunning()) << "another one can start";
}

using Letters = std::tuple<int, const char*>; ///< size in percent, language
class GridLabAudit : public ::testing::TestWithParam<Letters> {};

TEST_P(GridLabAudit, HasNamesTooltipsAFocusOrderAndRoomForItsTexts) {
    const auto& [percent, language] = GetParam();
    const auto silence = qScopeGuard([] { installLanguage(QStringLiteral("en")); });
    if (installLanguage(QLatin1String(language)) != QLatin1String(language)) {
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
    ASSERT_TRUE(appears(*window));
    const QSize size = window->size() * percent / 100; // larger than the screen: not at first, when it is bounded
    window->resize(size);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->size().width() >= size.width(); }, kPatience));
    vm::LabPlayerViewModel& player = window->player();
    player.setGuessing(true);
    for (int number = 0; number < static_cast<int>(teach::players().size()); ++number) {
        teach::PlayerSpec spec = player.spec();
        spec.turns = teach::Turns::byHand;
        player.start(number, spec, 1);
        ASSERT_TRUE(QTest::qWaitFor([&] { return player.isIdle() && player.done() == 1; }, kPatience));
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
                         ::testing::Combine(::testing::Values(100, 200, 300), ::testing::Values("en", "fr")),
                         [](const auto& each) {
                             return std::to_string(std::get<0>(each.param)) + '_' + std::get<1>(each.param);
                         });

} // namespace
} // namespace pollard::app
