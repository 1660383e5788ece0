#include "player/exercise.hpp"

#include "components/components.hpp"
#include "components/threshold.hpp"
#include "filter/node_decision.hpp"
#include "player/lab_tree.hpp"
#include "player/player.hpp"
#include "trace/trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace pollard::teach {

namespace {

constexpr const char* kSides = POLLARD_TEACH("Pixels are neighbours if they share a side.");
constexpr const char* kCorners = POLLARD_TEACH("Pixels are neighbours if they share a side or a corner.");

constexpr const char* kMaxTree = POLLARD_TEACH("Draw the max-tree of this image (bright components).");
constexpr const char* kMinTree = POLLARD_TEACH("Draw the min-tree of this image (dark components).");
constexpr const char* kPointers =
    POLLARD_TEACH("Pixels of a node point to its last pixel in reading order, and that points to the last pixel of the "
                  "node above. Which pixel does each pixel point to?");

constexpr const char* kFilterMax = POLLARD_TEACH("The max-tree of this image is filtered (bright components).");
constexpr const char* kFilterMin = POLLARD_TEACH("The min-tree of this image is filtered (dark components).");
constexpr const char* kAtLeast = POLLARD_TEACH("A node meets the criterion if its area is at least %1 px.");
constexpr const char* kExactly = POLLARD_TEACH("A node meets the criterion if its area is %1 px.");
constexpr const char* kBetween = POLLARD_TEACH("A node meets the criterion if its area is %1 to %2 px.");
constexpr const char* kWhichKept =
    POLLARD_TEACH("Which nodes are kept? Mark the last pixel of each in reading order. The root always stays.");
constexpr const char* kWhichLevels =
    POLLARD_TEACH("Which level does each pixel of the filtered image have? The root always stays.");

constexpr const char* kObjects =
    POLLARD_TEACH("Objects are connected pixels of at least level %1. Number them in the order of their first pixels.");

Sentence sentence(const char* text) { return {text, {}}; }

Sentence criterionOf(const Exercise& exercise) {
    const Criterion& criterion = exercise.filter.criteria.front();
    const Value least = numberValue(std::llround(criterion.minimum));
    if (std::isinf(criterion.maximum)) {
        return {kAtLeast, {least}};
    }
    if (criterion.maximum == criterion.minimum) {
        return {kExactly, {least}};
    }
    return {kBetween, {least, numberValue(std::llround(criterion.maximum))}};
}

using Random = std::mt19937; // equal numbers on every platform, unlike the standard library's distributions

PlayerSpec specOf(const Exercise& exercise) {
    PlayerSpec spec;
    spec.kind = exercise.kind;
    spec.connectivity = exercise.connectivity;
    return spec;
}

/// Sizes of an exercise.
struct Sizes {
    std::uint32_t side;      ///< least width of the image, one more than its least height
    std::uint32_t levels;    ///< fewest
    std::size_t fewestNodes; ///< of the tree
    std::size_t mostNodes;   ///< of the tree
    std::uint32_t mostObjects;
};

Sizes sizesOf(Difficulty difficulty) {
    switch (difficulty) {
    case Difficulty::easy:
        return {3, 3, 4, 5, 3};
    case Difficulty::hard:
        return {6, 5, 9, 16, 8};
    case Difficulty::usual:
        break;
    }
    return {4, 4, 4, 8, 5};
}

LabImage drawImage(Random& random, const Sizes& sizes) {
    const auto width = sizes.side + static_cast<std::uint32_t>(random() % 2);
    LabImage image{width, std::max(3U, sizes.side - 1) + static_cast<std::uint32_t>(random() % 2), {}};
    const auto levels = sizes.levels + random() % 3;
    for (std::size_t p = 0; p < image.pixelCount(); ++p) {
        image.levels.push_back(static_cast<std::uint16_t>(random() % levels));
    }
    return image;
}

bool isWorthDrawing(const Exercise& exercise, const ComponentTree& tree) {
    const Sizes sizes = sizesOf(exercise.difficulty);
    return tree.nodeCount() >= sizes.fewestNodes && tree.nodeCount() <= sizes.mostNodes && tree.depth >= 2 &&
           tree.leafCount >= 2;
}

/// A criterion on the area, with one or two bounds.
Criterion drawCriterion(Random& random, std::size_t pixels) {
    Criterion criterion;
    criterion.attribute = AttributeId::area;
    criterion.minimum = static_cast<double>(2 + random() % 3);
    if (random() % 2 == 0) {
        criterion.maximum = criterion.minimum + static_cast<double>(random() % (pixels / 2));
    }
    return criterion;
}

/// @return whether the question is suitable
bool askForParents(Exercise& exercise, const LabTree& lab) {
    const Buffer<std::uint32_t> parents = canonicalParentImage(lab.tree());
    exercise.answer.assign(parents.begin(), parents.end());
    return isWorthDrawing(exercise, lab.tree());
}

bool askForKept(Exercise& exercise, const LabTree& lab) {
    const ComponentTree& tree = lab.tree();
    const NodeDecision decision = decideNodes(tree, exercise.filter, lab.columns(exercise.filter), {});
    exercise.answer.assign(tree.pixelCount(), -1);
    for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
        exercise.answer[tree.canonical[n]] = decision.keep[n];
    }
    const auto kept = std::ranges::count(decision.keep, 1);
    return isWorthDrawing(exercise, tree) && kept >= 2 && kept < static_cast<std::ptrdiff_t>(tree.nodeCount());
}

