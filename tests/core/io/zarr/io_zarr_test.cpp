#include "core/io/io_support.hpp"

#include "batch/input_files.hpp"
#include "formats/zarr/zarr_writer.hpp"
#include "image/pyramid.hpp"
#include "io/page_selection.hpp"
#include "io/region_source.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/planes.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stop_token>
#include <utility>
#include <variant>

namespace pollard::test {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

Image imageOf(const Extent& extent, int bits, std::uint32_t seed = 1) {
    Image image(bits == 8 ? PixelType::u8 : PixelType::u16, extent);
    const std::vector<std::uint16_t> samples = testSamples(image.pixelCount(), bits, seed);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (bits == 8) {
            image.pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>(samples[i]);
        } else {
            image.pixels<std::uint16_t>()[i] = samples[i];
        }
    }
    return image;
}

ReadOptions atLevel(int level) {
    ReadOptions options;
    options.level = level;
    return options;
}

TEST(ZarrWriter, WritesWhatTheReaderReads) {
    const TempDir dir;
    for (const int bits : {8, 16}) {
        for (const Extent& extent : {Extent{1, 1}, Extent{1, 700}, Extent{700, 1}, Extent{1030, 513}}) {
            const fs::path path = dir / (std::to_string(bits) + "-" + std::to_string(extent.width) + ".ZARR");
            fs::remove_all(path);
            const Image image = imageOf(extent, bits);
            writeZarr(path, {image, {.scene = {.pixelSize = PixelSize{0.5, 0.25, "µm", "", false}}}});
            const LoadedImage loaded = readImage(path);
            EXPECT_EQ(loaded.image->type(), image.type());
            EXPECT_EQ(levelsOf(*loaded.image), levelsOf(image));
            EXPECT_EQ(loaded.info.format, "OME-Zarr 0.4");
            EXPECT_EQ(loaded.info.compression, "Blosc");
            ASSERT_TRUE(loaded.info.pixelSize);
            EXPECT_EQ(loaded.info.pixelSize->x, 0.5);
            EXPECT_EQ(loaded.info.pixelSize->y, 0.25);
            EXPECT_EQ(loaded.info.pixelSize->unit, "µm");
        }
    }
    const LoadedImage second = readImage(dir / "16-1030.ZARR", atLevel(2));
    EXPECT_EQ(second.info.levels.size(), 3U);
    EXPECT_EQ(second.image->width(), 258U);
    EXPECT_EQ(second.image->height(), 129U);
    EXPECT_EQ(second.info.pixelSize->x, 2);
}

TEST(ZarrWriter, ReducesWideImagesInRowsOfChunksAsAWhole) {
    const TempDir dir;
    const Image image = imageOf({40'001, 1'031}, 8); // a row of chunks has more than 2^24 px
    std::uint32_t most = 0;
    PixelRows rows = pixelRowsOf(image);
    writeZarr(dir / "w.zarr",
              PixelRows{rows.extent, rows.type, [&](std::uint64_t first, std::uint32_t count, std::byte* out) {
                            most = std::max(most, count);
                            rows.read(first, count, out);
                        }});
    EXPECT_EQ(most, 512U) << "the image is not in memory as a whole";
    Image level(PixelType::u8, 1, 1);
    for (int number = 0; number <= 7; ++number) {
        if (number == 1) {
            level = Image(PixelType::u8, 20'001, 516);
            halve(image, level, {});
        } else if (number > 1) {
            Image half(PixelType::u8, (level.width() + 1) / 2, (level.height() + 1) / 2);
            halve(level, half, {});
            level = std::move(half);
        }
        ASSERT_EQ(levelsOf(*readImage(dir / "w.zarr", atLevel(number)).image), levelsOf(number == 0 ? image : level))
            << number;
    }
    EXPECT_EQ(readFailure(dir / "w.zarr", atLevel(8)), ErrorCode::invalidArgument);
}

TEST(ZarrWriter, WritesVolumesOfValuesAndLabels) {
    const TempDir dir;
    const Image volume = imageOf({60, 40, 5}, 16);
    writeZarr(dir / "v.zarr",
              {volume, {.scale = {1, -32768, {}}, .scene = {.pixelSize = PixelSize{1, 1, "nm", "", false, 3}}}});
    const LoadedImage loaded = readVolume(dir / "v.zarr");
    ASSERT_TRUE(loaded.info.mapping);
    EXPECT_EQ(loaded.info.sampleFormat, "signed");
    EXPECT_EQ(loaded.info.mapping->offset, -32768);
    EXPECT_EQ(levelsOf(*loaded.image), levelsOf(volume));
    EXPECT_EQ(loaded.info.pixelSize->z, 3);

    std::vector<std::uint32_t> labels(600 * 30);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::uint32_t>(i / 600 * 100'000 + i % 2);
    }
    writeZarr(dir / "l.zarr", measuredRowsOf(labels, {600, 30}));
    const LoadedImage read = readImage(dir / "l.zarr");
    EXPECT_EQ(read.info.bits, 32);
    EXPECT_EQ(read.info.mapping->maximum, 2'900'001);
    EXPECT_EQ(readImage(dir / "l.zarr", atLevel(1)).info.mapping->maximum, 2'800'000) << "no means of labels";
    EXPECT_THROW((void)measuredRowsOf(labels, {600, 31}), Error);
    EXPECT_EQ(dir.entries(), 2U);
}

TEST(ZarrWriter, LeavesNothingBehindUnlessItSucceeds) {
    const TempDir dir;
    const Image image = imageOf({1200, 900}, 8);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(writeZarr(dir / "stopped.zarr", image, JobControl(stop.get_token())), Cancelled);
    EXPECT_EQ(dir.entries(), 0U);

    fs::create_directory(dir / "there.zarr");
    writeBytes(dir / "there.zarr/kept", "data");
    try {
        writeZarr(dir / "there.zarr", image);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::writeFailed);
        EXPECT_THAT(error.what(), HasSubstr("exists"));
    }
    EXPECT_EQ(readBytes(dir / "there.zarr/kept"), "data");
    EXPECT_EQ(dir.entries(), 1U);
    EXPECT_THROW(writeZarr(dir / "no/folder.zarr", image), Error);
}

