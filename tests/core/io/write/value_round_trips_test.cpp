// A result in which no pixel changed holds the samples, the scale and the place of its source, in every format that is
// written.

#include "core/io/io_support.hpp"
#include "core/io/volumes/dicom_files.hpp"

#include "base/text.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/length_units.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/volumes/voxel_place.hpp"
#include "io/write/planes.hpp"
#include "recipe/results/result_file.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

/// Values that a random image may have.
enum class Content : std::uint8_t { whole, few, many, extreme };
constexpr std::array kContents{Content::whole, Content::few, Content::many, Content::extreme};

constexpr std::array kTypes{ValueType::u8,  ValueType::i8,  ValueType::u16, ValueType::i16, ValueType::u32,
                            ValueType::i32, ValueType::u64, ValueType::i64, ValueType::f32, ValueType::f64};

const char* nameOf(ValueType type) {
    constexpr std::array<const char*, 10> kNames{"int8",  "int16", "uint32", "int32", "uint64",
                                                 "int64", "float", "double", "uint8", "uint16"};
    return kNames.at(static_cast<std::size_t>(type));
}

template <class T> T valueOf(Content content, std::mt19937_64& random) {
    using Limits = std::numeric_limits<T>;
    switch (content) {
    case Content::whole:
        return static_cast<T>(random() % 100);
    case Content::few: {
        const auto part = static_cast<double>(random() % 50) / 50;
        return static_cast<T>(static_cast<double>(Limits::max()) / 4 * part);
    }
    case Content::many:
        if constexpr (std::is_floating_point_v<T>) {
            return static_cast<T>(std::sin(static_cast<double>(random())) * 7);
        } else {
            return static_cast<T>(random());
        }
    case Content::extreme:
        break;
    }
    if constexpr (std::is_floating_point_v<T>) {
        const std::array<T, 4> values{Limits::quiet_NaN(), T{-5}, Limits::min(), T{1} / 3};
        return values[random() % values.size()];
    } else {
        const std::array<T, 4> values{Limits::lowest(), T{0}, static_cast<T>(Limits::max() - 1), Limits::max()};
        return values[random() % values.size()];
    }
}

/// Little-endian samples of a random image.
std::vector<std::byte> randomSamples(ValueType type, Content content, std::size_t count, std::mt19937_64& random) {
    return dispatch(type, [&]<class T>(T) {
        std::vector<std::byte> bytes(count * sizeof(T));
        for (std::size_t i = 0; i < count; ++i) {
            const T value = valueOf<T>(content, random);
            std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
        }
        return bytes;
    });
}

/// An NRRD, whose samples are written as they are.
void writeNrrd(const std::filesystem::path& path, ValueType type, const Extent& extent,
               const std::vector<std::byte>& samples) {
    std::ofstream file(path, std::ios::binary);
    file << "NRRD0004\ntype: " << nameOf(type) << "\ndimension: " << (extent.isVolume() ? 3 : 2)
         << "\nsizes: " << extent.width << ' ' << extent.height;
    if (extent.isVolume()) {
        file << ' ' << extent.slices;
    }
    file << "\nendian: little\nencoding: raw\n\n";
    file.write(reinterpret_cast<const char*>(samples.data()), static_cast<std::streamsize>(samples.size()));
}

LoadedImage readBack(const std::filesystem::path& path, bool isVolume) {
    ReadOptions options;
    options.keepSamples = true;
    return isVolume ? readVolume({path}, options) : readImage(path, options);
}

/// Samples of a file by all that is known after reading it.
std::vector<std::byte> samplesOf(const LoadedImage& loaded, std::size_t sampleBytes) {
    if (loaded.samples) {
        const auto bytes = loaded.samples->samples.span();
        return {bytes.begin(), bytes.end()};
    }
    std::vector<std::byte> bytes(loaded.image->pixelCount() * sampleBytes);
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        const std::uint16_t level = loaded.image->level(i);
        const std::uint64_t sample = loaded.info.mapping ? loaded.info.mapping->sampleOf(level) : level;
        std::memcpy(&bytes[i * sampleBytes], &sample, sampleBytes);
    }
    return bytes;
}

