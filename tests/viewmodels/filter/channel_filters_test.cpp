// A filter for every channel: kept when another channel is displayed, undone, saved in sessions; results of the others.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include "vm/document/stack_view_model.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/image/open_request.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::Workspace;

std::shared_ptr<Image> plane(int number) {
    return discs(60, 48, {{20.0 + 3 * number, 20, 9}, {42, 30, 8}}, static_cast<std::uint32_t>(number + 1));
}

class ChannelFilter : public ::testing::Test {
protected:
    QTemporaryDir folder;
    Workspace space;
    DocumentViewModel& document = space.document;
    ChannelFilters& channels = space.filter.channels();

    ChannelFilter() { document.reading().setCacheBudget(std::uint64_t{1} << 30U); }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    /// Three samples a pixel.
    [[nodiscard]] QString writeSamples(const char* name, int samples = 3) const {
        SampleLayout layout;
        layout.samples = samples;
        writeTiff(pathOf(name).toStdString(),
                  {samples, [](int number, const JobControl&) { return Plane{ownedRows(plane(number))}; }},
                  {.samples = layout});
        return pathOf(name);
    }
    /// Two channels at two depths, a page each.
    [[nodiscard]] QString writeStack(const char* name) const {
        PlaneFacts facts;
        facts.scene.axes = {{'c', 2, {"DAPI", "GFP"}}, {'z', 2, {}}};
        writeTiff(pathOf(name).toStdString(),
                  {4,
                   [&](int number, const JobControl&) {
                       return Plane{ownedRows(plane(number)), facts};
                   }},
                  {.arePages = true});
        return pathOf(name);
    }
    /// Without taking the depths for a volume.
    [[nodiscard]] bool openPages(const QString& path) {
        OpenRequest request;
        request.path = path;
        request.slices = Slices::pages;
        document.openAs(request);
        return space.rests() && document.hasImage();
    }
    void show(const char* channel) {
        document.reading().setChannelName(QLatin1String(channel));
        ASSERT_TRUE(space.rests());
        ASSERT_EQ(document.reading().channelName(), QLatin1String(channel))
            << document.activity().lastError().toStdString();
    }
    void showPage(int page) {
        document.reading().setPage(page);
        ASSERT_TRUE(space.rests());
        ASSERT_EQ(document.page(), page);
    }
    void setMinimum(double area) {
        space.filter.setMinimum(area);
        ASSERT_TRUE(space.rests());
    }
    void goTo(int index) {
        space.history.stack().setIndex(index);
        ASSERT_TRUE(testing::eventually([&] { return !space.history.isReading(); }));
        ASSERT_TRUE(space.rests());
    }
    [[nodiscard]] static std::vector<std::uint16_t> pixelsOf(const Image& image) {
        std::vector<std::uint16_t> pixels;
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            pixels.push_back(image.level(i));
        }
        return pixels;
    }
};

TEST_F(ChannelFilter, ReturnsWithItsChannel) {
    ASSERT_TRUE(space.open(writeSamples("three.tif")));
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    const FilterSpec first = document.resultSpec();
    const auto image = pixelsOf(*document.result());
    ASSERT_NO_FATAL_FAILURE(show("1"));
    EXPECT_EQ(document.resultSpec(), first) << "a channel without a filter continues with the present one";
    space.filter.setRule(Rule::subtractive);
    ASSERT_NO_FATAL_FAILURE(setMinimum(20));
    const FilterSpec second = document.resultSpec();

    std::vector<FilterSpec> seen;
    QObject::connect(&document, &DocumentViewModel::frameReady, &document,
                     [&] { seen.push_back(document.resultSpec()); });
    ASSERT_NO_FATAL_FAILURE(show("luminance"));
    EXPECT_EQ(space.filter.minimum(), 5);
    EXPECT_EQ(pixelsOf(*document.result()), image);
    EXPECT_THAT(seen, ::testing::ElementsAre(first)) << "never with the filter of the other channel, and filtered once";
    ASSERT_NO_FATAL_FAILURE(show("1"));
    EXPECT_EQ(space.filter.rule(), Rule::subtractive);
    EXPECT_THAT(seen, ::testing::ElementsAre(first, second));
    ASSERT_NO_FATAL_FAILURE(show("max(0,2)"));
    EXPECT_EQ(document.resultSpec(), second);
    ASSERT_NO_FATAL_FAILURE(setMinimum(30));
    ASSERT_NO_FATAL_FAILURE(show("2"));
    ASSERT_NO_FATAL_FAILURE(setMinimum(40));
    ASSERT_NO_FATAL_FAILURE(show("max(0,2)"));
    EXPECT_EQ(space.filter.minimum(), 30);
    ASSERT_NO_FATAL_FAILURE(show("2"));
    EXPECT_EQ(space.filter.minimum(), 40);
    EXPECT_TRUE(space.filter.areCountersCurrent());
}

