#include "chunks/chunk_job.hpp"

#include "base/error.hpp"
#include "base/system.hpp"
#include "chunks/part_files.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "formats/tiff/tiles/tiled_tiff.hpp"
#include "io/region_source.hpp"
#include "io/write/planes.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/channel_file.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace {

/// Part of the whole time, for the progress.
constexpr double kFiltering = 0.9;

/// The folder that contains the working folders of the channels; removed at the end if it is empty.
class ChannelFolders {
public:
    explicit ChannelFolders(std::filesystem::path folder) : folder_(std::move(folder)) {}
    ~ChannelFolders() {
        std::error_code problem;
        std::filesystem::remove(folder_, problem);
    }
    ChannelFolders(const ChannelFolders&) = delete;
    ChannelFolders& operator=(const ChannelFolders&) = delete;
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
        const auto regions = openRegions(file.path(), file.optionsOf(channel), control.withoutProgress());
        const std::pair own{regions->extent(), regions->type()};
        if (first.value_or(own) != own) {
            throw Error(ErrorCode::invalidArgument, file.path().string() + ": channel " +
                                                        file.channels()[channel].name +
                                                        " differs in size or depth from the first");
        }
        first = own;
    }
}

/// Samples of the channels: of one type and mark for all channels of a page.
std::vector<ResultSamples> samplesOf(const ChannelFile& file, std::span<const FilterSpec> filters,
                                     const JobControl& control) {
    struct Page {
        bool needsLevels = false;
        UsedLevels used;
        std::vector<ResultValues> values;
    };
    std::map<int, Page> pages;
    const auto forEachChannel = [&](const auto& visit) {
        for (std::size_t channel = 0; channel < filters.size(); ++channel) {
            const auto regions = openRegions(file.path(), file.optionsOf(channel), control.withoutProgress());
            visit(channel, *regions, pages[file.channels()[channel].page]);
        }
    };
    std::vector<ResultSamples> samples(filters.size());
    std::vector<ImageInfo> facts(filters.size());
    forEachChannel([&](std::size_t channel, RegionSource& regions, Page& page) {
        if (regions.passes() > 0) {
            regions.prepare(control.withoutProgress());
        }
        page.values.push_back(resultValuesOf(filters[channel]));
        facts[channel] = regions.info();
        const auto& mapping = facts[channel].mapping;
        const bool hasRange =
            page.values.back() != ResultValues::differences || !mapping || !isSigned(mapping->file.type);
        page.needsLevels =
            page.needsLevels || (mapping && ((regions.validLevels() && !file.hasTransparency()) || !hasRange));
    });
    forEachChannel([&](std::size_t channel, RegionSource& regions, Page& page) {
        if (page.needsLevels) {
            if (regions.passes() > 0) {
                regions.prepare(control.withoutProgress());
            }
            page.used.add(regions, control);
        } else {
            page.used.addAll(regions.type(), facts[channel]);
        }
    });
    for (std::size_t channel = 0; channel < filters.size(); ++channel) {
        const Page& page = pages.at(file.channels()[channel].page);
        samples[channel] = page.used.samplesFor(page.values);
        if (file.hasTransparency()) {
            samples[channel].mark.reset(); // it says which pixels have no data
        }
    }
    return samples;
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

/// The filtered pixels of a store.
PixelRows rowsOf(const PixelStore& pixels, Output output, const ChunkReport& report) {
    PixelRows rows = pixels.rows();
    if (output == Output::labels) {
        rows.largest = report.counts.components;
    } else if (output == Output::mask && rows.type == ValueType::u16) {
        rows.largest = isEmpty(rows) ? 0 : maxLevelOf(PixelType::u16);
    }
    return rows;
}

/// A channel in its store.
struct FilteredChannel {
    std::unique_ptr<ChunkJob> job;
    std::unique_ptr<PixelStore> pixels;
};

/// The samples of a file as they are.
ChannelFile::StoredPlane transparencyOf(const ChunkRequest& request, const ReadOptions& options) {
    const std::shared_ptr<RegionSource> regions = openRegions(request.source, options);
    regions->prepare();
    PixelRows rows{regions->extent(), valueTypeOf(regions->type()), {}};
    rows.read = [regions](std::uint64_t first, std::uint32_t count, std::byte* out) {
        const LoadedImage read = regions->read({0, static_cast<std::uint32_t>(first), regions->extent().width, count});
        std::memcpy(out, read.image->data(), read.image->bytes());
    };
    return {regions->info(), std::move(rows)};
}

} // namespace

