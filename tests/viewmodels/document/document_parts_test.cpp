// The parts of a document without a document.
#include "vm/document/document_choices.hpp"
#include "vm/document/jobs/document_reading.hpp"
#include "vm/document/jobs/document_saving.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <memory>

namespace pollard::vm {
namespace {

class DocumentParts : public ::testing::Test {
protected:
    DocumentContents shown;
    DocumentActivity activity;
    DocumentReading reading{shown, activity};
    DocumentChoices choices{shown};
    DocumentPixelSizes sizes{shown, reading};

    void SetUp() override {
        shown.request.path = "/a.tif";
        shown.image = std::make_shared<const Image>(PixelType::u8, 2, 2);
        shown.fileInfo = shown.info = std::make_shared<const ImageInfo>();
    }
    [[nodiscard]] static OpenRequest requestOf(const char* path) {
        OpenRequest request;
        request.path = path;
        return request;
    }
};

TEST_F(DocumentParts, ReadingIsKeptWhileAnotherFileIsLoaded) {
    QSignalSpy kept(&reading, &DocumentReading::readingKept);
    QSignalSpy requested(&reading, &DocumentReading::requested);
    reading.begin(requestOf("/b.tif"));
    reading.setPage(2);
    EXPECT_EQ(kept.size(), 1);
    EXPECT_EQ(requested.size(), 0);
    reading.stop();
    reading.setPage(0);
    EXPECT_EQ(requested.size(), 0) << "the page that is shown";
    reading.setPage(2);
    ASSERT_EQ(requested.size(), 1);
    EXPECT_EQ(requested[0][0].value<OpenRequest>().page, 2);
}

TEST_F(DocumentParts, AnotherLevelIsReadAsAWhole) {
    QSignalSpy requested(&reading, &DocumentReading::requested);
    shown.request.region = PixelRegion{10, 5, 20, 8};
    reading.setLevel(0);
    EXPECT_EQ(requested.size(), 0) << "the part that is shown";
    reading.setLevel(1);
    ASSERT_EQ(requested.size(), 1);
    const auto request = requested[0][0].value<OpenRequest>();
    EXPECT_EQ(request.level, 1);
    EXPECT_EQ(request.region, std::nullopt) << "it is a part of the other level";
}

TEST_F(DocumentParts, PixelSizeSetDuringALoadIsThatOfTheImage) {
    const OpenRequest request = requestOf("/a.tif");
    reading.begin(request);
    sizes.set(PixelSize{2, 2, "mm", {}});
    EXPECT_EQ(sizes.present()->x, 2);
    EXPECT_EQ(sizes.ofFile(), std::nullopt);
    EXPECT_EQ(reading.end(request, true).pixelSize, sizes.stated());
    EXPECT_FALSE(reading.loading());
}

TEST_F(DocumentParts, ChoicesAreHeldUntilTheLastHoldEnds) {
    QSignalSpy released(&choices, &DocumentChoices::released);
    {
        const DocumentChoices::Hold outer(choices);
        {
            const DocumentChoices::Hold inner(choices);
            EXPECT_TRUE(choices.holdTree());
        }
        EXPECT_EQ(released.size(), 0);
        EXPECT_TRUE(choices.isTreeHeld());
    }
    ASSERT_EQ(released.size(), 1);
    EXPECT_TRUE(released[0][0].toBool());
    EXPECT_FALSE(released[0][1].toBool());
    EXPECT_FALSE(choices.holdTree());
    EXPECT_FALSE(choices.isTreeHeld());
}

TEST_F(DocumentParts, ChoicesReturnToTheTreeThatIsShown) {
    QSignalSpy specs(&choices, &DocumentChoices::treeSpecChanged);
    QSignalSpy engines(&choices, &DocumentChoices::engineChanged);
    EXPECT_TRUE(choices.isTreeAsWanted());
    choices.setTreeKind(TreeKind::min);
    choices.setEngine("cpu");
    EXPECT_FALSE(choices.isTreeAsWanted());
    choices.revertTree();
    EXPECT_TRUE(choices.isTreeAsWanted());
    EXPECT_EQ(choices.treeKind(), TreeKind::max);
    EXPECT_EQ(choices.requestedEngine(), "auto");
    EXPECT_EQ(specs.size(), 2);
    EXPECT_EQ(engines.size(), 2);
}

TEST_F(DocumentParts, ReadingOffersTheChannelsOfThePage) {
    const auto offered = [&](const ImageInfo& info) {
        shown.info = std::make_shared<const ImageInfo>(info);
        QStringList choices;
        for (const ChannelEntry& entry : reading.channels()) {
            choices << entry.choice;
        }
        return choices;
    };
    ImageInfo info;
    info.photometric = "MinIsBlack";
    info.samples = 1;
    EXPECT_EQ(offered(info), QStringList{"luminance"});
    info.axes = {{'c', 2, {"DAPI", "GFP"}}};
    info.pages = 2;
    EXPECT_EQ(offered(info), QStringList{"luminance"}) << "the other channel is another page";

    info = {};
    info.photometric = "RGB";
    info.samples = 3;
    EXPECT_EQ(offered(info),
              (QStringList{"luminance", "red", "green", "blue", "stain(he,haematoxylin)", "stain(he,eosin)",
                           "stain(hdab,haematoxylin)", "stain(hdab,dab)", "macenko(1)", "macenko(2)"}));

    info = {};
    info.photometric = "MinIsBlack";
    info.samples = 4;
    for (const char* name : {"blue", "green", "red", "nir"}) {
        Channel& channel = info.channels.emplace_back();
        channel.name = name;
        channel.sample = static_cast<int>(info.channels.size()) - 1;
    }
    EXPECT_EQ(offered(info), (QStringList{"luminance", "1", "2", "3", "ndvi", "gndvi", "ndwi"}));
    EXPECT_EQ(reading.channels()[0].name, "Blue");
    EXPECT_EQ(reading.channels()[4].name, "NDVI");
    shown.request.channel = ChannelChoice::parse("mean(0,3)");
    EXPECT_EQ(offered(info).last(), QString::fromStdString(shown.request.channel.text()));
}

TEST_F(DocumentParts, ActivityReportsFailuresOnly) {
    QSignalSpy errors(&activity, &DocumentActivity::errorOccurred);
    activity.fail("title", {JobOutcome::Kind::cancelled, {}, "stopped"});
    EXPECT_EQ(errors.size(), 0);
    activity.fail("title", {JobOutcome::Kind::failed, {}, "damaged"});
    ASSERT_EQ(errors.size(), 1);
    EXPECT_EQ(errors[0], (QVariantList{"title", "damaged"}));
    EXPECT_EQ(activity.lastError(), "damaged");
}

} // namespace
} // namespace pollard::vm
