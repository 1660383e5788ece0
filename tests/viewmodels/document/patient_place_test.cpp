// Places in the patient and names of planes, of a volume with an affine map, in the seen slice and in sections.
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"
#include "vm/image/world_scale.hpp"

#include "engine/engine_registry.hpp"
#include "io/metadata/length_units.hpp"
#include "io/write/volume_writer.hpp"
#include "viewmodels/support/fake_device.hpp"
#include "viewmodels/support/wait.hpp"

#include <gtest/gtest.h>

#include <QLocale>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr Extent kExtent{8, 6, 4};

/// x to the left, y to superior, z to anterior: slices are coronal.
VoxelPlace coronalSlices() {
    VoxelPlace place;
    place.map = {{{{-0.5, 0, 0}, {0, 0, 2}, {0, 3, 0}}}, {10, -20, 30}};
    place.unit = "mm";
    return place;
}

class PatientPlaces : public ::testing::Test {
protected:
    QTemporaryDir directory;
    testing::FakeDeviceState device;
    EngineRegistry registry = testing::registryOf(testing::TestEngines::cpu, device);
    DocumentViewModel document{DocumentServices::standard(registry)};
    OrthogonalViewModel views{document};
    ProbeViewModel probe{document};
    Image volume{PixelType::u8, kExtent};

    void SetUp() override {
        QLocale::setDefault(QLocale::c());
        std::uint8_t level = 0;
        for (std::uint8_t& each : volume.pixels<std::uint8_t>()) {
            each = ++level; // 192 voxels, no two alike
        }
    }
    void TearDown() override { QLocale::setDefault(QLocale::system()); }

    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && views.isIdle() &&
                   document.slice() == static_cast<int>(document.shown().slice);
        });
    }
    void open(const std::optional<VoxelPlace>& place) {
        PixelSize size{0.5, 2, "mm", "NIfTI-1"};
        size.z = 3;
        PlaneFacts facts;
        facts.scene.pixelSize = size;
        facts.place = place;
        const QString path = directory.filePath(QStringLiteral("volume.nii"));
        writeVoxels(path.toStdString(), {volume, facts});
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(document.isVolume());
        views.setActive(true);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] QString name(VolumeAxis across) const { return planeName(document.imageInfo().get(), across); }
};

TEST_F(PatientPlaces, PlanesHaveTheNamesOfTheirNormals) {
    ASSERT_NO_FATAL_FAILURE(open(coronalSlices()));
    EXPECT_EQ(name(VolumeAxis::z), QStringLiteral("coronal"));
    EXPECT_EQ(name(VolumeAxis::y), QStringLiteral("axial"));
    EXPECT_EQ(name(VolumeAxis::x), QStringLiteral("sagittal"));
    EXPECT_EQ(planeTitle(document.imageInfo().get(), VolumeAxis::x), QStringLiteral("Sagittal"));
}

TEST_F(PatientPlaces, VolumesWithoutAPatientHaveAxes) {
    ASSERT_NO_FATAL_FAILURE(open(std::nullopt));
    EXPECT_EQ(name(VolumeAxis::z), QStringLiteral("XY"));
    EXPECT_EQ(name(VolumeAxis::y), QStringLiteral("XZ"));
    EXPECT_EQ(name(VolumeAxis::x), QStringLiteral("YZ"));
    EXPECT_EQ(planeTitle(nullptr, VolumeAxis::z), QStringLiteral("XY"));
    probe.setPosition({1.5, 1.5});
    EXPECT_TRUE(probe.isValid());
    EXPECT_EQ(probe.patientPlace(), QString());
}

TEST_F(PatientPlaces, TheProbeKnowsThePatientInAllViews) {
    ASSERT_NO_FATAL_FAILURE(open(coronalSlices()));
    document.setSlice(3);
    ASSERT_TRUE(rests());
    const auto levelAt = [&](std::size_t x, std::size_t y, std::size_t z) {
        return volume.level((z * kExtent.height + y) * kExtent.width + x);
    };
    probe.setPosition({2.7, 5.1});
    EXPECT_EQ(probe.z(), 3);
    EXPECT_EQ(probe.patientPlace(), QStringLiteral("R 9.0  P 11.0  S 40.0 mm")) << "10 - 2 / 2, 3 * 3 - 20, 30 + 5 * 2";
    EXPECT_EQ(probe.original(), levelAt(2, 5, 3));
    views.setPosition({6, 4, 3});
    ASSERT_TRUE(rests());
    ASSERT_NE(views.section(VolumeAxis::y), nullptr);
    probe.setSection(*views.section(VolumeAxis::y), {7.5, 2.5}); // anterior, the last slice, is on top
    EXPECT_EQ(probe.x(), 7);
    EXPECT_EQ(probe.y(), 4);
    EXPECT_EQ(probe.z(), 1);
    EXPECT_TRUE(probe.isInSection());
    EXPECT_EQ(probe.original(), levelAt(7, 4, 1));
    EXPECT_EQ(probe.node(), document.tree()->pixelNode[(1 * kExtent.height + 4) * kExtent.width + 7]);
    EXPECT_EQ(probe.patientPlace(), QStringLiteral("R 6.5  P 17.0  S 38.0 mm"));
    probe.setSection(*views.section(VolumeAxis::x), {1.5, 2.5}); // anterior at the left, superior on top
    EXPECT_EQ(probe.x(), 6);
    EXPECT_EQ(probe.y(), 3);
    EXPECT_EQ(probe.z(), 2);
    EXPECT_EQ(probe.original(), levelAt(6, 3, 2));
    probe.setSection(*views.section(VolumeAxis::x), {4.5, 3.5});
    EXPECT_FALSE(probe.isValid()) << "beside the section";
    probe.setSection(*views.section(VolumeAxis::x), {2.5, 3.5});
    document.close();
    EXPECT_TRUE(eventually([&] { return !probe.isValid(); }));
    EXPECT_FALSE(probe.isInSection()) << "the volume is not kept";
}

TEST_F(PatientPlaces, ASizeSetByHandCounts) {
    ASSERT_NO_FATAL_FAILURE(open(coronalSlices()));
    PixelSize size{500, 2000, "µm", {}};
    size.z = 6000; // twice the distance of the file
    document.pixelSizes().set(size);
    EXPECT_EQ(patientText(document.imageInfo().get(), {2, 5, 3}), QStringLiteral("R 9.0  P 2.0  S 40.0 mm"));
}

TEST_F(PatientPlaces, SidesOfTheOriginHaveLetters) {
    ImageInfo info;
    info.place = coronalSlices();
    info.place->map.origin = {-0.04, 0.04, -12.345};
    EXPECT_EQ(patientText(&info, {0, 0, 0}), QStringLiteral("R 0.0  A 0.0  I 12.3 mm")) << "no negative zero";
    info.place->unit.clear();
    EXPECT_EQ(patientText(&info, {1, 0, 0}), QStringLiteral("L 0.5  A 0.0  I 12.3"));
    info.place->isAnatomical = false;
    EXPECT_EQ(patientText(&info, {0, 0, 0}), QString());
    EXPECT_EQ(planeName(&info, VolumeAxis::z), QStringLiteral("XY"));
}

} // namespace
} // namespace pollard::vm
