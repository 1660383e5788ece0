// Follows docs/tutorials.md in the real window, control by control, and compares with the numbers on the page.
#include "app/test_window.hpp"

#include "recipe/recipe.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSlider>
#include <QSpinBox>
#include <QString>

namespace pollard::app {
namespace {

class FirstSteps : public ::testing::Test {
protected:
    TestWindow test;

    void SetUp() override {
        QFile file(QStringLiteral(POLLARD_SOURCE_DIR "/docs/tutorials.md"));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        page_ = QString::fromUtf8(file.readAll()).simplified();
    }
    void open(const char* sample) {
        test.window.openFile(QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/") + QLatin1String(sample));
        ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.document.hasImage(); }, kPatience));
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return test.settle() &&
               QTest::qWaitFor(
                   [this] {
                       return test.models.objects.state() != vm::ObjectsViewModel::State::computing &&
                              !test.models.objectTable.isListing() && test.models.filter.isAvailable() &&
                              !test.models.contours.isComputing() && !test.models.contours.playback().isPlaying();
                   },
                   kPatience);
    }
    void trigger(const char* action) { test.part<QAction>(action)->trigger(); }
    void choose(const char* box, const char* entry) {
        auto* choice = test.part<QComboBox>(box);
        const int index = choice->findText(QLatin1String(entry));
        ASSERT_GE(index, 0) << entry;
        choice->setCurrentIndex(index);
        emit choice->activated(index); // as on user input
    }
    void type(const char* box, double number) {
        ASSERT_TRUE(rests()); // a new tree changes the bounds
        test.part<QDoubleSpinBox>(box)->setValue(number);
    }
    /// Waits for the given numbers of all and of listed objects.
    void expectObjects(std::size_t all, int listed) {
        const auto& table = test.models.objectTable;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                return table.listing() != nullptr && !table.isListing() && table.listing()->rows.size() == all &&
                       table.rowCount() == listed;
            },
            kPatience))
            << table.summary().toStdString();
    }
    /// Waits until a number of the window has the expected value, and checks that the page has it in bold.
    template <class Number> void expect(std::uint64_t expected, Number number) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return static_cast<std::uint64_t>(number()) == expected; }, kPatience))
            << number() << " instead of " << expected;
        EXPECT_TRUE(
            page_.contains(QStringLiteral("**%1**").arg(QLocale(QLocale::English).toString(qulonglong{expected}))))
            << expected;
    }
    [[nodiscard]] auto nodes() {
        return [this] { return test.models.document.tree() ? test.models.document.tree()->nodeCount() : 0; };
    }
    [[nodiscard]] auto kept() {
        return [this] { return test.models.document.shown().frame.report.keptNodes; };
    }
    /// Checks that the window's steps equal the stored recipe, whose scripts tests/cli and tests/python run.
    void expectRecipe(const char* name) {
        ASSERT_TRUE(rests());
        Recipe stored = loadRecipe(std::string(POLLARD_SOURCE_DIR "/tests/recipes/") + name + ".json");
        const Recipe shown = test.window.findChild<vm::RecipeViewModel*>()->recipe();
        stored.name = shown.name;
        stored.sample.clear();
        EXPECT_EQ(toJson(shown), toJson(stored));
    }
    [[nodiscard]] bool says(const QString& words) const { return QString(page_).remove(u'*').contains(words); }

private:
    QString page_;
};

TEST_F(FirstSteps, TakeTheBackgroundAway) {
    open("coins_384x303_u8.tif");
    expect(29619, nodes());
    type("minimum", 4000);
    choose("output", "Residue");
    expect(128, kept());
    expect(65877, [this] { return test.models.document.shown().frame.report.changedPixels; });
    showPanel(test.window, QStringLiteral("objects"));
    choose("objectsThreshold", "Li");
    expectObjects(59, 59);
    expect(23, [this] { return test.part<QDoubleSpinBox>("objectsLow")->value(); });
    test.part<QLineEdit>("objectsCondition")->setText(QStringLiteral("area >= 500"));
    expectObjects(59, 24);
    EXPECT_TRUE(says(QStringLiteral("24 of 59 objects")));
    expectRecipe("tutorial-background");
}