TEST_F(ChannelFilter, IsFilteredWithoutLiveToo) {
    ASSERT_TRUE(space.open(writeSamples("three.tif")));
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    const FilterSpec first = document.resultSpec();
    ASSERT_NO_FATAL_FAILURE(show("1"));
    ASSERT_NO_FATAL_FAILURE(setMinimum(20));
    space.filter.setLive(false);
    ASSERT_NO_FATAL_FAILURE(show("luminance"));
    EXPECT_EQ(document.resultSpec(), first);
    EXPECT_FALSE(space.filter.isPending());
    EXPECT_TRUE(space.filter.areCountersCurrent());
}

TEST_F(ChannelFilter, FollowsTheAxisOfChannelsOnly) {
    StackViewModel stack(document);
    ASSERT_TRUE(openPages(writeStack("stack.tif")));
    ASSERT_EQ(stack.axisCount(), 2);
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    ASSERT_NO_FATAL_FAILURE(showPage(2)); // the same channel
    EXPECT_TRUE(channels.others().empty());
    ASSERT_NO_FATAL_FAILURE(setMinimum(6));
    ASSERT_NO_FATAL_FAILURE(showPage(3));
    ASSERT_NO_FATAL_FAILURE(setMinimum(20));
    ASSERT_NO_FATAL_FAILURE(showPage(1)); // the same channel at the first depth
    EXPECT_EQ(space.filter.minimum(), 20);
    ASSERT_NO_FATAL_FAILURE(showPage(0));
    EXPECT_EQ(space.filter.minimum(), 6);
    EXPECT_EQ(channels.present(), "0");
    document.reading().setChannelName("GFP"); // a name replaces the page
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(channels.present(), "1");
    EXPECT_EQ(space.filter.minimum(), 20);
}

TEST_F(ChannelFilter, HasPicksAtItsPositionOnly) {
    ASSERT_TRUE(openPages(writeStack("stack.tif")));
    space.filter.picks().pick(document.tree()->canonical[3], PicksModel::PickEffect::removed);
    ASSERT_TRUE(space.rests());
    const FilterSpec picked = document.resultSpec();
    ASSERT_EQ(picked.removed.size(), 1U);
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    EXPECT_EQ(space.filter.picks().count(), 0);
    ASSERT_NO_FATAL_FAILURE(showPage(0));
    EXPECT_EQ(document.resultSpec(), picked);
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    ASSERT_NO_FATAL_FAILURE(showPage(3));
    ASSERT_NO_FATAL_FAILURE(showPage(2));
    ASSERT_NO_FATAL_FAILURE(showPage(0));
    EXPECT_EQ(space.filter.picks().count(), 0);
}

TEST_F(ChannelFilter, IsKeptForFilesWithTheSameChannels) {
    const QString first = writeSamples("first.tif");
    ASSERT_TRUE(space.open(first));
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    ASSERT_NO_FATAL_FAILURE(show("1"));
    ASSERT_NO_FATAL_FAILURE(setMinimum(20));
    ASSERT_NO_FATAL_FAILURE(show("luminance"));
    ASSERT_NE(channels.result(1), nullptr);
    ASSERT_TRUE(space.open(writeSamples("second.tif")));
    EXPECT_EQ(channels.result(1), nullptr);
    ASSERT_NO_FATAL_FAILURE(show("1"));
    EXPECT_EQ(space.filter.minimum(), 20);
    ASSERT_TRUE(space.open(writeSamples("four.tif", 4)));
    EXPECT_TRUE(channels.others().empty());
    EXPECT_EQ(space.filter.minimum(), 20) << "the present one continues";
    ASSERT_NO_FATAL_FAILURE(show("1"));
    ASSERT_FALSE(channels.others().empty());
    document.close();
    EXPECT_TRUE(channels.others().empty());
    EXPECT_EQ(channels.present(), "");
}

