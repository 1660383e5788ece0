#include "chunks/sweeps/objects_in_bands.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "chunks/work_folder.hpp"
#include "components/run_bands.hpp"
#include "components/threshold.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "formats/tiff/tiles/tile_store.hpp"
#include "formats/tiff/tiles/tiled_tiff.hpp"
#include "geo/map_coordinates.hpp"
#include "io/read_support.hpp"
#include "io/region_source.hpp"
#include "recipe/results/result_tags.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// The record of an object that lies further down.
ComponentRecord movedDown(ComponentRecord record, std::uint64_t rows) noexcept {
    record.top += static_cast<std::uint32_t>(rows);
    record.bottom += static_cast<std::uint32_t>(rows);
    record.sumYY += 2 * rows * record.sumY + rows * rows * record.area;
    record.sumXY += rows * record.sumX;
    record.sumY += rows * record.area;
    return record;
}

/// Whether no sum of squares of the object can reach 2^64.
bool sumsFit(const ComponentRecord& record) noexcept {
    const UInt128 side = std::max(record.right, record.bottom);
    return record.area * side * side <= std::numeric_limits<std::uint64_t>::max();
}

/// Memory of the work on a band, per pixel: image, mask, runs and labels.
constexpr std::uint64_t kPixelBytes = 16;
/// Larger bands are not faster.
constexpr std::uint64_t kMostBandPixels = std::uint64_t{1} << 26;

/// Whole rows of tiles.
std::uint32_t bandRowsFor(const Extent& extent, std::uint64_t memory) {
    const std::uint64_t pixels = std::min(memory / 2 / kPixelBytes, kMostBandPixels);
    const std::uint64_t tiles = std::max<std::uint64_t>(1, pixels / extent.width / kResultTile);
    return static_cast<std::uint32_t>(
        std::min(tiles * kResultTile, (std::uint64_t{extent.height} + kResultTile - 1) / kResultTile * kResultTile));
}

/// The method's threshold of the whole image.
std::uint16_t thresholdOf(ThresholdMethod method, const ObjectJob& job, const ChunkReader& reader,
                          const std::optional<ValueMapping>& mapping, const JobControl& control) {
    const JobControl quiet = control.withoutProgress();
    auto counts = std::make_unique<LevelCounts>();
    for (std::uint32_t top = 0; top < job.extent.height; top += std::min(job.bandRows, job.extent.height - top)) {
        control.report(static_cast<double>(top) / job.extent.height, "counting levels");
        const std::uint32_t rows = std::min(job.bandRows, job.extent.height - top);
        const LoadedImage band = reader.read({0, top, 0, {job.extent.width, rows}}, quiet);
        const auto some = countLevels(*band.image, band.valid.get(), quiet);
        std::ranges::transform(*some, *counts, counts->begin(), std::plus<>());
    }
    return automaticThreshold(method, *counts, mapping);
}

/// Writes the labels as they are made.
void writeLabels(ObjectsInBands& objects, const ChunkRequest& request, const ObjectJob& job,
                 const RegionSource& regions, std::uint64_t count, const JobControl& control) {
    constexpr double kLabelling = 0.6;
    WorkFolder folder(workFolder(request), "objects " + std::to_string(regions.identity()), false);
    folder.removeAtEnd();
    const TileLayout layout{job.extent.width, job.extent.height, 32, kResultTile, request.compression};
    TileStore tiles(folder.file("tiles"), layout, folder.identity(), TileStore::OpenMode::create);
    objects.label(
        [&](std::uint32_t top, std::span<const std::uint32_t> labels) {
            const auto rows = static_cast<std::uint32_t>(labels.size() / layout.width);
            tiles.put({0, top, layout.width, rows}, labels.data(), layout.width * layout.pixelBytes(),
                      control.withoutProgress());
        },
        control.part(0, kLabelling));
    const PlaneFacts facts = resultFacts(regions.info(), ResultValues::others);
    const JobControl writing = control.part(kLabelling, 1 - kLabelling);
    if (request.strips) {
        PixelRows rows = pixelRowsOf(tiles);
        rows.largest = count;
        writeTiff(request.target, {rows, facts}, {.compression = request.compression}, writing);
        return;
    }
    const TileStore* const stores[] = {&tiles};
    const TiledPage page{stores, &tiles, facts};
    writeTiledTiff(request.target, {&page, 1}, writing);
}

} // namespace

