// write_seeds DIR: small valid files of every format and kind as fuzzing seeds, in the folders image, nifti, nrrd,
// metaimage, dicom, gdal, vector, beside, criterion, part, tiles, zarr (zip files) and zarr_store. A last byte selects
// the read options (see fuzz_image.cpp): 0 for the defaults.
#ifdef POLLARD_WITH_GDAL
#include "core/io/gdal/gdal_files.hpp"
#endif
#include "core/io/io_jp2_variants.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "core/io/io_volume_files.hpp"
#include "core/io/volumes/dicom_encoder.hpp"
#include "core/io/volumes/dicom_files.hpp"

#include "chunks/chunk_trees.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/part_files.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/outlines.hpp"
#include "cpu/cpu_engine.hpp"
#include "formats/dicom/dicom_header.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "io/write/imagej_roi.hpp"

#ifdef POLLARD_WITH_ZARR
#include "zarr_seeds.hpp"
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <png.h>
#include <span>
#include <string>
#include <vector>
#include <webp/encode.h>

#include <jpeglib.h>

namespace {

namespace fs = std::filesystem;
using namespace pollard;
using test::TiffVariant;

class SeedFolder {
public:
    explicit SeedFolder(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }

    [[nodiscard]] fs::path next(const std::string& extension) {
        return folder_ / (std::to_string(count_++) + "." + extension);
    }
    /// Adds the byte for the read options.
    static void finish(const fs::path& path, char choice = 0) {
        std::ofstream(path, std::ios::binary | std::ios::app).put(choice);
    }
    void add(const std::string& extension, const std::string& bytes, char choice = 0) {
        const fs::path path = next(extension);
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        finish(path, choice);
    }

private:
    fs::path folder_;
    int count_ = 0;
};

std::vector<std::uint16_t> samplesFor(const TiffVariant& variant) {
    std::vector<std::uint16_t> samples(variant.sampleCount());
    const std::uint32_t mask = (1U << variant.bits) - 1;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = static_cast<std::uint16_t>((i * 2654435761U >> 9) & mask);
    }
    return samples;
}

void addTiff(SeedFolder& seeds, TiffVariant variant, std::size_t pages = 1) {
    variant.width = 19;
    variant.height = 11;
    const fs::path path = seeds.next("tif");
    test::writeVariant(path, variant, std::vector(pages, samplesFor(variant)));
    SeedFolder::finish(path, pages > 1 ? char{1} : char{0});
}

void addTiffs(SeedFolder& seeds) {
    for (const int scheme : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
                             COMPRESSION_ZSTD, COMPRESSION_LZMA}) {
        const auto compression = static_cast<std::uint16_t>(scheme);
        if (TIFFIsCODECConfigured(compression) != 0) {
            addTiff(seeds, {.bits = 16, .compression = compression});
            addTiff(seeds, {.compression = compression, .tile = 16, .bigTiff = true});
        }
    }
    for (const int bits : {1, 2, 4, 12}) {
        addTiff(seeds, {.bits = bits, .photometric = PHOTOMETRIC_MINISWHITE});
    }
    addTiff(seeds, {.bits = 1, .compression = COMPRESSION_CCITTFAX4});
    addTiff(seeds, {.compression = COMPRESSION_JPEG});
    addTiff(seeds, {.samples = 3, .photometric = PHOTOMETRIC_RGB, .separate = true});
    addTiff(seeds, {.bits = 16,
                    .samples = 4,
                    .photometric = PHOTOMETRIC_RGB,
                    .bigEndian = true,
                    .extraSamples = {EXTRASAMPLE_UNASSALPHA}});
    addTiff(seeds, {.photometric = PHOTOMETRIC_PALETTE, .palette = std::vector<std::uint16_t>(768, 300)});
    addTiff(seeds, {.bits = 16, .compression = COMPRESSION_LZW, .predictor = PREDICTOR_HORIZONTAL, .orientation = 6});
    addTiff(seeds, {}, 3);
    addTiff(seeds, {.bits = 16,
                    .description = "ImageJ=1.53t\nimages=1\nspacing=0.5\nunit=mm\ncf=0\nc0=-1024\nc1=0.5\n"
                                   "vunit=HU\nmin=3\nmax=90\n"});
    addTiff(seeds,
            {.bits = 16,
             .noData = "-9999",
             .metadata = R"(<Item name="SCALE" sample="0" role="scale">0.1</Item><Item name="OFFSET" sample="0")"
                         R"( role="offset">-5</Item><Item name="UNITTYPE" sample="0" role="unittype">m</Item>)"});
}

