#include "core/io/io_volume_support.hpp"

#include "io/region_source.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/volumes/voxel_place.hpp"
#include "recipe/results/result_file.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;
using Vector = std::array<double, 3>;

/// The place of a voxel.
Vector at(const VoxelMap& map, double x, double y, double z) {
    Vector place = map.origin;
    const std::array voxel{x, y, z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < 3; ++i) {
            place[i] += voxel[axis] * map.steps[axis][i];
        }
    }
    return place;
}

void expectNear(const Vector& a, const Vector& b) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a[i], b[i], 1e-9);
    }
}

/// A header with random maps, both forms of which are stated.
NiftiHeader randomHeader(unsigned seed, int sform, int qform) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> real(-1, 1);
    NiftiHeader header;
    header.xyztUnits = 2;
    header.sform = sform;
    header.qform = qform;
    header.pixdim = {seed % 2 == 0 ? 1.0 : -1.0, 0.5, 0.75, 2.25, 1, 1, 1, 1};
    header.quaternion = {real(random) / 2,  real(random) / 2, real(random) / 2, 90 * real(random), 3,
                         -17 * real(random)};
    for (double& number : header.srow) {
        number = 3 * real(random);
    }
    return header;
}

std::string withVoxels(const NiftiHeader& header) { return header.bytes() + std::string(60, 'x'); }

TEST(VoxelPlace, NiftiFormsReturnByteForByte) {
    const TempDir dir;
    unsigned seed = 0;
    for (const auto& [sform, qform] : {std::pair{4, 1}, {0, 1}, {2, 0}, {1, 3}}) {
        const std::string source = withVoxels(randomHeader(++seed, sform, qform));
        writeBytes(dir / "s.nii", source);
        const LoadedImage read = readVolume(dir / "s.nii");
        writeResult(dir / "r.nii", resultPlane(*read.image, read, ResultValues::levels), {});
        const std::string result = readBytes(dir / "r.nii");
        EXPECT_EQ(result.substr(252, 4), source.substr(252, 4)) << "codes";
        EXPECT_EQ(result.substr(80, 12), source.substr(80, 12)) << "sides";
        if (qform > 0) {
            EXPECT_EQ(result.substr(76, 4), source.substr(76, 4)) << "handedness";
            EXPECT_EQ(result.substr(256, 24), source.substr(256, 24)) << "quaternion and offsets";
        }
        if (sform > 0) {
            EXPECT_EQ(result.substr(280, 48), source.substr(280, 48)) << "rows";
        }
    }
}

TEST(VoxelPlace, AUnitThatIsNotStatedIsMillimetresWhereAPlaceIs) {
    const TempDir dir;
    NiftiHeader header;
    header.sform = 4;
    header.srow = {1, 0, 0, -90, 0, 1, 0, -125, 0, 0, 1, -71};
    writeBytes(dir / "s.nii", withVoxels(header));
    const ImageInfo info = readImageInfo(dir / "s.nii");
    ASSERT_TRUE(info.pixelSize);
    EXPECT_EQ(info.pixelSize->unit, "mm");
    EXPECT_THAT(info.notes, ::testing::Contains(HasSubstr("taken as mm")));
}

TEST(VoxelPlace, PartsAndBlocksMoveWithTheirVoxels) {
    const TempDir dir;
    writeBytes(dir / "s.nii", withVoxels(randomHeader(7, 1, 1)));
    const VoxelPlace whole = *readVolume(dir / "s.nii").info.place;
    ReadOptions options;
    options.region = PixelRegion{2, 1, 3, 2};
    options.slices = SliceRange{1, 2};
    const VoxelPlace part = *readVolume(dir / "s.nii", options).info.place;
    expectNear(at(part.map, 0, 0, 0), at(whole.map, 2, 1, 1));
    expectNear(at(part.rotation->map(), 1, 1, 1), at(whole.rotation->map(), 3, 2, 2));
    const auto regions = openRegions(VolumeFiles{{dir / "s.nii"}, std::uint64_t{1} << 30}, options);
    EXPECT_EQ(regions->info().place, part) << "volumes that are read in boxes";
    options.region.reset();
    options.slices.reset();
    options.shrink = 2;
    const VoxelPlace blocks = *readVolume(dir / "s.nii", options).info.place;
    expectNear(at(blocks.map, 1, 1, 0), at(whole.map, 2.5, 2.5, 0.5));
    expectNear(at(blocks.rotation->map(), 1, 1, 0), at(whole.rotation->map(), 2.5, 2.5, 0.5));
    options.page = 2;
    options.region = PixelRegion{2, 2, 2, 2};
    expectNear(readImage(dir / "s.nii", options).info.place->map.origin, at(whole.map, 2.5, 2.5, 2));
}