TEST(ZarrWriter, WritesChannelsOfOneSizeAndType) {
    const TempDir dir;
    const std::array<Image, 4> images{imageOf({600, 40}, 16, 1), imageOf({600, 40}, 16, 2), imageOf({600, 41}, 16, 3),
                                      imageOf({600, 40}, 8, 4)};
    const auto channelOf = [&](std::size_t image, double step) {
        PlaneFacts facts{.scale = {step, 0, {}}};
        facts.scene.channel = "c" + std::to_string(image);
        return Plane{pixelRowsOf(images[image]), facts};
    };
    const auto write = [&](const char* name, std::size_t second, double step) {
        writeZarr(dir / name,
                  {2, [&](int i, const JobControl&) { return i == 0 ? channelOf(0, 1) : channelOf(second, step); }});
    };
    write("two.zarr", 1, 1);
    for (const int page : {0, 1}) {
        ReadOptions options;
        options.page = page;
        const LoadedImage loaded = readImage(dir / "two.zarr", options);
        EXPECT_EQ(levelsOf(*loaded.image), levelsOf(images[static_cast<std::size_t>(page)]));
        EXPECT_EQ(loaded.info.channels.at(1).name, "c1");
    }
    EXPECT_THROW(write("x.zarr", 2, 1), Error) << "size";
    EXPECT_THROW(write("x.zarr", 3, 1), Error) << "depth";
    EXPECT_THROW(write("x.zarr", 1, 0.5), Error) << "fractions";
    const auto failing = [&](int i, const JobControl&) {
        return i == 0 ? channelOf(0, 1) : throw Error(ErrorCode::fileDamaged, "the second channel");
    };
    EXPECT_THROW(writeZarr(dir / "x.zarr", {2, failing}), Error);
    const std::vector<std::uint32_t> labels(600);
    const auto labelsOf = [&](int, const JobControl&) { return Plane{measuredRowsOf(labels, {600, 1})}; };
    EXPECT_THROW(writeZarr(dir / "x.zarr", {2, labelsOf}), Error);
    EXPECT_EQ(dir.entries(), 1U) << "nothing is left";
}

/// The attributes of an image.
json attributesOf(const fs::path& path) { return json::parse(readBytes(path / ".zattrs")); }

/// Of a level.
json transformationsOf(const fs::path& path, std::size_t level) {
    return attributesOf(path).at("multiscales").at(0).at("datasets").at(level).at("coordinateTransformations");
}

TEST(ZarrWriter, StatesTheSizeAndTheCentreOfReducedPixels) {
    const TempDir dir;
    const PixelSize size{0.5, 0.25, "µm", "", false, 3};
    writeZarr(dir / "p.zarr", {imageOf({1030, 513}, 8), {.scene = {.pixelSize = size}}});
    writeZarr(dir / "v.zarr", {imageOf({1030, 513, 2}, 8), {.scene = {.pixelSize = size}}});
    for (const char* name : {"p.zarr", "v.zarr"}) {
        EXPECT_EQ(transformationsOf(dir / name, 0).size(), 1U);
        for (int level = 0; level < 3; ++level) {
            const double side = std::ldexp(1, level); // of the square of pixels that become one pixel
            const json all = transformationsOf(dir / name, static_cast<std::size_t>(level));
            json scale{0.25 * side, 0.5 * side};
            json centre{0.25 * (side - 1) / 2, 0.5 * (side - 1) / 2};
            if (name == std::string("v.zarr")) {
                scale.insert(scale.begin(), 3.0);
                centre.insert(centre.begin(), 0.0);
            }
            EXPECT_EQ(all.at(0).at("scale"), scale);
            if (level > 0) {
                EXPECT_EQ(all.at(1).at("translation"), centre);
            }
        }
    }
}

