#include "core/io/io_volume_support.hpp"

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

template <class T> const char* nrrdType() {
    if constexpr (std::is_floating_point_v<T>) {
        return sizeof(T) == 4 ? "float" : "double";
    } else if constexpr (std::is_signed_v<T>) {
        return sizeof(T) == 1 ? "signed char" : sizeof(T) == 2 ? "short" : sizeof(T) == 4 ? "int" : "int64";
    } else {
        return sizeof(T) == 1 ? "uchar" : sizeof(T) == 2 ? "uint16_t" : sizeof(T) == 4 ? "unsigned int" : "uint64";
    }
}

std::string nrrd(const std::string& fields, const std::string& data) {
    return "NRRD0005\n# a comment\n" + fields + "\n" + data;
}

/// Fields of 5 x 4 x 3 voxels.
std::string fieldsOf(const std::string& type, const std::string& encoding = "raw", bool bigEndian = false) {
    return "type: " + type + "\ndimension: 3\nsizes: 5 4 3\nencoding: " + encoding +
           "\nendian: " + (bigEndian ? "big" : "little") + "\n";
}

template <class T> std::string textOf(const std::vector<T>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        char word[40];
        if constexpr (std::is_floating_point_v<T>) {
            std::snprintf(word, sizeof word, "%.17g", static_cast<double>(values[i]));
        } else {
            std::snprintf(word, sizeof word, "%s", std::to_string(values[i]).c_str());
        }
        text += word + std::string(i % 7 == 6 ? "\n" : i % 3 == 0 ? ", " : " ");
    }
    return text;
}

std::string hexOf(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) {
        char digits[4];
        std::snprintf(digits, sizeof digits, text.size() % 2 == 0 ? "%02x" : "%02X", static_cast<unsigned char>(c));
        text += digits;
        text += text.size() % 61 == 0 ? "\n" : "";
    }
    return text;
}

TEST(Nrrd, ReadsEveryVoxelOfEveryTypeEncodingAndByteOrder) {
    const TempDir dir;
    const VolumeShape shape;
    forEachSampleType([&]<class T>(T) {
        for (const bool isSmall : {false, true}) {
            const std::vector<T> voxels =
                isSmall ? smallVoxels<T>(shape.count(), std::is_signed_v<T> ? -30 : 7, 1) : voxelsOf<T>(shape.count());
            const auto check = [&](const std::string& bytes) {
                writeBytes(dir / "v.nrrd", bytes);
                expectVoxels(
                    dir / "v.nrrd", shape, [&](std::size_t i) { return static_cast<double>(voxels[i]); },
                    hasOwnLevels<T>() || (isSmall && std::is_integral_v<T>));
            };
            for (const bool bigEndian : {false, true}) {
                SCOPED_TRACE(::testing::Message() << nrrdType<T>() << (bigEndian ? ", big" : ", little"));
                const std::string data = bytesOfNumbers<T>(voxels, bigEndian);
                check(nrrd(fieldsOf(nrrdType<T>(), "raw", bigEndian), data));
                check(nrrd(fieldsOf(nrrdType<T>(), "gzip", bigEndian), deflated(data, true)));
                check(nrrd(fieldsOf(nrrdType<T>(), "hex", bigEndian), hexOf(data)));
            }
            check(nrrd(fieldsOf(nrrdType<T>(), "ascii"), textOf(voxels)));
        }
    });
}

