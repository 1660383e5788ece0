#pragma once

#include "exercises/exercise.hpp"

#include <vector>

namespace pollard::teach {

/// What an exercise says, from all else in it.
[[nodiscard]] std::vector<Sentence> sentencesOf(const Exercise& exercise);

} // namespace pollard::teach
