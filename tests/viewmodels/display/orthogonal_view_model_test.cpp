// The sections of a volume next to the seen slice: their pixels, and the cross hair that all views share.
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/fake_device.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr Extent kExtent{13, 11, 6};

class OrthogonalViews : public ::testing::TestWithParam<testing::TestEngines> {
protected:
    QTemporaryDir directory;
    testing::FakeDeviceState device;
    EngineRegistry registry = testing::registryOf(GetParam(), device);
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    OrthogonalViewModel views{document};
    std::shared_ptr<Image> volume;

    OrthogonalViews() { document.setResultPyramidWanted(GetParam() != testing::TestEngines::deviceKeeping); }

    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && views.isIdle() &&
                   document.slice() == static_cast<int>(document.shown().slice);
        });
    }
    void open(const Extent& extent = kExtent, const PlaneFacts& facts = {}) {
        testing::Random random(41);
        volume = std::make_shared<Image>(PixelType::u8, extent);
        for (std::uint8_t& level : volume->pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(random() % 7 * 30);
        }
        const QString path = directory.filePath(QStringLiteral("v%1.nii").arg(extent.width));
        writeVoxels(path.toStdString(), {*volume, facts});
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(document.isVolume());
    }
    /// Of the filtered volume, by the engine.
    [[nodiscard]] Image filtered() const {
        const auto engine = makeCpuEngine();
        const auto session = engine->openSession();
        session->open(volume);
        (void)session->buildTree(document.shown().treeSpec);
        Image out(volume->type(), volume->extent());
        (void)session->filter(document.shown().frame.spec, out);
        return out;
    }
    static void expectEqual(const Image& a, const Image& b) {
        ASSERT_EQ(a.extent(), b.extent());
        for (std::size_t i = 0; i < a.pixelCount(); ++i) {
            ASSERT_EQ(a.level(i), b.level(i)) << "pixel " << i;
        }
    }
    void expectSections() {
        const Voxel at = views.position();
        for (const VolumePlane& plane : {views.planeOf(VolumeAxis::y), views.planeOf(VolumeAxis::x)}) {
            ASSERT_EQ(plane.at, plane.across == VolumeAxis::y ? at.y : at.x);
            const ShownSlice* const section = views.section(plane.across);
            ASSERT_NE(section, nullptr);
            ASSERT_EQ(section->plane(), plane);
            ASSERT_NO_FATAL_FAILURE(expectEqual(*section->image, imageOf(plane, *volume)));
            ASSERT_NO_FATAL_FAILURE(expectEqual(*section->frame.image, imageOf(plane, filtered())));
        }
    }
};

TEST_P(OrthogonalViews, AreSectionsThroughTheMiddle) {
    views.setActive(true);
    EXPECT_FALSE(views.isAvailable());
    ASSERT_NO_FATAL_FAILURE(open());
    const Voxel at = views.position();
    EXPECT_EQ(std::tuple(at.x, at.y, at.z), std::tuple(6U, 5U, 3U));
    ASSERT_NO_FATAL_FAILURE(expectSections());
    EXPECT_EQ(views.crossing(VolumeAxis::y), QPointF(6.5, 3.5));
    EXPECT_EQ(views.crossing(VolumeAxis::x), QPointF(3.5, 5.5));
    EXPECT_EQ(views.crossing(VolumeAxis::z), QPointF(6.5, 5.5));
    document.pixelSizes().set(PixelSize{1, 2, "µm", {}, false, 4});
    const auto ratioOf = [](const QSizeF& sides) { return sides.width() / sides.height(); };
    EXPECT_EQ(ratioOf(views.pixelSides(VolumeAxis::x)), 2) << "z to the right, y down";
    EXPECT_EQ(ratioOf(views.pixelSides(VolumeAxis::y)), 0.25) << "x to the right, z down";
    EXPECT_EQ(ratioOf(views.pixelSides(VolumeAxis::z)), 0.5);
}