TEST(Nrrd, AxesOfSamplesAndPages) {
    const TempDir dir;
    const auto info = [&](const std::string& fields) {
        writeBytes(dir / "a.nrrd", nrrd("type: uchar\nencoding: raw\n" + fields, std::string(400, '\1')));
        return readImageInfo(dir / "a.nrrd");
    };
    EXPECT_THAT(info("dimension: 2\nsizes: 5 4\n").axes, ElementsAre());
    EXPECT_THAT(info("dimension: 4\nsizes: 5 4 3 2\n").axes, ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'t', 2, {}}));
    EXPECT_THAT(info("dimension: 4\nsizes: 5 4 2 3\nkinds: space space time space\n").axes,
                ElementsAre(StackAxis{'t', 2, {}}, StackAxis{'z', 3, {}}));
    EXPECT_THAT(info("dimension: 4\nsizes: 5 4 3 2\nkinds: space space space vector\n").axes,
                ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'c', 2, {}}));
    const ImageInfo vector = info("dimension: 4\nsizes: 3 5 4 2\nkinds: vector domain domain domain\n");
    EXPECT_EQ(vector.samples, 3);
    EXPECT_EQ(vector.width, 5U);
    EXPECT_EQ(vector.photometric, "MinIsBlack");
    EXPECT_EQ(info("dimension: 3\nsizes: 3 5 4\nkinds: RGB-color domain domain\n").photometric, "RGB");
    const ImageInfo unnamed = info("dimension: 4\nsizes: 2 5 4 2\nspace: LPS\nspace directions: none (1,0,0) (0,1,0) "
                                   "(0,0,1)\n");
    EXPECT_EQ(unnamed.samples, 2);
    EXPECT_THAT(unnamed.axes, ElementsAre(StackAxis{'z', 2, {}}));
}

TEST(Nrrd, ReadsTheSamplesOfAVector) {
    const TempDir dir;
    const auto values = voxelsOf<std::int16_t>(2 * 60);
    writeBytes(dir / "s.nrrd", nrrd("type: short\ndimension: 4\nsizes: 2 5 4 3\nkinds: 2-vector space space space\n"
                                    "encoding: gzip\nendian: big\n",
                                    deflated(bytesOfNumbers<std::int16_t>(values, true), true)));
    for (const int sample : {0, 1}) {
        expectVoxels(
            dir / "s.nrrd", {}, [&](std::size_t i) { return values[2 * i + static_cast<std::size_t>(sample)]; }, true,
            withChannel(sample));
    }
    EXPECT_EQ(readFailure(dir / "s.nrrd", withChannel(2)), ErrorCode::invalidArgument);
}

TEST(Nrrd, SkipsLinesAndBytes) {
    const TempDir dir;
    const VolumeShape shape;
    const auto voxels = voxelsOf<std::uint16_t>(shape.count());
    const std::string data = bytesOfNumbers<std::uint16_t>(voxels);
    const auto check = [&](const std::string& encoding, const std::string& skip, const std::string& stored) {
        SCOPED_TRACE(skip);
        writeBytes(dir / "s.nrrd", nrrd(fieldsOf("ushort", encoding) + skip, stored));
        expectVoxels(
            dir / "s.nrrd", shape, [&](std::size_t i) { return voxels[i]; }, true);
    };
    check("raw", "byte skip: 5\n", "12345" + data);
    check("raw", "line skip: 2\nbyte skip: 1\n", "one\ntwo\n." + data);
    check("raw", "byteskip: -1\n", "a header of a camera" + data);
    check("gz", "byte skip: 3\n", deflated("abc" + data, true));
    check("gz", "lineskip: 1\nbyteskip: 3\n", "a line\n" + deflated("abc" + data, true));
    writeBytes(dir / "s.nrrd", nrrd(fieldsOf("ushort") + "line skip: 9\n", "one\ntwo\n"));
    EXPECT_EQ(readFailure(dir / "s.nrrd"), ErrorCode::fileDamaged);
    writeBytes(dir / "s.nrrd", nrrd(fieldsOf("ushort") + "byte skip: -2\n", data));
    EXPECT_EQ(readFailure(dir / "s.nrrd"), ErrorCode::fileDamaged);
}

