#include "core/io/io_volume_support.hpp"
#include "core/io/volumes/dicom_files.hpp"

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

std::string bytesOf(const std::vector<int>& values) {
    std::string bytes;
    for (const int value : values) {
        bytes += static_cast<char>(value);
    }
    return bytes;
}

std::string shortsOf(const std::vector<std::uint16_t>& values) { return bytesOfNumbers<std::uint16_t>(values); }

LoadedImage readFile(const TempDir& dir, const DicomFile& file, const ReadOptions& options = {}) {
    writeBytes(dir / "r.dcm", file.bytes());
    return readImage(dir / "r.dcm", options);
}

TEST(Dicom, ReadsEveryVoxelOfEveryType) {
    const TempDir dir;
    const VolumeShape shape;
    forEachSampleType([&]<class T>(T) {
        if constexpr (std::is_floating_point_v<T> || sizeof(T) < 8) {
            for (const bool isSmall : {false, true}) {
                const std::vector<T> voxels = isSmall ? smallVoxels<T>(shape.count(), std::is_signed_v<T> ? -30 : 7, 1)
                                                      : voxelsOf<T>(shape.count());
                for (const char* syntax : {kExplicitSyntax, kImplicitSyntax}) {
                    SCOPED_TRACE(::testing::Message()
                                 << sizeof(T) << (std::is_signed_v<T> ? " signed " : " ") << syntax);
                    DicomFile file = dicomImage(5, 4, 8 * sizeof(T), std::is_signed_v<T>, "", shape.pages);
                    file.syntax = syntax;
                    file.elements.erase(0x7fe00010);
                    if constexpr (std::is_floating_point_v<T>) {
                        file.text(sizeof(T) == 4 ? 0x7fe00008 : 0x7fe00009, sizeof(T) == 4 ? "OF" : "OD",
                                  bytesOfNumbers<T>(voxels));
                    } else {
                        file.text(0x7fe00010, sizeof(T) == 1 ? "OB" : "OW", bytesOfNumbers<T>(voxels));
                    }
                    writeBytes(dir / "v.dcm", file.bytes());
                    expectVoxels(
                        dir / "v.dcm", shape, [&](std::size_t i) { return static_cast<double>(voxels[i]); },
                        hasOwnLevels<T>() || (isSmall && std::is_integral_v<T>));
                }
            }
        }
    });
}

TEST(Dicom, TakesTheStoredBitsOfASample) {
    const TempDir dir;
    DicomFile file = dicomImage(3, 1, 16, false, shortsOf({0xf123, 0x0fff, 0x7000}));
    file.number(0x00280101, 12).number(0x00280102, 11);
    const LoadedImage loaded = readFile(dir, file);
    EXPECT_THAT(levelsOf(*loaded.image), ElementsAre(0x123, 0xfff, 0)) << "bits above hold overlays";
    EXPECT_EQ(loaded.info.bits, 12);
    file.number(0x00280102, 15);
    EXPECT_THAT(levelsOf(*readFile(dir, file).image), ElementsAre(0xf12, 0x0ff, 0x700));
    file.number(0x00280102, 11).number(0x00280103, 1);
    const LoadedImage negative = readFile(dir, file);
    EXPECT_EQ(negative.info.mapping->valueOf(negative.image->level(0)), 0x123);
    EXPECT_EQ(negative.info.mapping->valueOf(negative.image->level(1)), -1) << "12 bits";
    EXPECT_EQ(negative.info.mapping->valueOf(negative.image->level(2)), 0);
}

TEST(Dicom, Monochrome1IsInvertedUnlessItsSamplesAreValues) {
    const TempDir dir;
    DicomFile file = dicomImage(2, 1, 8, false, bytesOf({0, 200}));
    file.text(0x00280004, "CS", "MONOCHROME1");
    const LoadedImage loaded = readFile(dir, file);
    EXPECT_THAT(levelsOf(*loaded.image), ElementsAre(255, 55));
    EXPECT_FALSE(loaded.info.mapping);
    EXPECT_EQ(loaded.info.photometric, "MinIsWhite");
    EXPECT_THAT(loaded.info.notes, Contains(HasSubstr("MONOCHROME1: shown inverted")));
    EXPECT_EQ(factOf(loaded.info, "Photometric interpretation"), "MONOCHROME1");
    file.number(0x00280103, 1); // 0 and -56
    const LoadedImage negative = readFile(dir, file);
    EXPECT_GT(negative.image->level(1), negative.image->level(0));
    DicomFile bits = dicomImage(2, 1, 16, false, shortsOf({0, 1000}));
    bits.text(0x00280004, "CS", "MONOCHROME1").number(0x00280101, 10).number(0x00280102, 9);
    EXPECT_THAT(levelsOf(*readFile(dir, bits).image), ElementsAre(1023, 23));
    bits.text(0x00281053, "DS", "2").text(0x00281052, "DS", "1");
    const LoadedImage scaled = readFile(dir, bits);
    EXPECT_EQ(scaled.info.mapping->valueOf(scaled.image->level(1)), 2001);
    EXPECT_EQ(scaled.info.photometric, "MinIsBlack");
    EXPECT_THAT(scaled.info.notes, Contains(HasSubstr("high values are bright")));
}

