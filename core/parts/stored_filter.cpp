#include "parts/stored_filter.hpp"

#include "base/error.hpp"
#include "io/picture_regions.hpp"
#include "parts/part_files.hpp"
#include "parts/streamed_filter.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_file.hpp"
#include "recipe/result_tags.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace pollard {

namespace {

/// Part of the whole time, for the progress.
constexpr double kFilteringShare = 0.9;

/// The folder with those of the channels; removed at the end if it is empty.
class OuterFolder {
public:
    explicit OuterFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    ~OuterFolder() {
        std::error_code problem;
        std::filesystem::remove(folder_, problem);
    }
    OuterFolder(const OuterFolder&) = delete;
    OuterFolder& operator=(const OuterFolder&) = delete;
    [[nodiscard]] std::filesystem::path of(std::size_t channel) const {
        return folder_ / ("channel-" + std::to_string(channel));
    }

private:
    std::filesystem::path folder_;
};

/// @throws Error(invalidArgument) if channels differ in size or depth
void requireAlike(const ChannelFile& file, const JobControl& control) {
    std::optional<std::pair<Extent, PixelType>> first;
    for (std::size_t channel = 0; channel < file.channels().size(); ++channel) {
        const PictureRegions regions(file.path(), file.optionsOf(channel), control.withoutProgress());
        const std::pair own{regions.extent(), regions.type()};
        if (first.value_or(own) != own) {
            throw Error(ErrorCode::invalidArgument, file.path().string() + ": channel " +
                                                        file.channels()[channel].name +
                                                        " differs in size or depth from the first");
        }
        first = own;
    }
}

/// Marks of the channels: one for all channels of a page.
std::vector<std::optional<NoDataMark>> marksOf(const ChannelFile& file, std::span<const FilterSpec> filters,
                                               const JobControl& control) {
    struct Page {
        bool hasGaps = false;
        LevelsInUse used;
        std::vector<ResultLevels> levels;
    };
    std::map<int, Page> pages;
    const auto forEachChannel = [&](const auto& visit) {
        for (std::size_t channel = 0; channel < filters.size(); ++channel) {
            PictureRegions regions(file.path(), file.optionsOf(channel), control.withoutProgress());
            visit(channel, regions, pages[file.channels()[channel].page]);
        }
    };
    std::vector<std::optional<NoDataMark>> marks(filters.size());
    if (file.hasTransparency()) {
        return marks;
    }
    forEachChannel([&](std::size_t channel, PictureRegions& regions, Page& page) {
        if (regions.passes() > 0) {
            regions.prepare(control.withoutProgress());
        }
        page.hasGaps = page.hasGaps || (regions.validLevels() && regions.info().mapping);
        page.levels.push_back(resultLevelsOf(filters[channel]));
    });
    forEachChannel([&](std::size_t /*channel*/, PictureRegions& regions, Page& page) {
        if (page.hasGaps) {
            if (regions.passes() > 0) {
                regions.prepare(control.withoutProgress());
            }
            page.used.add(regions, control);
        }
    });
    for (std::size_t channel = 0; channel < filters.size(); ++channel) {
        const Page& page = pages.at(file.channels()[channel].page);
        marks[channel] = page.used.markFor(page.levels);
    }
    return marks;
}

/// Whether all pixels are 0.
bool isEmpty(const PixelRows& rows) {
    std::vector<std::byte> row(rows.rowBytes());
    for (std::uint64_t y = 0; y < rows.extent.rows(); ++y) {
        rows.read(y, 1, row.data());
        if (std::ranges::any_of(row, [](std::byte value) { return value != std::byte{0}; })) {
            return false;
        }
    }
    return true;
}

/// The samples of a file as they are.
ChannelFile::Plane transparencyOf(const PictureFilter& request, const ReadOptions& options) {
    const auto regions = std::make_shared<PictureRegions>(request.source, options);
    regions->prepare();
    PixelRows rows{regions->extent(), bitsOf(regions->type()), {}};
    rows.read = [regions](std::uint64_t first, std::uint32_t count, std::byte* out) {
        const LoadedImage read = regions->read({0, static_cast<std::uint32_t>(first), regions->width(), count});
        std::memcpy(out, read.image->data(), read.image->bytes());
    };
    return {regions->info(), std::move(rows)};
}

} // namespace

