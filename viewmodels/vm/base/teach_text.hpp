#pragma once

#include "player/exercise.hpp"
#include "trace/trace.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>

namespace pollard::vm {

/// A text of teach in the language of the window.
[[nodiscard]] QString teachText(const char* source);

/// "(3, 2)": column and row, from 0.
[[nodiscard]] QString pixelText(const teach::LabImage& picture, std::int64_t pixel);

/// The letter of a virtual thread: A for number 0.
[[nodiscard]] QString threadName(std::int64_t thread);

/// A word of zeros and ones, the lowest bit (leftmost pixel) first.
[[nodiscard]] QString bitsText(std::int64_t word, std::uint32_t bits);

/// A number of a caption for the user.
/// @param wordBits of Value::Kind::bits
[[nodiscard]] QString valueText(const teach::Value& value, const teach::LabImage& picture, std::uint32_t wordBits);

/// A sentence of an exercise with its values.
[[nodiscard]] QString sentenceText(const teach::Sentence& sentence, const teach::LabImage& picture);

/// The caption of a step with its values.
[[nodiscard]] QString captionOf(const teach::Trace& trace, std::size_t step);

} // namespace pollard::vm
