#include "learn/criteria_learner.hpp"

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "learn/rank_scale.hpp"
#include "learn/short_bound.hpp"
#include "support/random_images.hpp"
#include "tree/component_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using testing::Random;
using Column = std::shared_ptr<const AttributeColumn>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T> Column columnOf(AttributeId id, const std::vector<T>& values) {
    Buffer<T> buffer(values.size());
    std::ranges::copy(values, buffer.begin());
    return std::make_shared<const AttributeColumn>(AttributeColumn{id, std::move(buffer)});
}

/// A tree's columns with few different values, so that examples have equal ones.
struct RandomColumns {
    std::vector<Column> columns;
    Column area;
    std::vector<Example> examples;

    explicit RandomColumns(Random& random) {
        const std::size_t nodes = 2 + random() % 60;
        std::vector<std::uint32_t> areas(nodes);
        for (auto& value : areas) {
            value = 1 + random() % 300;
        }
        area = columnOf(AttributeId::area, areas);
        const std::uint32_t different = 2 + random() % 12;
        for (const AttributeId id : {AttributeId::mean, AttributeId::entropy, AttributeId::elongation,
                                     AttributeId::variance, AttributeId::circularity}) {
            std::vector<double> values(nodes);
            for (auto& value : values) {
                value = random() % 200 == 0 ? std::nan("") : 0.37 * static_cast<double>(random() % different) - 1;
            }
            columns.push_back(columnOf(id, values));
        }
        for (std::uint32_t node = 0; node < nodes; ++node) {
            if (random() % 4 == 0) {
                examples.push_back({node, random() % 2 == 0});
            }
        }
    }
    [[nodiscard]] CriteriaLearner learner(LearnedSize sizes = LearnedSize::any) const {
        return {columns, area, std::nullopt, sizes};
    }
};

/// The definition of RankScale: every octave of area has the same weight.
double naiveRank(const AttributeColumn& column, const AttributeColumn& area, double value) {
    std::map<std::size_t, int> counts;
    const auto octave = [&](std::size_t i) {
        return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(area.at(i))));
    };
    for (std::size_t i = 0; i < area.size(); ++i) {
        ++counts[octave(i)];
    }
    double rank = 0;
    for (std::size_t i = 0; i < area.size(); ++i) {
        const double weight = 1.0 / static_cast<double>(counts.size()) / counts[octave(i)];
        rank += column.at(i) < value ? weight : column.at(i) == value ? weight / 2 : 0;
    }
    return rank;
}

struct NaiveResult {
    std::size_t leftOut = 0;
    std::size_t intervals = 0;
    double margin = 0;
};

/// Tries every set of at most three columns; with bounds of the size of at most two.
NaiveResult naiveLearn(const RandomColumns& given, bool boundsSize = false) {
    std::optional<NaiveResult> best;
    for (unsigned set = boundsSize ? 0 : 1; set < 1U << given.columns.size(); ++set) {
        const auto size = static_cast<std::size_t>(std::popcount(set));
        NaiveResult result{0, size, kInfinity};
        bool isDefined = size <= (boundsSize ? 2 : 3);
        for (const Example& dropped : given.examples) {
            double gap = -1;
            const auto tryColumn = [&](const AttributeColumn& column, double widening) {
                double low = kInfinity;
                double high = -kInfinity;
                for (const Example& each : given.examples) {
                    const double value = column.at(each.node);
                    isDefined = isDefined && !std::isnan(value);
                    low = each.keep ? std::min(low, value) : low;
                    high = each.keep ? std::max(high, value) : high;
                }
                const double value = column.at(dropped.node);
                const auto rank = [&](double of) { return naiveRank(column, *given.area, of); };
                if (widening == 1 ? value < low : low >= 2 && value <= std::floor(low / 2)) {
                    gap = std::max(gap, rank(low) - rank(value));
                } else if (widening == 1 ? value > high : value >= high * widening) {
                    gap = std::max(gap, rank(value) - rank(high));
                }
            };
            for (std::size_t c = 0; c < given.columns.size(); ++c) {
                if ((set >> c & 1U) != 0) {
                    tryColumn(*given.columns[c], 1);
                }
            }
            if (boundsSize) {
                tryColumn(*given.area, 2);
            }
            if (!dropped.keep && gap >= 0) {
                ++result.leftOut;
                result.margin = std::min(result.margin, gap);
            }
        }
        const bool isBetter = !best || result.leftOut > best->leftOut ||
                              (result.leftOut == best->leftOut &&
                               (size < best->intervals || (size == best->intervals && result.margin > best->margin)));
        if (isDefined && (result.leftOut > 0 || size == 0) && isBetter) {
            best = result;
        }
    }
    return best.value_or(NaiveResult{});
}

