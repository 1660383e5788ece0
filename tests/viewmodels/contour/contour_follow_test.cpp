// Contours followed over the pages of a stack, and runs that stay with their page.
#include "viewmodels/support/open_contours.hpp"

#include "snake/contour/contour.hpp"
#include "snake/next_starts.hpp"
#include "snake/snake_group.hpp"
#include "vm/contour/contour_export.hpp"

#include <QFile>
#include <QSignalSpy>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;

class ContourPages : public testing::OpenContours {
protected:
    static constexpr int kPages = 4;
    const std::vector<Contour> starts{squareAround(40, 45, 10), squareAround(110, 45, 10)};

    /// Two discs that move by 4 px per page.
    [[nodiscard]] static std::shared_ptr<const Image> page(int number) {
        const double by = 4.0 * number;
        return discs(160, 100, {{42 + by, 45, 20}, {108, 45 + by, 20}}, static_cast<std::uint32_t>(number + 1));
    }
    void openStack(int from = 0) {
        writeTiff(pathOf("stack.tif").toStdString(),
                  {kPages, [](int number, const JobControl&) { return Plane{ownedRows(page(number))}; }},
                  {.compression = TiffCompression::none, .arePages = true});
        open(pathOf("stack.tif"), from);
    }
    void turnTo(int number) {
        document.reading().setPage(number);
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && document.page() == number; }));
    }
    /// The final contours of every page from @p from on.
    [[nodiscard]] std::vector<std::vector<Contour>> expected(std::vector<Contour> nodes, int from,
                                                             const std::shared_ptr<const Mask>& forbidden = {}) const {
        std::vector<std::vector<Contour>> ends;
        for (int number = from; number < kPages; ++number) {
            if (!ends.empty()) {
                nodes = nextStarts(ends.back(), ends.size() > 1 ? ends[ends.size() - 2] : std::vector<Contour>(),
                                   {*page(number), nullptr, contours.settings().spec(), forbidden.get(), {}});
            }
            SnakeGroup group({page(number), nullptr, nodes, contours.settings().spec(), forbidden, {}});
            while (group.advance()) {
            }
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                nodes[i] = trimmed(group.state(i).nodes);
            }
            ends.push_back(nodes);
        }
        return ends;
    }
};

TEST_F(ContourPages, EveryPageStartsAtTheOutlineOfTheOneBefore) {
    openStack();
    contours.startFrom(starts, {});
    ASSERT_TRUE(rests());
    ASSERT_TRUE(contours.follow().isPossible());
    contours.follow().start(); // finishes the run of this page first
    EXPECT_TRUE(contours.follow().isRunning());
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().isEmpty()) << contours.runs().problem().toStdString();
    const auto ends = expected(starts, 0);
    for (int number = 0; number < kPages; ++number) {
        turnTo(number);
        ASSERT_EQ(contours.runs().all().size(), 1U) << "page " << number;
        EXPECT_TRUE(contours.runs().isFinished());
        EXPECT_EQ(contours.runs().shown(), contours.runs().stateCount() - 1) << "the end is shown first";
        EXPECT_EQ(contours.runs().allNodes(), ends[static_cast<std::size_t>(number)]) << "page " << number;
        if (number > 0) {
            contours.playback().scrub(1);
            EXPECT_EQ(contours.runs().nodes(), contours.runs().currentRun()->record.nodes(1)) << "its own timeline";
        }
    }
    EXPECT_FALSE(contours.follow().isPossible()) << "the last page";
}

TEST_F(ContourPages, OneContourIsFollowedFromAnyPageAndKeepsOffWhatIsForbidden) {
    openStack(1);
    const auto mask = std::make_shared<Mask>(160, 100, false);
    for (std::uint32_t y = 0; y < 100; ++y) {
        mask->setRun(62, 66, y, true);
    }
    contours.settings().forbidden().set(mask);
    contours.settings().setEngine({true, {}}); // the default of the CPU, to the end
    contours.startFrom({starts[0]}, {});
    ASSERT_TRUE(rests());
    finish();
    contours.follow().start();
    ASSERT_TRUE(rests());
    const auto ends = expected({starts[0]}, 1, mask);
    turnTo(0);
    EXPECT_EQ(contours.runs().current(), -1) << "pages before are left alone";
    turnTo(3);
    ASSERT_EQ(contours.runs().current(), 0) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.runs().nodes(), ends.back().front());
    EXPECT_EQ(*contours.settings().forbidden().mask(), *mask);
}

