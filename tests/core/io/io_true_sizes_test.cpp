#include "core/io/io_jp2_variants.hpp"
#include "core/io/io_support.hpp"
#include "core/io/io_volume_files.hpp"

#include "components/objects/object_files.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/write/image_writer.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"
#include "snake/contour/contour_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <optional>
#include <tiffio.h>

#include <jpeglib.h>

namespace pollard::test {

namespace {

constexpr std::uint32_t kWidth = 24;
constexpr std::uint32_t kHeight = 16;
/// Precision of a rational and a float.
constexpr double kTolerance = 1e-6;

using SetTags = std::function<void(TIFF*, int page)>;

void setResolution(TIFF* tiff, double x, double y, std::uint16_t unit) {
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, x);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, y);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
}

template <class T> void setArray(TIFF* tiff, std::uint32_t tag, TIFFDataType type, const std::vector<T>& values) {
    char name[] = "test";
    const TIFFFieldInfo field{tag, TIFF_VARIABLE2, TIFF_VARIABLE2, type, FIELD_CUSTOM, 1, 1, name};
    TIFFMergeFieldInfo(tiff, &field, 1);
    EXPECT_EQ(TIFFSetField(tiff, tag, static_cast<std::uint32_t>(values.size()), values.data()), 1) << tag;
}

void writePage(TIFF* tiff, std::uint32_t width, std::uint32_t height, int page) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
    std::vector<std::uint8_t> row(width);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            row[x] = static_cast<std::uint8_t>(x * 7 + y * 3 + static_cast<std::uint32_t>(page));
        }
        TIFFWriteScanline(tiff, row.data(), y);
    }
    TIFFWriteDirectory(tiff);
}

void writePages(const std::filesystem::path& path, int pages, const SetTags& setTags) {
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    for (int page = 0; page < pages; ++page) {
        setTags(tiff, page);
        writePage(tiff, kWidth, kHeight, page);
    }
    TIFFClose(tiff);
}

std::string ome(const std::string& attributes, const std::string& channels = "") {
    return R"(<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">)"
           R"(<Pixels ID="Pixels:0" Type="uint8" SizeX="24" SizeY="16" )" +
           attributes + ">" + channels + "<TiffData/></Pixels></Image></OME>";
}

SetTags described(std::string text, double x = 72, double y = 72, std::uint16_t unit = RESUNIT_INCH) {
    return [=](TIFF* tiff, int page) {
        setResolution(tiff, x, y, unit);
        if (page == 0) {
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
        }
    };
}

/// Georeferencing, projected (metres) or geographic (degrees).
void setMap(TIFF* tiff, bool projected) {
    const double side = projected ? 10 : 0.001;
    setArray<double>(tiff, kModelPixelScaleTag, TIFF_DOUBLE, {side, 2 * side, 0});
    setArray<double>(tiff, kModelTiepointTag, TIFF_DOUBLE,
                     {0, 0, 0, projected ? 500000.0 : 8, projected ? 5.4e6 : 48, 0});
    setArray<std::uint16_t>(tiff, kGeoKeyDirectoryTag, TIFF_SHORT,
                            projected ? std::vector<std::uint16_t>{1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632}
                                      : std::vector<std::uint16_t>{1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326});
}

/// ImageJ's block of page labels, in little-endian order.
void setImageJLabels(TIFF* tiff, const std::vector<std::string>& labels) {
    std::vector<std::uint8_t> block;
    const auto add = [&](std::uint32_t value) {
        for (int i = 0; i < 4; ++i) {
            block.push_back(static_cast<std::uint8_t>(value >> 8 * i));
        }
    };
    add(0x494a494a);
    add(0x6c61626c);
    add(static_cast<std::uint32_t>(labels.size()));
    std::vector<std::uint32_t> sizes = {static_cast<std::uint32_t>(block.size())};
    for (const std::string& label : labels) {
        for (const char c : label) {
            block.push_back(static_cast<std::uint8_t>(c));
            block.push_back(0);
        }
        sizes.push_back(static_cast<std::uint32_t>(2 * label.size()));
    }
    setArray(tiff, 50838, TIFF_LONG, sizes);
    setArray(tiff, 50839, TIFF_BYTE, block);
}