TEST_P(OrthogonalViews, PutThePatientUpright) {
    PlaneFacts facts;
    facts.place.emplace(); // x to R, y to A, z to S, as templates of the brain
    facts.place->map = {{{{2, 0, 0}, {0, 1, 0}, {0, 0, 4}}}, {}};
    facts.place->unit = "mm";
    facts.scene.pixelSize = PixelSize{2, 1, "mm", "NIfTI-1", false, 4};
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open(kExtent, facts));
    EXPECT_EQ(views.planeOf(VolumeAxis::y).turn, (PlaneTurn{false, false, true}))
        << "head on top, right as in the slice";
    EXPECT_EQ(views.planeOf(VolumeAxis::x).turn, (PlaneTurn{true, true, true})) << "head on top, anterior at the left";
    views.setPosition({4, 3, 1});
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(expectSections());
    EXPECT_EQ(views.section(VolumeAxis::x)->image->width(), kExtent.height);
    EXPECT_EQ(views.crossing(VolumeAxis::y), QPointF(4.5, 4.5)) << "slice 1 of 6 from below";
    EXPECT_EQ(views.crossing(VolumeAxis::x), QPointF(7.5, 4.5)) << "y 3 of 11 from the right";
    EXPECT_EQ(views.pixelSides(VolumeAxis::x), QSizeF(0.5, 2)) << "in widths of a voxel";
    views.moveInPlane(VolumeAxis::x, {0.5, 0.5});
    EXPECT_EQ(std::tuple(views.position().x, views.position().y, views.position().z), std::tuple(4U, 10U, 5U));
    views.moveInPlane(VolumeAxis::y, {100, 100});
    EXPECT_EQ(std::tuple(views.position().x, views.position().y, views.position().z), std::tuple(12U, 10U, 0U));
    ProbeViewModel probe(document);
    EXPECT_TRUE(eventually([&] {
        probe.setSection(*views.section(VolumeAxis::x), {0.5, 1.5});
        return std::tuple(probe.x(), probe.y(), probe.z()) == std::tuple(12, 10, 4);
    }));
}

TEST_P(OrthogonalViews, AreCutOnlyWhileTheyAreSeen) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(views.section(VolumeAxis::x), nullptr);
    views.setActive(true);
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(expectSections());
    views.setActive(false);
    EXPECT_EQ(views.section(VolumeAxis::x), nullptr);
}

TEST_P(OrthogonalViews, FollowTheFilterAndTheCrossHair) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    for (const char* criterion : {"area>=3", "level>=90"}) {
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        document.requestFilter(spec);
        ASSERT_TRUE(rests());
        ASSERT_NO_FATAL_FAILURE(expectSections()) << criterion;
        views.setPosition({2, 9, 1});
        ASSERT_TRUE(rests());
        ASSERT_NO_FATAL_FAILURE(expectSections()) << criterion;
        EXPECT_EQ(document.slice(), 1) << "the seen slice is that of the cross hair";
        views.setPosition({11, 0, 4});
        ASSERT_TRUE(rests());
        ASSERT_NO_FATAL_FAILURE(expectSections()) << criterion;
    }
    QSignalSpy moved(&views, &OrthogonalViewModel::positionChanged);
    document.setSlice(5);
    EXPECT_GE(moved.count(), 1);
    EXPECT_EQ(views.position().z, 5U);
}

TEST_P(OrthogonalViews, MoveTheCrossHairWithinTheVolume) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    const auto isAt = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        const Voxel at = views.position();
        return at.x == x && at.y == y && at.z == z;
    };
    views.moveInPlane(VolumeAxis::y, {3.9, 2.1});
    EXPECT_TRUE(isAt(3, 5, 2));
    views.moveInPlane(VolumeAxis::x, {5.5, 10.5});
    EXPECT_TRUE(isAt(3, 10, 5));
    views.moveInPlane(VolumeAxis::z, {12.2, 0.5});
    EXPECT_TRUE(isAt(12, 0, 5));
    views.moveInPlane(VolumeAxis::y, {-1e300, 1e300});
    EXPECT_TRUE(isAt(0, 0, 5));
    views.step(VolumeAxis::x, -1);
    views.step(VolumeAxis::y, 100);
    views.step(VolumeAxis::z, -2);
    EXPECT_TRUE(isAt(0, 10, 3));
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(expectSections());
    ASSERT_NO_FATAL_FAILURE(open({5, 4, 3}));
    EXPECT_TRUE(isAt(2, 2, 1)) << "a smaller volume";
    ASSERT_NO_FATAL_FAILURE(expectSections());
    document.setVolume(false);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(views.isAvailable());
    EXPECT_EQ(views.section(VolumeAxis::y), nullptr);
}

TEST_P(OrthogonalViews, ShowTheLastOfManyRequests) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    for (std::uint32_t i = 0; i < 60; ++i) {
        views.setPosition({i % 13, i % 11, i % 6});
        FilterSpec spec;
        spec.criteria = {parseCriterion(i % 2 == 0 ? "area>=3" : "area>=5")};
        document.requestFilter(spec);
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(views.position().x, 59U % 13);
    EXPECT_EQ(document.slice(), 59 % 6);
    ASSERT_NO_FATAL_FAILURE(expectSections());
}

INSTANTIATE_TEST_SUITE_P(Engines, OrthogonalViews, ::testing::ValuesIn(testing::kTestEngines),
                         [](const auto& instance) { return testing::nameOf(instance.param); });

} // namespace
} // namespace pollard::vm
