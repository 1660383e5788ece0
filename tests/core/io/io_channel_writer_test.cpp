#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <sys/resource.h>
#include <tiffio.h>

namespace pollard::test {

namespace {

using Images = std::vector<std::shared_ptr<const Image>>;

Images makePlanes(int count, PixelType type, std::uint32_t width, std::uint32_t height) {
    Images planes;
    for (int i = 0; i < count; ++i) {
        auto image = std::make_shared<Image>(type, width, height);
        const auto levels = testSamples(image->pixelCount(), bitsOf(type), static_cast<std::uint32_t>(i) + 1);
        dispatch(type, [&]<class T>(T) {
            std::ranges::transform(levels, image->pixels<T>().begin(),
                                   [](auto level) { return static_cast<T>(level); });
        });
        planes.push_back(std::move(image));
    }
    return planes;
}

Planes::Make sourceOf(const Images& planes, const PlaneFacts& facts = {}) {
    return [&planes, facts](int plane, const JobControl&) {
        return Plane{ownedRows(planes.at(static_cast<std::size_t>(plane))), facts};
    };
}

void write(const std::filesystem::path& path, const Images& planes, const SampleLayout& layout,
           const PlaneFacts& facts = {}) {
    writeTiff(path, {static_cast<int>(planes.size()), sourceOf(planes, facts)}, {.samples = layout});
}

/// Tags of the first page.
struct Stored {
    std::uint16_t samples = 0;
    std::uint16_t planar = 0;
    std::uint16_t photometric = 0;
    std::uint16_t predictor = 0;
    std::vector<std::uint16_t> extra;
    std::string description;

    explicit Stored(const std::filesystem::path& path) {
        const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen(path.c_str(), "r"), TIFFClose);
        if (!tiff) {
            ADD_FAILURE() << path;
            return;
        }
        TIFFGetField(tiff.get(), TIFFTAG_SAMPLESPERPIXEL, &samples);
        TIFFGetField(tiff.get(), TIFFTAG_PLANARCONFIG, &planar);
        TIFFGetField(tiff.get(), TIFFTAG_PHOTOMETRIC, &photometric);
        TIFFGetField(tiff.get(), TIFFTAG_PREDICTOR, &predictor);
        std::uint16_t count = 0;
        const std::uint16_t* kinds = nullptr;
        if (TIFFGetField(tiff.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1) {
            extra.assign(kinds, kinds + count);
        }
        const char* text = nullptr;
        if (TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 1) {
            description = text;
        }
    }
};

TEST(ChannelWriter, RoundTripsSamplesPlanesAndPages) {
    const TempDir dir;
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const int count : {1, 2, 3, 4, 7, 16}) {
            for (const char* kind : {"interleaved", "planar", "pages"}) {
                SCOPED_TRACE(std::to_string(bitsOf(type)) + " bits, " + std::to_string(count) + " " + kind);
                const bool pages = std::string(kind) == "pages";
                const bool planar = std::string(kind) == "planar";
                const Images planes = makePlanes(count, type, 133, 401);
                PlaneFacts facts;
                if (pages) {
                    facts.scene.axes = {{'c', count, {}}};
                }
                write(dir / "out.tif", planes, {.samples = pages ? 1 : count, .planar = planar}, facts);

                const Stored stored(dir / "out.tif");
                EXPECT_EQ(stored.samples, pages ? 1 : count);
                EXPECT_EQ(stored.planar, planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
                EXPECT_EQ(stored.photometric, PHOTOMETRIC_MINISBLACK);
                EXPECT_NE(stored.predictor, PREDICTOR_HORIZONTAL) << "ImageJ undoes the predictor of LZW only";
                EXPECT_EQ(stored.extra.size(), pages ? 0U : static_cast<std::size_t>(count - 1));
                const ChannelImage read = readChannels(dir / "out.tif", {});
                EXPECT_EQ(read.info.compression, "Deflate");
                EXPECT_EQ(read.info.pages, pages ? count : 1);
                ASSERT_EQ(read.planes.size(), planes.size());
                for (std::size_t i = 0; i < planes.size(); ++i) {
                    ASSERT_EQ(read.planes[i].image->type(), type);
                    ASSERT_EQ(levelsOf(*read.planes[i].image), levelsOf(*planes[i])) << i;
                }
            }
        }
    }
    EXPECT_EQ(dir.entries(), 1U);
}

TEST(ChannelWriter, RoundTripsImagesOfOneRowOrColumn) {
    const TempDir dir;
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 300U}, {300U, 1U}}) {
        for (const bool planar : {true, false}) {
            const Images planes = makePlanes(3, PixelType::u16, width, height);
            write(dir / "out.tif", planes, {.samples = 3, .planar = planar});
            const ChannelImage read = readChannels(dir / "out.tif", {});
            for (std::size_t i = 0; i < planes.size(); ++i) {
                ASSERT_EQ(levelsOf(*read.planes.at(i).image), levelsOf(*planes[i])) << width << " x " << height;
            }
        }
    }
}

