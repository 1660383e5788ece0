#include "components/label_scores.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "image/distance_transform.hpp"
#include "image/mask.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace pollard {
namespace {

constexpr std::size_t kPixelsPerTask = 1U << 20;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

double share(double part, double whole) noexcept { return whole == 0 ? 1 : part / whole; }

/// Pixels with one label in the result and one in the truth.
struct Common {
    std::uint32_t found = 0;
    std::uint32_t truth = 0;
    std::uint64_t pixels = 0;

    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> labels() const noexcept { return {found, truth}; }
};

/// Adds up entries of equal labels.
void reduce(std::vector<Common>& counts) {
    tbb::parallel_sort(counts, [](const Common& a, const Common& b) { return a.labels() < b.labels(); });
    std::size_t kept = 0;
    for (const Common& each : counts) {
        if (kept != 0 && counts[kept - 1].labels() == each.labels()) {
            counts[kept - 1].pixels += each.pixels;
        } else {
            counts[kept++] = each;
        }
    }
    counts.resize(kept);
}

/// The pairs of labels of all pixels, ascending.
std::vector<Common> commonPixels(std::span<const std::uint32_t> result, std::span<const std::uint32_t> truth,
                                 const JobControl& control) {
    std::vector<Common> all;
    const auto countRuns = [&](std::uint64_t task) {
        const std::size_t end = std::min(result.size(), (task + 1) * kPixelsPerTask);
        std::vector<Common> counts;
        for (std::size_t i = task * kPixelsPerTask; i != end;) {
            const std::size_t first = i++;
            while (i != end && result[i] == result[first] && truth[i] == truth[first]) {
                ++i;
            }
            counts.push_back({result[first], truth[first], i - first});
        }
        reduce(counts);
        return counts;
    };
    makeInOrder<std::vector<Common>>(
        (result.size() + kPixelsPerTask - 1) / kPixelsPerTask, control, countRuns,
        [&](const std::vector<Common>& counts) { all.insert(all.end(), counts.begin(), counts.end()); });
    reduce(all);
    return all;
}

/// The objects of one side, with the sums of their pixels.
std::vector<ScoredObject> objectsIn(std::vector<Common> counts, std::uint32_t Common::*label) {
    std::erase_if(counts, [&](const Common& each) { return each.*label == 0; });
    std::ranges::sort(counts, {}, label);
    std::vector<ScoredObject> objects;
    for (const Common& each : counts) {
        if (objects.empty() || objects.back().label != each.*label) {
            objects.push_back({.label = each.*label});
        }
        objects.back().pixels += each.pixels;
    }
    return objects;
}

std::uint32_t indexOf(const std::vector<ScoredObject>& objects, std::uint32_t label) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(objects, label, {}, &ScoredObject::label) -
                                      objects.begin());
}

/// Two objects with common pixels, as indices.
struct Pair {
    std::uint32_t found = 0;
    std::uint32_t truth = 0;
    std::uint64_t pixels = 0;
    double overlap = 0; ///< intersection over union
};

/// The assignment with the most pairs, among these with the largest sum of overlaps: each round adds the pair that
/// changes the sum most, along the shortest path of exchanges (Bellman and Ford).
class Assignment {
    static constexpr double kFar = std::numeric_limits<double>::infinity();
    static constexpr double kLeastGain = 1e-12; ///< smaller ones are rounding errors

public:
    /// @param pairs that may be partners, by their objects of the result
    Assignment(std::size_t found, std::size_t truth, std::vector<Pair> pairs, const JobControl& control)
        : pairs_(std::move(pairs)), first_(found + 1, 0), pairOfFound_(found, kNone), pairOfTruth_(truth, kNone),
          isDone_(found, false), lossOf_(found), lossAt_(truth), cameBy_(truth) {
        for (const Pair& pair : pairs_) {
            ++first_[pair.found + 1];
        }
        for (std::size_t i = 0; i != found; ++i) {
            first_[i + 1] += first_[i];
        }
        matchUniquePairs(truth);
        for (std::uint32_t start = 0; start != found; ++start) {
            if (pairOfFound_[start] == kNone && !isDone_[start] && first_[start] != first_[start + 1]) {
                gatherFrom(start);
                do {
                    control.throwIfStopped();
                } while (augment());
            }
        }
    }

