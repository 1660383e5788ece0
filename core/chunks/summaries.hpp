#pragma once

#include "attributes/formulas.hpp"
#include "base/buffer.hpp"
#include "base/compiler.hpp"
#include "filter/filter_spec.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

namespace pollard {

// Quantities of a set of pixels that parts of an image exchange. Each is a commutative monoid: join() of the quantities
// of disjoint sets is the quantity of their union, and kNone is the quantity of the empty set.

/// A sum.
template <class T> struct Added {
    using Value = T;
    static constexpr Value kNone = 0;
    static void join(Value& to, const Value& from) noexcept { to += from; }
};

/// Number of pixels.
struct PixelCount : Added<std::uint64_t> {};
/// Sum of the grey levels.
struct LevelTotal : Added<std::uint64_t> {};
/// Sum of the squares of the grey levels.
struct SquareTotal : Added<UInt128> {};
/// Bounding box in pixels of the whole image, both ends included.
struct BoundingBox {
    struct Value {
        std::uint32_t left, top, first, right, bottom, last;
    };
    static constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    static constexpr Value kNone{kMost, kMost, kMost, 0, 0, 0};
    static void join(Value& to, const Value& from) noexcept {
        to = {std::min(to.left, from.left),   std::min(to.top, from.top),       std::min(to.first, from.first),
              std::max(to.right, from.right), std::max(to.bottom, from.bottom), std::max(to.last, from.last)};
    }
};
/// Sums of coordinates in the whole image up to order 2.
struct MomentTotals {
    using Value = MomentSums<UInt128>;
    static constexpr Value kNone{};
    static void join(Value& to, const Value& from) noexcept {
        to.x += from.x;
        to.y += from.y;
        to.xx += from.xx;
        to.xy += from.xy;
        to.yy += from.yy;
    }
};
/// Sums of coordinates of order 3.
struct ThirdMomentTotals {
    using Value = ThirdMomentSums<UInt128>;
    static constexpr Value kNone{};
    static void join(Value& to, const Value& from) noexcept {
        to.xxx += from.xxx;
        to.xxy += from.xxy;
        to.xyy += from.xyy;
        to.yyy += from.yyy;
    }
};
/// Changes of perimeter and Euler number by the pixels, see perimeterChange() and eulerChange().
struct OutlineTotals {
    struct Value {
        std::int64_t perimeter, euler;
    };
    static constexpr Value kNone{};
    static void join(Value& to, const Value& from) noexcept {
        to.perimeter += from.perimeter;
        to.euler += from.euler;
    }
};
/// Changes of BorderSums by the pixels, see faceChange().
struct BorderTotals {
    using Value = BorderSums;
    static constexpr Value kNone{};
    static void join(Value& to, const Value& from) noexcept { to += from; }
};
/// Pixels at the border of the whole image.
struct BorderCount : Added<std::uint64_t> {};
/// Largest height above the root's side of the grey scale, see PartJob::height().
struct Peak {
    using Value = std::uint16_t;
    static constexpr Value kNone = 0;
    static void join(Value& to, const Value& from) noexcept { to = std::max(to, from); }
};
/// Closed leaves.
struct LeafCount : Added<std::uint64_t> {};
/// Closed descendants.
struct NodeCount : Added<std::uint64_t> {};
/// Closed children of the node; not joined to its parent.
struct ClosedChildren : Added<std::uint64_t> {};
/// Last pixel, in raster order of the whole image, at the level of the node: its canonical pixel; not joined to its
/// parent.
struct LastPixel {
    using Value = std::uint64_t;
    static constexpr Value kNone = 0;
    static void join(Value& to, const Value& from) noexcept { to = std::max(to, from); }
};
/// The surviving leaf of a component with the component's measure of prominence, see extinctionsOf().
struct LeafMeasure {
    std::uint64_t measure = 0;
    std::uint64_t leaf = kNoLeaf; ///< canonical pixel in the whole image

    static constexpr std::uint64_t kNoLeaf = std::numeric_limits<std::uint64_t>::max();

