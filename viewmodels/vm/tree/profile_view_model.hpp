#pragma once

#include "vm/base/change.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "vm/tree/profile_thumbnails.hpp"

#include "attributes/attribute.hpp"

#include <QString>

#include <memory>
#include <vector>

namespace pollard::vm {

class FilterViewModel;

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
/// The thresholds are set by the user, or follow the spectrum: those that remove 0.5, 2, 6, 15 and 40 % of the grey
/// mass. Computed only while setActive(), on another thread.
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