TEST(ChannelWriter, TellsColoursFromExtraSamples) {
    using enum SampleLayout::Colours;
    const TempDir dir;
    const Images planes = makePlanes(5, PixelType::u8, 20, 20);
    write(dir / "rgb.tif", planes, {.samples = 5, .colours = rgb, .alpha = 4});
    EXPECT_EQ(Stored(dir / "rgb.tif").photometric, PHOTOMETRIC_RGB);
    EXPECT_EQ(Stored(dir / "rgb.tif").extra,
              (std::vector<std::uint16_t>{EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNASSALPHA}));
    write(dir / "premultiplied.tif", planes, {.samples = 5, .colours = rgb, .alpha = 3, .premultiplied = true});
    EXPECT_EQ(Stored(dir / "premultiplied.tif").extra,
              (std::vector<std::uint16_t>{EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNSPECIFIED}));
    write(dir / "cmyk.tif", planes, {.samples = 5, .colours = cmyk});
    EXPECT_EQ(Stored(dir / "cmyk.tif").photometric, PHOTOMETRIC_SEPARATED);
    EXPECT_EQ(Stored(dir / "cmyk.tif").extra, std::vector<std::uint16_t>{EXTRASAMPLE_UNSPECIFIED});
}

TEST(ChannelWriter, LaysOutAsTheFilesItReads) {
    const TempDir dir;
    const Images planes = makePlanes(4, PixelType::u8, 20, 20);
    using enum SampleLayout::Colours;
    const std::vector<SampleLayout> layouts = {
        {.samples = 4},
        {.samples = 4, .planar = true},
        {.samples = 4, .colours = rgb, .alpha = 3},
        {.samples = 4, .colours = rgb, .planar = true, .alpha = 3, .premultiplied = true},
        {.samples = 4, .colours = rgb},
        {.samples = 4, .colours = cmyk},
        {.samples = 1},
    };
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        write(dir / "out.tif", planes, layouts[i]);
        const ImageInfo info = readImageInfo(dir / "out.tif");
        EXPECT_EQ(sampleLayoutOf(dir / "out.tif", {}, info, channelsOf(info)), layouts[i]) << i;
    }
}

TEST(ChannelWriter, LaysOutPalettesAsTheirColours) {
    const TempDir dir;
    TiffVariant variant{.width = 2,
                        .height = 1,
                        .samples = 2,
                        .photometric = PHOTOMETRIC_PALETTE,
                        .extraSamples = {EXTRASAMPLE_UNASSALPHA},
                        .palette = std::vector<std::uint16_t>(3 * 256, 257)};
    writeVariant(dir / "a.tif", variant, {{0, 255, 1, 255}});
    const ImageInfo info = readImageInfo(dir / "a.tif");
    EXPECT_EQ(sampleLayoutOf(dir / "a.tif", {}, info, channelsOf(info)),
              (SampleLayout{.samples = 3, .colours = SampleLayout::Colours::rgb}));
}