TEST(CriteriaLearner, FindsWhatATrialOfAllSetsFinds) {
    Random random(5);
    std::map<std::size_t, int> sizes;
    int inseparable = 0;
    for (int run = 0; run < 3000; ++run) {
        SCOPED_TRACE(run);
        const RandomColumns given(random);
        CriteriaLearner learner = given.learner();
        learner.add(given.examples);
        const auto kept = static_cast<std::size_t>(std::ranges::count(given.examples, true, &Example::keep));
        const std::size_t dropped = given.examples.size() - kept;
        ASSERT_EQ(learner.hasLearned(), kept > 0 && dropped > 0);
        if (!learner.hasLearned()) {
            EXPECT_TRUE(learner.learned().criteria.empty());
            continue;
        }
        const NaiveResult wanted = naiveLearn(given);
        const LearnedCriteria& found = learner.learned();
        ASSERT_EQ(found.criteria.size(), wanted.intervals);
        EXPECT_NEAR(found.margin, wanted.margin, 1e-12);
        ASSERT_EQ(found.wrong.size(), dropped - wanted.leftOut);
        for (const Example& example : given.examples) {
            const bool isWrong = std::ranges::count(found.wrong, example) > 0;
            EXPECT_EQ(learner.keeps(example.node), example.keep != isWrong);
            EXPECT_FALSE(isWrong && example.keep);
        }
        ++sizes[found.criteria.size()];
        inseparable += found.wrong.empty() ? 0 : 1;
    }
    EXPECT_GT(sizes[1], 50);
    EXPECT_GT(sizes[2], 50);
    EXPECT_GT(sizes[3], 50);
    EXPECT_GT(inseparable, 50);
}

