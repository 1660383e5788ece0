#include "hierarchy/partition.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace pollard {

namespace {

/// @throws Error(outOfMemory) instead of std::bad_alloc
template <class Work> auto withMemory(const char* work, const Extent& extent, Work&& make) {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, std::string(work) + ": not enough memory for an image of " + text(extent));
    }
}

/// Per pixel the largest number of a boundary between it and its neighbours that share a side; 0 without one.
template <class Number> Buffer<Number> strongestBoundaries(const Hierarchy& hierarchy, std::span<const Number> ofMerges,
                                                           const JobControl& control) {
    return withMemory("boundaries", hierarchy.extent(), [&] {
        const Extent& extent = hierarchy.extent();
        const Buffer<std::uint32_t>& basin = hierarchy.basins();
        Buffer<Number> strongest(extent.pixelCount());
        forEachIndex(strongest.size(), control, [&](std::size_t pixel) {
            const Voxel at = voxelAt(static_cast<std::uint32_t>(pixel), extent);
            Number most = 0;
            const auto compare = [&](bool exists, std::size_t neighbour) {
                if (exists && basin[neighbour] != basin[pixel]) {
                    const std::uint32_t merge = hierarchy.mergeOf(basin[pixel], basin[neighbour]);
                    most = merge == Hierarchy::kNoMerge ? most : std::max(most, ofMerges[merge]);
                }
            };
            compare(at.x > 0, pixel - 1);
            compare(at.x + 1 < extent.width, pixel + 1);
            compare(at.y > 0, pixel - extent.width);
            compare(at.y + 1 < extent.height, pixel + extent.width);
            compare(at.z > 0, pixel - extent.slicePixels());
            compare(at.z + 1 < extent.slices, pixel + extent.slicePixels());
            strongest[pixel] = most;
        });
        return strongest;
    });
}

} // namespace

LabelImage regions(const Hierarchy& hierarchy, std::uint64_t strength, const Mask* valid, const JobControl& control) {
    return withMemory("regions", hierarchy.extent(), [&] {
        if (hierarchy.onDevice() != nullptr) {
            if (auto labels = hierarchy.onDevice()->at(strength, valid, control)) {
                return std::move(*labels);
            }
        }
        const Extent& extent = hierarchy.extent();
        LabelImage found{Buffer<std::uint32_t>(extent.pixelCount()), extent.width, extent.height, 0, extent.slices};
        const std::uint32_t merges = hierarchy.mergesUpTo(strength);
        std::vector<std::uint32_t> region(hierarchy.basinCount());
        forEachIndex(region.size(), control, [&](std::size_t basin) {
            region[basin] = hierarchy.regionAfter(static_cast<std::uint32_t>(basin), merges);
        });
        std::vector<std::uint32_t> label(region.size());
        const auto number = [&](std::uint32_t each) { label[each] = label[each] == 0 ? ++found.count : label[each]; };
        if (valid == nullptr) {
            std::ranges::for_each(region, number); // basins are in the order of their first pixels
        } else {
            for (std::uint32_t y = 0; y < valid->height(); ++y) {
                const std::size_t row = std::size_t{y} * extent.width;
                forEachRun(*valid, y, true, [&](std::uint32_t first, std::uint32_t last) {
                    for (std::size_t pixel = row + first; pixel < row + last; ++pixel) {
                        number(region[hierarchy.basins()[pixel]]);
                    }
                });
            }
        }
        forEachIndex(found.labels.size(), control, [&](std::size_t pixel) {
            const bool hasData = valid == nullptr || valid->test(static_cast<std::uint32_t>(pixel % extent.width),
                                                                 static_cast<std::uint32_t>(pixel / extent.width));
            found.labels[pixel] = hasData ? label[region[hierarchy.basins()[pixel]]] : 0;
        });
        return found;
    });
}

