#include "io/volumes/volume_slices.hpp"

#include "io/metadata/stack_places.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"

#include <cstddef>
#include <utility>

namespace pollard {

VolumeSlices::VolumeSlices(const std::vector<std::filesystem::path>& files, const ReadOptions& options)
    : options_(options) {
    options_.projection.reset();
    if (files.size() > 1) {
        files_ = arrangedSlices(files, options).value_or(SliceFiles{files, 0, {}, {}, false});
    }
    path_ = files_.files.empty() ? files.at(0) : files_.files.front();
    if (files_.files.size() < 2) {
        files_ = {};
        if (auto series = seriesOf(path_, options)) {
            files_ = std::move(*series);
            path_ = files_.files.at(0);
            options_.page = 0; // of each file
        }
    }
    pages_ = files_.files.empty() ? pagesOfFile() : SlicePages{options_.page, 0, static_cast<int>(files_.files.size())};
    takePart(options);
}

SlicePages VolumeSlices::pagesOfFile() const {
    const ImageInfo info = readImageInfo(path_, options_);
    if (info.axes.empty() || info.axes.front().name != kUnclearAxis) {
        return slicePages(info);
    }
    if (!options_.slices) {
        refuse(ErrorCode::invalidArgument,
               "which pages are the slices of a volume is not clear: " + unclearOrder(info) + "; the region 0,0,0," +
                   std::to_string(info.width) + "," + std::to_string(info.height) + "," + std::to_string(info.pages) +
                   " takes all pages in their order");
    }
    return {0, 1, info.pages};
}

void VolumeSlices::takePart(const ReadOptions& options) {
    if (options.shrink < 1) {
        refuse(ErrorCode::invalidArgument, "shrink by " + std::to_string(options.shrink) + ": must be at least 1");
    }
    if (pages_.count < 2) {
        refuse(ErrorCode::invalidArgument, "has one slice; a volume has several pages along z");
    }
    whole_ = pages_.count;
    if (options.slices) {
        const auto count = static_cast<std::uint32_t>(pages_.count);
        const auto [first, wanted] = *options.slices;
        if (wanted == 0 || first >= count || wanted > count - first) {
            refuse(ErrorCode::invalidArgument,
                   "region: " + std::to_string(wanted) + " slices from slice " + std::to_string(first) +
                       " on: must hold a slice and lie within the " + std::to_string(count) + " slices of the volume");
        }
        pages_.first += static_cast<int>(first) * pages_.stride;
        pages_.count = static_cast<int>(wanted);
        if (std::vector<std::filesystem::path>& files = files_.files; !files.empty()) {
            files.erase(files.begin(), files.begin() + first);
            files.resize(wanted);
        }
    }
    if (pages_.count <= options.shrink) {
        refuse(ErrorCode::invalidArgument, pages_.count == 1
                                               ? "region: one slice is a page and no volume"
                                               : "shrinking by " + std::to_string(options.shrink) + " leaves one of " +
                                                     std::to_string(pages_.count) + " slices, which is no volume");
    }
}

void VolumeSlices::refuse(ErrorCode code, const std::string& why) const { throw readError(code, path_, why); }

Extent VolumeSlices::extent() const {
    const ImageInfo info = readImageInfo(fileOf(0), optionsOf(0, options_));
    const PixelRegion part = wantedRegion(path_, options_.region, info.width, info.height);
    return {part.width, part.height, static_cast<std::uint32_t>(count())};
}

std::vector<std::filesystem::path> VolumeSlices::files() const {
    return files_.files.empty() ? std::vector{path_} : files_.files;
}

const std::filesystem::path& VolumeSlices::fileOf(int slice) const {
    return files_.files.empty() ? path_ : files_.files[static_cast<std::size_t>(slice)];
}

std::string VolumeSlices::nameOf(int slice) const {
    return files_.files.empty() ? "page " + std::to_string(pages_.first + slice * pages_.stride)
                                : fileOf(slice).filename().string();
}

ReadOptions VolumeSlices::optionsOf(int slice, const ReadOptions& like) const {
    ReadOptions one = options_;
    one.page = pages_.first + slice * pages_.stride;
    one.region = like.region;
    one.mapping = like.mapping;
    one.statistics = like.statistics;
    one.threads = like.threads;
    one.shrink = 1;
    one.series = false;
    return one;
}

LoadedImage VolumeSlices::read(int slice, const ReadOptions& like, const JobControl& control) const {
    return readImage(fileOf(slice), optionsOf(slice, like), control);
}

bool VolumeSlices::readAtOnce(int first, int count, const ReadOptions& like, const FilePage::TakeSlice& take,
                              const JobControl& control) const {
    return files_.files.empty() && pages_.stride == 1 &&
           openPage(path_, optionsOf(first, like), PageUse::pixels)->readSlices(count, take, control);
}

void VolumeSlices::requireAlike(int slice, const LoadedImage& read, PixelType type, const Extent& extent,
                                bool isMapped) const {
    if (read.image->type() != type || read.image->width() != extent.width || read.image->height() != extent.height ||
        read.info.mapping.has_value() != isMapped) {
        refuse(ErrorCode::formatUnsupported, nameOf(slice) + " differs in size or depth from the first slice");
    }
}

void VolumeSlices::describe(ImageInfo& info) const {
    describeSlices(files_, static_cast<std::size_t>(whole_), 0, options_, info);
}

bool VolumeSlices::needsAllValues(const ImageInfo& slice) const {
    constexpr int kShortBits = 16;
    const bool isOfType = options_.mapping.range == MappingChoice::Range::automatic && slice.sampleFormat != "float" &&
                          slice.bits <= kShortBits && options_.channel.kind != ChannelChoice::Kind::derived;
    return slice.mapping && options_.mapping.range != MappingChoice::Range::fixed && !isOfType;
}

} // namespace pollard
