// What the other laws find from the starts of a run, and the measurements of followed contours over the pages.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include "snake/contour/contour.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/contour_levels.hpp"
#include "snake/snake_group.hpp"
#include "vm/contour/contour_laws.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/recipe/chart_tables.hpp"

#include <cmath>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;

class LawResults : public testing::OpenContours {
protected:
    ContourLaws laws{contours};
    const Contour square = squareAround(40, 45, 12);
    const std::shared_ptr<const Image> image = discs(160, 100, {{42, 45, 20}, {108, 45, 20}});

    void startAndFinish(const std::vector<Contour>& starts) {
        contours.startFrom(starts, QStringLiteral("square"));
        ASSERT_TRUE(rests());
        finish();
        ASSERT_TRUE(eventually([&] { return laws.state() == AsyncState::ready; }));
    }
    /// The contours that a law finds.
    [[nodiscard]] std::vector<Contour> expected(const std::vector<Contour>& starts, RegionLaw law) const {
        SnakeSpec spec = contours.settings().spec();
        spec.law = law;
        SnakeGroup group({image, nullptr, starts, spec, nullptr, {}});
        while (group.advance()) {
        }
        std::vector<Contour> ends;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            ends.push_back(trimmed(group.state(i).nodes));
        }
        return ends;
    }
    [[nodiscard]] static std::uint64_t pixelsIn(const std::vector<Contour>& all, const Image& image) {
        const Image mask = maskOfContours(all, image.width(), image.height());
        std::uint64_t pixels = 0;
        for (std::size_t i = 0; i < mask.pixelCount(); ++i) {
            pixels += mask.level(i) != 0 ? 1 : 0;
        }
        return pixels;
    }
};

TEST_F(LawResults, EveryLawFindsItsContoursFromTheSameStarts) {
    open(*image);
    using Starts = std::vector<Contour>;
    for (const Starts& starts : {Starts{square}, Starts{square, squareAround(106, 45, 12)}}) {
        startAndFinish(starts);
        const auto comparison = laws.comparison();
        ASSERT_EQ(comparison->laws.size(), kRegionLaws.size());
        EXPECT_EQ(comparison->chosen, chosenLaw(*image, nullptr, starts, {}));
        EXPECT_EQ(laws.current(), contours.runs().currentRun()->spec.law);
        for (const RegionLaw law : kRegionLaws) {
            const LawContours* found = comparison->find(law);
            ASSERT_NE(found, nullptr);
            const std::vector<Contour> ends = expected(starts, law);
            EXPECT_EQ(found->run.record.allNodes(found->run.record.count() - 1), ends) << nameOf(law);
            EXPECT_EQ(found->pixels, pixelsIn(ends, *image)) << nameOf(law);
            EXPECT_EQ(found->outlines.size(), static_cast<qsizetype>(starts.size()));
        }
        EXPECT_EQ(contours.runs().all().size(), starts.size()) << "runs of the user only";
    }
}

TEST_F(LawResults, TheImageIsThePartAroundTheContours) {
    open(*image);
    startAndFinish({square});
    const PixelRegion part = laws.comparison()->part;
    for (const Contour& contour : contours.runs().allNodes()) {
        for (const ContourNode node : contour) {
            EXPECT_GT(node.x, static_cast<std::int32_t>(part.x));
            EXPECT_LT(node.y, static_cast<std::int32_t>(part.y + part.height));
        }
    }
    const Image& small = *laws.comparison()->image;
    ASSERT_LE(part.width, ContourLaws::kSide) << "pixels are not merged";
    ASSERT_EQ(small.width(), part.width);
    EXPECT_EQ(small.level(small.width() + 2), image->level((std::size_t{part.y} + 1) * image->width() + part.x + 2));
    // Of a large part every pixel is the mean of a square.
    startAndFinish({squareAround(80, 50, 45)});
    const PixelRegion large = laws.comparison()->part;
    const Image& merged = *laws.comparison()->image;
    ASSERT_GT(std::max(large.width, large.height), ContourLaws::kSide);
    EXPECT_EQ(merged.width(), (large.width + 1) / 2);
    std::uint32_t sum = 0;
    for (const std::size_t by : {std::size_t{0}, std::size_t{1}}) {
        for (const std::size_t down : {std::size_t{0}, std::size_t{1}}) {
            sum += image->level((large.y + down) * image->width() + large.x + by);
        }
    }
    EXPECT_EQ(merged.level(0), sum / 4);
}