TEST(ZarrWriter, StatesNoSizeOfAPrint) {
    const TempDir dir;
    for (const PixelSize& size : {PixelSize{0.1, 0.1, "mm", "", true}, PixelSize{0.1, 0.1, "arcsec", "", false}}) {
        fs::remove_all(dir / "p.zarr");
        writeZarr(dir / "p.zarr", {imageOf({3, 2}, 8), {.scene = {.pixelSize = size}}});
        EXPECT_EQ(transformationsOf(dir / "p.zarr", 0).at(0).at("scale"), (json{1, 1}));
        const json attributes = attributesOf(dir / "p.zarr");
        for (const json& axis : attributes.at("multiscales").at(0).at("axes")) {
            EXPECT_FALSE(axis.contains("unit")) << axis;
        }
        EXPECT_FALSE(readImage(dir / "p.zarr").info.pixelSize);
    }
}

TEST(ZarrWriter, NamesUnitsOfLength) {
    const TempDir dir;
    using Names = std::pair<const char*, const char*>;
    for (const auto& [unit, name] : {Names{"nm", "nanometer"}, Names{"um", "micrometer"}, Names{"mm", "millimeter"},
                                     Names{"cm", "centimeter"}, Names{"m", "meter"}, Names{"km", "kilometer"}}) {
        fs::remove_all(dir / "p.zarr");
        writeZarr(dir / "p.zarr", {imageOf({3, 2, 2}, 8), {.scene = {.pixelSize = PixelSize{2, 3, unit, "", false}}}});
        const json axes = attributesOf(dir / "p.zarr").at("multiscales").at(0).at("axes");
        EXPECT_FALSE(axes.at(0).contains("unit")) << "the distance of slices is unknown";
        EXPECT_EQ(axes.at(1).at("unit"), name);
        EXPECT_EQ(axes.at(2).at("unit"), name);
    }
}

TEST(ZarrWriter, LeavesOutPropertiesWithoutValue) {
    const TempDir dir;
    using Value = LabelProperties::Value;
    const std::array<std::array<Value, 3>, 2> values{
        {{std::int64_t{5}, std::string("long"), std::nan("")}, {std::int64_t{7}, std::monostate(), 0.5}}};
    const LabelProperties properties{{"area", "class", "mean"}, {3, 9}, [&](std::size_t column, std::uint32_t label) {
                                         return values[label == 3 ? 0 : 1].at(column);
                                     }};
    const std::vector<std::uint32_t> labels{3, 9};
    writeZarr(dir / "l.zarr", {measuredRowsOf(labels, {2, 1}), {.properties = &properties}});
    EXPECT_EQ(attributesOf(dir / "l.zarr").at("image-label").at("properties"),
              json::parse(R"([{"label-value": 3, "area": 5, "class": "long"},
                              {"label-value": 9, "area": 7, "mean": 0.5}])"));
}

TEST(ZarrWriter, TakesTheFirstOfFourLabels) {
    const TempDir dir;
    constexpr Extent kExtent{601, 33};
    std::vector<std::uint32_t> labels(kExtent.pixelCount());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::uint32_t>(100'000 + i);
    }
    writeZarr(dir / "l.zarr", {measuredRowsOf(labels, kExtent), {.scale = {2, 7, {}}, .scene = {.channel = "c"}}});
    for (const int level : {0, 1}) {
        const LoadedImage loaded = readImage(dir / "l.zarr", atLevel(level));
        const std::size_t step = level == 0 ? 1 : 2;
        ASSERT_EQ(loaded.image->extent(), level == 0 ? kExtent : (Extent{301, 17}));
        ASSERT_TRUE(loaded.info.mapping && loaded.info.mapping->exact);
        for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
            const std::size_t x = i % loaded.image->width() * step;
            const std::size_t y = i / loaded.image->width() * step;
            ASSERT_EQ(loaded.info.mapping->valueOf(loaded.image->level(i)), labels[y * kExtent.width + x]) << i;
        }
        EXPECT_EQ(transformationsOf(dir / "l.zarr", static_cast<std::size_t>(level)).size(), 1U)
            << "without a translation: the first pixels keep their corner";
    }
}

