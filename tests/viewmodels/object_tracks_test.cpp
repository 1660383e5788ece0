// Objects followed over the pages of a file: the same tracks as those of core on the pages, the current one, the
// tables.
#include "document_view_model.hpp"
#include "filter_view_model.hpp"
#include "object_table_model.hpp"
#include "object_tracks_view_model.hpp"
#include "objects_view_model.hpp"
#include "track_table_model.hpp"

#include "components/threshold.hpp"
#include "components/track_files.hpp"
#include "engine/engine_registry.hpp"
#include "io/tiff_writer.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"
#include "support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <array>
#include <memory>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using State = ObjectTracksViewModel::State;

using Pages = std::vector<std::shared_ptr<const Image>>;

std::shared_ptr<const Image> pageOf(const std::string& row, std::uint32_t level = 200) {
    return testing::makeImage(PixelType::u8, static_cast<std::uint32_t>(row.size()), 1,
                              [&](auto x, auto) { return row[x] == '#' ? level : 10; });
}

/// The pages of a split and a merge; the levels of the objects are others on every page.
Pages splitAndMerge() { return {pageOf("##...####", 200), pageOf(".##..#.##", 150), pageOf("..##.####", 250)}; }

class ObjectTracks : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry;
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};
    ObjectTracksViewModel tracks{document, objects, table};
    TrackTableModel list{tracks};

    void open(const Pages& pages) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiffPages(path.toStdString(), static_cast<int>(pages.size()),
                       [&](int page, const JobControl&) {
                           return WrittenPage{pages[static_cast<std::size_t>(page)], {}};
                       },
                       {}, {});
        document.open(path);
        objects.setActive(true);
        ASSERT_TRUE(rests());
    }
    void showPage(int page) {
        document.setPage(page);
        ASSERT_TRUE(eventually([&] { return document.page() == page; }));
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !document.isBusy() && !document.isFiltering() && document.hasImage() && !table.isListing() &&
                   objects.state() != ObjectsViewModel::State::computing && objects.objects() &&
                   objects.objects()->page == document.page() && table.listing() &&
                   table.listing()->found == objects.objects();
        });
    }
    void follow() {
        tracks.start();
        ASSERT_EQ(tracks.state(), State::running);
        ASSERT_TRUE(eventually([&] { return tracks.state() != State::running; }));
        ASSERT_EQ(tracks.state(), State::ready) << tracks.problem().toStdString();
    }
    [[nodiscard]] static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] QString cell(int row, int column) const { return list.index(row, column).data().toString(); }

private:
    int files_ = 0;
};

TEST_F(ObjectTracks, AreThoseOfTheTracker) {
    testing::Random random(5);
    Pages pages;
    for (int i = 0; i < 7; ++i) {
        const Mask mask = testing::granularMask(random, 60, 40, 3, 45);
        pages.push_back(testing::makeImage(
            PixelType::u8, 60, 40, [&](auto x, auto y) { return (mask.test(x, y) ? 150 : 20) + random() % 50; }));
    }
    open(pages);
    objects.setLevels(120, 255);
    objects.setConnectivity(Connectivity::four);
    ASSERT_TRUE(rests());
    follow();
    ObjectTracker tracker;
    const QString expected = directory.filePath(QStringLiteral("expected.csv"));
    TrackFiles files(expected.toStdString(), {});
    for (const auto& page : pages) {
        Components found = labelComponents(thresholdMask(*page, 120, 0xffff, nullptr), page.get(), {});
        const auto records = found.objects;
        files.add(records, tracker.add(std::move(found)), {});
    }
    files.commit();
    EXPECT_EQ(tracks.tracks()->history.tracks().size(), tracker.trackCount());
    EXPECT_EQ(list.rowCount(), static_cast<int>(tracker.trackCount()));
    QSignalSpy saved(&tracks, &ObjectTracksViewModel::saved);
    const QString written = directory.filePath(QStringLiteral("written.csv"));
    tracks.save(written);
    EXPECT_TRUE(tracks.isSaving());
    ASSERT_TRUE(eventually([&] { return !saved.empty(); }));
    EXPECT_FALSE(tracks.isSaving());
    EXPECT_FALSE(contentOf(written).isEmpty());
    EXPECT_EQ(contentOf(written), contentOf(expected));
}