void writePyramid(const std::filesystem::path& path) {
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                 ome(R"(PhysicalSizeX="0.5" PhysicalSizeY="0.25" PhysicalSizeZ="3")").c_str());
    setResolution(tiff, 300, 300, RESUNIT_INCH);
    writePage(tiff, kWidth, kHeight, 0);
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    writePage(tiff, kWidth / 2, kHeight / 2, 0);
    TIFFClose(tiff);
}

void writePngOf(const std::filesystem::path& path, double micrometres) {
    const auto writer =
        makeRgbWriter(path, RgbFormat::png, kWidth, kHeight, PixelSize{micrometres, 2 * micrometres, "µm", "", false});
    writer->write(std::vector<std::uint8_t>(std::size_t{kWidth} * kHeight * 3, 9));
    writer->finish();
}

void writeJpeg(const std::filesystem::path& path, std::uint16_t perCentimetre) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = kWidth;
    jpeg.image_height = kHeight;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg.density_unit = 2;
    jpeg.X_density = perCentimetre;
    jpeg.Y_density = perCentimetre;
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<JSAMPLE> pixels(kWidth, 90);
    for (std::uint32_t y = 0; y < kHeight; ++y) {
        JSAMPROW row = pixels.data();
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::fclose(file);
}

std::string bigEndian(std::uint32_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) {
        text += static_cast<char>(value >> 8 * i);
    }
    return text;
}

/// A JP2 file with a capture resolution of 5/2 * 10^6 px per metre vertically and 2 * 10^6 horizontally: 0.4 and 0.5
/// µm.
void writeJp2WithSize(const std::filesystem::path& path) {
    writeJp2(path, {.width = kWidth, .height = kHeight},
             [](int, std::uint32_t x, std::uint32_t y) { return static_cast<int>((x + y) % 256); });
    std::string bytes = readBytes(path);
    const std::size_t header = bytes.find("jp2h") - 4;
    ASSERT_LT(header, bytes.size());
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        length = length << 8 | static_cast<std::uint8_t>(bytes[header + i]);
    }
    const std::string capture = bigEndian(18, 4) + "resc" + bigEndian(5, 2) + bigEndian(2, 2) + bigEndian(2, 2) +
                                bigEndian(1, 2) + bigEndian(6, 1) + bigEndian(6, 1);
    const std::string box = bigEndian(26, 4) + "res " + capture;
    bytes.insert(header + length, box);
    bytes.replace(header, 4, bigEndian(length + 26, 4));
    writeBytes(path, bytes);
}

void writeFits(const std::filesystem::path& path, int planes) {
    std::string header;
    const auto card = [&](const std::string& text) { header += text + std::string(80 - text.size(), ' '); };
    const auto key = [&](const std::string& name, const std::string& value) {
        card(name + std::string(8 - name.size(), ' ') + "= " + value);
    };
    key("SIMPLE", "                   T");
    key("BITPIX", "                   8");
    key("NAXIS", planes > 1 ? "                   3" : "                   2");
    key("NAXIS1", "                  24");
    key("NAXIS2", "                  16");
    if (planes > 1) {
        key("NAXIS3", "                   " + std::to_string(planes));
    }
    key("CTYPE1", "'RA---TAN'");
    key("CTYPE2", "'DEC--TAN'");
    key("CDELT1", "              -0.0001");
    key("CDELT2", "               0.0003");
    card("END");
    const auto padded = [](std::string block, char filling) {
        return block + std::string((2880 - block.size() % 2880) % 2880, filling);
    };
    writeBytes(path,
               padded(header, ' ') +
                   padded(std::string(std::size_t{kWidth} * kHeight * static_cast<std::size_t>(planes), 'x'), '\0'));
}

bool reads(const std::string& format) {
    const auto formats = readableFormats();
    return std::any_of(formats.begin(), formats.end(),
                       [&](const FormatFilter& filter) { return filter.name == format; });
}

/// A file of one reader, and its expected facts.
struct Source {
    std::string name;
    std::function<void(const std::filesystem::path&)> write;
    std::optional<PixelSize> size = {}; ///< of a pixel at full resolution
    std::string channel = {};           ///< of the first page
    ReadOptions options = {};
};

Source tiff(const std::string& name, int pages, const SetTags& setTags, std::optional<PixelSize> size,
            const std::string& channel = {}) {
    return {name + ".tif",
            [=](const std::filesystem::path& path) { writePages(path, pages, setTags); },
            std::move(size),
            channel,
            {}};
}