TEST_F(LawResults, TakingALawAddsItsRunOnce) {
    open(*image);
    startAndFinish({square});
    const RegionLaw first = *laws.current();
    ASSERT_EQ(first, laws.comparison()->chosen);
    const auto comparison = laws.comparison();
    laws.take(RegionLaw::rayleigh);
    ASSERT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().allNodes(), expected({square}, RegionLaw::rayleigh)) << "the end is shown";
    EXPECT_TRUE(contours.runs().isFinished());
    EXPECT_EQ(contours.settings().spec().law, RegionLaw::rayleigh);
    EXPECT_FALSE(contours.settings().isLawAutomatic()) << "new contours take the law";
    EXPECT_EQ(laws.current(), RegionLaw::rayleigh);
    EXPECT_EQ(laws.comparison(), comparison) << "the same results";
    laws.take(first);
    laws.take(RegionLaw::rayleigh);
    EXPECT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().current(), 1);
}

TEST_F(LawResults, AnotherStartAndAHiddenPanelEndTheComparison) {
    open(*image);
    EXPECT_EQ(laws.state(), AsyncState::empty);
    startAndFinish({square});
    contours.startFrom({squareAround(106, 45, 12)}, {});
    laws.take(RegionLaw::gamma);
    ASSERT_TRUE(rests());
    EXPECT_EQ(laws.state(), AsyncState::empty) << "the new run has not ended";
    EXPECT_EQ(contours.runs().all().size(), 2U) << "the results of the old start are not taken";
    contours.setActive(false);
    finish();
    EXPECT_EQ(laws.state(), AsyncState::empty);
    contours.setActive(true);
    EXPECT_TRUE(eventually([&] { return laws.state() == AsyncState::ready; }));
    open(*discs(90, 80, {{40, 40, 20}}));
    EXPECT_EQ(laws.state(), AsyncState::empty) << "another image";
}

TEST(LawUndo, TakesALawBackAndAgain) {
    QTemporaryDir folder;
    testing::Workspace space;
    ContourLaws laws(space.contours);
    const QString path = folder.filePath(QStringLiteral("a.tif"));
    writeTiff(path.toStdString(), *discs(60, 48, {{20, 20, 9}}), {.compression = TiffCompression::none});
    space.contours.settings().setReach(std::nullopt);
    ASSERT_TRUE(space.open(path));
    space.contours.setActive(true);
    space.contours.startFrom({squareAround(20, 20, 5)}, QStringLiteral("square"));
    ASSERT_TRUE(space.rests());
    space.contours.playback().toEnd();
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(eventually([&] { return laws.state() == AsyncState::ready; }));
    const RegionLaw first = *laws.current();
    const RegionLaw other = first == RegionLaw::gamma ? RegionLaw::gaussian : RegionLaw::gamma;
    const int steps = space.history.stack().count();
    laws.take(other);
    EXPECT_EQ(space.history.stack().count(), steps + 1);
    space.history.stack().undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(laws.current(), first);
    EXPECT_EQ(space.contours.settings().spec().law, first);
    EXPECT_EQ(laws.state(), AsyncState::ready);
    space.history.stack().redo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(laws.current(), other);
    EXPECT_EQ(space.contours.settings().spec().law, other);
}

TEST(LawUndo, AStartWithAnotherChosenLawLeavesTheRunBeforeAlone) {
    QTemporaryDir folder;
    testing::Workspace space;
    const QString path = folder.filePath(QStringLiteral("a.tif"));
    writeTiff(path.toStdString(), *discs(60, 48, {{20, 20, 9}, {42, 30, 8}}), {.compression = TiffCompression::none});
    space.contours.settings().setReach(std::nullopt);
    ASSERT_TRUE(space.open(path));
    const auto start = [&space](const Contour& contour) {
        space.contours.startFrom({contour}, QStringLiteral("square"));
        ASSERT_TRUE(space.rests());
        space.contours.playback().toEnd();
        ASSERT_TRUE(space.rests());
    };
    space.contours.setLaw(RegionLaw::rayleigh);
    start(squareAround(20, 20, 5));
    space.contours.settings().setLawAutomatic(true);
    start(squareAround(42, 30, 5));
    ASSERT_NE(space.contours.runs().currentRun()->spec.law, RegionLaw::rayleigh);
    space.history.stack().undo();
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(space.contours.runs().all().size(), 1U);
    EXPECT_EQ(space.contours.runs().currentRun()->spec.law, RegionLaw::rayleigh);
    EXPECT_EQ(space.contours.settings().spec().law, RegionLaw::rayleigh);
}