TEST(Dicom, SlopeAndInterceptAreOfTheMapping) {
    const TempDir dir;
    DicomFile file = dicomImage(2, 1, 16, false, shortsOf({0, 1064}));
    file.text(0x00281052, "DS", "-1024").text(0x00281053, "DS", "1 ").text(0x00281054, "LO", "HU");
    const LoadedImage loaded = readFile(dir, file);
    EXPECT_THAT(levelsOf(*loaded.image), ElementsAre(0, 1064));
    EXPECT_EQ(loaded.info.mapping->valueOf(1064), 40);
    EXPECT_TRUE(loaded.info.mapping->exact);
    EXPECT_EQ(factOf(loaded.info, "Unit of values"), "HU");
    file.text(0x00281053, "DS", "0"); // a slope of 0 is no slope
    EXPECT_EQ(readFile(dir, file).info.mapping->step, 1);
    file.number(0x00280103, 1).text(0x00281053, "DS", "0.5");
    EXPECT_EQ(readFile(dir, file).info.mapping->valueOf(readFile(dir, file).image->level(1)), 532 - 1024);
}

TEST(Dicom, TheWindowIsOfValues) {
    const TempDir dir;
    const std::string pixels = shortsOf({0, 1000, 1040, 2000});
    const auto windowOf = [&](const char* centre, const char* width, const char* function = "") {
        DicomFile file = dicomImage(2, 2, 16, false, pixels);
        file.text(0x00281050, "DS", centre).text(0x00281051, "DS", width);
        file.text(0x00281052, "DS", "-1024").text(0x00281053, "DS", "1");
        if (*function != '\0') {
            file.text(0x00281056, "CS", function);
        }
        return readFile(dir, file).info.window;
    };
    EXPECT_EQ(windowOf("40", "400"), (ChannelWindow{-160, 239})) << "PS3.3, C.11.2.1.2.1";
    EXPECT_EQ(windowOf("40", "400", "LINEAR_EXACT"), (ChannelWindow{-160, 240}));
    EXPECT_EQ(windowOf("300\\40", "2000\\80"), (ChannelWindow{-700, 1299})) << "the first of several";
    EXPECT_EQ(windowOf("40", "0"), std::nullopt);
    EXPECT_EQ(windowOf("40", "-5"), std::nullopt);
    EXPECT_EQ(windowOf("x", "80"), std::nullopt);
    EXPECT_EQ(readFile(dir, dicomImage(2, 2, 16, false, pixels)).info.window, std::nullopt);
}

TEST(Dicom, FramesHaveTheWindowOfTheirGroup) {
    const TempDir dir;
    DicomFile file = dicomImage(1, 2, 8, false, bytesOf({1, 2, 3, 4}), 2);
    const std::string window = file.inner(0x00281050, "DS", "100") + file.inner(0x00281051, "DS", "51");
    file.sequence(0x52009229, {file.group(0x00289132, window)});
    EXPECT_EQ(readFile(dir, file).info.window, (ChannelWindow{74.5, 124.5}));
}