/// Channels with names beyond ASCII, colours and windows.
std::vector<Channel> displayedChannels() {
    Channel first{.name = "DAPI é 𝛼",
                  .colour = std::array<std::uint8_t, 3>{0, 17, 255},
                  .wavelength = 0,
                  .window = ChannelWindow{-2.5, 4096.125}};
    Channel second{.name = "GFP",
                   .colour = std::array<std::uint8_t, 3>{0, 255, 0},
                   .wavelength = 0,
                   .window = ChannelWindow{100, 60000}};
    second.page = 1;
    return {first, second};
}

TEST(ChannelWriter, KeepsWindowsColoursAndNamesForImageJ) {
    const TempDir dir;
    const std::vector<Channel> channels = displayedChannels();
    const Images planes = makePlanes(6, PixelType::u16, 12, 9);
    PlaneFacts facts;
    facts.scene.channels = channels;
    facts.scene.pixelSize = PixelSize{0.325, 0.65, "µm", "", false, 1.5};
    facts.carried = resolutionTags(*facts.scene.pixelSize);
    for (const int slices : {1, 3}) {
        facts.scene.axes = {{'c', 2, {}}};
        if (slices > 1) {
            facts.scene.axes.push_back({'z', slices, {}});
        }
        writeTiff(dir / "out.tif", {2 * slices, sourceOf(planes, facts)}, {.arePages = true});
        EXPECT_TRUE(Stored(dir / "out.tif").description.starts_with("ImageJ="));
        const ImageInfo info = readImageInfo(dir / "out.tif");
        EXPECT_EQ(channelsOf(info), channels) << slices;
        ASSERT_TRUE(info.pixelSize);
        EXPECT_NEAR(info.pixelSize->x, 0.325, 1e-7);
        EXPECT_NEAR(info.pixelSize->y, 0.65, 1e-7);
        EXPECT_NEAR(info.pixelSize->z, slices > 1 ? 1.5 : info.pixelSize->z, 1e-9);
        ASSERT_EQ(info.axes.size(), slices > 1 ? 2U : 1U);
    }
}

TEST(ChannelWriter, WritesWindowsOfAllChannelsOnly) {
    const TempDir dir;
    const Images planes = makePlanes(4, PixelType::u8, 12, 9);
    PlaneFacts facts;
    facts.scene.axes = {{'c', 2, {}}, {'z', 2, {}}};
    facts.scene.channels = displayedChannels();
    facts.scene.channels[1].window.reset();
    writeTiff(dir / "one.tif", {4, sourceOf(planes, facts)}, {.arePages = true});
    std::vector<Channel> expected = displayedChannels();
    expected[0].window.reset();
    expected[1].window.reset();
    EXPECT_TRUE(Stored(dir / "one.tif").description.starts_with("ImageJ="));
    EXPECT_EQ(channelsOf(readImageInfo(dir / "one.tif")), expected) << "names and colours";
    facts.scene.wantsOme = true;
    writeTiff(dir / "ome.tif", {4, sourceOf(planes, facts)}, {.arePages = true});
    EXPECT_FALSE(Stored(dir / "ome.tif").description.starts_with("ImageJ="));
    EXPECT_EQ(channelsOf(readImageInfo(dir / "ome.tif")), expected);
    facts.scene.wantsOme = false;
    // ImageJ has no other order of the pages.
    facts.scene.channels = displayedChannels();
    facts.scene.axes = {{'z', 2, {}}, {'c', 2, {}}};
    writeTiff(dir / "two.tif", {4, sourceOf(planes, facts)}, {.arePages = true});
    expected[1].page = 2;
    EXPECT_EQ(channelsOf(readImageInfo(dir / "two.tif")), expected);
    // A colour is optional.
    facts.scene.axes = {{'c', 2, {}}, {'z', 2, {}}};
    facts.scene.channels[0].colour.reset();
    writeTiff(dir / "three.tif", {4, sourceOf(planes, facts)}, {.arePages = true});
    const std::vector<Channel> read = channelsOf(readImageInfo(dir / "three.tif"));
    EXPECT_EQ(read[0].window, displayedChannels()[0].window);
    EXPECT_FALSE(read[1].colour);
}

