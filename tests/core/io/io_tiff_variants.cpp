#include "core/io/io_tiff_variants.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace pollard::test {

namespace {

/// Packs samples most significant bit first; 16-bit ones stay in host order, as libtiff requires.
std::vector<std::uint8_t> pack(const std::vector<std::uint16_t>& samples, int bits) {
    std::vector<std::uint8_t> row((samples.size() * static_cast<std::size_t>(bits) + 7) / 8);
    if (bits == 16) {
        std::copy_n(reinterpret_cast<const std::uint8_t*>(samples.data()), row.size(), row.data());
        return row;
    }
    std::size_t position = 0;
    for (const std::uint16_t sample : samples) {
        for (int b = bits - 1; b >= 0; --b, ++position) {
            row[position / 8] = static_cast<std::uint8_t>(row[position / 8] | (sample >> b & 1) << (7 - position % 8));
        }
    }
    return row;
}

/// Packed rows of a rectangle; 0 outside the image.
std::vector<std::uint8_t> packBlock(const TiffVariant& v, const std::vector<std::uint16_t>& pixels, std::uint32_t left,
                                    std::uint32_t top, std::uint32_t width, std::uint32_t height, int plane) {
    std::vector<std::uint8_t> block;
    for (std::uint32_t y = top; y < top + height; ++y) {
        std::vector<std::uint16_t> row;
        for (std::uint32_t x = left; x < left + width; ++x) {
            for (int s = v.separate ? plane : 0; s < (v.separate ? plane + 1 : v.samples); ++s) {
                const bool inside = x < v.width && y < v.height;
                row.push_back(inside ? pixels[(std::size_t{y} * v.width + x) * v.samples + s] : std::uint16_t{0});
            }
        }
        const auto packed = pack(row, v.bits);
        block.insert(block.end(), packed.begin(), packed.end());
    }
    return block;
}

/// packBlock() for samples of whole bytes.
std::vector<std::uint8_t> packBlock(const TiffVariant& v, const std::string& samples, std::uint32_t left,
                                    std::uint32_t top, std::uint32_t width, std::uint32_t height, int plane) {
    const auto bytes = static_cast<std::size_t>(v.bits / 8);
    const auto perPixel = static_cast<std::size_t>(v.separate ? 1 : v.samples);
    std::vector<std::uint8_t> block;
    for (std::uint32_t y = top; y < top + height; ++y) {
        for (std::uint32_t x = left; x < left + width; ++x) {
            if (x >= v.width || y >= v.height) {
                block.resize(block.size() + perPixel * bytes);
                continue;
            }
            const std::size_t pixel = (std::size_t{y} * v.width + x) * static_cast<std::size_t>(v.samples);
            const std::size_t first = (pixel + static_cast<std::size_t>(v.separate ? plane : 0)) * bytes;
            block.insert(block.end(), samples.begin() + static_cast<std::ptrdiff_t>(first),
                         samples.begin() + static_cast<std::ptrdiff_t>(first + perPixel * bytes));
        }
    }
    return block;
}

void setTags(TIFF* tiff, const TiffVariant& v) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, v.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, v.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, v.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, v.samples);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, v.sampleFormat);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, v.photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, v.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, v.compression);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, v.orientation);
    if (v.subfileType != 0) {
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, v.subfileType);
    }
    const auto setGdalText = [tiff](std::uint32_t tag, char* name, const std::string& text) {
        const TIFFFieldInfo field{tag, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_ASCII, FIELD_CUSTOM, 1, 0, name};
        EXPECT_EQ(TIFFMergeFieldInfo(tiff, &field, 1), 0);
        TIFFSetField(tiff, tag, text.c_str());
    };
    if (v.noData) {
        static char name[] = "GDALNoDataValue";
        setGdalText(42113, name, *v.noData);
    }
    if (!v.metadata.empty()) {
        static char name[] = "GDALMetadata";
        setGdalText(42112, name, "<GDALMetadata>" + v.metadata + "</GDALMetadata>");
    }
    if (!v.description.empty()) {
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, v.description.c_str());
    }
    if (v.subIfds != 0) {
        const std::vector<std::uint64_t> offsets(v.subIfds, 0);
        TIFFSetField(tiff, TIFFTAG_SUBIFD, v.subIfds, offsets.data());
    }
    if (v.photometric == PHOTOMETRIC_YCBCR && v.compression != COMPRESSION_JPEG) {
        TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, v.subsampling, v.subsampling);
    }
    if (v.compression == COMPRESSION_SGILOG) {
        TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
    }
    if (v.compression == COMPRESSION_WEBP) {
        TIFFSetField(tiff, TIFFTAG_WEBP_LOSSLESS, 1);
    }
    if (v.predictor != PREDICTOR_NONE) {
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, v.predictor);
    }
    if (v.compression == COMPRESSION_JPEG) {
        TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 95);
        if (v.photometric == PHOTOMETRIC_YCBCR) {
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        }
    }
    if (!v.extraSamples.empty()) {
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<std::uint16_t>(v.extraSamples.size()),
                     v.extraSamples.data());
    }
    if (!v.palette.empty()) {
        const std::size_t size = v.palette.size() / 3;
        TIFFSetField(tiff, TIFFTAG_COLORMAP, v.palette.data(), v.palette.data() + size, v.palette.data() + 2 * size);
    }
    if (v.tile != 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, v.tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, v.tile);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, v.rowsPerStrip);
    }
}