PixelStore::PixelStore(std::filesystem::path path, const Extent& whole, ValueType type, bool resume)
    : path_(std::move(path)), layout_{whole, type, {}} {
    const std::uint64_t bytes = whole.rows() * layout_.rowBytes();
    std::error_code problem;
    isResumed_ = resume && std::filesystem::file_size(path_, problem) == bytes && !problem;
    constexpr int kMode = 0666;
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (isResumed_ ? 0 : O_TRUNC), kMode);
    if (descriptor_ < 0) {
        failToWrite();
    }
    if (!isResumed_ && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
        const int reason = errno;
        ::close(descriptor_);
        errno = reason;
        failToWrite();
    }
}

PixelStore::~PixelStore() { ::close(descriptor_); }

void PixelStore::failToWrite() const {
    throw Error(ErrorCode::writeFailed, "cannot write working file: " + path_.string() + ": " + std::strerror(errno));
}

void PixelStore::put(const ChunkBox& box, const std::byte* pixels) {
    const Extent& whole = layout_.extent;
    const std::size_t pixelBytes = bytesOf(layout_.type);
    const bool isWide = box.extent.width == whole.width;
    const std::uint32_t rowsAtOnce = isWide ? box.extent.height : 1;
    const std::size_t bytes = rowsAtOnce * box.extent.width * pixelBytes;
    for (std::uint32_t z = 0; z < box.extent.slices; ++z) {
        for (std::uint32_t y = 0; y < box.extent.height; y += rowsAtOnce) {
            const std::uint64_t row = (std::uint64_t{box.z} + z) * whole.height + box.y + y;
            if (writeAt(descriptor_, pixels, bytes, row * layout_.rowBytes() + box.x * pixelBytes) != bytes) {
                failToWrite();
            }
            pixels += bytes;
        }
    }
}

void PixelStore::flush() {
    if (::fdatasync(descriptor_) != 0) {
        failToWrite();
    }
}

PixelRows PixelStore::rows() const {
    PixelRows rows = layout_;
    rows.read = [this](std::uint64_t first, std::uint32_t count, std::byte* out) {
        const std::size_t bytes = count * layout_.rowBytes();
        const std::optional<std::size_t> found = readAt(descriptor_, out, bytes, first * layout_.rowBytes());
        if (found != bytes) {
            throw Error(ErrorCode::fileUnreadable, "cannot read working file: " + path_.string() + ": " +
                                                       (found ? "it is cut off" : std::strerror(errno)));
        }
    };
    return rows;
}

ChunkJob::ChunkJob(const ChunkRequest& request, const ImageChunks& chunks, const std::filesystem::path& folder)
    : ChunkJob(request, chunks, allChunks(chunks.job.grid), folder, textOf(chunks.job, chunks.regions->identity()),
               request.folder.empty()) {}

ChunkJob::ChunkJob(const ChunkRequest& request, const ImageChunks& chunks, ChunkRows rows,
                   const std::filesystem::path& folder, const std::string& text, bool removes)
    : chunks_(chunks), compression_(request.compression), resume_(request.resume), folder_(folder, text, resume_) {
    if (removes) {
        folder_.removeAtEnd();
    }
    filter_.emplace(chunks.job, std::move(rows), chunks.reader(), chunks.treeOptions(request), folder_,
                    chunks.mergeMemory());
}

TileStore ChunkJob::openTiles() const {
    return {folder_.file("tiles"), resultLayout(chunks_.job, compression_, filter_->type()), folder_.identity(),
            resume_ ? TileStore::OpenMode::resume : TileStore::OpenMode::create};
}

std::unique_ptr<PixelStore> ChunkJob::openPixels() const {
    auto store =
        std::make_unique<PixelStore>(folder_.file("pixels"), chunks_.job.grid.whole(), filter_->type(), resume_);
    if (!store->isResumed() && filter_->hasApplied()) {
        throw Error(ErrorCode::fileDamaged, "working folder: " + folder_.path().string() +
                                                ": the pixels of finished chunks are missing; begin a new one");
    }
    return store;
}

ChunkReport ChunkJob::apply(const ChunkSink& sink, const JobControl& control) {
    ChunkReport report = reportOn(chunks_, bitsOf(filter_->type()));
    const PartJob& job = chunks_.job;
    if (std::string note = noteOnType(report.info, resultValuesOf(job.filter), job.written.type); !note.empty()) {
        report.info.notes.push_back(std::move(note));
    }
    report.counts = filter_->apply(sink, control);
    report.engine = filter_->engine();
    filter_.reset();
    return report;
}