TEST(ChannelWriter, KeepsTheColourOfASingleChannel) {
    const TempDir dir;
    const Images planes = makePlanes(1, PixelType::u8, 12, 9);
    PlaneFacts facts;
    facts.scene.channel = "GFP";
    facts.scene.channels = {displayedChannels()[1]};
    writeTiff(dir / "out.tif", {1, sourceOf(planes, facts)}, {.arePages = true});
    const ImageInfo info = readImageInfo(dir / "out.tif");
    ASSERT_EQ(info.channels.size(), 1U);
    EXPECT_EQ(info.channels[0].colour, displayedChannels()[1].colour);
    EXPECT_EQ(info.channels[0].name, "GFP");
}

TEST(ChannelWriter, WritesPagesOfSeveralSamplesWithTheirTags) {
    const TempDir dir;
    const Images planes = makePlanes(6, PixelType::u16, 40, 30);
    for (const bool planar : {true, false}) {
        const auto tagged = [&](int plane, const JobControl&) {
            Plane page{ownedRows(planes.at(static_cast<std::size_t>(plane)))};
            const std::string metadata = "<GDALMetadata>" + std::to_string(plane) + "</GDALMetadata>";
            CopiedTag tag{42112, 2, metadata.size() + 1, std::vector<std::byte>(metadata.size() + 1)};
            std::memcpy(tag.data.data(), metadata.data(), metadata.size());
            page.facts.carried.push_back(tag);
            return page;
        };
        writeTiff(dir / "out.tif", {6, tagged},
                  {.samples = {.samples = 3, .colours = SampleLayout::Colours::rgb, .planar = planar}});
        for (int plane = 0; plane < 6; ++plane) {
            ReadOptions options = withChannel(plane % 3);
            options.page = plane / 3;
            const LoadedImage loaded = readImage(dir / "out.tif", options);
            EXPECT_EQ(loaded.info.pages, 2);
            ASSERT_EQ(loaded.info.carried.size(), 1U);
            EXPECT_EQ(std::string(reinterpret_cast<const char*>(loaded.info.carried[0].data.data())),
                      "<GDALMetadata>" + std::to_string(plane / 3 * 3) + "</GDALMetadata>");
            EXPECT_EQ(levelsOf(*loaded.image), levelsOf(*planes[static_cast<std::size_t>(plane)])) << plane;
        }
    }
}

TEST(ChannelWriter, DescribesNamesColoursAndWavelengthsOfPages) {
    const TempDir dir;
    const Images planes = makePlanes(3, PixelType::u8, 10, 10);
    PlaneFacts facts;
    facts.scene.axes = {{'c', 3, {"DAPI", "", "far red"}}};
    facts.scene.channels.resize(3);
    facts.scene.channels[0].name = "first";
    facts.scene.channels[0].colour = {0, 0, 255};
    facts.scene.channels[0].wavelength = 461.5;
    facts.scene.channels[1].name = "GFP";
    facts.scene.channels[1].colour = {255, 128, 0};
    facts.scene.channels[2].wavelength = 668;
    write(dir / "out.tif", planes, {}, facts);
    const std::string text = Stored(dir / "out.tif").description;
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(has("Name=\"DAPI\" Color=\"65535\" EmissionWavelength=\"461.5\" EmissionWavelengthUnit=\"nm\"/>"))
        << text;
    EXPECT_TRUE(has("Name=\"GFP\" Color=\"-8388353\"/>")) << text;
    EXPECT_TRUE(has("Name=\"far red\" EmissionWavelength=\"668\" EmissionWavelengthUnit=\"nm\"/>")) << text;
    EXPECT_EQ(readImageInfo(dir / "out.tif").axes.at(0).labels, (std::vector<std::string>{"DAPI", "GFP", "far red"}));
}

