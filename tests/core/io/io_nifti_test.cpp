#include "core/io/io_volume_support.hpp"
#include "io/page_selection.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

template <class T> constexpr int niftiType() {
    if constexpr (std::is_floating_point_v<T>) {
        return sizeof(T) == 4 ? 16 : 64;
    } else if constexpr (std::is_signed_v<T>) {
        return sizeof(T) == 1 ? 256 : sizeof(T) == 2 ? 4 : sizeof(T) == 4 ? 8 : 1024;
    } else {
        return sizeof(T) == 1 ? 2 : sizeof(T) == 2 ? 512 : sizeof(T) == 4 ? 768 : 1280;
    }
}

template <class T> std::string niftiFile(NiftiHeader header, const std::vector<T>& voxels) {
    header.datatype = niftiType<T>();
    return header.bytes() + bytesOfNumbers<T>(voxels, header.bigEndian);
}

TEST(Nifti, ReadsEveryVoxelOfEveryTypeVersionAndByteOrder) {
    const TempDir dir;
    const VolumeShape shape;
    forEachSampleType([&]<class T>(T) {
        const std::vector<T> wide = voxelsOf<T>(shape.count());
        const std::vector<T> small = smallVoxels<T>(shape.count(), std::is_signed_v<T> ? -30 : 7, 1);
        for (const int version : {1, 2}) {
            for (const bool bigEndian : {false, true}) {
                SCOPED_TRACE(::testing::Message() << "type " << niftiType<T>() << ", version " << version
                                                  << (bigEndian ? ", big-endian" : ", little-endian"));
                const NiftiHeader header{.version = version, .bigEndian = bigEndian};
                writeBytes(dir / "w.nii", niftiFile(header, wide));
                expectVoxels(
                    dir / "w.nii", shape, [&](std::size_t i) { return static_cast<double>(wide[i]); },
                    hasOwnLevels<T>());
                writeBytes(dir / "s.nii", niftiFile(header, small));
                expectVoxels(
                    dir / "s.nii", shape, [&](std::size_t i) { return static_cast<double>(small[i]); },
                    std::is_integral_v<T>);
                const ImageInfo info = readImageInfo(dir / "w.nii");
                EXPECT_EQ(info.format, version == 1 ? "NIfTI-1" : "NIfTI-2");
                EXPECT_EQ(info.bits, 8 * static_cast<int>(sizeof(T)));
                EXPECT_EQ(info.sampleFormat, std::is_floating_point_v<T> ? "float"
                                             : std::is_signed_v<T>       ? "signed"
                                                                         : "unsigned");
                EXPECT_EQ(factOf(info, "Byte order"), sizeof(T) == 1 ? "" : bigEndian ? "big-endian" : "little-endian");
            }
        }
    });
}

TEST(Nifti, ReadsGzipAndPairs) {
    const TempDir dir;
    const VolumeShape shape;
    const auto voxels = voxelsOf<std::int16_t>(shape.count());
    const auto value = [&](std::size_t i) { return static_cast<double>(voxels[i]); };
    const std::string whole = niftiFile(NiftiHeader{}, voxels);
    writeBytes(dir / "v.nii.gz", deflated(whole, true));
    expectVoxels(dir / "v.nii.gz", shape, value, true);
    EXPECT_EQ(readImageInfo(dir / "v.nii.gz").compression, "Deflate");
    // Members one after the other, as parallel compressors write them.
    writeBytes(dir / "m.nii.gz", deflated(whole.substr(0, 100), true) + deflated(whole.substr(100, 290), true) +
                                     deflated(whole.substr(390), true) + std::string(20, '\0'));
    expectVoxels(dir / "m.nii.gz", shape, value, true);

    // Some programs leave the place of the voxels 0.
    writeBytes(dir / "zero.nii", niftiFile(NiftiHeader{.voxOffset = 0}, voxels));
    expectVoxels(dir / "zero.nii", shape, value, true);
    writeBytes(dir / "far.nii", NiftiHeader{.datatype = 4, .voxOffset = 400}.bytes() + std::string(48, '\7') +
                                    bytesOfNumbers<std::int16_t>(voxels));
    expectVoxels(dir / "far.nii", shape, value, true);

    const std::string header = NiftiHeader{.pair = true, .datatype = 4}.bytes();
    const std::string data = bytesOfNumbers<std::int16_t>(voxels);
    writeBytes(dir / "p.hdr", header);
    EXPECT_EQ(readFailure(dir / "p.hdr"), ErrorCode::fileNotFound);
    writeBytes(dir / "p.img", data);
    expectVoxels(dir / "p.hdr", shape, value, true);
    expectVoxels(dir / "p.img", shape, value, true);
    writeBytes(dir / "z.hdr.gz", deflated(header, true));
    writeBytes(dir / "z.img.gz", deflated(data, true));
    expectVoxels(dir / "z.hdr.gz", shape, value, true);
}

