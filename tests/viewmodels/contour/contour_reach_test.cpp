// Reach of contours: their surroundings, or the whole image.
#include "viewmodels/support/open_contours.hpp"
#include "viewmodels/support/workspace.hpp"

#include "components/threshold.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>

namespace pollard::vm {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;

constexpr std::optional<std::uint32_t> kWholeImage = std::nullopt;

/// The default state, without a call of setReach().
class FreshContours : public ::testing::Test {
protected:
    testing::Workspace space;
    ContourViewModel& contours = space.contours;
    QTemporaryDir folder;

    void openDiscs() {
        const QString path = folder.filePath(QStringLiteral("discs.tif"));
        writeTiff(path.toStdString(), *discs(160, 100, {{42, 45, 20}, {118, 45, 20}}),
                  {.compression = TiffCompression::none});
        ASSERT_TRUE(space.open(path));
    }
    void openSample(const char* name) {
        ASSERT_TRUE(space.open(QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/") + QLatin1String(name)));
    }
    [[nodiscard]] bool end() {
        if (!space.rests()) { // the start is being made
            return false;
        }
        contours.playback().toEnd();
        return space.rests() && contours.runs().isFinished();
    }
};

/// 2 |A and B| / (|A| + |B|) of the pixels in the current contour and an object.
double diceOf(const Contour& contour, const Image& image, const std::set<std::size_t>& object) {
    std::size_t held = 0;
    std::size_t both = 0;
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            bool inside = false; // the parity of the sides to the right
            for (std::size_t i = 0; i < contour.size(); ++i) {
                const ContourNode a = contour[i];
                const ContourNode b = contour[(i + 1) % contour.size()];
                if ((a.y <= static_cast<std::int32_t>(y)) != (b.y <= static_cast<std::int32_t>(y))) {
                    const double at = a.x + (y + 0.5 - a.y) * (b.x - a.x) / (b.y - a.y);
                    inside = inside != (x + 0.5 < at);
                }
            }
            held += inside ? 1 : 0;
            both += inside && object.contains(std::size_t{y} * image.width() + x) ? 1 : 0;
        }
    }
    return 2.0 * static_cast<double>(both) / static_cast<double>(held + object.size());
}

/// The pixels connected to a pixel by sides with at least a level.
std::set<std::size_t> objectAt(const Image& image, std::uint32_t x, std::uint32_t y, std::uint16_t least) {
    std::set<std::size_t> object;
    std::vector<std::size_t> open{std::size_t{y} * image.width() + x};
    while (!open.empty()) {
        const std::size_t pixel = open.back();
        open.pop_back();
        if (image.level(pixel) < least || !object.insert(pixel).second) {
            continue;
        }
        const std::size_t column = pixel % image.width();
        if (column > 0) {
            open.push_back(pixel - 1);
        }
        if (column + 1 < image.width()) {
            open.push_back(pixel + 1);
        }
        if (pixel >= image.width()) {
            open.push_back(pixel - image.width());
        }
        if (pixel + image.width() < image.pixelCount()) {
            open.push_back(pixel + image.width());
        }
    }
    return object;
}

/// An object of a bundled sample.
struct SampleObject {
    const char* sample;
    RegionShape around;
    std::uint32_t x; ///< of one of its pixels
    std::uint32_t y;
};

RegionShape rectangle(double left, double top, double width, double height) {
    return {RegionShape::Kind::rectangle, {{left, top}, {left + width, top + height}}};
}

class FreshContoursOnSamples : public FreshContours, public ::testing::WithParamInterface<SampleObject> {};

TEST_P(FreshContoursOnSamples, ARectangleAroundOneObjectGivesTheObject) {
    const SampleObject& one = GetParam();
    ASSERT_NO_FATAL_FAILURE(openSample(one.sample));
    const auto shown = space.document.image();
    const Image& image = *shown;
    const auto object = objectAt(image, one.x, one.y, automaticThreshold(ThresholdMethod::otsu, image, nullptr));
    ASSERT_GT(object.size(), 100U);
    contours.startFromShapes({one.around});
    ASSERT_TRUE(end()) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.settings().engine().apart, ContourSettings::kUsualMargin);
    EXPECT_GT(diceOf(contours.runs().nodes(), image, object), 0.9);
    contours.setLaw(RegionLaw::gaussian);
    contours.settings().setReach(kWholeImage);
    contours.startFromShapes({one.around});
    ASSERT_TRUE(end());
    EXPECT_EQ(contours.settings().engine().apart, kWholeImage) << "by hand";
    EXPECT_LT(diceOf(contours.runs().nodes(), image, object), 0.5) << "the whole image is parted in two";
}