    [[nodiscard]] const Pair* partnerOfFound(std::size_t i) const noexcept { return pairIn(pairOfFound_[i]); }
    [[nodiscard]] const Pair* partnerOfTruth(std::size_t i) const noexcept { return pairIn(pairOfTruth_[i]); }

private:
    [[nodiscard]] const Pair* pairIn(std::uint32_t index) const noexcept {
        return index == kNone ? nullptr : &pairs_[index];
    }

    /// Above one half, an object has one possible partner.
    void matchUniquePairs(std::size_t truth) {
        std::vector<std::uint32_t> wanted(truth, 0);
        for (const Pair& pair : pairs_) {
            ++wanted[pair.truth];
        }
        for (std::uint32_t i = 0; i != pairs_.size(); ++i) {
            const Pair& pair = pairs_[i];
            if (wanted[pair.truth] == 1 && first_[pair.found + 1] - first_[pair.found] == 1) {
                pairOfFound_[pair.found] = i;
                pairOfTruth_[pair.truth] = i;
            }
        }
        byTruth_.resize(truth);
        for (std::uint32_t i = 0; i != pairs_.size(); ++i) {
            if (pairOfTruth_[pairs_[i].truth] != i) {
                byTruth_[pairs_[i].truth].push_back(i);
            }
        }
    }

    /// Lists the objects of the result that pairs connect with an object.
    void gatherFrom(std::uint32_t start) {
        members_.assign(1, start);
        isDone_[start] = true;
        for (std::size_t next = 0; next != members_.size(); ++next) {
            for (std::uint32_t i = first_[members_[next]]; i != first_[members_[next] + 1]; ++i) {
                for (const std::uint32_t other : byTruth_[pairs_[i].truth]) {
                    if (const std::uint32_t found = pairs_[other].found; !isDone_[found]) {
                        isDone_[found] = true;
                        members_.push_back(found);
                    }
                }
            }
        }
        std::ranges::sort(members_);
    }

    /// Adds a pair, if one can be added. @return whether it did
    bool augment() {
        for (const std::uint32_t found : members_) {
            lossOf_[found] = pairOfFound_[found] == kNone ? 0 : kFar;
            for (std::uint32_t i = first_[found]; i != first_[found + 1]; ++i) {
                lossAt_[pairs_[i].truth] = kFar;
            }
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t found : members_) {
                if (lossOf_[found] == kFar) {
                    continue;
                }
                for (std::uint32_t i = first_[found]; i != first_[found + 1]; ++i) {
                    const Pair& pair = pairs_[i];
                    const double loss = lossOf_[found] - pair.overlap;
                    if (i == pairOfFound_[found] || loss >= lossAt_[pair.truth] - kLeastGain) {
                        continue;
                    }
                    lossAt_[pair.truth] = loss;
                    cameBy_[pair.truth] = i;
                    changed = true;
                    if (const Pair* const old = partnerOfTruth(pair.truth)) {
                        lossOf_[old->found] = loss + old->overlap;
                    }
                }
            }
        }
        std::uint32_t end = kNone;
        for (const std::uint32_t found : members_) {
            for (std::uint32_t i = first_[found]; i != first_[found + 1]; ++i) {
                const std::uint32_t truth = pairs_[i].truth;
                if (pairOfTruth_[truth] == kNone && (end == kNone || lossAt_[truth] < lossAt_[end])) {
                    end = truth;
                }
            }
        }
        if (end == kNone || lossAt_[end] == kFar) {
            return false;
        }
        for (std::uint32_t truth = end;;) {
            const std::uint32_t added = cameBy_[truth];
            const std::uint32_t removed = std::exchange(pairOfFound_[pairs_[added].found], added);
            pairOfTruth_[truth] = added;
            if (removed == kNone) {
                return true;
            }
            truth = pairs_[removed].truth;
        }
    }

    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> first_; ///< per object of the result its first pair; one more
    std::vector<std::vector<std::uint32_t>> byTruth_;
    std::vector<std::uint32_t> pairOfFound_;
    std::vector<std::uint32_t> pairOfTruth_;
    std::vector<std::uint32_t> members_; ///< objects of the result that exchange partners
    std::vector<bool> isDone_;           ///< per object of the result
    std::vector<double> lossOf_;         ///< per object of the result: of the best path to it
    std::vector<double> lossAt_;         ///< per object of the truth
    std::vector<std::uint32_t> cameBy_;  ///< per object of the truth: the last pair of this path
};

