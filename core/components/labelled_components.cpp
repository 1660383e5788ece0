#include "components/labelled_components.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/run_bands.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Maximal run of pixels with one label in a row.
struct LabelRun : PixelRun {
    std::uint32_t label = 0;
};

void findRuns(std::span<const std::uint32_t> row, std::vector<LabelRun>& runs) {
    runs.clear();
    for (std::uint32_t x = 0; x < row.size();) {
        const std::uint32_t first = x;
        while (x < row.size() && row[x] == row[first]) {
            ++x;
        }
        if (row[first] != 0) {
            runs.push_back({{first, x}, row[first]});
        }
    }
}

/// Contacts of a run with the runs of the row above that have its label.
/// @param from the first run above that a run from here on may touch; moved on
/// @param diagonal whether a corner is a contact
RunContacts contactsOf(const LabelRun& run, const std::vector<LabelRun>& above, std::size_t& from, bool diagonal) {
    while (from < above.size() && above[from].last < run.first) {
        ++from;
    }
    RunContacts contacts{0, 0};
    for (std::size_t i = from; i < above.size() && above[i].first <= run.last; ++i) {
        if (above[i].label == run.label) {
            const std::uint32_t first = std::max(above[i].first, run.first);
            const std::uint32_t last = std::min(above[i].last, run.last);
            contacts.runs += diagonal || last > first ? 1 : 0;
            contacts.columns += last > first ? last - first : 0;
        }
    }
    return contacts;
}

void addGrey(ComponentRecord& record, const Image& grey, const PixelRun& run, std::size_t row) {
    const std::size_t start = row * grey.width();
    for (std::size_t x = run.first; x < run.last; ++x) {
        const std::uint16_t level = grey.level(start + x);
        record.greySum += level;
        record.greyMin = std::min(record.greyMin, level);
        record.greyMax = std::max(record.greyMax, level);
    }
}

/// Calls @p visit(runs, runs of the row before, row) for the rows of all slices, in raster order.
template <class Visit>
void forEachRow(Components& found, const Image* grey, const JobControl& control, const Visit& visit) {
    std::vector<LabelRun> runs;
    std::vector<LabelRun> before;
    for (std::size_t row = 0; row < std::size_t{found.height} * found.slices; ++row) {
        control.throwIfStopped();
        std::swap(runs, before);
        findRuns(found.labels.span().subspan(row * found.width, found.width), runs);
        visit(runs, before, row);
        if (grey != nullptr) {
            for (const LabelRun& run : runs) {
                addGrey(found.objects[run.label - 1], *grey, run, row);
            }
        }
    }
}

void measureImage(Components& found, const Image* grey, const JobControl& control) {
    const bool diagonal = found.connectivity == Connectivity::eight;
    forEachRow(found, grey, control, [&](const auto& runs, const auto& above, std::size_t row) {
        const auto y = static_cast<std::uint32_t>(row);
        std::size_t from = 0;
        for (const LabelRun& run : runs) {
            ComponentRecord& record = found.objects[run.label - 1];
            const RunContacts contacts = contactsOf(run, above, from, diagonal);
            if (record.area == 0) {
                const std::uint16_t least = record.greyMin;
                record = recordOf(run, y);
                record.greyMin = least;
            } else {
                addRun(record, run, y, contacts);
            }
            found.foreground += run.last - run.first;
        }
    });
}

/// The neighbours of a voxel that come before it in raster order.
struct VoxelStep {
    int x;
    int y;
    int z;
};
constexpr std::array<VoxelStep, 13> kBefore{{{-1, -1, -1},
                                             {0, -1, -1},
                                             {1, -1, -1},
                                             {-1, 0, -1},
                                             {0, 0, -1},
                                             {1, 0, -1},
                                             {-1, 1, -1},
                                             {0, 1, -1},
                                             {1, 1, -1},
                                             {-1, -1, 0},
                                             {0, -1, 0},
                                             {1, -1, 0},
                                             {-1, 0, 0}}};
constexpr std::size_t kSharedZ = 4; ///< in kBefore
constexpr std::size_t kSharedY = 10;

constexpr bool hasAll(std::size_t neighbours, std::initializer_list<std::size_t> wanted) {
    return std::ranges::all_of(wanted, [&](std::size_t i) { return (neighbours >> i & 1U) != 0; });
}

/// What a voxel adds to the Euler number of an object with 6 neighbours: see VolumeRuns::squaresAndCubes().
int eulerOfSix(std::size_t neighbours) {
    constexpr std::size_t kX = 12;
    const auto count = [&](std::initializer_list<std::size_t> wanted) { return hasAll(neighbours, wanted) ? 1 : 0; };
    return 1 - count({kX}) - count({kSharedY}) - count({kSharedZ}) + count({kX, kSharedY, 9}) +
           count({kX, kSharedZ, 3}) + count({kSharedY, kSharedZ, 1}) - count({kX, kSharedY, kSharedZ, 9, 3, 1, 0});
}

