// Label images beside the truth, compared with the definitions on matrices of overlaps.

#include "base/error.hpp"
#include "components/label_scores.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

using Labels = std::vector<std::uint32_t>;

constexpr std::array kThresholds{.05, .2, .5, .6, 1.};

/// Labels in rectangles that hide each other, so that overlaps vary.
Labels randomLabels(std::mt19937& generator, std::uint32_t width, std::uint32_t height, std::uint32_t count) {
    const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
    Labels labels(std::size_t{width} * height, 0);
    for (std::uint32_t label = 1; label <= count; ++label) {
        const std::uint32_t x = random() % width;
        const std::uint32_t y = random() % height;
        for (std::uint32_t v = y; v < std::min(height, y + 1 + random() % 5); ++v) {
            for (std::uint32_t u = x; u < std::min(width, x + 1 + random() % 5); ++u) {
                labels[v * width + u] = label * 7;
            }
        }
    }
    return labels;
}

/// The objects of both and their overlaps, pixel by pixel.
struct NaiveOverlaps {
    std::map<std::uint32_t, std::size_t> found;
    std::map<std::uint32_t, std::size_t> truth;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> both;

    NaiveOverlaps(const Labels& a, const Labels& b) {
        for (std::size_t i = 0; i != a.size(); ++i) {
            found[a[i]] += a[i] != 0 ? 1 : 0;
            truth[b[i]] += b[i] != 0 ? 1 : 0;
            both[{a[i], b[i]}] += a[i] != 0 && b[i] != 0 ? 1 : 0;
        }
        found.erase(0);
        truth.erase(0);
    }
    [[nodiscard]] double iou(std::uint32_t a, std::uint32_t b) const {
        const auto common = both.find({a, b});
        if (common == both.end()) {
            return 0;
        }
        const auto pixels = static_cast<double>(common->second);
        return pixels / (static_cast<double>(found.at(a) + truth.at(b)) - pixels);
    }
};

/// Tries all assignments. @return most pairs, and the largest sum of overlaps among these
std::pair<std::size_t, double> bestAssignment(const NaiveOverlaps& overlaps, double threshold,
                                              std::map<std::uint32_t, std::size_t>::const_iterator next,
                                              std::set<std::uint32_t>& taken) {
    if (next == overlaps.found.end()) {
        return {0, 0};
    }
    const std::uint32_t label = next->first;
    ++next;
    std::pair<std::size_t, double> best = bestAssignment(overlaps, threshold, next, taken);
    for (const auto& [other, pixels] : overlaps.truth) {
        const double overlap = overlaps.iou(label, other);
        if (overlap >= threshold && taken.insert(other).second) {
            auto [pairs, sum] = bestAssignment(overlaps, threshold, next, taken);
            taken.erase(other);
            best = std::max(best, std::pair{pairs + 1, sum + overlap}, [](const auto& a, const auto& b) {
                return a.first != b.first ? a.first < b.first : a.second < b.second;
            });
        }
    }
    return best;
}

