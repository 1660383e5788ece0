// Stacks: axes, cached pages with their trees, all pages at once, and the confirmation before large images.
#include "vm/document/document_view_model.hpp"
#include "vm/document/jobs/page_builder.hpp"
#include "vm/document/stack_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include <atomic>
#include <limits>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeWorld;
using State = DocumentActivity::State;

FilterSpec areaAtLeast(double minimum) {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, minimum, std::numeric_limits<double>::infinity()});
    return spec;
}

/// 2 channels x 3 depths x 2 times in stack.tif; every page has a different level.
class Stack : public ::testing::Test {
protected:
    FakeWorld world;
    std::optional<int> damagedPage;
    std::uint64_t availableMemory = 0;
    ImageInfo claimed;
    std::atomic<int> headersRead = 0;
    DocumentViewModel document{services()};
    StackViewModel stack{document};
    QSignalSpy errors{&document.activity(), &DocumentActivity::errorOccurred};

    DocumentServices services() {
        world.files["stack.tif"] = {PixelType::u8, 16, 12, 0, 12, 100};
        DocumentServices services = testing::fakeServices(world);
        services.read = [this, read = services.read](const std::filesystem::path& path, const ReadOptions& options,
                                                     const JobControl& control) {
            LoadedImage loaded = read(path, options, control);
            if (damagedPage == options.page) {
                throw Error(ErrorCode::fileDamaged, "read '" + path.filename().string() + "': damaged");
            }
            auto image = std::make_shared<Image>(loaded.image->type(), loaded.image->width(), loaded.image->height());
            testing::fill(*image, static_cast<std::uint16_t>(10 + options.page));
            loaded.image = image;
            if (loaded.info.pages == 12) {
                loaded.info.axes = {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}, {'t', 2, {}}};
            }
            return loaded;
        };
        services.readInfo = [this](const std::filesystem::path&, const ReadOptions&) {
            ++headersRead;
            return claimed;
        };
        services.availableMemory = [this] { return availableMemory; };
        return services;
    }
    [[nodiscard]] std::vector<std::uint16_t> writtenLevels() const {
        std::vector<std::uint16_t> levels;
        for (const auto& written : world.written()) {
            levels.push_back(written.level);
        }
        return levels;
    }
    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    [[nodiscard]] int builds() const { return world.build.arrivals(); }
    void open(const QString& name) {
        document.open(name);
        settled();
        ASSERT_EQ(document.activity().state(), State::ready);
    }
    void settled() {
        ASSERT_TRUE(eventually([&] { return idle(); }));
    }
};

TEST_F(Stack, ShowsAxesAndPositions) {
    EXPECT_EQ(stack.axisCount(), 0);
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    ASSERT_EQ(stack.axisCount(), 3);
    EXPECT_EQ(stack.axisTitle(0), "Channel");
    EXPECT_EQ(stack.axisTitle(1), "Z");
    EXPECT_EQ(stack.axisTitle(2), "Time");
    EXPECT_EQ(stack.size(1), 3);
    EXPECT_EQ(stack.label(0), "DAPI");
    stack.setPosition(2, 1);
    settled();
    EXPECT_EQ(document.page(), 6);
    stack.setPosition(1, 2);
    stack.step(0, 1); // before the page is loaded
    settled();
    EXPECT_EQ(document.page(), 11);
    EXPECT_EQ(stack.label(0), "GFP");
    EXPECT_EQ(document.image()->level(0), 21);
    stack.step(1, 5);
    EXPECT_EQ(stack.position(1), 2) << "not beyond the end";
    stack.showFirst();
    settled();
    EXPECT_EQ(document.page(), 0);
    stack.showLast();
    settled();
    EXPECT_EQ(document.page(), 11);
    document.open("a.tif");
    settled();
    EXPECT_EQ(stack.axisCount(), 0);
}