Source byHand(Source source, const std::string& name, const PixelSize& size) {
    source.name = name + ".tif";
    source.options.pixelSize = size;
    source.size = size;
    return source;
}

PixelSize micrometres(double x, double y, double z = 0) { return {x, y, "µm", "", false, z}; }

std::vector<Source> allSources() {
    constexpr double kPrinted = 25400.0 / 300;
    const std::string named = R"(<Channel ID="c" Name="DAPI"/>)";
    const std::string size = R"(PhysicalSizeX="0.325" PhysicalSizeY="0.3333" PhysicalSizeZ="2" )";
    std::vector<Source> sources;
    const auto add = [&](Source source) { sources.push_back(std::move(source)); };
    add(tiff(
        "nothing", 1, [](TIFF*, int) {}, std::nullopt));
    add(tiff(
        "cm", 1, [](TIFF* t, int) { setResolution(t, 40000, 30000, RESUNIT_CENTIMETER); }, micrometres(0.25, 1.0 / 3)));
    add(tiff(
        "inch", 1, [](TIFF* t, int) { setResolution(t, 25400, 50800, RESUNIT_INCH); }, micrometres(1, 0.5)));
    add(tiff(
        "print", 1, [](TIFF* t, int) { setResolution(t, 300, 300, RESUNIT_INCH); },
        PixelSize{kPrinted, kPrinted, "µm", "", true}));
    add(tiff("ome-72-dpi", 1, described(ome(size, named)), micrometres(0.325, 0.3333, 2), "DAPI"));
    add(tiff("ome-like-print", 1, described(ome(R"(PhysicalSizeX="100" PhysicalSizeY="100" )")),
             micrometres(100, 100)));
    add(tiff("ome-nm", 1,
             described(ome(R"(PhysicalSizeX="65" PhysicalSizeXUnit="nm" PhysicalSizeY="65" PhysicalSizeYUnit="nm" )")),
             micrometres(0.065, 0.065)));
    add(tiff("ome-stack", 6,
             described(ome(size + R"(DimensionOrder="XYZCT" SizeC="2" SizeZ="3" SizeT="1")",
                           R"(<Channel ID="c" Name="DAPI"/><Channel ID="d" Name="GFP"/>)")),
             micrometres(0.325, 0.3333, 2), "DAPI"));
    add(tiff("imagej", 1, described("ImageJ=1.53t\nunit=micron\nspacing=0.5\n", 8, 4, RESUNIT_NONE),
             micrometres(0.125, 0.25, 0.5)));
    add(tiff(
        "imagej-stack", 4,
        [](TIFF* t, int page) {
            described("ImageJ=1.53t\nimages=4\nchannels=2\nframes=2\nhyperstack=true\nunit=mm\n", 50, 50,
                      RESUNIT_NONE)(t, page);
            if (page == 0) {
                setImageJLabels(t, {"red dye", "blue dye", "red dye", "blue dye"});
            }
        },
        micrometres(20, 20), "red dye"));
    add(tiff("aperio", 1, described("Aperio Image Library v1\r\n24x16|AppMag = 20|MPP = 0.4990|Left = 1"),
             micrometres(0.499, 0.499)));
    add(tiff(
        "plain-stack", 3, [](TIFF* t, int) { setResolution(t, 50000, 50000, RESUNIT_CENTIMETER); },
        micrometres(0.2, 0.2)));
    add(tiff(
        "projected", 1,
        [](TIFF* t, int) {
            setResolution(t, 72, 72, RESUNIT_INCH);
            setMap(t, true);
        },
        PixelSize{10, 20, "m", "", false}));
    add(tiff(
        "geographic", 1, [](TIFF* t, int) { setMap(t, false); }, PixelSize{0.001, 0.002, "°", "", false}));
    add(tiff(
        "ome-on-a-map", 1,
        [](TIFF* t, int page) {
            described(ome(R"(PhysicalSizeX="5" PhysicalSizeY="5" )"))(t, page);
            setMap(t, true);
        },
        micrometres(5, 5)));
    add({"pyramid.tif", writePyramid, micrometres(0.5, 0.25, 3), {}, {}});
    add({"scene.png", [](const auto& path) { writePngOf(path, 0.5); }, micrometres(0.5, 1), {}, {}});
    add({"print.png", [](const auto& path) { writePngOf(path, 100); }, PixelSize{100, 200, "µm", "", true}, {}, {}});
    add({"scene.jpg", [](const auto& path) { writeJpeg(path, 20000); }, micrometres(0.5, 0.5), {}, {}});
    add({"print.jpg", [](const auto& path) { writeJpeg(path, 100); }, PixelSize{100, 100, "µm", "", true}, {}, {}});
    add({"scene.jp2", writeJp2WithSize, micrometres(0.5, 0.4), {}, {}});
    if (reads("FITS")) {
        add({"sky.fits",
             [](const auto& path) { writeFits(path, 1); },
             PixelSize{0.36, 1.08, "arcsec", "", false},
             {},
             {}});
        add({"cube.fits",
             [](const auto& path) { writeFits(path, 4); },
             PixelSize{0.36, 1.08, "arcsec", "", false},
             {},
             {}});
    }
    const std::string voxels(std::size_t{kWidth} * kHeight * 3, 'x');
    add({"head.nii",
         [=](const auto& path) {
             const NiftiHeader header{.dim = {kWidth, kHeight, 3}, .pixdim = {1, 0.5, 0.75, 2}, .xyztUnits = 2};
             writeBytes(path, header.bytes() + voxels);
         },
         micrometres(500, 750, 2000),
         {},
         {}});
    add({"cell.nrrd",
         [=](const auto& path) {
             writeBytes(path, "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 24 16 3\nspacings: 0.5 0.75 2\n"
                              "units: \"nm\" \"nm\" \"nm\"\nencoding: raw\n\n" +
                                  voxels);
         },
         micrometres(5e-4, 7.5e-4, 2e-3),
         {},
         {}});
    add({"head.mha",
         [=](const auto& path) {
             writeBytes(path, "NDims = 3\nDimSize = 24 16 3\nElementType = MET_UCHAR\nElementSpacing = 0.5 0.75 2\n"
                              "ElementDataFile = LOCAL\n" +
                                  voxels);
         },
         micrometres(500, 750, 2000),
         {},
         {}});
    const auto sourceNamed = [&](const char* name) {
        return *std::find_if(sources.begin(), sources.end(), [&](const Source& s) { return s.name == name; });
    };
    add(byHand(sourceNamed("print.tif"), "print-by-hand", micrometres(0.7, 0.9)));
    add(byHand(sourceNamed("projected.tif"), "map-by-hand", {30, 30, "m", "", false}));
    add(byHand(sourceNamed("geographic.tif"), "degrees-by-hand", micrometres(2e6, 3e6)));
    add(byHand(sourceNamed("ome-stack.tif"), "stack-by-hand", micrometres(100, 100, 7)));
    add(byHand(sourceNamed("cm.tif"), "sky-by-hand", {2, 2, "arcsec", "", false}));
    return sources;
}

