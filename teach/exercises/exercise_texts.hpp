#pragma once

#include "exercises/exercise.hpp"

#include <vector>

namespace pollard::teach {

/// The sentences of an exercise, from its other members.
[[nodiscard]] std::vector<Sentence> sentencesOf(const Exercise& exercise);

} // namespace pollard::teach