void addJpeg(SeedFolder& seeds, bool colour) {
    const fs::path path = seeds.next("jpg");
    std::FILE* file = std::fopen(path.c_str(), "wb");
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = 20;
    jpeg.image_height = 12;
    jpeg.input_components = colour ? 3 : 1;
    jpeg.in_color_space = colour ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    if (colour) {
        jpeg_simple_progression(&jpeg);
    }
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<JSAMPLE> row(60);
    for (int y = 0; y < 12; ++y) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = static_cast<JSAMPLE>(i * 7 + static_cast<std::size_t>(y) * 13);
        }
        JSAMPROW pointer = row.data();
        jpeg_write_scanlines(&jpeg, &pointer, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::fclose(file);
    SeedFolder::finish(path);
}

/// An image of 8 x 5 values after the header; blocks of 2880 bytes.
void addFits(SeedFolder& seeds, int bits, const std::vector<std::string>& further) {
    std::string header;
    const auto card = [&header](std::string text) {
        text.resize(80, ' ');
        header += text;
    };
    card("SIMPLE  =                    T");
    card("BITPIX  = " + std::string(bits < 0 || bits > 9 ? 17 : 19, ' ') + std::to_string(bits));
    card("NAXIS   =                    2");
    card("NAXIS1  =                    8");
    card("NAXIS2  =                    5");
    std::ranges::for_each(further, card);
    card("END");
    header.resize(2880, ' ');
    std::string data(40 * static_cast<std::size_t>(std::abs(bits)) / 8, 'B');
    data.resize(2880, '\0');
    seeds.add("fits", header + data);
    seeds.add("fits.gz", test::deflated(header + data, true));
}

void addWebP(SeedFolder& seeds) {
    std::vector<std::uint8_t> rgba(std::size_t{9} * 7 * 4);
    for (std::size_t i = 0; i < rgba.size(); ++i) {
        rgba[i] = static_cast<std::uint8_t>(i * 29);
    }
    std::uint8_t* encoded = nullptr;
    for (const bool lossless : {true, false}) {
        const std::size_t bytes = lossless ? WebPEncodeLosslessRGBA(rgba.data(), 9, 7, 36, &encoded)
                                           : WebPEncodeRGBA(rgba.data(), 9, 7, 36, 60, &encoded);
        seeds.add("webp", std::string(reinterpret_cast<const char*>(encoded), bytes));
        WebPFree(encoded);
    }
}

void addJpeg2000(SeedFolder& seeds) {
    const auto add = [&seeds](const char* extension, const test::Jp2Variant& variant) {
        const fs::path path = seeds.next(extension);
        test::writeJp2(path, variant, [&variant](int component, std::uint32_t x, std::uint32_t y) {
            return static_cast<int>((x * 7 + y * 13 + static_cast<std::uint32_t>(component) * 50) %
                                    (1U << variant.bits));
        });
        SeedFolder::finish(path);
    };
    add("jp2", {.width = 20, .height = 12});
    add("jp2", {.width = 20, .height = 12, .bits = 16, .tile = 16});
    add("jp2", {.width = 20, .height = 12, .components = 4, .space = OPJ_CLRSPC_SRGB, .alpha = 3});
    add("j2k", {.width = 20, .height = 12, .bits = 12, .codestream = true, .offset = 5});
}