/// One way to read a source.
struct Part {
    std::string name;
    std::optional<PixelRegion> region;
    int shrink = 1;
    int level = 0;
};

std::vector<Part> partsOf(const ImageInfo& info) {
    std::vector<Part> parts = {{"whole", {}, 1, 0}, {"crop", PixelRegion{3, 5, 10, 8}, 1, 0}, {"shrink", {}, 3, 0}};
    if (info.levels.size() > 1) {
        parts.push_back({"level", {}, 1, 1});
    }
    return parts;
}

std::string factOf(const ImageInfo& info, const std::string& name) {
    for (const auto& [label, text] : info.facts) {
        if (label == name) {
            return text;
        }
    }
    return {};
}

/// Name of the page's channel, by counting pages one by one.
std::string channelOf(const ImageInfo& info) {
    std::vector<int> position(info.axes.size(), 0);
    for (int page = 0; page < info.page; ++page) {
        for (std::size_t i = 0; i < position.size(); ++i) {
            if (++position[i] < info.axes[i].count) {
                break;
            }
            position[i] = 0;
        }
    }
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (info.axes[i].name == 'c' && !info.axes[i].labels.empty()) {
            return info.axes[i].labels[static_cast<std::size_t>(position[i])];
        }
    }
    return factOf(info, kChannelFact);
}

