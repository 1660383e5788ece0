#include "base/error.hpp"
#include "base/thread_arena.hpp"
#include "formats/tiff/tiff_decode.hpp"
#include "formats/tiff/tiff_facts.hpp"
#include "formats/tiff/tiff_pixels.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/orientation.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/kept_values.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <tbb/task_arena.h>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// The requested region, or the whole page, in pixels of the upright picture.
PixelRegion uprightRegion(const SourceFile& source, const ReadOptions& options, const ImageInfo& info) {
    if (!options.region) {
        return {0, 0, info.width, info.height};
    }
    try {
        return checkedRegion(*options.region, info.width, info.height);
    } catch (const Error& error) {
        throw readError(error.code(), source.path, error.what());
    }
}

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
    if (options.region && !options.statistics && info.mapping && !info.mapping->exact &&
        options.mapping.range != MappingChoice::Range::fixed) {
        info.notes.emplace_back("the range of values is that of the part that was read");
    }
    if (options.region) {
        info.carried = cropTags(std::move(info.carried), upright, 1);
    }
    if (info.mapping || page.facts.photometric == PHOTOMETRIC_MINISWHITE) {
        // The no-data value is a stored value, not a level.
        std::erase_if(info.carried, [](const CarriedTag& tag) { return tag.tag == kGdalNoDataTag; });
    }
    return {std::move(pixels.image), std::move(pixels.valid), std::move(info)};
}

std::vector<LoadedImage> readPage(const SourceFile& source, const ReadOptions& options,
                                  std::span<const ChannelChoice> choices, const JobControl& control) {
    TiffPage page = openTiffPage(source, options);
    const PixelRegion upright = uprightRegion(source, options, page.info);
    std::vector<TiffPlan> plans;
    for (const ChannelChoice& choice : choices) {
        plans.push_back(planTiffPixels(source, choice, page));
    }
    std::vector<TiffPixels> pixels =
        readTiffPixels(source, options, page, plans,
                       storedRegion(upright, page.facts.orientation, page.facts.width, page.facts.height), control);
    std::vector<LoadedImage> images;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        images.push_back(finished(page, std::move(pixels[i]), plans[i], options, upright, control));
    }
    return images;
}

/// The grid of strips or tiles in the upright picture.
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

/// A page of an open file.
class TiffRegions final : public RegionReader {
public:
    TiffRegions(const SourceFile& source, const ReadOptions& options)
        : source_(source), options_(options), page_(openTiffPage(source, options)),
          plan_(planTiffPixels(source, options.channel, page_)), info_(page_.info) {
        if (options.threads > 0) {
            arena_.emplace(options.threads);
        }
        info_.notes.insert(info_.notes.end(), plan_.notes.begin(), plan_.notes.end());
        const PixelRegion upright = uprightRegion(source, options, page_.info);
        const PixelRegion part = storedRegion(upright, page_.facts.orientation, page_.facts.width, page_.facts.height);
        requirePixelsInFile(source, page_);
        (void)checkTiffStorage(source, options, page_, part);
        options_.limits.maxExpansion = std::numeric_limits<double>::infinity(); // checked with all regions
        page_.handles = std::make_shared<TiffHandles>();
        if (const TiffDirectory* mask = maskOf(page_)) {
            page_.openMask = std::make_shared<TiffPage>(openTiffMask(source, *mask));
            (void)checkTiffStorage(source, options, *page_.openMask, part);
            page_.openMask->handles = std::make_shared<TiffHandles>();
        }
    }

    const ImageInfo& info() const noexcept override { return info_; }
    BlockGrid blocks() const noexcept override { return uprightBlocks(page_.facts); }
    bool mayHaveGaps() const noexcept override { return plan_.mayHaveGaps() || page_.openMask != nullptr; }

    LoadedImage read(const PixelRegion& region, const JobControl& control) override {
        const auto work = [&] { return readRegion(region, control); };
        return arena_ ? arena_->execute(work) : work();
    }

private:
    LoadedImage readRegion(const PixelRegion& region, const JobControl& control) {
        options_.region = region;
        page_.info.notes = notes_;
        const PixelRegion upright = uprightRegion(source_, options_, page_.info);
        TiffPixels pixels = std::move(
            readTiffPixels(source_, options_, page_, {&plan_, 1},
                           storedRegion(upright, page_.facts.orientation, page_.facts.width, page_.facts.height),
                           control)
                .front());
        return finished(page_, std::move(pixels), plan_, options_, upright, control);
    }

    const SourceFile& source_;
    ReadOptions options_;
    TiffPage page_;
    TiffPlan plan_;
    std::vector<std::string> notes_ = page_.info.notes; ///< those that hold for all regions
    ImageInfo info_;
    std::optional<ThreadArena> arena_; ///< unset: the caller's
};

class TiffReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"TIFF", {"tif", "tiff", "btf", "tf8"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        constexpr std::array<std::array<unsigned char, 4>, 4> kMagics = {
            {{'I', 'I', 42, 0}, {'M', 'M', 0, 42}, {'I', 'I', 43, 0}, {'M', 'M', 0, 43}}};
        return head.size() >= 4 && std::any_of(kMagics.begin(), kMagics.end(), [&](const auto& magic) {
                   return std::equal(magic.begin(), magic.end(), head.begin(), [](unsigned char a, std::byte b) {
                       return a == std::to_integer<unsigned char>(b);
                   });
               });
    }

    bool readsRegions() const override { return true; }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        TiffPage page = openTiffPage(source, options);
        const TiffPlan plan = planTiffPixels(source, options.channel, page);
        page.info.notes.insert(page.info.notes.end(), plan.notes.begin(), plan.notes.end());
        requirePixelsInFile(source, page);
        return std::move(page.info);
    }

    std::unique_ptr<RegionReader> openRegions(const SourceFile& source, const ReadOptions& options) const override {
        return std::make_unique<TiffRegions>(source, options);
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        return std::move(readEach(source, options, {&options.channel, 1}, control).front());
    }

    std::vector<LoadedImage> readEach(const SourceFile& source, const ReadOptions& options,
                                      std::span<const ChannelChoice> choices,
                                      const JobControl& control) const override {
        if (options.threads <= 0) {
            return readPage(source, options, choices, control);
        }
        tbb::task_arena arena(options.threads);
        return arena.execute([&] { return readPage(source, options, choices, control); });
    }
};

} // namespace

const ImageReader& tiffReader() {
    static const TiffReader reader;
    return reader;
}

} // namespace pollard