ValueType typeOf(const LoadedImage& loaded) {
    if (loaded.info.mapping) {
        return loaded.info.mapping->file.type;
    }
    return loaded.image->type() == PixelType::u8 ? ValueType::u8 : ValueType::u16;
}

/// Whether files of this ending hold samples of the type.
bool holds(const std::string& ending, ValueType type) { return ending != ".fits" || type != ValueType::u64; }

struct RoundTrip {
    ValueType type;
    std::string ending;
};

class ValueRoundTrips : public ::testing::TestWithParam<RoundTrip> {};

TEST_P(ValueRoundTrips, KeepTypeAndSamples) {
    const auto& [type, ending] = GetParam();
    if (ending == ".zarr" && !isZarrResult("a.zarr")) {
        GTEST_SKIP() << "a build without Zarr";
    }
    const test::TempDir folder;
    std::mt19937_64 random(static_cast<unsigned>(type) + 7);
    for (const Content content : kContents) {
        for (const bool isVolume : {false, true}) {
            // Only many values of wide types need more pixels than there are levels.
            const bool isLarge = content == Content::many && bytesOf(type) > 2;
            const Extent extent = isLarge ? (isVolume ? Extent{61, 67, 17} : Extent{263, 257, 1})
                                          : (isVolume ? Extent{13, 11, 7} : Extent{43, 37, 1});
            const std::vector<std::byte> samples = randomSamples(type, content, extent.pixelCount(), random);
            const std::filesystem::path source = folder / "source.nrrd";
            writeNrrd(source, type, extent, samples);
            const LoadedImage loaded = readBack(source, isVolume);
            ASSERT_EQ(typeOf(loaded), type);
            ASSERT_EQ(samplesOf(loaded, bytesOf(type)), samples) << "read, content " << static_cast<int>(content);
            const std::filesystem::path target = folder / ("result" + ending);
            std::filesystem::remove_all(target);
            writeResult(target, resultPlane(*loaded.image, loaded, ResultValues::levels), {});
            const LoadedImage again = readBack(target, isVolume);
            EXPECT_EQ(typeOf(again), type) << static_cast<int>(content);
            EXPECT_TRUE(samplesOf(again, bytesOf(type)) == samples) << "content " << static_cast<int>(content);
            EXPECT_EQ(again.info.invalidPixels, loaded.info.invalidPixels);
        }
    }
}

TEST(ScaleRoundTrips, KeepTheUnitOfValuesAndTheSidesOfVoxels) {
    const test::TempDir folder;
    std::mt19937_64 random(3);
    const auto side = [&random] { return static_cast<double>(1 + random() % 4000) / 1000; };
    for (int round = 0; round < 8; ++round) {
        const std::string unit = std::array{"HU", "K", "m/s"}.at(random() % 3);
        const std::string space = std::array{"mm", "um"}.at(random() % 2);
        const std::array<double, 3> sides{side(), side(), side()};
        const Extent extent{7, 6, 5};
        const std::vector<std::byte> samples =
            randomSamples(ValueType::i16, Content::many, extent.pixelCount(), random);
        const std::filesystem::path source = folder / "source.nrrd";
        std::ofstream file(source, std::ios::binary);
        file << "NRRD0004\ntype: int16\ndimension: 3\nspace dimension: 3\nsizes: 7 6 5\nspace directions: (" << sides[0]
             << ",0,0) (0," << sides[1] << ",0) (0,0," << sides[2] << ")\nspace units: \"" << space << "\" \"" << space
             << "\" \"" << space << "\"\nsample units: " << unit << "\nendian: little\nencoding: raw\n\n";
        file.write(reinterpret_cast<const char*>(samples.data()), static_cast<std::streamsize>(samples.size()));
        file.close();
        const LoadedImage loaded = readBack(source, true);
        ASSERT_EQ(unitOf(loaded.info.mapping), unit);
        for (const std::string ending : {".tif", ".nii", ".nrrd", ".mha", ".zarr", ".fits"}) {
            if (ending == ".zarr" && !isZarrResult("a.zarr")) {
                continue;
            }
            const std::filesystem::path target = folder / ("result" + ending);
            std::filesystem::remove_all(target);
            writeResult(target, resultPlane(*loaded.image, loaded, ResultValues::levels), {});
            const ImageInfo again = readBack(target, true).info;
            if (ending != ".nii" && ending != ".mha") { // have no field for a unit
                EXPECT_EQ(unitOf(again.mapping), unit) << ending;
            }
            if (ending == ".fits") { // states no sides
                continue;
            }
            ASSERT_TRUE(again.pixelSize) << ending;
            const double factor =
                micrometresOf(again.pixelSize->unit).value() / micrometresOf(space == "um" ? "µm" : space).value();
            constexpr double kNear = 1e-5; // TIFF has fractions of 32 bits
            EXPECT_NEAR(again.pixelSize->x * factor, sides[0], kNear * sides[0]) << ending;
            EXPECT_NEAR(again.pixelSize->y * factor, sides[1], kNear * sides[1]) << ending;
            EXPECT_NEAR(again.pixelSize->z * factor, sides[2], kNear * sides[2]) << ending;
        }
    }
}