TEST(Dicom, ReadsColours) {
    const TempDir dir;
    const auto channels = [&](const DicomFile& file) {
        std::vector<std::vector<std::uint16_t>> levels;
        for (const int sample : {0, 1, 2}) {
            levels.push_back(levelsOf(*readFile(dir, file, withChannel(sample)).image));
        }
        return levels;
    };
    DicomFile file = dicomImage(2, 1, 8, false, bytesOf({1, 2, 3, 40, 50, 60}));
    file.number(0x00280002, 3).text(0x00280004, "CS", "RGB").number(0x00280006, 0);
    EXPECT_THAT(channels(file), ElementsAre(ElementsAre(1, 40), ElementsAre(2, 50), ElementsAre(3, 60)));
    EXPECT_EQ(readFile(dir, file).info.photometric, "RGB");
    file.number(0x00280006, 1); // planes
    EXPECT_THAT(channels(file), ElementsAre(ElementsAre(1, 2), ElementsAre(3, 40), ElementsAre(50, 60)));
    file.text(0x00280004, "CS", "YBR_FULL")
        .number(0x00280006, 0)
        .text(0x7fe00010, "OB", bytesOf({76, 85, 255, 9, 128, 128}));
    EXPECT_THAT(channels(file), ElementsAre(ElementsAre(254, 9), ElementsAre(0, 9), ElementsAre(0, 9))) << "red, grey";

    DicomFile palette = dicomImage(4, 1, 8, false, bytesOf({0, 5, 6, 255}));
    palette.text(0x00280004, "CS", "PALETTE COLOR");
    for (std::uint32_t c = 0; c < 3; ++c) {
        palette.text(0x00281101 + c, "US", shortsOf({2, 5, 16}));
        palette.text(0x00281201 + c, "OW", shortsOf({static_cast<std::uint16_t>(1000 + c), 40000}));
    }
    EXPECT_THAT(channels(palette),
                ElementsAre(ElementsAre(1000, 1000, 40000, 40000), ElementsAre(1001, 1001, 40000, 40000),
                            ElementsAre(1002, 1002, 40000, 40000)));
    EXPECT_EQ(readFile(dir, palette).info.photometric, "Palette");
    for (std::uint32_t c = 0; c < 3; ++c) {
        palette.text(0x00281101 + c, "US", shortsOf({2, 5, 8}));
        palette.text(0x00281201 + c, "OW", bytesOf({7, 9}));
    }
    EXPECT_THAT(channels(palette)[0], ElementsAre(7, 7, 9, 9));
}

/// Frames of one value each at places along z; values are their numbers in the file.
DicomFile placedFrames(const std::vector<double>& places, const std::string& syntax, bool open) {
    std::string pixels;
    for (std::size_t i = 0; i < places.size(); ++i) {
        pixels += std::string(4, static_cast<char>(i));
    }
    DicomFile file = dicomImage(2, 2, 8, false, pixels, static_cast<int>(places.size()));
    file.syntax = syntax;
    file.open = open;
    std::vector<std::string> frames;
    for (const double place : places) {
        // An unknown sequence with an element of the same tag, which does not count.
        frames.push_back(file.group(0x00181234, file.inner(0x00200032, "DS", "9\\9\\9")) +
                         file.group(0x00209113, file.inner(0x00200032, "DS", dicomNumbers({0, 0, place}))));
    }
    file.sequence(0x52009229,
                  {file.group(0x00209116, file.inner(0x00200037, "DS", "1\\0\\0\\0\\1\\0")) +
                   file.group(0x00289110, file.inner(0x00180050, "DS", "7") + file.inner(0x00280030, "DS", "2\\3")) +
                   file.group(0x00289145, file.inner(0x00281052, "DS", "-5") + file.inner(0x00281053, "DS", "1"))});
    file.sequence(0x52009230, frames);
    return file;
}