ObjectsInBands::ObjectsInBands(const ObjectJob& job, ChunkReader reader) : job_(job), reader_(std::move(reader)) {
    if (job.extent.isVolume() || job.bandRows == 0) {
        throw Error(ErrorCode::invalidArgument, "objects in bands: there must be rows of an image");
    }
    found_.connectivity = job.connectivity;
    found_.width = job.extent.width;
    found_.height = job.extent.height;
}

template <class Visit>
void ObjectsInBands::forEachBand(const JobControl& control, const char* stage, Visit&& visit) const {
    for (std::uint64_t top = 0; top < job_.extent.height; top += job_.bandRows) {
        control.report(static_cast<double>(top) / job_.extent.height, stage);
        control.throwIfStopped();
        visit(static_cast<std::uint32_t>(top));
    }
}

Components ObjectsInBands::bandAt(std::uint32_t top, bool measures, const JobControl& control) const {
    const JobControl quiet = control.withoutProgress();
    const std::uint32_t rows = std::min(job_.bandRows, job_.extent.height - top);
    const LoadedImage band = reader_.read({0, top, 0, {job_.extent.width, rows}}, quiet);
    const Mask mask = thresholdMask(*band.image, job_.low, job_.high, band.valid.get(), quiet);
    ComponentsSpec spec;
    spec.connectivity = job_.connectivity;
    spec.features = measures;
    return labelComponents(mask, measures ? band.image.get() : nullptr, spec, quiet);
}

Components ObjectsInBands::find(const JobControl& control) {
    forEachBand(control, "finding objects", [&](std::uint32_t top) { add(bandAt(top, true, control), top); });
    finish();
    return std::move(found_);
}

void ObjectsInBands::add(const Components& band, std::uint32_t top) {
    const std::uint64_t parts = std::uint64_t{band.count} + records_.size();
    if (parts >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded, "objects in bands: " + std::to_string(parts) + " parts of objects");
    }
    if (const std::uint64_t needed = parts * (sizeof(ComponentRecord) + sizeof(std::uint32_t)); needed > job_.memory) {
        throw Error(ErrorCode::outOfMemory, "objects in bands: " + std::to_string(parts) + " objects need " +
                                                sizeText(needed) + ", " + sizeText(job_.memory) + " are allowed");
    }
    const auto start = static_cast<std::uint32_t>(records_.size());
    starts_.push_back(start);
    found_.algorithm = band.algorithm;
    found_.foreground += band.foreground;
    for (const ComponentRecord& record : band.objects) {
        parents_.push_back(static_cast<std::uint32_t>(records_.size()));
        records_.push_back(movedDown(record, top));
    }
    const auto runsOf = [&](std::uint32_t row) {
        std::vector<LabelledRun> runs;
        const std::uint32_t* labels = band.labels.data() + std::size_t{row} * band.width;
        for (std::uint32_t x = 0; x < band.width; ++x) {
            if (labels[x] != 0) {
                const std::uint32_t first = x;
                while (x < band.width && labels[x] != 0) {
                    ++x;
                }
                runs.push_back({first, x, start + labels[first] - 1});
            }
        }
        return runs;
    };
    joinSeam(lastRow_, runsOf(0));
    lastRow_ = runsOf(band.height - 1);
}

void ObjectsInBands::joinSeam(std::span<const LabelledRun> above, std::span<const LabelledRun> below) {
    const std::uint64_t reach = job_.connectivity == Connectivity::eight ? 1 : 0;
    std::size_t start = 0;
    for (const LabelledRun& run : below) {
        while (start < above.size() && above[start].last + reach <= run.first) {
            ++start;
        }
        for (std::size_t i = start; i < above.size() && above[i].first < run.last + reach; ++i) {
            join(above[i], run);
        }
    }
}

/// As addRun(): each contact takes 1 from the Euler number and the common sides from the perimeter.
void ObjectsInBands::join(const LabelledRun& above, const LabelledRun& below) {
    const std::uint32_t first = std::max(above.first, below.first);
    const std::uint32_t last = std::min(above.last, below.last);
    std::uint32_t into = find(above.object);
    std::uint32_t from = find(below.object);
    if (into > from) {
        std::swap(into, from);
    }
    ComponentRecord& record = records_[into];
    record.perimeter -= first < last ? 2 * std::uint64_t{last - first} : 0;
    ++record.holes;
    if (into != from) {
        addPart(record, records_[from]);
        --record.holes;
        parents_[from] = into;
    }
}

