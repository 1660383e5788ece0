#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard {

/// The sample that marks pixels without data, as a file states it.
struct NoData {
    double number = 0;
    bool isNegative = false;
    std::optional<std::uint64_t> magnitude = {}; ///< of a whole number, which `number` may round

    NoData(double stated) : number(stated) {} // NOLINT(google-explicit-constructor): a number is one
    [[nodiscard]] static NoData whole(bool isNegative, std::uint64_t magnitude);
    [[nodiscard]] static NoData whole(std::int64_t number);
    /// The number at the start of a text; nothing if there is none.
    [[nodiscard]] static std::optional<NoData> parse(std::string_view text);

    bool operator==(const NoData&) const = default;
};

/// The number as a sample: floats are rounded, and clamped beyond the range of the type, because files state the end of
/// a type with too few digits; nothing if no sample can equal it. T is one of the types of ValueType.
template <class T> [[nodiscard]] std::optional<T> sampleOf(const NoData& noData) noexcept;

/// Whether a sample marks a pixel without data. Compares floating-point samples with the tolerance of GDAL.
template <class T> [[nodiscard]] bool isNoData(T sample, T noData) noexcept;

} // namespace pollard