void setPartners(std::vector<ScoredObject>& found, std::vector<ScoredObject>& truth, std::span<const Pair> pairs,
                 const Assignment& assignment) {
    const auto offer = [](ScoredObject& object, const ScoredObject& other, double overlap) {
        if (object.outcome != ObjectOutcome::matched && overlap > object.overlap) {
            object.partner = other.label;
            object.overlap = overlap;
        }
    };
    const auto match = [](ScoredObject& object, const ScoredObject& other, double overlap) {
        object.outcome = ObjectOutcome::matched;
        object.partner = other.label;
        object.overlap = overlap;
    };
    for (std::size_t i = 0; i != found.size(); ++i) {
        found[i].outcome = ObjectOutcome::invented;
        if (const Pair* const pair = assignment.partnerOfFound(i)) {
            match(found[i], truth[pair->truth], pair->overlap);
            match(truth[pair->truth], found[i], pair->overlap);
        }
    }
    for (const Pair& pair : pairs) {
        offer(found[pair.found], truth[pair.truth], pair.overlap);
        offer(truth[pair.truth], found[pair.found], pair.overlap);
    }
}

/// Decides between split, merged, missed and invented for objects without a partner.
void setOutcomes(std::vector<ScoredObject>& found, std::vector<ScoredObject>& truth, std::span<const Pair> pairs) {
    std::vector<std::uint32_t> partsOf(truth.size(), 0);   // objects with most of their pixels in an object
    std::vector<std::uint32_t> coveredBy(found.size(), 0); // objects of which an object covers most
    const auto isPart = [&](const Pair& pair) { return 2 * pair.pixels > found[pair.found].pixels; };
    const auto covers = [&](const Pair& pair) { return 2 * pair.pixels > truth[pair.truth].pixels; };
    for (const Pair& pair : pairs) {
        partsOf[pair.truth] += isPart(pair) ? 1 : 0;
        coveredBy[pair.found] += covers(pair) ? 1 : 0;
    }
    for (const Pair& pair : pairs) {
        ScoredObject& real = truth[pair.truth];
        if (real.outcome != ObjectOutcome::matched) {
            if (partsOf[pair.truth] >= 2) {
                real.outcome = ObjectOutcome::split;
            } else if (covers(pair) && coveredBy[pair.found] >= 2) {
                real.outcome = ObjectOutcome::merged;
            }
        }
    }
    for (const Pair& pair : pairs) {
        ScoredObject& shown = found[pair.found];
        if (shown.outcome != ObjectOutcome::matched) {
            if (coveredBy[pair.found] >= 2) {
                shown.outcome = ObjectOutcome::merged;
            } else if (isPart(pair) && partsOf[pair.truth] >= 2) {
                shown.outcome = ObjectOutcome::split;
            }
        }
    }
}

void requireSameSize(std::size_t result, std::size_t truth) {
    if (result != truth) {
        throw Error(ErrorCode::invalidArgument,
                    "score: the result has " + std::to_string(result) + " pixels, the truth " + std::to_string(truth));
    }
}

