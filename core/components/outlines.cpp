#include "components/outlines.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace pollard {

namespace {

/// Label image, with background all around.
class LabelMap {
public:
    LabelMap(std::span<const std::uint32_t> labels, std::uint32_t width)
        : labels_(labels.data()), width_(width), height_(static_cast<std::uint32_t>(labels.size() / width)) {}

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    /// Coordinates may be -1: they wrap around to positions outside the image.
    [[nodiscard]] std::uint32_t at(std::uint32_t x, std::uint32_t y) const noexcept {
        return x < width_ && y < height_ ? labels_[std::size_t{y} * width_ + x] : 0;
    }

private:
    const std::uint32_t* labels_;
    std::uint32_t width_;
    std::uint32_t height_;
};

/// Directions in the order of right turns, y pointing down: right, down, left, up. Each has offsets from the corner (x,
/// y) to the pixels ahead on the right and on the left.
struct Heading {
    std::uint32_t dx, dy;
    std::uint32_t rightX, rightY;
    std::uint32_t leftX, leftY;
};
constexpr std::uint32_t kMinus = 0xffff'ffffU; // -1
constexpr std::array<Heading, 4> kHeadings{{
    {1, 0, 0, 0, 0, kMinus},
    {0, 1, kMinus, 0, 0, 0},
    {kMinus, 0, kMinus, kMinus, kMinus, 0},
    {0, kMinus, 0, kMinus, kMinus, kMinus},
}};
constexpr std::size_t kRight = 0;

constexpr std::uint32_t kRowsBetweenStops = 64;

/// Twice the area inside a ring, positive if clockwise on the screen.
std::int64_t doubleArea(std::span<const OutlinePoint> ring) {
    // Every other edge is vertical and adds nothing to the integral of -y dx.
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const OutlinePoint& a = ring[i];
        const OutlinePoint& b = ring[(i + 1) % ring.size()];
        sum += (std::int64_t{a.x} - std::int64_t{b.x}) * (std::int64_t{a.y} + std::int64_t{b.y});
    }
    return sum;
}

class Tracer {
public:
    Tracer(const LabelMap& map, Outlines& outlines)
        : map_(map), seen_(map.width(), map.height(), false), outlines_(outlines) {}

    /// Whether the pixel has an upper border that is not yet traced.
    [[nodiscard]] bool isNew(std::uint32_t x, std::uint32_t y) const noexcept {
        const std::uint32_t label = map_.at(x, y);
        return label != 0 && map_.at(x, y - 1) != label && !seen_.test(x, y);
    }

    /// Traces the ring of the piece that contains the pixel, from its upper side, with the piece on the right. At a
    /// corner where two pixels of the object meet diagonally, the walk stays with its pixel, so that pieces are
    /// 4-connected.
    void follow(std::uint32_t x, std::uint32_t y, std::uint32_t piece) {
        const std::uint32_t label = map_.at(x, y);
        walk_.clear();
        pinches_.clear();
        const OutlinePoint start{x, y};
        OutlinePoint at = start;
        std::size_t heading = kRight;
        do {
            const Heading& h = kHeadings[heading];
            if (heading == kRight) {
                seen_.set(at.x, at.y, true);
            }
            at = {at.x + h.dx, at.y + h.dy};
            const bool right = map_.at(at.x + h.rightX, at.y + h.rightY) == label;
            const bool left = map_.at(at.x + h.leftX, at.y + h.leftY) == label;
            if (right && !left) {
                continue;
            }
            const bool pinched = !right && left;
            heading = right ? (heading + 3) % 4 : (heading + 1) % 4;
            if (pinched) {
                split(at, label, piece);
            }
            walk_.push_back(at);
        } while (!(at == start && heading == kRight));
        emit(walk_, label, piece);
    }

private:
    /// At a corner where the piece touches itself, the walk passes twice; the part in between is a separate ring.
    void split(const OutlinePoint& at, std::uint32_t label, std::uint32_t piece) {
        const std::uint64_t key = std::uint64_t{at.y} << 32U | at.x;
        const auto [found, first] = pinches_.try_emplace(key, walk_.size());
        if (first || found->second >= walk_.size() || walk_[found->second] != at) {
            found->second = walk_.size();
            return;
        }
        const std::size_t begin = found->second;
        emit(std::span<const OutlinePoint>(walk_).subspan(begin), label, piece);
        walk_.resize(begin);
    }

