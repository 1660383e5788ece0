#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "core/io/volumes/dicom_files.hpp"
#include "io/channels.hpp"
#include "io/region_source.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstdint>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard::test {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// GDAL's items for a sample.
std::string itemsOf(int sample, const std::string& scale, const std::string& offset, const std::string& unit) {
    const auto item = [&](const char* role, const std::string& text) {
        return text.empty() ? std::string()
                            : "<Item name=\"" + std::string(role) + "\" sample=\"" + std::to_string(sample) +
                                  "\" role=\"" + role + "\">" + text + "</Item>";
    };
    return item("scale", scale) + item("offset", offset) + item("unittype", unit);
}

std::vector<double> valuesOf(const Image& image, const std::optional<ValueMapping>& mapping) {
    std::vector<double> values;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        values.push_back(valueOf(mapping, image.level(i)));
    }
    return values;
}
std::vector<double> valuesOf(const LoadedImage& loaded) { return valuesOf(*loaded.image, loaded.info.mapping); }

std::vector<double> samplesOf(const LoadedImage& loaded) {
    std::vector<double> samples;
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        const ValueMapping& mapping = *loaded.info.mapping;
        samples.push_back(numberOfSample(mapping.file.type, mapping.sampleOf(loaded.image->level(i))));
    }
    return samples;
}

template <class T> std::string bytesOfAll(const std::vector<T>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

ReadOptions withRange(double low, double high) {
    ReadOptions options;
    options.mapping = {MappingChoice::Range::fixed, low, high};
    return options;
}

} // namespace

TEST(FileCalibration, ScaleOffsetAndUnitOfGdalMakeTheValues) {
    const TempDir dir;
    TiffVariant v{.width = 3, .height = 1, .metadata = itemsOf(0, "0.5", "-10", "mm")};
    writeVariant(dir / "u8.tif", v, {{0, 7, 255}});
    const LoadedImage bytes = readImage(dir / "u8.tif");
    EXPECT_THAT(valuesOf(bytes), ElementsAre(-10, -6.5, 117.5));
    EXPECT_THAT(levelsOf(*bytes.image), ElementsAre(0, 7, 255));
    EXPECT_EQ(bytes.info.mapping->unit, "mm");

    v.bits = 16;
    v.metadata = itemsOf(0, "-2", "1", "");
    writeVariant(dir / "u16.tif", v, {{0, 7, 65535}});
    const LoadedImage turned = readImage(dir / "u16.tif");
    EXPECT_THAT(levelsOf(*turned.image), ElementsAre(65535, 65528, 0));
    EXPECT_THAT(valuesOf(turned), ElementsAre(1, -13, -131069));
    EXPECT_THAT(samplesOf(turned), ElementsAre(0, 7, 65535));

    v.sampleFormat = SAMPLEFORMAT_INT;
    v.metadata = itemsOf(0, "0.01", "273.15", "K");
    writeBytesVariant(dir / "i16.tif", v, bytesOfAll<std::int16_t>({-100, 0, 250}));
    const LoadedImage signedShorts = readImage(dir / "i16.tif");
    EXPECT_THAT(valuesOf(signedShorts), ElementsAre(testing::DoubleEq(272.15), testing::DoubleNear(273.15, 1e-10),
                                                    testing::DoubleNear(275.65, 1e-10)));
    EXPECT_EQ(signedShorts.info.mapping->unit, "K");

    v.metadata = "<Item name=\"SCALE\" sample=\"1\" role=\"scale\">2</Item>";
    v.sampleFormat = SAMPLEFORMAT_UINT;
    writeVariant(dir / "other.tif", v, {{0, 7, 9}});
    EXPECT_FALSE(readImage(dir / "other.tif").info.mapping) << "of a sample that does not exist";
}