template <class Samples> void writePixels(TIFF* tiff, const TiffVariant& v, const Samples& pixels) {
    std::uint32_t block = 0;
    for (int plane = 0; plane < (v.separate ? v.samples : 1); ++plane) {
        const std::uint32_t stepY = v.tile != 0 ? v.tile : v.rowsPerStrip;
        const std::uint32_t stepX = v.tile != 0 ? v.tile : v.width;
        for (std::uint32_t y = 0; y < v.height; y += stepY) {
            for (std::uint32_t x = 0; x < v.width; x += stepX, ++block) {
                if (std::find(v.skipped.begin(), v.skipped.end(), block) != v.skipped.end()) {
                    continue;
                }
                const std::uint32_t rows = v.tile != 0 ? v.tile : std::min(stepY, v.height - y);
                auto data = packBlock(v, pixels, x, y, stepX, rows, plane);
                const auto size = static_cast<tmsize_t>(data.size());
                const tmsize_t written = v.tile != 0 ? TIFFWriteEncodedTile(tiff, block, data.data(), size)
                                                     : TIFFWriteEncodedStrip(tiff, block, data.data(), size);
                ASSERT_GE(written, 0) << v.describe();
            }
        }
    }
}

} // namespace

std::string TiffVariant::describe() const {
    return std::to_string(width) + "x" + std::to_string(height) + " " + std::to_string(bits) + " bits, " +
           std::to_string(samples) + " samples, photometric " + std::to_string(photometric) + ", compression " +
           std::to_string(compression) + ", predictor " + std::to_string(predictor) + (separate ? ", planes" : "") +
           (tile != 0 ? ", tiles" : ", strips") + (bigEndian ? ", MM" : ", II") + (bigTiff ? ", BigTIFF" : "");
}

void writeVariant(const std::filesystem::path& path, const TiffVariant& variant,
                  const std::vector<std::vector<std::uint16_t>>& pages) {
    const std::string mode = std::string("w") + (variant.bigEndian ? "b" : "l") + (variant.bigTiff ? "8" : "");
    std::filesystem::remove(path); // overwriting an old file makes some file systems wait for the disk
    TIFF* tiff = TIFFOpen(path.c_str(), mode.c_str());
    ASSERT_NE(tiff, nullptr);
    for (const auto& pixels : pages) {
        setTags(tiff, variant);
        writePixels(tiff, variant, pixels);
        EXPECT_EQ(TIFFWriteDirectory(tiff), 1) << variant.describe();
    }
    TIFFClose(tiff);
}

void writePage(TIFF* tiff, const TiffVariant& variant, const std::string& samples) {
    setTags(tiff, variant);
    writePixels(tiff, variant, samples);
    EXPECT_EQ(TIFFWriteDirectory(tiff), 1) << variant.describe();
}

void writeBytesVariant(const std::filesystem::path& path, const TiffVariant& variant, const std::string& samples) {
    const std::string mode = std::string("w") + (variant.bigEndian ? "b" : "l") + (variant.bigTiff ? "8" : "");
    std::filesystem::remove(path);
    TIFF* tiff = TIFFOpen(path.c_str(), mode.c_str());
    ASSERT_NE(tiff, nullptr);
    writePage(tiff, variant, samples);
    TIFFClose(tiff);
}

std::string rawStrip(const std::filesystem::path& path) {
    TIFF* tiff = TIFFOpen(path.c_str(), "r");
    if (tiff == nullptr) {
        ADD_FAILURE() << path;
        return {};
    }
    std::string strip(TIFFGetStrileByteCount(tiff, 0), '\0');
    EXPECT_EQ(TIFFReadRawStrip(tiff, 0, strip.data(), static_cast<tmsize_t>(strip.size())),
              static_cast<tmsize_t>(strip.size()));
    TIFFClose(tiff);
    return strip;
}

std::string HandmadeTiff::bytes() const {
    std::string out;
    const auto put = [&](std::uint32_t value, int size) {
        for (int i = 0; i < size; ++i) {
            out += static_cast<char>(value >> 8 * i & 0xff);
        }
    };
    constexpr std::uint32_t kEntries = 10;
    const std::uint32_t dataOffset = 8 + 2 + kEntries * 12 + 4;
    out = "II";
    put(42, 2);
    put(8, 4);
    put(kEntries, 2);
    const auto entry = [&](std::uint32_t tag, std::uint32_t value) {
        put(tag, 2);
        put(TIFF_LONG, 2);
        put(1, 4);
        put(value, 4);
    };
    entry(TIFFTAG_IMAGEWIDTH, width);
    entry(TIFFTAG_IMAGELENGTH, height);
    entry(TIFFTAG_BITSPERSAMPLE, bits);
    entry(TIFFTAG_COMPRESSION, compression);
    entry(TIFFTAG_PHOTOMETRIC, photometric);
    entry(TIFFTAG_STRIPOFFSETS, dataOffset);
    entry(TIFFTAG_SAMPLESPERPIXEL, samples);
    entry(TIFFTAG_ROWSPERSTRIP, height);
    entry(TIFFTAG_STRIPBYTECOUNTS, stripBytes != 0 ? stripBytes : static_cast<std::uint32_t>(strip.size()));
    entry(TIFFTAG_SAMPLEFORMAT, sampleFormat);
    put(nextDirectory, 4);
    return out + strip;
}

} // namespace pollard::test