TEST(Dicom, FramesAreSortedByTheirPlaces) {
    const TempDir dir;
    for (const char* syntax : {kExplicitSyntax, kImplicitSyntax}) {
        for (const bool open : {false, true}) {
            writeBytes(dir / "f.dcm", placedFrames({3, 1, 2, 0}, syntax, open).bytes());
            const ImageInfo info = readImageInfo(dir / "f.dcm");
            EXPECT_THAT(info.axes, ElementsAre(StackAxis{'z', 4, {}})) << syntax << open;
            EXPECT_EQ(info.pixelSize, (PixelSize{3, 2, "mm", "DICOM", false, 1}));
            EXPECT_EQ(factOf(info, "Axis directions"), "x to L, y to P, z to S");
            EXPECT_EQ(factOf(info, "Origin"), "0 0 0") << "of the first page";
            std::vector<double> values;
            for (int page = 0; page < 4; ++page) {
                ReadOptions options;
                options.page = page;
                const LoadedImage loaded = readImage(dir / "f.dcm", options);
                values.push_back(loaded.info.mapping->valueOf(loaded.image->level(3)));
            }
            EXPECT_THAT(values, ElementsAre(3 - 5, 1 - 5, 2 - 5, 0 - 5));
        }
    }
    // Times at every place, then places that differ in number.
    writeBytes(dir / "t.dcm", placedFrames({1, 1, 0, 0, 2, 2}, kExplicitSyntax, false).bytes());
    EXPECT_THAT(readImageInfo(dir / "t.dcm").axes, ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'t', 2, {}}));
    ReadOptions fourth;
    fourth.page = 3;
    EXPECT_EQ(readImage(dir / "t.dcm", fourth).image->level(0), 3) << "the first place at the second time";
    writeBytes(dir / "p.dcm", placedFrames({1, 1, 0}, kExplicitSyntax, false).bytes());
    EXPECT_THAT(readImageInfo(dir / "p.dcm").axes, ElementsAre(StackAxis{'p', 3, {}}));
    writeBytes(dir / "g.dcm", placedFrames({0, 1, 2, 5, 6}, kExplicitSyntax, false).bytes());
    EXPECT_THAT(readImageInfo(dir / "g.dcm").notes,
                Contains("2 slices are missing (the widest gap follows slice 2): the others are taken as neighbours"));
    writeBytes(dir / "u.dcm", placedFrames({0, 1, 2.5, 3.5}, kExplicitSyntax, false).bytes());
    EXPECT_THAT(readImageInfo(dir / "u.dcm").notes,
                Contains("distances of slices are not equal, 1 to 1.5 mm: taken as 1 mm"));
}

TEST(Dicom, FramesAtPlacesThatDifferByRoundingAreSortedByTheirNumbers) {
    const TempDir dir;
    writeBytes(dir / "r.dcm", placedFrames({1e-5, 10, 0, 10.00001}, kExplicitSyntax, false).bytes());
    EXPECT_THAT(readImageInfo(dir / "r.dcm").axes, ElementsAre(StackAxis{'z', 2, {}}, StackAxis{'t', 2, {}}));
    std::vector<int> frames;
    ReadOptions options;
    for (options.page = 0; options.page < 4; ++options.page) {
        frames.push_back(readImage(dir / "r.dcm", options).image->level(0));
    }
    EXPECT_THAT(frames, ElementsAre(0, 1, 2, 3));
}

TEST(Dicom, FramesWithoutPlacesAreSlicesOrTimes) {
    const TempDir dir;
    DicomFile file = dicomImage(2, 2, 8, false, std::string(12, '\1'), 3);
    file.text(0x00180088, "DS", "2.5").text(0x00280030, "DS", "1\\1");
    const ImageInfo slices = readFile(dir, file).info;
    EXPECT_THAT(slices.axes, ElementsAre(StackAxis{'z', 3, {}}));
    EXPECT_EQ(slices.pixelSize->z, 2.5);
    file.text(0x00181063, "DS", "40");
    EXPECT_THAT(readFile(dir, file).info.axes, ElementsAre(StackAxis{'t', 3, {}}));
    file.text(0x00480006, "UL", std::string(4, '\1'));
    EXPECT_THAT(readFile(dir, file).info.axes, ElementsAre(StackAxis{'p', 3, {}}));
    EXPECT_THAT(readFile(dir, file).info.notes, Contains(HasSubstr("tiles")));
}

TEST(Dicom, StatesFactsButNoPatient) {
    const TempDir dir;
    DicomFile file = dicomSlice(30, 7);
    file.text(0x00100010, "PN", "SECRET^NAME")
        .text(0x00100020, "LO", "SECRET-ID")
        .text(0x00100030, "DA", "19700101")
        .text(0x00080080, "LO", "SECRET HOSPITAL")
        .text(0x0008103e, "LO", "SECRET DESCRIPTION")
        .text(0x00080020, "DA", "20200101")
        .text(0x00090010, "LO", "SECRET MAKER");
    const LoadedImage loaded = readFile(dir, file);
    EXPECT_EQ(loaded.info.format, "DICOM");
    EXPECT_EQ(loaded.info.compression, "none");
    EXPECT_EQ(loaded.info.pixelSize, (PixelSize{0.25, 0.5, "mm", "DICOM", false, 0}));
    EXPECT_THAT(loaded.info.facts,
                ElementsAre(Pair("Modality", "CT"), Pair("Photometric interpretation", "MONOCHROME2"),
                            Pair("Axis directions", "x to L, y to P"), Pair("Origin", "-10 20 30"),
                            Pair("Byte order", "little-endian")));
    EXPECT_THAT(loaded.info.notes, IsEmpty());
    EXPECT_THAT(loaded.info.carried, IsEmpty());
    EXPECT_THAT(loaded.info.channels, IsEmpty());
    file.text(0x00181164, "DS", "9\\9");
    EXPECT_EQ(readFile(dir, file).info.pixelSize->x, 0.25) << "not that at the detector";
    file.elements.erase(0x00280030);
    EXPECT_EQ(readFile(dir, file).info.pixelSize->x, 9);
}