TileLayout resultLayout(const PartJob& job, TiffCompression compression, ValueType type) {
    const Extent& whole = job.grid.whole();
    TileLayout layout{whole.width, whole.height, bitsOf(type), kResultTile, compression};
    layout.kind = kindOf(type);
    layout.noData = job.written.mark;
    return layout;
}

ChunkSink sinkInto(TileStore& tiles) {
    return {[&tiles](const FilteredChunk& chunk, const JobControl& quiet) {
                const ChunkBox& box = chunk.box;
                tiles.put({box.x, box.y, box.extent.width, box.extent.height}, chunk.data(),
                          box.extent.width * tiles.layout().pixelBytes(), quiet);
            },
            [&tiles] { tiles.flush(); }};
}

ChunkSink sinkInto(PixelStore& pixels) {
    return {[&pixels](const FilteredChunk& chunk, const JobControl&) { pixels.put(chunk.box, chunk.data()); },
            [&pixels] { pixels.flush(); }};
}

PlaneFacts filteredFacts(const PartJob& job, const ImageInfo& info) {
    return resultFacts(info, {resultValuesOf(job.filter), job.written}, job.grid.whole());
}

ChunkReport filterImage(const ChunkRequest& request, const JobControl& control) {
    const ImageChunks chunks(request, control.part(0, kPassShare));
    const PartJob& job = chunks.job;
    const bool byRows = writesRows(request);
    if (byRows) {
        requireVoxelFile(request.target, chunks.regions->info(), job.written);
    }
    const JobControl working = chunks.afterPasses(control);
    const JobControl filtering = working.part(0, kFiltering);
    const JobControl writing = working.part(kFiltering, 1 - kFiltering);
    ChunkJob task(request, chunks, workFolder(request));
    task.filter().prepare(filtering);
    ChunkReport report;
    if (byRows) {
        const std::unique_ptr<PixelStore> pixels = task.openPixels();
        report = task.apply(sinkInto(*pixels), filtering);
        writeResult(request.target, {rowsOf(*pixels, job.filter.output, report), filteredFacts(job, report.info)},
                    writing, {.compression = request.compression});
    } else {
        TileStore tiles = task.openTiles();
        report = task.apply(sinkInto(tiles), filtering);
        const TileStore* const stores[] = {&tiles};
        const TiledPage page{stores, &tiles, filteredFacts(job, report.info)};
        writeTiledTiff(request.target, {&page, 1}, writing);
    }
    task.finish();
    return report;
}

std::vector<ChunkReport> filterChannels(const ChunkRequest& request, const ChannelFile& file,
                                        std::span<const FilterSpec> filters, const JobControl& control) {
    requireAlike(file, control);
    const std::vector<ResultSamples> samples = samplesOf(file, filters, control);
    const ChannelFolders folder(workFolder(request));
    const std::size_t count = filters.size();
    std::vector<FilteredChannel> filtered;
    std::vector<ChunkReport> reports;
    for (std::size_t channel = 0; channel < count; ++channel) {
        ChunkRequest one = request;
        one.read = file.optionsOf(channel);
        one.read.threads = request.threads;
        one.filter = filters[channel];
        one.folder = folder.of(channel);
        const JobControl part = control.part(kFiltering * static_cast<double>(channel) / static_cast<double>(count),
                                             kFiltering / static_cast<double>(count));
        try {
            ImageChunks chunks(one, part.part(0, kPassShare));
            chunks.job.written = samples[channel];
            const JobControl working = chunks.afterPasses(part);
            auto& [task, pixels] = filtered.emplace_back();
            task = std::make_unique<ChunkJob>(request, chunks, one.folder);
            task->filter().prepare(working);
            pixels = task->openPixels();
            reports.push_back(task->apply(sinkInto(*pixels), working));
            const PixelRegion corner{0, 0, 1, 1}; // its tags are the tags of the part that is read
            reports.back().info.carried = chunks.regions->read(corner, part.withoutProgress()).info.carried;
        } catch (const Error& error) {
            throw Error(error.code(), "channel " + file.channels()[channel].name + ": " + error.what());
        }
    }
    const std::vector<ResultValues> values(count, resultValuesOf(filters[0]));
    file.writeStored(
        request.target, values,
        [&](std::optional<std::size_t> channel, const ReadOptions& options) {
            return channel ? ChannelFile::StoredPlane{reports[*channel].info, filtered[*channel].pixels->rows(),
                                                      samples[*channel]}
                           : transparencyOf(request, options);
        },
        control.part(kFiltering, 1 - kFiltering), request.compression);
    for (const FilteredChannel& channel : filtered) {
        channel.job->finish();
    }
    return reports;
}

} // namespace pollard
