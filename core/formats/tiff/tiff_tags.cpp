#include "formats/tiff/tiff_tags.hpp"

#include "base/text.hpp"
#include "formats/tiff/tiff_facts.hpp"
#include "io/read_support.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>

namespace pollard {

bool isAvailable(TiffCompression compression) noexcept {
    switch (compression) {
    case TiffCompression::none:
        return true;
    case TiffCompression::deflate:
    case TiffCompression::deflatePredictor:
        return TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE) != 0;
    case TiffCompression::zstd:
        return TIFFIsCODECConfigured(COMPRESSION_ZSTD) != 0;
    }
    return false;
}

bool setCompression(TIFF* tiff, TiffCompression compression, int effort, bool areFloats) {
    const int predictor = areFloats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
    const auto set = [tiff](std::uint32_t tag, int value) { return TIFFSetField(tiff, tag, value) == 1; };
    switch (compression) {
    case TiffCompression::none:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    case TiffCompression::deflate:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) && set(TIFFTAG_ZIPQUALITY, effort);
    case TiffCompression::deflatePredictor:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) && set(TIFFTAG_ZIPQUALITY, effort) &&
               set(TIFFTAG_PREDICTOR, predictor);
    case TiffCompression::zstd:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_ZSTD) && set(TIFFTAG_ZSTD_LEVEL, effort) &&
               set(TIFFTAG_PREDICTOR, predictor);
    }
    return false;
}

namespace {

SampleLayout::Colours coloursOf(const ImageInfo& info, std::size_t samples) {
    const std::string_view photometric = info.photometric;
    if (samples >= 3 && (photometric == "RGB" || photometric == "YCbCr" || photometric == "Palette")) {
        return SampleLayout::Colours::rgb;
    }
    return samples >= 4 && photometric == "CMYK" ? SampleLayout::Colours::cmyk : SampleLayout::Colours::grey;
}

/// Whether the reader of a format other than TIFF found transparency, which is the sample after the colours.
bool notesTransparency(const ImageInfo& info) {
    return std::ranges::any_of(
        info.notes, [](const std::string& note) { return note.find("transparent pixels") != std::string::npos; });
}

} // namespace