StoredFilter::StoredFilter(const PictureFilter& request, const PictureChunks& chunks, bool keeps,
                           const JobControl& control)
    : output_(chunks.job.filter.output),
      folder_(workFolder(request), textOf(chunks.job, chunks.regions->identity()), request.resume), guard_(folder_) {
    if (keeps) {
        guard_.keepOnFailure();
    }
    StreamedFilter filter(chunks.job, chunks.reader(), chunks.treeOptions(request), folder_, chunks.mergeMemory());
    filter.prepare(control);
    store_.emplace(folder_.file("pixels"), chunks.job.grid.whole(), filter.bits(), request.resume);
    if (!store_->isResumed() && filter.hasApplied()) {
        throw Error(ErrorCode::fileDamaged, "working folder: " + workFolder(request).string() +
                                                ": the pixels of finished chunks are missing; begin a new one");
    }
    report_ = reportOn(chunks, filter.bits());
    report_.stream =
        filter.apply({[this](const FilteredChunk& chunk, const JobControl&) { store_->put(chunk.box, chunk.data()); },
                      [this] { store_->flush(); }},
                     control);
    report_.engine = filter.engine();
}

PixelRows StoredFilter::rows() const {
    PixelRows rows = store_->rows();
    if (output_ == Output::labels) {
        rows.largest = report_.stream.components;
    } else if (output_ == Output::mask && rows.bits == bitsOf(PixelType::u16)) {
        rows.largest = isEmpty(rows) ? 0 : maxLevelOf(PixelType::u16);
    }
    return rows;
}

std::vector<PictureFilterReport> filterChannels(const PictureFilter& request, const ChannelFile& file,
                                                std::span<const FilterSpec> filters, const JobControl& control) {
    requireAlike(file, control);
    const std::vector<std::optional<NoDataMark>> marks = marksOf(file, filters, control);
    const OuterFolder folder(workFolder(request));
    const std::size_t count = filters.size();
    std::vector<std::unique_ptr<StoredFilter>> stored;
    std::vector<PictureFilterReport> reports;
    for (std::size_t channel = 0; channel < count; ++channel) {
        PictureFilter one = request;
        one.read = file.optionsOf(channel);
        one.read.threads = request.threads;
        one.filter = filters[channel];
        one.folder = folder.of(channel);
        const JobControl part =
            control.part(kFilteringShare * static_cast<double>(channel) / static_cast<double>(count),
                         kFilteringShare / static_cast<double>(count));
        try {
            PictureChunks chunks(one, part.part(0, kPassShare));
            chunks.job.mark = marks[channel];
            stored.push_back(
                std::make_unique<StoredFilter>(one, chunks, !request.folder.empty(), chunks.afterPasses(part)));
            reports.push_back(stored.back()->report());
            const PixelRegion corner{0, 0, 1, 1}; // its tags are those of the part that is read
            reports.back().info.carried = chunks.regions->readBox(corner, {0, 1}, part.withoutProgress()).info.carried;
        } catch (const Error& error) {
            throw Error(error.code(), "channel " + file.channels()[channel].name + ": " + error.what());
        }
    }
    const std::vector<ResultLevels> levels(count, resultLevelsOf(filters[0]));
    file.writePlanes(
        request.target, levels,
        [&](std::optional<std::size_t> channel, const ReadOptions& options) {
            return channel ? ChannelFile::Plane{reports[*channel].info, stored[*channel]->rows(), marks[*channel]}
                           : transparencyOf(request, options);
        },
        control.part(kFilteringShare, 1 - kFilteringShare), request.compression);
    for (const auto& each : stored) {
        each->finish();
    }
    return reports;
}

PictureFilterReport filterByRows(const PictureFilter& request, const JobControl& control) {
    const PictureChunks chunks(request, control.part(0, kPassShare));
    requireVoxelFile(request.target, chunks.regions->info());
    const JobControl working = chunks.afterPasses(control);
    StoredFilter filtered(request, chunks, !request.folder.empty(), working.part(0, kFilteringShare));
    writeResult(request.target, filtered.rows(), filtered.report().info,
                {resultValuesOf(chunks.job.filter.output), chunks.job.mark}, request.compression,
                working.part(kFilteringShare, 1 - kFilteringShare));
    filtered.finish();
    return filtered.report();
}

} // namespace pollard
