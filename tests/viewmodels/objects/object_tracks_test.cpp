// Objects followed over the pages of a file: the same tracks as core finds on the pages, filtered or not, the current
// track, the tables.
#include "vm/batch/object_tracks_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "components/object_tracks.hpp"
#include "components/objects/object_stream.hpp"
#include "components/threshold.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "filter/analysis_image.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/channel_files.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <array>
#include <atomic>
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

/// The pages of a split and a merge; the levels of the objects differ between pages.
Pages splitAndMerge() { return {pageOf("##...####", 200), pageOf(".##..#.##", 150), pageOf("..##.####", 250)}; }

/// The CPU engine with a device failure on request.
class FragileEngine : public Engine {
public:
    std::atomic<bool> fails = false;

    [[nodiscard]] std::string name() const override { return "fragile"; }
    [[nodiscard]] std::string device() const override { return "none"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return {}; }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        require();
        return cpu_->openSession(options);
    }
    [[nodiscard]] Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                             const JobControl& control) override {
        require();
        ++masks_;
        return cpu_->labelComponents(mask, grey, spec, control);
    }
    [[nodiscard]] std::unique_ptr<ObjectStream> streamObjects(const ComponentsSpec& spec, int,
                                                              const SessionOptions&) override {
        std::vector<std::unique_ptr<FrameWorker>> workers;
        workers.push_back(std::make_unique<Worker>(*this, spec));
        return std::make_unique<ObjectStream>(std::move(workers));
    }
    [[nodiscard]] int framesDone() const { return frames_; }
    [[nodiscard]] int masksDone() const { return masks_; }

private:
    class Worker : public FrameWorker {
    public:
        Worker(FragileEngine& engine, ComponentsSpec spec) : engine_(engine), spec_(std::move(spec)) {}
        [[nodiscard]] Components find(const StreamFrame& frame, const JobControl& control) override {
            engine_.require();
            ++engine_.frames_;
            const Mask mask = thresholdMask(*frame.image, frame.low, frame.high, frame.valid.get(), control);
            return pollard::labelComponents(mask, frame.image.get(), spec_, control);
        }

    private:
        FragileEngine& engine_;
        ComponentsSpec spec_;
    };
    void require() const {
        if (fails) {
            throw Error(ErrorCode::deviceFailed, "device: it was pulled out");
        }
    }

    std::unique_ptr<Engine> cpu_ = makeCpuEngine();
    std::atomic<int> frames_ = 0;
    std::atomic<int> masks_ = 0;
};

