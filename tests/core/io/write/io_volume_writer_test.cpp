#include "core/io/io_volume_support.hpp"

#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

constexpr Extent kExtent{5, 4, 3};
constexpr std::array kNames{"v.nii", "v.nii.gz", "v.nrrd", "V.NII.GZ", "v.mha"};

Image makeLevels(PixelType type, const Extent& extent) {
    Image image(type, extent);
    dispatch(type, [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            pixels[i] = static_cast<T>(i * 1103 + 7);
        }
        pixels.front() = 0;
        pixels.back() = std::numeric_limits<T>::max();
    });
    return image;
}

std::string inflated(const std::string& bytes) {
    std::string out(1 << 16, '\0');
    z_stream stream{};
    inflateInit2(&stream, 15 + 32);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(stream.avail_in, 0U);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

TEST(VolumeWriter, ValuesAreThoseThatSamplesStandFor) {
    const TempDir dir;
    struct Case {
        PixelType type;
        double offset;
        double step;
        int niftiType;
        const char* nrrdType;
    };
    for (const Case& each :
         {Case{PixelType::u8, 0, 1, 2, "uint8"}, Case{PixelType::u16, 0, 1, 512, "uint16"},
          Case{PixelType::u8, -128, 1, 2, "int8"}, Case{PixelType::u16, -32768, 1, 512, "int16"},
          Case{PixelType::u16, -70000, 1, 512, "int32"}, Case{PixelType::u16, 1000, 1, 512, "int32"},
          Case{PixelType::u16, 4294900000.0, 1, 768, "uint32"}, Case{PixelType::u16, -1024.5, 0.0625, 512, "float"},
          Case{PixelType::u16, 10, -0.5, 512, "float"}, Case{PixelType::u16, 1e6 + 0.5, 1e-5, 64, "double"},
          Case{PixelType::u16, 0x1p40, 1, 512, "double"}}) {
        const Image image = makeLevels(each.type, kExtent);
        for (const char* const name : kNames) {
            writeVoxels(dir / name, {image, {.scale = {each.step, each.offset, {}}}});
            const LoadedImage read = readVolume(dir / name);
            ASSERT_EQ(read.image->extent(), kExtent);
            EXPECT_FALSE(read.info.pixelSize);
            const ValueMapping mapping = read.info.mapping.value_or(ValueMapping{});
            for (std::size_t i = 0; i < image.pixelCount(); ++i) {
                ASSERT_NEAR(mapping.valueOf(read.image->level(i)), each.offset + each.step * image.level(i),
                            std::abs(each.step) * 0.51)
                    << name << ", " << each.nrrdType << ", pixel " << i;
            }
        }
        const std::string nifti = readBytes(dir / "v.nii");
        EXPECT_EQ(nifti[70] + 256 * nifti[71], each.niftiType);
        EXPECT_THAT(readBytes(dir / "v.nrrd"), HasSubstr("type: " + std::string(each.nrrdType) + "\n"));
    }
    EXPECT_EQ(dir.entries(), kNames.size()) << "no temporary is left";
}

TEST(VolumeWriter, NiftiHasTheHeaderOfTheStandard) {
    const TempDir dir;
    const Image image = makeLevels(PixelType::u16, kExtent);
    PixelSize size{0.5, 0.25, "µm", "OME-XML"};
    size.z = 2;
    writeVoxels(dir / "v.nii", {image, {.scene = {.pixelSize = size}}});
    NiftiHeader header;
    header.datatype = 512;
    header.pixdim = {1, 0.5, 0.25, 2, 1, 1, 1, 1};
    header.slope = 1;
    header.xyztUnits = 3;
    header.descrip = "Pollard";
    std::string expected = header.bytes();
    expected[72] = 16; // bits
    for (std::size_t i = 4; i < 8; ++i) {
        expected[40 + 2 * i] = 1; // further sides
    }
    expected += bytesOfNumbers<std::uint16_t>(image.pixels<std::uint16_t>());
    EXPECT_EQ(readBytes(dir / "v.nii"), expected);
    writeVoxels(dir / "v.nii.gz", {image, {.scene = {.pixelSize = size}}});
    EXPECT_EQ(inflated(readBytes(dir / "v.nii.gz")), expected);
    // An image is one slice.
    writeVoxels(dir / "p.nii",
                {makeLevels(PixelType::u8, {5, 4}), {.scene = {.pixelSize = PixelSize{0.5, 0.25, "µm", "OME-XML"}}}});
    float depth = 0;
    std::memcpy(&depth, readBytes(dir / "p.nii").data() + 88, sizeof depth);
    EXPECT_EQ(depth, 1) << "sides are above 0";
    const ImageInfo info = readImageInfo(dir / "p.nii");
    EXPECT_EQ(info.pages, 1);
    EXPECT_EQ(readBytes(dir / "p.nii").size(), 352U + 20);
}

TEST(VolumeWriter, NrrdHasTheHeaderOfTheStandard) {
    const TempDir dir;
    const auto headerOf = [&dir] {
        const std::string bytes = readBytes(dir / "v.nrrd");
        return bytes.substr(0, bytes.find("\n\n"));
    };
    const Image image = makeLevels(PixelType::u16, kExtent);
    PixelSize size{0.5, 0.25, "mm", "NIfTI"};
    writeVoxels(dir / "v.nrrd", {image, {.scene = {.pixelSize = size}}});
    EXPECT_EQ(headerOf(), "NRRD0004\n# Written by Pollard\ntype: uint16\ndimension: 3\nsizes: 5 4 3\n"
                          "kinds: domain domain domain\nspacings: 0.5 0.25 NaN\nunits: \"mm\" \"mm\" \"mm\"\n"
                          "endian: little\nencoding: gzip");
    const std::string bytes = readBytes(dir / "v.nrrd");
    EXPECT_EQ(inflated(bytes.substr(bytes.find("\n\n") + 2)),
              bytesOfNumbers<std::uint16_t>(image.pixels<std::uint16_t>()));
    const auto read = readVolume(dir / "v.nrrd").info.pixelSize;
    ASSERT_TRUE(read);
    EXPECT_EQ(read->x, 0.5);
    EXPECT_EQ(read->y, 0.25);
    EXPECT_EQ(read->z, 0);
    size.z = 3;
    VoxelPlace place{{{{{-0.5, 0, 0}, {0, 0, 0.25}, {0, 3, 0}}}, {10, -20.5, 30}}};
    place.unit = "mm";
    writeVoxels(dir / "v.nrrd", {image, {.scene = {.pixelSize = size}, .place = place}});
    EXPECT_THAT(headerOf(), HasSubstr("\nspace: right-anterior-superior\nsizes: 5 4 3\nkinds: space space space\n"
                                      "space directions: (-0.5,0,0) (0,0,0.25) (0,3,0)\n"
                                      "space units: \"mm\" \"mm\" \"mm\"\nspace origin: (10,-20.5,30)\n"));
    writeVoxels(dir / "v.nrrd", makeLevels(PixelType::u8, {5, 4}));
    EXPECT_THAT(headerOf(), HasSubstr("dimension: 2\nsizes: 5 4\nkinds: domain domain\nendian"));
    EXPECT_EQ(levelsOf(*readImage(dir / "v.nrrd").image), levelsOf(makeLevels(PixelType::u8, {5, 4})));
}

TEST(VolumeWriter, LengthsKeepTheirUnits) {
    const TempDir dir;
    for (const char* const name : kNames) {
        for (const auto& [unit, x, readUnit] :
             {std::tuple{"nm", 250.0, "µm"}, {"µm", 0.25, "µm"}, {"mm", 0.25, "mm"}, {"m", 0.25, "m"}}) {
            PixelSize size{x, 2 * x, unit, ""};
            size.z = 4 * x;
            writeVoxels(dir / name, {makeLevels(PixelType::u8, kExtent), {.scene = {.pixelSize = size}}});
            const auto read = readImageInfo(dir / name).pixelSize;
            ASSERT_TRUE(read) << name << unit;
            EXPECT_EQ(read->unit, readUnit);
            EXPECT_NEAR(read->x, 0.25, 1e-9);
            EXPECT_NEAR(read->y, 0.5, 1e-9);
            EXPECT_NEAR(read->z, 1, 1e-9);
        }
        for (const PixelSize& none : {PixelSize{2, 2, "arcsec", ""}, PixelSize{100, 100, "µm", "", true}}) {
            writeVoxels(dir / name, {makeLevels(PixelType::u8, kExtent), {.scene = {.pixelSize = none}}});
            EXPECT_FALSE(readImageInfo(dir / name).pixelSize) << name << none.unit;
        }
    }
}

TEST(VolumeWriter, OrientationsGoFromFormatToFormat) {
    const TempDir dir;
    NiftiHeader header;
    header.pixdim = {1, 2, 3, 4, 1, 1, 1, 1};
    header.xyztUnits = 2;
    header.sform = 4;
    header.srow = {-2, 0, 0, 90, 0, 0, 4, -126, 0, 3, 0, -72.5};
    writeBytes(dir / "a.nii", header.bytes() + std::string(60, 'x'));
    const ImageInfo first = readImageInfo(dir / "a.nii");
    ASSERT_EQ(factOf(first, "Axis directions"), "x to L, y to S, z to A");
    const auto pass = [&dir](const std::string& from, const std::string& to) {
        const LoadedImage read = readVolume(dir / from);
        ASSERT_TRUE(read.info.place) << from;
        writeVoxels(dir / to, {*read.image, {.scene = {.pixelSize = read.info.pixelSize}, .place = read.info.place}});
    };
    pass("a.nii", "b.nrrd");
    EXPECT_EQ(factOf(readImageInfo(dir / "b.nrrd"), "Axis directions"), "x to L, y to S, z to A");
    EXPECT_EQ(factOf(readImageInfo(dir / "b.nrrd"), "Origin"), "(90,-126,-72.5)");
    pass("b.nrrd", "c.nii.gz");
    const ImageInfo third = readImageInfo(dir / "c.nii.gz");
    EXPECT_EQ(factOf(third, "Axis directions"), factOf(first, "Axis directions"));
    EXPECT_EQ(factOf(third, "Origin"), factOf(first, "Origin"));
    EXPECT_EQ(third.pixelSize->z, 4);
    pass("a.nii", "d.nii");
    EXPECT_EQ(factOf(readImageInfo(dir / "d.nii"), "sform code"), factOf(first, "sform code"));
    // An LPS space has other signs.
    writeBytes(dir / "l.nrrd", "NRRD0004\ntype: uint8\ndimension: 3\nspace: left-posterior-superior\nsizes: 5 4 3\n"
                               "space directions: (2,0,0) (0,3,0) (0,0,4)\nspace origin: (-7,8,9)\nencoding: raw\n\n" +
                                   std::string(60, 'x'));
    const auto lps = readImageInfo(dir / "l.nrrd").place;
    ASSERT_TRUE(lps);
    EXPECT_EQ(lps->map.origin, (std::array<double, 3>{7, -8, 9}));
    EXPECT_EQ(lps->map.steps[0], (std::array<double, 3>{-2, 0, 0}));
    pass("l.nrrd", "m.nrrd");
    EXPECT_EQ(factOf(readImageInfo(dir / "m.nrrd"), "Space"), "left-posterior-superior");
    EXPECT_EQ(readImageInfo(dir / "m.nrrd").place, lps);
    // Oblique axes, and files that state nothing.
    header.srow[1] = 1;
    writeBytes(dir / "o.nii", header.bytes() + std::string(60, 'x'));
    pass("o.nii", "p.nii");
    EXPECT_EQ(readImageInfo(dir / "p.nii").place, readImageInfo(dir / "o.nii").place);
    header.sform = 0;
    writeBytes(dir / "n.nii", header.bytes() + std::string(60, 'x'));
    EXPECT_FALSE(readImageInfo(dir / "n.nii").place);
}

TEST(VolumeWriter, LabelsHave32Bits) {
    const TempDir dir;
    std::vector<std::uint32_t> labels(kExtent.pixelCount());
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
        labels[i] = 70000000 * i;
    }
    writeVoxels(dir / "l.nii", {measuredRowsOf(labels, kExtent), {.scale = {3, 5, {}}}});
    EXPECT_EQ(readBytes(dir / "l.nii").substr(352), bytesOfNumbers<std::uint32_t>(labels));
    EXPECT_EQ(readImageInfo(dir / "l.nii").bits, 32);
    writeVoxels(dir / "l.nrrd", measuredRowsOf(labels, kExtent));
    EXPECT_EQ(readImageInfo(dir / "l.nrrd").bits, 32);
    EXPECT_THROW((void)measuredRowsOf(labels, {5, 4, 2}), Error);
}

TEST(VolumeWriter, FailuresLeaveTheTarget) {
    const TempDir dir;
    const auto failureOf = [](const auto& write) {
        try {
            write();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Image image = makeLevels(PixelType::u8, kExtent);
    EXPECT_THAT(failureOf([&] { writeVoxels(dir / "v.gz", image); }),
                HasSubstr("must end in .nii, .nii.gz, .nrrd or .mha"));
    const Image wide = makeLevels(PixelType::u8, {32768, 1});
    writeBytes(dir / "v.nii", "before");
    EXPECT_THAT(failureOf([&] { writeVoxels(dir / "v.nii", wide); }), HasSubstr("longer than the 32,767 of NIfTI-1"));
    writeVoxels(dir / "v.nrrd", wide);
    EXPECT_EQ(readImageInfo(dir / "v.nrrd").width, 32768U);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(writeVoxels(dir / "v.nii", image, JobControl(stop.get_token())), Cancelled);
    EXPECT_THAT(failureOf([&] { writeVoxels(dir / "none/v.nii", image); }), HasSubstr("does not exist"));
    EXPECT_EQ(readBytes(dir / "v.nii"), "before");
    EXPECT_EQ(dir.entries(), 2U);
}

} // namespace

} // namespace pollard::test