TEST(ScaleRoundTrips, IntegersWhoseValuesAreNoneKeepTheirScaleInZarr) {
    if (!isZarrResult("a.zarr")) {
        GTEST_SKIP() << "a build without Zarr";
    }
    const test::TempDir folder;
    std::mt19937_64 random(5);
    for (const ValueType type : {ValueType::u8, ValueType::i16, ValueType::u16, ValueType::i32}) {
        for (const double slope : {0.1, -0.25, 3.0}) {
            const std::vector<std::byte> samples = randomSamples(type, Content::many, 35, random);
            const std::filesystem::path source = folder / "source.mha";
            std::ofstream file(source, std::ios::binary);
            file << "ObjectType = Image\nNDims = 2\nBinaryData = True\nElementToIntensityFunctionSlope = " << slope
                 << "\nElementToIntensityFunctionOffset = -7.5\nDimSize = 7 5\nElementType = "
                 << sampleTypeOf(type).meta << "\nElementDataFile = LOCAL\n";
            file.write(reinterpret_cast<const char*>(samples.data()), static_cast<std::streamsize>(samples.size()));
            file.close();
            LoadedImage loaded = readBack(source, false);
            for (const char* name : {"first.zarr", "second.zarr"}) { // the second file is written from the first one
                std::filesystem::remove_all(folder / name);
                writeResult(folder / name, resultPlane(*loaded.image, loaded, ResultValues::levels), {});
                const LoadedImage again = readBack(folder / name, false);
                EXPECT_EQ(typeOf(again), type) << name;
                EXPECT_TRUE(samplesOf(again, bytesOf(type)) == samples) << name << ", slope " << slope;
                ASSERT_TRUE(again.info.mapping);
                EXPECT_EQ(again.info.mapping->file.slope, slope);
                EXPECT_EQ(again.info.mapping->file.intercept, -7.5);
                EXPECT_EQ(again.info.mapping->minimum, loaded.info.mapping->minimum);
                EXPECT_EQ(again.info.mapping->maximum, loaded.info.mapping->maximum);
                loaded = again;
            }
        }
    }
}

/// A number from -1 to 1.
double partOf(std::mt19937_64& random) { return static_cast<double>(random() % 2'000'001) / 1e6 - 1; }

using Matrix = std::array<std::array<double, 3>, 3>; ///< the steps along x, y and z

/// Directions of unit length at right angles: the axes in any order, or oblique directions.
Matrix randomDirections(bool isOblique, std::mt19937_64& random) {
    if (!isOblique) {
        Matrix axes{};
        const std::size_t first = random() % 3;
        const std::size_t turn = 1 + random() % 2;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            axes[axis][(first + turn * axis) % 3] = 1;
        }
        return axes;
    }
    const double a = 1 + partOf(random) / 2;
    const double b = partOf(random);
    const double c = partOf(random);
    const double d = partOf(random);
    const double n = a * a + b * b + c * c + d * d;
    return {{{(a * a + b * b - c * c - d * d) / n, 2 * (b * c + a * d) / n, 2 * (b * d - a * c) / n},
             {2 * (b * c - a * d) / n, (a * a + c * c - b * b - d * d) / n, 2 * (c * d + a * b) / n},
             {2 * (b * d + a * c) / n, 2 * (c * d - a * b) / n, (a * a + d * d - b * b - c * c) / n}}};
}

