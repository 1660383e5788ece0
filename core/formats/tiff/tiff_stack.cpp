#include "formats/tiff/tiff_stack.hpp"

#include "formats/tiff/tiff_directories.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/imagej_description.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/ome_xml.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Bytes of a file, whose numbers have the least byte first.
class LittleBytes {
public:
    /// Fewer bytes than asked for, or none, if the file ends.
    LittleBytes(const SourceFile& source, std::uint64_t place, std::uint64_t count) {
        if (place >= source.size) {
            return;
        }
        bytes_.resize(std::min(count, source.size - place));
        const FilePointer file = openForReading(source.path);
        const bool isThere = fseeko(file.get(), static_cast<off_t>(place), SEEK_SET) == 0;
        bytes_.resize(isThere ? std::fread(bytes_.data(), 1, bytes_.size(), file.get()) : 0);
    }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    /// 0 beyond the end.
    [[nodiscard]] std::uint32_t u32(std::size_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
    [[nodiscard]] std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
    [[nodiscard]] std::uint8_t u8(std::size_t at) const { return static_cast<std::uint8_t>(number(at, 1)); }
    [[nodiscard]] double real(std::size_t at) const { return std::bit_cast<double>(number(at, 8)); }
    [[nodiscard]] double fraction(std::size_t at) const {
        return u32(at + 4) == 0 ? 0 : static_cast<double>(u32(at)) / u32(at + 4);
    }
    /// At most @p count characters, up to the first that is zero.
    [[nodiscard]] std::string text(std::size_t at, std::size_t count) const {
        std::string text;
        for (std::size_t i = 0; i < count && u8(at + i) != 0; ++i) {
            text += static_cast<char>(u8(at + i));
        }
        return text;
    }

private:
    [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t count) const {
        std::uint64_t sum = 0;
        for (std::size_t i = count; i-- > 0 && bytes_.size() >= count && at <= bytes_.size() - count;) {
            sum = sum << 8 | std::to_integer<std::uint64_t>(bytes_[at + i]);
        }
        return sum;
    }

    std::vector<std::byte> bytes_;
};

/// Assigns the pages of the file to the first planes of the planned axes; later planes are missing.
StackPlaces placeFirst(const std::string& origin, std::vector<StackAxis> axes, ImageInfo& info) {
    std::uint64_t planned = 1;
    for (const StackAxis& axis : axes) {
        planned *= static_cast<std::uint64_t>(axis.count);
    }
    StackPlaces places;
    places.pages.resize(planned);
    for (std::uint32_t page = 0; page < static_cast<std::uint32_t>(info.pages); ++page) {
        places.pages[page].directory = page;
    }
    return placePages(origin, std::move(axes), std::move(places), info);
}

constexpr std::size_t kPlaneBytes = 24; ///< of UIC2

/// The axis of the planes, and the distance of slices if it is the same for all, else 0.
std::pair<char, double> metaMorphAxis(const LittleBytes& planes, std::size_t count) {
    constexpr std::size_t kTime = 12;
    bool areApart = true;
    bool areLater = true;
    bool isEven = true;
    for (std::size_t i = 0; i < count; ++i) {
        const double distance = planes.fraction(i * kPlaneBytes);
        areApart = areApart && distance != 0;
        isEven = isEven && distance == planes.fraction(0);
        areLater =
            areLater && (i == 0 || planes.u32(i * kPlaneBytes + kTime) != planes.u32((i - 1) * kPlaneBytes + kTime));
    }
    return {areApart ? 'z' : areLater ? 't' : 'p', areApart && isEven ? planes.fraction(0) : 0};
}

/// Size of a pixel by the calibration of a MetaMorph file.
std::optional<PixelSize> metaMorphSize(const SourceFile& source, const TiffDirectory& first, double distance) {
    enum : std::uint32_t { kCalibrated = 3, kX = 4, kY = 5, kUnit = 6 };
    constexpr std::uint64_t kMostEntries = 256;
    constexpr std::size_t kPair = 8;
    constexpr std::size_t kLongestUnit = 32;
    const TiffPrivateTag* const tag = first.find(kMetaMorphTag1);
    if (tag == nullptr) {
        return std::nullopt;
    }
    const LittleBytes pairs(source, tag->place, std::min(tag->count, kMostEntries) * kPair);
    double x = 0;
    double y = 0;
    bool isCalibrated = true;
    std::string unit;
    for (std::size_t at = 0; at + kPair <= pairs.size(); at += kPair) {
        const std::uint32_t value = pairs.u32(at + 4);
        switch (pairs.u32(at)) {
        case kCalibrated:
            isCalibrated = value != 0;
            break;
        case kX:
            x = LittleBytes(source, value, kPair).fraction(0);
            break;
        case kY:
            y = LittleBytes(source, value, kPair).fraction(0);
            break;
        case kUnit: {
            const LittleBytes text(source, value, 4 + kLongestUnit);
            unit = text.text(4, std::min<std::size_t>(text.u32(0), kLongestUnit));
            break;
        }
        default:
            break;
        }
    }
    const auto micrometres = micrometresOf(unit);
    if (!isCalibrated || !(x > 0) || !(y > 0) || !micrometres) {
        return std::nullopt;
    }
    return PixelSize{x * *micrometres, y * *micrometres, "µm", "MetaMorph", false, distance * *micrometres};
}

/// The structure CZ_LSMINFO.
class ZeissInfo {
public:
    ZeissInfo(const SourceFile& source, std::uint64_t place) : source_(source), bytes_(source, place, kBytes) {}

