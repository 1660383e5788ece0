#include "learn/forest_learner.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "core/recipe/recipe_support.hpp"
#include "engine/engine.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_units.hpp"
#include "filter/forest.hpp"
#include "image/value_mapping.hpp"
#include "learn/criteria_learner.hpp"
#include "support/random_images.hpp"
#include "tree/component_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace pollard {
namespace {

using testing::Random;

/// A tree of an image, and a learner with its attributes.
struct Lesson {
    std::unique_ptr<Session> session = testing::cpu().openSession();

    explicit Lesson(const std::shared_ptr<const Image>& image, const std::optional<ValueMapping>& mapping = {}) {
        session->open(image, nullptr, mapping);
        (void)session->buildTree({});
    }
    [[nodiscard]] const ComponentTree& tree() const { return *session->tree(); }
    [[nodiscard]] ForestLearner learner(LearnedSize sizes = LearnedSize::ofKept,
                                        const std::vector<AttributeId>& ids = attributesToLearn(false)) const {
        LearnedColumns columns;
        for (const AttributeId id : ids) {
            columns.push_back(session->attribute(id));
        }
        return {session->tree(), columns, session->attribute(AttributeId::area), session->mapping(), sizes};
    }
    [[nodiscard]] std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
        return tree().pixelNode[std::size_t{y} * tree().width + x];
    }
    /// The nodes that the result keeps as a filter.
    [[nodiscard]] Buffer<std::uint8_t> kept(const LearnedCriteria& learned) const {
        FilterSpec spec;
        spec.criteria = learned.criteria;
        spec.forest = learned.forest;
        spec = inPixels(spec, {std::nullopt, session->mapping()});
        return meetForest(tree(), spec, columnsOf(spec, [&](AttributeId id) { return session->attribute(id); }), {});
    }
};

/// Squares of 6 x 6 px in the first columns of a grid of 12 px, and bars of 12 x 3 px in the others, on a ramp.
std::shared_ptr<Image> squaresAndBars(std::uint32_t seed) {
    Random random(seed);
    auto image = std::make_shared<Image>(PixelType::u8, 120, 60);
    const auto pixels = image->pixels<std::uint8_t>();
    for (std::uint32_t y = 0; y < 60; ++y) {
        for (std::uint32_t x = 0; x < 120; ++x) {
            const std::uint32_t inX = x % 15;
            const std::uint32_t inY = y % 12;
            const bool isObject = x < 60 ? inX < 6 && inY < 6 : inX < 12 && inY < 3;
            pixels[std::size_t{y} * 120 + x] = static_cast<std::uint8_t>((isObject ? 100 : 10) + random() % 30);
        }
    }
    return image;
}

/// The component of all connected pixels from 100 on.
std::uint32_t objectAt(const Lesson& lesson, std::uint32_t x, std::uint32_t y) {
    std::uint32_t node = lesson.at(x, y);
    while (lesson.tree().level[lesson.tree().parent[node]] >= 100) {
        node = lesson.tree().parent[node];
    }
    return node;
}

TEST(ForestLearner, TellsApartWhatAnAttributeTellsApart) {
    const Lesson lesson(squaresAndBars(1));
    ForestLearner learner = lesson.learner();
    EXPECT_TRUE(learner.add(std::vector<Example>{{objectAt(lesson, 1, 1), true},
                                                 {objectAt(lesson, 16, 13), true},
                                                 {objectAt(lesson, 61, 1), false},
                                                 {objectAt(lesson, 76, 13), false}}));
    EXPECT_TRUE(learner.learned().wrong.empty());
    EXPECT_EQ(learner.learned().criteria.size(), 1U);
    EXPECT_EQ(learner.learned().forest.trees.size(), ForestLearner::kTrees);
    EXPECT_EQ(forestProblem(learner.learned().forest), "");
    for (const std::uint32_t seed : {1U, 2U, 3U}) { // images that it has not seen, too
        const Lesson other(squaresAndBars(seed));
        const Buffer<std::uint8_t> kept = other.kept(learner.learned());
        for (std::uint32_t y = 1; y < 60; y += 12) {
            for (std::uint32_t x = 1; x < 120; x += 15) {
                EXPECT_EQ(kept[objectAt(other, x, y)], x < 60 ? 1 : 0) << x << ", " << y << " of " << seed;
            }
        }
    }
}