void addOthers(SeedFolder& seeds) {
    for (const png_uint_32 format : std::array<png_uint_32, 2>{PNG_FORMAT_GRAY, PNG_FORMAT_LINEAR_Y}) { // 8 and 16 bits
        std::array<std::byte, 2 * 17 * 9> samples{};
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i] = static_cast<std::byte>(i * 37);
        }
        png_image header{};
        header.version = PNG_IMAGE_VERSION;
        header.width = 17;
        header.height = 9;
        header.format = format;
        const fs::path path = seeds.next("png");
        png_image_write_to_file(&header, path.c_str(), 0, samples.data(), 0, nullptr);
        SeedFolder::finish(path);
    }
    addJpeg(seeds, false);
    addJpeg(seeds, true);
    seeds.add("pbm", "P1\n# a comment\n3 2\n1 0 1\n0 1 0\n");
    seeds.add("pgm", "P2\n3 2\n999\n1 2 3\n997 998 999\n");
    seeds.add("ppm", "P3\n2 1\n255\n1 2 3 4 5 6\n");
    seeds.add("pbm", std::string("P4\n9 2\n\xf0\x80\x0f\x00", 12));
    seeds.add("pgm", "P5\n3 2\n65535\nabcdefghijkl");
    seeds.add("ppm", "P6\n2 1\n255\nabcdef");
    seeds.add("pfm", "Pf\n2 1\n-1.0\nabcdefgh");
    for (const std::string array :
         {"'<i8', 'fortran_order': False, 'shape': (2, 3), }", "'>u2', 'fortran_order': True, 'shape': (2, 3, 5), }",
          "'<f4', 'fortran_order': False, 'shape': (3, 1, 5), }"}) {
        const std::string header = "{'descr': " + array + "\n";
        seeds.add("npy", std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header +
                             std::string(60, 'A'));
    }
    addFits(seeds, 8, {"BZERO   =                 -128"});
    addFits(seeds, 16, {"BZERO   =                32768"});
    addFits(seeds, -32, {"OBJECT  = 'a star'"});
    addFits(seeds, 16,
            {"BSCALE  =                  0.5", "BUNIT   = 'Jy/beam '",           "BLANK   =               -32768",
             "CTYPE1  = 'RA---TAN-SIP'",       "CTYPE2  = 'DEC--TAN-SIP'",       "CRPIX1  =                  4.5",
             "CRPIX2  =                    3", "CRVAL1  =                202.5", "CRVAL2  =                 47.2",
             "CD1_1   =             -1.0E-03", "CD1_2   =              2.0E-04", "CD2_1   =              2.0E-04",
             "CD2_2   =              1.0E-03", "A_ORDER =                    2", "B_ORDER =                    2",
             "A_2_0   =              1.0E-06", "B_0_2   =              1.0E-06", "RADESYS = 'FK5     '",
             "EQUINOX =               2000.0", "LONPOLE =                180.0", "MJD-OBS =              60000.5"});
    addFits(seeds, -64,
            {"CTYPE1  = 'GLON-CAR'", "CTYPE2  = 'GLAT-CAR'", "CDELT1  =                 -0.1",
             "CDELT2  =                  0.1", "CROTA2  =                 30.0", "PC1_1   =                  0.5",
             "PV2_1   =                  1.5", "CUNIT1  = 'deg     '", "CUNIT2  = 'deg     '"});
    addWebP(seeds);
    addJpeg2000(seeds);
    seeds.add("raw", std::string(7 * 5 * 4 + 1, 'G'), static_cast<char>(128 + 1));
}

/// The last byte also chooses pages, percentiles and all channels.
constexpr char kAllChannels = 68;

void addNifti(SeedFolder seeds) {
    for (const int version : {1, 2}) {
        const auto add = [&](test::NiftiHeader header, int datatype, std::size_t bytes, char choice) {
            header.version = version;
            header.datatype = datatype;
            const std::string file = header.bytes() + std::string(bytes * 60, 'A');
            seeds.add("nii", file, choice);
            seeds.add("nii.gz", test::deflated(file, true), choice);
        };
        add({}, 2, 1, 0);
        add({.bigEndian = true, .xyztUnits = 10, .sform = 1, .srow = {1, 0, 0, 5, 0, 1, 0, 5, 0, 0, 1, 5}}, 4, 2, 1);
        add({.slope = 0.5, .inter = -3, .qform = 1, .quaternion = {0, 0, 1, 0, 0, 0}}, 512, 2, 2);
        add({.dim = {5, 4, 1, 3}, .slope = -1}, 16, 4, 64);
        add({}, 128, 3, kAllChannels);
        add({.dim = {5, 4, 1, 1, 3}}, 1280, 8, 8);
    }
}

