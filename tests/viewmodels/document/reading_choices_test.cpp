// Limits, ranges of values and raw layouts, with the real readers; a stack of three axes from end to end.
#include "vm/display/value_range_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"
#include "vm/document/raw_view_model.hpp"
#include "vm/document/stack_view_model.hpp"
#include "vm/settings/limits_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "recipe/results/result_file.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <tiffio.h>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using Range = MappingChoice::Range;

class Reading : public ::testing::Test {
protected:
    QTemporaryDir directory;
    QSettings store{directory.filePath("settings.ini"), QSettings::IniFormat};
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    QSignalSpy errors{&document.activity(), &DocumentActivity::errorOccurred};

    [[nodiscard]] QString path(const QString& name) const { return directory.filePath(name); }
    void settled() {
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); }));
        ASSERT_EQ(errors.size(), 0) << document.activity().lastError().toStdString();
    }

    /// Pages of one strip each; the description goes to the first.
    template <class T> void writeStack(const QString& name, std::uint32_t width, std::uint32_t height,
                                       std::uint16_t sampleFormat, const std::vector<std::vector<T>>& pages,
                                       const char* description = nullptr) {
        TIFF* tiff = TIFFOpen(path(name).toUtf8().constData(), "w");
        ASSERT_NE(tiff, nullptr);
        for (std::size_t page = 0; page < pages.size(); ++page) {
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * sizeof(T)));
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, static_cast<int>(sampleFormat));
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
            if (page == 0 && description != nullptr) {
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
            }
            std::vector<T> samples = pages[page];
            TIFFWriteEncodedStrip(tiff, 0, samples.data(), static_cast<tmsize_t>(samples.size() * sizeof(T)));
            TIFFWriteDirectory(tiff);
        }
        TIFFClose(tiff);
    }
};

TEST_F(Reading, LimitsAreRememberedAndClamped) {
    {
        LimitsViewModel limits(store, std::uint64_t{16} << 30U);
        EXPECT_EQ(limits.cacheMib(), 4096) << "a quarter of the memory";
        EXPECT_EQ(limits.mostCacheMib(), 8192);
        QSignalSpy changed(&limits, &LimitsViewModel::changed);
        limits.setMaxMegapixels(100);
        limits.setMaxMegapixels(100);
        EXPECT_EQ(changed.size(), 1);
        limits.setMaxDecodedGib(1.5);
        limits.setMaxExpansion(0);
        EXPECT_EQ(limits.maxExpansion(), LimitsViewModel::kLeastExpansion);
        limits.setMaxDecodedGib(std::numeric_limits<double>::quiet_NaN());
        EXPECT_EQ(limits.maxDecodedGib(), 1.5);
        limits.setCacheMib(1 << 30);
        EXPECT_EQ(limits.cacheMib(), 8192);
        limits.setMemoryGib(-1);
        EXPECT_EQ(limits.memoryBytes(), 0U) << "the free memory";
        limits.setMemoryGib(2.5);
        limits.setAsking(false);
    }
    LimitsViewModel again(store, std::uint64_t{16} << 30U);
    EXPECT_EQ(again.readLimits().maxPixels, 100'000'000U);
    EXPECT_EQ(again.readLimits().maxDecodedBytes, 3U << 29U);
    EXPECT_EQ(again.memoryBytes(), std::uint64_t{5} << 29U);
    EXPECT_FALSE(again.isAsking());
    again.restoreDefaults();
    EXPECT_EQ(again.readLimits().maxPixels, Image::kMaxPixels);
    EXPECT_EQ(again.readLimits().maxDecodedBytes, 0U);
    EXPECT_EQ(again.memoryBytes(), 0U);
    EXPECT_TRUE(again.isAsking());
}

TEST_F(Reading, LimitsRefuseAFile) {
    writeStack<std::uint8_t>("page.tif", 100, 100, SAMPLEFORMAT_UINT, {std::vector<std::uint8_t>(10000, 3)});
    ReadLimits limits;
    limits.maxPixels = 9999;
    document.reading().setReadLimits(limits);
    document.open(path("page.tif"));
    ASSERT_TRUE(eventually([&] { return errors.size() == 1; }));
    EXPECT_TRUE(document.activity().lastError().contains("page.tif"));
    limits.maxPixels = 10000;
    document.reading().setReadLimits(limits);
    errors.clear();
    document.open(path("page.tif"));
    settled();
    EXPECT_TRUE(document.hasImage());
}

