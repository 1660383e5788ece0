#include "core/io/io_volume_support.hpp"

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

template <class T> std::string metaType() {
    if constexpr (std::is_floating_point_v<T>) {
        return sizeof(T) == 4 ? "MET_FLOAT" : "MET_DOUBLE";
    } else {
        const std::string name = sizeof(T) == 1   ? "CHAR"
                                 : sizeof(T) == 2 ? "SHORT"
                                 : sizeof(T) == 4 ? "INT"
                                                  : "LONG_LONG";
        return std::string("MET_") + (std::is_signed_v<T> ? "" : "U") + name;
    }
}

/// A header of 5 x 4 x 3 voxels with further entries before the entry of the data file.
std::string meta(const std::string& type, const std::string& entries, const std::string& file = "LOCAL",
                 const std::string& sizes = "5 4 3") {
    const auto dimensions = 1 + std::count(sizes.begin(), sizes.end(), ' ');
    return "ObjectType = Image\nNDims = " + std::to_string(dimensions) + "\nDimSize = " + sizes +
           "\nElementType = " + type + "\n" + entries + "ElementDataFile = " + file + "\n";
}

TEST(MetaImage, ReadsEveryVoxelOfEveryTypeByteOrderAndCompression) {
    const TempDir dir;
    const VolumeShape shape;
    forEachSampleType([&]<class T>(T) {
        for (const bool isSmall : {false, true}) {
            const std::vector<T> voxels =
                isSmall ? smallVoxels<T>(shape.count(), std::is_signed_v<T> ? -30 : 7, 1) : voxelsOf<T>(shape.count());
            const auto check = [&](const std::filesystem::path& path) {
                expectVoxels(
                    path, shape, [&](std::size_t i) { return static_cast<double>(voxels[i]); },
                    hasOwnLevels<T>() || (isSmall && std::is_integral_v<T>));
            };
            for (const bool bigEndian : {false, true}) {
                SCOPED_TRACE(::testing::Message() << metaType<T>() << (bigEndian ? ", big" : ", little"));
                const std::string order = std::string("BinaryDataByteOrderMSB = ") + (bigEndian ? "True\n" : "False\n");
                const std::string data = bytesOfNumbers<T>(voxels, bigEndian);
                writeBytes(dir / "v.mha", meta(metaType<T>(), order) + data);
                check(dir / "v.mha");
                const std::string zipped = deflated(data, false);
                const std::string packed =
                    order + "CompressedData = True\nCompressedDataSize = " + std::to_string(zipped.size()) + "\n";
                writeBytes(dir / "z.mha", meta(metaType<T>(), packed) + zipped);
                check(dir / "z.mha");
                writeBytes(dir / "v.raw", data);
                writeBytes(dir / "v.mhd", meta(metaType<T>(), order, "v.raw"));
                check(dir / "v.mhd");
                writeBytes(dir / "z.zraw", zipped);
                writeBytes(dir / "z.mhd", meta(metaType<T>(), packed, "z.zraw"));
                check(dir / "z.mhd");
            }
            std::string text;
            for (const T value : voxels) {
                char word[40];
                std::snprintf(word, sizeof word, "%.17g", static_cast<double>(value));
                text += (std::is_integral_v<T> ? std::to_string(value) : std::string(word)) + " ";
            }
            writeBytes(dir / "t.mha", meta(metaType<T>(), "BinaryData = False\n") + text);
            check(dir / "t.mha");
        }
    });
}

