#include "base/thread_arena.hpp"
#include "formats/tiff/tiff_facts.hpp"
#include "formats/tiff/tiff_pixels.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/orientation.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// The pixels of one channel with the facts of the page, upright.
LoadedImage finished(const TiffPage& page, TiffPixels pixels, const TiffPlan& plan, const ReadOptions& options,
                     const PixelRegion& upright, const JobControl& control) {
    if (const int orientation = page.facts.orientation; orientation != ORIENTATION_TOPLEFT) {
        const auto turned = std::make_shared<Image>(uprightImage(*pixels.image, orientation, control));
        KeptValues::turn(pixels.image, turned, orientation);
        pixels.image = turned;
        if (pixels.valid) {
            pixels.valid = std::make_shared<const Mask>(uprightMask(*pixels.valid, orientation));
        }
    }
    ImageInfo info = page.info;
    info.notes.insert(info.notes.end(), plan.notes.begin(), plan.notes.end());
    if (pixels.valid) {
        info.invalidPixels = pixels.image->pixelCount() - pixels.valid->count();
        if (info.invalidPixels == 0) {
            pixels.valid.reset();
        }
    }
    info.mapping = pixels.mapping;
    info.calibration = plan.calibration;
    info.band = plan.band(info.samples);
    info.masksByAlpha = plan.alpha() >= 0;
    noteLostValues(options.mapping, info);
    if (options.region && !options.statistics && info.mapping && !info.mapping->exact &&
        options.mapping.range != MappingChoice::Range::fixed) {
        info.notes.emplace_back("the range of values is that of the part that was read");
    }
    if (options.region) {
        info.carried = cropTags(std::move(info.carried), upright, 1);
    }
    if (info.mapping || page.facts.photometric == PHOTOMETRIC_MINISWHITE) {
        // The no-data value is a stored value, not a level.
        std::erase_if(info.carried, [](const CopiedTag& tag) { return tag.tag == kGdalNoDataTag; });
    }
    return {std::move(pixels.image), std::move(pixels.valid), std::move(info)};
}

/// The grid of strips or tiles in the upright image.
BlockGrid uprightBlocks(const TiffFacts& facts) {
    BlockGrid grid{facts.blockWidth, facts.blockHeight, 0, 0};
    const auto fromEnd = [](std::uint32_t side, std::uint32_t block) { return (block - side % block) % block; };
    const int o = facts.orientation;
    if (o == ORIENTATION_TOPRIGHT || o == ORIENTATION_BOTRIGHT || o == ORIENTATION_RIGHTBOT ||
        o == ORIENTATION_LEFTBOT) {
        grid.left = fromEnd(facts.width, facts.blockWidth);
    }
    if (o == ORIENTATION_BOTRIGHT || o == ORIENTATION_BOTLEFT || o == ORIENTATION_RIGHTTOP ||
        o == ORIENTATION_RIGHTBOT) {
        grid.top = fromEnd(facts.height, facts.blockHeight);
    }
    return swapsSides(o) ? BlockGrid{grid.height, grid.width, grid.top, grid.left} : grid;
}

/// A page of a file.
class TiffFilePage final : public FilePage {
public:
    TiffFilePage(const SourceFile& source, const ReadOptions& options, PageUse use)
        : FilePage(source, options), page_(openTiffPage(source, options)), notes_(page_.info.notes) {
        info_ = page_.info;
        if (use == PageUse::pixels) {
            return; // read() checks and plans
        }
        plans_.push_back(planTiffPixels(file(), options, options.channel, page_));
        info_.notes.insert(info_.notes.end(), plans_.front().notes.begin(), plans_.front().notes.end());
        info_.calibration = plans_.front().calibration;
        info_.band = plans_.front().band(info_.samples);
        info_.masksByAlpha = plans_.front().alpha() >= 0;
        if (use == PageUse::facts) {
            requirePixelsInFile(file(), page_);
            return;
        }
        const PixelRegion area = stored(part());
        requirePixelsInFile(file(), page_);
        (void)checkTiffStorage(file(), options, page_, area);
        options_.limits.maxExpansion = std::numeric_limits<double>::infinity(); // checked with all regions
        page_.handles = std::make_shared<TiffHandles>();
        if (const TiffDirectory* mask = maskOf(page_)) {
            page_.openMask = std::make_shared<TiffPage>(openTiffMask(file(), *mask));
            (void)checkTiffStorage(file(), options, *page_.openMask, area);
            page_.openMask->handles = std::make_shared<TiffHandles>();
        }
    }

    BlockGrid blocks() const override { return uprightBlocks(page_.facts); }
    bool mayHaveGaps() const override { return plans_.front().mayHaveGaps() || page_.openMask != nullptr; }

    LoadedImage read(const JobControl& control) override {
        return std::move(readEach({&options_.channel, 1}, control).front());
    }

    std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels, const JobControl& control) override {
        if (options_.threads > 0 && !arena_) {
            arena_.emplace(options_.threads);
        }
        const auto work = [&] { return decode(channels, control); };
        return arena_ ? arena_->execute(work) : work();
    }

private:
    /// The file that holds the page.
    [[nodiscard]] const SourceFile& file() const { return fileOf(page_, source_); }

    [[nodiscard]] PixelRegion stored(const PixelRegion& upright) const {
        return storedRegion(upright, page_.facts.orientation, page_.facts.width, page_.facts.height);
    }

    std::vector<LoadedImage> decode(std::span<const ChannelChoice> channels, const JobControl& control) {
        page_.info.notes = notes_;
        const PixelRegion upright = part();
        if (plans_.empty()) {
            for (const ChannelChoice& channel : channels) {
                plans_.push_back(planTiffPixels(file(), options_, channel, page_));
            }
        }
        std::vector<TiffPixels> pixels = readTiffPixels(file(), options_, page_, plans_, stored(upright), control);
        std::vector<LoadedImage> images;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            images.push_back(finished(page_, std::move(pixels[i]), plans_[i], options_, upright, control));
        }
        return images;
    }

    TiffPage page_;
    std::vector<std::string> notes_;   ///< that hold for all regions
    std::vector<TiffPlan> plans_;      ///< of the channels; empty before read() of a page opened for PageUse::pixels
    std::optional<ThreadArena> arena_; ///< unset: the caller's
};

bool isTiff(const SourceFile& source) {
    using namespace std::string_view_literals;
    const auto magics = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
    return std::ranges::any_of(magics, [&](std::string_view magic) { return source.startsWith(magic); });
}

} // namespace

const ImageReader& tiffReader() {
    static const ImageReader reader{.filter = {"TIFF", {"tif", "tiff", "btf", "tf8", "lsm", "stk"}},
                                    .recognises = isTiff,
                                    .open = openAs<TiffFilePage>,
                                    .readsRegions = true,
                                    .keepsOpen = true};
    return reader;
}

} // namespace pollard