TEST_F(Reading, SavedResultsHaveTheirPixelsWithoutData) {
    std::vector<float> values(std::size_t{40} * 30);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 7 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i % 50) * 0.5F;
    }
    writeStack<float>("holes.tif", 40, 30, SAMPLEFORMAT_IEEEFP, {values, values});
    document.open(path("holes.tif"));
    settled();
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveFiltered(path("one.tif"));
    ASSERT_TRUE(eventually([&] { return saved.size() == 1; }));
    document.saving().saveAllPages(path("all.tif"), document.pageFilter());
    ASSERT_TRUE(eventually([&] { return saved.size() == 2; }));
    const LoadedImage source = readImage(path("holes.tif").toStdString());
    for (const char* name : {"one.tif", "all.tif"}) {
        const LoadedImage result = readImage(path(name).toStdString());
        ASSERT_TRUE(result.valid) << name;
        EXPECT_EQ(*result.valid, *source.valid) << name;
    }
}

TEST_F(Reading, ARangeOfValuesIsShownAndChosen) {
    std::vector<float> first(64);
    for (std::size_t i = 0; i < first.size(); ++i) {
        first[i] = static_cast<float>(i) / 10 - 2;
    }
    first[5] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> second(64, 3.F);
    second[0] = 100;
    writeStack<float>("values.tif", 8, 8, SAMPLEFORMAT_IEEEFP, {first, second});
    ValueRangeViewModel range(document);
    ProbeViewModel probe(document);
    EXPECT_FALSE(range.isAvailable());
    document.open(path("values.tif"));
    settled();
    ASSERT_TRUE(range.isAvailable());
    EXPECT_EQ(range.range(), Range::automatic);
    EXPECT_NEAR(range.low(), -2, 1e-5);
    EXPECT_NEAR(range.high(), 4.3, 1e-5);
    EXPECT_FALSE(range.isEditable());
    EXPECT_TRUE(range.gapsText().contains("NaN")) << range.gapsText().toStdString();
    probe.setPosition({5.5, 0.5});
    EXPECT_FALSE(probe.hasData());
    probe.setPosition({6.5, 0.5});
    EXPECT_TRUE(probe.hasData());
    EXPECT_EQ(range.valueText(0), ValueRangeViewModel::numberText(-2));

    range.setRange(Range::fixed);
    settled();
    EXPECT_TRUE(range.isEditable());
    range.setNumbers(0, 1);
    settled();
    EXPECT_EQ(range.low(), 0);
    EXPECT_EQ(range.high(), 1);
    EXPECT_EQ(document.image()->level(0), 0);
    EXPECT_EQ(document.image()->level(63), 65535);
    EXPECT_TRUE(range.gapsText().contains("clipped"));
    range.setNumbers(5, 5); // an empty range
    settled();
    EXPECT_EQ(range.high(), 1);

    range.setRange(Range::minMax);
    settled();
    EXPECT_TRUE(range.canFix());
    range.fixForAllPages();
    settled();
    EXPECT_EQ(range.range(), Range::fixed);
    EXPECT_FALSE(range.canFix());
    document.reading().setPage(1);
    settled();
    EXPECT_NEAR(range.high(), 4.3, 1e-5) << "the same on every page";
    EXPECT_EQ(document.imageInfo()->mapping->clipped, 1U);
}

TEST_F(Reading, PercentilesArePercentOfThePixels) {
    std::vector<float> values(101);
    std::iota(values.begin(), values.end(), 0.0F);
    writeStack<float>("values.tif", 101, 1, SAMPLEFORMAT_IEEEFP, {values});
    ValueRangeViewModel range(document);
    document.open(path("values.tif"));
    settled();
    range.setRange(Range::percentile);
    settled();
    range.setNumbers(10, 90);
    settled();
    EXPECT_NEAR(range.low(), 10, 1e-9);
    EXPECT_NEAR(range.high(), 90, 1e-9);
    const auto mapping = document.imageInfo()->mapping;
    EXPECT_NEAR(mapping->valueOf(0), 10, 1);
    EXPECT_NEAR(mapping->valueOf(65535), 90, 1);
    range.setNumbers(-5, 250);
    settled();
    EXPECT_EQ(range.low(), 0);
    EXPECT_EQ(range.high(), 100);
}

TEST_F(Reading, PagesOfAFileThatWasReplacedAreReadAgain) {
    const auto write = [this](std::uint8_t level) {
        writeStack<std::uint8_t>("stack.tif", 4, 3, SAMPLEFORMAT_UINT,
                                 {std::vector<std::uint8_t>(12, level), std::vector<std::uint8_t>(12, 99)});
    };
    write(7);
    document.reading().setCacheBudget(std::uint64_t{1} << 28U);
    document.open(path("stack.tif"));
    settled();
    document.reading().setPage(1);
    settled();
    ASSERT_EQ(document.reading().cachedPages(), 1);
    write(8); // as many bytes
    std::filesystem::last_write_time(path("stack.tif").toStdString(),
                                     std::filesystem::last_write_time(path("stack.tif").toStdString()) +
                                         std::chrono::seconds(2));
    document.reading().setPage(0);
    settled();
    EXPECT_EQ(document.image()->level(0), 8);
}

