#pragma once

#include "io/image_file.hpp"
#include "io/read_support.hpp"
#include "io/samples/value_levels.hpp"

#include <memory>
#include <optional>

namespace pollard {

/// Maps values to an image with its mask, and adds the facts about both to @p info.
/// @throws Error(invalidArgument) for an invalid mapping choice, naming the file; Cancelled
[[nodiscard]] LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                                        const ValueGaps& gaps, ImageInfo info, const JobControl& control);

/// Adds a note if the automatic choice gave different values one level, in place of such a note.
void noteLostValues(const MappingChoice& choice, ImageInfo& info);

/// Adds the facts about the values of another part with the same mapping.
void addValues(std::optional<ValueMapping>& all, const std::optional<ValueMapping>& part);

/// @p mask, or null if all its pixels are set; sets @p invalid to the number of unset pixels.
[[nodiscard]] std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid);

} // namespace pollard