TEST(Nrrd, DataFilesLieInTheFolderOfTheHeader) {
    const TempDir dir;
    const VolumeShape shape;
    const auto voxels = voxelsOf<std::uint16_t>(shape.count());
    std::filesystem::create_directories(dir / "inner");
    writeBytes(dir / "inner" / "slices.raw", bytesOfNumbers<std::uint16_t>(voxels));
    writeBytes(dir / "beside.raw", bytesOfNumbers<std::uint16_t>(voxels));
    const auto write = [&](const std::string& name) {
        writeBytes(dir / "h.nhdr", nrrd(fieldsOf("ushort") + "data file: " + name + "\n", ""));
        return dir / "h.nhdr";
    };
    for (const char* name : {"beside.raw", "./beside.raw", "inner/slices.raw"}) {
        expectVoxels(
            write(name), shape, [&](std::size_t i) { return voxels[i]; }, true);
    }
    for (const std::string& name : {(dir / "beside.raw").string(), std::string("../x.raw"),
                                    std::string("inner/../beside.raw"), std::string("inner/../../x.raw")}) {
        std::string message;
        EXPECT_EQ(readFailure(write(name), {}, &message), ErrorCode::formatUnsupported) << name;
        EXPECT_THAT(message, HasSubstr("folder of the header"));
    }
    EXPECT_EQ(readFailure(write("LIST")), ErrorCode::formatUnsupported);
    EXPECT_EQ(readFailure(write("slice%03d.raw 1 3 1")), ErrorCode::formatUnsupported);
    for (const char* name : {"missing.raw", "inner"}) {
        EXPECT_THROW((void)readImage(write(name)), Error);
    }
    writeBytes(dir / "beside.raw", "too short");
    EXPECT_THROW((void)readImage(write("beside.raw")), Error);
}

TEST(Nrrd, StatesSizesAndSpace) {
    const TempDir dir;
    const auto info = [&](const std::string& fields) {
        writeBytes(dir / "s.nrrd", nrrd(fieldsOf("uchar") + fields, std::string(60, '\1')));
        return readImageInfo(dir / "s.nrrd");
    };
    EXPECT_FALSE(info("").pixelSize);
    const ImageInfo plain = info("spacings: 0.5 0.25 2\n");
    EXPECT_FALSE(plain.pixelSize);
    EXPECT_THAT(plain.facts, Contains(Pair("Spacing", "0.5 x 0.25 x 2")));
    EXPECT_EQ(info("spacings: 0.5 0.25 2\nunits: \"um\" \"um\" \"um\"\n").pixelSize,
              (PixelSize{0.5, 0.25, "µm", "NRRD", false, 2}));
    const ImageInfo space =
        info("content: a head\nspace: left-posterior-superior\nspace directions: (0.5,0,0) (0,-0.25,0) "
             "( 0, 0, 2 )\nspace units: \"mm\" \"mm\" \"mm\"\nspace origin: (1,2,3)\n"
             "kinds: domain domain domain\nkey:=value of a program\n");
    EXPECT_EQ(space.pixelSize, (PixelSize{0.5, 0.25, "mm", "NRRD", false, 2}));
    EXPECT_TRUE(space.notes.empty());
    EXPECT_THAT(space.facts,
                ElementsAre(Pair("Content", "a head"), Pair("Space", "left-posterior-superior"),
                            Pair("Axis directions", "x to L, y to A, z to S"),
                            Pair("Space directions", "(0.5,0,0) (0,-0.25,0) ( 0, 0, 2 )"), Pair("Origin", "(1,2,3)")));
    // The axis of samples has no unit of space.
    writeBytes(dir / "rgb.nrrd",
               nrrd("type: uchar\ndimension: 4\nsizes: 3 5 4 1\nencoding: raw\nspace: RAS\nspace directions: none "
                    "(0.5,0,0) (0,0.25,0) (0,0,2)\nkinds: RGB-color domain domain domain\n"
                    "space units: \"mm\" \"mm\" \"mm\"\n",
                    std::string(60, '\1')));
    EXPECT_EQ(readImageInfo(dir / "rgb.nrrd").pixelSize, (PixelSize{0.5, 0.25, "mm", "NRRD", false, 2}));
    const ImageInfo assumed = info("space: RAS\nspace directions: (0,0.5,0) (0.3,0,0.4) (0,0,1)\n");
    EXPECT_EQ(assumed.pixelSize->unit, "mm");
    EXPECT_DOUBLE_EQ(assumed.pixelSize->y, 0.5);
    EXPECT_THAT(assumed.notes, Contains(HasSubstr("taken as mm")));
    EXPECT_EQ(factOf(assumed, "Axis directions"), "x to A, y to S, z to S, oblique");
}