TEST_F(Stack, StaysThatOfTheFileThatIsShownUntilAnotherIsThere) {
    world.files["larger.tif"] = {PixelType::u8, 40, 30, 9, 6, 100};
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    document.reading().setPage(7);
    settled();
    struct Seen {
        QString title;
        int wanted;
        std::vector<int> sizes;
        std::vector<int> positions;
        bool operator==(const Seen&) const = default;
    };
    const auto seen = [this] {
        Seen now{document.title(), document.reading().wantedPage(), {}, {}};
        for (int axis = 0; axis < stack.axisCount(); ++axis) {
            now.sizes.push_back(stack.size(axis));
            now.positions.push_back(stack.position(axis));
        }
        return now;
    };
    const Seen before = seen();
    ASSERT_EQ(before.positions, (std::vector{1, 0, 1}));
    std::vector<Seen> states;
    const auto watch = [&] { states.push_back(seen()); };
    QObject::connect(&stack, &StackViewModel::positionChanged, &stack, watch);
    QObject::connect(&stack, &StackViewModel::axesChanged, &stack, watch);
    world.read.hold();
    document.open("larger.tif");
    EXPECT_TRUE(document.reading().isOpeningAnother());
    ASSERT_FALSE(states.empty());
    QSignalSpy kept(&document.reading(), &DocumentReading::readingKept);
    stack.step(0, -1);
    stack.showFirst();
    document.reading().setShrink(2);
    EXPECT_EQ(kept.size(), 3);
    EXPECT_EQ(document.reading().presentRequest().page, 0);
    EXPECT_EQ(document.reading().presentRequest().shrink, 1) << "nor is the other file read otherwise";
    EXPECT_THAT(states, ::testing::Each(before));
    world.read.release();
    settled();
    EXPECT_FALSE(document.reading().isOpeningAnother());
    const Seen after = seen();
    EXPECT_EQ(after.sizes, std::vector{6});
    EXPECT_EQ(after.title, QStringLiteral("larger.tif (page 1 of 6)"));
    EXPECT_THAT(states, ::testing::Each(::testing::AnyOf(before, after)));
    EXPECT_EQ(states.back(), after);
}

TEST_F(Stack, PlaysAlongAnAxisUntilStopped) {
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    std::set<int> seen;
    QObject::connect(&document, &DocumentViewModel::imageChanged, &document, [&] { seen.insert(document.page()); });
    stack.play(1);
    EXPECT_EQ(stack.playing(), 1);
    ASSERT_TRUE(eventually([&] { return seen.size() == 3; }));
    EXPECT_THAT(seen, ::testing::ElementsAre(0, 2, 4));
    stack.play(-1);
    settled();
    const int page = document.page();
    testing::settle();
    EXPECT_EQ(document.page(), page);
    damagedPage = 1;
    document.reading().setPage(0);
    settled();
    stack.play(0);
    ASSERT_TRUE(eventually([&] { return stack.playing() == -1; })) << "a damaged page ends it";
    EXPECT_EQ(errors.size(), 1);
}

TEST_F(Stack, KeepsPagesWithTheirTrees) {
    document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    const auto firstTree = document.tree();
    document.reading().setPage(1);
    settled();
    EXPECT_EQ(document.reading().cachedPages(), 1);
    EXPECT_GT(document.reading().cachedBytes(), 0U);
    const int built = builds();
    const int read = world.read.arrivals();
    document.requestFilter(areaAtLeast(33));
    settled();
    document.reading().setPage(0);
    settled();
    EXPECT_EQ(builds(), built);
    EXPECT_EQ(world.read.arrivals(), read);
    EXPECT_EQ(document.tree(), firstTree);
    EXPECT_EQ(document.image()->level(0), 10);
    EXPECT_EQ(document.result()->level(0), 33) << "with the filter of now";
    EXPECT_EQ(world.sessions(), 2);

    document.choices().setTreeKind(TreeKind::min); // the kept pages have the other tree
    settled();
    EXPECT_EQ(document.reading().cachedPages(), 0);
    EXPECT_EQ(world.sessions(), 1);
    document.reading().setPage(1);
    settled();
    EXPECT_EQ(document.tree()->kind, TreeKind::min);
    EXPECT_EQ(document.reading().cachedPages(), 1);
    document.reading().setShrink(2);
    settled();
    EXPECT_EQ(document.reading().cachedPages(), 0);
    document.close();
    ASSERT_TRUE(eventually([&] { return world.sessions() == 0; }));
}