TEST(FileCalibration, FactsRegionsAndChannelsHaveTheSameMapping) {
    const TempDir dir;
    const TiffVariant v{.width = 4,
                        .height = 4,
                        .samples = 2,
                        .tile = 16,
                        .extraSamples = {EXTRASAMPLE_UNSPECIFIED},
                        .metadata = itemsOf(0, "2", "5", "a") + itemsOf(1, "-1", "9", "b")};
    std::vector<std::uint16_t> samples(32);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = static_cast<std::uint16_t>(i);
    }
    writeVariant(dir / "a.tif", v, {samples});
    for (const int sample : {0, 1}) {
        const ReadOptions options = withChannel(sample);
        const LoadedImage whole = readImage(dir / "a.tif", options);
        EXPECT_EQ(valuesOf(whole)[3], sample == 0 ? 2 * 6 + 5 : 9 - 7);
        const ImageInfo info = readImageInfo(dir / "a.tif", options);
        ASSERT_TRUE(info.mapping);
        EXPECT_EQ(info.mapping->offset, whole.info.mapping->offset);
        EXPECT_EQ(info.mapping->step, whole.info.mapping->step);
        EXPECT_EQ(info.mapping->unit, sample == 0 ? "a" : "b");
        EXPECT_EQ(info.mapping->file, whole.info.mapping->file);
        const auto regions = openRegions(dir / "a.tif", options);
        regions->prepare();
        const LoadedImage box = regions->read({3, 0, 1, 1});
        EXPECT_EQ(valuesOf(box)[0], valuesOf(whole)[3]);
        EXPECT_EQ(box.image->level(0), whole.image->level(3));
        EXPECT_EQ(regions->info().mapping->offset, whole.info.mapping->offset);
        const ChannelImage channels = readChannels(dir / "a.tif", {}, {});
        ASSERT_EQ(channels.planes.size(), 2U);
        const ChannelPlane& plane = channels.planes[static_cast<std::size_t>(sample)];
        EXPECT_EQ(valuesOf(*plane.image, plane.mapping), valuesOf(whole));
    }
}

TEST(FileCalibration, TheRangeIsGivenInValues) {
    const TempDir dir;
    TiffVariant v{.width = 3, .height = 1, .bits = 32, .sampleFormat = SAMPLEFORMAT_IEEEFP};
    for (const double slope : {2.0, -2.0}) {
        v.metadata = itemsOf(0, slope > 0 ? "2" : "-2", "10", "");
        writeBytesVariant(dir / "f.tif", v, bytesOfAll<float>({0, 5, 1000}));
        const LoadedImage loaded = readImage(dir / "f.tif", withRange(slope > 0 ? 10 : 0, slope > 0 ? 20 : 10));
        EXPECT_EQ(levelsOf(*loaded.image),
                  (slope > 0 ? std::vector<std::uint16_t>{0, 65535, 65535} : std::vector<std::uint16_t>{65535, 0, 0}));
        EXPECT_NEAR(valuesOf(loaded)[1], 10 + 5 * slope, 1e-9);
        EXPECT_EQ(loaded.info.mapping->clipped, 1U);
    }
}

TEST(FileCalibration, OnlyStraightLinesOfImageJAreApplied) {
    const TempDir dir;
    const auto read = [&](const std::string& lines, int bits) {
        const TiffVariant v{.width = 2, .height = 1, .bits = bits, .description = "ImageJ=1.53t\n" + lines};
        writeVariant(dir / "j.tif", v, {{1, 200}});
        return readImage(dir / "j.tif");
    };
    const LoadedImage line = read("cf=0\nc0=-5.0\nc1=0.25\nvunit=OD\n", 8);
    EXPECT_THAT(valuesOf(line), ElementsAre(-4.75, 45));
    EXPECT_EQ(line.info.mapping->unit, "OD");
    const LoadedImage held = read("cf=0\nc0=-32768.0\nc1=1.0\nvunit=Gray Value\n", 16);
    EXPECT_THAT(valuesOf(held), ElementsAre(-32767, -32568)) << "as ImageJ saves signed samples";
    EXPECT_EQ(held.info.mapping->unit, "");
    EXPECT_EQ(read("cf=0\nc0=0.0\nc1=2.0\nvunit=\\u00B5m\n", 8).info.mapping->unit, "µm");
    for (const char* function : {"cf=1\nc0=1\nc1=2\nc2=3\n", "cf=21\nvunit=Uncalibrated OD\n"}) {
        const LoadedImage other = read(function, 8);
        EXPECT_FALSE(other.info.mapping) << function;
        EXPECT_THAT(other.info.notes, Contains(HasSubstr("of ImageJ"))) << function;
    }
    EXPECT_FALSE(read("min=0\nmax=255\n", 8).info.mapping);
    EXPECT_FALSE(read("cf=20\nc0=-5.0\nc1=0.25\n", 8).info.mapping) << "20 is no function";
}

TEST(FileCalibration, AStackHasItOnEveryPage) {
    const TempDir dir;
    const TiffVariant v{
        .width = 2, .height = 1, .description = "ImageJ=1.53t\nimages=2\nslices=2\ncf=0\nc0=1\nc1=10\nvunit=s\n"};
    writeVariant(dir / "s.tif", v, {{1, 2}, {3, 4}});
    ReadOptions second;
    second.page = 1;
    EXPECT_THAT(valuesOf(readImage(dir / "s.tif", second)), ElementsAre(31, 41));
    const LoadedImage volume = readVolume(dir / "s.tif", {});
    EXPECT_THAT(valuesOf(volume), ElementsAre(11, 21, 31, 41));
    EXPECT_EQ(volume.info.mapping->unit, "s");
    EXPECT_EQ(volume.info.mapping->minimum, 11);
    EXPECT_EQ(volume.info.mapping->maximum, 41);
}

