#include "player/exercise.hpp"

#include "players/players.hpp"
#include "teach/label_lab.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace pollard::teach {
namespace {

constexpr std::uint32_t kSeeds = 500;

class Exercises : public ::testing::TestWithParam<Question> {};

TEST_P(Exercises, AreTheSameForTheSameSeed) {
    std::set<std::vector<std::uint16_t>> images;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        const Exercise exercise = makeExercise(GetParam(), seed);
        EXPECT_TRUE(exercise == makeExercise(GetParam(), seed));
        EXPECT_EQ(exercise.seed, seed);
        EXPECT_EQ(exercise.answer.size(), exercise.image.pixelCount());
        EXPECT_GE(exercise.text.size(), 2U);
        images.insert(exercise.image.levels);
    }
    EXPECT_GT(images.size(), 95U);
}

TEST_P(Exercises, AcceptTheirAnswerAlone) {
    testing::Random random(71);
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        const Exercise exercise = makeExercise(GetParam(), seed);
        EXPECT_TRUE(mistakesIn(exercise, exercise.answer).empty());
        std::vector<std::int64_t> given = exercise.answer;
        const auto at = static_cast<std::uint32_t>(random() % given.size());
        if (given[at] >= 0) {
            given[at] = given[at] == 0 ? 100 : 0; // any number but 0 is right for an object of one pixel
            EXPECT_FALSE(mistakesIn(exercise, given).empty()) << "seed " << seed;
        }
    }
}

TEST_P(Exercises, ShowTheirValues) {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        for (const Sentence& sentence : makeExercise(GetParam(), seed).text) {
            const std::string text = sentence.text;
            for (std::size_t v = 0; v < sentence.values.size(); ++v) {
                const bool isShown = text.find("%" + std::to_string(v + 1)) != std::string::npos;
                EXPECT_EQ(isShown, sentence.values[v] != Value{}) << text;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AllQuestions, Exercises, ::testing::ValuesIn(kAllQuestions));

/// The end of a player's trace.
std::vector<std::int64_t> played(const PlayerInfo& player, const Exercise& exercise, Layer layer) {
    PlayerSpec spec;
    spec.kind = exercise.kind;
    spec.connectivity = exercise.connectivity;
    spec.filter = exercise.filter;
    TraceCursor cursor(std::make_shared<const Trace>(player.record(exercise.image, spec)));
    cursor.moveTo(cursor.trace().steps.size());
    return cursor.layer(layer);
}

TEST(ExerciseAnswers, AreThoseOfThePlayers) {
    std::set<Rule> rules;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        const Exercise tree = makeExercise(Question::parents, seed);
        EXPECT_EQ(tree.answer, played(*findPlayer("union-find"), tree, Layer::parent));
        const Exercise kept = makeExercise(Question::kept, seed);
        const auto& rule = filterPlayers().at(static_cast<std::size_t>(kept.filter.rule));
        EXPECT_EQ(kept.answer, played(rule, kept, Layer::kept));
        EXPECT_GT(std::ranges::count(kept.answer, 0), 0);
        EXPECT_GT(std::ranges::count(kept.answer, 1), 1);
        rules.insert(kept.filter.rule);
        const Exercise filtered = makeExercise(Question::filtered, seed);
        const auto& otherRule = filterPlayers().at(static_cast<std::size_t>(filtered.filter.rule));
        EXPECT_EQ(filtered.answer, played(otherRule, filtered, Layer::output));
        EXPECT_FALSE(std::ranges::equal(filtered.answer, filtered.image.levels));
    }
    EXPECT_EQ(rules.size(), kAllRules.size());
}

TEST(ExerciseAnswers, NumberObjectsAsFloodingDoes) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        const Exercise exercise = makeExercise(Question::labels, seed);
        if (exercise.connectivity != Connectivity::four) {
            continue;
        }
        Mask mask(exercise.image.width, exercise.image.height, false);
        for (std::uint32_t p = 0; p < exercise.image.pixelCount(); ++p) {
            mask.set(p % mask.width(), p / mask.width(), exercise.image.levels[p] >= exercise.threshold);
        }
        const auto flooded = testing::floodedLabels(mask);
        EXPECT_TRUE(std::ranges::equal(exercise.answer, flooded));
    }
}