class ObjectTracks : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    std::atomic<std::uint64_t> availableMemory = std::uint64_t{1} << 50U;
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};
    ObjectTracksViewModel tracks{document, objects, table};
    TrackTableModel list{tracks};

    ObjectTracks() { objects.setSource(StepImage::original); }

    void open(const Pages& pages) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiff(
            path.toStdString(),
            {static_cast<int>(pages.size()),
             [&](int page, const JobControl&) { return Plane{ownedRows(pages[static_cast<std::size_t>(page)])}; }},
            {.arePages = true});
        document.open(path);
        objects.setActive(true);
        ASSERT_TRUE(rests());
    }
    void showPage(int page) {
        document.reading().setPage(page);
        ASSERT_TRUE(eventually([&] { return document.page() == page; }));
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.hasImage() &&
                   !table.isListing() && objects.state() != ObjectsViewModel::State::computing && objects.objects() &&
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
    [[nodiscard]] DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.availableMemory = [this] { return availableMemory.load(); };
        return services;
    }
    /// Noise on grains; a filter by area changes its objects.
    static Pages grains(int count) {
        testing::Random random(5);
        Pages pages;
        for (int i = 0; i < count; ++i) {
            const Mask mask = testing::granularMask(random, 60, 40, 3, 45);
            pages.push_back(testing::makeImage(
                PixelType::u8, 60, 40, [&](auto x, auto y) { return (mask.test(x, y) ? 150 : 20) + random() % 50; }));
        }
        return pages;
    }
    /// The table of tracks for levels from 120 on in @p images, with grey levels of @p grey.
    [[nodiscard]] QByteArray expectedTable(const Pages& images, const Pages& grey, const Mask* inside = nullptr) {
        const QString file = directory.filePath(QStringLiteral("expected.csv"));
        ObjectTracker tracker;
        TrackFiles files(file.toStdString(), {});
        for (std::size_t i = 0; i < images.size(); ++i) {
            Components found = labelComponents(thresholdMask(*images[i], 120, 0xffff, inside), grey[i].get(), {});
            const auto records = found.objects;
            files.add(records, tracker.add(std::move(found)), {});
        }
        files.commit();
        return contentOf(file);
    }
    [[nodiscard]] QByteArray writtenTable() {
        QSignalSpy saved(&tracks, &ObjectTracksViewModel::saved);
        const QString written = directory.filePath(QStringLiteral("written.csv"));
        tracks.save(written);
        EXPECT_TRUE(tracks.isSaving());
        EXPECT_TRUE(eventually([&] { return !saved.empty(); }));
        EXPECT_FALSE(tracks.isSaving());
        return contentOf(written);
    }
    /// Result of the CPU engine's filter.
    static std::shared_ptr<const Image> filtered(const std::shared_ptr<const Image>& page, const FilterSpec& spec,
                                                 TreeKind kind = TreeKind::max, const Mask* inside = nullptr) {
        const auto session = makeCpuEngine()->openSession();
        session->open(analysisImage(page, inside, kind));
        TreeSpec tree;
        tree.kind = kind;
        static_cast<void>(session->buildTree(tree));
        auto result = std::make_shared<Image>(page->type(), page->width(), page->height());
        static_cast<void>(session->filter(spec, *result));
        if (inside != nullptr) {
            restoreOutside(*page, *inside, spec.output, *result);
        }
        return result;
    }
    static FilterSpec largerThan(double area) {
        FilterSpec spec;
        spec.criteria.push_back({AttributeId::area, area});
        return spec;
    }
    void choose120() {
        objects.setLevels(120, 255);
        objects.setConnectivity(Connectivity::four);
        ASSERT_TRUE(rests());
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
    const Pages pages = grains(7);
    open(pages);
    ASSERT_NO_FATAL_FAILURE(choose120());
    ASSERT_NO_FATAL_FAILURE(follow());
    const QByteArray expected = expectedTable(pages, pages);
    EXPECT_FALSE(expected.isEmpty());
    EXPECT_EQ(writtenTable(), expected);
    EXPECT_EQ(list.rowCount(), static_cast<int>(tracks.tracks()->history.tracks().size()));
}