void expectNear(double found, double wanted) { EXPECT_NEAR(found, wanted, kTolerance * std::abs(wanted)); }

/// Micrometres per unit of length; NaN for others, which equals nothing.
double inMicrometres(const std::string& unit) {
    return micrometresOf(unit).value_or(std::numeric_limits<double>::quiet_NaN());
}

void expectSameSize(const std::optional<PixelSize>& found, const std::optional<PixelSize>& wanted) {
    ASSERT_EQ(found.has_value(), wanted.has_value());
    if (wanted) {
        // ImageJ's lengths are read in µm, for any written unit.
        const double unit = found->unit == wanted->unit ? 1 : inMicrometres(found->unit) / inMicrometres(wanted->unit);
        EXPECT_EQ(found->print, wanted->print);
        expectNear(found->x * unit, wanted->x);
        expectNear(found->y * unit, wanted->y);
        expectNear(found->z * unit, wanted->z);
    }
}

/// Expected size in a written file: unchanged, except for a print resolution that shrinking reduces below 72 dpi, which
/// would be read as the size of the scene.
std::optional<PixelSize> writtenSize(const ImageInfo& before) {
    const auto& size = before.pixelSize;
    return size && size->print && std::max(size->x, size->y) > 25400 / 71.9 ? std::nullopt : size;
}

void expectSameScene(const ImageInfo& after, const ImageInfo& before) {
    expectSameSize(after.pixelSize, writtenSize(before));
    // Facts of a file refer to its page; tags refer to the part read.
    ImageInfo place;
    place.carried = before.carried;
    describeGeoTags(place);
    for (const char* fact : {"Coordinate system", "Upper left corner", "Map units per pixel"}) {
        EXPECT_EQ(factOf(after, fact), factOf(place, fact)) << fact;
    }
}

/// Writes a result of the image, with the source's pages if there are several.
struct Writer {
    std::string name;
    std::function<void(const std::filesystem::path&, const LoadedImage&)> write;
    int bits = 8; ///< of the samples written
};

Components labelledAs(const Image& image, std::uint32_t label) {
    Components components;
    components.width = image.width();
    components.height = image.height();
    components.count = label;
    components.labels = Buffer<std::uint32_t>(image.pixelCount());
    std::fill(components.labels.begin(), components.labels.end(), label);
    return components;
}

Writer objectLabels(std::uint32_t label, int bits) {
    return {"object labels",
            [=](const auto& path, const LoadedImage& loaded) {
                writeObjectLabels(path, labelledAs(*loaded.image, label), std::vector{label},
                                  resultFacts(loaded.info, ResultValues::others));
            },
            bits};
}

std::vector<Writer> onePageWriters() {
    const auto values = [](const char* name, ResultValues kind) {
        return Writer{name, [=](const auto& path, const LoadedImage& loaded) {
                          writeResult(path, resultPlane(*loaded.image, loaded, kind), {});
                      }};
    };
    return {values("filtered", ResultValues::levels),
            values("residue", ResultValues::differences),
            values("mask", ResultValues::others),
            {"16 bits",
             [](const auto& path, const LoadedImage& loaded) {
                 writeTiff(path, {Image(PixelType::u16, loaded.image->width(), loaded.image->height()),
                                  resultFacts(loaded.info, ResultValues::levels)});
             },
             16},
            {"parent image",
             [](const auto& path, const LoadedImage& loaded) {
                 writeTiff(path, {measuredRowsOf(std::vector<std::uint32_t>(loaded.image->pixelCount(), 70000),
                                                 loaded.image->extent()),
                                  resultFacts(loaded.info, ResultValues::others)});
             },
             32},
            objectLabels(7, 16),
            objectLabels(70000, 32),
            {"contour mask", [](const auto& path, const LoadedImage& loaded) {
                 ContourOutput output;
                 output.contours = {{{0, 0}, {4, 0}, {4, 4}}};
                 output.width = loaded.image->width();
                 output.height = loaded.image->height();
                 output.mask = resultFacts(loaded.info, ResultValues::others);
                 writeContourFile(ContourFile::mask, path, output);
             }}};
}

ImageInfo infoOf(const std::filesystem::path& path, ReadOptions options, int page) {
    options.page = page;
    return readImageInfo(path, options);
}