TEST(ZarrWriter, LeavesOutChunksOfZerosOnly) {
    const TempDir dir;
    Image image(PixelType::u16, 1030, 512);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const std::size_t x = i % 1030;
        image.pixels<std::uint16_t>()[i] = x < 512 ? 0 : x < 1024 ? 32768 : 1;
    }
    for (const double offset : {0.0, -32768.0}) {
        const fs::path path = dir / (offset == 0 ? "levels.zarr" : "values.zarr");
        writeZarr(path, {image, {.scale = {1, offset, {}}}});
        EXPECT_EQ(fs::exists(path / "0/0/0"), offset != 0);
        EXPECT_EQ(fs::exists(path / "0/0/1"), offset == 0);
        EXPECT_TRUE(fs::exists(path / "0/0/2"));
        EXPECT_EQ(levelsOf(*readImage(path).image), levelsOf(image));
    }
}

TEST(ZarrWriter, StatesColoursAndWindowsOfChannels) {
    const TempDir dir;
    const auto channelOf = [&](int bits, double offset, const Channel& channel) {
        fs::remove_all(dir / "c.zarr");
        PlaneFacts facts{.scale = {1, offset, {}}, .scene = {.channels = {channel}}};
        facts.range = std::pair(offset, offset + (bits == 8 ? 255 : 65535));
        writeZarr(dir / "c.zarr", {imageOf({3, 2}, bits), std::move(facts)});
        return attributesOf(dir / "c.zarr").at("omero").at("channels").at(0);
    };
    const auto windowOf = [](double min, double max, double start, double end) {
        return json{{"min", min}, {"max", max}, {"start", start}, {"end", end}};
    };
    Channel channel;
    channel.name = "DAPI";
    const json plain = channelOf(16, 0, channel);
    EXPECT_EQ(plain.at("label"), "DAPI");
    EXPECT_EQ(plain.at("color"), "FFFFFF");
    EXPECT_EQ(plain.at("window"), windowOf(0, 65535, 0, 65535));
    EXPECT_EQ(channelOf(8, -100, channel).at("window"), windowOf(-100, 155, -100, 155));
    channel.colour = {0, 128, 254};
    channel.window = ChannelWindow{20, 30};
    EXPECT_EQ(channelOf(8, 0, channel).at("color"), "0080FE");
    EXPECT_EQ(channelOf(8, 0, channel).at("window"), windowOf(0, 255, 20, 30));
    channel.window = ChannelWindow{-5, 300};
    EXPECT_EQ(channelOf(8, 0, channel).at("window"), windowOf(-5, 300, -5, 300)) << "it is within its limits";
}

TEST(PendingFolder, TakesNoNameThatExists) {
    const TempDir dir;
    {
        PendingFolder folder(dir / "p", "cannot write");
        folder.write("a/b", std::as_bytes(std::span("c")));
        fs::create_directory(dir / "p");
        try {
            folder.commit();
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::writeFailed);
            EXPECT_THAT(error.what(), HasSubstr((dir / "p").string()));
        }
    }
    EXPECT_TRUE(fs::is_empty(dir / "p"));
    EXPECT_EQ(dir.entries(), 1U);
}

TEST(ZarrReader, ReadsRegionsAndLevelsLikeTheWhole) {
    const TempDir dir;
    const Image image = imageOf({1100, 700}, 16);
    writeZarr(dir / "p.zarr", image);
    const auto regions = openRegions(dir / "p.zarr");
    EXPECT_EQ(regions->blocks(), (BlockGrid{512, 512, 0, 0}));
    EXPECT_EQ(regions->passes(), 0);
    for (const PixelRegion& region : {PixelRegion{0, 0, 1100, 700}, PixelRegion{510, 500, 5, 30},
                                      PixelRegion{1099, 699, 1, 1}, PixelRegion{100, 0, 1000, 1}}) {
        const LoadedImage part = regions->read(region);
        for (std::uint32_t y = 0; y < region.height; ++y) {
            for (std::uint32_t x = 0; x < region.width; ++x) {
                ASSERT_EQ(part.image->level(std::size_t{y} * region.width + x),
                          image.level(std::size_t{region.y + y} * 1100 + region.x + x));
            }
        }
    }
    EXPECT_EQ(readFailure(dir / "p.zarr", atLevel(2)), std::nullopt);
    EXPECT_EQ(readFailure(dir / "p.zarr", atLevel(3)), ErrorCode::invalidArgument);
    ReadOptions page;
    page.page = 1;
    EXPECT_EQ(readFailure(dir / "p.zarr", page), ErrorCode::invalidArgument);
    ReadOptions sample;
    sample.channel = {ChannelChoice::Kind::sample, 1};
    EXPECT_EQ(readFailure(dir / "p.zarr", sample), ErrorCode::invalidArgument);
    ReadOptions outside;
    outside.region = PixelRegion{0, 0, 1101, 1};
    EXPECT_EQ(readFailure(dir / "p.zarr", outside), ErrorCode::invalidArgument);
}

