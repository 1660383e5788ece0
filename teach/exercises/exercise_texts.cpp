#include "exercises/exercise_texts.hpp"

#include "trace/text.hpp"
#include "trace/values.hpp"

#include <cmath>

namespace pollard::teach {
namespace {

constexpr const char* kSides = POLLARD_TEACH("Pixels are neighbours if they share a side.");
constexpr const char* kCorners = POLLARD_TEACH("Pixels are neighbours if they share a side or a corner.");

constexpr const char* kMaxTree = POLLARD_TEACH("Draw the max-tree of this picture (bright components).");
constexpr const char* kMinTree = POLLARD_TEACH("Draw the min-tree of this picture (dark components).");
constexpr const char* kPointers =
    POLLARD_TEACH("Pixels of a node point to its last pixel in reading order, and that points to the last pixel of the "
                  "node above. Which pixel does each pixel point to?");

constexpr const char* kFilterMax = POLLARD_TEACH("The max-tree of this picture is filtered (bright components).");
constexpr const char* kFilterMin = POLLARD_TEACH("The min-tree of this picture is filtered (dark components).");
constexpr const char* kAtLeast = POLLARD_TEACH("A node meets the criterion if its area is at least %1 px.");
constexpr const char* kBetween = POLLARD_TEACH("A node meets the criterion if its area is %1 to %2 px.");
constexpr const char* kWhichKept =
    POLLARD_TEACH("Which nodes are kept? Mark the last pixel of each in reading order. The root always stays.");
constexpr const char* kWhichLevels =
    POLLARD_TEACH("Which level does each pixel of the filtered picture have? The root always stays.");

constexpr const char* kObjects =
    POLLARD_TEACH("Objects are connected pixels of at least level %1. Number them in the order of their first pixels.");

Sentence sentence(const char* text) { return {text, {}}; }

Sentence criterionOf(const Exercise& exercise) {
    const Criterion& criterion = exercise.filter.criteria.front();
    const Value least = numberValue(std::llround(criterion.minimum));
    if (std::isinf(criterion.maximum)) {
        return {kAtLeast, {least}};
    }
    return {kBetween, {least, numberValue(std::llround(criterion.maximum))}};
}

} // namespace

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

} // namespace pollard::teach