TEST(Nrrd, RefusesWhatItCannotRead) {
    const TempDir dir;
    const auto refuse = [&](const std::string& bytes, ErrorCode code, const char* part) {
        writeBytes(dir / "b.nrrd", bytes);
        std::string message;
        EXPECT_EQ(readFailure(dir / "b.nrrd", {}, &message), code) << message;
        EXPECT_THAT(message, HasSubstr(part));
    };
    const std::string data(60, '\1');
    const auto with = [&](const std::string& fields) { return nrrd(fields, data); };
    refuse(with("type: block\ndimension: 1\nsizes: 4\nencoding: raw\n"), ErrorCode::formatUnsupported, "block");
    refuse(with(fieldsOf("uchar", "bzip2")), ErrorCode::formatUnsupported, "bzip2");
    refuse(with("type: float\ndimension: 3\nsizes: 2 3 2\nkinds: complex domain domain\nencoding: raw\nendian: big\n"),
           ErrorCode::formatUnsupported, "complex");
    refuse(with("dimension: 3\nsizes: 5 4 3\nencoding: raw\n"), ErrorCode::fileDamaged, "\"type\"");
    refuse(with("type: uchar\ndimension: 3\nencoding: raw\n"), ErrorCode::fileDamaged, "\"sizes\"");
    refuse(with("type: uchar\ndimension: 3\nsizes: 5 4 3\n"), ErrorCode::fileDamaged, "\"encoding\"");
    refuse(with("type: ushort\ndimension: 1\nsizes: 5\nencoding: raw\n"), ErrorCode::fileDamaged, "endian");
    refuse(with("type: uchar\ndimension: 2\nsizes: 5 4 3\nencoding: raw\n"), ErrorCode::fileDamaged, "3 sizes");
    refuse(with("type: uchar\ndimension: 17\nsizes: 5 4 3\nencoding: raw\n"), ErrorCode::fileDamaged, "17");
    refuse(with("type: uchar\ndimension: two\nsizes: 5 4\nencoding: raw\n"), ErrorCode::fileDamaged, "two");
    refuse(with("type: uchar\ndimension: 2\nsizes: 5 -4\nencoding: raw\n"), ErrorCode::fileDamaged, "-4");
    refuse(with("type: uchar\ndimension: 2\nsizes: 5 99999999999999999999\nencoding: raw\n"), ErrorCode::fileDamaged,
           "size");
    refuse(with("type: uchar\ndimension: 2\nsizes: 3000000000 2000000000\nencoding: raw\n"), ErrorCode::fileDamaged,
           "cut off");
    refuse(with("type: uchar\ndimension: 3\nsizes: 4000000000 4000000000 4000000000\nencoding: raw\n"),
           ErrorCode::limitExceeded, "limit");
    refuse(with("no field\n"), ErrorCode::fileDamaged, "no field");
    refuse(nrrd(fieldsOf("uchar"), std::string(59, '\1')), ErrorCode::fileDamaged, "cut off");
    refuse(nrrd(fieldsOf("uchar", "hex"), std::string(119, '1')), ErrorCode::fileDamaged, "cut off");
    refuse(nrrd(fieldsOf("uchar", "hex"), std::string(120, 'g')), ErrorCode::fileDamaged, "hexadecimal");
    refuse(nrrd(fieldsOf("uchar", "text"), std::string(119, '1')), ErrorCode::fileDamaged, "among the pixels");
    refuse(nrrd(fieldsOf("uchar", "text"), "256 " + std::string(119, ' ')), ErrorCode::fileDamaged, "256");
    refuse(nrrd(fieldsOf("uchar", "text"), "1 2 " + std::string(119, ' ')), ErrorCode::fileDamaged, "ends");
    refuse(nrrd(fieldsOf("uchar", "gzip"), "this is no gzip"), ErrorCode::fileDamaged, "compressed");
    refuse(nrrd("type: uchar\ndimension: 3\nsizes: 60000 60000 60000\nencoding: gzip\n", deflated(data, true)),
           ErrorCode::limitExceeded, "cannot come from");
}

TEST(Nrrd, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    const auto voxels = voxelsOf<std::int16_t>(60);
    const std::string data = bytesOfNumbers<std::int16_t>(voxels);
    expectPrefixesRefused(dir, "a.nrrd", nrrd(fieldsOf("short"), data));
    expectPrefixesRefused(dir, "b.nrrd", nrrd(fieldsOf("short", "gzip"), deflated(data, true)));
    expectPrefixesRefused(dir, "c.nrrd", nrrd(fieldsOf("short", "hex"), hexOf(data)));
}

} // namespace

} // namespace pollard::test
