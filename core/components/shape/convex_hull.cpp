#include "components/shape/convex_hull.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

namespace pollard {
namespace {

constexpr std::size_t kHullsPerTask = 256;

/// First and last pixel of an object in a row; none if the first is greater.
struct RowEnds {
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool operator==(const RowEnds&) const = default;
};

/// Midpoint of the side of a pixel, in halves of a pixel. requireMeasurable() limits coordinates to 22 bits.
struct HalfPoint {
    std::int64_t x = 0;
    std::int64_t y = 0;

    bool operator==(const HalfPoint&) const = default;
};

HalfPoint operator-(const HalfPoint& a, const HalfPoint& b) noexcept { return {a.x - b.x, a.y - b.y}; }
std::int64_t crossOfHalves(const HalfPoint& a, const HalfPoint& b) noexcept { return a.x * b.y - a.y * b.x; }

/// Left side of the hull of the midpoints of sides, from the top down, strictly convex.
class LeftChain {
public:
    void clear() noexcept { points_.clear(); }
    /// Adds the first pixel of a row. Rows descend.
    void add(std::int64_t x, std::int64_t y) {
        add({2 * x, 2 * y - 1});
        add({2 * x - 1, 2 * y});
        add({2 * x, 2 * y + 1});
    }
    [[nodiscard]] std::span<const HalfPoint> points() const noexcept { return points_; }

    /// The first column of row @p y whose centre is not left of the chain.
    /// @param segment of the rows before; moved on
    /// @param guess a column whose centre is not left of the chain; most often it is the first one
    [[nodiscard]] std::int64_t firstIn(std::int64_t y, std::size_t& segment, std::int64_t guess) const noexcept {
        while (points_[segment + 1].y < 2 * y) {
            ++segment;
        }
        const HalfPoint& from = points_[segment];
        const HalfPoint step = points_[segment + 1] - from;
        const std::int64_t above = from.x * step.y + step.x * (2 * y - from.y); // 2 step.y times the column
        const std::int64_t below = 2 * step.y;
        if (above > (guess - 1) * below) {
            return guess;
        }
        return above / below + (above % below > 0 ? 1 : 0);
    }

private:
    void add(const HalfPoint& point) {
        if (!points_.empty() && points_.back().y == point.y) {
            if (points_.back().x <= point.x) {
                return;
            }
            points_.pop_back();
        }
        while (points_.size() > 1) {
            const HalfPoint& before = points_[points_.size() - 2];
            if (crossOfHalves(points_.back() - before, point - before) < 0) {
                break;
            }
            points_.pop_back();
        }
        points_.push_back(point);
    }

    std::vector<HalfPoint> points_;
};

/// The angle of a direction, in (-pi/2, pi/2].
double feretAngle(double x, double y) noexcept {
    const double angle = std::atan2(y, x);
    constexpr double kHalf = std::numbers::pi / 2;
    return angle > kHalf ? angle - std::numbers::pi : angle <= -kHalf ? angle + std::numbers::pi : angle;
}

/// The least of some numbers with its direction; of equal numbers the direction with the smallest angle.
class LeastWidth {
public:
    void take(double value, HalfPoint along) noexcept {
        if (value > least_) {
            return;
        }
        const bool isLeft = along.x < 0 || (along.x == 0 && along.y < 0);
        if (isLeft) {
            along = HalfPoint{} - along;
        }
        const std::int64_t turn = value < least_ ? 1 : crossOfHalves(along, direction_);
        if (turn > 0) {
            direction_ = along;
            isTaken_ = {};
        }
        if (turn >= 0) {
            isTaken_[isLeft ? 1 : 0] = true;
        }
        least_ = value;
    }
    [[nodiscard]] double value() const noexcept { return least_; }
    /// The angles of opposite directions may differ by a rounding error: the smaller one. @param x, y scales
    [[nodiscard]] double angle(double x, double y) const noexcept {
        const double alongX = static_cast<double>(direction_.x) * x;
        const double alongY = static_cast<double>(direction_.y) * y;
        const double right = isTaken_[0] ? feretAngle(alongX, alongY) : HUGE_VAL;
        return isTaken_[1] ? std::min(right, feretAngle(-alongX, 0 - alongY)) : right;
    }

private:
    double least_ = HUGE_VAL;
    HalfPoint direction_;           ///< to the right, or straight down
    std::array<bool, 2> isTaken_{}; ///< this direction, and the opposite one
};

/// Measures hulls one by one. Keep one per thread: it reuses its memory.
class HullMeasurer {
public:
    explicit HullMeasurer(const VoxelSides& sides) : sides_(sides) {}

