#include "formats/tiff/tiff_stack.hpp"

#include "formats/tiff/tiff_microscopes.hpp"
#include "io/metadata/imagej_description.hpp"
#include "io/metadata/ome_xml.hpp"

#include <algorithm>
#include <span>

namespace pollard {

namespace {

constexpr std::uint32_t kImageJSizes = 50838; ///< IJMetadataByteCounts
constexpr std::uint32_t kImageJBlock = 50839; ///< IJMetadata

/// Values of a tag unknown to libtiff; empty if it is missing or has another type.
template <class T> std::span<const T> arrayTag(TIFF* tiff, std::uint32_t tag, TIFFDataType type) {
    const TIFFField* field = TIFFFindField(tiff, tag, TIFF_ANY);
    // Fields of other kinds take other arguments in the call below.
    if (field == nullptr || TIFFFieldPassCount(field) == 0 || TIFFFieldReadCount(field) != TIFF_VARIABLE2 ||
        TIFFFieldDataType(field) != type) {
        return {};
    }
    std::uint32_t count = 0;
    const void* values = nullptr;
    if (TIFFGetField(tiff, tag, &count, &values) != 1 || values == nullptr) {
        return {};
    }
    return {static_cast<const T*>(values), count};
}

std::uint16_t shortOf(TIFF* tiff, std::uint32_t tag, std::uint16_t fallback) {
    std::uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

/// Bytes of the plane of the directory if its strips follow each other and are not compressed, so that planes can
/// follow them; else 0.
std::uint64_t planeBytesOf(TIFF* tiff) {
    std::uint32_t height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    const bool isPlain = TIFFIsTiled(tiff) == 0 && shortOf(tiff, TIFFTAG_COMPRESSION, 1) == COMPRESSION_NONE &&
                         shortOf(tiff, TIFFTAG_PHOTOMETRIC, 1) != PHOTOMETRIC_YCBCR;
    if (!isPlain || height == 0) {
        return 0;
    }
    const bool isSeparate = shortOf(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    const std::uint64_t rows = std::uint64_t{height} * (isSeparate ? shortOf(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) : 1U);
    const std::uint64_t rowBytes = TIFFScanlineSize64(tiff);
    std::uint64_t end = TIFFGetStrileOffset(tiff, 0);
    const std::uint64_t bytes = rowBytes > UINT64_MAX / rows ? 0 : rowBytes * rows;
    for (std::uint32_t strip = 1; strip < TIFFNumberOfStrips(tiff) && end != 0; ++strip) {
        end += TIFFGetStrileByteCount(tiff, strip - 1);
        end = TIFFGetStrileOffset(tiff, strip) == end ? end : 0;
    }
    return end == 0 ? 0 : bytes;
}

/// Takes the planes that follow the pixels of the only directory for pages.
void findPlanes(const SourceFile& source, const TiffOutline& outline, TIFF* first, std::uint64_t planned,
                TiffStack& stack) {
    if (outline.pages.size() != 1 || planned < 2) {
        return;
    }
    const std::uint64_t bytes = planeBytesOf(first);
    const std::uint64_t begin = TIFFGetStrileOffset(first, 0);
    if (bytes == 0 || begin >= source.size) {
        stack.about.notes.push_back(std::to_string(planned) +
                                    " planes in one directory can be read only if they are not compressed and follow "
                                    "each other: only the first is read");
        return;
    }
    const std::uint64_t stored = std::min({(source.size - begin) / bytes, planned, StackPlaces::kMaxPages});
    if (stored > 1) {
        stack.planeBytes = bytes;
        stack.about.pages = static_cast<int>(stored);
    }
}

} // namespace

PagePlace TiffStack::placeOf(int page) const {
    PagePlace place{static_cast<std::uint32_t>(page), 0};
    if (!places.pages.empty()) {
        place = places.pages[static_cast<std::size_t>(page)];
    }
    if (planeBytes > 0 && place.isStored()) {
        place.directory = 0;
    }
    return place;
}

TiffStack readTiffStack(const SourceFile& source, const TiffOutline& outline, TIFF* first) {
    const TiffDirectory& directory = outline.pages.front().page;
    const std::string text = tiffText(first, TIFFTAG_IMAGEDESCRIPTION);
    TiffStack stack;
    ImageInfo& about = stack.about;
    about.pages = static_cast<int>(outline.pages.size());
    about.samples = shortOf(first, TIFFTAG_SAMPLESPERPIXEL, 1);
    stack.isImageJ = isImageJ(text);
    stack.isZeiss = directory.find(kZeissTag) != nullptr;
    stack.isDescribed = stack.isImageJ;
    if (isOmeXml(text)) {
        stack.isDescribed = true;
        stack.places = describeOmeXml(text, about, source.path);
    } else if (stack.isImageJ) {
        const TiffResolution resolution = readTiffResolution(first);
        findPlanes(source, outline, first, imageJImages(text), stack);
        stack.places = describeImageJ(text, resolution.x, resolution.y, about);
        describeImageJChannels(text,
                               imageJMetadata(arrayTag<std::uint8_t>(first, kImageJBlock, TIFF_BYTE),
                                              arrayTag<std::uint32_t>(first, kImageJSizes, TIFF_LONG),
                                              TIFFIsBigEndian(first) != 0),
                               about);
    } else if (metaMorphPlanes(directory) > 0) {
        findPlanes(source, outline, first, metaMorphPlanes(directory), stack);
        stack.places = describeMetaMorph(source, directory, about);
    } else if (stack.isZeiss) {
        stack.places = describeZeiss(source, directory, about);
    }
    stack.isScientific = stack.isDescribed || stack.isZeiss || metaMorphPlanes(directory) > 0;
    return stack;
}

std::string tiffText(TIFF* tiff, std::uint32_t tag) {
    const char* text = nullptr;
    return TIFFGetField(tiff, tag, &text) == 1 && text != nullptr ? text : "";
}

TiffResolution readTiffResolution(TIFF* tiff) {
    TiffResolution resolution;
    float value = 0;
    resolution.x = TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &value) == 1 ? static_cast<double>(value) : 0.0;
    resolution.y = TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &value) == 1 ? static_cast<double>(value) : 0.0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &resolution.unit);
    return resolution;
}

} // namespace pollard
