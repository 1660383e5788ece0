// The presets menu, the spectrum and the profile in the real window.
#include "app/test_window.hpp"

#include "docks/tree/spectrum_panel.hpp"
#include "plot/chart_frame.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "window/panel_dock.hpp"
#include "window/panels.hpp"

#include <QAction>
#include <QChart>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QValueAxis>

#include <cmath>
#include <string>

namespace pollard::app {
namespace {

class AnalysisDocks : public ::testing::Test {
protected:
    TestWindow test;
    vm::SpectrumViewModel& spectrum = *test.window.findChild<vm::SpectrumViewModel*>();
    vm::ProfileViewModel& profile = *test.window.findChild<vm::ProfileViewModel*>();

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor([this] { return areAnalysesIdle(test.window); }, kPatience);
    }
    void click(QWidget* widget, QPointF place) {
        QTest::mouseClick(widget, Qt::LeftButton, Qt::NoModifier, place.toPoint());
    }
};

TEST_F(AnalysisDocks, AreHiddenUntilTheyAreAskedFor) {
    for (const char* name : {"spectrumDock", "profileDock"}) {
        EXPECT_FALSE(test.part<QDockWidget>(name)->isVisible());
    }
    test.open("a", makeNoise(64));
    EXPECT_EQ(spectrum.state(), vm::SpectrumViewModel::State::empty) << "nothing is computed";
    showPanel(test.window, QStringLiteral("spectrum"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return spectrum.state() == vm::SpectrumViewModel::State::ready; }, kPatience));
    EXPECT_TRUE(test.part<QDockWidget>("spectrumDock")->isVisible());
}

TEST_F(AnalysisDocks, AClickOnABarFiltersByItsBin) {
    test.open("a", makeNoise(64));
    showPanel(test.window, QStringLiteral("spectrum"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return spectrum.state() == vm::SpectrumViewModel::State::ready; }, kPatience));
    auto* chart = test.part<SpectrumChart>("spectrumChart");
    ASSERT_TRUE(test.isLaidOut());
    int sides = 0;
    for (const QAbstractAxis* axis : chart->chart()->axes(Qt::Vertical)) {
        const auto* shares = qobject_cast<const QValueAxis*>(axis);
        ASSERT_NE(shares, nullptr);
        const double middle = shares->max() / 2;
        const std::string label = QString::asprintf(shares->labelFormat().toUtf8().constData(), middle).toStdString();
        EXPECT_NEAR(std::stod(label), middle, 1e-9) << "the tick reads " << label;
        ++sides;
    }
    EXPECT_EQ(sides, 2);
    ASSERT_GT(spectrum.bins(), 6);
    click(chart->viewport(), chart->footOf(5));
    EXPECT_EQ(chart->currentBin(), 5);
    EXPECT_GE(test.models.filter.minimum(), spectrum.edge(5));
    EXPECT_LT(test.models.filter.maximum(), spectrum.edge(6));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));
    // A drag over several bars, backwards.
    QTest::mousePress(chart->viewport(), Qt::LeftButton, Qt::NoModifier, chart->footOf(6).toPoint());
    QTest::mouseMove(chart->viewport(), chart->footOf(4).toPoint());
    QTest::mouseMove(chart->viewport(), chart->footOf(3).toPoint());
    QTest::mouseRelease(chart->viewport(), Qt::LeftButton, Qt::NoModifier, chart->footOf(3).toPoint());
    EXPECT_GE(test.models.filter.minimum(), spectrum.edge(3));
    EXPECT_LE(test.models.filter.minimum(), std::ceil(spectrum.edge(4)));
    EXPECT_LT(test.models.filter.maximum(), spectrum.edge(7));
    EXPECT_GE(test.models.filter.maximum(), spectrum.edge(6) - 1);
}

TEST_F(AnalysisDocks, BarsArePickedByKeysToo) {
    test.open("a", makeNoise(64));
    showPanel(test.window, QStringLiteral("spectrum"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return spectrum.state() == vm::SpectrumViewModel::State::ready; }, kPatience));
    auto* chart = test.part<SpectrumChart>("spectrumChart");
    chart->setFocus();
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(chart, Qt::Key_Right);
    }
    EXPECT_EQ(chart->currentBin(), 2);
    EXPECT_FALSE(chart->accessibleDescription().isEmpty());
    QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(chart, Qt::Key_Return);
    EXPECT_GE(test.models.filter.minimum(), spectrum.edge(2));
    EXPECT_LT(test.models.filter.maximum(), spectrum.edge(4));
}