TEST_F(Reading, RawLayoutsAreGuessedCheckedAndRemembered) {
    QFile file(path("dump.bin"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QByteArray bytes(512 * 512 * 2, '\0');
    for (int i = 0; i < 512 * 512; ++i) {
        bytes[2 * i] = static_cast<char>(i % 251);
    }
    file.write(bytes);
    file.close();

    document.open(path("dump.bin"));
    QString unknown;
    QObject::connect(&document.activity(), &DocumentActivity::errorOccurred, &document,
                     [&] { unknown = document.activity().unknownFormatPath(); });
    ASSERT_TRUE(eventually([&] { return errors.size() == 1; }));
    EXPECT_EQ(unknown, path("dump.bin"));
    EXPECT_TRUE(document.activity().unknownFormatPath().isEmpty());
    errors.clear();

    RawViewModel raw(path("dump.bin"), store);
    ASSERT_FALSE(raw.guesses().empty());
    EXPECT_EQ(raw.guess(), 0);
    EXPECT_EQ(raw.guessTexts().size(), static_cast<qsizetype>(raw.guesses().size()));
    RawLayout layout;
    layout.width = layout.height = 512;
    raw.setLayout(layout);
    EXPECT_TRUE(raw.isPossible());
    EXPECT_TRUE(raw.checkText().contains("exactly"));
    layout.offset = 2;
    raw.setLayout(layout);
    EXPECT_FALSE(raw.isPossible());
    EXPECT_FALSE(raw.preview());
    layout.offset = 0;
    layout.height = 100;
    layout.pages = 2;
    raw.setLayout(layout);
    EXPECT_TRUE(raw.isPossible());
    EXPECT_EQ(raw.guess(), -1);
    raw.remember();
    const RawViewModel next(path("dump.bin"), store);
    EXPECT_EQ(next.layout(), layout);

    ReadOptions options;
    options.raw = layout;
    ASSERT_TRUE(eventually([&] { return raw.preview() && raw.preview()->width() == 171; }))
        << raw.previewProblem().toStdString();
    OpenRequest request;
    request.path = path("dump.bin");
    request.raw = layout;
    document.openAs(request);
    settled();
    EXPECT_EQ(document.image()->height(), 100U);
    EXPECT_EQ(document.pageCount(), 2);
    EXPECT_EQ(document.image()->level(5), 5);
}

TEST_F(Reading, PartsAndSmallerVersionsAreSaidInTheTitle) {
    std::vector<std::uint8_t> pixels(40 * 30);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = static_cast<std::uint8_t>(i % 40);
    }
    writeStack<std::uint8_t>("page.tif", 40, 30, SAMPLEFORMAT_UINT, {pixels});
    document.open(path("page.tif"));
    settled();
    EXPECT_EQ(document.title(), "page.tif");
    document.reading().setReadRegion(PixelRegion{10, 5, 20, 8});
    settled();
    EXPECT_EQ(document.image()->width(), 20U);
    EXPECT_EQ(document.image()->level(0), 10);
    EXPECT_TRUE(document.title().contains("20 × 8 px at 10, 5"));
    document.reading().setShrink(2);
    settled();
    EXPECT_EQ(document.image()->width(), 10U);
    EXPECT_TRUE(document.title().contains("shrunk by 2"));
    document.reading().setShrink(1);
    document.reading().setReadRegion(std::nullopt);
    settled();
    EXPECT_EQ(document.image()->width(), 40U);
    EXPECT_EQ(document.title(), "page.tif");
}

TEST_F(Reading, AnOmeStackIsFilteredPageByPage) {
    constexpr const char* kOme =
        R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">)"
        R"(<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint16" SizeX="24" SizeY="18" )"
        R"(SizeC="2" SizeZ="3" SizeT="2" PhysicalSizeX="0.25" PhysicalSizeXUnit="µm" PhysicalSizeY="0.25" )"
        R"(PhysicalSizeYUnit="µm"><Channel ID="Channel:0:0" Name="DAPI"/><Channel ID="Channel:0:1" Name="GFP"/>)"
        R"(<TiffData/></Pixels></Image></OME>)";
    testing::Random random(31);
    std::vector<std::vector<std::uint16_t>> pages(12, std::vector<std::uint16_t>(24 * 18));
    for (auto& page : pages) {
        for (std::uint16_t& pixel : page) {
            pixel = static_cast<std::uint16_t>(random() % 6 * 1000);
        }
    }
    writeStack<std::uint16_t>("stack.ome.tif", 24, 18, SAMPLEFORMAT_UINT, pages, kOme);
    StackViewModel stack(document);
    document.reading().setCacheBudget(std::uint64_t{1} << 28U);
    OpenRequest pagewise;
    pagewise.path = path("stack.ome.tif");
    pagewise.slices = Slices::pages;
    document.openAs(pagewise);
    settled();
    ASSERT_EQ(stack.axisCount(), 3);
    EXPECT_EQ(stack.size(0), 2);
    EXPECT_EQ(stack.size(1), 3);
    EXPECT_EQ(stack.size(2), 2);
    EXPECT_EQ(stack.label(0), "DAPI");
    ASSERT_TRUE(document.pixelSizes().present());
    EXPECT_DOUBLE_EQ(document.pixelSizes().present()->x, 0.25);
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 4}};
    document.requestFilter(spec);
    settled();
    stack.setPosition(1, 2);
    settled();
    stack.setPosition(2, 1);
    settled();
    EXPECT_EQ(document.page(), 2 * 2 + 6);
    EXPECT_EQ(document.resultSpec(), spec) << "another page keeps the criteria";
    EXPECT_EQ(document.reading().cachedPages(), 2);

    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveAllPages(path("all.tif"), document.pageFilter());
    ASSERT_TRUE(eventually([&] { return saved.size() == 1 || errors.size() == 1; }));
    ASSERT_EQ(errors.size(), 0) << document.activity().lastError().toStdString();
    for (int page = 0; page < 12; ++page) {
        ReadOptions options;
        options.page = page;
        const LoadedImage written = readImage(path("all.tif").toStdString(), options);
        ASSERT_EQ(written.info.pages, 12);
        const LoadedImage source = readImage(path("stack.ome.tif").toStdString(), options);
        ASSERT_EQ(written.info.axes, source.info.axes);
        ASSERT_EQ(written.info.pixelSize, (PixelSize{0.25, 0.25, "µm", "ImageJ"}));
        auto session = registry.select("cpu").openSession();
        session->open(source.image);
        session->buildTree({});
        Image expected(PixelType::u16, 24, 18);
        session->filter(spec, expected);
        for (std::size_t p = 0; p < expected.pixelCount(); ++p) {
            ASSERT_EQ(written.image->level(p), expected.level(p)) << "page " << page;
        }
    }
}

