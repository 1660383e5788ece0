#pragma once

#include "vm/base/change.hpp"
#include "vm/tree/attribute_analysis.hpp"

#include "analysis/spectrum.hpp"
#include "attributes/attribute.hpp"

#include <QString>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

class FilterViewModel;

/// The pattern spectrum of the present tree and its granulometry curve, for the attribute of the edited criterion or
/// another one. Selecting bins sets the criterion.
///
/// Computed only while setActive().
class SpectrumViewModel : public AttributeAnalysis<PatternSpectrum> {
    Q_OBJECT

public:
    static constexpr int kFewestBins = 4;
    static constexpr int kMostBins = 200;

    /// @param document,filter must outlive this
    SpectrumViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Logarithmic bins; else bins of equal width. Attributes that can be negative have no logarithm.
    [[nodiscard]] bool isLogarithmic() const noexcept { return logarithmic_; }
    [[nodiscard]] int binCount() const noexcept { return binCount_; }

    /// The displayed spectrum; null if there is none.
    [[nodiscard]] std::shared_ptr<const PatternSpectrum> spectrum() const noexcept { return result_.value(); }
    /// The image has one level: the spectrum is empty.
    [[nodiscard]] bool isFlat() const noexcept { return spectrum() && spectrum()->total == 0; }
    [[nodiscard]] int bins() const noexcept { return spectrum() ? static_cast<int>(spectrum()->bins.count()) : 0; }
    /// The value of the image at an edge, and the inverse.
    [[nodiscard]] double valueAt(double edge) const;
    [[nodiscard]] std::string unit() const; ///< of the values
    [[nodiscard]] double edgeAt(double value) const;
    [[nodiscard]] double edge(int number) const { return spectrum()->bins.edges[static_cast<std::size_t>(number)]; }
    /// Share of the grey mass in a bin, 0..1.
    [[nodiscard]] double share(int bin) const;
    [[nodiscard]] double largestShare() const;
    /// (threshold, share of the grey mass below it 0..1), one per edge.
    [[nodiscard]] std::vector<GranulometryPoint> curve() const;

    /// One line for the user: "32 <= area < 64 px: 12.3 % of the grey mass, 1,234 nodes; 45 % below 64".
    [[nodiscard]] QString readout(int bin) const;
    /// Nodes without a bin: "3 nodes of value 0 or less (1.2 %) have no bin"; empty if there are none.
    [[nodiscard]] QString leftOutText() const;

public slots:
    void setAttribute(pollard::AttributeId id) {
        change(this, attribute_, id, &SpectrumViewModel::attributeChanged, &SpectrumViewModel::update);
    }
    void setLogarithmic(bool logarithmic) {
        change(this, logarithmic_, logarithmic, &SpectrumViewModel::binsChanged, &SpectrumViewModel::update);
    }
    void setBinCount(int count) {
        change(this, binCount_, std::clamp(count, kFewestBins, kMostBins), &SpectrumViewModel::binsChanged,
               &SpectrumViewModel::update);
    }
    /// Makes the bins first..last, in either order, the criterion: exactly the values counted in them. Does nothing if
    /// they contain no possible value, as between two integers.
    void select(int first, int last);

signals:
    void attributeChanged();
    void binsChanged();

private:
    [[nodiscard]] AttributeId measured() const override { return attribute_; }
    [[nodiscard]] bool canStay() const override { return spectrum() && spectrum()->attribute == attribute_; }
    void compute(const Column& area, const Column& column) override;

    FilterViewModel& filter_;
    AttributeId attribute_ = AttributeId::area;
    bool logarithmic_ = true;
    int binCount_ = 32;
};

} // namespace pollard::vm