TEST_F(AnalysisDocks, AClickOnAnImageOfTheProfileFiltersByItsThreshold) {
    test.open("a", makeNoise(64));
    showPanel(test.window, QStringLiteral("profile"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return profile.state() == vm::ProfileViewModel::State::ready; }, kPatience));
    auto* field = test.part<QLineEdit>("profileThresholds");
    EXPECT_FALSE(field->text().isEmpty()) << "from the spectrum";
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("30, 3, 300"));
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return profile.state() == vm::ProfileViewModel::State::ready && profile.thumbnails().size() == 3; },
        kPatience));
    EXPECT_EQ(field->text(), QStringLiteral("3, 30, 300"));
    auto* images = test.part<QListWidget>("profileImages");
    ASSERT_EQ(images->count(), 4) << "and the original";
    images->scrollToItem(images->item(2));
    click(images->viewport(), images->visualItemRect(images->item(2)).center());
    EXPECT_EQ(test.models.filter.minimum(), 30);
    ASSERT_TRUE(rests());
    EXPECT_EQ(images->currentRow(), 2);
    images->scrollToItem(images->item(0));
    click(images->viewport(), images->visualItemRect(images->item(0)).center());
    EXPECT_TRUE(test.models.filter.spec().criteria.empty());
}

TEST_F(AnalysisDocks, PresetsOfTheMenuNeedAnImageAndSetTheFilter) {
    auto* preset = test.part<QAction>("preset-document-text");
    EXPECT_FALSE(preset->isEnabled());
    EXPECT_FALSE(preset->toolTip().isEmpty());
    test.open("a", makeNoise(64));
    ASSERT_TRUE(preset->isEnabled());
    preset->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(test.models.document.tree()->kind, TreeKind::min);
    EXPECT_EQ(test.models.filter.output(), Output::residue);
    EXPECT_EQ(test.models.document.resultSpec().criteria.size(), 2U);
    EXPECT_EQ(test.models.document.resultSpec().match, Match::any);
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));
}

TEST_F(AnalysisDocks, SamplesComeWithTheProgram) {
    for (const Preset& preset : allPresets()) {
        EXPECT_TRUE(QFile::exists(QStringLiteral(":/pollard/samples/") + QString::fromStdString(preset.recipe.sample)));
    }
    test.part<QAction>("sample-nuts")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(test.models.document.path().endsWith(QLatin1String("nuts_and_screws_480x360_u8.tif")));
    EXPECT_GT(test.models.document.shown().frame.report.changedPixels, 0U);
    EXPECT_TRUE(test.errors.texts.isEmpty()) << test.errors.texts.join(u'\n').toStdString();
}

TEST(ChartTicks, AreRoundAndInside) {
    const auto labels = [](double low, double high, bool logarithmic, int most) {
        QStringList texts;
        for (const ChartTick& tick : ticksBetween(low, high, logarithmic, most)) {
            EXPECT_GE(tick.value, low - 1e-6 * std::abs(low));
            EXPECT_LE(tick.value, high + 1e-6 * std::abs(high));
            texts << tick.label;
        }
        return texts;
    };
    const auto restore = qScopeGuard([before = QLocale()] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale::c());
    EXPECT_EQ(labels(0, 10, false, 5), (QStringList{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(labels(1, 1000, true, 5), (QStringList{"1", "10", "100", "1 k"}));
    EXPECT_EQ(labels(1, 40, true, 10), (QStringList{"1", "2", "5", "10", "20"}));
    EXPECT_LE(labels(1, 1e12, true, 4).size(), 5);
    EXPECT_GE(labels(101, 103, true, 5).size(), 2);
    EXPECT_EQ(labels(-1, 1, false, 4), (QStringList{"-1", "-0.5", "0", "0.5", "1"}));
    EXPECT_TRUE(labels(5, 5, false, 5).isEmpty());
    EXPECT_LE(labels(1, std::nextafter(1, 2), false, 5).size(), 10) << "numbers that differ by their last bit";
    EXPECT_TRUE(labels(0, 5, true, 5).isEmpty());
}

} // namespace
} // namespace pollard::app
