#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pollard::cli {

/// AlgorithmInfo::job of algorithms that build trees.
inline constexpr std::string_view kMaxTreeJob = "max-tree";

/// Reason why a build without the GPU room has no engine "cuda".
inline constexpr std::string_view kNoCudaReason =
    "this build has no CUDA engine (no nvcc was found when it was compiled)";

/// Formats 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// Decimal number with a fixed number of decimals, independent of the locale.
[[nodiscard]] std::string fixed(double value, int decimals);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view separator);
/// Comma-separated parts without surrounding blanks, and without empty ones.
[[nodiscard]] std::vector<std::string> splitList(std::string_view text);
/// "1 object", "1,234 objects" @param plural empty: the singular and an s
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural = {});
/// "300 HU", "0.25": a value of grey. @param unit empty: none
[[nodiscard]] std::string valueText(double value, const std::string& unit);
/// valueText() with a fixed number of decimals.
[[nodiscard]] std::string valueText(double value, int decimals, const std::string& unit);
/// "5 of 40 nodes (12.5 %)" @param unit plural with a space before it
[[nodiscard]] std::string partText(std::uint64_t part, std::uint64_t whole, std::string_view unit);
/// " (12.5 %)"
[[nodiscard]] std::string shareText(std::uint64_t part, std::uint64_t whole);
/// The text of each value. @param textOf called with it
template <class Values, class Text>
[[nodiscard]] std::vector<std::string> textsOf(const Values& values, const Text& textOf) {
    std::vector<std::string> texts;
    for (const auto& value : values) {
        texts.emplace_back(std::invoke(textOf, value));
    }
    return texts;
}

/// The number that the whole text is.
template <class Number> [[nodiscard]] std::optional<Number> numberIn(std::string_view text) {
    Number value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}
/// Parts of a text between separators, also empty ones.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// @p N numbers with a separator between them, without anything else.
template <class Number, std::size_t N>
[[nodiscard]] std::optional<std::array<Number, N>> numbersIn(std::string_view text, char separator = ',') {
    const std::vector<std::string_view> parts = split(text, separator);
    std::array<Number, N> numbers{};
    for (std::size_t i = 0; i < N; ++i) {
        const auto number = parts.size() == N ? numberIn<Number>(parts[i]) : std::nullopt;
        if (!number) {
            return std::nullopt;
        }
        numbers[i] = *number;
    }
    return numbers;
}

} // namespace pollard::cli