/// The pixels of a foreground with a neighbour by a side in the background or outside of the image.
Mask boundaryOf(std::span<const std::uint32_t> labels, const Extent& extent, const JobControl& control) {
    Mask boundary(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
    const std::size_t slice = extent.slicePixels();
    forEachIndex(
        extent.rows(), control,
        [&](std::size_t row) {
            const std::size_t y = row % extent.height;
            const std::size_t z = row / extent.height;
            for (std::uint32_t x = 0; x != extent.width; ++x) {
                const std::size_t i = row * extent.width + x;
                const auto isBackground = [&](bool isInside, std::size_t at) { return !isInside || labels[at] == 0; };
                const bool isEdge =
                    labels[i] != 0 &&
                    (isBackground(x != 0, i - 1) || isBackground(x + 1 != extent.width, i + 1) ||
                     isBackground(y != 0, i - extent.width) || isBackground(y + 1 != extent.height, i + extent.width) ||
                     (extent.isVolume() &&
                      (isBackground(z != 0, i - slice) || isBackground(z + 1 != extent.slices, i + slice))));
                boundary.set(x, static_cast<std::uint32_t>(row), isEdge);
            }
        },
        16);
    return boundary;
}

/// Distances from the pixels of one boundary to the nearest of another, ascending.
std::vector<double> distancesBetween(const Mask& from, const Mask& to, const VoxelSides& sides, std::uint32_t slices,
                                     const JobControl& control) {
    Mask others(to.width(), to.height(), true);
    for (std::uint32_t y = 0; y != to.height(); ++y) {
        forEachRun(to, y, true, [&](std::uint32_t first, std::uint32_t last) { others.setRun(first, last, y, false); });
    }
    const Buffer<double> distance = distances(others, sides, slices, control);
    std::vector<double> found;
    for (std::uint32_t y = 0; y != from.height(); ++y) {
        forEachRun(from, y, true, [&](std::uint32_t first, std::uint32_t last) {
            const auto row = distance.begin() + std::size_t{y} * from.width();
            found.insert(found.end(), row + first, row + last);
        });
    }
    std::ranges::sort(found);
    return found;
}

/// As NumPy's percentile: linear between the values next to its place.
double percentile95(const std::vector<double>& ascending) {
    const double place = .95 * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double next = ascending[std::min(below + 1, ascending.size() - 1)];
    return ascending[below] + (place - std::floor(place)) * (next - ascending[below]);
}

} // namespace

std::string_view nameOf(ObjectOutcome outcome) noexcept {
    constexpr std::array<std::string_view, 5> kNames{"matched", "missed", "invented", "split", "merged"};
    return kNames[static_cast<std::size_t>(outcome)];
}

double MatchScore::precision() const noexcept {
    return share(static_cast<double>(matched), static_cast<double>(found));
}
double MatchScore::recall() const noexcept { return share(static_cast<double>(matched), static_cast<double>(truth)); }
double MatchScore::f1() const noexcept {
    return share(2 * static_cast<double>(matched), static_cast<double>(found + truth));
}
double MatchScore::accuracy() const noexcept {
    return share(static_cast<double>(matched), static_cast<double>(found + truth - matched));
}
double MatchScore::meanOverlap() const noexcept {
    return matched == 0 ? 0 : sumOfOverlaps / static_cast<double>(matched);
}
double MatchScore::panopticQuality() const noexcept { return found + truth == 0 ? 1 : f1() * meanOverlap(); }
MatchScore& MatchScore::operator+=(const MatchScore& other) noexcept {
    matched += other.matched;
    found += other.found;
    truth += other.truth;
    sumOfOverlaps += other.sumOfOverlaps;
    return *this;
}

double ForegroundScore::iou() const noexcept {
    return share(static_cast<double>(both), static_cast<double>(found + truth - both));
}
double ForegroundScore::dice() const noexcept {
    return share(2 * static_cast<double>(both), static_cast<double>(found + truth));
}
ForegroundScore& ForegroundScore::operator+=(const ForegroundScore& other) noexcept {
    both += other.both;
    found += other.found;
    truth += other.truth;
    return *this;
}

LabelScores::LabelScores(std::span<const std::uint32_t> result, std::span<const std::uint32_t> truth,
                         std::span<const double> thresholds, const JobControl& control) {
    requireSameSize(result.size(), truth.size());
    for (const double threshold : thresholds) {
        if (!(threshold > 0 && threshold <= 1)) {
            throw Error(ErrorCode::invalidArgument,
                        "score: threshold " + exactNumber(threshold) + ": must be above 0 and at most 1");
        }
    }
    try {
        const std::vector<Common> common = commonPixels(result, truth, control);
        found_ = objectsIn(common, &Common::found);
        truth_ = objectsIn(common, &Common::truth);
        std::vector<Pair> pairs;
        for (const Common& each : common) {
            foreground_.found += each.found != 0 ? each.pixels : 0;
            foreground_.truth += each.truth != 0 ? each.pixels : 0;
            if (each.found != 0 && each.truth != 0) {
                foreground_.both += each.pixels;
                const std::uint32_t a = indexOf(found_, each.found);
                const std::uint32_t b = indexOf(truth_, each.truth);
                const std::uint64_t joined = found_[a].pixels + truth_[b].pixels - each.pixels;
                pairs.push_back({a, b, each.pixels, static_cast<double>(each.pixels) / static_cast<double>(joined)});
            }
        }
        for (const double threshold : thresholds) {
            std::vector<Pair> candidates = pairs;
            std::erase_if(candidates, [&](const Pair& pair) { return pair.overlap < threshold; });
            const Assignment assignment(found_.size(), truth_.size(), std::move(candidates), control);
            MatchScore score{threshold, 0, found_.size(), truth_.size(), 0};
            for (std::size_t i = 0; i != found_.size(); ++i) {
                if (const Pair* const pair = assignment.partnerOfFound(i)) {
                    ++score.matched;
                    score.sumOfOverlaps += pair->overlap;
                }
            }
            if (matches_.empty()) {
                setPartners(found_, truth_, pairs, assignment);
                setOutcomes(found_, truth_, pairs);
            }
            matches_.push_back(score);
        }
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "score: not enough memory for the objects");
    }
}

