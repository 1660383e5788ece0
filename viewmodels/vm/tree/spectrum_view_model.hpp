#pragma once

#include "vm/base/analysis.hpp"
#include "vm/base/async_result.hpp"

#include "analysis/spectrum.hpp"
#include "attributes/attribute.hpp"

#include <QString>

#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The pattern spectrum of the present tree and its granulometry curve, for the attribute of the edited criterion or
/// another one. Selecting bins sets the criterion.
///
/// Computed only while setActive(). Attributes come from the document; the sums are made on a thread of this object
/// from constant data, so that a filter being dragged does not wait.
class SpectrumViewModel : public Analysis {
    Q_OBJECT

public:
    using State = AsyncState;

    static constexpr int kFewestBins = 4;
    static constexpr int kMostBins = 200;

    /// @param document,filter must outlive this
    SpectrumViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return result_.state(); }
    [[nodiscard]] bool rests() const override { return state() != State::computing; }
    [[nodiscard]] QString problem() const { return result_.problem(); }
    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Logarithmic bins; else bins of equal width. Attributes that can be negative have no logarithm.
    [[nodiscard]] bool isLogarithmic() const noexcept { return logarithmic_; }
    [[nodiscard]] int binCount() const noexcept { return binCount_; }

    /// The displayed spectrum; null if there is none.
    [[nodiscard]] std::shared_ptr<const PatternSpectrum> spectrum() const noexcept { return result_.value(); }
    /// The picture has one level: the spectrum is empty.
    [[nodiscard]] bool isFlat() const noexcept { return spectrum() && spectrum()->total == 0; }
    [[nodiscard]] int bins() const noexcept { return spectrum() ? static_cast<int>(spectrum()->bins.count()) : 0; }
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
    void setAttribute(pollard::AttributeId id);
    void setLogarithmic(bool logarithmic);
    void setBinCount(int count);
    /// Makes the bins first..last, in either order, the criterion: exactly the values counted in them. Does nothing if
    /// they contain no possible value, as between two integers.
    void select(int first, int last);

signals:
    void attributeChanged();
    void binsChanged();

private:
    void onActive() override {
        if (isActive()) {
            update();
        }
    }
    void update();
    void post();

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    AttributeId attribute_ = AttributeId::area;
    bool logarithmic_ = true;
    int binCount_ = 32;
    AsyncResult<PatternSpectrum> result_{[this] { emit changed(); }};
};

} // namespace pollard::vm
