#include "vm/document/image_reader.hpp"

#include "vm/image/even_levels.hpp"

#include "base/error.hpp"
#include "geo/ground_size.hpp"
#include "io/volumes/read_volume.hpp"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace pollard::vm {

namespace {

/// Pages of the slices of a volume, as they are read: of a shrunk volume the first of those that a slice joins.
SlicePages pagesRead(const ImageInfo& info, const OpenRequest& volume) {
    SlicePages pages = slicePages(info);
    if (volume.sliceRange) {
        pages.first += static_cast<int>(volume.sliceRange->first) * pages.stride;
        pages.count = static_cast<int>(volume.sliceRange->count);
    }
    pages.stride *= volume.shrink;
    pages.count = (pages.count + volume.shrink - 1) / volume.shrink;
    return pages;
}

} // namespace

std::optional<MemoryPlan> PictureReader::questionAbout(const OpenRequest& page, const LoadRules& rules,
                                                       const TreeRequest& request) const {
    if (!(rules.askFirst || rules.askAlways) || !services_.readInfo || !services_.availableMemory) {
        return std::nullopt;
    }
    ImageInfo info;
    try {
        info = infoOfWhole(page, rules);
    } catch (const Error&) {
        return std::nullopt; // the read reports the error
    }
    std::optional<MemoryPlan> plan = planFor(info, page, request);
    return plan && (plan->mustAsk() || rules.askAlways) ? std::move(plan) : std::nullopt;
}

ImageInfo PictureReader::infoOfWhole(OpenRequest page, const LoadRules& rules) const {
    page.region.reset();
    page.shrink = 1;
    return services_.readInfo(QFileInfo(page.path).filesystemFilePath(), page.options(rules.limits));
}

std::optional<MemoryPlan> PictureReader::planFor(const ImageInfo& info, const OpenRequest& page,
                                                 const TreeRequest& request) const {
    if (!services_.availableMemory) {
        return std::nullopt;
    }
    const Engine& engine = services_.selectEngine(request.engine);
    std::error_code ignored;
    const MemoryThere there{services_.availableMemory(), engine.name() == kFallbackEngine ? 0 : engine.memoryBytes()};
    const std::filesystem::path file = QFileInfo(page.path).filesystemFilePath();
    const bool inBands = services_.readsRegions && services_.readsRegions(file, page.options({}));
    const std::uintmax_t bytes = std::filesystem::file_size(file, ignored);
    const bool isFile = std::filesystem::is_regular_file(file, ignored);
    return planMemory(info, page, isFile ? bytes : 0, there, !effectiveStages(request.earlier).empty(), inBands);
}

DecidedRequest PictureReader::decide(const OpenRequest& asked, const LoadRules& rules, const TreeRequest& tree) const {
    DecidedRequest decided{asked, 0, asked.page, std::nullopt};
    decided.request.mayReduce = false;
    decided.request.slices = Slices::pages; // unless it is found to be a volume
    const bool mayBeVolume =
        services_.readVolume && services_.readInfo && asked.slices != Slices::pages && !asked.projection;
    if (!mayBeVolume || (asked.slices == Slices::automatic && asked.isReduced())) {
        return decided;
    }
    try {
        const ImageInfo info = infoOfWhole(asked, rules);
        OpenRequest volume = asked;
        volume.mayReduce = false;
        volume.slices = Slices::volume;
        if (asked.slices == Slices::automatic) {
            if (!statesVolume(info)) {
                return decided;
            }
            if (rules.slices == Slices::pages) {
                const SlicePages pages = slicePages(info);
                const bool isStart = asked.page == 0 && !rules.projection;
                decided.request.projection = rules.projection;
                decided.request.page += isStart ? pages.count / 2 * pages.stride : 0; // the middle, as of a volume
                decided.page = decided.request.page;
                return decided;
            }
            // The CPU engine takes over where only the memory of the device is too small.
            if (auto plan = planFor(info, volume, tree); plan && plan->mustAsk() && !plan->cpuFits) {
                decided.tooLarge = std::move(plan);
                return decided;
            }
        }
        volume.page = slicePages(info).first;
        const SlicePages pages = pagesRead(info, volume);
        // A file opens in its middle, where most of it is seen.
        const bool isOpened = asked.slices == Slices::automatic && asked.page == 0;
        const int slice = isOpened ? pages.count / 2 : (asked.page - pages.first) / pages.stride;
        decided.slice = static_cast<std::uint32_t>(std::clamp(slice, 0, pages.count - 1));
        decided.page = pages.first + static_cast<int>(decided.slice) * pages.stride;
        decided.request = std::move(volume);
    } catch (const Error&) { // the read reports the error
        decided.request.slices = asked.slices;
    }
    return decided;
}

