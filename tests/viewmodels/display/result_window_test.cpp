// Automatic windows of results: after several filters, of every result, and never against the user's numbers.
#include "vm/display/look_store.hpp"
#include "vm/image/look.hpp"
#include "vm/recipe/earlier_filters.hpp"

#include "viewmodels/support/recipe_window.hpp"

#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

namespace pollard::vm {
namespace {

using testing::eventually;

/// Levels 100 to 107, and a square of 250: without the square the image is dark in the window of the original.
class ResultWindow : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    EarlierFilters earlier{models};
    QString path = folder.filePath(QStringLiteral("square.tif"));

    void SetUp() override {
        const auto image = testing::makeImage(PixelType::u8, 64, 64, [](auto x, auto y) {
            return x > 20 && x < 30 && y > 20 && y < 30 ? 250U : 100 + (x * 7 + y * 3) % 8;
        });
        writeTiff(path.toStdString(), *image, {.compression = TiffCompression::none});
        ASSERT_TRUE(space.open(path));
    }
    void removeTheSquare() {
        space.filter.setCriterion({AttributeId::level, 0, 200});
        ASSERT_TRUE(space.rests());
    }
    /// Whether the result gets a window of the levels 100 to 107.
    [[nodiscard]] bool fits() {
        return eventually([this] {
            const LevelWindow window = space.display.resultWindow();
            return window.low >= 99 && window.high <= 108;
        });
    }
};

TEST_F(ResultWindow, IsThatOfTheOriginalForASingleFilter) {
    removeTheSquare();
    EXPECT_EQ(space.display.resultWindow(), space.display.window());
    space.display.autoWindow();
    EXPECT_EQ(space.display.resultWindow(), space.display.window());
}

TEST_F(ResultWindow, FitsTheResultOnRequestAndFollowsIt) {
    removeTheSquare();
    QSignalSpy toggled(&space.display, &DisplayViewModel::fitsResultsChanged);
    space.display.setFitsResults(true);
    EXPECT_EQ(toggled.size(), 1);
    EXPECT_TRUE(fits());
    EXPECT_GT(space.display.windowHigh(), 200) << "the original keeps its own";
    space.filter.reset();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(eventually([this] { return space.display.resultWindow().high > 200; }));
    space.display.setFitsResults(false);
    EXPECT_EQ(space.display.resultWindow(), space.display.window());
    EXPECT_EQ(space.display.look().window, Look::Window::automatic);
}

TEST_F(ResultWindow, OfAResidueEndsAtItsBrightLevel) {
    space.display.setFitsResults(true);
    removeTheSquare();
    space.filter.setOutput(Output::residue);
    ASSERT_TRUE(space.rests());
    const LevelWindow window = space.display.resultWindow();
    EXPECT_EQ(window.low, 0);
    EXPECT_EQ(window.high, space.document.shown().frame.brightLevel);
}

TEST_F(ResultWindow, FitsTheImageBetweenTwoFiltersWithoutARequest) {
    removeTheSquare();
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(fits());
    EXPECT_FALSE(space.display.fitsResults());
    earlier.clearAll();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.display.resultWindow(), space.display.window());
}

TEST_F(ResultWindow, NeverReplacesNumbersOfTheUser) {
    removeTheSquare();
    space.display.setFitsResults(true);
    ASSERT_TRUE(fits());
    space.display.setWindow(10, 240);
    EXPECT_FALSE(space.display.fitsResults());
    EXPECT_EQ(space.display.resultWindow(), (LevelWindow{10, 240}));
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    testing::settle();
    EXPECT_EQ(space.display.window(), (LevelWindow{10, 240}));
    EXPECT_EQ(space.display.resultWindow(), (LevelWindow{10, 240}));
}

TEST_F(ResultWindow, IsKeptBySessions) {
    space.display.setFitsResults(true);
    const QString session = folder.filePath(QStringLiteral("a.pollard"));
    ASSERT_TRUE(space.save(session));
    space.display.setWindow(10, 240);
    ASSERT_TRUE(space.openSession(session));
    EXPECT_TRUE(space.display.fitsResults());
    EXPECT_EQ(lookFromJson(toJson(space.display.look())), space.display.look());
}

} // namespace
} // namespace pollard::vm