    [[nodiscard]] ObjectHull measure(std::span<const ObjectRun> runs, std::uint32_t width) {
        ObjectHull hull;
        if (runs.empty()) {
            return hull;
        }
        findRows(runs, width);
        chainRows();
        if (takeConvexRows()) {
            chainRows();
        }
        for (const RowEnds& row : rows_) {
            hull.area += static_cast<std::uint64_t>(std::max<std::int64_t>(row.last - row.first + 1, 0));
        }
        joinChains();
        turnCalipers(hull);
        return hull;
    }

private:
    void findRows(std::span<const ObjectRun> runs, std::uint32_t width) {
        rows_.clear();
        top_ = runs.front().first / width;
        for (const ObjectRun& run : runs) {
            const std::size_t row = run.first / width - static_cast<std::size_t>(top_);
            const std::int64_t x = run.first % width;
            if (row >= rows_.size()) {
                rows_.resize(row, {width, -1});
                rows_.push_back({x, x});
            }
            rows_.back().last = x + run.length - 1;
        }
    }

    void chainRows() {
        left_.clear();
        right_.clear();
        std::int64_t y = top_;
        for (const RowEnds& row : rows_) {
            if (row.first <= row.last) {
                left_.add(row.first, y);
                right_.add(-row.last, y);
            }
            ++y;
        }
    }

    /// Replaces the rows by the rows of the convex pixels. @return whether one changes
    bool takeConvexRows() {
        std::int64_t y = top_;
        std::size_t left = 0;
        std::size_t right = 0;
        bool changes = false;
        for (RowEnds& row : rows_) {
            const RowEnds convex{left_.firstIn(y, left, row.first), -right_.firstIn(y, right, -row.last)};
            changes = changes || convex != row;
            row = convex;
            ++y;
        }
        return changes;
    }

    void joinChains() {
        const std::span<const HalfPoint> left = left_.points();
        const std::span<const HalfPoint> right = right_.points();
        polygon_.assign(left.begin(), left.end());
        for (std::size_t i = right.size(); i-- > 0;) {
            const HalfPoint point{-right[i].x, right[i].y};
            if (point != polygon_.back() && point != polygon_.front()) {
                polygon_.push_back(point);
            }
        }
    }

    [[nodiscard]] const HalfPoint& next(std::size_t i) const noexcept {
        return polygon_[i + 1 == polygon_.size() ? 0 : i + 1];
    }
    [[nodiscard]] double squareOf(const HalfPoint& away) const noexcept {
        const double x = static_cast<double>(away.x) * sides_.x;
        const double y = static_cast<double>(away.y) * sides_.y;
        return x * x + y * y;
    }

    /// Visits the vertices that are farthest from each side; these and the ends of the side are all antipodal pairs.
    void turnCalipers(ObjectHull& hull) const {
        LeastWidth largest; // of negative squares
        LeastWidth smallest;
        double sum = 0;
        std::size_t far = 1;
        for (std::size_t i = 0; i < polygon_.size(); ++i) {
            const HalfPoint& from = polygon_[i];
            const HalfPoint side = next(i) - from;
            const auto away = [&](const HalfPoint& point) { return -crossOfHalves(side, point - from); };
            while (away(next(far)) > away(polygon_[far])) {
                far = far + 1 == polygon_.size() ? 0 : far + 1;
            }
            const auto reach = [&](const HalfPoint& point) {
                for (const HalfPoint& end : {from, next(i)}) {
                    const HalfPoint chord = point - end;
                    largest.take(-squareOf(chord), chord);
                }
            };
            reach(polygon_[far]);
            if (away(next(far)) == away(polygon_[far])) {
                reach(next(far));
            }
            const double length = std::sqrt(squareOf(side));
            sum += length;
            smallest.take(static_cast<double>(away(polygon_[far])) * sides_.x * sides_.y / length, {-side.y, side.x});
        }
        hull.perimeter = sum / 2;
        hull.feretMax = std::sqrt(-largest.value()) / 2;
        hull.feretMaxAngle = largest.angle(sides_.x, sides_.y);
        hull.feretMin = smallest.value() / 2;
        hull.feretMinAngle = smallest.angle(sides_.y, sides_.x);
    }

    VoxelSides sides_;
    std::int64_t top_ = 0;
    std::vector<RowEnds> rows_; ///< from the top row on
    LeftChain left_;
    LeftChain right_; ///< of the mirrored columns
    std::vector<HalfPoint> polygon_;
};

} // namespace

std::vector<ObjectHull> convexHulls(const Components& components, const ObjectRuns& runs, const VoxelSides& sides,
                                    const JobControl& control) {
    std::vector<ObjectHull> hulls(components.count);
    forEachRange(
        hulls.size(), control,
        [&](std::size_t begin, std::size_t end) {
            HullMeasurer measurer(sides);
            for (std::size_t i = begin; i != end; ++i) {
                hulls[i] = measurer.measure(runs.of(static_cast<std::uint32_t>(i + 1)), components.width);
            }
        },
        kHullsPerTask);
    return hulls;
}

} // namespace pollard