TEST(LabelScores, MatchAsTheBestOfAllAssignments) {
    std::mt19937 random(5);
    const auto below = [&random](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    std::size_t contested = 0; // pairs beyond those that are the best ones of both objects
    for (int round = 0; round != 400; ++round) {
        const std::uint32_t width = 1 + below(9);
        const std::uint32_t height = 1 + below(9);
        const Labels result = randomLabels(random, width, height, below(7));
        const Labels truth = randomLabels(random, width, height, below(7));
        const LabelScores scores(result, truth, kThresholds);
        const NaiveOverlaps overlaps(result, truth);
        ASSERT_EQ(scores.found().size(), overlaps.found.size());
        ASSERT_EQ(scores.truth().size(), overlaps.truth.size());
        for (std::size_t i = 0; i != kThresholds.size(); ++i) {
            std::set<std::uint32_t> taken;
            const auto [pairs, sum] = bestAssignment(overlaps, kThresholds.at(i), overlaps.found.begin(), taken);
            const MatchScore& score = scores.matches()[i];
            EXPECT_EQ(score.matched, pairs) << "round " << round << ", threshold " << kThresholds.at(i);
            EXPECT_THAT(score.sumOfOverlaps, DoubleNear(sum, 1e-9)) << "round " << round;
            contested += kThresholds.at(i) < .5 ? pairs : 0;
        }
        std::set<std::uint32_t> partners;
        for (const ScoredObject& object : scores.found()) {
            EXPECT_EQ(object.pixels, overlaps.found.at(object.label));
            EXPECT_EQ(object.overlap, object.partner == 0 ? 0 : overlaps.iou(object.label, object.partner));
            if (object.outcome == ObjectOutcome::matched) {
                EXPECT_TRUE(partners.insert(object.partner).second) << "two objects have one partner";
                EXPECT_GE(object.overlap, kThresholds.front());
            }
        }
        EXPECT_EQ(partners.size(), scores.matches().front().matched);
    }
    EXPECT_GT(contested, 300U);
}

TEST(LabelScores, SharesFollowFromTheCounts) {
    const MatchScore score{.5, 3, 4, 6, 2.4};
    EXPECT_EQ(score.precision(), .75);
    EXPECT_EQ(score.recall(), .5);
    EXPECT_EQ(score.f1(), .6);
    EXPECT_EQ(score.accuracy(), 3. / 7);
    EXPECT_EQ(score.meanOverlap(), 2.4 / 3);
    EXPECT_DOUBLE_EQ(score.panopticQuality(), 2.4 / (3 + .5 * 1 + .5 * 3));
    MatchScore both = score;
    both += MatchScore{.5, 1, 1, 1, 1};
    EXPECT_EQ(both.f1(), 2. * 4 / 12);
    const MatchScore empty;
    EXPECT_EQ(empty.f1(), 1);
    EXPECT_EQ(empty.panopticQuality(), 1);
    EXPECT_EQ((MatchScore{.5, 0, 2, 0, 0}).panopticQuality(), 0);
}

TEST(LabelScores, TellSplitMergedMissedAndInventedApart) {
    //            matched  split      merged     missed  invented
    const Labels result{1, 1, 1, 0, 2, 2, 3, 3, 0, 4, 4, 4, 4, 0, 0, 0, 0, 5, 0};
    const Labels truth{1, 1, 1, 0, 2, 2, 2, 2, 0, 3, 3, 4, 4, 0, 5, 5, 0, 0, 0};
    constexpr std::array kAbove{.6};
    const LabelScores scores(result, truth, kAbove);
    const auto outcomesOf = [](const std::vector<ScoredObject>& objects) {
        std::vector<ObjectOutcome> outcomes;
        for (const ScoredObject& object : objects) {
            outcomes.push_back(object.outcome);
        }
        return outcomes;
    };
    EXPECT_THAT(outcomesOf(scores.found()),
                ElementsAre(ObjectOutcome::matched, ObjectOutcome::split, ObjectOutcome::split, ObjectOutcome::merged,
                            ObjectOutcome::invented));
    EXPECT_THAT(outcomesOf(scores.truth()),
                ElementsAre(ObjectOutcome::matched, ObjectOutcome::split, ObjectOutcome::merged, ObjectOutcome::merged,
                            ObjectOutcome::missed));
    EXPECT_EQ(scores.truth()[1], (ScoredObject{2, 4, ObjectOutcome::split, 2, .5}));
    EXPECT_EQ(scores.foreground().both, 11U);
    EXPECT_EQ(scores.foreground().iou(), 11. / 14);
    EXPECT_EQ(scores.foreground().dice(), 22. / 25);
    const Extent extent{19, 1};
    EXPECT_THAT(outcomeImage(scores, result, truth, extent).pixels<std::uint8_t>(),
                ElementsAreArray({1, 1, 1, 0, 4, 4, 4, 4, 0, 5, 5, 5, 5, 0, 2, 2, 0, 3, 0}));
}

TEST(LabelScores, IgnoreNumbersAndSwapPrecisionWithRecall) {
    std::mt19937 random(6);
    for (int round = 0; round != 50; ++round) {
        const Labels result = randomLabels(random, 20, 20, 12);
        const Labels truth = randomLabels(random, 20, 20, 9);
        const LabelScores scores(result, truth, kThresholds);
        const LabelScores swapped(truth, result, kThresholds);
        Labels renumbered = result;
        std::ranges::for_each(renumbered, [](std::uint32_t& label) { label = label == 0 ? 0 : 1'000'000 - label; });
        const LabelScores others(renumbered, truth, kThresholds);
        const LabelScores same(truth, truth, kThresholds);
        for (std::size_t i = 0; i != kThresholds.size(); ++i) {
            EXPECT_EQ(scores.matches()[i].precision(), swapped.matches()[i].recall());
            EXPECT_EQ(scores.matches()[i].matched, others.matches()[i].matched);
            EXPECT_EQ(same.matches()[i].panopticQuality(), 1);
        }
    }
}

/// Boundary pixels of a foreground and their distances, by the definition.
std::vector<Voxel> naiveBoundary(const Labels& labels, const Extent& extent) {
    std::vector<Voxel> boundary;
    const auto isForeground = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return x >= 0 && y >= 0 && z >= 0 && x < extent.width && y < extent.height && z < extent.slices &&
               labels[static_cast<std::size_t>((z * extent.height + y) * extent.width + x)] != 0;
    };
    for (std::uint32_t i = 0; i != labels.size(); ++i) {
        const Voxel at = voxelAt(i, extent);
        const std::int64_t x = at.x;
        const std::int64_t y = at.y;
        const std::int64_t z = at.z;
        bool isInner = isForeground(x - 1, y, z) && isForeground(x + 1, y, z) && isForeground(x, y - 1, z) &&
                       isForeground(x, y + 1, z);
        isInner = isInner && (!extent.isVolume() || (isForeground(x, y, z - 1) && isForeground(x, y, z + 1)));
        if (labels[i] != 0 && !isInner) {
            boundary.push_back(at);
        }
    }
    return boundary;
}