TEST_F(Stack, KeepsChannelsWithTheirTrees) {
    document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    document.reading().setAskAboutMemory(true);
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    const int asked = headersRead;
    ASSERT_GT(asked, 0);
    const auto firstTree = document.tree();
    const FrameResult firstFrame = document.shown().frame;
    document.reading().setChannelName("max(0,1)");
    settled();
    const auto secondTree = document.tree();
    EXPECT_EQ(document.reading().cachedPages(), 1);
    document.reading().setPage(2);
    settled();
    const int built = builds();
    const int read = world.read.arrivals();
    EXPECT_EQ(built, 3);
    const auto show = [&](int page, const char* channel) {
        OpenRequest request = document.request();
        request.page = page;
        request.channel = ChannelChoice::parse(channel);
        document.openAs(request);
        settled();
        return document.tree();
    };
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(show(0, "luminance"), firstTree);
        EXPECT_EQ(document.result(), firstFrame.image) << "it is held and not filtered again";
        EXPECT_EQ(show(0, "max(0,1)"), secondTree);
    }
    EXPECT_EQ(builds(), built);
    EXPECT_EQ(world.read.arrivals(), read);
    EXPECT_EQ(headersRead, asked) << "the memory question was answered for the file";
    EXPECT_NE(show(2, "luminance"), firstTree) << "another page of the channel";
    EXPECT_EQ(builds(), built + 1);
    EXPECT_EQ(document.reading().cachedPages(), 3);
    MappingChoice mapping;
    mapping.range = MappingChoice::Range::minMax;
    document.reading().setMapping(mapping);
    settled();
    EXPECT_EQ(document.reading().cachedPages(), 0) << "the levels are others";
}

TEST_F(Stack, KeepsNoMoreThanTheBudget) {
    document.reading().setCacheBudget(0);
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    document.reading().setPage(1);
    settled();
    EXPECT_EQ(document.reading().cachedPages(), 0);
    EXPECT_EQ(world.sessions(), 1);
    document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    document.reading().setPage(2);
    settled();
    const std::uint64_t one = document.reading().cachedBytes();
    ASSERT_GT(one, 0U);
    document.reading().setCacheBudget(2 * one + one / 2);
    for (int page = 3; page < 8; ++page) {
        document.reading().setPage(page);
        settled();
        EXPECT_LE(document.reading().cachedPages(), 2);
        EXPECT_LE(document.reading().cachedBytes(), 2 * one + one / 2);
    }
    const int built = builds();
    document.reading().setPage(6); // the one used last
    settled();
    EXPECT_EQ(builds(), built);
    document.reading().setPage(2); // long gone
    settled();
    EXPECT_EQ(builds(), built + 1);
}

TEST_F(Stack, FiltersAllPagesIntoOneFile) {
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    document.requestFilter(areaAtLeast(7));
    settled();
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveAllPages("out.tif", document.pageFilter());
    EXPECT_TRUE(document.activity().isBusy());
    ASSERT_TRUE(eventually([&] { return saved.size() == 1; }));
    EXPECT_EQ(writtenLevels(), std::vector<std::uint16_t>(12, 7));
    EXPECT_EQ(document.page(), 0);

    damagedPage = 4;
    document.saving().saveAllPages("out.tif", document.pageFilter());
    ASSERT_TRUE(eventually([&] { return idle(); }));
    ASSERT_EQ(errors.size(), 1);
    EXPECT_EQ(errors[0][0].toString(), "out.tif was not saved");
    EXPECT_EQ(errors[0][1].toString(), "page 5 of 12: read 'stack.tif': damaged");
    EXPECT_EQ(writtenLevels().size(), 12U + 4U);
    EXPECT_EQ(saved.size(), 1);
}

TEST_F(Stack, FilteringAllPagesCanBeCancelled) {
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    world.build.hold();
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveAllPages("out.tif", document.pageFilter());
    ASSERT_TRUE(eventually([&] { return builds() == 2; }));
    document.cancel();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    world.build.release();
    EXPECT_EQ(saved.size() + errors.size(), 0);
    EXPECT_TRUE(writtenLevels().empty());
    EXPECT_EQ(document.image()->level(0), 10);
}

TEST_F(Stack, AsksBeforeALargeImageAndOpensWhatWasDecided) {
    claimed.width = claimed.height = 20000;
    claimed.bits = 8;
    claimed.samples = 1;
    availableMemory = std::uint64_t{1} << 32U;
    document.reading().setAskAboutMemory(true);
    std::optional<MemoryPlan> plan;
    std::optional<OpenRequest> asked;
    QObject::connect(&document, &DocumentViewModel::decisionNeeded, &document,
                     [&](const MemoryPlan& p, const OpenRequest& r) {
                         plan = p;
                         asked = r;
                     });
    document.open("a.tif");
    settled();
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->overHost);
    EXPECT_EQ(document.activity().state(), State::empty);
    EXPECT_EQ(world.read.arrivals(), 0);
    EXPECT_EQ(errors.size(), 0);

    plan.reset();
    OpenRequest chosen = *asked;
    chosen.shrink = 4;
    document.openAnyway(chosen);
    settled();
    EXPECT_FALSE(plan);
    EXPECT_EQ(document.activity().state(), State::ready);
    EXPECT_EQ(document.request().shrink, 4);
    EXPECT_TRUE(document.title().contains("shrunk by 4"));
    document.reading().setShrink(1); // the full resolution does not fit
    settled();
    EXPECT_TRUE(plan);
    EXPECT_EQ(document.request().shrink, 4);

    plan.reset();
    document.reading().setAskAboutMemory(false);
    document.open("stack.tif");
    settled();
    EXPECT_FALSE(plan);
    EXPECT_EQ(document.activity().state(), State::ready);
}

