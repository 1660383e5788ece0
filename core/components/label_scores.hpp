#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// The outcome of a comparison for an object of the result or of the truth, see LabelScores.
enum class ObjectOutcome : std::uint8_t {
    matched,  ///< has a partner
    missed,   ///< of the truth: no object of the result shows it
    invented, ///< of the result: it shows no object of the truth
    split,    ///< of the truth: two or more objects of the result lie in it; of the result: one of these
    merged,   ///< of the result: it covers two or more objects of the truth; of the truth: one of these
};
/// "matched", "missed", "invented", "split", "merged".
[[nodiscard]] std::string_view nameOf(ObjectOutcome outcome) noexcept;

/// An object of a label image beside the other label image.
struct ScoredObject {
    std::uint32_t label = 0;
    std::uint64_t pixels = 0;
    ObjectOutcome outcome = ObjectOutcome::missed;
    std::uint32_t partner =
        0;              ///< label of the object that it matches; else of the one with the largest overlap, 0: none
    double overlap = 0; ///< intersection over union with the partner

    bool operator==(const ScoredObject&) const = default;
};

/// Counts of objects for one smallest overlap of partners, and what follows from them. A share of nothing is 1.
struct MatchScore {
    double threshold = 0.5; ///< smallest intersection over union of partners
    std::size_t matched = 0;
    std::size_t found = 0; ///< objects of the result
    std::size_t truth = 0;
    double sumOfOverlaps = 0; ///< of all partners

    [[nodiscard]] double precision() const noexcept; ///< matched / found
    [[nodiscard]] double recall() const noexcept;    ///< matched / truth
    [[nodiscard]] double f1() const noexcept;        ///< 2 matched / (found + truth)
    /// matched / (found + truth - matched): "average precision" of Cellpose and of the Data Science Bowl 2018,
    /// "accuracy" of StarDist.
    [[nodiscard]] double accuracy() const noexcept;
    /// Mean overlap of partners, 0 without partners.
    [[nodiscard]] double meanOverlap() const noexcept;
    /// f1() * meanOverlap() (Kirillov, He, Girshick, Rother, Dollár, "Panoptic segmentation", 2019).
    [[nodiscard]] double panopticQuality() const noexcept;
    /// Counts of several images as one.
    MatchScore& operator+=(const MatchScore& other) noexcept;
};

/// Pixels in objects, whatever their numbers.
struct ForegroundScore {
    std::uint64_t both = 0; ///< pixels in an object of the result and of the truth
    std::uint64_t found = 0;
    std::uint64_t truth = 0;

    [[nodiscard]] double iou() const noexcept;
    [[nodiscard]] double dice() const noexcept;
    ForegroundScore& operator+=(const ForegroundScore& other) noexcept;
};

/// Distances between the boundaries of the foregrounds of result and truth. A pixel of the foreground is on the
/// boundary if a neighbour by a side is background or outside of the image.
struct BoundaryDistances {
    double hausdorff = 0;   ///< largest distance from a boundary pixel of one to the nearest of the other
    double hausdorff95 = 0; ///< the larger of both 95th percentiles
    double mean = 0;        ///< over the boundary pixels of both
};

/// A label image beside the true one.
///
/// Objects of both are partners by the assignment with the most pairs of at least the threshold (intersection over
/// union), among these with the largest sum of overlaps, as StarDist and Cellpose match. An object without a partner
/// at the first threshold: of the truth, it is split if two or more objects of the result have most of their pixels in
/// it; else merged if one object covers most of two or more objects of the truth, this one included; else missed. Of
/// the result, it is merged if it covers more than half of two or more objects of the truth; else split if it has most
/// of its pixels in a split object; else invented. (Coelho, Shariff, Murphy, "Nuclear segmentation in microscope cell
/// images", 2009, with majorities instead of largest shares.)
class LabelScores {
public:
    static constexpr double kUsualThreshold = 0.5;

    /// @param result labels in raster order, 0: background. Pixels of a label need not be connected.
    /// @param truth as the result
    /// @param thresholds above 0, at most 1; not empty. The first one decides about partners and outcomes.
    /// @throws Error(invalidArgument) for different sizes or another threshold, Error(outOfMemory); Cancelled
    LabelScores(std::span<const std::uint32_t> result, std::span<const std::uint32_t> truth,
                std::span<const double> thresholds, const JobControl& control = {});

    [[nodiscard]] const std::vector<MatchScore>& matches() const noexcept { return matches_; } ///< per threshold
    [[nodiscard]] const ForegroundScore& foreground() const noexcept { return foreground_; }
    /// Ascending labels.
    [[nodiscard]] const std::vector<ScoredObject>& found() const noexcept { return found_; }
    [[nodiscard]] const std::vector<ScoredObject>& truth() const noexcept { return truth_; }

private:
    std::vector<MatchScore> matches_;
    ForegroundScore foreground_;
    std::vector<ScoredObject> found_;
    std::vector<ScoredObject> truth_;
};

/// Mean of accuracy() over the thresholds.
[[nodiscard]] double meanAccuracy(std::span<const MatchScore> matches) noexcept;

/// Scores of one image, or of several together.
struct ScoreTotals {
    std::uint64_t pixels = 0;        ///< that were compared
    std::vector<MatchScore> matches; ///< per threshold; empty before add()
    ForegroundScore foreground;
    std::array<std::size_t, 5> outcomes{}; ///< per ObjectOutcome objects of the truth; of the result if invented

    /// Adds an image. @param scores with the thresholds of the others
    void add(const LabelScores& scores, std::uint64_t compared);
    ScoreTotals& operator+=(const ScoreTotals& other);
    [[nodiscard]] std::size_t number(ObjectOutcome outcome) const noexcept {
        return outcomes[static_cast<std::size_t>(outcome)];
    }
};
/// .5, .55 .. .95.
[[nodiscard]] std::vector<double> usualThresholds();

/// @param sides of a pixel, in any unit; distances are in this unit
/// @return nothing if result or truth has no foreground
/// @throws Error(invalidArgument) for labels of another size; as distances(); Cancelled
[[nodiscard]] std::optional<BoundaryDistances> boundaryDistances(std::span<const std::uint32_t> result,
                                                                 std::span<const std::uint32_t> truth,
                                                                 const Extent& extent, const VoxelSides& sides,
                                                                 const JobControl& control = {});

/// Paints the outcomes: 0 background of both, else 1 + the outcome of the object of the truth, or of the result where
/// the truth is background (1 matched, 2 missed, 3 invented, 4 split, 5 merged).
/// @throws Error(invalidArgument) for labels of another size; Cancelled
[[nodiscard]] Image outcomeImage(const LabelScores& scores, std::span<const std::uint32_t> result,
                                 std::span<const std::uint32_t> truth, const Extent& extent,
                                 const JobControl& control = {});

} // namespace pollard
