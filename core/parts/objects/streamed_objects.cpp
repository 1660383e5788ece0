#include "parts/objects/streamed_objects.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/wide_integer.hpp"
#include "components/run_bands.hpp"
#include "components/threshold.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <limits>
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

} // namespace

ObjectsInBands::ObjectsInBands(const ObjectJob& job, ChunkReader reader) : job_(job), reader_(std::move(reader)) {
    if (job.picture.isVolume() || job.bandRows == 0) {
        throw Error(ErrorCode::invalidArgument, "objects in bands: there must be rows of a picture");
    }
    found_.connectivity = job.connectivity;
    found_.width = job.picture.width;
    found_.height = job.picture.height;
}

template <class Visit>
void ObjectsInBands::forEachBand(const JobControl& control, const char* stage, Visit&& visit) const {
    for (std::uint64_t top = 0; top < job_.picture.height; top += job_.bandRows) {
        control.report(static_cast<double>(top) / job_.picture.height, stage);
        control.throwIfStopped();
        visit(static_cast<std::uint32_t>(top));
    }
}

Components ObjectsInBands::bandAt(std::uint32_t top, bool measures, const JobControl& control) const {
    const JobControl quiet = control.withoutProgress();
    const std::uint32_t rows = std::min(job_.bandRows, job_.picture.height - top);
    const LoadedImage band = reader_.read({0, top, 0, {job_.picture.width, rows}}, quiet);
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

} // namespace pollard