TEST(TrueSizes, OfEverySourceAreInEveryWrittenFile) {
    const TempDir dir;
    for (const Source& source : allSources()) {
        source.write(dir / source.name);
        const int pages = readImageInfo(dir / source.name, source.options).pages;
        for (const Part& part : partsOf(readImageInfo(dir / source.name, source.options))) {
            ReadOptions options = source.options;
            options.region = part.region;
            options.shrink = part.shrink;
            options.level = part.level;
            for (const int page : {0, pages - 1}) {
                SCOPED_TRACE(source.name + ", " + part.name + ", page " + std::to_string(page));
                options.page = page;
                const LoadedImage before = readImage(dir / source.name, options);
                const double scale = part.level > 0 ? 2 : part.shrink;
                auto wanted = source.size;
                if (wanted) {
                    wanted->x *= scale;
                    wanted->y *= scale;
                }
                expectSameSize(before.info.pixelSize, wanted);
                if (page == 0) {
                    EXPECT_EQ(channelOf(before.info), source.channel);
                }
                for (const Writer& writer : onePageWriters()) {
                    SCOPED_TRACE(writer.name);
                    writer.write(dir / "out.tif", before);
                    const ImageInfo after = readImageInfo(dir / "out.tif");
                    EXPECT_EQ(after.bits, writer.bits);
                    EXPECT_EQ(after.pages, 1);
                    EXPECT_THAT(after.axes, ::testing::IsEmpty());
                    EXPECT_THAT(after.notes, ::testing::IsEmpty());
                    expectSameScene(after, before.info);
                    EXPECT_EQ(channelOf(after), channelOf(before.info));
                }
            }
        }
    }
}

TEST(TrueSizes, OfEverySourceAreInFilesWithSeveralPages) {
    const TempDir dir;
    for (const Source& source : allSources()) {
        SCOPED_TRACE(source.name);
        source.write(dir / source.name);
        const LoadedImage first = readImage(dir / source.name, source.options);
        const int pages = first.info.pages;

        writeTiff(dir / "all.tif",
                  {pages,
                   [&](int page, const JobControl&) {
                       ReadOptions options = source.options;
                       options.page = page;
                       const LoadedImage loaded = readImage(dir / source.name, options);
                       return Plane{ownedRows(loaded.image),
                                    resultFacts(loaded.info, ResultValues::levels, ResultPages::all)};
                   }},
                  {.arePages = true});
        for (int page = 0; page < pages; ++page) {
            const ImageInfo before = infoOf(dir / source.name, source.options, page);
            const ImageInfo after = infoOf(dir / "all.tif", {}, page);
            EXPECT_EQ(after.pages, pages);
            EXPECT_EQ(after.axes, before.axes);
            EXPECT_EQ(channelOf(after), channelOf(before));
            EXPECT_THAT(after.notes, ::testing::IsEmpty());
            expectSameScene(after, before);
        }

        // With the source's number of pages, or another: the pages of a profile are not the source's.
        for (const int thresholds : {2, pages, 7}) {
            writeTiff(dir / "profile.tif",
                      {thresholds,
                       [&](int, const JobControl&) {
                           return Plane{ownedRows(first.image), resultFacts(first.info, ResultValues::levels)};
                       }},
                      {.arePages = true});
            for (int page = 0; page < thresholds; ++page) {
                const ImageInfo after = infoOf(dir / "profile.tif", {}, page);
                EXPECT_EQ(after.axes,
                          thresholds > 1 ? std::vector<StackAxis>({{'p', thresholds, {}}}) : std::vector<StackAxis>());
                EXPECT_THAT(after.notes, ::testing::IsEmpty());
                expectSameScene(after, first.info);
            }
        }
    }
}