TEST(MetaImage, HeadersOfDataFilesAreSkipped) {
    const TempDir dir;
    const VolumeShape shape;
    const auto voxels = voxelsOf<std::uint16_t>(shape.count());
    const std::string data = bytesOfNumbers<std::uint16_t>(voxels);
    const auto value = [&](std::size_t i) { return static_cast<double>(voxels[i]); };
    writeBytes(dir / "d.raw", "eleven byte" + data);
    for (const char* size : {"HeaderSize = 11\n", "HeaderSize = -1\n"}) {
        writeBytes(dir / "d.mhd", meta("MET_USHORT", size, "d.raw"));
        expectVoxels(dir / "d.mhd", shape, value, true);
    }
    writeBytes(dir / "crlf.mha",
               "NDims = 3\r\nDimSize = 5 4 3\r\nElementType = MET_USHORT\r\nElementDataFile = LOCAL\r\n" + data);
    expectVoxels(dir / "crlf.mha", shape, value, true);
    writeBytes(dir / "c.mha",
               "Comment = first\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_USHORT\nElementDataFile = LOCAL\n" +
                   data);
    expectVoxels(dir / "c.mha", shape, value, true);
}

TEST(MetaImage, DataFilesLieInTheFolderOfTheHeader) {
    const TempDir dir;
    writeBytes(dir / "d.raw", std::string(60, '\1'));
    const auto fail = [&](const std::string& name) {
        writeBytes(dir / "h.mhd", meta("MET_UCHAR", "", name));
        return readFailure(dir / "h.mhd");
    };
    EXPECT_EQ(fail("d.raw"), std::nullopt);
    for (const std::string& name : {(dir / "d.raw").string(), std::string("../d.raw"), std::string("x/../d.raw"),
                                    std::string("LIST"), std::string("slice%03d.raw 1 3 1")}) {
        EXPECT_EQ(fail(name), ErrorCode::formatUnsupported) << name;
    }
    writeBytes(dir / "h.mhd", meta("MET_UCHAR", "", "missing.raw"));
    EXPECT_THROW((void)readImage(dir / "h.mhd"), Error);
}

TEST(MetaImage, ReadsColourVectorsAndTimes) {
    const TempDir dir;
    const std::string rgb{'\x10', '\x20', '\x30', '\x40', '\x50', '\x60'};
    writeBytes(dir / "c.mha", meta("MET_UCHAR_ARRAY", "ElementNumberOfChannels = 3\n", "LOCAL", "2 1") + rgb);
    const LoadedImage red = readImage(dir / "c.mha", withChannel(0));
    EXPECT_EQ(red.info.photometric, "RGB");
    EXPECT_THAT(levelsOf(*red.image), ElementsAre(0x10, 0x40));
    const auto field = voxelsOf<float>(2 * 60);
    writeBytes(dir / "v.mha", meta("MET_FLOAT", "ElementNumberOfChannels = 2\n") + bytesOfNumbers<float>(field));
    expectVoxels(
        dir / "v.mha", {}, [&](std::size_t i) { return field[2 * i + 1]; }, false, withChannel(1));
    writeBytes(dir / "t.mha", meta("MET_UCHAR", "", "LOCAL", "5 4 3 2") + std::string(120, '\1'));
    EXPECT_THAT(readImageInfo(dir / "t.mha").axes, ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'t', 2, {}}));
}