TEST(Dicom, RegionsAreThoseOfThePage) {
    const TempDir dir;
    const auto voxels = voxelsOf<std::uint16_t>(60);
    for (const int bits : {16, 15}) { // plain, converted
        DicomFile file = dicomImage(5, 4, 16, false, shortsOf(voxels), 3);
        file.number(0x00280101, bits).number(0x00280102, bits - 1);
        ReadOptions options;
        options.page = 2;
        const LoadedImage page = readFile(dir, file, options);
        options.region = PixelRegion{1, 2, 3, 2};
        const LoadedImage part = readFile(dir, file, options);
        ASSERT_EQ(part.image->width(), 3);
        for (std::uint32_t i = 0; i < 6; ++i) {
            EXPECT_EQ(part.image->level(i), page.image->level((2 + i / 3) * 5 + 1 + i % 3));
        }
    }
}

TEST(Dicom, RefusesWhatItCannotRead) {
    const TempDir dir;
    const auto refuse = [&](const DicomFile& file, ErrorCode code, const char* part) {
        writeBytes(dir / "b.dcm", file.bytes());
        std::string message;
        EXPECT_EQ(readFailure(dir / "b.dcm", {}, &message), code) << message;
        EXPECT_THAT(message, HasSubstr(part));
    };
    const DicomFile good = dicomImage(5, 4, 8, false, std::string(20, '\1'));
    const auto with = [&](const auto& change) {
        DicomFile file = good;
        change(file);
        return file;
    };
    writeBytes(dir / "b.dcm", good.bytes());
    EXPECT_EQ(readFailure(dir / "b.dcm"), std::nullopt);
    const auto unsupported = ErrorCode::formatUnsupported;
    const auto damaged = ErrorCode::fileDamaged;
    refuse(with([](DicomFile& f) { f.syntax = "1.2.840.10008.1.2.2"; }), unsupported, "big-endian");
    refuse(with([](DicomFile& f) { f.syntax = "1.2.840.10008.1.2.1.99"; }), unsupported, "deflated");
    refuse(with([](DicomFile& f) { f.syntax = ""; }), damaged, "transfer syntax is not stated");
    refuse(with([](DicomFile& f) { f.syntax = "1.2.840.10008.1.2.4.70"; }), damaged, "not in fragments");
    refuse(with([](DicomFile& f) { f.fragments({"xxxx"}); }), damaged, "without compression");
    refuse(with([](DicomFile& f) { f.fragments({"xxxx"}).syntax = "1.2.840.10008.1.2.4.100"; }), unsupported,
           "1.2.840.10008.1.2.4.100");
    refuse(with([](DicomFile& f) { f.elements.erase(0x7fe00010); }), unsupported, "no image");
    refuse(with([](DicomFile& f) { f.number(0x00280010, 0); }), damaged, "5 x 0");
    refuse(with([](DicomFile& f) { f.number(0x00280011, 6); }), damaged, "cut off");
    refuse(with([](DicomFile& f) {
               f.number(0x00280011, 3).text(0x7fe00010, "OB", "1234").text(0x7fe10010, "OB", std::string(30, 'x'));
           }),
           damaged, "have 4 bytes where 12 are needed");
    refuse(with([](DicomFile& f) { f.text(0x00280008, "IS", "2000000000"); }), damaged, "cut off");
    refuse(with([](DicomFile& f) { f.text(0x00280008, "IS", "-1"); }), damaged, "frames is -1");
    refuse(with([](DicomFile& f) { f.number(0x00280100, 1); }), unsupported, "1-bit");
    refuse(with([](DicomFile& f) { f.number(0x00280100, 12); }), unsupported, "12-bit");
    refuse(with([](DicomFile& f) { f.number(0x00280101, 9); }), damaged, "9 bits up to bit 7 of 8");
    refuse(with([](DicomFile& f) { f.number(0x00280102, 3); }), damaged, "8 bits up to bit 3 of 8");
    refuse(with([](DicomFile& f) { f.number(0x00280002, 4); }), unsupported, "4 samples");
    refuse(with([](DicomFile& f) { f.number(0x00280002, 3).text(0x00280004, "CS", "YBR_FULL_422"); }), unsupported,
           "YBR_FULL_422");
    refuse(with([](DicomFile& f) { f.text(0x00280004, "CS", "PALETTE COLOR"); }), unsupported, "palette");
    refuse(with([](DicomFile& f) {
               const std::string place = f.group(0x00209113, f.inner(0x00200032, "DS", "1\\1\\1"));
               f.sequence(0x52009230, {place, place});
           }),
           damaged, "more frames are described");
    ReadOptions second;
    second.page = 1;
    writeBytes(dir / "b.dcm", good.bytes());
    EXPECT_EQ(readFailure(dir / "b.dcm", second), ErrorCode::invalidArgument);
    ReadOptions small;
    small.limits.maxDecodedBytes = 10;
    EXPECT_EQ(readFailure(dir / "b.dcm", small), ErrorCode::limitExceeded);
}