TEST_F(ObjectTracks, ShowTheirNumbersInTheTableOfObjectsOnEveryPage) {
    open(splitAndMerge());
    const int columns = table.columnCount();
    objects.setLevels(100, 255);
    ASSERT_TRUE(rests());
    follow();
    ASSERT_EQ(table.columnCount(), columns + 1);
    EXPECT_EQ(table.headerData(columns, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Track"));
    const std::vector<std::vector<std::uint32_t>> expected{{1, 2}, {1, 3, 2}, {1, 2}};
    for (int page = 0; page < 3; ++page) {
        showPage(page);
        ASSERT_NE(table.trackNumbers(), nullptr) << "page " << page;
        EXPECT_EQ(*table.trackNumbers(), expected[static_cast<std::size_t>(page)]);
    }
    showPage(1);
    EXPECT_EQ(table.index(1, columns).data().toString(), QStringLiteral("3"));
    table.sort(columns, Qt::DescendingOrder);
    ASSERT_TRUE(eventually([&] { return !table.isListing(); }));
    EXPECT_EQ(table.listing()->labels, (std::vector<std::uint32_t>{2, 3, 1}));
    objects.setLevels(160, 255);
    EXPECT_EQ(tracks.state(), State::empty) << "others are objects now";
    EXPECT_EQ(table.columnCount(), columns);
    EXPECT_EQ(list.rowCount(), 0);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(std::is_sorted(table.listing()->labels.begin(), table.listing()->labels.end()));
}

TEST_F(ObjectTracks, AreListedWithTheirBeginningsAndEnds) {
    open(splitAndMerge());
    objects.setLevels(100, 255);
    follow();
    ASSERT_EQ(list.rowCount(), 3);
    EXPECT_EQ(cell(2, TrackTableModel::number), QStringLiteral("3"));
    EXPECT_EQ(cell(2, TrackTableModel::firstPage), QStringLiteral("2"));
    EXPECT_EQ(cell(2, TrackTableModel::lastPage), QStringLiteral("2"));
    EXPECT_EQ(cell(2, TrackTableModel::pages), QStringLiteral("1"));
    EXPECT_EQ(cell(2, TrackTableModel::began), QStringLiteral("split from 2"));
    EXPECT_EQ(cell(2, TrackTableModel::ended), QStringLiteral("merge into 2"));
    EXPECT_EQ(cell(0, TrackTableModel::began), QStringLiteral("birth"));
    EXPECT_EQ(cell(0, TrackTableModel::ended), QStringLiteral("–"));
    EXPECT_DOUBLE_EQ(list.index(0, TrackTableModel::displacement).data(Qt::UserRole).toDouble(), 2);
    EXPECT_DOUBLE_EQ(list.index(1, TrackTableModel::pathLength).data(Qt::UserRole).toDouble(), 2);
    EXPECT_DOUBLE_EQ(list.index(1, TrackTableModel::displacement).data(Qt::UserRole).toDouble(), 0);
    list.sort(TrackTableModel::firstPage, Qt::DescendingOrder);
    EXPECT_EQ(list.trackOf(0), 3U);
    EXPECT_EQ(list.rowOf(3), 0);
    EXPECT_EQ(list.rowOf(1), 1) << "equal ones by number";
    EXPECT_EQ(list.rowOf(4), -1);
    EXPECT_EQ(list.trackOf(3), 0U);
    EXPECT_TRUE(tracks.summary().contains(QStringLiteral("7 objects on 3 tracks over 3 pages")));
}

TEST_F(ObjectTracks, KeepTheCurrentOneOverThePages) {
    open(splitAndMerge());
    objects.setLevels(100, 255);
    ASSERT_TRUE(rests());
    follow();
    table.marks().select(std::array{2U});
    EXPECT_EQ(tracks.current(), 2U);
    ASSERT_NE(tracks.currentTrack(), nullptr);
    EXPECT_EQ(tracks.currentTrack()->frameCount(), 3U);
    showPage(1);
    EXPECT_EQ(tracks.current(), 2U);
    EXPECT_EQ(table.marks().selected(), (std::vector<std::uint32_t>{3}));
    tracks.setCurrent(3);
    EXPECT_EQ(table.marks().selected(), (std::vector<std::uint32_t>{2}));
    showPage(2);
    EXPECT_EQ(tracks.current(), 3U) << "it is not on this page";
    EXPECT_TRUE(table.marks().selected().empty());
    tracks.showFirstPage();
    ASSERT_TRUE(eventually([&] { return document.page() == 1; }));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.marks().selected(), (std::vector<std::uint32_t>{2}));
    tracks.setCurrent(99);
    EXPECT_EQ(tracks.current(), 0U);
    EXPECT_EQ(tracks.currentTrack(), nullptr);
}

TEST_F(ObjectTracks, CanBeCancelledAndTellWhatWentWrong) {
    open({pageOf("##...####"), pageOf(".##..#.##"), pageOf("##")});
    objects.setLevels(100, 255);
    tracks.start();
    tracks.cancel();
    EXPECT_EQ(tracks.state(), State::empty);
    testing::settle();
    EXPECT_EQ(tracks.state(), State::empty);
    tracks.start();
    ASSERT_TRUE(eventually([&] { return tracks.state() != State::running; }));
    EXPECT_EQ(tracks.state(), State::failed) << "pages of different sizes";
    EXPECT_FALSE(tracks.problem().isEmpty());
    objects.setLevels(90, 255);
    EXPECT_EQ(tracks.state(), State::empty);
}

TEST_F(ObjectTracks, SayWhyTheyCannotBe) {
    EXPECT_FALSE(tracks.whyNot().isEmpty());
    tracks.start();
    EXPECT_EQ(tracks.state(), State::empty);
    open({pageOf("##..")});
    EXPECT_TRUE(tracks.whyNot().contains(QStringLiteral("one page")));
    open(splitAndMerge());
    EXPECT_TRUE(tracks.whyNot().isEmpty());
    objects.setSource(ObjectsViewModel::Source::filtered);
    EXPECT_TRUE(tracks.whyNot().contains(QStringLiteral("original")));
}

TEST_F(ObjectTracks, AreForgottenWithTheirFile) {
    open(splitAndMerge());
    follow();
    EXPECT_GT(list.rowCount(), 0);
    open({pageOf("##.."), pageOf(".##.")});
    EXPECT_EQ(tracks.state(), State::empty);
    EXPECT_EQ(tracks.tracks(), nullptr);
    EXPECT_EQ(list.rowCount(), 0);
}

} // namespace
} // namespace pollard::vm
