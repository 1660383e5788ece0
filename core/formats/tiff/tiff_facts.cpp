#include "formats/tiff/tiff_facts.hpp"

#include "formats/tiff/tiff_description.hpp"
#include "formats/tiff/tiff_stack.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

namespace pollard {

namespace {

constexpr int kMaxSamples = 64;
constexpr int kMaxLevelBits = 16;

std::uint16_t shortTag(TIFF* tiff, std::uint32_t tag, std::uint16_t fallback) {
    std::uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

std::uint32_t longTag(TIFF* tiff, std::uint32_t tag, std::uint32_t fallback) {
    std::uint32_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

/// libtiff's tables and buffers grow with the file: the largest are 8 bytes per 2 stored (strip byte counts) and one
/// strip as stored.
std::uint64_t memoryLimitFor(const SourceFile& source) { return (256ULL << 20) + 8 * source.size; }

void readLayout(TIFF* tiff, TiffFacts& facts) {
    facts.tiled = TIFFIsTiled(tiff) != 0;
    facts.blockWidth = facts.tiled ? longTag(tiff, TIFFTAG_TILEWIDTH, 0) : facts.width;
    facts.blockHeight = facts.tiled ? longTag(tiff, TIFFTAG_TILELENGTH, 0)
                                    : std::min(longTag(tiff, TIFFTAG_ROWSPERSTRIP, facts.height), facts.height);
}

/// Index of the first extra sample with transparency, -1 if there is none.
int findAlpha(TIFF* tiff, int samples) {
    std::uint16_t count = 0;
    const std::uint16_t* kinds = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count > samples) {
        return -1;
    }
    const auto* alpha =
        std::find_if(kinds, kinds + count, [](std::uint16_t k) { return k != EXTRASAMPLE_UNSPECIFIED; });
    return alpha == kinds + count ? -1 : samples - count + static_cast<int>(alpha - kinds);
}

void requireCounts(const SourceFile& source, const TiffFacts& facts) {
    if (facts.width == 0 || facts.height == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "the header states " + std::to_string(facts.width) + " x " + std::to_string(facts.height) +
                            " pixels");
    }
    if (facts.samples < 1 || facts.bits < 1) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        std::to_string(facts.samples) + " samples a pixel of " + std::to_string(facts.bits) + " bits");
    }
    if (facts.samples > kMaxSamples) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        std::to_string(facts.samples) + " samples a pixel, the limit is " +
                            std::to_string(kMaxSamples));
    }
}

bool isLog(const TiffFacts& facts) {
    return facts.photometric == PHOTOMETRIC_LOGL || facts.photometric == PHOTOMETRIC_LOGLUV;
}

bool isLab(const TiffFacts& facts) {
    return facts.photometric == PHOTOMETRIC_CIELAB || facts.photometric == PHOTOMETRIC_ICCLAB;
}

/// Kind of the samples. @throws Error for complex numbers and unknown formats
SampleKind sampleKind(const SourceFile& source, TIFF* tiff, const TiffFacts& facts) {
    const std::uint16_t format = shortTag(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const auto refuse = [&](const std::string& why) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        std::to_string(facts.bits) + "-bit " + tiffSampleFormatName(format) +
                            " samples are not supported, only " + why);
    };
    switch (format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
    case SAMPLEFORMAT_INT:
        if (facts.bits > 64) {
            refuse("integers of 1 to 64 bits");
        }
        return format == SAMPLEFORMAT_INT ? SampleKind::signedInteger : SampleKind::unsignedInteger;
    case SAMPLEFORMAT_IEEEFP:
        if (facts.bits != 16 && facts.bits != 24 && facts.bits != 32 && facts.bits != 64) {
            refuse("floating-point ones of 16, 24, 32 or 64 bits");
        }
        return SampleKind::real;
    default:
        refuse("integers and floating-point numbers");
        return SampleKind::real;
    }
}