TEST_F(Stack, ADomainRestrictsTheAnalysisAndFollowsThePages) {
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    QSignalSpy domains(&document.choices(), &DocumentChoices::domainChanged);
    auto half = std::make_shared<Mask>(16, 12, false);
    for (std::uint32_t y = 0; y < 12; ++y) {
        half->setRun(0, 8, y, true);
    }
    document.requestFilter(areaAtLeast(99));
    settled();
    document.choices().setDomain(half);
    EXPECT_EQ(document.activity().state(), State::building);
    settled();
    EXPECT_EQ(domains.size(), 1);
    EXPECT_EQ(document.choices().domain(), half);
    EXPECT_EQ(document.result()->level(0), 99);  // inside: filtered
    EXPECT_EQ(document.result()->level(15), 10); // outside: the original
    document.reading().setPage(1);
    settled();
    EXPECT_EQ(document.choices().domain(), half);
    EXPECT_EQ(document.result()->level(15), 11);

    document.choices().setDomain(std::make_shared<const Mask>(3, 3, true)); // of another image
    settled();
    EXPECT_EQ(errors.size(), 1);
    EXPECT_EQ(document.choices().domain(), half);
    document.open("a.tif");
    settled();
    EXPECT_EQ(document.choices().domain(), nullptr);
    EXPECT_EQ(document.result()->level(11), 99);
}

TEST_F(Stack, ADomainIsNotThatOfAnotherImageOfTheSameSize) {
    world.files["same.tif"] = {PixelType::u8, 16, 12, 9, 1, 100};
    ASSERT_NO_FATAL_FAILURE(open("stack.tif"));
    const auto half = std::make_shared<Mask>(16, 12, false);
    half->setRun(0, 8, 3, true);
    std::vector<std::shared_ptr<const Mask>> seen;
    QObject::connect(&document, &DocumentViewModel::treeChanged, &document,
                     [&] { seen.push_back(document.shown().domain); });
    for (const bool isFile : {false, true}) {
        document.choices().setDomain(half);
        settled();
        ASSERT_EQ(document.shown().domain, half);
        const int built = builds();
        seen.clear();
        if (isFile) {
            document.open("same.tif");
        } else {
            document.reading().setReadRegion(PixelRegion{1, 0, 16, 12});
        }
        settled();
        EXPECT_THAT(seen, ::testing::ElementsAre(nullptr)) << isFile;
        EXPECT_EQ(builds(), built + 1) << isFile;
        EXPECT_EQ(document.choices().domain(), nullptr) << isFile;
    }
}

TEST(PageCache, DropsThePageUsedLongestAgo) {
    const auto page = [](std::uint32_t side) {
        OpenedPage opened;
        opened.image.image = std::make_shared<const Image>(PixelType::u8, side, side);
        return opened;
    };
    PageCache cache;
    cache.keep({0, {}}, page(10));
    EXPECT_EQ(cache.pages(), 0U) << "no budget, no page";
    cache.setBudget({350, 0});
    for (int number : {0, 1, 2}) {
        cache.keep({number, {}}, page(10));
    }
    EXPECT_EQ(cache.hostBytes(), 300U);
    ASSERT_TRUE(cache.take({0, {}}));
    cache.keep({0, {}}, page(10));
    cache.keep({3, {}}, page(10));
    EXPECT_FALSE(cache.take({1, {}}));
    EXPECT_TRUE(cache.take({0, {}}));
    cache.keep({4, {}}, page(100));
    EXPECT_FALSE(cache.take({4, {}})) << "larger than everything";
    EXPECT_EQ(cache.pages(), 2U);
    cache.setBudget({100, 0});
    EXPECT_EQ(cache.pages(), 1U);
    EXPECT_TRUE(cache.take({3, {}}));
    EXPECT_EQ(cache.hostBytes(), 0U);
}

} // namespace
} // namespace pollard::vm