void ScoreTotals::add(const LabelScores& scores, std::uint64_t compared) {
    ScoreTotals one{compared, scores.matches(), scores.foreground(), {}};
    for (const ScoredObject& object : scores.truth()) {
        ++one.outcomes[static_cast<std::size_t>(object.outcome)];
    }
    for (const ScoredObject& object : scores.found()) {
        one.outcomes[static_cast<std::size_t>(object.outcome)] += object.outcome == ObjectOutcome::invented ? 1 : 0;
    }
    *this += one;
}

ScoreTotals& ScoreTotals::operator+=(const ScoreTotals& other) {
    pixels += other.pixels;
    foreground += other.foreground;
    for (std::size_t i = 0; i != outcomes.size(); ++i) {
        outcomes[i] += other.outcomes[i];
    }
    if (matches.empty()) {
        matches = other.matches;
        return *this;
    }
    for (std::size_t i = 0; i != std::min(matches.size(), other.matches.size()); ++i) {
        matches[i] += other.matches[i];
    }
    return *this;
}

std::vector<double> usualThresholds() { return {.5, .55, .6, .65, .7, .75, .8, .85, .9, .95}; }

double meanAccuracy(std::span<const MatchScore> matches) noexcept {
    double sum = 0;
    for (const MatchScore& match : matches) {
        sum += match.accuracy();
    }
    return matches.empty() ? 0 : sum / static_cast<double>(matches.size());
}

std::optional<BoundaryDistances> boundaryDistances(std::span<const std::uint32_t> result,
                                                   std::span<const std::uint32_t> truth, const Extent& extent,
                                                   const VoxelSides& sides, const JobControl& control) {
    requireSameSize(result.size(), truth.size());
    requireSameSize(result.size(), extent.pixelCount());
    const Mask a = boundaryOf(result, extent, control);
    const Mask b = boundaryOf(truth, extent, control);
    if (a.count() == 0 || b.count() == 0) {
        return std::nullopt;
    }
    const std::vector<double> there = distancesBetween(a, b, sides, extent.slices, control);
    const std::vector<double> back = distancesBetween(b, a, sides, extent.slices, control);
    double sum = 0;
    for (const std::vector<double>* each : {&there, &back}) {
        for (const double distance : *each) {
            sum += distance;
        }
    }
    return BoundaryDistances{std::max(there.back(), back.back()), std::max(percentile95(there), percentile95(back)),
                             sum / static_cast<double>(there.size() + back.size())};
}

Image outcomeImage(const LabelScores& scores, std::span<const std::uint32_t> result,
                   std::span<const std::uint32_t> truth, const Extent& extent, const JobControl& control) {
    requireSameSize(result.size(), truth.size());
    requireSameSize(result.size(), extent.pixelCount());
    Image image(PixelType::u8, extent);
    const std::span<std::uint8_t> levels = image.pixels<std::uint8_t>();
    const auto levelOf = [](const std::vector<ScoredObject>& objects, std::uint32_t label) {
        return static_cast<std::uint8_t>(1 + static_cast<int>(objects[indexOf(objects, label)].outcome));
    };
    forEachIndex(levels.size(), control, [&](std::size_t i) {
        levels[i] = truth[i] != 0    ? levelOf(scores.truth(), truth[i])
                    : result[i] != 0 ? levelOf(scores.found(), result[i])
                                     : std::uint8_t{0};
    });
    return image;
}

} // namespace pollard
