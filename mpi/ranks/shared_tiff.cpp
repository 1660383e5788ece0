#include "ranks/shared_tiff.hpp"

#include "io/tiff/tile_store.hpp"
#include "io/tiff/tile_writer.hpp"
#include "io/tiff/tiled_tiff.hpp"
#include "parts/part_folder.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::mpi {

namespace {

/// Part of the time of writing.
constexpr double kReducing = 0.6;

using StorePointer = std::unique_ptr<TileStore>;

StorePointer openStore(const PictureFilter& request, int rank, const TileLayout& layout, std::uint64_t job) {
    return std::make_unique<TileStore>(rankTiles(request, rank), layout, job, TileStore::Opening::resume);
}

/// The file with room for all tiles. @param jobs of the stores of all ranks
std::unique_ptr<TiledTiff> makeRoom(const PictureFilter& request, const PictureChunks& chunks, const TileLayout& layout,
                                    const std::vector<std::uint64_t>& jobs, const JobControl& control) {
    std::vector<StorePointer> stores;
    for (const std::uint64_t job : jobs) {
        stores.push_back(openStore(request, static_cast<int>(stores.size()), layout, job));
    }
    std::vector<const TileStore*> all;
    std::ranges::transform(stores, std::back_inserter(all), [](const StorePointer& store) { return store.get(); });
    const TiledPage page{all, stores.front().get(), {}};
    auto tiff = std::make_unique<TiledTiff>(request.target, std::span(&page, 1),
                                            filteredOptions(chunks.job, chunks.regions->info()), control);
    stores.front()->flush();
    return tiff;
}

} // namespace

std::filesystem::path rankFolder(const PictureFilter& request, int rank) {
    return workFolder(request) / ("rank-" + std::to_string(rank));
}

std::filesystem::path rankTiles(const PictureFilter& request, int rank) {
    return PartFolder::fileIn(rankFolder(request, rank), "tiles");
}

void writeByAllRanks(const PictureFilter& request, const PictureChunks& chunks, Ranks& ranks, const TileLayout& layout,
                     std::uint64_t job, const JobControl& control) {
    std::vector<std::uint64_t> jobs;
    for (const auto& bytes : ranks.toFirst(std::as_bytes(std::span(&job, 1)), control)) {
        jobs.push_back(valuesIn<std::uint64_t>(bytes).at(0));
    }
    std::unique_ptr<TiledTiff> tiff;
    std::vector<std::uint64_t> places;
    if (ranks.isFirst()) {
        tiff = makeRoom(request, chunks, layout, jobs, control.part(0, kReducing));
        places = tiff->places(0).front().offsets;
        for (int rank = 1; rank < ranks.count(); ++rank) {
            const auto& offsets = tiff->places(0).at(static_cast<std::size_t>(rank)).offsets;
            ranks.send(std::as_bytes(std::span(offsets)), rank, control);
        }
    } else {
        places = valuesIn<std::uint64_t>(ranks.receive(0, control));
    }
    const std::string file = ranks.textFromFirst(tiff ? tiff->temporary().string() : std::string(), control);
    {
        const StorePointer store = openStore(request, ranks.rank(), layout, job);
        TileWriter writer(file, request.target);
        writer.copy(*store, places, control.part(kReducing, 1 - kReducing));
        writer.sync();
    }
    (void)ranks.toFirst({}, control); // all tiles are durable
    if (tiff) {
        control.throwIfStopped();
        tiff->commit();
    }
}

} // namespace pollard::mpi