bool askForFiltered(Exercise& exercise, const LabTree& lab) {
    const bool isWorthIt = askForKept(exercise, lab); // then the image changes, but not to one level
    exercise.answer = lab.filtered(exercise.filter);
    return isWorthIt;
}

bool askForLabels(Exercise& exercise) {
    ComponentsSpec spec;
    spec.connectivity = exercise.connectivity;
    const Components objects = labelComponents(
        thresholdMask(imageOf(exercise.image), exercise.threshold, std::numeric_limits<std::uint16_t>::max(), nullptr),
        nullptr, spec);
    exercise.answer.assign(objects.labels.begin(), objects.labels.end());
    const bool hasLarge = std::ranges::any_of(objects.objects, [](const auto& object) { return object.area >= 4; });
    return objects.count >= 2 && objects.count <= sizesOf(exercise.difficulty).mostObjects && hasLarge;
}

/// Draws an exercise. @return whether it is suitable
bool draw(Exercise& exercise, Random& random) {
    exercise.image = drawImage(random, sizesOf(exercise.difficulty));
    exercise.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
    if (exercise.question == Question::labels) {
        exercise.threshold = static_cast<std::uint16_t>(2 + random() % 2);
        return askForLabels(exercise);
    }
    exercise.kind = random() % 4 == 0 ? TreeKind::min : TreeKind::max;
    const LabTree lab(exercise.image, specOf(exercise));
    if (exercise.question == Question::parents) {
        return askForParents(exercise, lab);
    }
    exercise.filter.criteria = {drawCriterion(random, exercise.image.pixelCount())};
    exercise.filter.rule = kAllRules[random() % kAllRules.size()];
    return exercise.question == Question::kept ? askForKept(exercise, lab) : askForFiltered(exercise, lab);
}

/// Composes the sentences of an exercise from its other members.
std::vector<Sentence> sentencesOf(const Exercise& exercise) {
    const bool isMax = exercise.kind == TreeKind::max;
    const Sentence neighbours = sentence(exercise.connectivity == Connectivity::four ? kSides : kCorners);
    switch (exercise.question) {
    case Question::parents:
        return {sentence(isMax ? kMaxTree : kMinTree), neighbours, sentence(kPointers)};
    case Question::kept:
    case Question::filtered:
        return {sentence(isMax ? kFilterMax : kFilterMin), neighbours, criterionOf(exercise),
                sentence(ruleInfo(exercise.filter.rule).exercise),
                sentence(exercise.question == Question::kept ? kWhichKept : kWhichLevels)};
    case Question::labels:
        return {neighbours, {kObjects, {levelValue(exercise.threshold)}}};
    }
    return {};
}

} // namespace

Exercise makeExercise(Question question, std::uint32_t seed, Difficulty difficulty) {
    Random random(seed);
    Exercise exercise;
    exercise.question = question;
    exercise.seed = seed;
    exercise.difficulty = difficulty;
    while (!draw(exercise, random)) {
    }
    exercise.text = sentencesOf(exercise);
    return exercise;
}

std::vector<Exercise> makeExercises(std::uint32_t seed, std::size_t count, std::span<const Question> questions,
                                    Difficulty difficulty) {
    Random random(seed);
    std::vector<Exercise> exercises;
    while (exercises.size() < count) {
        const Question question = questions[exercises.size() % questions.size()];
        exercises.push_back(makeExercise(question, static_cast<std::uint32_t>(random()), difficulty));
    }
    return exercises;
}

std::vector<std::uint32_t> mistakesIn(const Exercise& exercise, const std::vector<std::int64_t>& given) {
    std::vector<std::uint32_t> wrong;
    std::map<std::int64_t, std::int64_t> givenTo{{0, 0}};  // label in the answer -> number given by the student
    std::map<std::int64_t, std::int64_t> answerOf{{0, 0}}; // and the inverse
    for (std::uint32_t p = 0; p < exercise.answer.size(); ++p) {
        const std::int64_t answer = exercise.answer[p];
        bool isRight = answer == given.at(p);
        if (exercise.question == Question::labels) {
            const std::int64_t expected = givenTo.try_emplace(answer, given[p]).first->second;
            isRight = expected == given[p] && answerOf.try_emplace(given[p], answer).first->second == answer;
        }
        if (answer >= 0 && !isRight) {
            wrong.push_back(p);
        }
    }
    return wrong;
}

} // namespace pollard::teach