INSTANTIATE_TEST_SUITE_P(Samples, FreshContoursOnSamples,
                         ::testing::Values(SampleObject{"coins_384x303_u8.tif", rectangle(184, 22, 64, 59), 215, 51},
                                           SampleObject{"cells_uneven_384_u16.tif", rectangle(315, 26, 25, 23), 326,
                                                        37}));

TEST_F(FreshContours, OneLooksAroundItselfAndSeveralShareTheImageUntilSomethingIsSaid) {
    ASSERT_NO_FATAL_FAILURE(openDiscs());
    EXPECT_EQ(contours.reach(), ContourSettings::kUsualMargin);
    contours.startFrom({squareAround(42, 45, 8)}, {});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(contours.runs().currentRun()->parts.size(), 1U);
    contours.startFrom({squareAround(42, 45, 8), squareAround(118, 45, 8)}, {});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(contours.reach(), kWholeImage);
    EXPECT_TRUE(contours.runs().currentRun()->parts.empty());
    contours.playback().stepForward();
    ASSERT_TRUE(space.rests());
    contours.startFrom({squareAround(42, 45, 8)}, {});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(contours.reach(), ContourSettings::kUsualMargin) << "that of several was not said";
    EXPECT_EQ(space.history.stack().undoText(), QStringLiteral("new contours")) << "a default is no edit";
    contours.settings().setReach(7);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.history.stack().undoText(), QStringLiteral("surroundings of contours"));
    contours.startFrom({squareAround(42, 45, 8), squareAround(118, 45, 8)}, {});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(contours.reach(), 7U);
    EXPECT_EQ(contours.runs().currentRun()->parts.size(), 2U);
    contours.settings().setReach(kWholeImage);
    contours.startFrom({squareAround(42, 45, 8)}, {});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(contours.reach(), kWholeImage);
}

TEST_F(FreshContours, WhatJoinsLooksAsFarAsTheRun) {
    ASSERT_NO_FATAL_FAILURE(openDiscs());
    contours.startFrom({squareAround(42, 45, 8)}, {});
    ASSERT_TRUE(end());
    const Contour found = contours.runs().nodes();
    contours.startFrom({squareAround(118, 45, 8)}, {}, true);
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(contours.runs().contourCount(), 2) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.reach(), ContourSettings::kUsualMargin);
    EXPECT_EQ(contours.runs().allNodes().front(), found) << "the first one does not flood the image";
}

TEST_F(FreshContours, NestedComponentsAreOneStartAndOthersAreSeveral) {
    ASSERT_NO_FATAL_FAILURE(openDiscs());
    const auto tree = space.document.tree();
    const std::uint32_t outer = tree->pixelNode[45 * 160 + 42];
    std::uint32_t one = outer;
    while (tree->subtreeEnd[one] - one < 50) { // large enough to contain others
        one = tree->parent[one];
    }
    contours.startFromNodes(std::make_shared<const NodeSet>(NodeSet{one, one + 1, one + 2}));
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(contours.runs().contourCount(), 1) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.reach(), ContourSettings::kUsualMargin);
}

TEST_F(FreshContours, ASessionFromBeforeKeepsWhatItsRunsLookAt) {
    ASSERT_NO_FATAL_FAILURE(openDiscs());
    contours.settings().setReach(kWholeImage);
    contours.startFrom({squareAround(42, 45, 8)}, {});
    ASSERT_TRUE(end());
    const Contour found = contours.runs().nodes();
    const QString path = folder.filePath(QStringLiteral("before.json"));
    ASSERT_TRUE(space.save(path));
    testing::Workspace again;
    ASSERT_TRUE(again.openSession(path));
    ASSERT_TRUE(eventually([&] { return again.contours.runs().current() == 0 && !again.contours.isComputing(); }));
    EXPECT_EQ(again.contours.settings().engine().apart, kWholeImage);
    EXPECT_EQ(again.contours.runs().nodes(), found);
    EXPECT_TRUE(again.contours.runs().isFinished());
    again.contours.startFrom({squareAround(118, 45, 8)}, {});
    ASSERT_TRUE(again.rests());
    EXPECT_EQ(again.contours.settings().engine().apart, ContourSettings::kUsualMargin)
        << "a new start is one of this version";
}

} // namespace
} // namespace pollard::vm