void addNrrd(SeedFolder seeds) {
    const auto add = [&](const std::string& fields, const std::string& data, char choice) {
        seeds.add("nrrd", "NRRD0005\n" + fields + "\n" + data, choice);
    };
    const std::string data(240, 'B');
    const std::string cube = "dimension: 3\nsizes: 5 4 3\nendian: big\n";
    add("type: uchar\nencoding: raw\n" + cube, data, 0);
    add("type: float\nencoding: gzip\nspacings: 1 2 3\nbyte skip: 2\n" + cube, test::deflated("xx" + data, true), 65);
    add("type: short\nencoding: hex\n" + cube, std::string(240, 'b'), 2);
    add("type: int\nencoding: text\n" + cube, std::string(60, '7') + " 1 -2, 3\n", 0);
    add("type: short\nencoding: raw\nsample units: \"HU\"\nspace: RAS\nspace origin: (1,-2,3)\n"
        "space directions: (0.5,0.1,0) (-0.1,0.5,0) (0,0,-2)\n" +
            cube,
        data, 1);
    add("type: ushort\nencoding: raw\ndata file: 3\nline skip: 4\nbyte skip: -1\n" + cube, data, 1);
    add("type: uchar\nencoding: raw\ndimension: 4\nsizes: 3 5 4 2\nkinds: RGB-color space space time\n"
        "space: left-posterior-superior\nspace directions: none (1,0,0) (0,1,0) none\nspace units: \"mm\" \"mm\"\n",
        data, kAllChannels);
}

void addMetaImage(SeedFolder seeds) {
    const auto add = [&](const std::string& entries, const std::string& data, char choice) {
        seeds.add("mha", "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\n" + entries + "\n" + data, choice);
    };
    const std::string data(480, 'C');
    add("ElementType = MET_UCHAR\nElementDataFile = LOCAL", data, 0);
    add("ElementType = MET_DOUBLE\nCompressedData = True\nElementDataFile = LOCAL", test::deflated(data, false), 65);
    add("ElementType = MET_SHORT\nBinaryData = False\nElementDataFile = LOCAL", std::string(120, ' ') + "1 2 3", 2);
    add("ElementType = MET_FLOAT\nHeaderSize = -1\nElementSpacing = 1 2 3\nElementDataFile = 3", data, 1);
    add("ElementType = MET_SHORT\nElementToIntensityFunctionSlope = -0.5\nElementToIntensityFunctionOffset = 7\n"
        "TransformMatrix = 0 1 0 -1 0 0 0 0 1\nOffset = 5 6 7\nAnatomicalOrientation = ALI\nDistanceUnits = mm\n"
        "ElementSpacing = 0.5 0.75 2\nElementDataFile = LOCAL",
        data, 1);
    add("ElementType = MET_USHORT\nElementNumberOfChannels = 3\nBinaryDataByteOrderMSB = True\n"
        "TransformMatrix = 1 0 0 0 1 0 0 0 1\nElementDataFile = LOCAL",
        data, kAllChannels);
    add("ElementType = MET_UCHAR\nTransformMatrix = 0 0 0 0 0 0 0 0 0\nAnatomicalOrientation = RPI\n"
        "ElementDataFile = LOCAL",
        data, 0);
}