    void emit(std::span<const OutlinePoint> corners, std::uint32_t label, std::uint32_t piece) {
        OutlineRing ring;
        ring.label = label;
        ring.piece = piece;
        ring.hole = doubleArea(corners) < 0;
        ring.first = outlines_.points.size();
        outlines_.points.insert(outlines_.points.end(), corners.begin(), corners.end());
        ring.last = outlines_.points.size();
        outlines_.rings.push_back(ring);
    }

    LabelMap map_;
    Mask seen_; ///< pixels whose upper side is traced
    Outlines& outlines_;
    std::vector<OutlinePoint> walk_;                         ///< corners since the start
    std::unordered_map<std::uint64_t, std::size_t> pinches_; ///< index in walk_ of corners where the walk may touch
                                                             ///< itself
};

/// Labels the 4-connected pieces, which become the polygons.
Components piecesOf(const LabelMap& map, const JobControl& control) {
    Mask mask(map.width(), map.height(), false);
    tbb::parallel_for(std::uint32_t{0}, map.height(), [&](std::uint32_t y) {
        for (std::uint32_t x = 0; x < map.width(); ++x) {
            if (map.at(x, y) != 0) {
                mask.set(x, y, true);
            }
        }
    });
    ComponentsSpec spec;
    spec.connectivity = Connectivity::four;
    spec.features = false;
    return labelComponents(mask, nullptr, spec, control);
}

/// @param pieces numbers of the polygons from 1 on, of each pixel
Outlines traced(const LabelMap& map, std::span<const std::uint32_t> pieces, const JobControl& control) {
    Outlines outlines;
    Tracer tracer(map, outlines);
    for (std::uint32_t y = 0; y < map.height(); ++y) {
        if (y % kRowsBetweenStops == 0) {
            control.throwIfStopped();
        }
        for (std::uint32_t x = 0; x < map.width(); ++x) {
            if (tracer.isNew(x, y)) {
                tracer.follow(x, y, pieces[std::size_t{y} * map.width() + x] - 1);
            }
        }
    }
    std::ranges::sort(outlines.rings, {}, [](const OutlineRing& ring) {
        return std::tuple(ring.label, ring.piece, ring.hole, ring.first);
    });
    return outlines;
}

} // namespace

Outlines traceOutlines(const Components& components, const JobControl& control) {
    if (components.labels.size() != std::size_t{components.width} * components.height) {
        throw Error(ErrorCode::invalidArgument, "outlines: the components have no label image");
    }
    const std::span<const std::uint32_t> labels = components.labels.span();
    try {
        return components.connectivity == Connectivity::eight
                   ? traceOutlines(labels, components.width, control)
                   : traced(LabelMap(labels, components.width), labels, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "outlines: no memory for those of " + std::to_string(components.count) + " objects");
    }
}

Outlines traceOutlines(std::span<const std::uint32_t> labels, std::uint32_t width, const JobControl& control) {
    const LabelMap map(labels, width);
    return traced(map, piecesOf(map, control).labels.span(), control);
}

std::vector<std::size_t> firstRings(const Components& components, const Outlines& outlines) {
    std::vector<std::size_t> first(std::size_t{components.count} + 1, 0);
    for (const OutlineRing& ring : outlines.rings) {
        ++first[ring.label]; // counts towards all later objects
    }
    for (std::size_t i = 1; i < first.size(); ++i) {
        first[i] += first[i - 1];
    }
    return first;
}

} // namespace pollard