TEST_F(FirstSteps, FindVessels) {
    open("retina_vessels_480x360_u8.tif");
    trigger("minTree");
    trigger("eight");
    expect(6035, nodes());
    type("minimum", 150);
    expect(273, kept());
    ASSERT_TRUE(rests());
    test.models.filter.criteria().assign({parseCriterion("area>=150"), parseCriterion("elongation>=3")}, Match::all);
    expect(172, kept());
    choose("output", "Mask");
    showPanel(test.window, QStringLiteral("objects"));
    expectObjects(23, 23);
    EXPECT_TRUE(says(QStringLiteral("23 pieces on 13.3 %")));
    expectRecipe("tutorial-vessels");
}

TEST_F(FirstSteps, FindWhatIsSmallAndBright) {
    open("city_lights_400x300_u16.tif");
    showPanel(test.window, QStringLiteral("objects"));
    expectObjects(2674, 2674);
    trigger("eight");
    expect(39436, nodes());
    type("minimum", 2);
    type("maximum", 60);
    ASSERT_TRUE(rests());
    auto criteria = test.models.filter.criteria().criteria();
    criteria.push_back(parseCriterion("height>=20000"));
    test.models.filter.criteria().assign(criteria, Match::all);
    expect(11915, kept());
    choose("output", "Mask");
    expectObjects(902, 902);
    EXPECT_TRUE(says(QStringLiteral("902 lights")) && says(QStringLiteral("2,674 objects")));
    expectRecipe("tutorial-lights");
}

TEST_F(FirstSteps, CountCells) {
    open("tissue_ihc_512_u16.tif");
    trigger("minTree");
    test.models.region.add({RegionShape::Kind::rectangle, {{300, 300}, {320, 330}}});
    type("regionX", 160);
    type("regionY", 320);
    type("regionWidth", 85);
    type("regionHeight", 190);
    expect(9681, nodes());
    type("minimum", 20);
    expect(6349, kept());
    showPanel(test.window, QStringLiteral("objects"));
    choose("objectsThreshold", "By hand");
    test.part<QDoubleSpinBox>("objectsLow")->setValue(0);
    test.part<QDoubleSpinBox>("objectsHigh")->setValue(46000);
    expectObjects(25, 25);
    EXPECT_TRUE(says(QStringLiteral("There are 25 nuclei")));
    expectRecipe("tutorial-cells");
}

TEST_F(FirstSteps, MeasureTheVentricles) {
    open("head_mri_128x96x24_u16.tif");
    const auto& document = test.models.document;
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(test.part<QSlider>("stackSlider0")->value(), 13);
    EXPECT_TRUE(says(QStringLiteral("slice 13 of 24")));
    EXPECT_EQ(test.part<QComboBox>("slices")->currentText(), "As a volume");
    expect(17384, nodes());
    test.models.filter.criteria().assign({parseCriterion("height>=300"), parseCriterion("20<=area<=4000")}, Match::all);
    expect(358, kept());
    choose("output", "Labels");
    ASSERT_TRUE(rests());
    expectRecipe("tutorial-ventricles");
    const auto slice = document.shown().slice;
    test.part<QSlider>("stackSlider0")->setValue(5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return document.shown().slice == 4; }, kPatience));
    EXPECT_NE(document.shown().slice, slice);
    expect(358, kept());
    EXPECT_EQ(test.part<QSpinBox>("pickArea")->suffix(), " voxels");
    choose("slices", "As pages");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document.isVolume(); }, kPatience));
    EXPECT_EQ(test.part<QSpinBox>("pickArea")->suffix(), " px");
    EXPECT_EQ(document.page(), 4);
}

TEST_F(FirstSteps, LetAContourFindTheBorder) {
    open("cell_phase_300_u8.tif");
    showPanel(test.window, QStringLiteral("contour"));
    auto* reach = test.part<QComboBox>("contourReach");
    reach->setCurrentIndex(reach->findText(QStringLiteral("Whole image")));
    emit reach->activated(reach->currentIndex());
    trigger("contourFromRectangle");
    test.models.region.beginDraft({150, 120});
    test.models.region.moveDraft({200, 170});
    ASSERT_TRUE(test.models.region.finishDraft());
    ASSERT_TRUE(rests());
    auto& contours = test.models.contours;
    contours.playback().toEnd();
    expect(57, [&] { return contours.isComputing() || contours.playback().isPlaying() ? 0 : contours.runs().shown(); });
    expect(67, [&] { return contours.runs().nodes().size(); });
    expect(12321, [&] { return QLocale().toInt(test.part<QLabel>("contourInsidePixels")->text()); });
    expectRecipe("tutorial-contour");
}

} // namespace
} // namespace pollard::app