TEST_F(ChannelFilter, OfTheOnlyChannelIsNotStored) {
    writeTiff(pathOf("grey.tif").toStdString(),
              {3, [](int number, const JobControl&) { return Plane{ownedRows(plane(number))}; }}, {.arePages = true});
    ASSERT_TRUE(space.open(pathOf("grey.tif")));
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    ASSERT_NO_FATAL_FAILURE(setMinimum(6));
    ASSERT_NO_FATAL_FAILURE(show("max(0,0)"));
    EXPECT_TRUE(channels.others().empty());
    EXPECT_EQ(channels.resultBytes(), 0U);
    ASSERT_NO_FATAL_FAILURE(show("luminance"));
    EXPECT_EQ(space.filter.minimum(), 6);
}

TEST_F(ChannelFilter, IsUndoneInItsChannel) {
    ASSERT_TRUE(space.open(writeSamples("three.tif")));
    const auto seen = [this] {
        return std::pair{channels.present(), std::pair{space.filter.state(), channels.others()}};
    };
    std::vector states{seen()};
    const std::vector<std::function<void()>> edits{
        [&] { setMinimum(5); },  [&] { show("1"); },         [&] { setMinimum(20); }, [&] { show("2"); },
        [&] { setMinimum(30); }, [&] { show("luminance"); }, [&] { setMinimum(7); }};
    for (const auto& edit : edits) {
        ASSERT_NO_FATAL_FAILURE(edit());
        ASSERT_EQ(space.history.stack().count(), static_cast<int>(states.size())) << "an entry each";
        states.push_back(seen());
    }
    EXPECT_EQ(states.back().second.second.size(), 2U);
    for (const int index : {6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 3, 5, 0, 4}) {
        ASSERT_NO_FATAL_FAILURE(goTo(index));
        EXPECT_TRUE(seen() == states[static_cast<std::size_t>(index)]) << index;
    }
    ASSERT_NO_FATAL_FAILURE(goTo(1)); // before another channel was displayed
    ASSERT_NO_FATAL_FAILURE(setMinimum(9));
    ASSERT_NO_FATAL_FAILURE(show("1"));
    EXPECT_EQ(space.filter.minimum(), 9) << "the undone filter of the channel is gone";
}

TEST_F(ChannelFilter, LeavesItsImage) {
    ASSERT_TRUE(openPages(writeStack("stack.tif")));
    QSignalSpy changed(&channels, &ChannelFilters::resultsChanged);
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    EXPECT_EQ(channels.result(0), nullptr) << "it is the image as read";
    EXPECT_EQ(changed.size(), 0);
    ASSERT_NO_FATAL_FAILURE(setMinimum(20));
    const auto image = document.result();
    const auto pyramid = document.shown().frame.pyramid;
    const FilterSpec spec = document.resultSpec();
    ASSERT_NO_FATAL_FAILURE(showPage(0));
    EXPECT_EQ(changed.size(), 1);
    ASSERT_NE(channels.result(1), nullptr);
    EXPECT_EQ(channels.result(1)->image, image);
    EXPECT_EQ(channels.result(1)->pyramid, pyramid);
    EXPECT_EQ(channels.result(1)->spec, spec);
    EXPECT_EQ(channels.result(0), nullptr);
    EXPECT_EQ(channels.resultBytes(), image->bytes() * 4 / 3);
    ASSERT_NO_FATAL_FAILURE(setMinimum(30));
    EXPECT_EQ(channels.result(1)->image, image) << "the tree and the filter of this channel are others";
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    EXPECT_EQ(channels.result(1), nullptr) << "it is displayed";
    EXPECT_EQ(document.result(), image) << "not filtered again";
    EXPECT_EQ(document.shown().frame.pyramid, pyramid);
    ASSERT_NE(channels.result(0), nullptr);
    EXPECT_EQ(changed.size(), 2);

    ASSERT_NO_FATAL_FAILURE(showPage(3)); // another depth
    EXPECT_EQ(channels.result(0), nullptr);
    EXPECT_EQ(changed.size(), 3);
    ASSERT_FALSE(channels.others().empty()) << "the filter stays";
    ASSERT_NO_FATAL_FAILURE(showPage(2));
    EXPECT_NE(channels.result(1), nullptr);
    const std::vector<std::function<void()>> readings{[&] { document.reading().setShrink(2); },
                                                      [&] {
                                                          document.reading().setReadRegion(PixelRegion{2, 2, 20, 20});
                                                      },
                                                      [&] { document.open(writeSamples("three.tif")); }};
    for (const auto& read : readings) {
        read();
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(channels.resultBytes(), 0U);
        document.reading().setPage(document.pageCount() - 1);
        ASSERT_TRUE(space.rests());
        document.reading().setPage(0);
        ASSERT_TRUE(space.rests());
    }
}