TEST_F(Reading, ASavedResultHasTheSizeAndChannelOfItsPage) {
    constexpr const char* kOme =
        R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">)"
        R"(<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint8" SizeX="24" SizeY="18" )"
        R"(SizeC="2" SizeZ="1" SizeT="1" PhysicalSizeX="100" PhysicalSizeY="100" PhysicalSizeZ="0.5">)"
        R"(<Channel ID="Channel:0:0" Name="DAPI"/><Channel ID="Channel:0:1" Name="GFP"/>)"
        R"(<TiffData/></Pixels></Image></OME>)";
    const std::vector<std::uint8_t> pixels(24 * 18, 7);
    writeStack<std::uint8_t>("stack.ome.tif", 24, 18, SAMPLEFORMAT_UINT, {pixels, pixels}, kOme);
    StackViewModel stack(document);
    document.open(path("stack.ome.tif"));
    settled();
    stack.setPosition(0, 1);
    settled();
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveFiltered(path("one.tif"));
    ASSERT_TRUE(eventually([&] { return saved.size() == 1 || errors.size() == 1; }));
    const ImageInfo written = readImageInfo(path("one.tif").toStdString());
    EXPECT_EQ(written.pixelSize, (PixelSize{100, 100, "µm", "ImageJ", false, 0.5}));
    EXPECT_THAT(written.facts, ::testing::Contains(::testing::Pair("Channel", "GFP")));
    if (isZarrResult("one.zarr")) {
        document.saving().saveFiltered(path("one.zarr"));
        ASSERT_TRUE(eventually([&] { return saved.size() == 2 || errors.size() == 1; }));
        const LoadedImage zarr = readImage(path("one.zarr").toStdString());
        for (std::size_t i = 0; i < zarr.image->pixelCount(); ++i) {
            ASSERT_EQ(zarr.image->level(i), 7) << i;
        }
        EXPECT_EQ(zarr.info.channels.at(0).name, "GFP");
        EXPECT_EQ(zarr.info.pixelSize->x, 100);
    }
}

} // namespace
} // namespace pollard::vm