TEST(ZarrReader, TakesAFolderOrItsMetadataForTheImage) {
    const TempDir dir;
    const Image image = imageOf({30, 20}, 8);
    writeZarr(dir / "p.zarr", image);
    writeBytes(dir / "p.pgm", "P5 1 1 255\nx");
    fs::create_directory(dir / "plain.zarr");
    EXPECT_TRUE(isZarrFolder(dir / "p.zarr"));
    EXPECT_FALSE(isZarrFolder(dir / "plain.zarr"));
    EXPECT_FALSE(isZarrFolder(dir / "p.pgm"));
    for (const char* name : {"p.zarr", "p.zarr/", "p.zarr/.zattrs", "p.zarr/.zgroup", "p.zarr/0", "p.zarr/0/.zarray"}) {
        EXPECT_EQ(levelsOf(*readImage(dir / name).image), levelsOf(image)) << name;
    }
    EXPECT_EQ(readFailure(dir / "plain.zarr"), ErrorCode::fileUnreadable);
    EXPECT_THAT(imagesIn(dir.path()), ::testing::ElementsAre((dir / "p.pgm").string(), (dir / "p.zarr").string()));
}

/// Metadata of an array without chunks.
void writeEmpty(const fs::path& folder, const std::string& shape, const std::string& chunks,
                const std::string& type = "<u2") {
    fs::create_directories(folder);
    writeBytes(folder / ".zarray", R"({"zarr_format": 2, "shape": )" + shape + R"(, "chunks": )" + chunks +
                                       R"(, "dtype": ")" + type +
                                       R"(", "fill_value": 5, "order": "C", "filters": null, "compressor": null})");
}

/// Metadata of an image of arrays "0", "1" ... along the axes z, y and x.
void writeImage(const fs::path& folder, const json& units, const json& scale, std::size_t levels) {
    json axes = json::array();
    for (std::size_t i = 0; i < 3; ++i) {
        axes.push_back({{"name", std::string(1, "zyx"[i])}, {"type", "space"}, {"unit", units.at(i)}});
    }
    json datasets = json::array();
    for (std::size_t level = 0; level < levels; ++level) {
        datasets.push_back({{"path", std::to_string(level)},
                            {"coordinateTransformations", json::array({{{"type", "scale"}, {"scale", scale}}})}});
    }
    writeBytes(folder / ".zgroup", R"({"zarr_format": 2})");
    const json multiscales = json::array({{{"version", "0.4"}, {"axes", axes}, {"datasets", datasets}}});
    writeBytes(folder / ".zattrs", json{{"multiscales", multiscales}}.dump());
}

TEST(ZarrReader, PlanesAreSelectedByAxes) {
    const TempDir dir;
    const fs::path path = dir / "s.zarr";
    writeEmpty(path / "0", "[3, 2, 4, 1, 1]", "[1, 1, 1, 1, 1]", "|u1");
    const auto levelAt = [](int t, int c, int z) { return 100 * c + 10 * ((z + 1) % 4) + t + 1; };
    for (int t = 0; t < 3; ++t) {
        for (int c = 0; c < 2; ++c) {
            for (int z = 0; z < 4; ++z) {
                const std::string chunk =
                    std::to_string(t) + '.' + std::to_string(c) + '.' + std::to_string(z) + ".0.0";
                writeBytes(path / "0" / chunk, std::string(1, static_cast<char>(levelAt(t, c, z))));
            }
        }
    }
    writeBytes(path / ".zgroup", R"({"zarr_format": 2})");
    writeBytes(path / ".zattrs", R"({"omero": {"channels": [{"label": "DAPI"}, {"label": "GFP"}]},
        "multiscales": [{"version": "0.4", "axes": [{"name": "t", "type": "time", "unit": "millisecond"},
        {"name": "c", "type": "channel"}, {"name": "z", "type": "space", "unit": "micrometer"},
        {"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type": "space", "unit": "micrometer"}],
        "datasets": [{"path": "0", "coordinateTransformations":
        [{"type": "scale", "scale": [500, 1, 0.25, 0.1, 0.1]}]}]}]})");
    const auto select = [&](const std::string& at) { return partsOf(parseSelection(at), readImageInfo(path)).parts; };
    for (int t = 0; t < 3; ++t) {
        for (int z = 0; z < 4; ++z) {
            const auto parts = select("channel=GFP,z=" + std::to_string(z) + ",t=" + std::to_string(t));
            ASSERT_EQ(parts.size(), 1U);
            EXPECT_EQ(readPart(path, parts[0]).image->level(0), levelAt(t, 1, z));
            EXPECT_THAT(parts[0].positions,
                        ::testing::ElementsAre(AxisPosition{'z', z, "", 0.25 * z}, AxisPosition{'t', t, "", 0.5 * t}));
        }
        const auto brightest = select("channel=DAPI,z=max,t=" + std::to_string(t));
        EXPECT_EQ(readPart(path, brightest.at(0)).image->level(0), levelAt(t, 0, 2));
    }
}

