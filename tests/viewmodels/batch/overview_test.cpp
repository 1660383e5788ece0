// Images that do not fit open on a smaller version; their visible regions open at full resolution.
#include "vm/batch/overview.hpp"

#include "chunks/chunk_job.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "viewmodels/support/recipe_window.hpp"
#include "viewmodels/support/wait.hpp"
#include "viewmodels/support/workspace.hpp"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <random>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr std::uint32_t kWidth = 1200;
constexpr std::uint32_t kHeight = 800;
constexpr std::uint64_t kMega = 1'000'000;

class Overviews : public ::testing::Test {
protected:
    QTemporaryDir folder;
    testing::Workspace space;
    const std::shared_ptr<Image> image = std::make_shared<Image>(PixelType::u8, kWidth, kHeight);

    void SetUp() override {
        std::mt19937 random(8);
        for (std::uint8_t& pixel : image->pixels<std::uint8_t>()) {
            pixel = static_cast<std::uint8_t>(random());
        }
        writeTiff(pathOf("flat.tif").toStdString(), *image);
        ChunkRequest copy; // with reduced versions
        copy.source = pathOf("flat.tif").toStdString();
        copy.target = pathOf("slide.tif").toStdString();
        copy.engines = space.registry.engines();
        (void)filterImage(copy);
        space.document.reading().setAskAboutMemory(true);
        space.availableMemory = 40 * kMega; // the page needs 57 MB, level 1 14 MB
        space.display.setViewSize({300, 200});
    }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void openSlide() {
        ASSERT_TRUE(space.open(pathOf("slide.tif")));
        ASSERT_EQ(space.document.request().level, 1);
    }
};

TEST_F(Overviews, OpenWithoutAQuestion) {
    QSignalSpy questions(&space.document, &DocumentViewModel::decisionNeeded);
    openSlide();
    EXPECT_EQ(questions.count(), 0);
    EXPECT_FALSE(space.document.request().mayReduce);
    EXPECT_EQ(space.document.image()->width(), kWidth / 2);
    EXPECT_FALSE(space.history.stack().canUndo());
    ASSERT_TRUE(space.open(pathOf("slide.tif"))) << "again";
    EXPECT_EQ(space.document.request().level, 1);
    EXPECT_EQ(questions.count(), 0);
    space.availableMemory = 400 * kMega;
    ASSERT_TRUE(space.open(pathOf("slide.tif")));
    EXPECT_EQ(space.document.request().level, 0) << "all of it where it fits";
}

TEST_F(Overviews, WhatTheUserAsksForIsNotReplaced) {
    openSlide();
    QSignalSpy questions(&space.document, &DocumentViewModel::decisionNeeded);
    space.document.reading().setLevel(0);
    ASSERT_TRUE(eventually([&] { return questions.count() == 1; }));
    EXPECT_EQ(space.document.request().level, 1);
    space.overview.choose();
    ASSERT_TRUE(eventually([&] { return questions.count() == 2; }));
    const auto plan = questions.back().at(0).value<MemoryPlan>();
    EXPECT_EQ(plan.need.width, kWidth);
    space.availableMemory = 4000 * kMega;
    space.overview.choose();
    ASSERT_TRUE(eventually([&] { return questions.count() == 3; })) << "also where all of it fits";
    EXPECT_TRUE(space.rests());
    EXPECT_EQ(space.document.request().level, 1);
}

TEST_F(Overviews, APageThatIsReadAsAWholeLeadsToTheQuestion) {
    QSignalSpy questions(&space.document, &DocumentViewModel::decisionNeeded);
    space.availableMemory = kMega; // too little for every resolution level
    space.document.open(pathOf("slide.tif"));
    ASSERT_TRUE(eventually([&] { return questions.count() == 1; }));
    EXPECT_FALSE(space.document.hasImage());
}

TEST_F(Overviews, VisibleRegionOpensExactlyAndOneStepLeadsBack) {
    EXPECT_FALSE(space.overview.problem().isEmpty()) << "no image";
    openSlide();
    EXPECT_EQ(space.overview.problem(), QString());
    space.filter.setCriterion({AttributeId::area, 5});
    ASSERT_TRUE(space.rests());
    const int steps = space.history.stack().count();
    space.display.setZoom(4);
    space.display.setCentre({200.1, 150.1});
    EXPECT_EQ(space.overview.visibleRegion(), (PixelRegion{325, 250, 151, 101})) << "pixels that are seen in part";
    space.display.setCentre({200, 150});
    const PixelRegion seen{325, 250, 150, 100}; // 75 x 50 px of level 1
    EXPECT_EQ(space.overview.visibleRegion(), seen);
    const ViewTransform before = space.display.view();
    space.overview.openVisible();
    ASSERT_TRUE(space.rests());
    const OpenRequest& part = space.document.request();
    EXPECT_EQ(part.level, 0);
    EXPECT_EQ(part.region, seen);
    EXPECT_TRUE(space.overview.canReturn());
    EXPECT_FALSE(space.overview.problem().isEmpty()) << "it is exact";
    ASSERT_EQ(space.filter.spec().criteria.size(), 1U);
    EXPECT_EQ(space.filter.spec().criteria.front().minimum, 20);
    EXPECT_EQ(space.document.resultSpec(), space.filter.spec());
    EXPECT_EQ(space.history.stack().count(), steps + 1);
    // The result equals the result of the region opened alone.
    Image cut(PixelType::u8, seen.width, seen.height);
    for (std::uint32_t y = 0; y < seen.height; ++y) {
        for (std::uint32_t x = 0; x < seen.width; ++x) {
            cut.pixels<std::uint8_t>()[std::size_t{y} * seen.width + x] =
                image->pixels<std::uint8_t>()[(std::size_t{seen.y} + y) * kWidth + seen.x + x];
        }
    }
    EXPECT_TRUE(testing::samePixels(*space.document.image(), cut));

    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.document.request().level, 1);
    EXPECT_EQ(space.filter.spec().criteria.front().minimum, 5);
    EXPECT_EQ(space.display.view(), before);
    EXPECT_FALSE(space.overview.canReturn());
}

TEST_F(Overviews, TheWayBackKeepsAFilterThatWasChanged) {
    openSlide();
    space.filter.setCriterion({AttributeId::area, 5});
    ASSERT_TRUE(space.rests());
    space.display.setZoom(4);
    space.overview.openVisible();
    ASSERT_TRUE(space.rests());
    space.filter.setCriterion({AttributeId::area, 80});
    ASSERT_TRUE(space.rests());
    space.overview.goBack();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.document.request().level, 1);
    EXPECT_EQ(space.filter.spec().criteria.front().minimum, 20);
    EXPECT_EQ(space.display.zoom(), 4);
}

TEST_F(Overviews, TheWayBackKeepsASizeOfPixelsThatWasSet) {
    openSlide();
    space.display.setZoom(4);
    space.overview.openVisible();
    ASSERT_TRUE(space.rests());
    space.document.pixelSizes().set(PixelSize{0.25, 0.25, "µm", "test"});
    space.overview.goBack();
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.document.pixelSizes().present());
    EXPECT_EQ(space.document.pixelSizes().present()->x, 0.5) << "of level 1";
}

TEST_F(Overviews, AnotherFileEndsTheWayBack) {
    openSlide();
    space.display.setZoom(4);
    space.overview.openVisible();
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.overview.canReturn());
    space.availableMemory = 4000 * kMega;
    ASSERT_TRUE(space.open(pathOf("flat.tif")));
    EXPECT_FALSE(space.overview.canReturn());
}

} // namespace
} // namespace pollard::vm