TEST_F(ObjectTracks, AreThoseOfTheFilteredPages) {
    const Pages pages = grains(5);
    open(pages);
    objects.setSource(StepImage::result);
    EXPECT_EQ(tracks.whyNot(), QString());
    filter.setRange(25, 100'000);
    filter.picks().pick(document.tree()->canonical[1], PicksModel::PickEffect::removed);
    ASSERT_NO_FATAL_FAILURE(choose120());
    ASSERT_NO_FATAL_FAILURE(follow());
    Pages opened;
    for (const auto& page : pages) {
        opened.push_back(filtered(page, largerThan(25)));
    }
    const QByteArray expected = expectedTable(opened, pages);
    EXPECT_NE(expected, expectedTable(pages, pages));
    EXPECT_EQ(writtenTable(), expected) << "what was picked on one page is none of the others";

    // Filters one after another, in a region.
    FilterStage opening;
    opening.filter = largerThan(25);
    const auto inside = std::make_shared<Mask>(60, 40, false);
    for (std::uint32_t y = 3; y < 37; ++y) {
        inside->setRun(5, 51, y, true);
    }
    document.choices().setTreeKind(TreeKind::min);
    document.choices().setEarlierFilters({opening});
    document.choices().setDomain(inside);
    filter.setRange(4, 100'000);
    EXPECT_EQ(tracks.state(), State::empty) << "others are filtered now";
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(follow());
    for (auto& page : opened) {
        page = filtered(page, largerThan(4), TreeKind::min, inside.get());
    }
    EXPECT_EQ(writtenTable(), expectedTable(opened, pages, inside.get()));
    showPage(3);
    ASSERT_NE(table.trackNumbers(), nullptr) << "they are the objects of the page";
    EXPECT_EQ(*table.trackNumbers(), tracks.tracks()->history.tracksOf(3));
}

TEST_F(ObjectTracks, LieWithinTheRegion) {
    open({pageOf("##..##"), pageOf(".##.##")});
    objects.setLevels(100, 255);
    const auto left = std::make_shared<Mask>(6, 1, false);
    left->setRun(0, 3, 0, true);
    document.choices().setDomain(left);
    ASSERT_TRUE(rests());
    for (const bool fill : {false, true}) { // pages are found in a stream, or one by one
        objects.setOption(&ObjectRule::fillHoles, fill);
        ASSERT_TRUE(rests());
        ASSERT_NO_FATAL_FAILURE(follow());
        ASSERT_EQ(tracks.tracks()->pages.size(), 2U);
        for (const TrackedPage& page : tracks.tracks()->pages) {
            EXPECT_EQ(page.objects.size(), 1U) << fill;
        }
    }
}

TEST_F(ObjectTracks, OfFilteredPagesAreForgottenWithTheFilter) {
    open(grains(3));
    ASSERT_NO_FATAL_FAILURE(choose120());
    ASSERT_NO_FATAL_FAILURE(follow());
    filter.setRange(9, 100'000);
    ASSERT_TRUE(rests());
    EXPECT_EQ(tracks.state(), State::ready) << "the original pages are what they were";
    objects.setSource(StepImage::result);
    EXPECT_EQ(tracks.state(), State::empty);
    for (int change = 0; change < 3; ++change) {
        ASSERT_TRUE(rests());
        ASSERT_NO_FATAL_FAILURE(follow());
        change == 0   ? filter.setRange(12, 100'000)
        : change == 1 ? document.choices().setConnectivity(Connectivity::eight)
                      : document.choices().setEarlierFilters({{{}, true, {}, largerThan(3), true}});
        EXPECT_TRUE(eventually([&] { return tracks.state() == State::empty; })) << change;
    }
    ASSERT_TRUE(rests());
    tracks.start();
    filter.setRange(15, 100'000);
    ASSERT_TRUE(eventually([&] { return tracks.state() == State::empty; })) << "on their way";
    ASSERT_TRUE(rests());
    EXPECT_EQ(tracks.tracks(), nullptr);
}

TEST_F(ObjectTracks, OfFilteredPagesAreForgottenWithTheSizeOfAPixel) {
    open(grains(2));
    const auto setSide = [this](double side) {
        document.pixelSizes().set(PixelSize{side, side, "µm", "test"});
        return rests();
    };
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=4um2")};
    filter.setSpec(spec);
    ASSERT_TRUE(setSide(0.5));
    ASSERT_NO_FATAL_FAILURE(follow());
    ASSERT_TRUE(setSide(1));
    EXPECT_EQ(tracks.state(), State::ready) << "the original pages do not depend on it";
    objects.setSource(StepImage::result);
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(follow());
    ASSERT_TRUE(setSide(0.5));
    EXPECT_EQ(tracks.state(), State::empty);
}

TEST_F(ObjectTracks, OfFilteredPagesNeedMemoryForATree) {
    open(grains(2));
    objects.setSource(StepImage::result);
    filter.setRange(9, 100'000);
    ASSERT_TRUE(rests());
    availableMemory = 60 * 40;
    tracks.start();
    ASSERT_TRUE(eventually([&] { return tracks.state() != State::running; }));
    EXPECT_EQ(tracks.state(), State::failed);
    EXPECT_TRUE(tracks.problem().contains(QStringLiteral("page 1: memory: ")));
    availableMemory = std::uint64_t{1} << 50U;
    ASSERT_NO_FATAL_FAILURE(follow());
}

TEST_F(ObjectTracks, OfPagesThatNoFilterChangesNeedNoTree) {
    const Pages pages = grains(4);
    open(pages);
    objects.setSource(StepImage::result);
    ASSERT_NO_FATAL_FAILURE(choose120());
    availableMemory = 60 * 40;
    ASSERT_NO_FATAL_FAILURE(follow());
    EXPECT_EQ(writtenTable(), expectedTable(pages, pages));
    availableMemory = std::uint64_t{1} << 50U;
    filter.setRange(9, 100'000);
    EXPECT_TRUE(eventually([&] { return tracks.state() == State::empty; })) << "it changes them";
}

TEST_F(ObjectTracks, FillHolesOnEveryPage) {
    Pages pages;
    for (std::uint32_t page = 0; page < 3; ++page) {
        pages.push_back(testing::makeImage(PixelType::u8, 60, 40, [page](auto x, auto y) {
            const bool ring = x >= 5 + page && x < 15 + page && y >= 5 && y < 15;
            return ring && !(x == 9 + page && y == 9) ? 200U : 10U;
        }));
    }
    open(pages);
    objects.setLevels(100, 255);
    objects.setOption(&ObjectRule::fillHoles, true);
    ASSERT_TRUE(rests());
    for (const auto source : {StepImage::original, StepImage::result}) {
        objects.setSource(source);
        filter.setRange(4, 100'000);
        ASSERT_TRUE(rests());
        ASSERT_NO_FATAL_FAILURE(follow());
        ASSERT_EQ(tracks.tracks()->pages.size(), 3U);
        for (const TrackedPage& page : tracks.tracks()->pages) {
            const ComponentRecords& records = page.objects;
            ASSERT_EQ(records.size(), 1U);
            EXPECT_EQ(records[0].area, 100U);
            EXPECT_EQ(records[0].holes, 0U);
            EXPECT_EQ(records[0].greyMin, 10U) << "the levels of the page";
        }
        ASSERT_NE(table.trackNumbers(), nullptr);
    }
    objects.setOption(&ObjectRule::fillHoles, false);
    EXPECT_EQ(tracks.state(), State::empty) << "others are followed now";
}

TEST_F(ObjectTracks, AreFoundByTheEngineOfTheDocumentUntilItFails) {
    auto made = std::make_unique<FragileEngine>();
    FragileEngine& engine = *made;
    registry.add(std::move(made));
    document.choices().setEngine(QStringLiteral("fragile"));
    const Pages pages = grains(6);
    open(pages);
    ASSERT_NO_FATAL_FAILURE(choose120());
    ASSERT_NO_FATAL_FAILURE(follow());
    EXPECT_EQ(engine.framesDone(), 6);
    const QByteArray expected = expectedTable(pages, pages);
    EXPECT_EQ(writtenTable(), expected);
    filter.setRange(25, 100'000);
    ASSERT_TRUE(rests());
    const int masks = engine.masksDone();
    EXPECT_GT(masks, 0) << "the panel finds its objects on the engine";
    engine.fails = true;
    objects.setLevels(119, 255);
    objects.setLevels(120, 255);
    ASSERT_TRUE(rests());
    EXPECT_EQ(engine.masksDone(), masks);
    EXPECT_EQ(objects.state(), ObjectsViewModel::State::ready) << "the CPU finds the objects of the panel";
    ASSERT_NO_FATAL_FAILURE(follow());
    EXPECT_EQ(engine.framesDone(), 6);
    EXPECT_EQ(writtenTable(), expected) << "the CPU took over";
    objects.setSource(StepImage::result);
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(follow());
    Pages opened;
    for (const auto& page : pages) {
        opened.push_back(filtered(page, largerThan(25)));
    }
    EXPECT_EQ(writtenTable(), expectedTable(opened, pages));
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
    EXPECT_TRUE(tracks.problem().contains(QStringLiteral("page 3: "))) << tracks.problem().toStdString();
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
}

/// A square of 4 px that moves by 1 px a time, in another row of every channel and slice; a hot pixel in GFP.
void writeMoving(const QString& path, const std::vector<StackAxis>& axes) {
    test::writeStack(path.toStdString(), axes, 12, 8, [](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
        const auto row = static_cast<std::uint32_t>(2 * (at[0] + 2 * at[1]));
        const auto left = static_cast<std::uint32_t>(at[2] + 1);
        const bool inSquare = y >= row && y < row + 2 && x >= left && x < left + 2;
        return inSquare || (at[0] == 1 && x == 10 && y == 1) ? 900 : 10;
    });
}

TEST_F(ObjectTracks, GoOverTimeAtTheShownChannelAndSliceByTheCondition) {
    const QString path = directory.filePath(QStringLiteral("moving.ome.tif"));
    writeMoving(path, {{'c', 2, {"DAPI", "GFP"}}, {'z', 2, {}}, {'t', 3, {}, 2, "s"}});
    document.open(path);
    objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return document.isVolume() && !document.activity().isBusy(); }));
    EXPECT_THAT(tracks.whyNot().toStdString(), ::testing::HasSubstr("not in a volume"));
    ASSERT_TRUE(tracks.canShowPages());
    tracks.showPages();
    ASSERT_TRUE(eventually([&] { return !document.isVolume(); }));
    ASSERT_NO_FATAL_FAILURE(showPage(3)); // GFP, slice 1, time 0
    objects.setLevels(500, 900);
    ASSERT_TRUE(rests());
    EXPECT_EQ(tracks.axis(), 't');
    ASSERT_NO_FATAL_FAILURE(follow());
    EXPECT_EQ(tracks.tracks()->pages.size(), 3U);
    EXPECT_EQ(tracks.tracks()->history.tracks().size(), 2U) << "the square and the hot pixel";
    EXPECT_EQ(tracks.tracks()->pageOf(2), 11);
    EXPECT_EQ(list.headerData(TrackTableModel::firstPage, Qt::Horizontal, Qt::DisplayRole), "First time");
    EXPECT_EQ(list.data(list.index(0, TrackTableModel::lastPage), Qt::DisplayRole), "3 (4 s)");
    const QList<QByteArray> lines = writtenTable().trimmed().split('\n');
    ASSERT_EQ(lines.size(), 7);
    EXPECT_TRUE(lines.front().endsWith(",t,t_s")) << lines.front().toStdString();
    EXPECT_TRUE(lines.back().startsWith("2,") && lines.back().endsWith(",2,4")) << lines.back().toStdString();
    EXPECT_TRUE(tracks.summary().contains(QStringLiteral("over 3 times"))) << tracks.summary().toStdString();
    table.setCondition(QStringLiteral("area >= 2"));
    EXPECT_EQ(tracks.state(), State::empty) << "others are followed now";
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(follow());
    EXPECT_EQ(tracks.tracks()->objectCount, 3U);
    ASSERT_EQ(tracks.tracks()->history.tracks().size(), 1U);
    ASSERT_NO_FATAL_FAILURE(showPage(7));
    ASSERT_NE(table.trackNumbers(), nullptr);
    EXPECT_EQ(*table.trackNumbers(), (std::vector<std::uint32_t>{0, 1})) << "the hot pixel is the first object";
    ASSERT_NO_FATAL_FAILURE(showPage(6));
    EXPECT_EQ(table.trackNumbers(), nullptr) << "another channel";
    EXPECT_EQ(tracks.state(), State::ready);
    tracks.setCurrent(1);
    tracks.showFirstPage();
    EXPECT_TRUE(eventually([&] { return document.page() == 3; }));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.marks().selected(), (std::vector<std::uint32_t>{2})) << "by its number among all objects";
}

TEST_F(ObjectTracks, SayWhyPagesWithoutTimeAreNotFollowed) {
    const QString path = directory.filePath(QStringLiteral("channels.ome.tif"));
    writeMoving(path, {{'c', 2, {"DAPI", "GFP"}}, {'z', 1, {}}, {'t', 1, {}}});
    document.open(path);
    objects.setActive(true);
    ASSERT_TRUE(rests());
    EXPECT_THAT(tracks.whyNot().toStdString(), ::testing::HasSubstr("no time axis"));
    objects.channels().setChoice({.all = true, .channels = {}});
    table.setCondition(QStringLiteral("mean[GFP] > 3"));
    open({pageOf("##."), pageOf(".##")});
    EXPECT_EQ(tracks.axis(), 'p');
    EXPECT_EQ(tracks.whyNot(), QString()) << "the condition does not apply to an image without channels";
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