TEST(FileCalibration, DicomStatesItsUnit) {
    const TempDir dir;
    const auto unitOf = [&](const DicomFile& file) {
        writeBytes(dir / "a.dcm", file.bytes());
        const LoadedImage loaded = readImage(dir / "a.dcm");
        EXPECT_EQ(pollard::unitOf(readImageInfo(dir / "a.dcm").mapping), pollard::unitOf(loaded.info.mapping));
        return pollard::unitOf(loaded.info.mapping);
    };
    DicomFile file = dicomImage(2, 1, 16, false, bytesOfAll<std::uint16_t>({0, 1064}));
    EXPECT_EQ(unitOf(file), "");
    file.text(0x00080060, "CS", "CT").text(0x00281052, "DS", "-1024").text(0x00281053, "DS", "1");
    EXPECT_EQ(unitOf(file), "HU") << "other units of a CT have to be stated";
    file.text(0x00281054, "LO", "US");
    EXPECT_EQ(unitOf(file), "") << "unspecified";
    file.text(0x00281054, "LO", "MGML");
    EXPECT_EQ(unitOf(file), "MGML");
    file.text(0x00080060, "CS", "PT").text(0x00541001, "CS", "BQML");
    EXPECT_EQ(unitOf(file), "Bq/ml");
}

TEST(NoDataOfFiles, PaddingOfDicomIsNoData) {
    const TempDir dir;
    const auto validOf = [&](const DicomFile& file) {
        writeBytes(dir / "a.dcm", file.bytes());
        const LoadedImage loaded = readImage(dir / "a.dcm");
        std::vector<bool> valid;
        for (std::uint32_t x = 0; x < loaded.image->width(); ++x) {
            valid.push_back(!loaded.valid || loaded.valid->test(x, 0));
        }
        return valid;
    };
    DicomFile file = dicomImage(4, 1, 16, true, bytesOfAll<std::int16_t>({-2000, -1500, -1000, 40}));
    EXPECT_THAT(validOf(file), ElementsAre(true, true, true, true));
    file.number(0x00280120, -2000);
    EXPECT_THAT(validOf(file), ElementsAre(false, true, true, true));
    file.number(0x00280121, -1500);
    EXPECT_THAT(validOf(file), ElementsAre(false, false, true, true));
    file.number(0x00280120, -1500).number(0x00280121, -2000);
    EXPECT_THAT(validOf(file), ElementsAre(false, false, true, true)) << "the ends stand in any order";
    file.text(0x00281052, "DS", "-24").text(0x00281053, "DS", "2");
    EXPECT_THAT(validOf(file), ElementsAre(false, false, true, true)) << "of samples, not values";
    EXPECT_EQ(readImage(dir / "a.dcm").info.mapping->minimum, -2024);

    DicomFile inverted = dicomImage(3, 1, 8, false, bytesOfAll<std::uint8_t>({0, 7, 200}));
    inverted.text(0x00280004, "CS", "MONOCHROME1").number(0x00280120, 7);
    EXPECT_THAT(validOf(inverted), ElementsAre(true, false, true));
}