void addDicom(SeedFolder seeds) {
    const auto add = [&](const test::DicomFile& file, char choice) { seeds.add("dcm", file.bytes(), choice); };
    add(test::dicomImage(5, 4, 8, false, std::string(60, 'D'), 3), 2);
    add(test::dicomImage(5, 4, 32, true, std::string(240, 'D'), 3), 65);
    add(test::dicomSlice(3, 300).number(0x00280101, 12).number(0x00280102, 11).text(0x00281053, "DS", "-2"), 0);
    add(test::dicomSlice(3, 300).text(0x00280004, "CS", "MONOCHROME1"), 8);
    add(test::dicomSlice(3, 300).number(0x00280120, 300).number(0x00280121, 301).text(0x00281052, "DS", "-1024"), 0);
    test::DicomFile real = test::dicomImage(5, 4, 32, false, "");
    real.elements.erase(kDicomPixels);
    real.text(0x00280122, "FL", "DDDD")
        .text(0x00280124, "FL", "EEEE")
        .text(kDicomFloatPixels, "OF", std::string(80, 'D'));
    add(real, 64);
    test::DicomFile colour = test::dicomImage(5, 4, 8, false, std::string(60, 'D'));
    colour.number(0x00280002, 3).text(0x00280004, "CS", "YBR_FULL").number(0x00280006, 1);
    add(colour, kAllChannels);
    test::DicomFile palette = test::dicomImage(5, 4, 8, false, std::string(20, 'D'));
    palette.text(0x00280004, "CS", "PALETTE COLOR");
    for (std::uint32_t c = 0; c < 3; ++c) {
        palette.text(0x00281101 + c, "US", std::string("\2\0\5\0\20\0", 6)).text(0x00281201 + c, "OW", "abcd");
    }
    add(palette, 4);
    for (const bool open : {false, true}) {
        test::DicomFile frames = test::dicomImage(2, 2, 16, true, std::string(24, 'D'), 3);
        frames.syntax = open ? test::kExplicitSyntax : test::kImplicitSyntax;
        frames.open = open;
        std::vector<std::string> places;
        for (const char* place : {"0\\0\\2", "0\\0\\1", "0\\0\\4"}) {
            places.push_back(frames.group(0x00209113, frames.inner(0x00200032, "DS", place)));
        }
        frames.sequence(0x52009229, {frames.group(0x00209116, frames.inner(0x00200037, "DS", "1\\0\\0\\0\\1\\0"))});
        frames.sequence(0x52009230, places);
        add(frames, 1);
    }
    const fs::path codestream = seeds.next("j2k");
    test::writeJp2(codestream, {.width = 40, .height = 33, .codestream = true},
                   [](int, std::uint32_t x, std::uint32_t y) { return static_cast<int>(x + y); });
    std::ifstream file(codestream, std::ios::binary);
    const std::string frame{std::istreambuf_iterator<char>(file), {}};
    fs::remove(codestream);
    test::DicomFile packed = test::dicomImage(40, 33, 8, false, "", 2);
    packed.fragments({frame, frame}).syntax = "1.2.840.10008.1.2.4.90";
    add(packed, 1);
#ifdef POLLARD_WITH_DCMTK
    for (const char* syntax :
         {"1.2.840.10008.1.2.5", "1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.70", "1.2.840.10008.1.2.4.80"}) {
        const auto plain = test::dicomImage(16, 9, 8, false, std::string(288, 'D'), 2).bytes();
        seeds.add("dcm", test::encodedDicom(plain, syntax), 1);
    }
#endif
}

/// Texts of fuzz_criterion.cpp.
void addTexts(const fs::path& folder) {
    fs::create_directories(folder);
    int count = 0;
    for (const char* text : {"area>=300",
                             "0.1<=mean<0.3",
                             "level>=300HU",
                             "level>=1024 levels",
                             "height >= 2.5e-3 m",
                             "height >= -2 e5",
                             "-200:300",
                             "300 HU",
                             ":2147483700",
                             "-200:300 levels",
                             "0.5:",
                             "nd(B08,\"B 04\")",
                             "sum(all)",
                             "stain([a=0.6,0.7,0.3;0.1,0.9,0.2],a)",
                             "macenko(2)",
                             "ndvi",
                             "channel=DAPI,z=max:2..8,t=each",
                             "channel=ratio(DAPI,GFP),z=volume",
                             "page=3",
                             "channel=\"a, \"\"b\",z=sharpest,t=last"}) {
        std::ofstream(folder / std::to_string(count++), std::ios::binary) << text;
    }
}

