// Planes of volumes, and the filter that paints one plane, against the whole volume.

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/volume_plane.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr VolumeAxis kAxes[] = {VolumeAxis::x, VolumeAxis::y, VolumeAxis::z};

std::uint32_t countAcross(VolumeAxis axis, const Extent& extent) {
    return axis == VolumeAxis::x ? extent.width : axis == VolumeAxis::y ? extent.height : extent.slices;
}

/// Voxel that the image of a plane shows at (x, y).
std::size_t voxelAt(const VolumePlane& plane, std::size_t x, std::size_t y, const Extent& extent) {
    const auto index = [&](std::size_t vx, std::size_t vy, std::size_t vz) {
        return (vz * extent.height + vy) * extent.width + vx;
    };
    return plane.across == VolumeAxis::x   ? index(plane.at, y, x)
           : plane.across == VolumeAxis::y ? index(x, plane.at, y)
                                           : index(x, y, plane.at);
}

std::shared_ptr<Image> randomVolume(Random& random, PixelType type) {
    const Extent extent{1 + random() % 9, 1 + random() % 9, 1 + random() % 7};
    auto volume = std::make_shared<Image>(type, extent);
    dispatch(type, [&]<class T>(T) {
        for (T& level : volume->pixels<T>()) {
            level = static_cast<T>(random() % 9 * (sizeof(T) == 1 ? 20 : 5000));
        }
    });
    return volume;
}

TEST(VolumePlane, ShowsTheVoxelsOfThePlane) {
    Random random(7);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto volume = randomVolume(random, repeat % 2 == 0 ? PixelType::u8 : PixelType::u16);
        const Extent& extent = volume->extent();
        Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
        for (std::size_t i = 0; i < extent.pixelCount(); ++i) {
            mask.set(static_cast<std::uint32_t>(i % extent.width), static_cast<std::uint32_t>(i / extent.width),
                     random() % 2 == 0);
        }
        for (const VolumeAxis axis : kAxes) {
            const VolumePlane plane{axis, static_cast<std::uint32_t>(random() % countAcross(axis, extent))};
            const Image image = imageOf(plane, *volume);
            const Mask seen = imageOf(plane, mask, extent);
            ASSERT_EQ(image.pixelCount() * countAcross(axis, extent), extent.pixelCount());
            ASSERT_EQ(seen.width(), image.width());
            for (std::uint32_t y = 0; y < image.height(); ++y) {
                for (std::uint32_t x = 0; x < image.width(); ++x) {
                    const std::size_t voxel = voxelAt(plane, x, y, extent);
                    ASSERT_EQ(image.level(std::size_t{y} * image.width() + x), volume->level(voxel));
                    ASSERT_EQ(seen.test(x, y), mask.test(static_cast<std::uint32_t>(voxel % extent.width),
                                                         static_cast<std::uint32_t>(voxel / extent.width)));
                }
            }
        }
    }
}

TEST(VolumePlane, IsTurnedAsAskedFor) {
    Random random(9);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto volume = randomVolume(random, PixelType::u8);
        const Extent& extent = volume->extent();
        for (const VolumeAxis axis : kAxes) {
            VolumePlane plane{axis, static_cast<std::uint32_t>(random() % countAcross(axis, extent))};
            const Image stored = imageOf(plane, *volume);
            for (unsigned bits = 0; bits < 8; ++bits) {
                plane.turn = {(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0};
                const Image turned = imageOf(plane, *volume);
                const bool isTransposed = plane.turn.isTransposed;
                ASSERT_EQ(turned.width(), isTransposed ? stored.height() : stored.width());
                ASSERT_EQ(turned.height(), isTransposed ? stored.width() : stored.height());
                for (std::uint32_t y = 0; y < turned.height(); ++y) {
                    for (std::uint32_t x = 0; x < turned.width(); ++x) {
                        const std::uint32_t right = plane.turn.isMirrored ? turned.width() - 1 - x : x;
                        const std::uint32_t down = plane.turn.isUpsideDown ? turned.height() - 1 - y : y;
                        const std::size_t pixel = isTransposed ? std::size_t{right} * stored.width() + down
                                                               : std::size_t{down} * stored.width() + right;
                        ASSERT_EQ(turned.level(std::size_t{y} * turned.width() + x), stored.level(pixel)) << bits;
                    }
                }
            }
        }
    }
}

TEST(VolumePlane, HasAxesToTheRightAndDown) {
    const auto axes = axesOf({VolumeAxis::x, 0, {true, true, false}});
    EXPECT_EQ(axes[0], (ImageAxis{VolumeAxis::y, true}));
    EXPECT_EQ(axes[1], (ImageAxis{VolumeAxis::z, false}));
}

TEST(VolumePlane, DoesNotExistBeyondTheVolume) {
    const Image volume(PixelType::u8, Extent{4, 3, 2});
    for (const VolumeAxis axis : kAxes) {
        const std::uint32_t count = countAcross(axis, volume.extent());
        EXPECT_NO_THROW((void)imageOf({axis, count - 1}, volume));
        EXPECT_THAT(
            [&] {
                (void)imageOf({axis, count}, volume);
            },
            ThrowsMessage<Error>(HasSubstr("there are " + std::to_string(count) + " across this axis")));
    }
}

TEST(VolumePlane, FilteredAloneIsThatOfTheFilteredVolume) {
    Random random(8);
    const auto engine = makeCpuEngine();
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto volume = randomVolume(random, repeat % 2 == 0 ? PixelType::u8 : PixelType::u16);
        const Extent& extent = volume->extent();
        const auto session = engine->openSession();
        session->open(volume);
        (void)session->buildTree(
            {repeat % 3 == 0 ? TreeKind::min : TreeKind::max, Connectivity::twentySix, std::string()});
        for (const Rule rule : kAllRules) {
            for (const Output output : kAllOutputs) {
                FilterSpec spec;
                spec.criteria = {parseCriterion("area>=3")};
                spec.rule = rule;
                spec.output = output;
                Image whole(volume->type(), extent);
                const FilterReport report = session->filter(spec, whole);
                for (const VolumeAxis axis : kAxes) {
                    const VolumePlane plane{axis,
                                            static_cast<std::uint32_t>(random() % countAcross(axis, extent)),
                                            {random() % 2 == 0, random() % 2 == 0, random() % 2 == 0}};
                    const Image expected = imageOf(plane, whole);
                    Image out(volume->type(), expected.width(), expected.height());
                    EXPECT_EQ(session->filterPlane(spec, plane, out).changedPixels, report.changedPixels);
                    for (std::size_t i = 0; i < out.pixelCount(); ++i) {
                        ASSERT_EQ(out.level(i), expected.level(i)) << nameOf(rule) << ' ' << nameOf(output);
                    }
                }
            }
        }
        Image other(volume->type(), extent.width + 1, extent.height);
        EXPECT_THROW((void)session->filterPlane({}, {VolumeAxis::z, 0}, other), Error);
    }
}

} // namespace
} // namespace pollard::testing