TEST(VoxelPlace, SpacesOfTheFormatsAreTurned) {
    const TempDir dir;
    writeBytes(dir / "m.mha", "ObjectType = Image\nNDims = 3\nBinaryData = True\nTransformMatrix = 0 1 0 -1 0 0 0 0 1\n"
                              "Offset = 5 6 7\nCenterOfRotation = 0 0 0\nAnatomicalOrientation = ALI\n"
                              "ElementSpacing = 0.5 0.75 2\nDimSize = 5 4 3\nElementType = MET_UCHAR\n"
                              "ElementDataFile = LOCAL\n" +
                                  std::string(60, 'x'));
    const ImageInfo info = readImageInfo(dir / "m.mha");
    ASSERT_TRUE(info.place);
    // x to P, y to R, z to S.
    EXPECT_THAT(info.notes, ::testing::Not(::testing::Contains(HasSubstr("Anatomical"))));
    expectNear(info.place->map.steps[0], {0, -0.5, 0});
    expectNear(info.place->map.steps[1], {0.75, 0, 0});
    expectNear(info.place->map.steps[2], {0, 0, 2});
    expectNear(info.place->map.origin, {-5, -6, 7});
    const LoadedImage read = readVolume(dir / "m.mha");
    writeResult(dir / "m.nrrd", resultPlane(*read.image, read, ResultValues::levels), {});
    EXPECT_THAT(readBytes(dir / "m.nrrd"), HasSubstr("space: left-posterior-superior"));
    EXPECT_THAT(readBytes(dir / "m.nrrd"), HasSubstr("space directions: (0,0.5,0) (-0.75,0,0) (0,0,2)"));
    EXPECT_EQ(readImageInfo(dir / "m.nrrd").place, info.place);
    writeBytes(dir / "c.mha",
               "NDims = 3\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\nCenterOfRotation = 9 0 0\n"
               "AnatomicalOrientation = LPS\nDimSize = 5 4 3\nElementType = MET_UCHAR\n"
               "ElementDataFile = LOCAL\n" +
                   std::string(60, 'x'));
    const auto notes = readImageInfo(dir / "c.mha").notes;
    EXPECT_THAT(notes, ::testing::Contains(HasSubstr("CenterOfRotation is not applied")));
    EXPECT_THAT(notes, ::testing::Contains(HasSubstr("contradicts TransformMatrix")));
}

TEST(VoxelPlace, ASpaceWithoutAnatomyStaysInNrrd) {
    const TempDir dir;
    writeBytes(dir / "s.nrrd", "NRRD0004\ntype: uint8\ndimension: 3\nspace dimension: 3\nsizes: 5 4 3\n"
                               "space directions: (2,0,0) (0,3,0) (0,1,4)\nspace origin: (-7,8,9)\nencoding: raw\n\n" +
                                   std::string(60, 'x'));
    const LoadedImage read = readVolume(dir / "s.nrrd");
    EXPECT_FALSE(read.info.pixelSize);
    EXPECT_NEAR(read.image->sides().y, 1.5, 1e-12);
    EXPECT_NEAR(read.image->sides().z, std::sqrt(17.0) / 2, 1e-12);
    writeResult(dir / "r.nrrd", resultPlane(*read.image, read, ResultValues::levels), {});
    EXPECT_EQ(readImageInfo(dir / "r.nrrd").place, read.info.place);
    writeResult(dir / "r.nii", resultPlane(*read.image, read, ResultValues::levels), {});
    EXPECT_FALSE(readImageInfo(dir / "r.nii").place);
}

TEST(VoxelPlace, SpacingWithoutAUnitReturns) {
    const TempDir dir;
    writeBytes(dir / "s.nrrd",
               "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 5 4 3\nspacings: 0.5 0.5 2\nencoding: raw\n\n" +
                   std::string(60, 'x'));
    const LoadedImage read = readVolume(dir / "s.nrrd");
    EXPECT_EQ(read.image->sides(), (VoxelSides{1, 1, 4}));
    EXPECT_FALSE(read.info.pixelSize);
    writeResult(dir / "r.nrrd", resultPlane(*read.image, read, ResultValues::levels), {});
    const LoadedImage again = readVolume(dir / "r.nrrd");
    EXPECT_EQ(again.info.spacing, read.info.spacing);
    EXPECT_FALSE(again.info.pixelSize);
}

TEST(VoxelPlace, SpacesHaveLetters) {
    EXPECT_EQ(anatomicalLetters("left-posterior-superior"), "LPS");
    EXPECT_EQ(anatomicalLetters("ras"), "RAS");
    EXPECT_EQ(anatomicalLetters("last"), "LAS");
    EXPECT_EQ(anatomicalLetters("right-anterior-superior-time"), "RAS");
    for (const char* const other : {"", "scanner-xyz", "3d-right-handed", "lp", "left-posterior", "lpsx"}) {
        EXPECT_FALSE(anatomicalLetters(other)) << other;
    }
}

} // namespace

} // namespace pollard::test
