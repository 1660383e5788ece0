#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Nodes, and the grey mass that they add to the picture.
///
/// The grey mass of a node is contrast * area: what the picture loses if this node alone is flattened to its parent's
/// level. The masses of all nodes but the root add up to the sum over the pixels of |f - level of the root|.
struct SpectrumShare {
    std::uint64_t mass = 0; ///< grey * px
    std::uint64_t nodes = 0;

    SpectrumShare& operator+=(const SpectrumShare& other) noexcept {
        mass += other.mass;
        nodes += other.nodes;
        return *this;
    }
    bool operator==(const SpectrumShare&) const = default;
};

/// Pattern spectrum: how much of a picture is made by components of which attribute (Maragos, "Pattern spectrum and
/// multiscale shape representation", 1989; of component trees: Urbach, Roerdink & Wilkinson, "Connected shape-size
/// pattern spectra for rotation and scale-invariant classification of gray-scale images", 2007). The root has no mass
/// and is not counted: its level is the ground that the picture stands on.
struct PatternSpectrum {
    AttributeId attribute = AttributeId::area;
    Bins bins;
    std::vector<SpectrumShare> shares; ///< per bin
    SpectrumShare below;               ///< under the first edge; on a log scale also what has the value 0 or less
    SpectrumShare above;
    SpectrumShare nan;           ///< nodes without a value of the attribute
    std::uint64_t total = 0;     ///< grey * px: all masses, those outside the bins too = sum of |f - level of the root|
    std::uint16_t rootLevel = 0; ///< grey level of the ground

    bool operator==(const PatternSpectrum&) const = default;
};

/// The same by two attributes at once.
struct PatternSpectrum2d {
    AttributeId attributeX = AttributeId::area;
    AttributeId attributeY = AttributeId::area;
    Bins x;
    Bins y;
    std::vector<SpectrumShare> shares; ///< shape (y.count(), x.count()), row-major
    SpectrumShare outside;             ///< nodes that one of the attributes leaves without a bin
    std::uint64_t total = 0;           ///< grey * px, as in PatternSpectrum
    std::uint16_t rootLevel = 0;

    [[nodiscard]] const SpectrumShare& at(std::size_t binX, std::size_t binY) const noexcept {
        return shares[binY * x.count() + binX];
    }
    bool operator==(const PatternSpectrum2d&) const = default;
};

/// Sorts the grey mass of all nodes but the root into bins of @p column; bins that the request leaves open span the
/// values of those nodes. Sums are 64-bit integers: the same for any number of threads. O(nodes), parallel.
/// @param area the area of every node
/// @throws Error(invalidArgument) as makeBins(), or if a column is not of this tree; Cancelled
[[nodiscard]] PatternSpectrum patternSpectrum(const ComponentTree& tree, const AttributeColumn& area,
                                              const AttributeColumn& column, const BinSpec& spec,
                                              const JobControl& control = {});

/// The same by two columns; both together have at most BinSpec::kMaxBins^2 / 4 bins.
/// @throws Error(invalidArgument), Cancelled
[[nodiscard]] PatternSpectrum2d patternSpectrum2d(const ComponentTree& tree, const AttributeColumn& area,
                                                  const AttributeColumn& columnX, const BinSpec& specX,
                                                  const AttributeColumn& columnY, const BinSpec& specY,
                                                  const JobControl& control = {});

/// Bins of a spectrum from what they hold, for engines that add it up themselves.
/// @param sums as many as bins, then what lies below, above, and what has no value
[[nodiscard]] PatternSpectrum spectrumOf(AttributeId attribute, std::uint16_t rootLevel, Bins bins,
                                         std::vector<SpectrumShare> sums);
/// @param sums a row for each bin of y, then what lies outside
[[nodiscard]] PatternSpectrum2d spectrumOf(AttributeId attributeX, AttributeId attributeY, std::uint16_t rootLevel,
                                           Bins x, Bins y, std::vector<SpectrumShare> sums);
/// @throws Error(invalidArgument) if a spectrum by two attributes would have more bins than it may
void requireFewBins(const Bins& x, const Bins& y);

/// A point of the granulometry curve.
struct GranulometryPoint {
    double threshold = 0;      ///< value of the attribute: an edge of the spectrum's bins
    std::uint64_t removed = 0; ///< grey * px of the nodes whose value is less than the threshold
    double share = 0;          ///< removed / total, 0..1; 0 if the picture is flat

    bool operator==(const GranulometryPoint&) const = default;
};

/// What thresholds remove, at every edge of the bins (Matheron, "Random sets and integral geometry", 1975). Of an
/// increasing attribute, `removed` is the sum over the pixels of |f - filtered| for the filter attribute >= threshold;
/// of others it is so under Rule::subtractive. Where the last bin is closed, the last point counts what lies on its
/// edge as removed. Nodes without a value are never removed here.
[[nodiscard]] std::vector<GranulometryPoint> granulometry(const PatternSpectrum& spectrum);

} // namespace pollard