    /// Whether this leaf survives if both components meet. The most prominent leaves are in the same order.
    [[nodiscard]] constexpr bool isBefore(const LeafMeasure& other) const noexcept {
        return measure != other.measure ? measure > other.measure : leaf < other.leaf;
    }
    bool operator==(const LeafMeasure&) const = default;
};
/// LeafMeasure of the surviving closed child; of a closed node its own.
template <Prominence> struct BestLeaf {
    using Value = LeafMeasure;
    static constexpr Value kNone{};
    static void join(Value& to, const Value& from) noexcept { to = from.isBefore(to) ? from : to; }
};
inline constexpr std::size_t kMeasures = kAllProminences.size();
/// First pixel in raster order of the whole image.
struct FirstPixel {
    using Value = std::uint64_t;
    static constexpr Value kNone = std::numeric_limits<std::uint64_t>::max();
    static constexpr Value kOfRoot = 0; ///< the root has all pixels
    static void join(Value& to, const Value& from) noexcept { to = std::min(to, from); }
};
/// Sum of the negative excesses of closed children, see keepIfCheaper().
struct Excess : Added<std::int64_t> {};
/// Whether a closed node below meets the criteria.
struct AnyMeets {
    using Value = std::uint8_t;
    static constexpr Value kNone = 0;
    static void join(Value& to, const Value& from) noexcept { to = static_cast<Value>(to | from); }
};

template <class... Kinds> struct KindList {
    template <class Kind> static constexpr std::size_t kIndexOf = [] {
        std::size_t index = 0;
        std::size_t found = 0;
        ((std::is_same_v<Kind, Kinds> ? void(found = index++) : void(++index)), ...);
        return found;
    }();
    using Columns = std::tuple<Buffer<typename Kinds::Value>...>;
    template <class Visit> static void forEach(Visit&& visit) { (visit(Kinds{}), ...); }
};
using SummaryKinds =
    KindList<PixelCount, LevelTotal, SquareTotal, BoundingBox, MomentTotals, ThirdMomentTotals, OutlineTotals,
             BorderCount, Peak, LeafCount, NodeCount, ClosedChildren, FirstPixel, Excess, AnyMeets, LastPixel,
             BestLeaf<Prominence::dynamics>, BestLeaf<Prominence::extinctionArea>,
             BestLeaf<Prominence::extinctionVolume>, BorderTotals>;

/// A set of kinds, one bit each.
class SummaryNeeds {
public:
    template <class Kind> void add() noexcept { bits_ |= bit<Kind>(); }
    void add(SummaryNeeds others) noexcept { bits_ |= others.bits_; }
    /// Adds BestLeaf for a measure.
    void addBestLeaf(Prominence measure) noexcept {
        measure == Prominence::dynamics         ? add<BestLeaf<Prominence::dynamics>>()
        : measure == Prominence::extinctionArea ? add<BestLeaf<Prominence::extinctionArea>>()
                                                : add<BestLeaf<Prominence::extinctionVolume>>();
    }
    template <class Kind> [[nodiscard]] bool has() const noexcept { return (bits_ & bit<Kind>()) != 0; }
    /// Whether the neighbours of a pixel change them, which may be in another chunk.
    [[nodiscard]] bool hasNeighbours() const noexcept { return has<OutlineTotals>() || has<BorderTotals>(); }
    [[nodiscard]] std::uint32_t bits() const noexcept { return bits_; }
    /// Bytes of a node.
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        SummaryKinds::forEach([&]<class Kind>(Kind) { sum += has<Kind>() ? sizeof(typename Kind::Value) : 0; });
        return sum;
    }
    bool operator==(const SummaryNeeds&) const = default;

private:
    template <class Kind> static constexpr std::uint32_t bit() noexcept {
        return std::uint32_t{1} << SummaryKinds::kIndexOf<Kind>;
    }
    std::uint32_t bits_ = 0;
};

/// A column per kind that is needed, with a value per node.
class Summaries {
    template <class Self> [[nodiscard]] static auto& bestLeafOf(Self& self, Prominence measure) noexcept {
        switch (measure) {
        case Prominence::extinctionArea:
            return self.template of<BestLeaf<Prominence::extinctionArea>>();
        case Prominence::extinctionVolume:
            return self.template of<BestLeaf<Prominence::extinctionVolume>>();
        case Prominence::dynamics:
            break;
        }
        return self.template of<BestLeaf<Prominence::dynamics>>();
    }

public:
    Summaries() = default;
    /// All values are kNone.
    Summaries(SummaryNeeds needs, std::size_t count) : needs_(needs), count_(count) {
        forEachColumn([&]<class Kind>(Kind, Buffer<typename Kind::Value>& column) {
            column = Buffer<typename Kind::Value>(count);
            std::fill(column.begin(), column.end(), Kind::kNone);
        });
    }

    [[nodiscard]] SummaryNeeds needs() const noexcept { return needs_; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    template <class Kind> [[nodiscard]] bool has() const noexcept { return needs_.has<Kind>(); }
    template <class Kind> [[nodiscard]] Buffer<typename Kind::Value>& of() noexcept {
        return std::get<SummaryKinds::kIndexOf<Kind>>(columns_);
    }
    template <class Kind> [[nodiscard]] const Buffer<typename Kind::Value>& of() const noexcept {
        return std::get<SummaryKinds::kIndexOf<Kind>>(columns_);
    }

    /// Replaces all columns. @param column of @p count values for a kind
    template <class Column> void fill(std::size_t count, Column&& column) {
        forEachColumn([&]<class Kind>(Kind kind, Buffer<typename Kind::Value>& values) { values = column(kind); });
        count_ = count;
    }

    void join(std::size_t to, const Summaries& other, std::size_t from) noexcept {
        forEachColumn([&]<class Kind>(Kind, Buffer<typename Kind::Value>& column) {
            Kind::join(column[to], other.of<Kind>()[from]);
        });
    }

    /// The column of BestLeaf for a measure; empty if it is not needed.
    [[nodiscard]] Buffer<LeafMeasure>& bestLeaf(Prominence measure) noexcept { return bestLeafOf(*this, measure); }
    [[nodiscard]] const Buffer<LeafMeasure>& bestLeaf(Prominence measure) const noexcept {
        return bestLeafOf(*this, measure);
    }

    /// Calls visit(kind, column) for the columns that are needed, in a fixed order.
    template <class Visit> void forEachColumn(Visit&& visit) {
        SummaryKinds::forEach([&]<class Kind>(Kind kind) {
            if (has<Kind>()) {
                visit(kind, of<Kind>());
            }
        });
    }
    template <class Visit> void forEachColumn(Visit&& visit) const {
        SummaryKinds::forEach([&]<class Kind>(Kind kind) {
            if (has<Kind>()) {
                visit(kind, of<Kind>());
            }
        });
    }

private:
    SummaryNeeds needs_;
    std::size_t count_ = 0;
    SummaryKinds::Columns columns_;
};

} // namespace pollard
