#include "base/error.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/orientation.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/kept_values.hpp"
#include "io/tiff/tiff_decode.hpp"
#include "io/tiff/tiff_facts.hpp"
#include "io/tiff/tiff_pixels.hpp"

#include <algorithm>
#include <array>
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
    if (options.region && info.mapping && !info.mapping->exact &&
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
