#pragma once

#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard::cli {

// Parsers for ReadOptions on a command line. All throw UsageError with the option's name, the text and the expected
// form.

/// "x,y,w,h" in px.
[[nodiscard]] PixelRegion parseRegion(std::string_view text);

/// A part of an image, or of a volume if it has slices.
struct PartChoice {
    PixelRegion region;
    std::optional<SliceRange> slices;
};
/// "x,y,w,h" in px, which is a part of each slice of a volume, or "x,y,z,w,h,slices".
[[nodiscard]] PartChoice parsePart(std::string_view text);

/// "auto", "minmax", "LOW:HIGH" in the file's values, or "LOW%:HIGH%" of the values.
[[nodiscard]] MappingChoice parseRange(std::string_view text);

/// "WIDTHxHEIGHT:TYPE" with TYPE one of u8 i8 u16 i16 u32 i32 f32 f64, then any of ":be", ":le", ":samples=N",
/// ":offset=BYTES", ":pages=N".
[[nodiscard]] RawLayout parseRawLayout(std::string_view text);

/// "0.325um", or width and height "0.325x0.65um"; the unit is nm, um (or µm), mm, cm, m or km.
[[nodiscard]] PixelSize parsePixelSize(std::string_view text);

/// A unit of length for results: "px", "nm", "um" (or "µm"), "mm", "cm", "m", "km".
[[nodiscard]] LengthUnit parseUnit(std::string_view text);

/// A positive number with an optional k, M, G or T for powers of 1000; @p option is its name in the error.
[[nodiscard]] std::uint64_t parseAmount(std::string_view option, std::string_view text);

} // namespace pollard::cli