TEST(Nifti, SlicesAndTimesArePagesAlongAxes) {
    const TempDir dir;
    const auto info = [&](std::vector<std::int64_t> dim) {
        std::int64_t count = 1;
        for (const std::int64_t side : dim) {
            count *= side;
        }
        writeBytes(dir / "a.nii", niftiFile(NiftiHeader{.dim = std::move(dim)},
                                            std::vector<std::uint8_t>(static_cast<std::size_t>(count))));
        return readImageInfo(dir / "a.nii");
    };
    EXPECT_THAT(info({5, 4}).axes, ElementsAre());
    EXPECT_THAT(info({5, 4, 3}).axes, ElementsAre(StackAxis{'z', 3, {}}));
    EXPECT_THAT(info({5, 4, 3, 2}).axes, ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'t', 2, {}}));
    EXPECT_THAT(info({5, 4, 1, 2}).axes, ElementsAre(StackAxis{'t', 2, {}}));
    EXPECT_THAT(info({5, 4, 2, 1, 3}).axes, ElementsAre(StackAxis{'z', 2, {}}, StackAxis{'c', 3, {}}));
    EXPECT_THAT(info({5, 4, 2, 1, 1, 3}).axes, ElementsAre(StackAxis{'p', 6, {}}));
    EXPECT_EQ(info({6}).height, 1U);
}

TEST(Nifti, ReadsRegionsOfPlainAndCompressedPages) {
    const TempDir dir;
    const VolumeShape shape;
    const auto voxels = voxelsOf<std::uint16_t>(shape.count());
    const std::string bytes = niftiFile(NiftiHeader{.bigEndian = true}, voxels);
    writeBytes(dir / "r.nii", bytes);
    writeBytes(dir / "r.nii.gz", deflated(bytes, true));
    ReadOptions options;
    options.page = 2;
    options.region = PixelRegion{1, 2, 3, 2};
    for (const char* name : {"r.nii", "r.nii.gz"}) {
        const LoadedImage part = readImage(dir / name, options);
        ASSERT_EQ(part.image->width(), 3U);
        for (std::uint32_t y = 0; y < 2; ++y) {
            for (std::uint32_t x = 0; x < 3; ++x) {
                EXPECT_EQ(part.image->level(y * 3 + x), voxels[2 * shape.pagePixels() + (y + 2) * 5 + x + 1]);
            }
        }
    }
}

TEST(Nifti, AppliesSlopeAndIntercept) {
    const TempDir dir;
    const VolumeShape shape;
    forEachSampleType([&]<class T>(T) {
        SCOPED_TRACE(niftiType<T>());
        const auto voxels = smallVoxels<T>(shape.count(), 3, 2);
        for (const double slope : {0.5, -0.25}) {
            writeBytes(dir / "s.nii", niftiFile(NiftiHeader{.slope = slope, .inter = -1024}, voxels));
            const auto value = [&](std::size_t i) { return slope * static_cast<double>(voxels[i]) - 1024; };
            expectVoxels(dir / "s.nii", shape, value, slope > 0 && std::is_integral_v<T>);
            ReadOptions options;
            options.mapping = {MappingChoice::Range::fixed, -2000, 2000};
            expectVoxels(dir / "s.nii", shape, value, std::nullopt, options);
            options.mapping = {MappingChoice::Range::minMax};
            const LoadedImage last = readImage(dir / "s.nii", options);
            const double ends[] = {value(0), value(shape.count() - 1)};
            EXPECT_NEAR(last.info.mapping->offset, std::min(ends[0], ends[1]), 1e-9);
            EXPECT_GT(last.info.mapping->step, 0);
        }
    });
    // Slope 0 and slopes that are no numbers mean unscaled values.
    for (const double slope : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
        const auto voxels = voxelsOf<std::uint8_t>(shape.count());
        writeBytes(dir / "u.nii", niftiFile(NiftiHeader{.slope = slope, .inter = 5}, voxels));
        EXPECT_FALSE(readImage(dir / "u.nii").info.mapping);
    }
}

