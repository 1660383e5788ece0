#include "channels/stains.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "channels/channel_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace pollard {

namespace {

constexpr StainVector kHaematoxylin{0.65, 0.70, 0.29};
constexpr StainVector kEosin{0.07, 0.99, 0.11};
constexpr StainVector kDab{0.268, 0.570, 0.776};

StainVector cross(const StainVector& a, const StainVector& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

} // namespace

std::span<const StainSet> stainSets() {
    static const std::vector<StainSet> kSets{
        {"he", "", {"haematoxylin", "eosin", "residual"}, withResidual(kHaematoxylin, kEosin)},
        {"hed", "", {"haematoxylin", "eosin", "dab"}, {kHaematoxylin, kEosin, {0.27, 0.57, 0.78}}},
        {"hdab", "hdx", {"haematoxylin", "dab", "residual"}, withResidual({0.650, 0.704, 0.286}, kDab)},
        {"feulgen",
         "fgx",
         {"feulgen", "lightgreen", "residual"},
         withResidual({0.46420921, 0.83008335, 0.30827187}, {0.94705542, 0.25373821, 0.19650764})},
        {"giemsa",
         "bex",
         {"methylblue", "eosin", "residual"},
         withResidual({0.834750233, 0.513556283, 0.196330403}, {0.092789, 0.954111, 0.283111})},
        {"rbd",
         "",
         {"fastred", "fastblue", "dab"},
         {StainVector{0.21393921, 0.85112669, 0.47794022}, {0.74890292, 0.60624161, 0.26731082}, kDab}},
        {"gdab", "gdx", {"methylgreen", "dab", "residual"}, withResidual({0.98003, 0.144316, 0.133146}, kDab)},
        {"haec",
         "hax",
         {"haematoxylin", "aec", "residual"},
         withResidual({0.650, 0.704, 0.286}, {0.2743, 0.6796, 0.6803})},
        {"bro",
         "",
         {"anilineblue", "azocarmine", "orangeg"},
         {StainVector{0.853033, 0.508733, 0.112656},
          {0.09289875, 0.8662008, 0.49098468},
          {0.10732849, 0.36765403, 0.9237484}}},
        {"bpx",
         "",
         {"methylblue", "ponceaufuchsin", "residual"},
         withResidual({0.7995107, 0.5913521, 0.10528667}, {0.09997159, 0.73738605, 0.6680326})},
        {"ahx",
         "",
         {"alcianblue", "haematoxylin", "residual"},
         withResidual({0.874622, 0.457711, 0.158256}, {0.552556, 0.7544, 0.353744})},
        {"hpas",
         "hpx",
         {"haematoxylin", "pas", "residual"},
         withResidual({0.644211, 0.716556, 0.266844}, {0.175411, 0.972178, 0.154589})},
    };
    return kSets;
}

StainMatrix withResidual(const StainVector& first, const StainVector& second) noexcept {
    return {first, second, cross(first, second)};
}

StainMatrix inverseOf(const StainMatrix& matrix) noexcept {
    const std::array columns{cross(matrix[1], matrix[2]), cross(matrix[2], matrix[0]), cross(matrix[0], matrix[1])};
    const double determinant =
        matrix[0][0] * columns[0][0] + matrix[0][1] * columns[0][1] + matrix[0][2] * columns[0][2];
    StainMatrix inverse{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            inverse[row][column] = columns[column][row] / determinant;
        }
    }
    return inverse;
}

namespace {

constexpr double kLeastDensity = 0.01; ///< absorbs 2 % of the light

} // namespace

std::string stainNameOf(std::string_view text) {
    std::string name(text);
    std::erase_if(name, [](char c) { return std::string_view("[](),;=\"").find(c) != std::string_view::npos; });
    const std::size_t begin = std::min(name.find_first_not_of(" \t"), name.size());
    name = name.substr(begin, name.find_last_not_of(" \t") + 1 - begin);
    return name.find_first_not_of("0123456789") == std::string::npos ? std::string() : name;
}

std::string stainText(std::span<const CustomStain> stains, std::size_t number) {
    std::string text = "stain(";
    for (const CustomStain& stain : stains) {
        const auto& [red, green, blue] = stain.vector;
        text += (text.back() == '(' ? "[" : ";") + stain.name + (stain.name.empty() ? "" : "=") + exactNumber(red) +
                "," + exactNumber(green) + "," + exactNumber(blue);
    }
    const bool isNamed = number < stains.size() && !stains[number].name.empty();
    return text + "]," + (isNamed ? stains[number].name : std::to_string(number + 1)) + ")";
}

std::string spacedText(std::string_view expression) {
    std::string text;
    bool quoted = false;
    for (const char c : expression) {
        quoted = quoted != (c == '"');
        text += c;
        text += !quoted && (c == ',' || c == ';') ? " " : "";
    }
    return text;
}

StainVector densityOf(std::span<const ChannelPlane> planes, double white, std::span<const ExactValues> exact) {
    const std::vector<ChannelNumbers> densities = ChannelValues{planes, exact}.densities(white);
    const Image& first = *planes.front().image;
    StainVector sums{};
    std::uint64_t count = 0;
    for (std::uint32_t y = 0; y < first.height(); ++y) {
        for (std::uint32_t x = 0; x < first.width(); ++x) {
            if (std::ranges::all_of(planes, [&](const ChannelPlane& p) { return !p.valid || p.valid->test(x, y); })) {
                for (std::size_t channel = 0; channel < sums.size(); ++channel) {
                    const std::size_t pixel = std::size_t{y} * first.width() + x;
                    sums[channel] += densities[channel].at(pixel);
                }
                ++count;
            }
        }
    }
    if (count == 0) {
        throw Error(ErrorCode::invalidArgument, "no pixel of the part has data");
    }
    std::ranges::for_each(sums, [&](double& sum) { sum /= static_cast<double>(count); });
    return sums;
}

StainVector stainVectorOf(const StainVector& density, const StainVector& background) {
    constexpr double kDecimals = 1e6;
    StainVector vector{};
    double squares = 0;
    for (std::size_t channel = 0; channel < vector.size(); ++channel) {
        vector[channel] = std::max(0.0, density[channel] - background[channel]);
        squares += vector[channel] * vector[channel];
    }
    const double length = std::sqrt(squares);
    if (!(length >= kLeastDensity)) {
        throw Error(ErrorCode::invalidArgument, "the part is hardly darker than the background");
    }
    std::ranges::for_each(vector, [&](double& each) { each = std::round(each / length * kDecimals) / kDecimals; });
    return vector;
}

} // namespace pollard
