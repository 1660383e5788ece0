#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Logarithmic if all values between the bounds are above 0 and span two decades.
/// @param values of all nodes, for bounds that are not set
[[nodiscard]] inline BinScale automaticScale(const BinSpec& spec, const ColumnRange& values) noexcept {
    constexpr double kDecades = 100;
    const double low = spec.low.value_or(values.minimum);
    const double high = spec.high.value_or(values.maximum);
    return low > 0 && high >= kDecades * low ? BinScale::log : BinScale::linear;
}

/// Places of the sums of spectrumOf(). One attribute: a sum per bin, then below, above and NaN. Two attributes: a row
/// per bin of the second, then the nodes outside.
class SpectrumLayout {
public:
    /// @param bins must outlive this
    explicit SpectrumLayout(const Bins& bins) : findX_(bins), binsX_(bins.count()) {}
    SpectrumLayout(const Bins& x, const Bins& y) : findX_(x), findY_(y), binsX_(x.count()), binsY_(y.count()) {}

    [[nodiscard]] std::size_t size() const noexcept { return findY_ ? binsX_ * binsY_ + 1 : binsX_ + 3; }
    /// Of one attribute.
    [[nodiscard]] std::size_t place(double value) const noexcept {
        const std::uint32_t bin = findX_(value);
        return bin < binsX_ ? bin : bin == kBelowBins ? binsX_ : bin == kAboveBins ? binsX_ + 1 : binsX_ + 2;
    }
    /// Of two attributes.
    [[nodiscard]] std::size_t place(double x, double y) const noexcept {
        const std::uint32_t binX = findX_(x);
        const std::uint32_t binY = (*findY_)(y);
        return binX < binsX_ && binY < binsY_ ? binY * binsX_ + binX : binsX_ * binsY_;
    }

private:
    BinFinder findX_;
    std::optional<BinFinder> findY_;
    std::size_t binsX_;
    std::size_t binsY_ = 0;
};

/// Nodes and their grey mass.
///
/// The grey mass of a node is contrast * area: the loss of the image's sum if only this node is flattened to its
/// parent's level. The masses of all nodes but the root sum up to the sum over the pixels of |f - level of the root|.
struct SpectrumShare {
    std::uint64_t mass = 0; ///< grey * px, see PatternSpectrum::massUnit
    std::uint64_t nodes = 0;

    SpectrumShare& operator+=(const SpectrumShare& other) noexcept {
        mass += other.mass;
        nodes += other.nodes;
        return *this;
    }
    bool operator==(const SpectrumShare&) const = default;
};

/// Pattern spectrum: grey mass of an image per bin of an attribute (Maragos, "Pattern spectrum and multiscale shape
/// representation", 1989; for component trees: Urbach, Roerdink & Wilkinson, "Connected shape-size pattern spectra for
/// rotation and scale-invariant classification of gray-scale images", 2007). The root has no mass and is not counted.
struct PatternSpectrum {
    AttributeId attribute = AttributeId::area;
    Bins bins;
    std::vector<SpectrumShare> shares; ///< per bin
    SpectrumShare below;               ///< below the first edge; on a log scale including values <= 0
    SpectrumShare above;
    SpectrumShare nan;           ///< nodes with value NaN
    std::uint64_t total = 0;     ///< grey * px: all masses, including those outside the bins = sum of |f - level of the
                                 ///< root|
    std::uint16_t rootLevel = 0; ///< -
    double massUnit = 1;         ///< value of a unit of mass if levels are ranks; else 1: levels

    bool operator==(const PatternSpectrum&) const = default;
};

/// Pattern spectrum by two attributes.
struct PatternSpectrum2d {
    AttributeId attributeX = AttributeId::area;
    AttributeId attributeY = AttributeId::area;
    Bins x;
    Bins y;
    std::vector<SpectrumShare> shares; ///< shape (y.count(), x.count()), row-major
    SpectrumShare outside;             ///< nodes outside the bins of x or y
    std::uint64_t total = 0;           ///< grey * px, as in PatternSpectrum
    std::uint16_t rootLevel = 0;
    double massUnit = 1; ///< as in PatternSpectrum

    [[nodiscard]] const SpectrumShare& at(std::size_t binX, std::size_t binY) const noexcept {
        return shares[binY * x.count() + binX];
    }
    bool operator==(const PatternSpectrum2d&) const = default;
};

/// Sums the grey mass of all nodes but the root into bins of @p column; unset bounds are the range of these nodes. Sums
/// are 64-bit integers, independent of the number of threads. O(nodes), parallel.
/// @param area per node, px
/// @param mapping of the levels; if they are ranks, contrasts are differences of values: exact for whole numbers if the
/// range times the number of pixels is below 2^63, else rounded to fit
/// @throws Error(invalidArgument) as makeBins(), or if a column is not of this tree; Cancelled
[[nodiscard]] PatternSpectrum patternSpectrum(const ComponentTree& tree, const AttributeColumn& area,
                                              const AttributeColumn& column, const BinSpec& spec,
                                              const JobControl& control = {},
                                              const std::optional<ValueMapping>& mapping = std::nullopt);

/// Pattern spectrum by two columns, with at most BinSpec::kMaxBins^2 / 4 bins in total.
/// @throws Error(invalidArgument) as patternSpectrum() or for more bins; Cancelled
[[nodiscard]] PatternSpectrum2d patternSpectrum2d(const ComponentTree& tree, const AttributeColumn& area,
                                                  const AttributeColumn& columnX, const BinSpec& specX,
                                                  const AttributeColumn& columnY, const BinSpec& specY,
                                                  const JobControl& control = {},
                                                  const std::optional<ValueMapping>& mapping = std::nullopt);

/// Makes a spectrum from sums, for engines that sum themselves.
/// @param sums one per bin, then below, above, NaN
[[nodiscard]] PatternSpectrum spectrumOf(AttributeId attribute, std::uint16_t rootLevel, Bins bins,
                                         std::vector<SpectrumShare> sums);
/// @param sums a row per bin of y, then the nodes outside
[[nodiscard]] PatternSpectrum2d spectrumOf(AttributeId attributeX, AttributeId attributeY, std::uint16_t rootLevel,
                                           Bins x, Bins y, std::vector<SpectrumShare> sums);
/// @throws Error(invalidArgument) for more than BinSpec::kMaxBins^2 / 4 bins
void requireFewBins(const Bins& x, const Bins& y);

/// A point of the granulometry curve.
struct GranulometryPoint {
    double threshold = 0;      ///< attribute value: an edge of the spectrum's bins
    std::uint64_t removed = 0; ///< grey * px of the nodes with a value below the threshold
    double share = 0;          ///< removed / total, 0..1; 0 for a constant image

    bool operator==(const GranulometryPoint&) const = default;
};

/// Mass removed by thresholds at the edges of the bins (Matheron, "Random sets and integral geometry", 1975). For an
/// increasing attribute, `removed` is the sum over the pixels of |f - filtered| for the filter attribute >= threshold;
/// for other attributes this holds under Rule::subtractive. If the last bin is closed, the last point includes the mass
/// on its upper edge. Nodes with value NaN are never removed here.
[[nodiscard]] std::vector<GranulometryPoint> granulometry(const PatternSpectrum& spectrum);

} // namespace pollard