void requireSupportedSamples(const SourceFile& source, TIFF* tiff, const TiffFacts& facts) {
    const auto refuse = [&](const std::string& what) {
        throw readError(ErrorCode::formatUnsupported, source.path, what);
    };
    if (longTag(tiff, TIFFTAG_IMAGEDEPTH, 1) > 1) {
        refuse("volumes (ImageDepth " + std::to_string(longTag(tiff, TIFFTAG_IMAGEDEPTH, 1)) + ") are not supported");
    }
    if (TIFFIsCODECConfigured(facts.compression) == 0) {
        refuse(tiffCompressionName(facts.compression) + " compression is not supported");
    }
    if (facts.compression == COMPRESSION_JPEG && facts.bits != 8) {
        refuse(std::to_string(facts.bits) + "-bit JPEG compression is not supported");
    }
    const bool logCodec = facts.compression == COMPRESSION_SGILOG || facts.compression == COMPRESSION_SGILOG24;
    if (isLog(facts) != logCodec) {
        refuse(tiffPhotometricName(facts.photometric) + " pixels with " + tiffCompressionName(facts.compression) +
               " compression are not supported");
    }
}

void requireSamples(const SourceFile& source, const TiffFacts& facts, int least) {
    if (facts.samples < least) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        tiffPhotometricName(facts.photometric) + " with " + std::to_string(facts.samples) +
                            " samples a pixel");
    }
}

void requireSupportedColour(const SourceFile& source, const TiffFacts& facts) {
    const std::string name = tiffPhotometricName(facts.photometric);
    const auto refuse = [&](const std::string& why) {
        throw readError(ErrorCode::formatUnsupported, source.path, name + why);
    };
    const bool levels = facts.kind == SampleKind::unsignedInteger && facts.bits <= kMaxLevelBits;
    switch (facts.photometric) {
    case PHOTOMETRIC_YCBCR:
        requireSamples(source, facts, 3);
        if (facts.bits != 8 || facts.kind != SampleKind::unsignedInteger) {
            refuse(" pixels are supported only with 8 bits a sample, these have " + std::to_string(facts.bits));
        }
        return;
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
        return requireSamples(source, facts, isLab(facts) ? 1 : 3);
    case PHOTOMETRIC_LOGLUV:
        return requireSamples(source, facts, 3);
    case PHOTOMETRIC_PALETTE:
    case PHOTOMETRIC_SEPARATED:
        if (!levels) {
            refuse(" pixels are supported only with unsigned samples of 1 to 16 bits");
        }
        return;
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MASK:
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_CFA:
    case kLinearRawPhotometric:
        return;
    default:
        refuse(" pixels are not supported");
    }
}

void requireBlocks(const SourceFile& source, TIFF* tiff, const TiffFacts& facts) {
    if (facts.blockWidth == 0 || facts.blockHeight == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "blocks of " + std::to_string(facts.blockWidth) + " x " + std::to_string(facts.blockHeight) +
                            " pixels");
    }
    // The decoder computes positions from the facts, libtiff its output size from the tags: both must agree.
    const std::uint64_t rowBytes = facts.tiled ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff);
    if (rowBytes != facts.blockRowBytes()) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "rows of " + std::to_string(rowBytes) + " bytes where " +
                            std::to_string(facts.blockRowBytes()) + " were expected");
    }
}

/// Sets the output of the handle: RGB instead of YCbCr for JPEG, numbers instead of logarithms.
void setModes(TIFF* tiff, const TiffFacts& facts) {
    if (facts.photometric == PHOTOMETRIC_YCBCR && facts.compression == COMPRESSION_JPEG && !facts.viaRgba) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    if (isLog(facts)) {
        TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
    }
}

/// Determines the form of libtiff's decoded samples.
void chooseDecoding(const SourceFile& source, TIFF* tiff, TiffFacts& facts) {
    facts.viaRgba = facts.photometric == PHOTOMETRIC_YCBCR && (facts.compression != COMPRESSION_JPEG || facts.separate);
    facts.decodedBits = facts.bits;
    facts.decodedSamples = facts.samples;
    if (facts.viaRgba) {
        std::array<char, 1024> why{};
        if (TIFFRGBAImageOK(tiff, why.data()) == 0) {
            throw readError(ErrorCode::formatUnsupported, source.path,
                            std::string("YCbCr pixels of this kind are not supported: ") + why.data());
        }
        facts.decodedSamples = 4;
        facts.separate = false;
        facts.alphaSample = -1;
    } else if (isLog(facts)) {
        facts.kind = SampleKind::real;
        facts.decodedBits = 32;
    }
    setModes(tiff, facts);
}