/// Any map: flipped and of unequal sides, sheared in every third round.
VoxelMap randomMap(int round, std::mt19937_64& random) {
    VoxelMap map{randomDirections(round % 2 == 0, random), {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double side = (random() % 2 == 0 ? 1 : -1) * (1.5 + partOf(random));
        for (double& part : map.steps[axis]) {
            part *= side;
        }
        map.origin[axis] = 200 * partOf(random);
    }
    for (std::size_t i = 0; i < 3 && round % 3 == 2; ++i) {
        map.steps[1][i] += map.steps[0][i] / 4;
    }
    return map;
}

/// But for numbers of 32 bits.
void expectSame(const std::optional<VoxelPlace>& place, const VoxelMap& map, const std::string& what) {
    ASSERT_TRUE(place) << what;
    constexpr double kNear = 1e-6;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(place->map.origin[i], map.origin[i], kNear * (1 + std::abs(map.origin[i]))) << what;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(place->map.steps[axis][i], map.steps[axis][i], kNear) << what << ", axis " << axis;
        }
    }
}

std::string textOf(const std::array<double, 3>& numbers) {
    return "(" + exactNumber(numbers[0]) + "," + exactNumber(numbers[1]) + "," + exactNumber(numbers[2]) + ")";
}

TEST(PlaceRoundTrips, KeepRandomAffinesThroughAllPairsOfFormats) {
    const test::TempDir folder;
    std::mt19937_64 random(17);
    const std::array<std::string, 4> endings{".nii", ".nii.gz", ".nrrd", ".mha"};
    for (int round = 0; round < 12; ++round) {
        const VoxelMap map = randomMap(round, random);
        std::ofstream file(folder / "source.nrrd", std::ios::binary);
        file << "NRRD0004\ntype: uint8\ndimension: 3\nspace: right-anterior-superior\nsizes: 4 3 2\nspace directions: "
             << textOf(map.steps[0]) << ' ' << textOf(map.steps[1]) << ' ' << textOf(map.steps[2])
             << "\nspace units: \"mm\" \"mm\" \"mm\"\nspace origin: " << textOf(map.origin)
             << "\nencoding: raw\n\nabcdefghijklmnopqrstuvwx";
        file.close();
        const LoadedImage loaded = readBack(folder / "source.nrrd", true);
        expectSame(loaded.info.place, map, "source");
        for (const std::string& first : endings) {
            writeResult(folder / ("a" + first), resultPlane(*loaded.image, loaded, ResultValues::levels), {});
            const LoadedImage middle = readBack(folder / ("a" + first), true);
            expectSame(middle.info.place, map, first);
            for (const std::string& second : endings) {
                writeResult(folder / ("b" + second), resultPlane(*middle.image, middle, ResultValues::levels), {});
                expectSame(readImageInfo(folder / ("b" + second)).place, map, first + " to " + second);
            }
        }
    }
}

