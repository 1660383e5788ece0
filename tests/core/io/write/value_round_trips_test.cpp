// A result in which no pixel changed holds the samples of its source, in every format that is written.

#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/metadata/length_units.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/result_file.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

/// Values that a random picture may have.
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

/// Little-endian samples of a random picture.
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
bool holds(const std::string& ending, ValueType type) {
    const bool isWide = type == ValueType::u64 || type == ValueType::i64;
    return !(ending == ".fits" && type == ValueType::u64) && !(ending == ".zarr" && isWide);
}

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
            const Extent extent = isVolume ? Extent{61, 67, 19} : Extent{283, 271, 1};
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
            if (ending != ".nii" && ending != ".mha") { // have no such field
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
