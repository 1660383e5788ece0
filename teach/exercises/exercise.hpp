#pragma once

#include "filter/filter_spec.hpp"
#include "trace/trace.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pollard::teach {

/// What a student is asked.
enum class Question : std::uint8_t {
    parents,  ///< draw the tree: which pixel does every pixel point to?
    kept,     ///< which nodes does a rule keep?
    filtered, ///< what are the levels of the filtered picture?
    labels,   ///< which objects are there at a threshold?
};
inline constexpr std::array kAllQuestions{Question::parents, Question::kept, Question::filtered, Question::labels};

/// A sentence of an exercise.
struct Sentence {
    const char* text; ///< POLLARD_TEACH; %1 to %4 stand for the values
    std::array<Value, 4> values{};

    bool operator==(const Sentence&) const = default;
};

/// A small picture, a question and its answer, which the CPU engine gives.
struct Exercise {
    Question question = Question::parents;
    std::uint32_t seed = 0;
    LabPicture picture;
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    FilterSpec filter;           ///< of Question::kept and filtered: one criterion and the rule
    std::uint16_t threshold = 0; ///< of Question::labels: objects are pixels of at least this level
    std::vector<Sentence> text;
    /// Per pixel: its parent; 1 = kept or 0 = removed, of canonical pixels; its level; its label, 0 = background.
    /// -1 where nothing is asked.
    std::vector<std::int64_t> answer;

    bool operator==(const Exercise&) const = default;
};

/// The same for the same seed, on every machine. Never trivial: the tree has 4 to 8 nodes and more than two levels of
/// depth, filters keep some of them and remove some, and there are 2 to 5 objects.
[[nodiscard]] Exercise makeExercise(Question question, std::uint32_t seed);

/// Exercises for a sheet of paper: all questions in turn, from seeds that follow from @p seed.
[[nodiscard]] std::vector<Exercise> makeExercises(std::uint32_t seed, std::size_t count);

/// Pixels where an answer is wrong. What is not asked is not looked at; labels may be any numbers above 0 that are the
/// same within objects and differ between them.
/// @param given per pixel, of the picture's size, as Exercise::answer
[[nodiscard]] std::vector<std::uint32_t> mistakesIn(const Exercise& exercise, const std::vector<std::int64_t>& given);

} // namespace pollard::teach