/// What a voxel adds with 26 neighbours: its own corners - edges + faces - itself; neighbours count shared ones.
int eulerOfTwentySix(std::size_t neighbours) {
    int sum = 0;
    for (int cell = 0; cell != 27; ++cell) {
        const VoxelStep side{cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
        const bool isShared = std::ranges::any_of(kBefore, [&](const VoxelStep& step) {
            const auto reaches = [](int to, int at) { return to == 0 || to == at; };
            return (neighbours >> static_cast<std::size_t>(&step - kBefore.data()) & 1U) != 0 &&
                   reaches(step.x, side.x) && reaches(step.y, side.y) && reaches(step.z, side.z);
        });
        const int dimension = 3 - std::abs(side.x) - std::abs(side.y) - std::abs(side.z);
        sum += isShared ? 0 : dimension % 2 == 0 ? 1 : -1;
    }
    return sum;
}

using EulerTable = std::array<std::int8_t, std::size_t{1} << kBefore.size()>;

/// By the neighbours before a voxel with its label, as bits in the order of kBefore.
template <class Euler> EulerTable eulerTable(const Euler& euler) {
    EulerTable table{};
    for (std::size_t i = 0; i != table.size(); ++i) {
        table[i] = static_cast<std::int8_t>(euler(i));
    }
    return table;
}

const EulerTable& eulerTableOf(Connectivity connectivity) {
    static const EulerTable kSix = eulerTable(eulerOfSix);
    static const EulerTable kTwentySix = eulerTable(eulerOfTwentySix);
    static const EulerTable kNone{};
    return connectivity == Connectivity::six ? kSix : connectivity == Connectivity::twentySix ? kTwentySix : kNone;
}

/// The neighbours before a voxel with its label, as bits in the order of kBefore.
std::size_t neighboursBefore(const Components& found, const Voxel& at, std::size_t voxel) {
    const std::uint32_t label = found.labels[voxel];
    std::size_t neighbours = 0;
    for (std::size_t i = 0; i != kBefore.size(); ++i) {
        const VoxelStep& step = kBefore[i];
        const bool isInside = at.x + static_cast<std::uint32_t>(step.x) < found.width &&
                              at.y + static_cast<std::uint32_t>(step.y) < found.height && (step.z == 0 || at.z != 0);
        if (isInside) {
            const std::ptrdiff_t row = std::ptrdiff_t{step.z} * found.height + step.y;
            const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(voxel) + row * found.width + step.x;
            neighbours |= std::size_t{found.labels[static_cast<std::size_t>(other)] == label} << i;
        }
    }
    return neighbours;
}

void measureVolume(Components& found, const Image* grey, const JobControl& control) {
    found.depths.resize(found.count);
    std::ranges::fill(found.depths, DepthRecord{});
    const EulerTable& euler = eulerTableOf(found.connectivity);
    forEachRow(found, grey, control, [&](const auto& runs, const auto& /*before*/, std::size_t row) {
        const auto y = static_cast<std::uint32_t>(row % found.height);
        const auto z = static_cast<std::uint32_t>(row / found.height);
        const bool isOuter = y == 0 || y + 1 == found.height || z == 0 || z + 1 == found.slices;
        for (const LabelRun& run : runs) {
            ComponentRecord& record = found.objects[run.label - 1];
            DepthRecord& depth = found.depths[run.label - 1];
            depth.front = record.area == 0 ? z : depth.front;
            const PixelSums sums = addPixels(record, run, y);
            depth.back = z;
            depth.sumZ += sums.area * z;
            depth.sumZZ += sums.area * z * z;
            depth.sumXZ += sums.x * z;
            depth.sumYZ += sums.y * z;
            depth.runsX += 1;
            for (std::uint32_t x = run.first; x != run.last; ++x) {
                const std::size_t neighbours = neighboursBefore(found, {x, y, z}, row * found.width + x);
                depth.runsY += hasAll(neighbours, {kSharedY}) ? 0 : 1;
                depth.runsZ += hasAll(neighbours, {kSharedZ}) ? 0 : 1;
                depth.border += isOuter || x == 0 || x + 1 == found.width ? 1 : 0;
                depth.euler += euler[neighbours];
            }
            found.foreground += run.last - run.first;
        }
    });
}

/// The numbers of the pixels inside, ascending, without 0.
std::vector<std::uint32_t> numbersIn(std::span<const std::uint32_t> numbers, const Extent& extent, const Mask* inside,
                                     const JobControl& control) {
    constexpr std::size_t kRowsPerTask = 64;
    std::mutex merging;
    std::vector<std::uint32_t> all;
    const auto settle = [](std::vector<std::uint32_t>& values) {
        std::ranges::sort(values);
        values.erase(std::unique(values.begin(), values.end()), values.end());
    };
    forEachRange(
        extent.rows(), control,
        [&](std::size_t begin, std::size_t end) {
            std::vector<std::uint32_t> found;
            std::uint32_t last = 0;
            for (std::size_t y = begin; y != end; ++y) {
                for (std::uint32_t x = 0; x != extent.width; ++x) {
                    const std::uint32_t number = numbers[y * extent.width + x];
                    if (number != last && number != 0 &&
                        (inside == nullptr || inside->test(x, static_cast<std::uint32_t>(y)))) {
                        found.push_back(number);
                        last = number;
                    }
                }
            }
            settle(found);
            const std::scoped_lock lock(merging);
            const auto middle = static_cast<std::ptrdiff_t>(all.size());
            all.insert(all.end(), found.begin(), found.end());
            std::inplace_merge(all.begin(), all.begin() + middle, all.end());
            all.erase(std::unique(all.begin(), all.end()), all.end());
        },
        kRowsPerTask);
    return all;
}

/// Root of a run in a forest.
std::uint32_t rootOf(std::vector<std::uint32_t>& parents, std::uint32_t run) {
    while (parents[run] != run) {
        parents[run] = parents[parents[run]];
        run = parents[run];
    }
    return run;
}

/// The number of parts of each object of an image: sets of pixels that touch.
std::vector<std::uint32_t> partsOf(Components& found, const JobControl& control) {
    const std::uint32_t reach = found.connectivity == Connectivity::eight ? 1 : 0;
    std::vector<std::uint32_t> parts(found.count, 0);
    std::vector<std::uint32_t> parents;
    forEachRow(found, nullptr, control, [&](const auto& runs, const auto& above, std::size_t row) {
        const std::size_t firstAbove = parents.size() - (row == 0 ? 0 : above.size());
        std::size_t from = 0;
        for (const LabelRun& run : runs) {
            const auto own = static_cast<std::uint32_t>(parents.size());
            parents.push_back(own);
            ++parts[run.label - 1];
            while (from < above.size() && above[from].last + reach <= run.first) {
                ++from;
            }
            for (std::size_t i = from; i < above.size() && above[i].first < run.last + reach; ++i) {
                if (above[i].label != run.label) {
                    continue;
                }
                const std::uint32_t first = rootOf(parents, static_cast<std::uint32_t>(firstAbove + i));
                const std::uint32_t second = rootOf(parents, own);
                if (first != second) {
                    parents[std::max(first, second)] = std::min(first, second);
                    --parts[run.label - 1];
                }
            }
        }
    });
    return parts;
}

} // namespace