TEST(ZarrReader, RepeatsTheSlicesOfLevelsThatHaveFewer) {
    const TempDir dir;
    writeEmpty(dir / "v.zarr/0", "[4, 1, 1]", "[1, 1, 1]", "|u1");
    writeEmpty(dir / "v.zarr/1", "[2, 1, 1]", "[1, 1, 1]", "|u1");
    writeBytes(dir / "v.zarr/1/0.0.0", "\x0a");
    writeBytes(dir / "v.zarr/1/1.0.0", "\x14");
    writeImage(dir / "v.zarr", {"", "", ""}, {1, 1, 1}, 2);
    ReadOptions options = atLevel(1);
    std::vector<int> found;
    for (options.page = 0; options.page < 4; ++options.page) {
        found.push_back(readImage(dir / "v.zarr", options).image->level(0));
    }
    EXPECT_THAT(found, ::testing::ElementsAre(10, 10, 20, 20));
    options.page = 0;
    EXPECT_THAT(levelsOf(*readVolume(dir / "v.zarr", options).image), ::testing::ElementsAre(10, 10, 20, 20));
}

TEST(ZarrReader, TakesTheUnitOfEachAxis) {
    const TempDir dir;
    writeEmpty(dir / "v.zarr/0", "[2, 1, 1]", "[1, 1, 1]");
    writeImage(dir / "v.zarr", {"millimeter", "nanometer", "micrometer"}, {2, 500, 0.25}, 1);
    const auto size = readImageInfo(dir / "v.zarr").pixelSize;
    ASSERT_TRUE(size);
    EXPECT_EQ(size->unit, "µm");
    EXPECT_DOUBLE_EQ(size->x, 0.25);
    EXPECT_DOUBLE_EQ(size->y, 0.5);
    EXPECT_DOUBLE_EQ(size->z, 2000);
    writeImage(dir / "v.zarr", {"second", "micrometer", "micrometer"}, {2, 1, 1}, 1);
    EXPECT_EQ(readImageInfo(dir / "v.zarr").pixelSize->z, 0) << "no length";
    writeImage(dir / "v.zarr", {"micrometer", "", "micrometer"}, {2, 1, 1}, 1);
    EXPECT_FALSE(readImageInfo(dir / "v.zarr").pixelSize);
}

TEST(ZarrReader, CountsWhatIsNoNumberInAllSlices) {
    const TempDir dir;
    writeEmpty(dir / "v.zarr/0", "[4, 1, 2]", "[3, 1, 2]", "<f4");
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::array<float, 12> values{1, kNan, kInfinity, 2, -kInfinity, 3, 4, kNan, 0, 0, 0, 0};
    for (const std::size_t chunk : {0U, 1U}) {
        writeBytes(dir / ("v.zarr/0/" + std::to_string(chunk) + ".0.0"),
                   std::string(reinterpret_cast<const char*>(&values[6 * chunk]), 6 * sizeof(float)));
    }
    writeImage(dir / "v.zarr", {"", "", ""}, {1, 1, 1}, 1);
    const LoadedImage volume = readVolume(dir / "v.zarr");
    ASSERT_TRUE(volume.info.mapping);
    EXPECT_EQ(volume.info.invalidPixels, 2U);
    EXPECT_EQ(volume.info.mapping->nan, 2U);
    EXPECT_EQ(volume.info.mapping->infinite, 2U);
    EXPECT_EQ(volume.info.mapping->minimum, 1);
    EXPECT_EQ(volume.info.mapping->maximum, 4);
}