TEST_F(ContourPages, FollowingAgainMakesNoOtherRunsAndSaysSo) {
    openStack();
    contours.startFrom(starts, {});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.follow().series().empty());
    contours.follow().start();
    contours.follow().start(); // while following
    ASSERT_TRUE(rests());
    const auto expectOneRunAPage = [&] {
        for (int number = 0; number < kPages; ++number) {
            turnTo(number);
            EXPECT_EQ(contours.runs().all().size(), 1U) << "page " << number;
        }
    };
    const auto expectSeries = [&] {
        const auto series = contours.follow().series();
        const auto ends = expected(starts, 0);
        ASSERT_EQ(series.size(), std::size_t{kPages});
        for (int number = 0; number < kPages; ++number) {
            const auto& each = series[static_cast<std::size_t>(number)];
            EXPECT_EQ(each.page, number);
            EXPECT_EQ(each.contours, 2);
            turnTo(number);
            std::uint64_t pixels = 0;
            for (std::size_t i = 0; i < 2; ++i) {
                const ContourRecord& record = contours.runs().currentRun()->record;
                pixels += record.figures(record.count() - 1, i).inside.pixels;
            }
            EXPECT_EQ(each.pixels, pixels);
        }
        turnTo(0);
    };
    expectSeries();
    QSignalSpy notices(&contours.runs(), &ContourRuns::noticeRaised);
    contours.follow().start();
    ASSERT_TRUE(rests());
    EXPECT_EQ(notices.size(), 1);
    turnTo(2); // the same from a page in the middle
    contours.follow().start();
    ASSERT_TRUE(rests());
    EXPECT_EQ(notices.size(), 2);
    expectOneRunAPage();
    turnTo(0);
    SnakeSpec spec = contours.settings().spec();
    spec.minLength = 5;
    contours.settings().setSpec(spec); // another run, not followed yet
    ASSERT_TRUE(rests());
    finish();
    EXPECT_TRUE(contours.follow().series().empty());
    contours.follow().start();
    ASSERT_TRUE(rests());
    EXPECT_EQ(notices.size(), 2);
    turnTo(3);
    EXPECT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.follow().series().size(), std::size_t{kPages});
}

TEST_F(ContourPages, FollowingGoesOnAfterThePagesThatAreDone) {
    openStack();
    contours.startFrom(starts, {});
    ASSERT_TRUE(rests());
    finish();
    contours.computing().setMostBytes(contours.runs().recordedBytes() + 1);
    contours.follow().start(); // memory for one page
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.follow().series().size(), 2U) << contours.runs().problem().toStdString();
    contours.computing().setMostBytes(ContourComputing::kMostBytes);
    contours.follow().start();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.follow().series().size(), std::size_t{kPages});
    const auto ends = expected(starts, 0);
    for (int number = 1; number < kPages; ++number) {
        turnTo(number);
        ASSERT_EQ(contours.runs().all().size(), 1U) << "page " << number;
        EXPECT_EQ(contours.runs().allNodes(), ends[static_cast<std::size_t>(number)]);
    }
    contours.deleteRun(0); // of the last page
    turnTo(0);
    EXPECT_EQ(contours.follow().series().size(), std::size_t{kPages} - 1);
    contours.follow().start();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.follow().series().size(), std::size_t{kPages});
    turnTo(3);
    EXPECT_EQ(contours.runs().allNodes(), ends.back());
}

TEST_F(ContourPages, RunsStayWhilePagesAreTurned) {
    openStack();
    contours.startFrom(starts, {});
    ASSERT_TRUE(rests());
    contours.runs().setContour(1);
    for (int i = 0; i < 6; ++i) {
        contours.playback().stepForward();
    }
    ASSERT_TRUE(rests());
    contours.playback().scrub(4);
    const std::vector<Contour> shown = contours.runs().allNodes();
    turnTo(2);
    EXPECT_EQ(contours.runs().current(), -1);
    EXPECT_TRUE(contours.runs().allNodes().empty());
    contours.startFrom({squareAround(60, 50, 12)}, {});
    ASSERT_TRUE(rests());
    turnTo(0);
    ASSERT_EQ(contours.runs().current(), 0);
    EXPECT_EQ(contours.runs().shown(), 4);
    EXPECT_EQ(contours.runs().contour(), 1);
    EXPECT_EQ(contours.runs().allNodes(), shown);
    EXPECT_EQ(contours.runs().stateCount(), 7);
    finish(); // the following is not affected
    EXPECT_EQ(contours.runs().allNodes(), expected(starts, 0).front());
    turnTo(2);
    EXPECT_EQ(contours.runs().nodes(), squareAround(60, 50, 12));
    open(*page(0));
    EXPECT_EQ(contours.runs().current(), -1) << "another file";
    EXPECT_EQ(contours.runs().recordedBytes(), 0U);
}

