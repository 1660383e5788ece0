#include "components/shape/object_edges.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/shape/local_thickness.hpp"
#include "components/shape/object_runs.hpp"
#include "image/distance_transform.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <array>
#include <cstddef>
#include <new>
#include <numbers>
#include <string>

namespace pollard {

namespace {

constexpr std::uint32_t kEdgeRowsPerTask = 64;
constexpr std::size_t kEdgesPerTask = 64;
constexpr std::uint64_t kStepsBetweenStops = std::uint64_t{1} << 16U;

/// A direction along pixel sides, y pointing down, with offsets from a corner to the pixels ahead on the right and on
/// the left.
struct Heading {
    std::int64_t dx, dy;
    std::int64_t rightX, rightY;
    std::int64_t leftX, leftY;
};
/// In the order of right turns: right, down, left, up.
constexpr std::array<Heading, 4> kHeadings{{
    {1, 0, 0, 0, 0, -1},
    {0, 1, -1, 0, 0, 0},
    {-1, 0, -1, -1, -1, 0},
    {0, -1, 0, -1, -1, -1},
}};
constexpr std::size_t kDown = 1;
constexpr std::size_t kRightTurn = 1;
constexpr std::size_t kLeftTurn = 3;

class EdgeTracer {
public:
    EdgeTracer(const Components& components, const JobControl& control) : components_(components), control_(control) {}

    /// Perimeter of an object.
    /// @param x, y upper right corner of the first run of the object's first row
    [[nodiscard]] double perimeter(std::uint32_t label, std::int64_t x, std::int64_t y) const {
        const std::int64_t startX = x;
        const std::int64_t startY = y;
        std::size_t heading = kDown;
        std::uint64_t sides = 0;
        std::uint64_t corners = 0;
        std::uint64_t straight = 0; // sides since the last corner
        bool counted = false;       // whether the last corner counted
        do {
            x += kHeadings[heading].dx;
            y += kHeadings[heading].dy;
            ++straight;
            if (++sides % kStepsBetweenStops == 0) {
                control_.throwIfStopped();
            }
            const std::size_t turn = turnAt(label, x, y, kHeadings[heading]);
            if (turn != 0) {
                counted = straight > 1 || !counted;
                corners += counted ? 1 : 0;
                straight = 0;
                heading = (heading + turn) % kHeadings.size();
            }
        } while (x != startX || y != startY || heading != kDown);
        return static_cast<double>(sides) - static_cast<double>(corners) * (2 - std::numbers::sqrt2);
    }

private:
    [[nodiscard]] bool isInside(std::uint32_t label, std::int64_t x, std::int64_t y) const noexcept {
        return x >= 0 && y >= 0 && x < components_.width && y < components_.height &&
               components_.labels[static_cast<std::size_t>(y) * components_.width + static_cast<std::size_t>(x)] ==
                   label;
    }
    /// Keeps the object on the right. If two of its pixels meet only at a corner, connectivity 8 crosses to the other
    /// pixel and connectivity 4 stays.
    [[nodiscard]] std::size_t turnAt(std::uint32_t label, std::int64_t x, std::int64_t y,
                                     const Heading& heading) const noexcept {
        const bool right = isInside(label, x + heading.rightX, y + heading.rightY);
        const bool left = isInside(label, x + heading.leftX, y + heading.leftY);
        if (left && (right || components_.connectivity == Connectivity::eight)) {
            return kLeftTurn;
        }
        return right ? 0 : kRightTurn;
    }