TEST(ForestLearner, DecidesAsTheFilterDoes) {
    Random random(8);
    std::size_t kept = 0;
    for (int run = 0; run < 30; ++run) {
        ValueMapping mapping;
        mapping.step = 0.25;
        mapping.offset = -20;
        const Lesson lesson(testing::makeImage(PixelType::u8, 40, 30, [&](auto, auto) { return random() % 40; }),
                            run % 2 == 0 ? std::optional(mapping) : std::nullopt);
        ForestLearner learner = lesson.learner(run % 3 == 0 ? LearnedSize::any : LearnedSize::ofKept);
        std::vector<Example> examples;
        for (int i = 0; i < 12; ++i) {
            const auto nodes = static_cast<std::uint32_t>(lesson.tree().nodeCount());
            examples.push_back({1 + random() % (nodes - 1), i % 2 == 0});
        }
        learner.add(examples);
        const Buffer<std::uint8_t> decided = lesson.kept(learner.learned());
        for (std::uint32_t node = 0; node < decided.size(); ++node) {
            ASSERT_EQ(decided[node] != 0, learner.keeps(node)) << "run " << run << ", node " << node;
            kept += decided[node];
        }
    }
    EXPECT_GT(kept, 100U);
}

TEST(ForestLearner, AnExampleThatAgreesChangesNothing) {
    const Lesson lesson(squaresAndBars(4));
    ForestLearner learner = lesson.learner();
    EXPECT_FALSE(learner.add(std::vector<Example>{{objectAt(lesson, 1, 1), true}}));
    EXPECT_TRUE(learner.add(std::vector<Example>{{objectAt(lesson, 61, 1), false}}));
    const LearnedCriteria before = learner.learned();
    const std::uint32_t next = objectAt(lesson, 31, 25);
    EXPECT_FALSE(learner.add(std::vector<Example>{{next, learner.keeps(next)}}));
    EXPECT_EQ(learner.learned(), before);
    EXPECT_EQ(learner.examples().size(), 3U);
    EXPECT_TRUE(learner.add(std::vector<Example>{{next, !learner.keeps(next)}}));
    EXPECT_NE(learner.learned(), before);
}

TEST(ForestLearner, TheSameExamplesGiveTheSameForest) {
    const Lesson lesson(squaresAndBars(5));
    const std::vector<Example> examples{{objectAt(lesson, 1, 1), true}, {objectAt(lesson, 61, 1), false}};
    ForestLearner first = lesson.learner();
    ForestLearner second = lesson.learner();
    first.add(examples);
    second.add(examples);
    EXPECT_EQ(first.learned(), second.learned());
    std::size_t different = 0;
    for (const DecisionTree& tree : first.learned().forest.trees) {
        different += tree == first.learned().forest.trees.front() ? 0 : 1;
    }
    EXPECT_GT(different, ForestLearner::kTrees / 2);
}

TEST(ForestLearner, WhatNoAttributeTellsApartHasNoForest) {
    const auto image = testing::makeImage(PixelType::u8, 16, 5,
                                          [](auto x, auto y) { return x % 8 > 2 && x % 8 < 5 && y == 2 ? 9 : 0; });
    const Lesson lesson(image);
    ForestLearner learner = lesson.learner(LearnedSize::any, {AttributeId::area, AttributeId::mean});
    learner.add(std::vector<Example>{{lesson.at(3, 2), true}, {lesson.at(11, 2), false}});
    ASSERT_TRUE(learner.hasLearned());
    EXPECT_EQ(learner.learned().wrong.size(), 1U);
}

TEST(ForestLearner, RefusesWhatIsNoInput) {
    const Lesson lesson(squaresAndBars(6));
    ForestLearner learner = lesson.learner();
    EXPECT_THROW(learner.add(std::vector<Example>{{1U << 30U, true}}), Error);
    EXPECT_TRUE(learner.examples().empty());
    const auto area = lesson.session->attribute(AttributeId::area);
    EXPECT_THROW((ForestLearner{lesson.session->tree(), {}, area, {}, LearnedSize::any}), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(learner.add(std::vector<Example>{{objectAt(lesson, 1, 1), true}, {objectAt(lesson, 61, 1), false}},
                             JobControl(stop.get_token())),
                 Cancelled);
    EXPECT_TRUE(learner.examples().empty());
}

} // namespace
} // namespace pollard
