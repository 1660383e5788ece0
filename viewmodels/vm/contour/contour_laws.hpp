#pragma once

#include "vm/base/async_result.hpp"
#include "vm/contour/contour_run.hpp"

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/snake_spec.hpp"

#include <QList>
#include <QObject>
#include <QPolygonF>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ContourViewModel;

/// The contours that a law of the levels finds.
struct LawContours {
    ContourRun run; ///< finished
    double energy = 0;
    std::uint64_t pixels = 0;  ///< inside of all contours
    QList<QPolygonF> outlines; ///< in LawComparison::part, whose sides are 1
};

/// What the laws of the levels find from the same starts.
struct LawComparison {
    RegionLaw chosen = RegionLaw::gaussian; ///< chosenLaw()
    PixelRegion part;                       ///< of the image, around the contours
    std::shared_ptr<const Image> image;     ///< the part, reduced to ContourLaws::kSide px
    std::vector<LawContours> laws;          ///< in the order of kRegionLaws; without laws that find no end

    [[nodiscard]] const LawContours* find(RegionLaw law) const noexcept;
};

/// Compares the current run, once it has ended, with the contours that the other laws find from its starts. These are
/// evolved on another thread; another start, run or page ends that.
class ContourLaws : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kSide = 96; ///< px; longest side of the image
    /// Limit on the recorded states of a law, bytes; beyond it the law has no result.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

    /// @param contours must outlive this
    explicit ContourLaws(ContourViewModel& contours, QObject* parent = nullptr);

    [[nodiscard]] AsyncState state() const noexcept { return comparison_.state(); }
    [[nodiscard]] const QString& problem() const noexcept { return comparison_.problem(); } ///< of AsyncState::failed
    [[nodiscard]] std::shared_ptr<const LawComparison> comparison() const noexcept { return comparison_.value(); }
    /// The law of the current run.
    [[nodiscard]] std::optional<RegionLaw> current() const;

public slots:
    /// Makes the contours of a law the current run; a run that has them already becomes the current one. New contours
    /// take the law, too, unless it is the chosen one.
    void take(pollard::RegionLaw law);

signals:
    void changed();

private:
    /// Input of a comparison: the starts, and all parameters but the law.
    struct Input {
        SnakeSpec spec;
        ContourEngine engine;
        std::shared_ptr<const Mask> forbidden;
        std::vector<Contour> starts;

        bool operator==(const Input&) const = default;
    };
    [[nodiscard]] static Input inputOf(const ContourRun& run);
    void forget();
    void onImage();
    void update();

    ContourViewModel& contours_;
    int serial_ = 0; ///< of the run that is compared; 0: none
    std::optional<Input> input_;
    AsyncResult<LawComparison> comparison_{[this] { emit changed(); }}; ///< last: its job ends before other members
};

} // namespace pollard::vm
