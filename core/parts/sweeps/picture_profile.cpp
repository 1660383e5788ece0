#include "parts/sweeps/picture_profile.hpp"

#include "base/thread_arena.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "io/tiff/tile_store.hpp"
#include "io/tiff/tiled_tiff.hpp"
#include "parts/folder_guard.hpp"
#include "parts/part_files.hpp"
#include "parts/part_folder.hpp"
#include "parts/sweeps/streamed_profile.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_tags.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace pollard {

namespace {

/// Part of the whole time, for the progress.
constexpr double kFiltering = 0.8;

/// A store of tiles per page.
std::vector<std::unique_ptr<TileStore>> makeStores(const PartFolder& folder, const TileLayout& layout,
                                                   std::size_t count) {
    std::vector<std::unique_ptr<TileStore>> stores;
    for (std::size_t page = 0; page < count; ++page) {
        stores.push_back(std::make_unique<TileStore>(folder.file("page", page), layout, folder.identity(),
                                                     TileStore::Opening::create));
    }
    return stores;
}

void writePages(const PictureFilter& request, const ProfileSpec& spec, const ImageInfo& info,
                const std::optional<NoDataMark>& mark, const std::vector<std::unique_ptr<TileStore>>& stores,
                const std::vector<std::vector<CarriedTag>>& tags, const JobControl& control) {
    const ResultValues values = spec.differential ? ResultValues::differences : ResultValues::levels;
    TiffWriteOptions how = resultOptions(info, {values, mark});
    if (request.strips) {
        how.compression = request.compression;
        const auto page = [&](int number, const JobControl&) {
            const auto at = static_cast<std::size_t>(number);
            return WrittenPage{{}, tags.at(at), {}, pixelRowsOf(*stores[at])};
        };
        writeTiffPages(request.target, static_cast<int>(stores.size()), page, how, control);
        return;
    }
    std::vector<const TileStore*> tiles;
    std::vector<TiledPage> pages;
    tiles.reserve(stores.size());
    for (std::size_t page = 0; page < stores.size(); ++page) {
        tiles.push_back(stores[page].get());
        pages.push_back({{&tiles.back(), 1}, stores[page].get(), tags.at(page)});
    }
    writeTiledPages(request.target, pages, {.carried = how.carried, .scene = how.scene}, control);
}

} // namespace

PictureProfileReport profileOfPicture(const PictureFilter& request, const ProfileSpec& spec,
                                      const std::vector<std::vector<CarriedTag>>& tags, const JobControl& control) {
    PictureChunks chunks(request, control.part(0, kPassShare));
    const JobControl working = chunks.afterPasses(control);
    PartJob& job = chunks.job;
    job = profileJob(job.grid, job.type, job.kind, job.connectivity, spec);
    job.mark = noDataMark(*chunks.regions, resultLevelsOf(spec), control.withoutProgress());
    const ChunkReader reader = chunks.reader();
    PartFolder folder(workFolder(request), textOf(job, reader.identity), false);
    const FolderGuard guard(folder);
    const Extent whole = job.grid.whole();
    const TileLayout layout = resultLayout(job, request.compression, job.resultBits());
    const auto stores = makeStores(folder, layout, spec.thresholds.size());
    StreamedProfile profile(job, spec, reader, chunks.treeOptions(request), folder, chunks.mergeMemory());
    const auto write = [&](std::size_t page, const FilteredChunk& chunk) {
        writerInto(*stores[page]).write(chunk, control.withoutProgress());
    };
    PictureProfileReport report;
    ThreadArena arena(request.threads);
    arena.execute([&] {
        report.pages = profile.run(write, working.part(0, kFiltering));
        writePages(request, spec, chunks.regions->info(), job.mark, stores, tags,
                   working.part(kFiltering, 1 - kFiltering));
    });
    report.stream = profile.report();
    report.info = chunks.regions->info();
    report.type = job.type;
    report.extent = whole;
    report.chunk = job.grid.chunkExtent();
    report.readings = chunks.regions->passes() + 2;
    report.engine = profile.engine();
    return report;
}

} // namespace pollard
