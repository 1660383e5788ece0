#pragma once

#include "io/image_file.hpp"
#include "io/read_support.hpp"
#include "io/samples/value_levels.hpp"

namespace pollard {

/// The image of values that need a mapping, with its mask and the facts about both added to @p info.
/// @throws Error(invalidArgument) for a choice of the mapping that makes no sense, naming the file; Cancelled
[[nodiscard]] LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                                        const ValueGaps& gaps, ImageInfo info, const JobControl& control);

/// @p mask, or null if all its pixels are set; the number of the others goes to @p invalid.
[[nodiscard]] std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid);

/// The part of a page that is to be read: the region that is asked for, checked, or all of it.
/// @throws Error(invalidArgument) if the region is not inside the page, naming the file
[[nodiscard]] PixelRegion wantedRegion(const SourceFile& source, const ReadOptions& options, std::uint32_t width,
                                       std::uint32_t height);

} // namespace pollard
