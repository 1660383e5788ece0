#pragma once

#include "attributes/attribute.hpp"
#include "command.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::cli {

/// "WHAT: 'NAME': unknown (there are A, B, C)"
[[nodiscard]] UsageError unknownName(const std::string& what, const std::string& name,
                                     const std::vector<std::string>& known);

/// Names of values of an enumeration.
template <class Values> [[nodiscard]] std::vector<std::string> namesOf(const Values& values) {
    return textsOf(values, [](const auto& value) { return nameOf(value); });
}
/// The value of an enumeration with this name. @throws UsageError for an unknown one
template <class Values>
[[nodiscard]] auto valueNamed(const std::string& what, const std::string& name, const Values& values) {
    for (const auto value : values) {
        if (nameOf(value) == name) {
            return value;
        }
    }
    throw unknownName(what, name, namesOf(values));
}

/// @throws UsageError for an unknown attribute
[[nodiscard]] AttributeId attributeNamed(const std::string& name);
/// Attributes by their names with commas between, each once; every attribute for "all". @throws UsageError
[[nodiscard]] std::vector<AttributeId> attributesNamed(const std::string& text, bool inVolumes);
/// Help text on all attributes by group: name, formula, unit; ends with a line break.
[[nodiscard]] std::string attributeHelp();

/// Adds an option with one value. @param type of the value, in the help
template <class Value> CLI::Option* addValue(CLI::App& command, const std::string& name, Value& value,
                                             const std::string& help, const std::string& type) {
    return command.add_option(name, value, help)->type_name(type);
}
/// Sets @p isStated when the option is given.
void noteStated(CLI::App& command, const std::string& name, bool& isStated);
/// Adds an option that may be repeated, with one value each time.
CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                         const std::string& help, const std::string& type);
/// Adds an option with one of these values, which are its type in the help.
template <class Value> CLI::Option* addChoice(CLI::App& command, const std::string& name, Value& value,
                                              const std::string& help, const std::vector<std::string>& choices) {
    return addValue(command, name, value, help, joined(choices, "|"))->check(CLI::IsMember(choices).description(""));
}

/// Accepts numbers of a range, which the help does not name.
template <class Number> [[nodiscard]] CLI::Validator within(Number least, Number most) {
    return CLI::Range(least, most).description("");
}
/// Accepts these texts, which the help does not name.
[[nodiscard]] inline CLI::Validator oneOf(std::vector<std::string> texts) {
    return CLI::IsMember(std::move(texts)).description("");
}

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