TEST_F(ChannelFilter, LeavesNoMoreImagesThanTheBudget) {
    ASSERT_TRUE(space.open(writeSamples("three.tif")));
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    document.reading().setCacheBudget(document.image()->bytes() * 3 / 2);
    ASSERT_NO_FATAL_FAILURE(show("1"));
    EXPECT_NE(channels.result(0), nullptr);
    ASSERT_NO_FATAL_FAILURE(show("2"));
    EXPECT_EQ(channels.result(0), nullptr) << "it was left first";
    EXPECT_NE(channels.result(1), nullptr);
    document.reading().setCacheBudget(0);
    ASSERT_NO_FATAL_FAILURE(show("1"));
    EXPECT_EQ(channels.resultBytes(), 0U);
}

TEST_F(ChannelFilter, IsSavedInTheSession) {
    ASSERT_TRUE(openPages(writeStack("stack.tif")));
    ASSERT_NO_FATAL_FAILURE(setMinimum(5));
    space.filter.picks().pick(document.tree()->canonical[3], PicksModel::PickEffect::removed);
    ASSERT_TRUE(space.save(pathOf("one.pollard")));
    const auto textOf = [this](const char* name) {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    EXPECT_TRUE(textOf("one.pollard").contains("\"pollard_session\": 1,"));
    EXPECT_FALSE(textOf("one.pollard").contains("\"channels\""));
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    ASSERT_NO_FATAL_FAILURE(setMinimum(20));
    ASSERT_TRUE(space.save(pathOf("two.pollard")));
    EXPECT_TRUE(textOf("two.pollard").contains("\"pollard_session\": 4,"));
    EXPECT_FALSE(space.sessions.isModified());
    const ChannelFilters::Filters others = channels.others();
    ASSERT_NO_FATAL_FAILURE(showPage(0));
    EXPECT_FALSE(space.sessions.isModified()) << "the page does not count, and the filters are the same";
    ASSERT_NO_FATAL_FAILURE(setMinimum(6));
    ASSERT_NO_FATAL_FAILURE(showPage(1));
    EXPECT_TRUE(space.sessions.isModified()) << "the filter of the other channel is another one";

    Workspace again;
    again.document.reading().setCacheBudget(std::uint64_t{1} << 30U);
    ASSERT_TRUE(again.openSession(pathOf("two.pollard")));
    EXPECT_EQ(again.filter.minimum(), 20);
    EXPECT_FALSE(again.sessions.isModified());
    ASSERT_FALSE(again.filter.channels().others().empty());
    EXPECT_EQ(again.filter.channels().others(), others);
    ASSERT_TRUE(again.save(pathOf("three.pollard")));
    EXPECT_EQ(textOf("three.pollard"), textOf("two.pollard"));
    again.document.reading().setPage(0);
    ASSERT_TRUE(again.rests());
    EXPECT_EQ(again.filter.minimum(), 5);
    EXPECT_EQ(again.filter.picks().count(), 1);
    EXPECT_FALSE(again.sessions.isModified());
    ASSERT_TRUE(again.openSession(pathOf("one.pollard")));
    EXPECT_TRUE(again.filter.channels().others().empty());
}

TEST(ChannelKey, IsTheIndexOrTheExpression) {
    ImageInfo info;
    OpenRequest request;
    const auto key = [&](const char* channel) {
        request.channel = ChannelChoice::parse(channel);
        return channelKey(request, info);
    };
    EXPECT_EQ(key("luminance"), "") << "one channel";
    info.samples = 3;
    info.photometric = "MinIsBlack";
    EXPECT_EQ(key("luminance"), "0") << "without colours it is the first sample";
    EXPECT_EQ(key("2"), "2");
    EXPECT_EQ(key("nd(1,0)"), "nd(1,0)");
    info.photometric = "RGB";
    EXPECT_EQ(key("luminance"), "luminance");
    EXPECT_EQ(key("green"), "1");
    EXPECT_EQ(key("1"), "1");
    info.samples = 1;
    info.photometric = "MinIsBlack";
    info.pages = 6;
    info.axes = {{'z', 2, {}}, {'c', 3, {"DAPI", "GFP", "RFP"}}};
    info.page = 3;
    EXPECT_EQ(key("luminance"), "1");
    EXPECT_EQ(key("RFP"), "2");
    info.page = 2;
    EXPECT_EQ(key("luminance"), "1") << "the same at the other depth";
}

} // namespace
} // namespace pollard::vm