TEST(ZarrReader, TakesOnlyAStatedFillValueForPixelsWithoutData) {
    const TempDir dir;
    const auto read = [&](const auto& samples, const std::string& type, const std::string& attributes) {
        const fs::path array = dir / "a.zarr";
        writeEmpty(array, "[1, 3]", "[1, 3]", type);
        writeBytes(array / "0.0", std::string(reinterpret_cast<const char*>(samples.data()), sizeof samples));
        writeBytes(array / ".zattrs", attributes);
        const LoadedImage loaded = readImage(array);
        std::string valid;
        for (std::uint32_t x = 0; x < 3; ++x) {
            valid += !loaded.valid || loaded.valid->test(x, 0) ? '1' : '0';
        }
        EXPECT_EQ(loaded.info.invalidPixels, static_cast<std::uint64_t>(std::ranges::count(valid, '0')));
        return valid;
    };
    const std::array<std::uint16_t, 3> whole{5, 7, 9};
    EXPECT_EQ(read(whole, "<u2", "{}"), "111") << "5 is the sample of chunks that are not stored";
    EXPECT_EQ(read(whole, "<u2", R"({"_FillValue": 7})"), "101");
    EXPECT_EQ(read(whole, "<u2", R"({"_FillValue": [9]})"), "110");
    EXPECT_EQ(read(whole, "<u2", R"({"_FillValue": -7})"), "111");
    const std::array<std::int32_t, 3> wide{5, -100000, 7};
    EXPECT_EQ(read(wide, "<i4", R"({"_FillValue": -100000})"), "101");
    const std::array<float, 3> real{0.5F, -9999, 7};
    EXPECT_EQ(read(real, "<f4", R"({"_FillValue": -9999.0})"), "101");
    EXPECT_EQ(read(real, "<f4", R"({"_FillValue": "AAAAAICHw8A="})"), "101") << "as xarray writes -9999";
    EXPECT_EQ(read(real, "<f4", R"({"_FillValue": "AAAAAICHw8"})"), "111");
}

TEST(ZarrReader, StaysInItsFolder) {
    const TempDir dir;
    writeEmpty(dir / "other", "[2, 2]", "[2, 2]");
    fs::create_directories(dir / "p.zarr/0");
    writeBytes(dir / "p.zarr/.zgroup", R"({"zarr_format": 2})");
    for (const std::string& path : {std::string("../other"), (dir / "other").string(), std::string("0/../../other")}) {
        writeBytes(dir / "p.zarr/.zattrs", json{{"labels", json::array({path})}}.dump());
        std::string message;
        EXPECT_EQ(readFailure(dir / "p.zarr", {}, &message), ErrorCode::fileDamaged) << path;
        EXPECT_THAT(message, HasSubstr("leads out of the folder"));
    }
}

TEST(ZarrReader, ListsTheWellsOfAPlate) {
    const TempDir dir;
    const fs::path plate = dir / "screen.zarr";
    const auto write = [&](const std::string& name, const std::string& text) {
        fs::create_directories((plate / name).parent_path());
        writeBytes(plate / name, text);
    };
    write(".zgroup", R"({"zarr_format": 2})");
    write(".zattrs", R"({"plate": {"wells": [{"path": "A/1"}, {"path": "B/12"}]}})");
    for (const std::string well : {"A/1", "B/12"}) {
        write(well + "/.zgroup", R"({"zarr_format": 2})");
    }
    write("A/1/.zattrs", R"({"well": {"images": [{"path": "0"}, {"path": "1"}]}})");
    write("A/1/0/.zgroup", R"({"zarr_format": 2})");
    write("A/1/1/.zattrs", "{}");
    using Paths = std::vector<fs::path>;
    const ImageList wells = imagesListedBy(plate);
    EXPECT_EQ(wells.title, "Wells");
    EXPECT_EQ(wells.paths, (Paths{plate / "A/1", plate / "B/12"}));
    EXPECT_EQ(imagesListedBy(plate / ".zattrs").paths, wells.paths);
    EXPECT_EQ(imagesListedBy(plate / "A/1").paths, (Paths{plate / "A/1/0", plate / "A/1/1"}));
    EXPECT_EQ(imagesUnder(plate), (Paths{plate / "A/1/0", plate / "A/1/1", plate / "B/12"}));
    EXPECT_EQ(imagesUnder(dir / "a.tif"), (Paths{dir / "a.tif"}));
    EXPECT_EQ(resultName(plate / "A/1/0"), "screen_A_1_0");
    EXPECT_EQ(resultName(plate / "A/1/.zattrs"), "screen_A_1");
    EXPECT_EQ(resultName(plate), "screen");
    EXPECT_EQ(resultName("a.b.tif"), "a.b");
    EXPECT_EQ(nameInTables(plate / "A/1/0"), "screen.zarr/A/1/0");
    EXPECT_EQ(nameInTables("x/a.tif"), "a.tif");
    EXPECT_EQ(nameInTables(plate), "screen.zarr");
    EXPECT_EQ(hierarchyOf(plate / "A/1"), plate);
    EXPECT_EQ(hierarchyOf("x/a.tif"), "x/a.tif");
    const fs::path plain = dir / "screen"; // known by its metadata
    fs::copy(plate, plain, fs::copy_options::recursive);
    writeBytes(plain / "a.tif", "beside the wells");
    EXPECT_EQ(hierarchyOf(plain / "A/1/0"), plain);
    EXPECT_EQ(hierarchyOf(plain / "A/1/.zattrs"), plain);
    EXPECT_EQ(hierarchyOf(plain / "a.tif"), plain / "a.tif");
    EXPECT_EQ(hierarchyOf(dir / "a.tif"), dir / "a.tif");
    EXPECT_EQ(resultName(plain / "A/1/0"), "screen_A_1_0");
    EXPECT_EQ(nameInTables(plain / "A/1/0"), "screen/A/1/0");
    EXPECT_EQ(filesUnder(dir.path()), (Paths{plain, plate})) << "folders of Zarr stand for their files";
    fs::remove_all(plate / "A/1/0");
    fs::remove_all(plate / "B");
    Paths missing;
    EXPECT_EQ(imagesUnder(plate, &missing), (Paths{plate / "A/1/1"}));
    EXPECT_EQ(missing, (Paths{plate / "A/1/0", plate / "B/12"}));
    EXPECT_EQ(imagesListedBy(plate).exists, (std::vector{true, false}));
    write(".zattrs", R"({"plate": {"wells": [{"path": "../other"}]}})");
    EXPECT_TRUE(imagesListedBy(plate).paths.empty());
    write(".zattrs", "{");
    EXPECT_TRUE(imagesListedBy(plate).paths.empty());
    write(".zattrs", std::string(2 << 20, ' '));
    EXPECT_TRUE(imagesListedBy(plate).paths.empty());
}