    [[nodiscard]] bool isSound() const {
        constexpr std::uint32_t kVersion13 = 0x00300494c;
        constexpr std::uint32_t kVersion15 = 0x00400494c;
        return bytes_.size() >= kLeastBytes && (bytes_.u32(0) == kVersion13 || bytes_.u32(0) == kVersion15);
    }
    [[nodiscard]] std::uint64_t slices() const { return count(kSlices); }
    [[nodiscard]] std::uint64_t channels() const { return count(kChannels); }
    [[nodiscard]] std::uint64_t times() const { return count(kTimes); }
    /// Positions of the stage and fields of a mosaic.
    [[nodiscard]] std::uint64_t positions() const { return count(kPositions) * count(kPositions + 4); }
    [[nodiscard]] double interval() const { return bytes_.real(kInterval); }

    /// Letters of the axes of the pages, the fastest first.
    [[nodiscard]] std::string_view order() const {
        constexpr std::array<std::string_view, 11> kOrders{"zct", "zct", "zct", "tcz", "ztc", "tcz",
                                                           "ztc", "ctz", "czt", "tcz", "zct"};
        const std::uint16_t type = bytes_.u16(kScanType);
        return type < kOrders.size() ? kOrders[type] : kOrders[0];
    }

    [[nodiscard]] std::optional<PixelSize> voxel() const {
        constexpr double kMicrometres = 1e6; // in a metre
        const auto side = [&](std::size_t axis) {
            const double metres = bytes_.real(kVoxel + 8 * axis);
            return metres > 0 && std::isfinite(metres) ? metres * kMicrometres : 0;
        };
        return side(0) > 0 && side(1) > 0
                   ? std::optional(PixelSize{side(0), side(1), "µm", "Zeiss LSM", false, slices() > 1 ? side(2) : 0})
                   : std::nullopt;
    }

    /// Names and colours of the channels; empty if there are not @p count.
    [[nodiscard]] std::vector<Channel> channelFacts(std::size_t count) const {
        constexpr std::uint64_t kMostBytes = 1U << 16;
        const LittleBytes block(source_, bytes_.u32(kColours), kMostBytes);
        if (bytes_.u32(kColours) == 0 || block.u32(4) != count || block.u32(8) != count) {
            return {};
        }
        std::vector<Channel> channels(count);
        std::size_t name = block.u32(16);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t colour = block.u32(12) + 4 * i;
            channels[i].colour = {block.u8(colour), block.u8(colour + 1), block.u8(colour + 2)};
            const std::size_t length = std::min<std::size_t>(block.u32(name), block.size());
            channels[i].name = factText(block.text(name + 4, length));
            name += 4 + length;
        }
        return channels;
    }

private:
    enum : std::size_t {
        kSlices = 16,
        kChannels = 20,
        kTimes = 24,
        kVoxel = 40,
        kScanType = 88,
        kColours = 108,
        kInterval = 112,
        kLeastBytes = 120,
        kPositions = 264,
        kBytes = 272
    };