std::uint32_t ObjectsInBands::find(std::uint32_t object) noexcept {
    while (parents_[object] != object) {
        parents_[object] = parents_[parents_[object]];
        object = parents_[object];
    }
    return object;
}

void ObjectsInBands::finish() {
    for (std::uint32_t part = 0; part < parents_.size(); ++part) {
        if (parents_[part] == part) {
            if (!sumsFit(records_[part])) {
                throw Error(ErrorCode::limitExceeded, "objects in bands: object " + std::to_string(found_.count + 1) +
                                                          " of " + std::to_string(records_[part].area) +
                                                          " pixels is too large for sums of squares in 64 bits");
            }
            records_[found_.count] = records_[part];
            parents_[part] = ++found_.count; // the parts before are complete: from here on the label
        } else {
            parents_[part] = parents_[parents_[part]];
        }
    }
    records_.resize(found_.count);
    found_.objects = std::move(records_);
}

void ObjectsInBands::label(const Writer& write, const JobControl& control) {
    forEachBand(control, "labelling", [&](std::uint32_t top) {
        Components band = bandAt(top, false, control);
        const std::uint32_t start = starts_[top / job_.bandRows];
        forEachIndex(band.labels.size(), control, [&](std::size_t p) {
            std::uint32_t& label = band.labels[p];
            label = label == 0 ? 0 : parents_[start + label - 1];
        });
        write(top, band.labels.span());
    });
}

ImageObjectsReport objectsOfImage(const ChunkRequest& request, const ObjectValues& values, const JobControl& control) {
    const auto opened = openRegions(request.source, request.read, control.withoutProgress());
    RegionSource& regions = *opened;
    if (regions.passes() > 0) {
        regions.prepare(control.part(0, kPassShare));
    }
    const std::uint64_t memory = request.memory > 0 ? request.memory : availableMemory() / 4 * 3;
    const Extent extent = regions.extent();
    const std::uint16_t lastLevel = maxLevelOf(regions.type());
    LevelRange levels{0, lastLevel};
    if (!values.method) {
        if (const std::string why = boundsProblem(values.values, regions.info().mapping, lastLevel); !why.empty()) {
            throw Error(ErrorCode::invalidArgument, request.source.string() + ": threshold: " + why);
        }
        levels = levelsWithin(values.values, regions.info().mapping, lastLevel);
    }
    ObjectJob job{extent, bandRowsFor(extent, memory), levels.low, levels.high, request.connectivity, memory / 2};
    if (request.chunk > 0) {
        job.bandRows = (request.chunk + kResultTile - 1) / kResultTile * kResultTile;
    }
    const ChunkReader reader{[&](const ChunkBox& box, const JobControl& quiet) {
                                 return regions.read({box.x, box.y, box.extent.width, box.extent.height}, quiet);
                             },
                             0, regions.identity()};
    ImageObjectsReport report;
    report.readings = regions.passes() + (values.method ? 1 : 0) + (request.target.empty() ? 1 : 2);
    const JobControl working = regions.passes() > 0 ? control.part(kPassShare, 1 - kPassShare) : control;
    constexpr double kCounting = 0.15;
    constexpr double kFinding = 0.35;
    ThreadArena arena(request.threads);
    arena.execute([&] {
        if (values.method) {
            job.low = thresholdOf(*values.method, job, reader, regions.info().mapping, working.part(0, kCounting));
        }
        ObjectsInBands objects(job, reader);
        report.components = objects.find(working.part(kCounting, kFinding));
        if (!request.target.empty()) {
            writeLabels(objects, request, job, regions, report.components.count,
                        working.part(kCounting + kFinding, 1 - kCounting - kFinding));
        }
    });
    report.levels = {job.low, job.high};
    report.info = regions.info();
    findGroundSize(report.info, extent.width, extent.height);
    report.type = regions.type();
    report.extent = extent;
    report.bandRows = job.bandRows;
    return report;
}

} // namespace pollard