/// Whether a palette of 256 entries is a ramp from black to one colour that is no grey.
bool isColourRamp(TIFF* tiff, int bits) {
    constexpr int kBits = 8;
    constexpr int kLast = 255;
    constexpr int kRounding = 257;
    const std::uint16_t* maps[3] = {};
    if (bits != kBits || TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) != 1) {
        return false;
    }
    const auto isRamp = [](const std::uint16_t* map) {
        for (int i = 0; i <= kLast; ++i) {
            if (std::abs(map[i] * kLast - map[kLast] * i) > kRounding * kLast) {
                return false;
            }
        }
        return true;
    };
    const bool isGrey = maps[0][kLast] == maps[1][kLast] && maps[1][kLast] == maps[2][kLast];
    return !isGrey && std::all_of(std::begin(maps), std::end(maps), isRamp);
}

/// Makes samples numbers that the tags call colours, but that are none by the way in which the file was made.
void takeNumbers(TIFF* tiff, const TiffStack& stack, TiffFacts& facts) {
    const auto take = [&](const std::string& note) {
        facts.photometric = PHOTOMETRIC_MINISBLACK;
        facts.numbersNote = note;
    };
    switch (facts.photometric) {
    case PHOTOMETRIC_PALETTE:
        if (stack.isScientific || isColourRamp(tiff, facts.bits)) {
            take("the colour table is for display: the numbers are read");
        }
        return;
    case PHOTOMETRIC_MINISWHITE:
        if (stack.isImageJ) {
            take("the inverting table of ImageJ is for display: the numbers are read");
        } else if (const auto stated = bandCalibration(readCopiedTags(tiff), std::array{0});
                   stated && (stated->slope != 1 || stated->intercept != 0)) {
            take("MinIsWhite: the numbers are read as stored, because the file states their scale");
        }
        return;
    case PHOTOMETRIC_RGB:
        if (facts.samples < 3) {
            take("RGB with " + std::to_string(facts.samples) + (facts.samples == 1 ? " sample" : " samples") +
                 ": read as numbers without colours");
        } else if (stack.isZeiss) {
            take("the samples are channels of the microscope");
        }
        return;
    default:
        return;
    }
}