SampleLayout sampleLayoutOf(const std::filesystem::path& path, const ReadOptions& options, const ImageInfo& info,
                            std::span<const Channel> channels) {
    SampleLayout layout;
    layout.samples = static_cast<int>(channels.size());
    layout.colours = coloursOf(info, channels.size());
    int alpha = -1;
    if (!options.raw && info.format.ends_with("TIFF")) {
        const SourceFile source = openSource(path); // the first bytes tell the byte order
        ReadOptions ofPage = options;
        ofPage.page = channels.front().page;
        const TiffPage page = openTiffPage(source, ofPage);
        layout.planar = page.facts.separate;
        alpha =
            info.photometric == "Palette" ? -1 : page.facts.alphaSample; // colours of a palette have no further samples
        std::uint16_t count = 0;
        const std::uint16_t* kinds = nullptr;
        layout.premultiplied = alpha >= 0 &&
                               TIFFGetField(page.handle.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1 &&
                               std::find(kinds, kinds + count, EXTRASAMPLE_ASSOCALPHA) != kinds + count;
    } else if (layout.samples == static_cast<int>(layout.colours) && notesTransparency(info)) {
        alpha = layout.samples;
    }
    if (alpha >= 0) {
        layout.samples += 1;
        layout.alpha = alpha;
    }
    return layout;
}

namespace {

/// ModelPixelScale, ModelTiepoint, ModelTransformation, GeoKeyDirectory, GeoDoubleParams, GeoAsciiParams,
/// GDAL_METADATA, GDAL_NODATA, RPCCoefficient. All are unknown to libtiff, which returns count and array.
constexpr std::array<std::uint16_t, 9> kGeoTags = {33550, 33922, 34264, 34735, 34736, 34737, 42112, 42113, 50844};
/// IJMetadataByteCounts and IJMetadata.
constexpr std::array<std::uint16_t, 2> kImageJTags = {50838, 50839};

/// Bytes per value in memory, 0 for types that the carried tags do not have.
std::size_t valueBytes(std::uint16_t fieldType) {
    switch (fieldType) {
    case TIFF_BYTE:
    case TIFF_ASCII:
        return 1;
    case TIFF_SHORT:
        return 2;
    case TIFF_LONG:
    case TIFF_FLOAT:
    case TIFF_RATIONAL: // libtiff returns rationals as float
        return 4;
    case TIFF_DOUBLE:
        return 8;
    default:
        return 0;
    }
}

CopiedTag makeTag(std::uint16_t tag, std::uint16_t fieldType, std::uint64_t count, const void* values) {
    CopiedTag carried{tag, fieldType, count, {}};
    carried.data.resize(count * valueBytes(fieldType));
    std::memcpy(carried.data.data(), values, carried.data.size());
    return carried;
}

bool isConsistent(const CopiedTag& tag) {
    const std::size_t bytes = valueBytes(tag.fieldType);
    return bytes != 0 && tag.count > 0 && tag.count <= std::numeric_limits<std::uint32_t>::max() &&
           tag.data.size() == tag.count * bytes;
}

bool setSingle(TIFF* tiff, const CopiedTag& tag) {
    if (tag.tag == TIFFTAG_RESOLUTIONUNIT) {
        std::uint16_t unit = 0;
        std::memcpy(&unit, tag.data.data(), sizeof unit);
        return TIFFSetField(tiff, tag.tag, unit) == 1;
    }
    float value = 0;
    std::memcpy(&value, tag.data.data(), sizeof value);
    return TIFFSetField(tiff, tag.tag, static_cast<double>(value)) == 1;
}

bool setText(TIFF* tiff, const CopiedTag& tag) {
    return TIFFSetField(tiff, tag.tag, reinterpret_cast<const char*>(tag.data.data())) == 1;
}

bool setArray(TIFF* tiff, const CopiedTag& tag) {
    std::array<char, 16> name{"Carried"};
    const TIFFFieldInfo field{
        tag.tag, TIFF_VARIABLE2, TIFF_VARIABLE2, static_cast<TIFFDataType>(tag.fieldType), FIELD_CUSTOM, 1,
        1,       name.data()};
    if (TIFFFindField(tiff, tag.tag, TIFF_ANY) == nullptr && TIFFMergeFieldInfo(tiff, &field, 1) != 0) {
        return false;
    }
    return TIFFSetField(tiff, tag.tag, static_cast<std::uint32_t>(tag.count), tag.data.data()) == 1;
}

} // namespace

std::vector<CopiedTag> readCopiedTags(TIFF* tiff) {
    std::vector<CopiedTag> tags;
    for (const std::uint16_t tag : std::array<std::uint16_t, 2>{TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION}) {
        float value = 0;
        if (TIFFGetField(tiff, tag, &value) == 1) {
            tags.push_back(makeTag(tag, TIFF_RATIONAL, 1, &value));
        }
    }
    std::uint16_t unit = 0;
    if (TIFFGetField(tiff, TIFFTAG_RESOLUTIONUNIT, &unit) == 1) {
        tags.push_back(makeTag(TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, 1, &unit));
    }
    for (const std::uint16_t tag : kGeoTags) {
        const TIFFField* field = TIFFFindField(tiff, tag, TIFF_ANY);
        // Fields of other kinds take other arguments in the call below.
        if (field == nullptr || TIFFFieldPassCount(field) == 0 || TIFFFieldReadCount(field) != TIFF_VARIABLE2) {
            continue;
        }
        std::uint32_t count = 0;
        const void* values = nullptr;
        const auto type = static_cast<std::uint16_t>(TIFFFieldDataType(field));
        if (valueBytes(type) != 0 && TIFFGetField(tiff, tag, &count, &values) == 1 && count > 0) {
            tags.push_back(makeTag(tag, type, count, values));
        }
    }
    return tags;
}

bool writeCopiedTags(TIFF* tiff, const std::vector<CopiedTag>& tags) {
    return std::all_of(tags.begin(), tags.end(), [&](const CopiedTag& tag) {
        if (!isConsistent(tag)) {
            return true;
        }
        if (tag.tag == TIFFTAG_RESOLUTIONUNIT) {
            return tag.fieldType != TIFF_SHORT || setSingle(tiff, tag);
        }
        if (tag.tag == TIFFTAG_XRESOLUTION || tag.tag == TIFFTAG_YRESOLUTION) {
            return tag.fieldType != TIFF_RATIONAL || setSingle(tiff, tag);
        }
        if (tag.tag == TIFFTAG_IMAGEDESCRIPTION || tag.tag == TIFFTAG_PAGENAME) {
            return tag.fieldType != TIFF_ASCII || tag.data.back() != std::byte{0} || setText(tiff, tag);
        }
        const auto isIn = [&](const auto& known) {
            return std::find(known.begin(), known.end(), tag.tag) != known.end();
        };
        return !(isIn(kGeoTags) || isIn(kImageJTags)) || setArray(tiff, tag);
    });
}

int sampleFormatOf(ValueType type) noexcept {
    return isFloat(type) ? SAMPLEFORMAT_IEEEFP : isSigned(type) ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

void setSampleTags(TIFF* tiff, std::uint32_t width, std::uint32_t height, ValueType type, const SampleLayout& stored) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bitsOf(type));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, stored.samples);
    if (const int format = sampleFormatOf(type); stored.samples == 1 || format != SAMPLEFORMAT_UINT) {
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
    }
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, stored.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    using enum SampleLayout::Colours;
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 stored.colours == rgb    ? PHOTOMETRIC_RGB
                 : stored.colours == cmyk ? PHOTOMETRIC_SEPARATED
                                          : PHOTOMETRIC_MINISBLACK);
    const int colours = static_cast<int>(stored.colours);
    if (stored.samples <= colours) {
        return;
    }
    std::vector<std::uint16_t> extra(static_cast<std::size_t>(stored.samples - colours), EXTRASAMPLE_UNSPECIFIED);
    if (stored.alpha >= colours) {
        extra.at(static_cast<std::size_t>(stored.alpha - colours)) =
            stored.premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
    }
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<int>(extra.size()), extra.data());
}