class SeriesOfContours : public testing::OpenContours {
protected:
    static constexpr int kPages = 4;
    ContourSeries series{contours};

    [[nodiscard]] static std::shared_ptr<const Image> page(int number) {
        const double radius = 14 + 2.0 * number;
        return discs(160, 100, {{40, 45, radius}, {110, 45, radius}}, static_cast<std::uint32_t>(number + 1));
    }
    void openAndFollow() {
        writeTiff(pathOf("stack.tif").toStdString(),
                  {kPages, [](int number, const JobControl&) { return Plane{ownedRows(page(number))}; }},
                  {.compression = TiffCompression::none, .arePages = true});
        open(pathOf("stack.tif"), 0);
        contours.startFrom({squareAround(40, 45, 10), squareAround(110, 45, 10)}, {});
        ASSERT_TRUE(rests());
        contours.follow().start();
        ASSERT_TRUE(rests());
        ASSERT_TRUE(eventually([&] { return series.rows().size() == std::size_t{2 * kPages}; }));
    }
};

TEST_F(SeriesOfContours, HasEveryContourOfEveryPageInUnits) {
    series.setActive(true);
    openAndFollow();
    EXPECT_EQ(series.contourCount(), 2U);
    EXPECT_EQ(series.unitOf(ContourMeasure::area), QStringLiteral("px²"));
    EXPECT_EQ(series.placeName(), QStringLiteral("Page"));
    std::vector<double> areas;
    for (std::size_t i = 0; i < series.rows().size(); ++i) {
        const ContourSeries::Row& row = series.rows()[i];
        EXPECT_EQ(row.page, static_cast<int>(i / 2));
        EXPECT_EQ(row.contour, i % 2);
        EXPECT_EQ(series.placeOf(row.page), row.page + 1);
        const ContourRun& run = contours.runs().pages().at(row.page).runs.front();
        const int last = run.record.count() - 1;
        const RegionSums inside = run.record.figures(last, row.contour).inside;
        EXPECT_EQ(row.value(ContourMeasure::area), static_cast<double>(inside.pixels));
        EXPECT_EQ(row.value(ContourMeasure::mean), meanOf(inside));
        const double radius = 14 + 2.0 * row.page;
        EXPECT_NEAR(*row.value(ContourMeasure::area), 3.14159 * radius * radius, 0.08 * 3.14159 * radius * radius);
        areas.push_back(*row.value(ContourMeasure::area));
    }
    const DataTable table = tableOf(series);
    ASSERT_EQ(table.rows.size(), 2 * kPages);
    EXPECT_EQ(table.names.first(), QStringLiteral("page"));
    EXPECT_EQ(table.rows[3].mid(0, 3), (QStringList{QStringLiteral("2"), QStringLiteral("2"), exactNumber(areas[3])}));
    EXPECT_EQ(table.units[2], QStringLiteral("px²"));
    document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "test"});
    ASSERT_TRUE(eventually([&] { return series.unitOf(ContourMeasure::area) == QStringLiteral("µm²"); }));
    EXPECT_DOUBLE_EQ(*series.rows()[3].value(ContourMeasure::area), areas[3] / 4);
}

TEST_F(SeriesOfContours, TurnsToAPageAndRestsWhileItIsHidden) {
    QSignalSpy changes(&series, &ContourSeries::changed);
    series.setActive(true);
    openAndFollow();
    series.goTo(2);
    ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && document.page() == 2; }));
    EXPECT_EQ(series.rows().size(), std::size_t{2 * kPages}) << "the series of the other page";
    series.setActive(false);
    const auto count = changes.size();
    contours.deleteRun(0);
    EXPECT_EQ(changes.size(), count);
    series.setActive(true);
    EXPECT_EQ(series.rows().size(), 0U) << "no run of this page";
}

} // namespace
} // namespace pollard::vm
