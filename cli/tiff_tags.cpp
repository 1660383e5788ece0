#include "tiff_tags.hpp"

#include "text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace pollard::cli {

namespace {

constexpr std::size_t kShownValues = 6;
constexpr std::size_t kShownCharacters = 60;

template <class T> std::vector<std::string> firstValues(const CarriedTag& tag) {
    const std::size_t stored = tag.data.size() / sizeof(T);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < std::min({static_cast<std::size_t>(tag.count), stored, kShownValues}); ++i) {
        T value;
        std::memcpy(&value, tag.data.data() + i * sizeof(T), sizeof(T));
        if constexpr (std::is_floating_point_v<T>) {
            std::array<char, 32> digits{};
            const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
            values.emplace_back(digits.data(), end);
        } else {
            values.push_back(std::to_string(value));
        }
    }
    return values;
}

std::string textOf(const CarriedTag& tag) {
    std::string text(reinterpret_cast<const char*>(tag.data.data()), tag.data.size());
    text.resize(std::min(text.size(), text.find('\0')));
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 0x20; }, ' ');
    if (text.size() > kShownCharacters) {
        text = text.substr(0, kShownCharacters) + " ... (" + std::to_string(tag.count) + " characters)";
    }
    return text;
}

} // namespace

std::string nameOf(const CarriedTag& tag) {
    static constexpr std::array kNames{
        std::pair{282, "XResolution"},       std::pair{283, "YResolution"},         std::pair{286, "XPosition"},
        std::pair{287, "YPosition"},         std::pair{296, "ResolutionUnit"},      std::pair{33550, "GeoPixelScale"},
        std::pair{33922, "GeoTiePoints"},    std::pair{34264, "GeoTransformation"}, std::pair{34735, "GeoKeyDirectory"},
        std::pair{34736, "GeoDoubleParams"}, std::pair{34737, "GeoAsciiParams"},    std::pair{42112, "GDALMetadata"},
        std::pair{42113, "GDALNoData"},
    };
    const auto* const found = std::ranges::find(kNames, int{tag.tag}, &std::pair<int, const char*>::first);
    return found == kNames.end() ? "tag " + std::to_string(tag.tag) : found->second;
}

std::string valuesOf(const CarriedTag& tag) {
    std::vector<std::string> values;
    switch (tag.fieldType) {
    case 2: // ASCII
        return textOf(tag);
    case 3: // SHORT
        values = firstValues<std::uint16_t>(tag);
        break;
    case 4: // LONG
        values = firstValues<std::uint32_t>(tag);
        break;
    case 5:  // RATIONAL, in libtiff's representation as float
    case 11: // FLOAT
        values = firstValues<float>(tag);
        break;
    case 12: // DOUBLE
        values = firstValues<double>(tag);
        break;
    default:
        return std::to_string(tag.data.size()) + " bytes";
    }
    std::string text = joined(values, ", ");
    if (tag.count > values.size()) {
        text += ", ... (" + std::to_string(tag.count) + " values)";
    }
    return text;
}

} // namespace pollard::cli