    const Components& components_;
    const JobControl& control_;
};

void countBorder(const Components& components, std::vector<ObjectEdge>& edges) {
    const std::uint32_t width = components.width;
    const std::uint32_t height = components.height;
    const auto count = [&](std::uint32_t x, std::uint32_t y) {
        if (const std::uint32_t label = components.labels[std::size_t{y} * width + x]; label != 0) {
            ++edges[label - 1].border;
        }
    };
    for (std::uint32_t x = 0; x < width; ++x) {
        count(x, 0);
        if (height > 1) {
            count(x, height - 1);
        }
    }
    for (std::uint32_t y = 1; y + 1 < height; ++y) {
        count(0, y);
        if (width > 1) {
            count(width - 1, y);
        }
    }
}

/// Column after the first run of every object's first row.
std::vector<std::uint32_t> startsOf(const Components& components, const JobControl& control) {
    std::vector<std::uint32_t> starts(components.count, 0);
    const std::uint32_t width = components.width;
    forEachRange(
        components.height, control,
        [&](std::size_t begin, std::size_t end) {
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                const std::uint32_t* row = components.labels.data() + std::size_t{y} * width;
                for (std::uint32_t x = 0; x < width;) {
                    const std::uint32_t label = row[x];
                    while (x < width && row[x] == label) {
                        ++x;
                    }
                    if (label != 0 && components.objects[label - 1].top == y && starts[label - 1] == 0) {
                        starts[label - 1] = x;
                    }
                }
            }
        },
        kEdgeRowsPerTask);
    return starts;
}

void traceAll(const Components& components, std::vector<ObjectEdge>& edges, const JobControl& control) {
    const std::vector<std::uint32_t> starts = startsOf(components, control);
    const EdgeTracer tracer(components, control);
    forEachIndex(
        edges.size(), control,
        [&](std::size_t i) {
            if (components.objects[i].area != 0) { // else edits have left no pixel
                edges[i].imagejPerimeter =
                    tracer.perimeter(static_cast<std::uint32_t>(i + 1), starts[i], components.objects[i].top);
            }
        },
        kEdgesPerTask);
}

/// Whether the records of a volume, with its objects' borders, have all measurements.
bool needsRecordsOnly(const Components& components, EdgeMeasure measure) noexcept {
    return measure == EdgeMeasure::none || (components.isVolume() && measure < EdgeMeasure::ball);
}

void measureShapes(ObjectEdges& edges, const Components& components, const JobControl& control) {
    const ObjectRuns runs(components, control);
    if (!components.isVolume()) {
        edges.hulls = convexHulls(components, runs, edges.sides, control);
    }
    if (edges.measured < EdgeMeasure::ball) {
        return;
    }
    const Buffer<double> squares =
        squaredDistancesToOthers(components.labels.span(), components.extent(), edges.sides, control);
    edges.balls = inscribedBalls(components, runs, squares.span(), control);
    if (edges.measured >= EdgeMeasure::thickness) {
        edges.thickness = meanLocalThickness(components, runs, squares.span(), edges.sides, control);
    }
}

constexpr std::size_t kPixelsPerTask = std::size_t{1} << 18U;

} // namespace

ObjectEdges measureEdges(const Components& components, EdgeMeasure measure, const JobControl& control,
                         const VoxelSides& sides) {
    ObjectEdges edges;
    if (needsRecordsOnly(components, measure)) {
        return edges;
    }
    if (components.labels.size() != components.extent().pixelCount() || components.objects.size() != components.count) {
        throw Error(ErrorCode::invalidArgument, "edges of objects: the components have no label image or no records");
    }
    try {
        edges.measured = measure;
        edges.sides = sides;
        if (!components.isVolume()) {
            edges.objects.resize(components.count);
            countBorder(components, edges.objects);
            if (measure >= EdgeMeasure::traced) {
                traceAll(components, edges.objects, control);
            }
        }
        if (measure >= EdgeMeasure::hull) {
            measureShapes(edges, components, control);
        }
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "edges of objects: no memory for those of " + std::to_string(components.count) + " objects");
    }
    return edges;
}

std::vector<std::uint32_t> keepObjects(Components& components, const std::function<bool(std::uint32_t label)>& keeps,
                                       const JobControl& control) {
    if (components.labels.size() != std::size_t{components.width} * components.height ||
        components.objects.size() != components.count) {
        throw Error(ErrorCode::invalidArgument, "objects to keep: the components have no label image or no records");
    }
    try {
        std::vector<std::uint32_t> numbers(std::size_t{components.count} + 1, 0); // new label by old label
        std::vector<std::uint32_t> kept;
        for (std::uint32_t i = 0; i < components.count; ++i) {
            const ComponentRecord& object = components.objects[i];
            if (keeps(i + 1)) {
                components.objects[kept.size()] = object;
                if (!components.valueSums.empty()) {
                    components.valueSums[kept.size()] = components.valueSums[i];
                }
                if (!components.numbers.empty()) {
                    components.numbers[kept.size()] = components.numbers[i];
                }
                kept.push_back(i + 1);
                numbers[i + 1] = static_cast<std::uint32_t>(kept.size());
            } else {
                components.foreground -= object.area;
            }
        }
        const bool removes = kept.size() < components.count;
        components.count = static_cast<std::uint32_t>(kept.size());
        components.objects.resize(kept.size());
        components.numbers.resize(components.numbers.empty() ? 0 : kept.size());
        components.valueSums.resize(components.valueSums.empty() ? 0 : kept.size());
        if (removes) {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, components.labels.size(), kPixelsPerTask),
                              [&](const auto& range) {
                                  control.throwIfStopped();
                                  for (std::size_t i = range.begin(); i != range.end(); ++i) {
                                      components.labels[i] = numbers[components.labels[i]];
                                  }
                              });
        }
        return kept;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "objects to keep: no memory for the numbers of " + std::to_string(components.count) + " objects");
    }
}

std::uint32_t removeBorderObjects(Components& components, const JobControl& control) {
    const std::uint32_t before = components.count;
    const auto isInside = [&](std::uint32_t label) {
        return !touchesBorder(components, components.objects[label - 1]);
    };
    return before - static_cast<std::uint32_t>(keepObjects(components, isInside, control).size());
}

} // namespace pollard
