#include "analysis/spectrum.hpp"

#include "analysis/bins.hpp"
#include "base/error.hpp"
#include "image/grey_weights.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// The root is not part of the spectrum.
constexpr std::size_t kFirstNode = 1;

void requireColumn(const ComponentTree& tree, const AttributeColumn& column) {
    if (column.size() != tree.nodeCount()) {
        throw Error(ErrorCode::invalidArgument, "pattern spectrum: " + std::to_string(column.size()) + " values of '" +
                                                    std::string(attributeInfo(column.id).name) + "' for a tree of " +
                                                    std::to_string(tree.nodeCount()) + " nodes");
    }
}

const Buffer<std::uint32_t>& areasOf(const ComponentTree& tree, const AttributeColumn& area) {
    const auto* areas = std::get_if<Buffer<std::uint32_t>>(&area.values);
    if (area.id != AttributeId::area || areas == nullptr) {
        throw Error(ErrorCode::invalidArgument, "pattern spectrum: the column '" +
                                                    std::string(attributeInfo(area.id).name) +
                                                    "' was given as the area");
    }
    requireColumn(tree, area);
    return *areas;
}

/// Grey masses of nodes: by levels, or by the values of ranks in units of which all masses fit 64 bits.
class GreyMasses {
public:
    GreyMasses(const ComponentTree& tree, const Buffer<std::uint32_t>& areas,
               const std::optional<ValueMapping>& mapping)
        : tree_(tree), areas_(areas) {
        if (!mapping || mapping->ranks == nullptr) {
            return;
        }
        weights_.emplace(*mapping);
        shift_ = weights_->shiftFor(tree.pixelCount());
        unit_ = weights_->differenceOf(UInt128{1} << shift_);
    }

    /// Value of a unit of mass.
    [[nodiscard]] double unit() const noexcept { return unit_; }
    [[nodiscard]] SpectrumShare of(std::size_t node) const noexcept {
        const std::uint64_t own = height(tree_.level[node]);
        const std::uint64_t parent = height(tree_.level[tree_.parent[node]]);
        return {(own > parent ? own - parent : parent - own) * areas_[node], 1};
    }

private:
    [[nodiscard]] std::uint64_t height(std::uint16_t level) const noexcept {
        return weights_ ? weights_->of(level) >> shift_ : level;
    }

    const ComponentTree& tree_;
    const Buffer<std::uint32_t>& areas_;
    std::optional<GreyWeights> weights_; ///< of ranks
    int shift_ = 0;
    double unit_ = 1;
};

std::uint64_t totalMass(const std::vector<SpectrumShare>& sums) {
    std::uint64_t total = 0;
    for (const SpectrumShare& share : sums) {
        total += share.mass;
    }
    return total;
}

Bins binsOf(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    const ColumnRange range = columnRange(column, kFirstNode, spec.scale == BinScale::log, control);
    return makeBins(spec, range.minimum, range.maximum, isIntegral(column));
}

} // namespace

PatternSpectrum patternSpectrum(const ComponentTree& tree, const AttributeColumn& area, const AttributeColumn& column,
                                const BinSpec& spec, const JobControl& control,
                                const std::optional<ValueMapping>& mapping) {
    const GreyMasses masses(tree, areasOf(tree, area), mapping);
    requireColumn(tree, column);
    Bins made = binsOf(column, spec, control);
    const SpectrumLayout layout(made);
    std::vector<SpectrumShare> sums = std::visit(
        [&](const auto& values) {
            return sumInBins<SpectrumShare>(layout.size(), kFirstNode, values.size(), control,
                                            [&](std::vector<SpectrumShare>& part, std::size_t begin, std::size_t end) {
                                                for (std::size_t i = begin; i != end; ++i) {
                                                    part[layout.place(static_cast<double>(values[i]))] += masses.of(i);
                                                }
                                            });
        },
        column.values);
    PatternSpectrum spectrum = spectrumOf(column.id, tree.level[0], std::move(made), std::move(sums));
    spectrum.massUnit = masses.unit();
    return spectrum;
}