TEST(ChannelWriter, HoldsPlanesTogetherOnlyToInterleaveThem) {
    const TempDir dir;
    for (const SampleLayout& layout :
         {SampleLayout{.samples = 1}, {.samples = 6, .planar = true}, {.samples = 3}, {.samples = 6}}) {
        std::vector<std::weak_ptr<const Image>> made;
        std::size_t most = 0;
        writeTiff(dir / "out.tif",
                  {6,
                   [&](int plane, const JobControl&) {
                       const auto alive =
                           std::ranges::count_if(made, [](const auto& image) { return !image.expired(); });
                       most = std::max(most, static_cast<std::size_t>(alive) + 1);
                       const auto image = makePlanes(plane + 1, PixelType::u8, 9, 9).back();
                       made.push_back(image);
                       return Plane{ownedRows(image)};
                   }},
                  {.samples = layout});
        EXPECT_EQ(most, layout.planar ? 1U : static_cast<std::size_t>(layout.samples));
    }
}

class ChannelWriterFailure : public ::testing::TestWithParam<SampleLayout> {
protected:
    /// Expects that @p work throws and leaves the old file as the only one.
    template <class Failure> void expectUnchanged(const std::function<void()>& work) {
        writeBytes(dir_ / "out.tif", "old");
        EXPECT_THROW(work(), Failure);
        EXPECT_EQ(readBytes(dir_ / "out.tif"), "old");
        EXPECT_EQ(dir_.entries(), 1U);
    }

    TempDir dir_;
};

TEST_P(ChannelWriterFailure, LeavesTheOldFile) {
    const Images planes = makePlanes(4, PixelType::u16, 400, 400);
    expectUnchanged<std::runtime_error>([&] {
        writeTiff(dir_ / "out.tif",
                  {4,
                   [&](int plane, const JobControl&) {
                       return plane < 3 ? Plane{ownedRows(planes[static_cast<std::size_t>(plane)])}
                                        : throw std::runtime_error("no third plane");
                   }},
                  {.samples = GetParam()});
    });
    Images unlike = planes;
    unlike[2] = makePlanes(1, PixelType::u16, 400, 399)[0];
    expectUnchanged<Error>([&] { write(dir_ / "out.tif", unlike, GetParam()); });
    unlike[2] = makePlanes(1, PixelType::u8, 400, 400)[0];
    expectUnchanged<Error>([&] { write(dir_ / "out.tif", unlike, GetParam()); });
    for (const double until : {0.0, 0.3, 0.8}) {
        std::stop_source stop;
        const JobControl control(stop.get_token(), [&](double done, std::string_view) {
            if (done > until) {
                stop.request_stop();
            }
        });
        expectUnchanged<Cancelled>([&] {
            writeTiff(dir_ / "out.tif", {4, sourceOf(planes)}, {.samples = GetParam()}, control);
        });
    }
}

TEST_P(ChannelWriterFailure, OfTheDiskLeavesTheOldFile) {
    const Images planes = makePlanes(4, PixelType::u16, 400, 400);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    for (const rlim_t limit : {100, 5000, 300000}) {
        expectUnchanged<Error>([&] {
            const rlimit full{limit, old.rlim_max};
            ::setrlimit(RLIMIT_FSIZE, &full);
            const std::shared_ptr<void> restore(nullptr, [&](void*) { ::setrlimit(RLIMIT_FSIZE, &old); });
            write(dir_ / "out.tif", planes, GetParam());
        });
    }
    std::signal(SIGXFSZ, handler);
}

INSTANTIATE_TEST_SUITE_P(Layouts, ChannelWriterFailure,
                         ::testing::Values(SampleLayout{.samples = 4}, SampleLayout{.samples = 4, .planar = true},
                                           SampleLayout{}));

TEST(ChannelWriter, RefusesPlanesThatFillNoPages) {
    const TempDir dir;
    const Images planes = makePlanes(4, PixelType::u8, 9, 9);
    for (const auto& [count, samples] : {std::pair{0, 1}, {4, 3}, {4, 0}, {2, 4}}) {
        EXPECT_THROW(writeTiff(dir / "out.tif", {count, sourceOf(planes)}, {.samples = {.samples = samples}}), Error);
    }
    EXPECT_EQ(dir.entries(), 0U);
}

} // namespace

} // namespace pollard::test