TEST(Dicom, NestedSequencesTakeNoStack) {
    const TempDir dir;
    const std::string start = DicomFile{}.bytes();
    const std::string open = std::string(4, '\xff');
    const std::string item = dicomTag(0xfffee000) + open;
    const std::string tag = dicomTag(0x00081140);
    for (const bool implicit : {false, true}) { // the content of UN has no value representations
        std::string deep = start + tag + (implicit ? "UN" : "SQ") + std::string(2, '\0') + open + item;
        for (int i = 0; i < 200000; ++i) {
            deep += tag + (implicit ? std::string() : "SQ" + std::string(2, '\0')) + open + item;
        }
        writeBytes(dir / "deep.dcm", deep);
        std::string message;
        EXPECT_EQ(readFailure(dir / "deep.dcm", {}, &message), ErrorCode::limitExceeded);
        EXPECT_THAT(message, HasSubstr("nested"));
    }
    // An image after sequences of all kinds, with a thumbnail in fragments.
    DicomFile file = dicomImage(2, 1, 8, false, bytesOf({5, 6}));
    file.open = true;
    file.sequence(0x00081140, {file.inner(0x00280010, "US", shortsOf({77})), ""});
    file.sequence(0x00082112, {});
    file.sequence(0x00280000, {dicomElement(0x7fe00010, "OB", dicomItem("") + dicomItem("abcd"), false, true)});
    EXPECT_THAT(levelsOf(*readFile(dir, file).image), ElementsAre(5, 6));
}

TEST(Dicom, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    const std::string data = bytesOfNumbers<std::int16_t>(voxelsOf<std::int16_t>(60));
    DicomFile file = dicomImage(5, 4, 16, true, data, 3);
    expectPrefixesRefused(dir, "a.dcm", file.bytes());
    file.syntax = kImplicitSyntax;
    expectPrefixesRefused(dir, "b.dcm", file.bytes());
    expectPrefixesRefused(dir, "c.dcm", placedFrames({3, 1, 2, 0}, kExplicitSyntax, true).bytes());
    expectPrefixesRefused(dir, "d.dcm", placedFrames({0, 1, 2, 3}, kImplicitSyntax, false).bytes());
}

TEST(Dicom, ContentDecidesNotTheName) {
    const TempDir dir;
    writeBytes(dir / "IM0001", dicomImage(2, 1, 8, false, bytesOf({5, 6})).bytes());
    EXPECT_EQ(readImageInfo(dir / "IM0001").format, "DICOM");
    EXPECT_TRUE(hasDicomMark(dir / "IM0001"));
    writeBytes(dir / "x.dcm", std::string(300, 'x'));
    EXPECT_FALSE(hasDicomMark(dir / "x.dcm"));
    EXPECT_FALSE(hasDicomMark(dir / "none"));
    EXPECT_EQ(readFailure(dir / "x.dcm"), ErrorCode::formatUnknown);
    EXPECT_THAT(readableFormats(), Contains(::testing::Field(&FormatFilter::name, "DICOM")));
    EXPECT_THAT(readableFormats(), Not(IsEmpty()));
}

} // namespace

} // namespace pollard::test
