#pragma once

#include "exercises/exercise.hpp"
#include "trace/trace.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>

namespace pollard::vm {

/// A text of the room teach in the language of the window.
[[nodiscard]] QString teachText(const char* source);

/// "(3, 2)": column and row, from 0.
[[nodiscard]] QString pixelText(const teach::LabPicture& picture, std::int64_t pixel);

/// The letter of a virtual thread: A is number 0.
[[nodiscard]] QString threadName(std::int64_t thread);

/// A word of zeros and ones, the lowest bit, that of the leftmost pixel, first.
[[nodiscard]] QString bitsText(std::int64_t word, std::uint32_t bits);

/// A number of a caption as a person reads it.
/// @param wordBits of Value::Kind::bits
[[nodiscard]] QString valueText(const teach::Value& value, const teach::LabPicture& picture, std::uint32_t wordBits);

/// What a sentence of an exercise says, its values filled in.
[[nodiscard]] QString sentenceText(const teach::Sentence& sentence, const teach::LabPicture& picture);

/// What a step says, its values filled in.
[[nodiscard]] QString captionOf(const teach::Trace& trace, std::size_t step);

} // namespace pollard::vm