Components measureNumbers(std::span<const std::uint32_t> numbers, const Extent& extent, const Mask* inside,
                          const Image* grey, Connectivity connectivity, const JobControl& control) {
    try {
        std::vector<std::uint32_t> known = numbersIn(numbers, extent, inside, control);
        const bool areLabels = known.empty() || known.back() == known.size();
        LabelImage labels{Buffer<std::uint32_t>(numbers.size()), extent.width, extent.height,
                          static_cast<std::uint32_t>(known.size()), extent.slices};
        const auto labelOf = [&](std::uint32_t number) {
            return number == 0 || areLabels
                       ? number
                       : static_cast<std::uint32_t>(std::ranges::lower_bound(known, number) - known.begin() + 1);
        };
        forEachIndex(
            extent.rows(), control,
            [&](std::size_t y) {
                std::uint32_t last = 0;
                std::uint32_t label = 0;
                for (std::uint32_t x = 0; x != extent.width; ++x) {
                    const std::size_t i = y * extent.width + x;
                    const bool isInside = inside == nullptr || inside->test(x, static_cast<std::uint32_t>(y));
                    const std::uint32_t number = isInside ? numbers[i] : 0;
                    if (number != last) {
                        last = number;
                        label = labelOf(number);
                    }
                    labels.labels[i] = label;
                }
            },
            64);
        Components found = measureLabels(std::move(labels), grey, connectivity, control);
        if (!found.isVolume()) {
            const std::vector<std::uint32_t> parts = partsOf(found, control);
            for (std::size_t i = 0; i != parts.size(); ++i) {
                found.objects[i].holes += parts[i] - 1;
                found.hasParts = found.hasParts || parts[i] > 1;
            }
        }
        if (!areLabels) {
            found.numbers = std::move(known);
        }
        return found;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "labels: not enough memory for " + text(extent));
    }
}

Components measureLabels(LabelImage labels, const Image* grey, Connectivity connectivity, const JobControl& control) {
    Components found;
    found.connectivity = connectivity;
    requireMeasurable({labels.width, labels.height, labels.slices}, grey,
                      {.connectivity = connectivity, .algorithm = {}});
    found.width = labels.width;
    found.height = labels.height;
    found.slices = labels.slices;
    found.count = labels.count;
    found.labels = std::move(labels.labels);
    found.objects.resize(labels.count);
    ComponentRecord empty;
    empty.greyMin = grey == nullptr ? 0 : std::numeric_limits<std::uint16_t>::max();
    std::ranges::fill(found.objects, empty);
    if (found.isVolume()) {
        measureVolume(found, grey, control);
    } else {
        measureImage(found, grey, control);
    }
    return found;
}

} // namespace pollard