/// Outlines of objects, see fuzz_outlines.cpp.
void addOutlines(const fs::path& folder) {
    fs::create_directories(folder);
    RoiBytes region(RoiType::rectangle, {1, 0, 3, 2}, 0, 0);
    region.placeInSlice(2);
    std::ofstream(folder / "region", std::ios::binary)
        .write(reinterpret_cast<const char*>(region.bytes().data()), // NOLINT: bytes of a file
               static_cast<std::streamsize>(region.bytes().size()));
    StoredZip zip(folder / "set", "write seeds");
    zip.add("7-2.roi", region.bytes());
    zip.add("notes.txt", {});
    zip.commit();
    std::ofstream(folder / "coco") << R"({"images":[{"id":3,"file_name":"x/a.png"}],"annotations":[
        {"id":12,"image_id":3,"segmentation":[[0,0,1,0,1,2,0,2],[3,0,4,0,4,1,3,1]]},
        {"id":6,"image_id":3,"segmentation":{"size":[23,31],"counts":[5,2,20,4,600,9]}},
        {"id":7,"image_id":3,"segmentation":{"size":[23,31],"counts":"52`06Xc0M"}}]})";
    std::ofstream(folder / "slices") << R"({"type":"Feature","id":3,"properties":{"label":8,"slice":2},"geometry":
        {"type":"MultiPolygon","coordinates":[[[[0,0],[5,0],[5,5]],[[2,1],[3,1],[3,2]]]]}})";
}