Buffer<std::uint32_t> regionsAtSamples(const Hierarchy& hierarchy, std::uint32_t merges, const PixelSamples& samples,
                                       const Mask* valid, const JobControl& control) {
    const auto last = [](std::span<const std::size_t> offsets) {
        return offsets.empty() ? 0 : *std::ranges::max_element(offsets);
    };
    const bool isEmpty = samples.columns.empty() || samples.rows.empty();
    const UInt128 end = UInt128{samples.first} + last(samples.columns) + last(samples.rows);
    if (!isEmpty && end >= hierarchy.extent().pixelCount()) {
        throw Error(ErrorCode::invalidArgument, "regions at samples: samples outside the image");
    }
    return withMemory("regions at samples", hierarchy.extent(), [&] {
        const std::uint32_t width = hierarchy.extent().width;
        const std::span<const Hierarchy::Join> joins = hierarchy.joins();
        const std::size_t columns = samples.columns.size();
        Buffer<std::uint32_t> found(columns * samples.rows.size());
        constexpr std::size_t kRows = 8;
        const auto cutRow = [&](std::size_t y) {
            const std::uint64_t first = samples.first + samples.rows[y];
            const std::span<std::uint32_t> row = found.span().subspan(y * columns, columns);
            for (std::size_t x = 0; x < row.size(); ++x) {
                row[x] = hierarchy.basins()[first + samples.columns[x]];
            }
            // All samples go one step at a time, so that the processor waits for memory of many at once.
            for (bool goOn = true; goOn;) {
                goOn = false;
                for (std::uint32_t& basin : row) {
                    const Hierarchy::Join& join = joins[basin];
                    const bool isJoined = join.merge < merges;
                    basin = isJoined ? join.into : basin;
                    goOn |= isJoined;
                }
            }
            for (std::size_t x = 0; x < row.size(); ++x) {
                const std::uint64_t pixel = first + samples.columns[x];
                const bool hasData = valid == nullptr || valid->test(static_cast<std::uint32_t>(pixel % width),
                                                                     static_cast<std::uint32_t>(pixel / width));
                row[x] = hasData ? row[x] + 1 : 0;
            }
        };
        forEachIndex(isEmpty ? 0 : samples.rows.size(), control, cutRow, kRows);
        return found;
    });
}

std::vector<std::uint32_t> regionsOfLabels(const Hierarchy& hierarchy, std::uint32_t merges,
                                           std::span<const std::uint32_t> labels, std::size_t count,
                                           const JobControl& control) {
    std::vector<std::uint32_t> found(count);
    // Any pixel of a region will do, so that threads need no order.
    forEachRange(labels.size(), control, [&](std::size_t begin, std::size_t end) {
        std::uint32_t known = 0;
        for (std::size_t pixel = begin; pixel != end; ++pixel) {
            if (labels[pixel] != known) {
                known = labels[pixel];
                if (known != 0) {
                    std::atomic_ref(found[known - 1]).store(hierarchy.basins()[pixel], std::memory_order_relaxed);
                }
            }
        }
    });
    forEachIndex(count, control, [&](std::size_t i) { found[i] = hierarchy.regionAfter(found[i], merges) + 1; });
    return found;
}

Image regionMeans(const Image& image, const LabelImage& labels, const JobControl& control) {
    if (image.extent() != Extent{labels.width, labels.height, labels.slices}) {
        throw Error(ErrorCode::invalidArgument, "means of regions: the image is not of the labels' size");
    }
    return withMemory("means of regions", image.extent(), [&] {
        std::vector<std::uint64_t> sum(labels.count + std::size_t{1});
        std::vector<std::uint64_t> pixels(sum.size());
        Image means(image.type(), image.extent());
        means.setSides(image.sides());
        dispatch(image.type(), [&]<class Pixel>(Pixel) {
            const std::span<const Pixel> levels = image.pixels<Pixel>();
            for (std::size_t pixel = 0; pixel < levels.size(); ++pixel) {
                sum[labels.labels[pixel]] += levels[pixel];
                ++pixels[labels.labels[pixel]];
            }
            control.throwIfStopped();
            for (std::size_t label = 1; label < sum.size(); ++label) {
                sum[label] = pixels[label] == 0 ? 0 : (sum[label] + pixels[label] / 2) / pixels[label];
            }
            const std::span<Pixel> out = means.pixels<Pixel>();
            forEachIndex(out.size(), control, [&](std::size_t pixel) {
                const std::uint32_t label = labels.labels[pixel];
                out[pixel] = label == 0 ? levels[pixel] : static_cast<Pixel>(sum[label]);
            });
        });
        return means;
    });
}

Buffer<std::uint64_t> boundaryStrengths(const Hierarchy& hierarchy, const JobControl& control) {
    return strongestBoundaries<std::uint64_t>(hierarchy, hierarchy.strengths(), control);
}

Buffer<double> boundaryNumbers(const Hierarchy& hierarchy, std::span<const double> ofMerges,
                               const JobControl& control) {
    return strongestBoundaries<double>(hierarchy, ofMerges, control);
}

} // namespace pollard