TEST(Nifti, FixedEndsAreValues) {
    const TempDir dir;
    const VolumeShape shape;
    ReadOptions options;
    options.mapping = {MappingChoice::Range::fixed, -2000, 2000};
    for (const double slope : {0.5, -0.5}) {
        writeBytes(dir / "f.nii",
                   niftiFile(NiftiHeader{.slope = slope, .inter = -1024}, voxelsOf<std::int16_t>(shape.count())));
        const ImageInfo info = readImage(dir / "f.nii", options).info;
        ASSERT_TRUE(info.mapping);
        EXPECT_NEAR(info.mapping->valueOf(0), -2000, 1e-9) << slope;
        EXPECT_NEAR(info.mapping->valueOf(65535), 2000, 1e-9) << slope;
    }
}

TEST(Nifti, EveryChoiceHasItsOwnRange) {
    const TempDir dir;
    writeBytes(dir / "r.nii", niftiFile(NiftiHeader{.dim = {10, 5, 2}}, smallVoxels<std::int16_t>(100, 0, 1)));
    // Ranges of files that changed a moment ago are not kept.
    std::filesystem::last_write_time(dir / "r.nii",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto rangeOf = [&](const MappingChoice& choice) {
        ReadOptions options;
        options.mapping = choice;
        const auto mapping = readImage(dir / "r.nii", options).info.mapping.value_or(ValueMapping{});
        return std::pair(std::round(mapping.valueOf(0)), std::round(mapping.valueOf(65535)));
    };
    using enum MappingChoice::Range;
    for (int repeat = 0; repeat < 2; ++repeat) {
        EXPECT_EQ(rangeOf({minMax}), std::pair(0.0, 99.0));
        EXPECT_EQ(rangeOf({percentile, 0.1, 0.9}), std::pair(10.0, 89.0));
        EXPECT_EQ(rangeOf({percentile, 0.3, 0.6}), std::pair(30.0, 59.0));
    }
}

TEST(Nifti, AllPagesHaveTheRangeOfAllValues) {
    const TempDir dir;
    const VolumeShape shape{4, 2, 3};
    std::vector<float> voxels = smallVoxels<float>(shape.count(), -2, 0.5);
    voxels[3] = std::numeric_limits<float>::quiet_NaN();
    voxels[4] = std::numeric_limits<float>::infinity();
    writeBytes(dir / "f.nii", niftiFile(NiftiHeader{.dim = {4, 2, 3}}, voxels));
    ReadOptions options;
    for (options.page = 0; options.page < 3; ++options.page) {
        const LoadedImage page = readImage(dir / "f.nii", options);
        ASSERT_NE(page.info.mapping->ranks, nullptr);
        EXPECT_EQ(page.info.mapping->ranks->values.size(), shape.count() - 1); // all but NaN
        EXPECT_EQ(page.info.mapping->valueOf(0), -2);
        EXPECT_EQ(page.image->level(7),
                  page.info.mapping->levelOf(voxels[8 * static_cast<std::size_t>(options.page) + 7]));
    }
    options.mapping = {MappingChoice::Range::minMax};
    for (options.page = 0; options.page < 3; ++options.page) {
        const LoadedImage page = readImage(dir / "f.nii", options);
        EXPECT_EQ(page.info.mapping->offset, -2);
        EXPECT_NEAR(page.info.mapping->valueOf(65535), -2 + 0.5 * 23, 1e-9);
        EXPECT_EQ(page.info.invalidPixels, options.page == 0 ? 1U : 0U);
        EXPECT_EQ(page.info.mapping->infinite, options.page == 0 ? 1U : 0U);
    }
    options.mapping = {MappingChoice::Range::percentile, 0.1, 0.9};
    options.page = 1;
    const ValueMapping mapping = *readImage(dir / "f.nii", options).info.mapping;
    std::vector<float> finite;
    std::copy_if(voxels.begin(), voxels.end(), std::back_inserter(finite), [](float v) { return std::isfinite(v); });
    EXPECT_EQ(mapping.offset, finite[2]); // rank round(0.1 * 21)
    EXPECT_NEAR(mapping.valueOf(65535), finite[19], 1e-9);
}

TEST(Nifti, AChangedFileHasANewRange) {
    const TempDir dir;
    const auto write = [&](float largest) {
        writeBytes(dir / "c.nii", niftiFile(NiftiHeader{.dim = {2, 1, 2}}, std::vector<float>{0.5F, 1, 2, largest}));
    };
    const auto highest = [&] { return readImage(dir / "c.nii").info.mapping->valueOf(65535); };
    const auto settle = [&](int hours) {
        std::filesystem::last_write_time(dir / "c.nii",
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
    };
    write(8);
    settle(3);
    EXPECT_NEAR(highest(), 8, 1e-9);
    EXPECT_NEAR(highest(), 8, 1e-9);
    write(16);
    EXPECT_NEAR(highest(), 16, 1e-9);
    settle(2);
    EXPECT_NEAR(highest(), 16, 1e-9);
}

TEST(Nifti, ReadsColourAndTransparency) {
    const TempDir dir;
    const std::string rgb{'\x10', '\x20', '\x30', '\x40', '\x50', '\x60'};
    writeBytes(dir / "c.nii", NiftiHeader{.dim = {2, 1}, .datatype = 128}.bytes() + rgb);
    const LoadedImage grey = readImage(dir / "c.nii");
    EXPECT_EQ(grey.info.photometric, "RGB");
    EXPECT_THAT(levelsOf(*grey.image), ElementsAre((2126 * 16 + 7152 * 32 + 722 * 48 + 5000) / 10000,
                                                   (2126 * 64 + 7152 * 80 + 722 * 96 + 5000) / 10000));
    EXPECT_THAT(levelsOf(*readImage(dir / "c.nii", withChannel(2)).image), ElementsAre(0x30, 0x60));
    const std::string rgba{'\x10', '\x20', '\x30', '\x7f', '\x40', '\x50', '\x60', '\0'};
    writeBytes(dir / "t.nii", NiftiHeader{.dim = {2, 1}, .datatype = 2304}.bytes() + rgba);
    const LoadedImage transparent = readImage(dir / "t.nii");
    EXPECT_EQ(transparent.info.invalidPixels, 1U);
    EXPECT_TRUE(transparent.valid->test(0, 0));
}

TEST(Nifti, StatesSizesAndOrientation) {
    const TempDir dir;
    for (const int version : {1, 2}) {
        NiftiHeader header{.version = version, .pixdim = {1, 0.5, 0.75, 2, 1.5, 1, 1, 1}, .xyztUnits = 2 + 8};
        header.dim = {3, 2, 2, 2};
        header.descrip = "a scan";
        header.sform = 1;
        header.srow = {-0.5, 0, 0, 90, 0, 0.75, 0, -126, 0, 0, 2, -72};
        const std::vector<std::uint8_t> voxels(24);
        writeBytes(dir / "o.nii", niftiFile(header, voxels));
        const ImageInfo info = readImageInfo(dir / "o.nii");
        EXPECT_EQ(info.pixelSize, (PixelSize{0.5, 0.75, "mm", "NIfTI", false, 2}));
        EXPECT_THAT(info.facts, ElementsAre(Pair("Time step", "1.5 s"), Pair("Description", "a scan"),
                                            Pair("Axis directions", "x to L, y to A, z to S"),
                                            Pair("Origin", "90, -126, -72 mm (R, A, S)"),
                                            Pair("qform code", "0, unknown"), Pair("sform code", "1, scanner")));
        EXPECT_EQ(info.axes.at(1).step, 1.5);
        EXPECT_EQ(info.axes.at(1).unit, "s");
        EXPECT_EQ(distanceOn('t', 2, info), 3.0);
        EXPECT_EQ(distanceOn('z', 1, info), 2000.0) << "µm";
        // The quaternion of a half turn about z; the third axis is mirrored.
        header.sform = 0;
        header.qform = 4;
        header.quaternion = {0, 0, 1, 1, 2, 3};
        header.pixdim[0] = -1;
        header.xyztUnits = 3 + 16;
        writeBytes(dir / "o.nii", niftiFile(header, voxels));
        const ImageInfo turned = readImageInfo(dir / "o.nii");
        EXPECT_EQ(turned.pixelSize->unit, "µm");
        EXPECT_THAT(turned.facts, Contains(Pair("Axis directions", "x to L, y to P, z to I")));
        EXPECT_THAT(turned.facts, Contains(Pair("qform code", "4, MNI 152")));
        header.quaternion = {std::sqrt(0.5), 0, 0, 0, 0, 0}; // a quarter turn about x
        writeBytes(dir / "o.nii", niftiFile(header, voxels));
        EXPECT_EQ(factOf(readImageInfo(dir / "o.nii"), "Axis directions"), "x to R, y to S, z to A");
        header.quaternion = {0.1, 0.2, 0.3, 0, 0, 0};
        header.xyztUnits = 0;
        writeBytes(dir / "o.nii", niftiFile(header, voxels));
        const ImageInfo oblique = readImageInfo(dir / "o.nii");
        EXPECT_THAT(factOf(oblique, "Axis directions"), HasSubstr("oblique"));
        EXPECT_EQ(oblique.pixelSize->unit, "mm");
        EXPECT_THAT(oblique.notes, Contains(HasSubstr("taken as mm")));
    }
}

TEST(Nifti, RefusesWhatItCannotRead) {
    const TempDir dir;
    const std::vector<std::uint8_t> voxels(60);
    const auto refuse = [&](NiftiHeader header, ErrorCode code, const char* part) {
        for (const int version : {1, 2}) {
            header.version = version;
            writeBytes(dir / "b.nii", header.bytes() + std::string(60, '\x07'));
            std::string message;
            EXPECT_EQ(readFailure(dir / "b.nii", {}, &message), code) << message;
            EXPECT_THAT(message, HasSubstr(part));
        }
    };
    refuse({.datatype = 32}, ErrorCode::formatUnsupported, "complex64");
    refuse({.datatype = 1536}, ErrorCode::formatUnsupported, "float128");
    refuse({.datatype = 1}, ErrorCode::formatUnsupported, "binary");
    refuse({.datatype = 77}, ErrorCode::formatUnsupported, "77");
    refuse({.dimensions = 0}, ErrorCode::fileDamaged, "0 dimensions");
    refuse({.dimensions = 8}, ErrorCode::fileDamaged, "8 dimensions");
    refuse({.dim = {5, 0, 3}}, ErrorCode::fileDamaged, "a side of 0");
    refuse({.dim = {5, -4, 3}}, ErrorCode::fileDamaged, "a side of -4");
    refuse({.dim = {5, 4, 4}}, ErrorCode::fileDamaged, "cut off");
    refuse({.voxOffset = 1e9}, ErrorCode::fileDamaged, "cut off");
    refuse({.dim = {32767, 32767, 32767, 32767, 32767, 32767, 32767}}, ErrorCode::limitExceeded, "limit");
    NiftiHeader huge{.version = 2};
    constexpr std::int64_t kLarge = std::int64_t{1} << 62;
    huge.dim = {kLarge, kLarge, kLarge};
    writeBytes(dir / "h.nii", huge.bytes() + "data");
    EXPECT_EQ(readFailure(dir / "h.nii"), ErrorCode::limitExceeded);
    huge.dim = {std::int64_t{1} << 31, std::int64_t{1} << 31, 1 << 30};
    writeBytes(dir / "h.nii", huge.bytes() + "data");
    EXPECT_EQ(readFailure(dir / "h.nii"), ErrorCode::fileDamaged);
    ReadOptions options;
    options.page = 3;
    writeBytes(dir / "g.nii", niftiFile(NiftiHeader{}, voxels));
    EXPECT_EQ(readFailure(dir / "g.nii", options), ErrorCode::invalidArgument);
    EXPECT_EQ(readFailure(dir / "g.nii", withChannel(1)), ErrorCode::invalidArgument);
}

TEST(Nifti, RefusesBombsBeforeTheyGrow) {
    const TempDir dir;
    // 2 GB of a claim in a few bytes.
    writeBytes(dir / "b.nii.gz", deflated(NiftiHeader{.dim = {32767, 32767, 2}}.bytes() + std::string(999, 'x'), true));
    std::string message;
    EXPECT_EQ(readFailure(dir / "b.nii.gz", {}, &message), ErrorCode::limitExceeded);
    EXPECT_THAT(message, HasSubstr("cannot come from"));
    // Data that end early, and data that are damaged.
    const std::string whole = deflated(niftiFile(NiftiHeader{}, voxelsOf<float>(60)), true);
    const std::string early = deflated(niftiFile(NiftiHeader{.dim = {5, 4, 3}}, voxelsOf<float>(59)), true);
    writeBytes(dir / "e.nii.gz", early);
    EXPECT_EQ(readFailure(dir / "e.nii.gz"), ErrorCode::fileDamaged);
    std::string bad = whole;
    for (std::size_t i = bad.size() - 60; i < bad.size() - 8; ++i) {
        bad[i] = static_cast<char>(~bad[i]);
    }
    writeBytes(dir / "d.nii.gz", bad);
    EXPECT_EQ(readFailure(dir / "d.nii.gz"), ErrorCode::fileDamaged);
}

TEST(Nifti, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    const auto voxels = voxelsOf<std::int16_t>(60);
    expectPrefixesRefused(dir, "a.nii", niftiFile(NiftiHeader{}, voxels));
    expectPrefixesRefused(dir, "b.nii", niftiFile(NiftiHeader{.version = 2, .bigEndian = true}, voxelsOf<float>(60)));
    expectPrefixesRefused(dir, "c.nii.gz", deflated(niftiFile(NiftiHeader{}, voxels), true));
}

} // namespace

} // namespace pollard::test
