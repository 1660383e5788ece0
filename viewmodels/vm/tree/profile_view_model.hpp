#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/tree/analysis.hpp"
#include "vm/tree/profile_thumbnails.hpp"

#include "attributes/attribute.hpp"

#include <QString>

#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The attribute profile of the criterion that is edited, as small pictures: one for each of a list of thresholds, by
/// the rule of the filter. A picture that a person picks becomes the criterion.
///
/// The thresholds are a person's own, or follow the spectrum: those that remove 0.5, 2, 6, 15 and 40 % of the grey
/// mass. Nothing is computed while nobody looks (setActive()); what is, on a thread of its own.
class ProfileViewModel : public Analysis {
    Q_OBJECT

public:
    enum class State { empty, computing, ready, failed };

    static constexpr std::size_t kMostThresholds = 24;
    static constexpr std::uint32_t kThumbnailSide = 256; ///< px; shown in half of it, or in full on fine screens

    /// @param document,filter must outlive this
    ProfileViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] bool rests() const override { return state_ != State::computing; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] bool isDifferential() const noexcept { return differential_; }
    [[nodiscard]] bool followsSpectrum() const noexcept { return followsSpectrum_; }
    [[nodiscard]] const std::vector<double>& thresholds() const noexcept { return thresholds_; }
    [[nodiscard]] QString thresholdsText() const; ///< "10, 100, 1000"

    /// The original in small; null if there is nothing.
    [[nodiscard]] std::shared_ptr<const Image> original() const noexcept { return shown_.original; }
    [[nodiscard]] const std::vector<ProfileThumbnail>& thumbnails() const noexcept { return shown_.thumbnails; }
    /// Whether the pictures that are shown are differences.
    [[nodiscard]] bool showsDifferences() const noexcept { return shown_.differential; }
    [[nodiscard]] QString titleOf(int number) const;       ///< "area ≥ 100 px"
    [[nodiscard]] QString descriptionOf(int number) const; ///< "keeps 1,234 of 5,678 nodes"
    /// Number of the picture whose threshold is the criterion's; -1 if there is none.
    [[nodiscard]] int current() const;

public slots:
    /// Reads numbers between commas, semicolons or blanks, in any order. @returns what is wrong; empty if nothing is
    QString setThresholdsText(const QString& text);
    /// Lets the thresholds follow the spectrum again.
    void followSpectrum();
    void setDifferential(bool differential);
    /// Makes a picture's threshold the criterion; -1 keeps every component.
    void select(int number);

signals:
    void thresholdsChanged();
    void differentialChanged();
    void currentChanged(); ///< perhaps

private:
    void onActive() override {
        if (isActive()) {
            update();
        }
    }
    struct Made {
        AttributeId attribute = AttributeId::area;
        std::uint64_t nodes = 0;
        bool differential = false;
        std::shared_ptr<const Image> original;
        std::vector<ProfileThumbnail> thumbnails;
    };
    void update();
    void post();
    void show(State state, Made made);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    State state_ = State::empty;
    QString problem_;
    std::vector<double> thresholds_;
    bool followsSpectrum_ = true;
    bool differential_ = false;
    bool waiting_ = false; ///< for columns of the document
    Made shown_;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