TEST(ExerciseAnswers, OfLabelsMayHaveAnyNumbers) {
    const Exercise exercise = makeExercise(Question::labels, 3);
    std::vector<std::int64_t> given = exercise.answer;
    for (std::int64_t& label : given) {
        label = label == 0 ? 0 : 50 - label;
    }
    EXPECT_TRUE(mistakesIn(exercise, given).empty());
    std::ranges::replace(given, 49, 48); // two objects with one number
    EXPECT_FALSE(mistakesIn(exercise, given).empty());
    std::ranges::replace(given, 48, 0);
    EXPECT_FALSE(mistakesIn(exercise, given).empty());
}

TEST(ExerciseAnswers, AreForTheBoundsThatTheTextStates) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        const Exercise exercise = makeExercise(Question::kept, seed);
        const Criterion& criterion = exercise.filter.criteria.front();
        const auto& values = exercise.text.at(2).values;
        EXPECT_EQ(values[0], numberValue(std::llround(criterion.minimum)));
        const bool isOne = criterion.minimum == criterion.maximum; // "3 px", not "3 to 3 px"
        EXPECT_EQ(values[1],
                  isOne || std::isinf(criterion.maximum) ? Value{} : numberValue(std::llround(criterion.maximum)));
        EXPECT_EQ(isOne, std::string_view(exercise.text.at(2).text).ends_with("its area is %1 px."));
    }
}

TEST(Exercises, AreOfTheAskedDifficulty) {
    const auto nodes = [](const Exercise& exercise) {
        const auto isCanonical = [&](std::size_t pixel) { // the pixels to which others or, for the root, they point
            return std::ranges::find(exercise.answer, static_cast<std::int64_t>(pixel)) != exercise.answer.end();
        };
        std::set<std::size_t> found;
        for (std::size_t pixel = 0; pixel < exercise.answer.size(); ++pixel) {
            const auto parent = static_cast<std::size_t>(exercise.answer[pixel]);
            const bool differs = exercise.image.levels[parent] != exercise.image.levels[pixel];
            if (isCanonical(pixel) || parent == pixel || differs) {
                found.insert(pixel);
            }
        }
        return found.size();
    };
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        const Exercise easy = makeExercise(Question::parents, seed, Difficulty::easy);
        const Exercise hard = makeExercise(Question::parents, seed, Difficulty::hard);
        EXPECT_TRUE(nodes(easy) == 4 || nodes(easy) == 5) << nodes(easy);
        EXPECT_TRUE(nodes(hard) >= 9 && nodes(hard) <= 16) << nodes(hard);
        EXPECT_LT(easy.image.pixelCount(), hard.image.pixelCount());
        for (const Question question : kAllQuestions) {
            const Exercise exercise = makeExercise(question, seed, Difficulty::hard);
            EXPECT_EQ(exercise.difficulty, Difficulty::hard);
            EXPECT_TRUE(mistakesIn(exercise, exercise.answer).empty());
        }
        EXPECT_EQ(makeExercise(Question::kept, seed), makeExercise(Question::kept, seed, Difficulty::usual));
    }
}

TEST(ExerciseSheets, AskOnlyWhatIsChosen) {
    const std::array chosen{Question::labels, Question::kept};
    const std::vector<Exercise> sheet = makeExercises(9, 5, chosen, Difficulty::easy);
    ASSERT_EQ(sheet.size(), 5U);
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        EXPECT_EQ(sheet[i].question, chosen[i % 2]);
        EXPECT_EQ(sheet[i].difficulty, Difficulty::easy);
    }
}

TEST(ExerciseSheets, HaveAllQuestionsInTurn) {
    const std::vector<Exercise> sheet = makeExercises(9, 10);
    ASSERT_EQ(sheet.size(), 10U);
    std::set<std::uint32_t> seeds;
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        EXPECT_EQ(sheet[i].question, kAllQuestions[i % kAllQuestions.size()]);
        EXPECT_TRUE(sheet[i] == makeExercise(sheet[i].question, sheet[i].seed));
        seeds.insert(sheet[i].seed);
    }
    EXPECT_EQ(seeds.size(), 10U);
    EXPECT_FALSE(makeExercises(10, 1).front() == sheet.front());
}

} // namespace
} // namespace pollard::teach
