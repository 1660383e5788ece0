#include "analysis/spectrum.hpp"

#include "analysis/bin_sums.hpp"
#include "analysis/column_range.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace pollard {

namespace {

/// The root is no component of the spectrum.
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

SpectrumShare shareOf(const ComponentTree& tree, const Buffer<std::uint32_t>& areas, std::size_t node) {
    const int contrast = std::abs(int{tree.level[node]} - int{tree.level[tree.parent[node]]});
    return {static_cast<std::uint64_t>(contrast) * areas[node], 1};
}

Bins binsOf(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    const ColumnRange range = columnRange(column, kFirstNode, spec.scale == BinScale::log, control);
    return makeBins(spec, range.minimum, range.maximum, attributeInfo(column.id).integral);
}

} // namespace

PatternSpectrum patternSpectrum(const ComponentTree& tree, const AttributeColumn& area, const AttributeColumn& column,
                                const BinSpec& spec, const JobControl& control) {
    const Buffer<std::uint32_t>& areas = areasOf(tree, area);
    requireColumn(tree, column);
    PatternSpectrum spectrum;
    spectrum.attribute = column.id;
    spectrum.rootLevel = tree.level[0];
    spectrum.bins = binsOf(column, spec, control);
    const BinFinder find(spectrum.bins);
    const std::size_t bins = spectrum.bins.count();
    // Three further sums for what is in no bin.
    const std::vector<SpectrumShare> sums = std::visit(
        [&](const auto& values) {
            return sumInBins<SpectrumShare>(
                bins + 3, kFirstNode, values.size(), control,
                [&](std::vector<SpectrumShare>& part, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i != end; ++i) {
                        const std::uint32_t bin = find(static_cast<double>(values[i]));
                        const std::size_t apart = bin == kBelowBins ? bins : bin == kAboveBins ? bins + 1 : bins + 2;
                        part[bin < bins ? bin : apart] += shareOf(tree, areas, i);
                    }
                });
        },
        column.values);
    for (const SpectrumShare& share : sums) {
        spectrum.total += share.mass;
    }
    spectrum.shares.assign(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(bins));
    spectrum.below = sums[bins];
    spectrum.above = sums[bins + 1];
    spectrum.nan = sums[bins + 2];
    return spectrum;
}

PatternSpectrum2d patternSpectrum2d(const ComponentTree& tree, const AttributeColumn& area,
                                    const AttributeColumn& columnX, const BinSpec& specX,
                                    const AttributeColumn& columnY, const BinSpec& specY, const JobControl& control) {
    constexpr std::size_t kMost = std::size_t{BinSpec::kMaxBins} * BinSpec::kMaxBins / 4;
    const Buffer<std::uint32_t>& areas = areasOf(tree, area);
    requireColumn(tree, columnX);
    requireColumn(tree, columnY);
    PatternSpectrum2d spectrum;
    spectrum.attributeX = columnX.id;
    spectrum.attributeY = columnY.id;
    spectrum.rootLevel = tree.level[0];
    spectrum.x = binsOf(columnX, specX, control);
    spectrum.y = binsOf(columnY, specY, control);
    const std::size_t binsX = spectrum.x.count();
    const std::size_t bins = binsX * spectrum.y.count();
    if (bins > kMost) {
        throw Error(ErrorCode::invalidArgument, "pattern spectrum: " + std::to_string(binsX) + " x " +
                                                    std::to_string(spectrum.y.count()) + " bins are more than " +
                                                    std::to_string(kMost));
    }
    const BinFinder findX(spectrum.x);
    const BinFinder findY(spectrum.y);
    std::vector<SpectrumShare> sums = std::visit(
        [&](const auto& valuesX, const auto& valuesY) {
            return sumInBins<SpectrumShare>(bins + 1, kFirstNode, valuesX.size(), control,
                                            [&](std::vector<SpectrumShare>& part, std::size_t begin, std::size_t end) {
                                                for (std::size_t i = begin; i != end; ++i) {
                                                    const std::uint32_t x = findX(static_cast<double>(valuesX[i]));
                                                    const std::uint32_t y = findY(static_cast<double>(valuesY[i]));
                                                    const bool inside = x < binsX && y < spectrum.y.count();
                                                    part[inside ? y * binsX + x : bins] += shareOf(tree, areas, i);
                                                }
                                            });
        },
        columnX.values, columnY.values);
    for (const SpectrumShare& share : sums) {
        spectrum.total += share.mass;
    }
    spectrum.outside = sums[bins];
    sums.resize(bins);
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
