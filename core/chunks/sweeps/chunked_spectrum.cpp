#include "chunks/sweeps/chunked_spectrum.hpp"

#include "analysis/bins.hpp"
#include "analysis/spectrum.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kArea = 0; ///< column of PartJob::measured
constexpr std::size_t kFirstAxis = 1;
/// Share of the memory for distinct values.
constexpr std::uint64_t kDistinctShare = 10;

/// Shares of a spectrum per distinct value, or pair of values, as long as there are few.
class DistinctShares {
public:
    using Values = std::array<double, 2>; ///< the second one is 0 for a single attribute

    /// @param bytes of memory for all threads @param threads at most
    DistinctShares(std::uint64_t bytes, int threads)
        : most_(static_cast<std::size_t>(bytes / kEntryBytes) / static_cast<std::size_t>(threads)) {}

    /// Adds a node, on any thread.
    void add(const Values& values, const SpectrumShare& share) {
        if (isComplete()) {
            Table& table = tables_.local();
            table[{std::bit_cast<std::uint64_t>(values[0]), std::bit_cast<std::uint64_t>(values[1])}] += share;
            if (table.size() > most_) {
                complete_.store(false, std::memory_order_relaxed);
            }
        }
    }

    /// Whether no node was left out.
    [[nodiscard]] bool isComplete() const noexcept { return complete_.load(std::memory_order_relaxed); }

    /// Calls visit(values, share), for a value several times if several threads have added it.
    template <class Visit> void forEach(Visit&& visit) const {
        for (const Table& table : tables_) {
            for (const auto& [key, share] : table) {
                visit(Values{std::bit_cast<double>(key[0]), std::bit_cast<double>(key[1])}, share);
            }
        }
    }
    void clear() { tables_.clear(); }

private:
    using Key = std::array<std::uint64_t, 2>; ///< bits of the values: NaN equals NaN
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept {
            std::uint64_t bits = key[0] + key[1] * 0x9e37'79b9'7f4a'7c15ULL;
            bits = (bits ^ (bits >> 32U)) * 0xd6e8'feb8'6659'fd93ULL;
            return static_cast<std::size_t>(bits ^ (bits >> 32U));
        }
    };
    using Table = std::unordered_map<Key, SpectrumShare, Hash>;
    static constexpr std::uint64_t kEntryBytes = 80; ///< with the overhead of the table

    std::size_t most_;
    std::atomic<bool> complete_{true};
    tbb::enumerable_thread_specific<Table> tables_;
};

/// Ranges of the values on an axis.
struct AxisRanges {
    ColumnRange all;      ///< of all nodes
    ColumnRange finite;   ///< without the root
    ColumnRange positive; ///< finite ones without the root
};

void join(ColumnRange& to, double minimum, double maximum) noexcept {
    to.minimum = std::min(to.minimum, minimum);
    to.maximum = std::max(to.maximum, maximum);
}

void join(AxisRanges& to, const AttributeColumn& column, bool hasRoot, const JobControl& control) {
    const ValueRange<double> all = parallelRangeOf<double>(std::get<Buffer<double>>(column.values).span());
    const ColumnRange finite = columnRange(column, hasRoot ? 1 : 0, false, control);
    const ColumnRange positive = columnRange(column, hasRoot ? 1 : 0, true, control);
    join(to.all, all.minimum, all.maximum);
    join(to.finite, finite.minimum, finite.maximum);
    join(to.positive, positive.minimum, positive.maximum);
}

bool hasGivenBins(const SpectrumAxis& axis) { return axis.bins.low && axis.bins.high; }

Bins binsOf(const SpectrumAxis& axis, const AxisRanges& ranges) {
    BinSpec spec = axis.bins;
    if (axis.automaticScale) {
        const bool isEmpty = !(ranges.all.minimum <= ranges.all.maximum); // as AttributeColumn has it
        spec.scale = automaticScale(spec, isEmpty ? ColumnRange{0, 0} : ranges.all);
    }
    const ColumnRange& range = spec.scale == BinScale::log ? ranges.positive : ranges.finite;
    return makeBins(spec, range.minimum, range.maximum, attributeInfo(axis.attribute).integral && !axis.isInValues);
}

/// Calls add(values, share) for all nodes but the root, in parallel.
template <class Add> void forEachShare(const ClosedNodes& nodes, const JobControl& control, Add&& add) {
    const Buffer<double>& area = nodes.values(kArea);
    const Buffer<double>& x = nodes.values(kFirstAxis);
    const Buffer<double>* y = nodes.columns.size() > kFirstAxis + 1 ? &nodes.values(kFirstAxis + 1) : nullptr;
    forEachRange(nodes.count(), control, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = nodes.hasRoot && begin == 0 ? 1 : begin; i < end; ++i) {
            add(DistinctShares::Values{x[i], y != nullptr ? (*y)[i] : 0},
                SpectrumShare{std::uint64_t{nodes.climb[i]} * static_cast<std::uint64_t>(area[i]), 1});
        }
    });
}

/// The sums of a spectrum, which several threads add to.
class SpectrumSums {
public:
    /// @param bins of one or two axes; must outlive this
    explicit SpectrumSums(const std::vector<Bins>& bins)
        : layout_(bins.size() == 1 ? SpectrumLayout(bins[0]) : SpectrumLayout(bins[0], bins[1])),
          isSingle_(bins.size() == 1), parts_([this] { return std::vector<SpectrumShare>(layout_.size()); }) {}

    void add(const DistinctShares::Values& values, const SpectrumShare& share) {
        parts_.local()[isSingle_ ? layout_.place(values[0]) : layout_.place(values[0], values[1])] += share;
    }