TEST_F(ContourPages, FollowingEndsWhenItIsToldAndSaysWhatIsWrong) {
    openStack();
    contours.startFrom(starts, {});
    ASSERT_TRUE(rests());
    contours.follow().start();
    contours.follow().stop();
    EXPECT_FALSE(contours.follow().isRunning());
    ASSERT_TRUE(rests());
    contours.playback().pause();
    finish();
    contours.computing().setMostBytes(contours.runs().recordedBytes() + 1);
    contours.follow().start();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().contains(QStringLiteral("page 3")))
        << contours.runs().problem().toStdString();
    turnTo(1);
    EXPECT_EQ(contours.runs().all().size(), 1U);
    turnTo(2);
    EXPECT_EQ(contours.runs().all().size(), 0U);
    contours.computing().setMostBytes(ContourComputing::kMostBytes);
    // Pages of another size cannot be followed.
    writeTiff(pathOf("sizes.tif").toStdString(),
              {2,
               [](int number, const JobControl&) {
                   return Plane{ownedRows(number == 0 ? page(0) : std::shared_ptr<const Image>(discs(90, 100, {})))};
               }},
              {.compression = TiffCompression::none, .arePages = true});
    open(pathOf("sizes.tif"));
    contours.startFrom(starts, {});
    ASSERT_TRUE(rests());
    contours.follow().start();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().contains(QStringLiteral("90 x 100 px")))
        << contours.runs().problem().toStdString();
}

TEST_F(ContourPages, OutlinesAndTableHaveAllPages) {
    openStack();
    document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "test"});
    ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && document.hasImage(); }));
    contours.startFrom({starts[0]}, {});
    ASSERT_TRUE(rests());
    ContourExport files(contours);
    EXPECT_FALSE(files.hasPages());
    contours.follow().start();
    ASSERT_TRUE(rests());
    ASSERT_TRUE(files.hasPages());
    const auto written = [&](const QString& path) {
        EXPECT_TRUE(eventually([&] { return !files.isBusy(); }));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll());
    };
    files.saveTable(pathOf("pages.csv"));
    const QStringList lines = written(pathOf("pages.csv")).split(u'\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), kPages + 1);
    EXPECT_EQ(lines[0], QStringLiteral("page,label,nodes,area,length,area_um2,length_um,mean,outside_mean"));
    const auto series = contours.follow().series();
    for (int number = 0; number < kPages; ++number) {
        const QStringList cells = lines[number + 1].split(u',');
        ASSERT_EQ(cells.size(), 9);
        const auto pixels = static_cast<double>(*series[static_cast<std::size_t>(number)].pixels);
        EXPECT_EQ(cells[0].toInt(), number);
        EXPECT_EQ(cells[3].toDouble(), pixels);
        EXPECT_DOUBLE_EQ(cells[5].toDouble(), pixels / 4);
        EXPECT_DOUBLE_EQ(cells[6].toDouble(), cells[4].toDouble() / 2);
        EXPECT_NEAR(cells[7].toDouble(), 154.5, 3) << "the disc has levels 130 to 179";
    }
    files.save(ContourFile::outline, pathOf("pages.geojson"), GeoJsonIn::pixels);
    const QString outlines = written(pathOf("pages.geojson"));
    EXPECT_EQ(outlines.count(QStringLiteral("\"Polygon\"")), kPages);
    EXPECT_TRUE(outlines.contains(QStringLiteral("\"label\":1,\"page\":3,\"area\":"))) << outlines.toStdString();
    EXPECT_EQ(outlines.count(QStringLiteral("\"area_um2\":")), kPages);
}

} // namespace
} // namespace pollard::vm
