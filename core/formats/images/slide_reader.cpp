#include "base/text.hpp"
#include "formats/tiff/tiff_handle.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <openslide.h>
#include <string>
#include <string_view>
#include <tiffio.h>

namespace pollard {

namespace {

constexpr std::uint32_t kBandRows = 256;
constexpr std::size_t kSlideRgba = 4;

struct CloseSlide {
    void operator()(openslide_t* slide) const noexcept { openslide_close(slide); }
};
using SlidePointer = std::unique_ptr<openslide_t, CloseSlide>;

/// Recognises by name the formats whose file is a thumbnail or a list for a folder, because the content of such files
/// is not distinctive.
bool hasSlideName(const std::filesystem::path& path) {
    const std::string extension = lowered(path.extension().string());
    constexpr std::array<std::string_view, 4> kExtensions = {".mrxs", ".vms", ".vmu", ".svslide"};
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

/// Disables libtiff's global handlers, which print and which OpenSlide does not replace; OpenSlide reports its errors
/// itself.
void silenceLibtiff() {
    static const bool done = [] {
        TIFFSetErrorHandler(nullptr);
        TIFFSetWarningHandler(nullptr);
        return true;
    }();
    (void)done;
}

bool tagHolds(TIFF* tiff, std::uint32_t tag, std::string_view text) {
    const char* value = nullptr;
    return TIFFGetField(tiff, tag, &value) == 1 && value != nullptr &&
           std::string_view(value).find(text) != std::string_view::npos;
}

/// XMP is not null-terminated.
bool xmpHolds(TIFF* tiff, std::string_view text) {
    std::uint32_t count = 0;
    const char* value = nullptr;
    return TIFFGetField(tiff, TIFFTAG_XMLPACKET, &count, &value) == 1 && value != nullptr &&
           std::string_view(value, count).find(text) != std::string_view::npos;
}

/// Whether the first directory has the signature of a scanner that OpenSlide supports. Other files are not passed to
/// OpenSlide: it uses libtiff without memory limits, so that a damaged file can cause allocations of gigabytes.
bool isMarkedAsSlide(const SourceFile& source) {
    constexpr std::uint64_t kMemoryLimit = 16ULL << 20;
    constexpr std::uint32_t kHamamatsuMark = 65420;
    try {
        const TiffHandle handle = TiffHandle::openForReading(source.path, kMemoryLimit);
        TIFF* tiff = handle.get();
        return TIFFReadDirectory(tiff) == 1 &&
               (tagHolds(tiff, TIFFTAG_IMAGEDESCRIPTION, "Aperio") ||
                tagHolds(tiff, TIFFTAG_IMAGEDESCRIPTION, "www.leica-microsystems.com/scn") ||
                tagHolds(tiff, TIFFTAG_SOFTWARE, "Philips") || tagHolds(tiff, TIFFTAG_SOFTWARE, "MedScan") ||
                xmpHolds(tiff, "iScan") || TIFFFindField(tiff, kHamamatsuMark, TIFF_ANY) != nullptr);
    } catch (const Error&) {
        return false; // the TIFF reader reports the problem
    }
}

SlidePointer openSlide(const SourceFile& source) {
    silenceLibtiff();
    SlidePointer slide(openslide_open(source.path.c_str()));
    if (!slide) {
        throw readError(ErrorCode::formatUnsupported, source.path, "the slide cannot be opened");
    }
    if (const char* error = openslide_get_error(slide.get()); error != nullptr) {
        throw readError(ErrorCode::fileDamaged, source.path, "damaged slide: " + factText(error));
    }
    return slide;
}

std::string property(openslide_t* slide, const char* name) {
    const char* value = openslide_get_property_value(slide, name);
    return value != nullptr ? factText(value) : std::string();
}

double numberOf(openslide_t* slide, const char* name) {
    const double value = leadingNumber(property(slide, name)).value_or(0);
    return value > 0 && std::isfinite(value) ? value : 0;
}

void addSlideFacts(openslide_t* slide, double downsample, ImageInfo& info) {
    if (const std::string vendor = property(slide, OPENSLIDE_PROPERTY_NAME_VENDOR); !vendor.empty()) {
        info.facts.emplace_back("Scanner format", vendor);
    }
    if (const double power = numberOf(slide, OPENSLIDE_PROPERTY_NAME_OBJECTIVE_POWER); power > 0) {
        info.facts.emplace_back("Objective", factNumber(power) + "x");
    }
    if (const std::string comment = property(slide, OPENSLIDE_PROPERTY_NAME_COMMENT); !comment.empty()) {
        info.facts.emplace_back("Description", comment);
    }
    const double x = numberOf(slide, OPENSLIDE_PROPERTY_NAME_MPP_X);
    const double y = numberOf(slide, OPENSLIDE_PROPERTY_NAME_MPP_Y);
    if (x > 0 && y > 0) {
        info.pixelSize = PixelSize{x * downsample, y * downsample, "µm", "slide", false};
    }
}

/// Most slides exceed the memory, so the message names the levels that fit.
void requireSlideRoom(const SourceFile& source, const ReadOptions& options, const ImageInfo& info,
                      const PixelRegion& region) {
    const PixelClaim claim{region.width,
                           region.height,
                           8,
                           std::uint64_t{region.width} * region.height,
                           std::numeric_limits<std::uint64_t>::max(),
                           true};
    try {
        checkClaim(source, claim, options.limits);
    } catch (const Error& error) {
        std::string smaller;
        for (std::size_t level = static_cast<std::size_t>(info.level) + 1; level < info.levels.size(); ++level) {
            smaller += (smaller.empty() ? ", or a smaller level: " : ", ") + std::to_string(level) + " (" +
                       std::to_string(info.levels[level].width) + " x " + std::to_string(info.levels[level].height) +
                       ")";
        }
        throw Error(error.code(), std::string(error.what()) + "; read a region of the slide" + smaller);
    }
}

/// Unpacks premultiplied ARGB words to R, G, B, A; unscanned pixels are not valid.
void unpackRow(const std::uint32_t* words, std::uint32_t width, std::uint32_t y, std::vector<std::uint8_t>& rgba,
               Mask& valid) {
    for (std::uint32_t x = 0; x < width; ++x) {
        const std::uint32_t word = words[x];
        const std::uint32_t alpha = word >> 24;
        for (std::uint32_t c = 0; c < 3; ++c) {
            const std::uint32_t value = word >> (16 - 8 * c) & 0xff;
            const bool partial = alpha != 0 && alpha != 255;
            rgba[x * kSlideRgba + c] = static_cast<std::uint8_t>(partial ? std::min(255 * value / alpha, 255U) : value);
        }
        if (alpha == 0) {
            valid.set(x, y, false);
        }
    }
}

class SlidePage final : public FilePage {
public:
    SlidePage(const SourceFile& source, const ReadOptions& options)
        : FilePage(source, options), slide_(openSlide(source)) {
        requireFirstPage(source, options.page);
        openslide_t* slide = slide_.get();
        const int levels = openslide_get_level_count(slide);
        for (int level = 0; level < levels; ++level) {
            std::int64_t width = 0;
            std::int64_t height = 0;
            openslide_get_level_dimensions(slide, level, &width, &height);
            constexpr std::int64_t kMaxSide = std::numeric_limits<std::int32_t>::max();
            if (width <= 0 || height <= 0 || width > kMaxSide || height > kMaxSide) {
                throw readError(ErrorCode::fileDamaged, source.path,
                                "damaged slide: level " + std::to_string(level) + " is to have " +
                                    std::to_string(width) + " x " + std::to_string(height) + " pixels");
            }
            info_.levels.push_back({static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)});
        }
        requireIndex(source.path, "level", options.level, levels, "slide");
        const auto level = static_cast<std::size_t>(options.level);
        downsample_ = openslide_get_level_downsample(slide, options.level);
        info_.format = "Whole slide";
        info_.compression = "slide";
        info_.photometric = "RGB";
        info_.width = info_.levels[level].width;
        info_.height = info_.levels[level].height;
        info_.bits = 8;
        info_.samples = 3;
        info_.level = options.level;
        addSlideFacts(slide, downsample_, info_);
        if (levels == 1) {
            info_.levels.clear();
        }
        plan_ = GreyPlan::forSamples(source, options.channel, 8, 3, 3, false, info_.notes);
    }

    LoadedImage read(const JobControl& control) override {
        const PixelRegion region = part();
        requireSlideRoom(source_, options_, info_, region);
        auto image = std::make_shared<Image>(PixelType::u8, region.width, region.height);
        GreyRows rows(source_, plan_, *image);
        Mask valid(region.width, region.height, true);
        const std::uint32_t bandRows = std::min(kBandRows, region.height);
        Buffer<std::uint32_t> band(std::size_t{region.width} * bandRows);
        std::vector<std::uint8_t> rgba(region.width * kSlideRgba);
        for (std::uint32_t top = 0; top < region.height; top += bandRows) {
            const std::uint32_t count = std::min(bandRows, region.height - top);
            // OpenSlide positions are at full resolution for every level.
            openslide_read_region(slide_.get(), band.data(), std::llround(region.x * downsample_),
                                  std::llround((region.y + top) * downsample_), options_.level, region.width, count);
            if (const char* error = openslide_get_error(slide_.get()); error != nullptr) {
                throw readError(ErrorCode::fileDamaged, source_.path, "damaged slide: " + factText(error));
            }
            for (std::uint32_t y = 0; y < count; ++y) {
                unpackRow(band.data() + std::size_t{y} * region.width, region.width, top + y, rgba, valid);
                rows.putInterleaved(0, top + y, region.width, reinterpret_cast<const std::byte*>(rgba.data()),
                                    kSlideRgba);
            }
            control.report(static_cast<double>(top + count) / region.height, "reading");
            control.throwIfStopped();
        }
        LoadedImage loaded{std::move(image), nullptr, info_};
        loaded.valid = maskOfGaps(std::move(valid), loaded.info.invalidPixels);
        return loaded;
    }

private:
    SlidePointer slide_;
    double downsample_ = 1; ///< of the level
    GreyPlan plan_;
};

/// Passes only possible slides to OpenSlide. Plain tiled TIFFs are left to the TIFF reader.
bool isSlide(const SourceFile& source) {
    if (tiffReader().recognises(source) ? !isMarkedAsSlide(source) : !hasSlideName(source.path)) {
        return false;
    }
    silenceLibtiff();
    const char* vendor = openslide_detect_vendor(source.path.c_str());
    return vendor != nullptr && std::string_view(vendor) != "generic-tiff";
}

} // namespace

const ImageReader& slideReader() {
    static const ImageReader reader{
        .filter = {"Whole slides", {"svs", "ndpi", "mrxs", "scn", "bif", "vms", "vmu", "svslide"}},
        .recognises = isSlide,
        .open = openAs<SlidePage>,
        .readsRegions = true};
    return reader;
}

} // namespace pollard
