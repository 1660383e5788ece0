// The score of objects in the real window: numbers, errors, their colours and places.
#include "app/test_window.hpp"

#include "docks/objects/score_panel.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "overlays/objects_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "window/dialogs/tune_dialog.hpp"
#include "window/panel_dock.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <cstdint>

namespace pollard::app {
namespace {

class ScoreDock : public ::testing::Test {
protected:
    TestWindow test;
    vm::ScoreViewModel& score = test.models.score;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        return test.models.objects.objects() && !test.models.objectTable.isListing() &&
                                               score.isIdle();
                                    },
                                    kPatience);
    }
    /// Two squares of which the truth has the left one, and another one.
    void open() {
        const auto squares = [](std::uint32_t second, std::uint32_t top, int first) {
            return makeImage(PixelType::u8, 200, 100, [=](std::uint32_t x, std::uint32_t y) {
                const bool isSecond = x >= second && x < second + 20 && y >= top && y < top + 20;
                return isSecond ? 200 : x >= 20 && x < 40 && y >= 40 && y < 60 ? first : 0;
            });
        };
        write(*squares(150, 10, 200), "cells.tif");
        write(*squares(100, 70, 1), "cells_truth.tif");
        test.window.openFile(directory_.filePath(QStringLiteral("cells.tif")));
        showPanel(test.window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
        EXPECT_FALSE(test.part<ScorePanel>("scorePanel")->isVisible()) << "it leaves the space to the table";
        test.part<QToolButton>("objectsShowScore")->click();
        ASSERT_TRUE(rests());
    }
    void setTruth(const char* name) {
        auto* field = test.part<QLineEdit>("scoreTruth");
        field->setText(QLatin1String(name));
        emit field->editingFinished();
        ASSERT_TRUE(rests());
    }
    void write(const Image& image, const char* name) {
        writeTiff(directory_.filePath(QLatin1String(name)).toStdString(), {image, {}}, {});
    }
    [[nodiscard]] QColor colourAt(double x, double y) {
        const OverlayScene scene = test.part<OverlayLayer>("overlayLayer")->scene();
        QImage image(scene.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        ObjectsOverlay(test.models.objects, test.models.objectTable, test.models.display, &score).paint(painter, scene);
        return image.pixelColor(scene.toSurface({x, y}).toPoint());
    }

private:
    QTemporaryDir directory_;
};

TEST_F(ScoreDock, ShowsNumbersAndLeadsToErrors) {
    open();
    auto* text = test.part<QLabel>("scoreText");
    auto* table = test.part<QTableView>("scoreErrorTable");
    EXPECT_TRUE(text->isVisible()) << "it says what to do";
    EXPECT_FALSE(table->isVisible());
    setTruth("{stem}_truth.tif");
    EXPECT_FALSE(text->isVisible());
    EXPECT_EQ(score.score()->totals.number(ObjectOutcome::missed), 1U);
    EXPECT_TRUE(test.part<QLabel>("scoreF1")->text().contains(QStringLiteral("0.5")));
    ASSERT_TRUE(table->isVisible());
    table->setCurrentIndex(table->model()->index(0, 0));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    const vm::ScoreError& error = score.score()->errors.front();
    EXPECT_NEAR(error.x, 109.5, 1e-6);
    EXPECT_NEAR(test.models.display.centre().x(), 110, 1e-6);
    EXPECT_NEAR(test.models.display.centre().y(), 80, 1e-6);
}

TEST_F(ScoreDock, ColoursTheErrorsOnTheImage) {
    open();
    setTruth("{stem}_truth.tif");
    EXPECT_GT(colourAt(160, 20).alpha(), 0);
    EXPECT_EQ(colourAt(110, 80).alpha(), 0) << "no object is there";
    test.part<QCheckBox>("scoreColours")->click();
    EXPECT_GT(colourAt(110, 80).alpha(), 0) << "the truth is coloured";
    EXPECT_LT(qAbs(colourAt(160, 20).hue() - QColor(outcomeColour(ObjectOutcome::invented)).hue()), 5);
    test.part<QToolButton>("objectsShowScore")->click();
    EXPECT_EQ(colourAt(110, 80).alpha(), 0) << "the panel is closed";
}

TEST_F(ScoreDock, TunesANumberAndTakesAPoint) {
    const auto beginsAt = [this](int level) {
        return QTest::qWaitFor(
            [this, level] {
                const auto found = test.models.objects.objects();
                return found && found->low == level;
            },
            kPatience);
    };
    open();
    test.models.objects.setLevels(100, 255);
    ASSERT_TRUE(beginsAt(100));
    setTruth("{stem}_truth.tif");
    test.part<QPushButton>("scoreTune")->click();
    auto* dialog = test.window.findChild<TuneDialog*>();
    ASSERT_NE(dialog, nullptr);
    QTest::keyClick(dialog, Qt::Key_Return); // tries the values
    auto* chart = dialog->findChild<TuneChart*>();
    ASSERT_TRUE(QTest::qWaitFor([chart] { return chart->current() >= 0; }, kPatience));
    EXPECT_TRUE(dialog->findChild<QLabel*>(QStringLiteral("tuneText"))->text().contains(QStringLiteral("{stem}")))
        << "one image";
    QTest::mouseClick(chart, Qt::LeftButton, {}, chart->areaOf(0).center().toPoint());
    EXPECT_TRUE(beginsAt(50)) << "half of the threshold";
    EXPECT_EQ(chart->current(), 0);
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(chart->current(), 1);
    test.models.history.undo();
    EXPECT_TRUE(beginsAt(100)) << "it was one entry";
    dialog->close();
}

TEST_F(ScoreDock, SaysWhyThereIsNoScore) {
    open();
    setTruth("missing.tif");
    EXPECT_TRUE(test.part<QLabel>("scoreText")->text().contains(QStringLiteral("missing.tif")));
    EXPECT_FALSE(test.part<QCheckBox>("scoreColours")->isVisible());
}

} // namespace
} // namespace pollard::app
