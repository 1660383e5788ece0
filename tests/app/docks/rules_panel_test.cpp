// The Rules panel in the real window.
#include "app/test_window.hpp"

#include "vm/tree/rules_view_model.hpp"
#include "window/panels.hpp"
#include "window/workspaces.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>

#include <cmath>

namespace pollard::app {
namespace {

class RulesPanel : public ::testing::Test {
protected:
    TestWindow test;
    vm::RulesViewModel& rules = *test.window.findChild<vm::RulesViewModel*>();
    QListWidget* images = nullptr;

    void SetUp() override {
        test.window.resize(1280, 860);
        // Waves with noise: components of many shapes.
        std::mt19937 random(7);
        test.open("waves", makeImage(PixelType::u8, 90, 70, [&](std::uint32_t x, std::uint32_t y) {
                      return static_cast<int>(90 + 60 * std::sin(x / 6.0) * std::sin(y / 5.0)) +
                             static_cast<int>(random() % 40);
                  }));
        test.models.filter.setCriterion({AttributeId::elongation, 1.2, 2.5});
        test.window.workspaces().show(QStringLiteral("compare"));
        ASSERT_TRUE(rests());
        for (auto* list : test.window.findChildren<QListWidget*>()) {
            images = list->accessibleName() == QStringLiteral("Results of the rules") ? list : images;
        }
        ASSERT_NE(images, nullptr);
        ASSERT_TRUE(images->isVisible());
    }
    [[nodiscard]] bool rests() {
        return test.isLaidOut() && test.settle() &&
               QTest::qWaitFor([this] { return areAnalysesIdle(test.window); }, kPatience);
    }
    [[nodiscard]] QListWidgetItem* itemOf(const char* rule) {
        for (int row = 0; row < images->count(); ++row) {
            if (images->item(row)->text().contains(QLatin1String(rule))) {
                return images->item(row);
            }
        }
        return nullptr;
    }
    /// Most difference of a colour channel between the image of the filter's rule and the canvas, at the same pixels.
    [[nodiscard]] int farFromCanvas() {
        const QImage& image = rules.image(rules.current());
        const vm::ViewTransform& view = test.models.display.view();
        const QRectF part =
            QRectF(view.toImage({0, 0}), view.toImage({view.viewSize.width(), view.viewSize.height()})) &
            QRectF(0, 0, 90, 70);
        const QImage canvas = test.window.canvas()->grabFramebuffer();
        int most = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QPointF place(part.x() + (x + 0.5) * part.width() / image.width(),
                                    part.y() + (y + 0.5) * part.height() / image.height());
                const QPointF middle(std::floor(place.x()) + 0.5, std::floor(place.y()) + 0.5);
                const QPoint there = view.toView(middle).toPoint();
                if (canvas.rect().contains(there)) {
                    const QColor shown = canvas.pixelColor(there);
                    most = std::max(most, std::abs(shown.green() - qGreen(image.pixel(x, y))));
                }
            }
        }
        return most;
    }
};

TEST_F(RulesPanel, AClickOnAnImageChoosesItsRuleAndTheCanvasShowsTheSame) {
    QWidget* viewport = images->viewport();
    for (const char* title : {"Max", "Subtractive", "Min", "Viterbi", "Direct"}) {
        QListWidgetItem* item = itemOf(title);
        ASSERT_NE(item, nullptr) << title;
        const QRect place = images->visualItemRect(item);
        EXPECT_TRUE(viewport->rect().contains(place)) << title << " is in sight";
        QTest::mouseClick(viewport, Qt::LeftButton, Qt::NoModifier, place.center());
        ASSERT_TRUE(rests());
        EXPECT_TRUE(test.part<QComboBox>("rule")->currentText().startsWith(QLatin1String(title)));
        EXPECT_TRUE(item->text().startsWith(QStringLiteral("✓"))) << item->text().toStdString();
        EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec()))) << title;
        EXPECT_LE(farFromCanvas(), 2) << title;
        const QString changed = QLocale().toString(test.models.filter.changedPixels());
        EXPECT_TRUE(item->text().contains(changed)) << item->text().toStdString();
        EXPECT_EQ(test.part<QLabel>("changedPixels")->text(), changed);
    }
}

TEST_F(RulesPanel, ImagesShowThePartInTheView) {
    const QSize whole = rules.image(0).size();
    EXPECT_NEAR(1.0 * whole.width() / whole.height(), 90.0 / 70, 0.05);
    test.models.display.setZoom(30);
    test.models.display.setCentre({61, 22});
    ASSERT_TRUE(rests());
    EXPECT_LE(farFromCanvas(), 2);
    const QSizeF view = test.models.display.view().viewSize;
    const QSize part = rules.image(0).size();
    EXPECT_NEAR(1.0 * part.width() / part.height(), view.width() / view.height(), 0.05);
    test.models.display.setColourMap(vm::ColourMap::viridis);
    test.models.display.setWindow(60, 140);
    ASSERT_TRUE(rests());
    EXPECT_LE(farFromCanvas(), 2);
}

TEST_F(RulesPanel, ArrowsAndReturnChooseToo) {
    ASSERT_TRUE(focus(*images));
    EXPECT_EQ(images->currentRow(), 0);
    QTest::keyClick(images, Qt::Key_Right);
    QTest::keyClick(images, Qt::Key_Right);
    EXPECT_EQ(images->currentRow(), 2);
    EXPECT_EQ(test.models.filter.rule(), Rule::direct) << "so far only looked at";
    QTest::keyClick(images, Qt::Key_Return);
    EXPECT_EQ(test.models.filter.rule(), Rule::max);
    EXPECT_TRUE(images->hasFocus());
    ASSERT_TRUE(rests());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));
}

} // namespace
} // namespace pollard::app