Picture PictureReader::read(const OpenRequest& page, std::uint32_t slice, const LoadRules& rules,
                            const JobControl& control) const {
    const bool isVolume = page.slices == Slices::volume;
    const auto& reader = isVolume ? services_.readVolume : services_.read;
    LoadedImage loaded = reader(QFileInfo(page.path).filesystemFilePath(), page.options(rules.limits), control);
    findGroundSize(loaded.info, loaded.image->width(), loaded.image->height());
    Picture picture;
    (isVolume ? picture.volume : picture.image) = std::move(loaded.image);
    (isVolume ? picture.volumeValid : picture.valid) = std::move(loaded.valid);
    picture.fileInfo = std::make_shared<const ImageInfo>(std::move(loaded.info));
    picture.pixelSize = picture.fileInfo->pixelSize;
    if (isVolume) {
        picture.slices = pagesRead(*picture.fileInfo, page);
        picture.slice = std::min(slice, picture.volume->extent().slices - 1);
    }
    return picture;
}

void PictureReader::addDisplay(Picture& picture, const JobControl& control) const {
    picture.histogram = std::make_shared<const LevelHistogram>(inEvenLevels(
        countLevels(*picture.whole(), {{}, nullptr, picture.wholeValid().get()}, control), picture.fileInfo->mapping));
    if (picture.volume) {
        see(picture, picture.plane(), control);
    } else {
        addPyramid(picture, control);
    }
}

void PictureReader::addPyramid(Picture& picture, const JobControl& control) const {
    std::shared_ptr<const Coverage> coverage;
    if (picture.valid) {
        const std::size_t levels = Pyramid::levelsOf(picture.image->width(), picture.image->height());
        coverage = std::make_shared<const Coverage>(picture.valid, levels, control);
    }
    picture.pyramid =
        pyramidOf(picture, inEvenLevels(picture.image, picture.fileInfo->mapping), std::move(coverage), control);
}

std::shared_ptr<const Pyramid> PictureReader::pyramidOf(const ShownImage& shown, std::shared_ptr<const Image> image,
                                                        std::shared_ptr<const Coverage> coverage,
                                                        const JobControl& control) const {
    PyramidPool ofSections; // their sizes differ: they would take the memory from the slices
    PyramidPool& pool = shown.across == VolumeAxis::z ? pyramids_ : ofSections;
    return pool.make(std::move(image), std::move(coverage), control);
}

void PictureReader::see(Picture& picture, const VolumePlane& plane, const JobControl& control) const {
    const Extent& extent = picture.volume->extent();
    const bool isSlice = plane.across == VolumeAxis::z;
    const auto planeOf = [&](const Image& volume) {
        return std::make_shared<const Image>(isSlice ? sliceOf(volume, plane.at) : pictureOf(plane, volume));
    };
    picture.across = plane.across;
    picture.slice = plane.at;
    picture.turn = plane.turn;
    picture.image = planeOf(*picture.volume);
    if (picture.volumeInput) {
        picture.input = planeOf(*picture.volumeInput);
    }
    if (const auto& valid = picture.volumeValid) {
        picture.valid = std::make_shared<const Mask>(isSlice ? valid->rows(plane.at * extent.height, extent.height)
                                                             : pictureOf(plane, *valid, extent));
    }
    addPyramid(picture, control);
    if (isSlice) {
        auto info = std::make_shared<ImageInfo>(*picture.fileInfo);
        info->page = picture.slices.first + static_cast<int>(plane.at) * picture.slices.stride;
        picture.fileInfo = std::move(info);
    }
}

} // namespace pollard::vm