std::vector<double> naiveDistances(const std::vector<Voxel>& from, const std::vector<Voxel>& to,
                                   const VoxelSides& sides) {
    std::vector<double> distances;
    for (const Voxel& a : from) {
        double least = 1e9;
        for (const Voxel& b : to) {
            least =
                std::min(least, std::hypot(sides.x * (double(a.x) - double(b.x)), sides.y * (double(a.y) - double(b.y)),
                                           sides.z * (double(a.z) - double(b.z))));
        }
        distances.push_back(least);
    }
    std::ranges::sort(distances);
    return distances;
}

TEST(BoundaryDistances, EqualTheDefinition) {
    std::mt19937 random(7);
    int compared = 0;
    for (int round = 0; round != 60; ++round) {
        const std::uint32_t slices = round % 2 == 0 ? 1 : 4;
        const Extent extent{1 + static_cast<std::uint32_t>(random() % 12),
                            1 + static_cast<std::uint32_t>(random() % 12), slices};
        const Labels result = randomLabels(random, extent.width, extent.height * slices, 4);
        const Labels truth = randomLabels(random, extent.width, extent.height * slices, 4);
        const VoxelSides sides{1, 1.5, 2.25};
        const std::optional<BoundaryDistances> found = boundaryDistances(result, truth, extent, sides);
        const std::vector<Voxel> a = naiveBoundary(result, extent);
        const std::vector<Voxel> b = naiveBoundary(truth, extent);
        ASSERT_EQ(found.has_value(), !a.empty() && !b.empty());
        if (!found) {
            continue;
        }
        ++compared;
        const std::vector<double> there = naiveDistances(a, b, sides);
        const std::vector<double> back = naiveDistances(b, a, sides);
        EXPECT_DOUBLE_EQ(found->hausdorff, std::max(there.back(), back.back()));
        double sum = 0;
        for (const auto* each : {&there, &back}) {
            for (const double distance : *each) {
                sum += distance;
            }
        }
        EXPECT_THAT(found->mean, DoubleNear(sum / static_cast<double>(there.size() + back.size()), 1e-9));
        EXPECT_LE(found->hausdorff95, found->hausdorff);
        EXPECT_GE(found->hausdorff95, std::max(there[there.size() / 2], back[back.size() / 2]));
    }
    EXPECT_GT(compared, 40);
}

TEST(BoundaryDistances, TakeThePercentileBetweenTwoDistances) {
    // 21 boundary pixels of the result, at 0 .. 20 px of the only one of the truth: 95 % is the one at 19 px.
    Labels result(21, 1);
    Labels truth(21, 0);
    truth[0] = 1;
    EXPECT_EQ(boundaryDistances(result, truth, {21, 1}, {})->hausdorff95, 19);
    result.back() = 0; // 0 .. 19: between 18 and 19
    EXPECT_DOUBLE_EQ(boundaryDistances(result, truth, {21, 1}, {})->hausdorff95, 18.05);
}

TEST(LabelScores, RefuseOtherSizesAndThresholds) {
    const Labels four(4, 1);
    constexpr std::array kAbove{.5};
    EXPECT_THROW((LabelScores(Labels(3, 1), four, kAbove)), Error);
    EXPECT_THROW((void)boundaryDistances(four, four, {3, 1}, {}), Error);
    for (const double wrong : {0., 1.01, -1., std::nan("")}) {
        const std::array thresholds{.5, wrong};
        EXPECT_THROW((LabelScores(four, four, thresholds)), Error) << wrong;
    }
}

} // namespace
} // namespace pollard::testing
