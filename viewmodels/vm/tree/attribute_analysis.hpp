#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"

#include "analysis/spectrum.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pollard::vm {

class FilterViewModel;

/// An analysis of the present tree by the areas of its components and another attribute. Attributes come from the
/// document; the result is computed on a thread of this object from constant data, so that a filter being dragged does
/// not wait.
template <class Result> class AttributeAnalysis : public Analysis {
public:
    using State = AsyncState;

    [[nodiscard]] State state() const noexcept { return result_.state(); }
    [[nodiscard]] bool isIdle() const override { return state() != State::computing; }
    [[nodiscard]] QString problem() const { return result_.problem(); }

protected:
    using Column = std::shared_ptr<const AttributeColumn>;

    /// @param document must outlive this
    AttributeAnalysis(DocumentViewModel& document, QObject* parent) : Analysis(parent), document_(document) {
        connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
            result_.clear(); // the displayed one is of another tree
            update();
        });
        connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
            if (result_.awaitsInput() && (id == measured() || id == AttributeId::area)) {
                post();
            }
        });
    }

    /// Computes the result again.
    void update() {
        result_.stop();
        if (!isActive()) {
            return;
        }
        if (!document_.tree()) {
            result_.clear();
            return;
        }
        result_.begin(canStay() ? result_.value() : nullptr);
        post();
    }

    DocumentViewModel& document_;
    AsyncResult<Result> result_{[this] { onResult(); }};

private:
    /// The other attribute.
    [[nodiscard]] virtual AttributeId measured() const = 0;
    /// Whether the present result may be displayed until the next one is there.
    [[nodiscard]] virtual bool canStay() const = 0;
    virtual void compute(const Column& area, const Column& column) = 0;
    virtual void onResult() { emit changed(); }

    void onActive() override {
        if (isActive()) {
            update();
        }
    }
    void post() {
        const Column area = document_.attribute(AttributeId::area);
        const Column column = document_.attribute(measured());
        if (area && column) {
            compute(area, column);
        } else {
            document_.requestAttribute(column ? AttributeId::area : measured());
        }
    }
};

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

/// A small image of the components above a threshold, or of the components removed by the step to it.
struct ProfileThumbnail {
    double threshold = 0;
    std::uint64_t keptNodes = 0;
    std::shared_ptr<const Image> image; ///< grey levels of the image; differences for a differential profile
};

/// Input of thumbnails; constant while they are made.
struct ProfileSource {
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const Image> image;            ///< as displayed
    std::shared_ptr<const Mask> inside;            ///< pixels of the tree; null for all
    std::shared_ptr<const AttributeColumn> column; ///< attribute of the thresholds
    std::size_t firstPixel = 0; ///< of the tree, for the first pixel of the image: of the seen slice of a volume
};

/// Thresholds that remove approximately these shares (0..1, ascending) of a spectrum's grey mass: edges of its bins,
/// rounded up to integers or to four digits. Strictly ascending, so there may be fewer thresholds than shares.
[[nodiscard]] std::vector<double> thresholdsAtShares(const PatternSpectrum& spectrum, std::span<const double> shares);

/// Small images of the filters attribute >= threshold, of at most @p longestSide px. Each pixel is the mean of a few
/// source pixels, so that the cost depends on the nodes and not on the size of the image.
/// @param thresholds strictly ascending
/// @param differential each image is the difference from the one before it, the first from the original
/// @throws Error(invalidArgument) if the column is not of the tree, Cancelled
[[nodiscard]] std::vector<ProfileThumbnail> makeProfileThumbnails(const ProfileSource& source,
                                                                  std::span<const double> thresholds, Rule rule,
                                                                  bool differential, std::uint32_t longestSide,
                                                                  const JobControl& control = {});

/// The original at the same size.
[[nodiscard]] std::shared_ptr<const Image> makeThumbnail(const Image& image, std::uint32_t longestSide);

/// Images of a profile.
struct ProfileImages {
    AttributeId attribute = AttributeId::area;
    std::uint64_t nodes = 0;
    bool differential = false;
    std::vector<double> thresholds;
    std::shared_ptr<const Image> original;
    std::vector<ProfileThumbnail> thumbnails;
};

/// The attribute profile of the edited criterion as small images, one per threshold, by the rule of the filter.
/// Selecting an image sets the criterion.
///
/// The thresholds are set by the user, or follow the spectrum: thresholds that remove 0.5, 2, 6, 15 and 40 % of the
/// grey mass. Computed only while setActive(), on another thread.
class ProfileViewModel : public AttributeAnalysis<ProfileImages> {
    Q_OBJECT

public:
    static constexpr std::size_t kMostThresholds = 24;
    static constexpr std::uint32_t kThumbnailSide = 256; ///< px; displayed at half or, on fine screens, full size

    /// @param document,filter must outlive this
    ProfileViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] bool isDifferential() const noexcept { return differential_; }
    [[nodiscard]] bool followsSpectrum() const noexcept { return followsSpectrum_; }
    [[nodiscard]] const std::vector<double>& thresholds() const noexcept { return thresholds_; }
    [[nodiscard]] QString thresholdsText() const; ///< "10, 100, 1000"

    /// The original as a thumbnail; null if there is none.
    [[nodiscard]] std::shared_ptr<const Image> original() const noexcept { return shown().original; }
    [[nodiscard]] const std::vector<ProfileThumbnail>& thumbnails() const noexcept { return shown().thumbnails; }
    /// Whether the displayed images are differences.
    [[nodiscard]] bool showsDifferences() const noexcept { return shown().differential; }
    [[nodiscard]] QString titleOf(int number) const;       ///< "area ≥ 100 px"
    [[nodiscard]] QString descriptionOf(int number) const; ///< "keeps 1,234 of 5,678 nodes"
    /// Index of the image with the criterion's threshold; -1 if there is none.
    [[nodiscard]] int current() const;

public slots:
    /// Parses numbers separated by commas, semicolons or spaces, in any order. @returns the error; empty after success
    QString setThresholdsText(const QString& text);
    /// Thresholds follow the spectrum again.
    void followSpectrum() {
        change(this, followsSpectrum_, true, &ProfileViewModel::thresholdsChanged, &ProfileViewModel::update);
    }
    void setDifferential(bool differential) {
        change(this, differential_, differential, &ProfileViewModel::differentialChanged, &ProfileViewModel::update);
    }
    /// Makes an image's threshold the criterion; -1 keeps every component.
    void select(int number);

signals:
    void thresholdsChanged();
    void differentialChanged();
    void currentChanged(); ///< possibly

private:
    [[nodiscard]] AttributeId measured() const override;
    [[nodiscard]] bool canStay() const override { return shown().attribute == measured(); }
    void compute(const Column& area, const Column& column) override;
    void onResult() override;
    [[nodiscard]] const ProfileImages& shown() const noexcept { return result_.value() ? *result_.value() : none_; }

    FilterViewModel& filter_;
    std::vector<double> thresholds_;
    bool followsSpectrum_ = true;
    bool differential_ = false;
    const ProfileImages none_;
};

} // namespace pollard::vm