TiffFacts readFacts(const SourceFile& source, TIFF* tiff, const TiffDirectory& directory, const TiffStack& stack) {
    TiffFacts facts;
    facts.directory = directory.offset;
    facts.placedBlocks = directory.blocks;
    facts.width = longTag(tiff, TIFFTAG_IMAGEWIDTH, 0);
    facts.height = longTag(tiff, TIFFTAG_IMAGELENGTH, 0);
    facts.bits = shortTag(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    facts.samples = shortTag(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    facts.photometric = shortTag(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    takeNumbers(tiff, stack, facts);
    facts.compression = shortTag(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    facts.separate =
        facts.samples > 1 && shortTag(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    const std::uint16_t orientation = shortTag(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    facts.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    requireCounts(source, facts);
    facts.alphaSample = findAlpha(tiff, facts.samples);
    facts.alpha = facts.alphaSample >= 0;
    facts.kind = sampleKind(source, tiff, facts);
    requireSupportedSamples(source, tiff, facts);
    requireSupportedColour(source, facts);
    readLayout(tiff, facts);
    chooseDecoding(source, tiff, facts);
    if (!facts.viaRgba) {
        requireBlocks(source, tiff, facts);
    } else if (facts.blockWidth == 0 || facts.blockHeight == 0) {
        throw readError(ErrorCode::fileDamaged, source.path, "blocks without pixels");
    }
    return facts;
}

ImageInfo makeInfo(TIFF* tiff, const TiffFacts& facts) {
    ImageInfo info;
    info.format = TIFFIsBigTIFF(tiff) != 0 ? "BigTIFF" : "TIFF";
    info.compression = tiffCompressionName(facts.compression);
    info.photometric = tiffPhotometricName(facts.photometric);
    info.width = facts.width;
    info.height = facts.height;
    info.bits = facts.bits;
    info.sampleFormat = nameOf(facts.kind);
    info.samples = facts.samples;
    info.orientation = facts.orientation;
    info.carried = readCopiedTags(tiff);
    if (!facts.numbersNote.empty()) {
        info.notes.push_back(facts.numbersNote);
    }
    if (facts.photometric == PHOTOMETRIC_MINISWHITE) {
        info.notes.emplace_back(facts.hasLevels() ? "MinIsWhite: grey levels inverted"
                                                  : "MinIsWhite: values shown as stored, not inverted");
    }
    return info;
}

TiffHandle openDirectory(const SourceFile& source, std::uint64_t offset, const std::string& name) {
    TiffHandle handle = TiffHandle::openForReading(source.path, memoryLimitFor(source));
    if (TIFFSetSubDirectory(handle.get(), offset) == 0) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "the tags of " + name + " are damaged: " + handle.messages().lastError);
    }
    return handle;
}

/// Adapts carried tags, pixel size and sides to the level, then to the orientation.
void describeLevel(const TiffFacts& facts, ImageInfo& info) {
    if (info.level > 0) {
        scalePixels(info, info.width, info.height, static_cast<double>(info.width) / facts.width,
                    static_cast<double>(info.height) / facts.height);
    }
    info.width = facts.width;
    info.height = facts.height;
    if (facts.orientation == ORIENTATION_TOPLEFT) {
        return;
    }
    // Geo tags describe the stored image and cannot express a rotation.
    const auto isGeo = [](const CopiedTag& tag) {
        return tag.tag != TIFFTAG_XRESOLUTION && tag.tag != TIFFTAG_YRESOLUTION && tag.tag != TIFFTAG_RESOLUTIONUNIT &&
               tag.tag != kGdalNoDataTag && tag.tag != kGdalMetadataTag;
    };
    if (std::erase_if(info.carried, isGeo) > 0) {
        info.notes.emplace_back("turned upright: its place on the map is not carried to written files");
    }
    if (swapsSides(facts.orientation)) {
        std::swap(info.width, info.height);
        for (ResolutionLevel& level : info.levels) {
            std::swap(level.width, level.height);
        }
        if (info.pixelSize) {
            std::swap(info.pixelSize->x, info.pixelSize->y);
        }
        if (info.spacing) {
            std::swap(info.spacing->x, info.spacing->y);
        }
        for (CopiedTag& tag : info.carried) {
            if (tag.tag == TIFFTAG_XRESOLUTION || tag.tag == TIFFTAG_YRESOLUTION) {
                tag.tag = tag.tag == TIFFTAG_XRESOLUTION ? TIFFTAG_YRESOLUTION : TIFFTAG_XRESOLUTION;
            }
        }
    }
}

/// A page with the file and the directory that hold it.
struct PageLocation {
    std::optional<SourceFile> file; ///< unset: the opened file
    TiffPageOutline outline;
};

PageLocation findPage(const SourceFile& source, const ReadOptions& options, const TiffStack& stack,
                      TiffOutline& outline) {
    requireIndex(source.path, "page", options.page, stack.about.pages, "file");
    const PagePlace place = stack.placeOf(options.page);
    const auto missing = [&](const std::string& why) {
        return readError(ErrorCode::invalidArgument, source.path,
                         "page " + std::to_string(options.page) + " (" + positionText(stack.about.axes, options.page) +
                             ") is missing: " + why);
    };
    if (!place.isStored() && place.file == 0) {
        throw missing("it was planned, but is not stored");
    }
    if (place.file == 0) {
        return {std::nullopt, std::move(outline.pages[place.directory])};
    }
    const std::string& name = stack.places.files[place.file];
    if (!place.isStored()) {
        throw missing("its file " + name + " is not there");
    }
    PageLocation found{openSource(source.path.parent_path() / name), {}};
    TiffOutline other = readTiffOutline(*found.file);
    if (place.directory >= other.pages.size()) {
        throw missing(name + " has " + std::to_string(other.pages.size()) + " pages");
    }
    found.outline = std::move(other.pages[place.directory]);
    return found;
}

} // namespace

TiffPage openTiffPage(const SourceFile& opened, const ReadOptions& options) {
    TiffOutline outline = readTiffOutline(opened);
    const std::uint64_t firstOffset = outline.pages[0].page.offset;
    const auto listed = std::to_string(outline.pages.size());
    TiffHandle handle = openDirectory(opened, firstOffset, "page 0");
    const TiffStack stack = readTiffStack(opened, outline, handle.get());
    PageLocation found = findPage(opened, options, stack, outline);
    const SourceFile& source = found.file ? *found.file : opened;
    const std::vector<TiffDirectory> levels = tiffLevels(source, found.outline);
    const auto lastLevel = static_cast<int>(levels.size()) - 1;
    if (options.level < 0 || options.level > lastLevel) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "level " + std::to_string(options.level) + " of page " + std::to_string(options.page) +
                            " does not exist, the page has levels 0 to " + std::to_string(lastLevel));
    }
    const std::string name = "page " + std::to_string(options.page);
    if (found.file || levels[0].offset != firstOffset) {
        handle = openDirectory(source, levels[0].offset, name);
    }
    TiffFacts facts = readFacts(source, handle.get(), levels[0], stack);
    ImageInfo info = makeInfo(handle.get(), facts);
    info.page = options.page;
    describeTiff(handle.get(), stack, info);
    arrangeChannels(info, facts.alphaSample);
    if (options.level > 0) {
        const TiffDirectory& level = levels[static_cast<std::size_t>(options.level)];
        handle = openDirectory(source, level.offset, name + ", level " + std::to_string(options.level));
        const int orientation = facts.orientation; // reduced versions often lack the tag
        facts = readFacts(source, handle.get(), level, stack);
        facts.orientation = orientation;
        info.level = options.level;
        info.compression = tiffCompressionName(facts.compression);
    }
    facts.shift = stack.planeBytes * static_cast<std::uint64_t>(options.page);
    handle.shiftData(facts.shift);
    if (levels.size() > 1) {
        for (const TiffDirectory& level : levels) {
            info.levels.push_back({level.width, level.height});
        }
    }
    describeLevel(facts, info);
    if (outline.damaged || outline.cut) {
        info.notes.push_back(outline.cut ? "only the first " + listed + " pages are listed"
                                         : "the list of pages is damaged after page " +
                                               std::to_string(outline.pages.size() - 1));
    }
    return {std::move(handle), facts, std::move(info), std::move(found.outline.masks), std::move(found.file)};
}

TiffPage openTiffMask(const SourceFile& source, const TiffDirectory& mask) {
    TiffHandle handle = openDirectory(source, mask.offset, "a transparency mask");
    const TiffFacts facts = readFacts(source, handle.get(), mask, {});
    ImageInfo info = makeInfo(handle.get(), facts);
    return {std::move(handle), facts, std::move(info), {}};
}

const TiffDirectory* maskOf(const TiffPage& page) {
    const auto mask = std::ranges::find_if(page.masks, [&](const TiffDirectory& directory) {
        return directory.width == page.facts.width && directory.height == page.facts.height;
    });
    return mask == page.masks.end() ? nullptr : &*mask;
}

TiffHandle TiffHandles::take(const SourceFile& source, const TiffFacts& facts) {
    {
        const std::scoped_lock lock(mutex_);
        if (!free_.empty()) {
            TiffHandle handle = std::move(free_.back());
            free_.pop_back();
            return handle;
        }
    }
    return reopenTiff(source, facts);
}

void TiffHandles::giveBack(TiffHandle handle) noexcept {
    try {
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(handle));
    } catch (const std::bad_alloc&) { // NOLINT(bugprone-empty-catch): without memory for it, the handle is closed
    }
}

TiffHandle reopenTiff(const SourceFile& source, const TiffFacts& facts) {
    TiffHandle handle = openDirectory(source, facts.directory, "the page");
    handle.shiftData(facts.shift);
    setModes(handle.get(), facts);
    return handle;
}

} // namespace pollard
