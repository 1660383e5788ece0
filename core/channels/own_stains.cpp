#include "channels/own_stains.hpp"

#include "base/error.hpp"
#include "base/number_text.hpp"
#include "channels/channel_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pollard {

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

std::string stainText(std::span<const OwnStain> stains, std::size_t number) {
    std::string text = "stain(";
    for (const OwnStain& stain : stains) {
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