/// Other programs may read only the tags.
TEST(TrueSizes, StaleResolutionsAreNotHandedOn) {
    const TempDir dir;
    for (const Source& source : allSources()) {
        if (!source.size || source.size->print || (source.size->unit != "µm" && source.size->unit != "m")) {
            continue;
        }
        SCOPED_TRACE(source.name);
        source.write(dir / source.name);
        const LoadedImage before = readImage(dir / source.name, source.options);
        writeTiff(dir / "out.tif", {*before.image, resultFacts(before.info, ResultValues::levels)});
        TIFF* file = TIFFOpen((dir / "out.tif").c_str(), "r");
        ASSERT_NE(file, nullptr);
        float x = 0;
        float y = 0;
        std::uint16_t unit = 0;
        ASSERT_EQ(TIFFGetField(file, TIFFTAG_XRESOLUTION, &x), 1);
        ASSERT_EQ(TIFFGetField(file, TIFFTAG_YRESOLUTION, &y), 1);
        ASSERT_EQ(TIFFGetField(file, TIFFTAG_RESOLUTIONUNIT, &unit), 1);
        TIFFClose(file);
        EXPECT_EQ(unit, RESUNIT_NONE) << "ImageJ writes its units so";
        expectNear(static_cast<double>(x), 1 / before.info.pixelSize->x);
        expectNear(static_cast<double>(y), 1 / before.info.pixelSize->y);
    }
}

TEST(TrueSizes, SurviveAsManyFiltersAsOneLikes) {
    const TempDir dir;
    for (const Source& source : allSources()) {
        SCOPED_TRACE(source.name);
        source.write(dir / source.name);
        LoadedImage loaded = readImage(dir / source.name, source.options);
        const ImageInfo first = loaded.info;
        for (int round = 0; round < 4; ++round) {
            writeTiff(dir / "round.tif", {*loaded.image, resultFacts(loaded.info, ResultValues::levels)});
            loaded = readImage(dir / "round.tif");
        }
        expectSameScene(loaded.info, first);
        EXPECT_EQ(channelOf(loaded.info), channelOf(first));
    }
}

/// A size set by the user replaces the size in the file, but keeps an unset slice distance.
TEST(TrueSizes, ByHandKeepTheDistanceOfSlices) {
    const TempDir dir;
    writePages(dir / "s.tif", 1, described(ome(R"(PhysicalSizeX="1" PhysicalSizeY="1" PhysicalSizeZ="2.5")")));
    ReadOptions options;
    options.pixelSize = PixelSize{300, 300, "nm", "by hand", false};
    EXPECT_EQ(readImageInfo(dir / "s.tif", options).pixelSize, (PixelSize{300, 300, "nm", "by hand", false, 2500}));
    options.pixelSize->unit = "arcsec";
    EXPECT_EQ(readImageInfo(dir / "s.tif", options).pixelSize->z, 0);
    options.pixelSize->z = 4;
    EXPECT_EQ(readImageInfo(dir / "s.tif", options).pixelSize->z, 4);
}

TEST(TrueSizes, OfColourImagesAreReadBack) {
    const TempDir dir;
    for (const RgbFormat format : {RgbFormat::tiff, RgbFormat::png}) {
        for (const PixelSize& size : {micrometres(0.325, 0.325), micrometres(0.01, 0.02)}) {
            const auto writer = makeRgbWriter(dir / "c", format, 3, 2, size);
            writer->write(std::vector<std::uint8_t>(18, 5));
            writer->finish();
            const ImageInfo info = readImageInfo(dir / "c");
            EXPECT_EQ(info.samples, 3);
            EXPECT_THAT(info.notes, ::testing::Not(::testing::Contains(::testing::HasSubstr("OME"))));
            expectSameSize(info.pixelSize, size);
        }
        // No integer number of pixels per metre expresses this; TIFF has a description.
        const auto writer = makeRgbWriter(dir / "c", format, 3, 2, PixelSize{30, 30, "m", "", false});
        writer->write(std::vector<std::uint8_t>(18, 5));
        writer->finish();
        EXPECT_EQ(readImageInfo(dir / "c").pixelSize.has_value(), format == RgbFormat::tiff);
    }
}

TEST(Jp2Damaged, EveryCutOfTheResolutionIsHarmless) {
    const TempDir dir;
    writeJp2WithSize(dir / "whole.jp2");
    const std::string bytes = readBytes(dir / "whole.jp2");
    const std::size_t box = bytes.find("res ");
    for (std::size_t at = box - 4; at < box + 22; ++at) {
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string bad = bytes;
            bad[at] = value;
            writeBytes(dir / "bad.jp2", bad);
            (void)readFailure(dir / "bad.jp2");
        }
        writeBytes(dir / "bad.jp2", bytes.substr(0, at));
        EXPECT_TRUE(readFailure(dir / "bad.jp2"));
    }
}

} // namespace

} // namespace pollard::test