/// Files of a job on an image in parts, see fuzz_part.cpp: a first byte selects the kind.
void addParts(const fs::path& folder) {
    fs::create_directories(folder);
    int count = 0;
    const auto add = [&](int kind, const std::function<void(const fs::path&)>& write) {
        const fs::path file = folder / "written";
        write(file);
        std::ifstream in(file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::ofstream(folder / std::to_string(count++), std::ios::binary) << static_cast<char>(kind) << bytes;
        fs::remove(file);
    };
    FilterSpec filter;
    filter.criteria = {parseCriterion("area>=3"), parseCriterion("dynamics>=2")};
    filter.rule = Rule::viterbi;
    filter.prominent = Prominent{Prominence::extinctionArea, 5};
    const PartJob job = partJob(ChunkGrid({6, 5}, {3, 2}), PixelType::u8, TreeKind::max, Connectivity::eight, filter);
    const std::unique_ptr<Engine> engine = makeCpuEngine();
    const auto session = engine->openSession();
    std::vector<Part> parts;
    for (std::uint64_t chunk = 0; chunk < job.grid.count(); ++chunk) {
        auto image = std::make_shared<Image>(PixelType::u8, job.grid.boxOf(chunk).extent);
        for (std::size_t p = 0; p < image->pixelCount(); ++p) {
            image->pixels<std::uint8_t>()[p] = static_cast<std::uint8_t>((p * 37 + chunk * 11) % 9);
        }
        parts.push_back(ChunkTree(job, {chunk, image, nullptr}, *session, "", {}).part({}));
    }
    constexpr std::uint64_t kIdentity = 7;
    MergeStep step;
    const std::vector<const Part*> some{&parts[0], &parts[1], &parts[3]};
    const Part merged = mergeParts(job, some, step);
    PartResults results(merged.nodeCount(), false);
    for (std::size_t i = 0; i < merged.nodeCount(); ++i) {
        results.set(i, {});
    }
    StepResults ofStep;
    ofStep.inputs = resultsOf(job, step, results, ofStep.kept);
    add(0, [&](const fs::path& path) { std::ofstream(path) << textOf(job, 1); });
    add(1, [&](const fs::path& path) { writePart(path, kIdentity, merged); });
    add(2, [&](const fs::path& path) { writeStep(path, kIdentity, step); });
    add(3, [&](const fs::path& path) { writeResults(path, kIdentity, ofStep); });
    std::vector<PartValues> values;
    values.emplace_back(job.values, std::size_t{0}, LeafMeasure{});
    add(4, [&](const fs::path& path) { writeValues(path, kIdentity, values); });
    add(5, [&](const fs::path& path) { writeDecisions(path, kIdentity, step.bits, Summaries(job.ruleNeeds(), 3)); });
}

#ifdef POLLARD_WITH_ZARR
void addZarr(SeedFolder zips, SeedFolder values) {
    for (const auto& store : fuzz::zarrStores()) {
        const fs::path path = zips.next("zip");
        StoredZip zip(path, "write seeds");
        std::string records;
        for (const auto& [key, value] : store) {
            zip.add(key, std::as_bytes(std::span(value)));
            records +=
                key + '\n' + static_cast<char>(value.size() & 0xffU) + static_cast<char>(value.size() >> 8U) + value;
        }
        zip.commit();
        SeedFolder::finish(path);
        std::ofstream(values.next("bin"), std::ios::binary) << records;
    }
}
#endif

#ifdef POLLARD_WITH_GDAL
/// Outlines of objects as CSV (last byte 0) and FlatGeobuf (1). GeoPackages exceed the size of inputs.
void addVectors(const fs::path& folder) {
    fs::create_directories(folder);
    Mask mask(9, 7, false);
    for (const auto& [x, y] : {std::pair(1U, 1U), std::pair(2U, 1U), std::pair(5U, 4U), std::pair(6U, 5U)}) {
        mask.set(x, y, true);
    }
    ComponentsSpec spec;
    spec.labels = true;
    spec.features = true;
    const Components components = makeCpuEngine()->labelComponents(mask, nullptr, spec, {});
    for (const char* name : {"o.csv", "o.fgb"}) {
        AtomicFile file(folder / name, "write seeds");
        writeVectorOutlines(file, folder / name, components, allLabels(components), {});
        file.commit();
        SeedFolder::finish(folder / name, name[2] == 'f' ? char{1} : char{0});
    }
}

/// Sidecar files of an image, see fuzz_beside.cpp.
void addBeside(SeedFolder seeds) {
    seeds.add("wld", "10\n0\n0\n-10\n500000\n5000000\n", 0);
    seeds.add("wld", "0.5 0.25\r\n-0.25 -0.5\r\n1e5 -2.5\r\n", 0);
    seeds.add("xml",
              "<PAMDataset><SRS dataAxisToSRSAxisMapping=\"1,2\">EPSG:32632</SRS><GeoTransform>5e5,10,0,5e6,0,-10"
              "</GeoTransform><PAMRasterBand band=\"1\"><NoDataValue>97</NoDataValue><UnitType>m</UnitType>"
              "<Offset>-5</Offset><Scale>0.1</Scale></PAMRasterBand></PAMDataset>",
              1);
    seeds.add("xml",
              "<PAMDataset><GCPList Projection=\"EPSG:4326\"><GCP Id=\"a\" Pixel=\"0\" Line=\"0\" X=\"1\" Y=\"2\"/>"
              "<GCP Id=\"b\" Pixel=\"4\" Line=\"0\" X=\"3\" Y=\"2\"/><GCP Id=\"c\" Pixel=\"0\" Line=\"3\" X=\"1\" "
              "Y=\"1\"/></GCPList></PAMDataset>",
              1);
    seeds.add("prj",
              "PROJCS[\"ETRS_1989_LAEA\",GEOGCS[\"GCS_ETRS_1989\",DATUM[\"D_ETRS_1989\",SPHEROID[\"GRS_1980\",6378137,"
              "298.257222101]],PRIMEM[\"Greenwich\",0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION["
              "\"Lambert_Azimuthal_Equal_Area\"],PARAMETER[\"False_Easting\",4321000],PARAMETER[\"False_Northing\","
              "3210000],PARAMETER[\"Central_Meridian\",10],PARAMETER[\"Latitude_Of_Origin\",52],UNIT[\"Meter\",1]]",
              2);
    const fs::path mask = seeds.next("msk");
    const TiffVariant four{.width = 4, .height = 3};
    test::writeVariant(mask, four, {samplesFor(four)});
    SeedFolder::finish(mask, 3);
}

/// Formats that are one file, and virtual rasters.
void addGdal(const fs::path& folder) {
    fs::create_directories(folder);
    test::GdalImage image;
    image.width = 7;
    image.height = 5;
    for (const char* driver :
         {"HFA",   "AAIGrid", "GSAG", "GSBG", "GS7BG", "BMP", "GIF", "XPM",  "NITF", "GRIB",  "PDS4",
          "VICAR", "ISIS3",   "RMF",  "SGI",  "HF2",   "BT",  "GTX", "ZMap", "KRO",  "SIGDEM"}) {
        const fs::path file = folder / driver;
        (void)test::copyTo(driver, image.make().get(), file);
        if (fs::exists(file)) {
            SeedFolder::finish(file);
        }
    }
    const fs::path arrays = folder / "arrays";
    if (test::writeArrays(arrays)) {
        SeedFolder::finish(arrays, 1);
    }
    SeedFolder seeds(folder);
    const auto band = [](const std::string& content, const std::string& type = "") {
        return "<VRTDataset rasterXSize=\"7\" rasterYSize=\"5\"><SRS>EPSG:32632</SRS><GeoTransform>0,1,0,0,0,-1"
               "</GeoTransform><VRTRasterBand dataType=\"Byte\" band=\"1\"" +
               type + ">" + content + "</VRTRasterBand></VRTDataset>";
    };
    const std::string source = "<SourceFilename relativeToVRT=\"1\">file</SourceFilename><SourceBand>1</SourceBand>";
    seeds.add("vrt", band("<NoDataValue>0</NoDataValue><Description>a</Description><Scale>2</Scale>"));
    seeds.add("vrt", band("<SimpleSource>" + source + "</SimpleSource>"));
    seeds.add("vrt",
              band("<ComplexSource>" + source + "<ScaleOffset>1</ScaleOffset><LUT>0:1,9:2</LUT></ComplexSource>"));
    seeds.add("vrt", band("<KernelFilteredSource>" + source +
                          "<Kernel><Size>3</Size><Coefs>1 1 1 1 1 1 1 1 1</Coefs></Kernel></KernelFilteredSource>"));
    seeds.add("vrt", band("<PixelFunctionType>sum</PixelFunctionType><SimpleSource>" + source + "</SimpleSource>",
                          " subClass=\"VRTDerivedRasterBand\""));
    seeds.add("vrt", band("<SourceFilename relativeToVRT=\"1\">file</SourceFilename><ImageOffset>9</ImageOffset>"
                          "<PixelOffset>1</PixelOffset><LineOffset>7</LineOffset>",
                          " subClass=\"VRTRawRasterBand\""));
    seeds.add("vrt",
              band("<ColorInterp>Palette</ColorInterp><ColorTable><Entry c1=\"1\" c2=\"2\" c3=\"3\"/></ColorTable>"
                   "<Overview>" +
                   source + "</Overview>"));
}
#endif

/// Stores with some of their tiles, see fuzz_tiles.cpp: a byte for the layout and two for the length of the index.
void addTiles(const fs::path& folder) {
    fs::create_directories(folder);
    const auto bytesOf = [](const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(in), {}};
    };
    for (const int kind : {0, 1, 2, 3}) {
        TileLayout layout{40, 20, (kind & 1) != 0 ? 16 : 8, 16};
        layout.compression = (kind & 2) != 0 ? TiffCompression::none : TiffCompression::deflate;
        const fs::path path = folder / "written";
        {
            TileStore store(path, layout, 7, TileStore::OpenMode::create);
            std::vector<std::byte> pixels(layout.tileBytes());
            for (const TileKey tile : {TileKey{0, 0}, TileKey{0, 4}, TileKey{1, 1}}) {
                std::ranges::fill(pixels, static_cast<std::byte>(tile.number + 3));
                store.putTile(tile, pixels.data(), layout.rowBytes());
                if (tile.level == 0) {
                    store.flush();
                }
            }
        }
        const std::string index = bytesOf(path);
        fs::path tiles = path;
        std::ofstream(folder / std::to_string(kind), std::ios::binary)
            << static_cast<char>(kind) << static_cast<char>(index.size() & 255U)
            << static_cast<char>(index.size() >> 8U) << index << bytesOf(tiles += ".tiles");
        TileStore::remove(path);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: write_seeds DIR\n";
        return 2;
    }
    const fs::path folder = argv[1];
    SeedFolder seeds(folder / "image");
    addTiffs(seeds);
    addOthers(seeds);
    addNifti(SeedFolder(folder / "nifti"));
    addNrrd(SeedFolder(folder / "nrrd"));
    addMetaImage(SeedFolder(folder / "metaimage"));
    addDicom(SeedFolder(folder / "dicom"));
#ifdef POLLARD_WITH_GDAL
    addGdal(folder / "gdal");
    addVectors(folder / "vector");
    addBeside(SeedFolder(folder / "beside"));
#endif
    addTexts(folder / "criterion");
    addOutlines(folder / "outlines");
    addParts(folder / "part");
#ifdef POLLARD_WITH_ZARR
    addZarr(SeedFolder(folder / "zarr"), SeedFolder(folder / "zarr_store"));
#endif
    addTiles(folder / "tiles");
    return 0;
}