TEST(NoDataOfFiles, PaddingOfDicomIsOutsideTheRange) {
    const TempDir dir;
    const auto read = [&](const DicomFile& file) {
        writeBytes(dir / "a.dcm", file.bytes());
        return readImage(dir / "a.dcm");
    };
    std::vector<std::int32_t> wide(300, -2000);
    std::vector<float> reals(300, -9999.5F);
    for (int i = 1; i < 200; ++i) {
        wide[static_cast<std::size_t>(i)] = 70'000 + i * i;
        reals[static_cast<std::size_t>(i)] = 1 + static_cast<float>(i) / 8;
    }
    DicomFile file = dicomImage(300, 1, 32, true, bytesOfAll(wide));
    file.number(0x00280120, -2000);
    LoadedImage loaded = read(file);
    EXPECT_EQ(loaded.info.invalidPixels, 101U);
    EXPECT_EQ(loaded.info.mapping->minimum, 70'001);
    EXPECT_EQ(loaded.info.mapping->valueOf(0), 70'001) << "levels begin with the smallest value with data";

    std::string mark(sizeof(float), '\0');
    std::memcpy(mark.data(), reals.data(), sizeof(float));
    file = dicomImage(300, 1, 32, false, "");
    file.elements.erase(0x7fe00010);
    file.text(0x00280122, "FL", mark).text(0x7fe00008, "OF", bytesOfAll(reals));
    loaded = read(file);
    EXPECT_EQ(loaded.info.invalidPixels, 101U);
    EXPECT_EQ(loaded.info.mapping->minimum, 1.125);
    EXPECT_EQ(loaded.info.mapping->valueOf(0), 1.125);
    float limit = 1.25F;
    std::memcpy(mark.data(), &limit, sizeof limit);
    file.text(0x00280124, "FL", mark);
    EXPECT_EQ(read(file).info.mapping->valueOf(0), 1.375) << "the limit is one of the marks";
}

TEST(NoDataOfFiles, WholeNumbersOf64BitsAreExact) {
    const TempDir dir;
    const TiffVariant v{
        .width = 3, .height = 1, .bits = 64, .sampleFormat = SAMPLEFORMAT_INT, .noData = "9007199254740993"};
    writeBytesVariant(dir / "i.tif", v,
                      bytesOfAll<std::int64_t>({9007199254740992, 9007199254740993, 9007199254740994}));
    const LoadedImage loaded = readImage(dir / "i.tif");
    ASSERT_TRUE(loaded.valid);
    EXPECT_EQ(loaded.info.invalidPixels, 1U);
    EXPECT_FALSE(loaded.valid->test(1, 0));
}

TEST(NoDataOfFiles, FloatsHaveTheToleranceOfGdal) {
    const TempDir dir;
    TiffVariant v{.width = 3, .height = 1, .bits = 32, .sampleFormat = SAMPLEFORMAT_IEEEFP, .noData = "-9999.9"};
    writeBytesVariant(dir / "f.tif", v, bytesOfAll<float>({-9999.9F, -9999.901F, 1}));
    EXPECT_EQ(readImage(dir / "f.tif").info.invalidPixels, 2U);
    v.noData = "-3.4e+38";
    writeBytesVariant(dir / "f.tif", v, bytesOfAll<float>({-3.4028235e38F, -3.4e38F, 1}));
    EXPECT_EQ(readImage(dir / "f.tif").info.invalidPixels, 2U);
}

TEST(UnusedAlpha, IsIgnoredWhereItIsZeroEverywhere) {
    const TempDir dir;
    TiffVariant v{.width = 2, .height = 2, .samples = 2, .extraSamples = {EXTRASAMPLE_UNASSALPHA}};
    for (const bool separate : {false, true}) {
        v.separate = separate;
        writeVariant(dir / "a.tif", v, {{5, 0, 6, 0, 7, 0, 8, 0}});
        const LoadedImage loaded = readImage(dir / "a.tif");
        EXPECT_FALSE(loaded.valid);
        EXPECT_THAT(levelsOf(*loaded.image), ElementsAre(5, 6, 7, 8));
        EXPECT_THAT(loaded.info.notes, Contains(HasSubstr("alpha is 0 everywhere")));
        const auto regions = openRegions(dir / "a.tif");
        regions->prepare();
        EXPECT_FALSE(regions->validLevels());
        EXPECT_FALSE(regions->read({0, 0, 1, 1}).valid);
        EXPECT_THAT(regions->info().notes, Contains(HasSubstr("alpha is 0 everywhere")));
        const auto others = openRegions(dir / "a.tif");
        others->prepareBy(regions->facts());
        EXPECT_FALSE(others->read({1, 1, 1, 1}).valid);
    }
}

TEST(UnusedAlpha, IsIgnoredOnRequest) {
    const TempDir dir;
    const TiffVariant v{.width = 2, .height = 1, .samples = 2, .extraSamples = {EXTRASAMPLE_UNASSALPHA}};
    writeVariant(dir / "a.tif", v, {{5, 0, 6, 255}});
    ReadOptions options;
    EXPECT_EQ(readImage(dir / "a.tif", options).info.invalidPixels, 1U);
    options.region = PixelRegion{0, 0, 1, 1};
    EXPECT_EQ(readImage(dir / "a.tif", options).info.invalidPixels, 1U) << "only a part is looked at";
    options.region.reset();
    options.ignoreAlpha = true;
    const LoadedImage loaded = readImage(dir / "a.tif", options);
    EXPECT_FALSE(loaded.valid);
    EXPECT_THAT(loaded.info.notes, Contains("alpha ignored"));
}

} // namespace pollard::test