    /// 1 for counts that are missing or make no sense.
    [[nodiscard]] std::uint64_t count(std::size_t at) const {
        const std::uint32_t stated = bytes_.u32(at);
        return stated >= 1 && stated <= StackPlaces::kMaxPages ? stated : 1;
    }

    const SourceFile& source_;
    LittleBytes bytes_;
};

/// Number of planes that a MetaMorph stack (STK) states; 0 for other files.
std::uint64_t metaMorphPlanes(const TiffDirectory& first) {
    const TiffPrivateTag* const tag = first.find(kMetaMorphTag2);
    return tag == nullptr ? 0 : tag->count;
}

/// Adds the facts of a MetaMorph stack: the axis of its planes, z if all have a distance, t if all times differ, else
/// without a meaning; the size of a voxel.
/// @param info.pages planes in the file; sets axes, pages and pixelSize, adds notes
StackPlaces describeMetaMorph(const SourceFile& source, const TiffDirectory& first, ImageInfo& info) {
    const std::uint64_t planned = metaMorphPlanes(first);
    const auto pages = static_cast<std::uint64_t>(info.pages);
    const TiffPrivateTag* const tag = first.find(kMetaMorphTag2);
    if (planned < 1 || planned > StackPlaces::kMaxPages) {
        return {};
    }
    const LittleBytes planes(source, tag->place, planned * kPlaneBytes);
    const auto [axis, distance] = planes.size() == planned * kPlaneBytes
                                      ? metaMorphAxis(planes, static_cast<std::size_t>(planned))
                                      : std::pair{'p', 0.0};
    info.pixelSize = metaMorphSize(source, first, distance);
    return planned < pages || planned == 1 ? StackPlaces{}
                                           : placeFirst("MetaMorph", {{axis, static_cast<int>(planned), {}}}, info);
}

/// Adds the facts of a Zeiss LSM file: axes of the pages, channels with names and colours, the size of a voxel, the
/// interval of times. Nothing if its structure is damaged.
/// @param info.pages directories that are no thumbnails, and info.samples must be set
StackPlaces describeZeiss(const SourceFile& source, const TiffDirectory& first, ImageInfo& info) {
    const ZeissInfo zeiss(source, first.find(kZeissTag)->place);
    if (!zeiss.isSound()) {
        if (info.pages > 1) {
            leaveUnclear("Zeiss LSM", "its description is damaged", info);
        }
        return {};
    }
    info.pixelSize = zeiss.voxel();
    info.channels = zeiss.channelFacts(static_cast<std::size_t>(zeiss.channels()));
    const double seconds = zeiss.interval();
    const bool statesTime = zeiss.times() > 1 && seconds > 0 && std::isfinite(seconds);
    if (statesTime) {
        info.facts.emplace_back("Time step", factNumber(seconds) + " s");
    }
    const auto samples = static_cast<std::uint64_t>(std::max(info.samples, 1));
    const std::uint64_t onPages = zeiss.channels() % samples == 0 ? zeiss.channels() / samples : zeiss.channels();
    std::vector<StackAxis> axes;
    std::uint64_t planned = 1;
    for (const char name : std::string(zeiss.order()) + 'p') {
        const std::uint64_t count = name == 'c'   ? onPages
                                    : name == 'z' ? zeiss.slices()
                                    : name == 't' ? zeiss.times()
                                                  : std::min(zeiss.positions(), StackPlaces::kMaxPages);
        planned = std::min(planned * count, StackPlaces::kMaxPages + 1);
        axes.push_back({name, static_cast<int>(count), {}});
        if (name == 't' && statesTime) {
            axes.back().step = seconds;
            axes.back().unit = "s";
        }
    }
    if (planned > StackPlaces::kMaxPages || planned < static_cast<std::uint64_t>(info.pages)) {
        if (info.pages > 1) {
            leaveUnclear("Zeiss LSM",
                         std::to_string(onPages) + " channels x " + std::to_string(zeiss.slices()) + " z x " +
                             std::to_string(zeiss.times()) + " times are not the " + std::to_string(info.pages) +
                             " pages of the file",
                         info);
        }
        return {};
    }
    return placeFirst("Zeiss LSM", std::move(axes), info);
}

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