TEST(PlaceRoundTrips, KeepRandomPlanesOfDicom) {
    std::mt19937_64 random(19);
    for (int round = 0; round < 6; ++round) {
        const test::TempDir folder;
        Matrix directions = randomDirections(round % 2 == 0, random);
        for (std::size_t i = 0; i < 3; ++i) { // slices ascend along the normal of their planes
            const auto& [right, down] = std::pair(directions[0], directions[1]);
            directions[2][i] = right[(i + 1) % 3] * down[(i + 2) % 3] - right[(i + 2) % 3] * down[(i + 1) % 3];
        }
        const std::array<double, 3> sides{1.5 + partOf(random), 1.5 + partOf(random), 1.5 + partOf(random)};
        VoxelMap map{directions, {90 * partOf(random), 90 * partOf(random), 90 * partOf(random)}};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (double& part : map.steps[axis]) {
                part *= sides[axis];
            }
        }
        const auto& [x, y, z] = directions;
        for (int slice = 0; slice < 3; ++slice) {
            std::vector<double> position;
            for (std::size_t i = 0; i < 3; ++i) {
                position.push_back(map.origin[i] + slice * map.steps[2][i]);
            }
            test::DicomFile file = test::dicomSlice(0, slice);
            file.text(0x00200032, "DS", test::dicomNumbers(position))
                .text(0x00200037, "DS", test::dicomNumbers({x[0], x[1], x[2], y[0], y[1], y[2]}))
                .text(0x00280030, "DS", test::dicomNumbers({sides[1], sides[0]}));
            test::writeBytes(folder / (std::to_string(slice) + ".dcm"), file.bytes());
        }
        ReadOptions options;
        options.series = true;
        const LoadedImage loaded = readVolume(folder / "0.dcm", options);
        turnSpace(map, "LPS");
        expectSame(loaded.info.place, map, "DICOM");
        for (const std::string ending : {".nii", ".nrrd", ".mha"}) {
            writeResult(folder / ("r" + ending), resultPlane(*loaded.image, loaded, ResultValues::levels), {});
            expectSame(readImageInfo(folder / ("r" + ending)).place, map, ending);
        }
    }
}

TEST(PlaceRoundTrips, KeepRandomTransformsOfMapsForParts) {
    const test::TempDir folder;
    std::mt19937_64 random(23);
    for (int round = 0; round < 8; ++round) {
        std::array<double, 16> matrix{};
        for (const std::size_t place : {0U, 1U, 4U, 5U}) {
            matrix[place] = round % 2 == 1 && (place == 1 || place == 4) ? 0 : 30 * partOf(random);
        }
        matrix[3] = 5e5 * partOf(random);
        matrix[7] = 5e6 * partOf(random);
        matrix[15] = 1;
        constexpr std::uint16_t kDouble = 12;
        const auto bytes = std::as_bytes(std::span(matrix));
        PlaneFacts facts;
        facts.carried.push_back({kModelTransformationTag, kDouble, 16, {bytes.begin(), bytes.end()}});
        Image image(PixelType::u8, 9, 7);
        std::fill_n(image.data(), image.bytes(), std::byte{1});
        writeResult(folder / "source.tif", {image, facts}, {});
        for (const PixelRegion& part : {PixelRegion{0, 0, 9, 7}, PixelRegion{2, 3, 5, 4}}) {
            ReadOptions options;
            options.region = part;
            const LoadedImage loaded = readImage(folder / "source.tif", options);
            writeResult(folder / "result.tif", resultPlane(*loaded.image, loaded, ResultValues::levels), {});
            const auto map = geoTransform(readImageInfo(folder / "result.tif").carried);
            ASSERT_TRUE(map) << round;
            constexpr double kNear = 1e-9;
            EXPECT_NEAR(map->x[0], matrix[3] + matrix[0] * part.x + matrix[1] * part.y, kNear * 5e5);
            EXPECT_NEAR(map->y[0], matrix[7] + matrix[4] * part.x + matrix[5] * part.y, kNear * 5e6);
            EXPECT_EQ(map->x[1], matrix[0]);
            EXPECT_EQ(map->x[2], matrix[1]);
            EXPECT_EQ(map->y[1], matrix[4]);
            EXPECT_EQ(map->y[2], matrix[5]);
        }
    }
}

std::vector<RoundTrip> roundTrips() {
    std::vector<RoundTrip> trips;
    for (const ValueType type : kTypes) {
        for (const char* ending : {".tif", ".nii", ".nrrd", ".mha", ".zarr", ".fits"}) {
            if (holds(ending, type)) {
                trips.push_back({type, ending});
            }
        }
    }
    return trips;
}

std::string nameOfTrip(const ::testing::TestParamInfo<RoundTrip>& info) {
    return std::string(nameOf(info.param.type)) + "_" + info.param.ending.substr(1);
}

INSTANTIATE_TEST_SUITE_P(All, ValueRoundTrips, ::testing::ValuesIn(roundTrips()), nameOfTrip);

} // namespace
} // namespace pollard::testing