TEST(ZarrReader, BoundsMemoryByTheMetadata) {
    const TempDir dir;
    ReadOptions options;
    options.limits.maxDecodedBytes = std::uint64_t{64} << 20U;
    const auto failure = [&](const char* shape, const char* chunks, ReadOptions read) {
        writeEmpty(dir / "h.zarr", shape, chunks);
        std::string message;
        const auto code = readFailure(dir / "h.zarr", read, &message);
        return code ? message : std::string();
    };
    EXPECT_EQ(failure("[100, 100]", "[10, 10]", options), "");
    EXPECT_THAT(failure("[100000, 100000]", "[1000, 1000]", options), HasSubstr("limit"));
    EXPECT_THAT(failure("[10000, 10000]", "[1000, 1000]", options), HasSubstr("are allowed"));
    EXPECT_THAT(failure("[100, 100]", "[10000, 10000]", options), HasSubstr("are allowed")) << "a chunk";
    EXPECT_THAT(failure("[1099511627776, 5, 5]", "[1, 5, 5]", options), HasSubstr("limits"));
    EXPECT_THAT(failure("[5, 1099511627776]", "[1, 5]", options), HasSubstr("limits"));
    options.limits.maxPixels = 100;
    EXPECT_THAT(failure("[100, 100]", "[10, 10]", options), HasSubstr("limit"));
}

TEST(ZarrReader, ShowsASparsePyramidOf100GigapixelsAtOnce) {
    const TempDir dir;
    std::string datasets;
    std::uint64_t side = 320'000;
    for (int level = 0; side > 512; ++level, side /= 2) {
        const std::string name = std::to_string(level);
        writeEmpty(dir / ("g.zarr/" + name), "[" + std::to_string(side) + ", " + std::to_string(side) + "]",
                   "[512, 512]");
        datasets += (level > 0 ? ", " : "") + std::string(R"({"path": ")") + name +
                    R"(", "coordinateTransformations": [{"type": "scale", "scale": [1, 1]}]})";
    }
    writeBytes(dir / "g.zarr/.zgroup", R"({"zarr_format": 2})");
    writeBytes(dir / "g.zarr/.zattrs",
               R"({"multiscales": [{"version": "0.4", "axes": ["y", "x"], "datasets": [)" + datasets + "]}]}");
    const auto start = std::chrono::steady_clock::now();
    const ImageInfo info = readImageInfo(dir / "g.zarr");
    ReadOptions options;
    options.level = static_cast<int>(info.levels.size()) - 1;
    const LoadedImage first = readImage(dir / "g.zarr", options);
    options.level = 0;
    options.region = PixelRegion{160'000, 200'000, 1024, 1024};
    const LoadedImage part = readImage(dir / "g.zarr", options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(first.image->width(), 625U);
    EXPECT_EQ(part.image->level(7), 5);
    EXPECT_LT(seconds, 0.5);
    RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
}

} // namespace

} // namespace pollard::test
