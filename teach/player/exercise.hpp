#pragma once

#include "filter/filter_spec.hpp"
#include "trace/trace.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::teach {

/// Question of an exercise.
enum class Question : std::uint8_t {
    parents,  ///< draw the tree: the pixel that each pixel points to
    kept,     ///< the nodes that a rule keeps
    filtered, ///< the levels of the filtered image
    labels,   ///< the objects at a threshold
};
inline constexpr std::array kAllQuestions{Question::parents, Question::kept, Question::filtered, Question::labels};

/// Size of the images and of their trees.
enum class Difficulty : std::uint8_t { easy, usual, hard };

/// A sentence of an exercise.
struct Sentence {
    const char* text; ///< POLLARD_TEACH; %1 to %4 stand for the values
    std::array<Value, 4> values{};

    bool operator==(const Sentence&) const = default;
};

/// A small image, a question, and its answer from the CPU engine.
struct Exercise {
    Question question = Question::parents;
    std::uint32_t seed = 0;
    Difficulty difficulty = Difficulty::usual;
    LabImage image;
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    FilterSpec filter;           ///< for Question::kept and filtered: one criterion and the rule
    std::uint16_t threshold = 0; ///< for Question::labels: objects are pixels of at least this level
    std::vector<Sentence> text;
    /// Per pixel, by question: its parent; for canonical pixels 1 = kept, 0 = removed; its level; or its label, 0 =
    /// background. -1 if nothing is asked about the pixel.
    std::vector<std::int64_t> answer;

    bool operator==(const Exercise&) const = default;
};

/// Makes an exercise, which is the same for the same arguments on every machine and never trivial: trees have 4 to 8
/// nodes (easy: 4 or 5; hard: 9 to 16), at least 2 leaves and a depth of at least 2, filters keep some nodes and remove
/// some, and there are 2 to 5 objects (easy: to 3; hard: to 8).
[[nodiscard]] Exercise makeExercise(Question question, std::uint32_t seed, Difficulty difficulty = Difficulty::usual);

/// Exercises for a sheet of paper, with seeds derived from @p seed. @param questions one or more, in turn
[[nodiscard]] std::vector<Exercise> makeExercises(std::uint32_t seed, std::size_t count,
                                                  std::span<const Question> questions = kAllQuestions,
                                                  Difficulty difficulty = Difficulty::usual);

/// Pixels with a wrong answer. Pixels without a question are ignored. Labels may be any positive numbers that are equal
/// within objects and differ between objects.
/// @param given one answer per pixel, as in Exercise::answer
[[nodiscard]] std::vector<std::uint32_t> mistakesIn(const Exercise& exercise, const std::vector<std::int64_t>& given);

} // namespace pollard::teach