PendingTiff::PendingTiff(const std::filesystem::path& path, bool bigTiff)
    : file_(path, kWriteTiff), handle_(TiffHandle::createIn(file_.duplicateDescriptor(), path, bigTiff)) {}

void PendingTiff::require(bool ok) const {
    const int systemError = errno;
    if (!ok || !handle_.messages().lastError.empty()) {
        fail(systemError);
    }
}

void PendingTiff::fail(int systemError) const {
    const std::string& text = handle_.messages().lastError;
    file_.fail(systemError != 0 ? std::strerror(systemError) : text.empty() ? "unknown failure of libtiff" : text);
}

std::uint64_t PendingTiff::reserveTile(std::uint32_t tile, std::uint32_t bytes) {
    std::byte unread{};
    errno = 0;
    handle_.reserveOnly(true);
    const bool ok = TIFFWriteRawTile(get(), tile, &unread, static_cast<tmsize_t>(bytes)) >= 0;
    handle_.reserveOnly(false);
    require(ok);
    return TIFFGetStrileOffset(get(), tile);
}

void PendingTiff::commit() {
    errno = 0;
    const bool flushed = TIFFFlush(handle_.get()) == 1;
    const int flushError = errno;
    handle_.close();
    errno = flushError;
    require(flushed);
    file_.commit();
}

bool isOmeName(const std::filesystem::path& path) { return lowered(path.stem().string()).ends_with(".ome"); }

} // namespace pollard