TEST(MetaImage, StatesSizesAndOrientation) {
    const TempDir dir;
    const auto info = [&](const std::string& entries) {
        writeBytes(dir / "s.mha", meta("MET_UCHAR", entries) + std::string(60, '\1'));
        return readImageInfo(dir / "s.mha");
    };
    EXPECT_FALSE(info("").pixelSize);
    const ImageInfo head = info("ElementSpacing = 0.5 0.25 2\nTransformMatrix = 1 0 0 0 -1 0 0 0 1\nOffset = 1 2 3\n"
                                "AnatomicalOrientation = RPI\nModality = MET_MOD_CT\n");
    EXPECT_EQ(head.pixelSize, (PixelSize{0.5, 0.25, "mm", "MetaImage", false, 2}));
    EXPECT_THAT(head.notes, Contains(HasSubstr("taken as mm")));
    EXPECT_THAT(head.facts,
                ElementsAre(Pair("Axis directions", "x to L, y to A, z to S"), Pair("Anatomical orientation", "RPI"),
                            Pair("Origin", "1 2 3"), Pair("Modality", "MET_MOD_CT")));
    const ImageInfo cell = info("ElementSpacing = 0.5 0.25 2\nDistanceUnits = um\n");
    EXPECT_EQ(cell.pixelSize->unit, "µm");
    EXPECT_TRUE(cell.notes.empty());
    const ImageInfo flat = info("TransformMatrix = 0 0 0 0 0 0 0 0 0\nAnatomicalOrientation = RPI\n");
    EXPECT_FALSE(flat.place);
    EXPECT_THAT(flat.facts, ElementsAre(Pair("Anatomical orientation", "RPI")));
    const ImageInfo scaled = info("ElementToIntensityFunctionSlope = 2\nElementToIntensityFunctionOffset = -5\n");
    ASSERT_TRUE(scaled.mapping);
    EXPECT_EQ(scaled.mapping->valueOf(1), -3);
    EXPECT_EQ(readImage(dir / "s.mha").info.mapping->valueOf(1), -3);
}

TEST(MetaImage, RefusesWhatItCannotRead) {
    const TempDir dir;
    const auto refuse = [&](const std::string& bytes, ErrorCode code, const char* part) {
        writeBytes(dir / "b.mha", bytes);
        std::string message;
        EXPECT_EQ(readFailure(dir / "b.mha", {}, &message), code) << message;
        EXPECT_THAT(message, HasSubstr(part));
    };
    const std::string data(60, '\1');
    refuse(meta("MET_STRING", "") + data, ErrorCode::formatUnsupported, "met_string");
    refuse("ObjectType = Tube\nNDims = 3\nElementDataFile = LOCAL\n", ErrorCode::formatUnsupported, "Tube");
    refuse("ObjectType = Image\nNDims = 3\n", ErrorCode::fileDamaged, "ElementDataFile");
    refuse(meta("MET_UCHAR", "NDims = 4\n") + data, ErrorCode::fileDamaged, "NDims is 4");
    refuse(meta("MET_UCHAR", "NDims = x\n") + data, ErrorCode::fileDamaged, "not a number");
    refuse(meta("MET_UCHAR", "", "LOCAL", "5 0 3") + data, ErrorCode::fileDamaged, "a side of 0");
    refuse(meta("MET_UCHAR", "", "LOCAL", "5 4 4") + data, ErrorCode::fileDamaged, "cut off");
    refuse(meta("MET_UCHAR", "ElementNumberOfChannels = 0\n") + data, ErrorCode::formatUnsupported, "0 samples");
    refuse(meta("MET_UCHAR", "ElementNumberOfChannels = 5000\n") + data, ErrorCode::formatUnsupported, "5000 samples");
    refuse(meta("MET_DOUBLE", "", "LOCAL", "4000000000 4000000000 4000000000") + data, ErrorCode::limitExceeded,
           "limit");
    refuse(meta("MET_UCHAR", "CompressedData = True\n") + data, ErrorCode::fileDamaged, "compressed");
    refuse(meta("MET_UCHAR", "CompressedData = True\n", "LOCAL", "60000 60000 60000") + data, ErrorCode::limitExceeded,
           "cannot come from");
    writeBytes(dir / "letter.mha", "Comment = a letter\nand no image\n");
    EXPECT_EQ(readFailure(dir / "letter.mha"), ErrorCode::formatUnknown);
}

TEST(MetaImage, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    const std::string data = bytesOfNumbers<std::int16_t>(voxelsOf<std::int16_t>(60));
    expectPrefixesRefused(dir, "a.mha", meta("MET_SHORT", "") + data);
    expectPrefixesRefused(dir, "b.mha", meta("MET_SHORT", "CompressedData = True\n") + deflated(data, false));
}

} // namespace

} // namespace pollard::test