    [[nodiscard]] std::vector<SpectrumShare> total() const {
        std::vector<SpectrumShare> sums(layout_.size());
        for (const std::vector<SpectrumShare>& part : parts_) {
            for (std::size_t i = 0; i < sums.size(); ++i) {
                sums[i] += part[i];
            }
        }
        return sums;
    }

private:
    SpectrumLayout layout_;
    bool isSingle_;
    tbb::enumerable_thread_specific<std::vector<SpectrumShare>> parts_;
};

} // namespace

SpectrumAxis inColumn(SpectrumAxis axis, const std::optional<ValueMapping>& mapping) {
    if (axis.bins.low) {
        axis.bins.low = columnBound(axis.attribute, *axis.bins.low, true, mapping);
    }
    if (axis.bins.high) {
        axis.bins.high = columnBound(axis.attribute, *axis.bins.high, true, mapping);
    }
    axis.isInValues = mapping && isColumnInValues(axis.attribute, *mapping);
    const AttributeInfo& info = attributeInfo(axis.attribute);
    const bool isShifted = info.grey == Grey::position && mapping && mapping->isProportional() && mapping->offset != 0;
    if (isShifted && axis.automaticScale) {
        axis.automaticScale = false;
        axis.bins.scale = BinScale::linear;
    } else if (isShifted && axis.bins.scale == BinScale::log) {
        throw Error(ErrorCode::invalidArgument, "bins: '" + std::string(info.name) +
                                                    "' of this image starts at another value than 0: a "
                                                    "logarithmic scale is not possible");
    }
    return axis;
}

PartJob spectrumJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                    std::span<const SpectrumAxis> axes) {
    if (axes.empty() || axes.size() > 2) {
        throw Error(ErrorCode::invalidArgument, "pattern spectrum: there are one or two attributes");
    }
    std::vector<AttributeId> measured{AttributeId::area};
    std::ranges::transform(axes, std::back_inserter(measured), &SpectrumAxis::attribute);
    return measuringJob(grid, type, kind, connectivity, std::move(measured));
}

AnySpectrum chunkedSpectrum(std::span<const SpectrumAxis> axes, ClosedSweep& sweep, std::uint64_t memory,
                            const JobControl& control) {
    constexpr double kFirstSweep = 0.5;
    const JobControl quiet = control.withoutProgress();
    std::uint16_t rootLevel = 0;
    const auto noteRoot = [&](const ClosedNodes& nodes) { rootLevel = nodes.hasRoot ? nodes.rootLevel : rootLevel; };
    std::vector<AxisRanges> ranges(axes.size());
    std::optional<DistinctShares> distinct;
    const bool hasBins = std::ranges::all_of(axes, hasGivenBins);
    if (!hasBins) {
        distinct.emplace(memory, std::max(1, tbb::this_task_arena::max_concurrency()));
        const auto measure = [&](const ClosedNodes& nodes) {
            noteRoot(nodes);
            for (std::size_t k = 0; k < axes.size(); ++k) {
                join(ranges[k], nodes.columns[kFirstAxis + k], nodes.hasRoot, quiet);
            }
            forEachShare(nodes, quiet,
                         [&](const auto& values, const SpectrumShare& share) { distinct->add(values, share); });
            if (!distinct->isComplete()) {
                distinct->clear();
            }
        };
        sweep.run(sweep.nodesTo(measure, quiet), control.part(0, kFirstSweep));
    }
    std::vector<Bins> bins;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        bins.push_back(binsOf(axes[k], ranges[k]));
    }
    if (bins.size() == 2) {
        requireFewBins(bins[0], bins[1]);
    }
    SpectrumSums sums(bins);
    const auto add = [&](const auto& values, const SpectrumShare& share) { sums.add(values, share); };
    if (distinct && distinct->isComplete()) {
        distinct->forEach(add);
    } else {
        const auto sum = [&](const ClosedNodes& nodes) {
            noteRoot(nodes);
            forEachShare(nodes, quiet, add);
        };
        sweep.run(sweep.nodesTo(sum, quiet), hasBins ? control : control.part(kFirstSweep, 1 - kFirstSweep));
    }
    if (bins.size() == 1) {
        return spectrumOf(axes[0].attribute, rootLevel, std::move(bins[0]), sums.total());
    }
    return spectrumOf(axes[0].attribute, axes[1].attribute, rootLevel, std::move(bins[0]), std::move(bins[1]),
                      sums.total());
}

ImageSpectrumReport spectrumOfImage(const ChunkRequest& asked, std::span<const SpectrumAxis> axes,
                                    const JobControl& control) {
    ChunkRequest request = asked;
    request.read.mapping.proportional = true; // masses are sums of distances of values
    ImageChunks chunks(request, control.part(0, kPassShare));
    const JobControl working = chunks.afterPasses(control);
    std::vector<SpectrumAxis> columns;
    std::ranges::transform(axes, std::back_inserter(columns),
                           [&](const SpectrumAxis& axis) { return inColumn(axis, chunks.regions->info().mapping); });
    PartJob& job = chunks.job;
    job = spectrumJob(job.grid, job.type, job.kind, job.connectivity, axes);
    job.measureValues(chunks.regions->info().mapping);
    ClosedSweep sweep(job, chunks.reader(), chunks.treeOptions(request), chunks.mergeMemory());
    ImageSpectrumReport report{reportOn(chunks, bitsOf(job.type)), {}};
    ThreadArena arena(request.threads);
    report.spectrum =
        arena.execute([&] { return chunkedSpectrum(columns, sweep, chunks.memory / kDistinctShare, working); });
    report.counts = sweep.report();
    report.readings = chunks.regions->passes() + sweep.sweeps();
    report.engine = sweep.engine();
    return report;
}

} // namespace pollard