PatternSpectrum2d patternSpectrum2d(const ComponentTree& tree, const AttributeColumn& area,
                                    const AttributeColumn& columnX, const BinSpec& specX,
                                    const AttributeColumn& columnY, const BinSpec& specY, const JobControl& control,
                                    const std::optional<ValueMapping>& mapping) {
    const GreyMasses masses(tree, areasOf(tree, area), mapping);
    requireColumn(tree, columnX);
    requireColumn(tree, columnY);
    Bins x = binsOf(columnX, specX, control);
    Bins y = binsOf(columnY, specY, control);
    requireFewBins(x, y);
    const SpectrumLayout layout(x, y);
    std::vector<SpectrumShare> sums = std::visit(
        [&](const auto& valuesX, const auto& valuesY) {
            return sumInBins<SpectrumShare>(
                layout.size(), kFirstNode, valuesX.size(), control,
                [&](std::vector<SpectrumShare>& part, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i != end; ++i) {
                        part[layout.place(static_cast<double>(valuesX[i]), static_cast<double>(valuesY[i]))] +=
                            masses.of(i);
                    }
                });
        },
        columnX.values, columnY.values);
    PatternSpectrum2d spectrum =
        spectrumOf(columnX.id, columnY.id, tree.level[0], std::move(x), std::move(y), std::move(sums));
    spectrum.massUnit = masses.unit();
    return spectrum;
}

void requireFewBins(const Bins& x, const Bins& y) {
    constexpr std::size_t kMost = std::size_t{BinSpec::kMaxBins} * BinSpec::kMaxBins / 4;
    if (x.count() * y.count() > kMost) {
        throw Error(ErrorCode::invalidArgument, "pattern spectrum: " + std::to_string(x.count()) + " x " +
                                                    std::to_string(y.count()) + " bins are more than " +
                                                    std::to_string(kMost));
    }
}

PatternSpectrum spectrumOf(AttributeId attribute, std::uint16_t rootLevel, Bins bins, std::vector<SpectrumShare> sums) {
    PatternSpectrum spectrum;
    spectrum.attribute = attribute;
    spectrum.rootLevel = rootLevel;
    const std::size_t count = bins.count();
    spectrum.bins = std::move(bins);
    spectrum.total = totalMass(sums);
    spectrum.below = sums[count];
    spectrum.above = sums[count + 1];
    spectrum.nan = sums[count + 2];
    sums.resize(count);
    spectrum.shares = std::move(sums);
    return spectrum;
}

PatternSpectrum2d spectrumOf(AttributeId attributeX, AttributeId attributeY, std::uint16_t rootLevel, Bins x, Bins y,
                             std::vector<SpectrumShare> sums) {
    PatternSpectrum2d spectrum;
    spectrum.attributeX = attributeX;
    spectrum.attributeY = attributeY;
    spectrum.rootLevel = rootLevel;
    spectrum.x = std::move(x);
    spectrum.y = std::move(y);
    spectrum.total = totalMass(sums);
    spectrum.outside = sums.back();
    sums.pop_back();
    spectrum.shares = std::move(sums);
    return spectrum;
}

std::vector<GranulometryPoint> granulometry(const PatternSpectrum& spectrum) {
    std::vector<GranulometryPoint> curve;
    curve.reserve(spectrum.bins.edges.size());
    std::uint64_t removed = spectrum.below.mass;
    for (std::size_t i = 0; i < spectrum.bins.edges.size(); ++i) {
        if (i > 0) {
            removed += spectrum.shares[i - 1].mass;
        }
        const double share =
            spectrum.total == 0 ? 0 : static_cast<double>(removed) / static_cast<double>(spectrum.total);
        curve.push_back({spectrum.bins.edges[i], removed, share});
    }
    return curve;
}

} // namespace pollard