TEST(CriteriaLearner, BoundsTheSizeByTheKeptExamples) {
    Random random(11);
    int larger = 0;
    for (int run = 0; run < 1000; ++run) {
        SCOPED_TRACE(run);
        RandomColumns given(random);
        given.columns.insert(given.columns.begin() + 1, given.area);
        CriteriaLearner learner = given.learner(LearnedSize::ofKept);
        learner.add(given.examples);
        if (!learner.hasLearned()) {
            continue;
        }
        const NaiveResult wanted = naiveLearn(given, true);
        const LearnedCriteria& found = learner.learned();
        const std::size_t dropped = static_cast<std::size_t>(std::ranges::count(given.examples, false, &Example::keep));
        EXPECT_LE(found.wrong.size(), dropped - wanted.leftOut); // the bounds of the size may leave out more
        ASSERT_LE(found.criteria.size(), wanted.intervals + 1);
        ASSERT_GE(found.criteria.size(), std::max<std::size_t>(wanted.intervals, 1));
        EXPECT_NEAR(found.margin, wanted.leftOut == 0 ? 0 : wanted.margin, 1e-12);
        const auto bound = std::ranges::find(found.criteria, AttributeId::area, &Criterion::attribute);
        ASSERT_NE(bound, found.criteria.end());
        double low = kInfinity;
        double high = 0;
        for (const Example& each : given.examples) {
            const double value = given.area->at(each.node);
            low = each.keep ? std::min(low, value) : low;
            high = each.keep ? std::max(high, value) : high;
        }
        EXPECT_LE(bound->minimum, low);
        EXPECT_TRUE(low < 2 || bound->minimum > std::floor(low / 2)) << low << ' ' << bound->minimum;
        EXPECT_GE(bound->maximum, high);
        EXPECT_LT(bound->maximum, 2 * high);
        larger += found.criteria.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(larger, 100);
}

TEST(CriteriaLearner, AnExampleThatAgreesChangesNothing) {
    Random random(6);
    int learnedAnew = 0;
    for (int run = 0; run < 500; ++run) {
        SCOPED_TRACE(run);
        const RandomColumns given(random);
        CriteriaLearner learner = given.learner();
        for (const Example& example : given.examples) {
            const LearnedCriteria before = learner.learned();
            const bool agrees = learner.hasLearned() && learner.keeps(example.node) == example.keep;
            const bool hadLearned = learner.hasLearned();
            const bool isNew = learner.add(std::vector{example});
            EXPECT_TRUE(learner.learned() == before || isNew);
            EXPECT_TRUE(!agrees || !isNew);
            EXPECT_TRUE(!hadLearned || agrees || isNew);
            learnedAnew += isNew ? 1 : 0;
        }
    }
    EXPECT_GT(learnedAnew, 500);
}

TEST(CriteriaLearner, TheLastExampleOfANodeCounts) {
    CriteriaLearner learner({columnOf<double>(AttributeId::mean, {1, 2, 3, 4})},
                            columnOf<std::uint32_t>(AttributeId::area, {9, 5, 3, 2}), std::nullopt, LearnedSize::any);
    learner.add(std::vector<Example>{{1, true}, {2, true}, {3, false}, {2, false}});
    EXPECT_EQ(learner.examples(), (std::vector<Example>{{1, true}, {3, false}, {2, false}}));
    EXPECT_TRUE(learner.learned().wrong.empty());
    ASSERT_EQ(learner.learned().criteria.size(), 1U);
    EXPECT_EQ(toString(learner.learned().criteria[0]), "mean<=2.5");
}

TEST(CriteriaLearner, RoundingErrorsTellNothingApart) {
    const double value = 2 / std::sqrt(3.0);
    CriteriaLearner learner({columnOf<double>(AttributeId::minor, {5, std::nextafter(value, 2.0), value})},
                            columnOf<std::uint32_t>(AttributeId::area, {9, 3, 2}), std::nullopt, LearnedSize::any);
    learner.add(std::vector<Example>{{1, true}, {2, false}});
    EXPECT_TRUE(learner.learned().criteria.empty());
    EXPECT_EQ(learner.learned().wrong, (std::vector<Example>{{2, false}}));
}

TEST(CriteriaLearner, ASideThatLeavesOutNothingIsOpen) {
    CriteriaLearner learner({columnOf<double>(AttributeId::mean, {0, 10, 20, 30, 40})},
                            columnOf<std::uint32_t>(AttributeId::area, {9, 5, 4, 3, 2}), std::nullopt,
                            LearnedSize::any);
    learner.add(std::vector<Example>{{2, true}, {1, false}});
    EXPECT_EQ(toString(learner.learned().criteria[0]), "mean>=15");
    learner.add(std::vector<Example>{{4, false}});
    EXPECT_EQ(toString(learner.learned().criteria[0]), "15<=mean<=30");
}

TEST(CriteriaLearner, DoesNotDependOnAnIncreasingScaleOfAnAttribute) {
    Random random(7);
    for (int run = 0; run < 300; ++run) {
        SCOPED_TRACE(run);
        const RandomColumns given(random);
        std::vector<Column> scaled;
        for (const Column& column : given.columns) {
            std::vector<double> values(column->size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = std::exp(column->at(i)) * 1000;
            }
            scaled.push_back(columnOf(column->id, values));
        }
        CriteriaLearner learner = given.learner();
        learner.add(given.examples);
        CriteriaLearner other(scaled, given.area, std::nullopt, LearnedSize::any);
        other.add(given.examples);
        EXPECT_EQ(other.learned().columns, learner.learned().columns);
        EXPECT_EQ(other.learned().margin, learner.learned().margin);
        EXPECT_EQ(other.learned().wrong, learner.learned().wrong);
    }
}

/// The definition of leastSure() for all nodes.
std::vector<UnsureNode> naiveLeastSure(const CriteriaLearner& learner, const std::vector<Column>& columns,
                                       const AttributeColumn& area, const ComponentTree& tree) {
    const LearnedCriteria& learned = learner.learned();
    const NodeSample sample = sampleNodes(area);
    double least = kInfinity;
    double most = 0;
    for (const Example& example : learner.examples()) {
        least = std::min(least, area.at(example.node) / 2);
        most = std::max(most, area.at(example.node) * 2);
    }
    std::vector<UnsureNode> nodes;
    for (std::uint32_t node = 1; node < tree.nodeCount(); ++node) {
        double inside = kInfinity;
        bool isDefined = true;
        for (std::size_t i = 0; i < learned.criteria.size(); ++i) {
            const AttributeColumn& column = *columns[learned.columns[i]];
            const RankScale scale(column, sample, std::nullopt);
            isDefined = isDefined && !std::isnan(column.at(node));
            const double rank = scale.rankOf(column.at(node));
            const Criterion& criterion = learned.criteria[i];
            inside = std::isinf(criterion.minimum) ? inside : std::min(inside, rank - scale.rankOf(criterion.minimum));
            inside = std::isinf(criterion.maximum) ? inside : std::min(inside, scale.rankOf(criterion.maximum) - rank);
        }
        if (isDefined && area.at(node) >= least && area.at(node) <= most) {
            nodes.push_back({node, learner.keeps(node), std::abs(inside), 0});
        }
    }
    std::ranges::stable_sort(nodes, {}, &UnsureNode::distance);
    std::vector<UnsureNode> chosen;
    for (const UnsureNode& near : nodes) {
        const auto isNested = [&](std::uint32_t other) {
            return tree.contains(near.node, other) || tree.contains(other, near.node);
        };
        const bool isTaken = std::ranges::any_of(chosen, isNested, &UnsureNode::node);
        const bool isLikeExample = std::ranges::any_of(learner.examples(), [&](const Example& example) {
            const double ratio = area.at(near.node) / area.at(example.node);
            return isNested(example.node) && ratio >= 0.5 && ratio <= 2;
        });
        if (!isTaken && !isLikeExample) {
            chosen.push_back(near);
        }
    }
    return chosen;
}

TEST(CriteriaLearner, NodesNextToABoundAreLeastSure) {
    Random random(8);
    std::array<int, 3> found{}; // near, farther, far
    for (int run = 0; run < 60; ++run) {
        SCOPED_TRACE(run);
        const auto session = makeCpuEngine()->openSession();
        session->open(run % 2 == 0 ? testing::randomImage(random, 24, 24) : testing::randomImage(random, 90, 70));
        session->buildTree({});
        const auto tree = session->tree();
        const auto nodes = static_cast<std::uint32_t>(tree->nodeCount());
        if (nodes < 8) {
            continue;
        }
        const Column area = session->attribute(AttributeId::area);
        const std::vector<Column> columns{area, session->attribute(AttributeId::elongation),
                                          session->attribute(AttributeId::contrast)};
        CriteriaLearner learner(columns, area, std::nullopt, run % 3 == 0 ? LearnedSize::ofKept : LearnedSize::any);
        learner.add(std::vector<Example>{{1 + random() % (nodes - 1), true}, {1 + random() % (nodes - 1), false}});
        const std::vector<UnsureNode> wanted = learner.learned().criteria.empty()
                                                   ? std::vector<UnsureNode>()
                                                   : naiveLeastSure(learner, columns, *area, *tree);
        for (const std::size_t count : {std::size_t{0}, std::size_t{2}, std::size_t{20}, std::size_t{nodes}}) {
            const std::vector<UnsureNode> unsure = learner.leastSure(*tree, count);
            ASSERT_EQ(unsure.size(), std::min(count, wanted.size()));
            for (std::size_t i = 0; i < unsure.size(); ++i) {
                EXPECT_EQ(unsure[i].node, wanted[i].node);
                EXPECT_EQ(unsure[i].isKept, wanted[i].isKept);
                EXPECT_DOUBLE_EQ(unsure[i].distance, wanted[i].distance);
                EXPECT_LT(unsure[i].criterion, learner.learned().criteria.size());
                found[unsure[i].distance <= 1.0 / 128 ? 0 : unsure[i].distance <= 1.0 / 8 ? 1 : 2] += 1;
            }
        }
    }
    EXPECT_GT(*std::ranges::min_element(found), 50);
}

TEST(CriteriaLearner, RefusesWhatIsNoInput) {
    const Column area = columnOf<std::uint32_t>(AttributeId::area, {9, 5});
    EXPECT_THROW(CriteriaLearner({}, area, std::nullopt, LearnedSize::any), Error);
    EXPECT_THROW(CriteriaLearner({columnOf<double>(AttributeId::mean, {1})}, area, std::nullopt, LearnedSize::any),
                 Error);
    CriteriaLearner learner({area}, area, std::nullopt, LearnedSize::any);
    EXPECT_THROW(learner.add(std::vector<Example>{{2, true}}), Error);
    EXPECT_TRUE(learner.examples().empty());
    std::stop_source stop;
    stop.request_stop();
    const JobControl stopped{stop.get_token()};
    EXPECT_THROW(CriteriaLearner({area}, area, std::nullopt, LearnedSize::any, stopped), Cancelled);
    EXPECT_THROW(learner.add(std::vector<Example>{{0, true}, {1, false}}, stopped), Cancelled);
    EXPECT_TRUE(learner.examples().empty());
}

TEST(RankScale, EveryOctaveOfAreaHasTheSameWeight) {
    Random random(9);
    for (const std::size_t nodes : {std::size_t{1}, std::size_t{3}, std::size_t{200}}) {
        std::vector<std::uint32_t> areas(nodes);
        std::vector<double> values(nodes);
        for (std::size_t i = 0; i < nodes; ++i) {
            areas[i] = 1 + random() % 1000;
            values[i] = random() % 20;
        }
        const Column area = columnOf(AttributeId::area, areas);
        const Column mean = columnOf(AttributeId::mean, values);
        const RankScale scale(*mean, sampleNodes(*area), std::nullopt);
        for (double value = -1; value < 21; value += 0.5) {
            EXPECT_NEAR(scale.rankOf(value), naiveRank(*mean, *area, value), 1e-12) << value;
        }
    }
}

TEST(RankScale, ValuesAboveAndBelowARankAreThoseOfTheSample) {
    Random random(12);
    std::vector<double> values(40);
    for (double& value : values) {
        value = random() % 15;
    }
    const RankScale scale(*columnOf(AttributeId::mean, values),
                          sampleNodes(*columnOf(AttributeId::area, std::vector<std::uint32_t>(40, 1))), std::nullopt);
    for (double rank = -0.1; rank < 1.1; rank += 0.01) {
        double above = kInfinity;
        double below = -kInfinity;
        for (const double value : values) {
            above = scale.rankOf(value) > rank ? std::min(above, value) : above;
            below = scale.rankOf(value) < rank ? std::max(below, value) : below;
        }
        const double foundAbove = scale.valueAbove(rank);
        const double foundBelow = scale.valueBelow(rank);
        EXPECT_TRUE(foundAbove == above || (std::isinf(above) && std::isnan(foundAbove))) << rank;
        EXPECT_TRUE(foundBelow == below || (std::isinf(below) && std::isnan(foundBelow))) << rank;
    }
    EXPECT_EQ(scale.valueAbove(-kInfinity), *std::ranges::min_element(values));
    EXPECT_EQ(scale.valueBelow(kInfinity), *std::ranges::max_element(values));
}

TEST(RankScale, SamplesAtMostAFixedNumberOfNodesOfAnOctave) {
    std::vector<std::uint32_t> areas(10'000, 1);
    areas.insert(areas.begin(), {70, 65});
    const NodeSample sample = sampleNodes(*columnOf(AttributeId::area, areas));
    ASSERT_EQ(sample.nodes.size(), NodeSample::kNodesPerOctave + 2);
    EXPECT_TRUE(std::ranges::is_sorted(sample.nodes));
    EXPECT_EQ(sample.weights[0], 0.25);
    EXPECT_EQ(sample.weights[2], 0.5 / NodeSample::kNodesPerOctave);
    EXPECT_GT(sample.nodes.back(), 9'900U);
}

TEST(ShortBound, LiesInTheMiddleHalfWithFewDigits) {
    EXPECT_EQ(shortBound(100, 60, true, false), 80);
    EXPECT_EQ(shortBound(100, 99, true, false), 100);
    EXPECT_EQ(shortBound(100, 101, true, false), 100);
    EXPECT_EQ(shortBound(10, 11, false, false), 10.5);
    EXPECT_EQ(shortBound(1000, 10, true, true), 100);
    EXPECT_EQ(shortBound(-3, 5, false, true), 0);
    EXPECT_EQ(shortBound(0.71, 0.52, false, false), 0.6);
    EXPECT_EQ(shortBound(0.6213, 0.6217, false, false), 0.6215);
    EXPECT_EQ(shortBound(-0.31, -0.29, false, false), -0.3);
    Random random(10);
    for (int run = 0; run < 20'000; ++run) {
        const double scale = std::pow(10.0, static_cast<double>(random() % 20) - 10);
        const double inside = (static_cast<double>(random() % 20'001) - 10'000) * scale;
        const double outside = (static_cast<double>(random() % 20'001) - 10'000) * scale;
        if (inside == outside) {
            continue;
        }
        const double bound = shortBound(inside, outside, false, random() % 2 == 0);
        EXPECT_TRUE(inside < outside ? inside <= bound && bound < outside : outside < bound && bound <= inside)
            << inside << ' ' << outside << ' ' << bound;
    }
    const double next = std::nextafter(1.0, 2.0);
    EXPECT_EQ(shortBound(1, next, false, false), 1);
    EXPECT_EQ(shortBound(next, 1, false, false), next);
}

} // namespace
} // namespace pollard
