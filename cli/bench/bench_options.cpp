#include "bench/bench_options.hpp"

#include "options/named.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace pollard::cli {

namespace {

constexpr int kMaxRepeat = 10'000;
constexpr int kMaxStream = 1'000'000;

/// The values of a list with commas, each once. @param parse makes one of a text
/// @param expected for the message about an empty list
template <class Parse>
auto parseList(const std::string& option, const std::string& text, const std::string& expected, const Parse& parse) {
    std::vector<decltype(parse(text))> values;
    for (const std::string& part : splitList(text)) {
        const auto value = parse(part);
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
    refuseConflicts({{values.empty(), option + ": '" + text + "': must be " + expected}});
    return values;
}

} // namespace

std::vector<PixelType> parseBits(const std::string& text) {
    return parseList("bits", text, "8, 16 or 8,16", [](const std::string& part) {
        refuseConflicts({{part != "8" && part != "16", "bits: '" + part + "': must be 8 or 16"}});
        return part == "8" ? PixelType::u8 : PixelType::u16;
    });
}

std::vector<Connectivity> parseConnectivities(const std::string& text, bool isVolume) {
    using enum Connectivity;
    const auto known = isVolume ? std::vector{six, eighteen, twentySix} : std::vector{four, eight};
    const auto parse = [&](const std::string& part) {
        const auto found = std::ranges::find(known, part, [](Connectivity c) { return std::to_string(int(c)); });
        refuseConflicts(
            {{found == known.end(), "connectivity: '" + part + "': must be " + (isVolume ? "6, 18 or 26" : "4 or 8")}});
        return *found;
    };
    return parseList("connectivity", text, isVolume ? "6, 18, 26 or several" : "4, 8 or 4,8", parse);
}

std::vector<GridSimplification> parseGrids(const std::string& text) {
    return parseList("grid", text, "auto, on, off or several of them with commas", gridNamed);
}

std::vector<ImageSize> parseSizes(const std::string& text) {
    const auto parse = [](const std::string& part) {
        const auto [width, height] = numbersIn<std::uint32_t, 2>(part, 'x').value_or(std::array{0U, 0U});
        const std::uint64_t pixels = std::uint64_t{width} * height;
        refuseConflicts({{pixels == 0 || pixels > Image::kMaxPixels,
                          "size: '" + part + "': must be WIDTHxHEIGHT in pixels, such as 4000x3000"}});
        return ImageSize{width, height};
    };
    const std::vector<std::string> parts = splitList(text);
    std::vector<ImageSize> sizes;
    std::ranges::transform(parts.empty() ? std::vector{text} : parts, std::back_inserter(sizes), parse);
    return sizes;
}

bool BenchOptions::names(const AlgorithmInfo& algorithm) const {
    const std::vector<std::string> all = splitList(algorithms);
    return all.empty() || std::ranges::find(all, algorithm.name) != all.end();
}

void BenchOptions::declare(CLI::App& command) {
    addValue(command, "IMAGE", images, "Images; without any, generated pictures: smooth,\nnoise, ramp", "");
    addValue(command, "--channel", channel, "Grey value of a colour pixel", "CHANNEL")->capture_default_str();
    addValue(command, "--bits", bits,
             "Depths to measure; grey 16 -> 8 keeps the high byte,\n8 -> 16 multiplies by 257; colour becomes "
             "luminance\non 16 bits, of which 8 bits are the high byte",
             "8,16")
        ->capture_default_str();
    addValue(command, "--algorithms", algorithms, "Names of the algorithms, with commas", "a,b,..");
    addValue(command, "--connectivity", connectivities,
             "Neighbours of a pixel: 4, 8 or both; of volumes 6 (default),\n18, 26 or several", "4,8")
        ->default_str("4");
    addValue(command, "--grid", grids, "Grid simplification: auto, on, off, or several", "auto,on,off")
        ->capture_default_str();
    addValue(command, "--repeat", repeat, "Measured repetitions after one to warm up", "N")
        ->check(within(1, kMaxRepeat))
        ->capture_default_str();
    addValue(command, "--stream", stream,
             "Also send N images one after another, transfers\noverlapped where the device can; 0 = no", "N")
        ->check(within(0, kMaxStream))
        ->capture_default_str();
    command.add_flag("--attributes", attributes,
                     "Also time every attribute, on the device where it is\nmeasured there");
    command.add_flag("--components", components,
                     "Time labelling algorithms instead: objects of images\n(Otsu's threshold), or of random squares");
    command.add_flag("--snake", snake, "Time region snakes instead, on a disc in noise")->excludes("--components");
    command.add_flag("--volume", volume, "Read the images as volumes")->needs("IMAGE")->excludes("--snake");
    addValue(command, "--apart", apart, "N x N discs, each with an independent contour", "N")->check(within(1U, 255U));
    addValue(command, "--max-step", maxStep, "First step of a snake's node, px; 0: by the size", "D")
        ->check(within(0U, 1U << 20U))
        ->capture_default_str();
    addValue(command, "--min-length", minLength, "A snake's longer edges are split, px", "L")
        ->check(within(2U, 1U << 20U))
        ->capture_default_str();
    addValue(command, "--granularity", granularities, "Sides of the squares, px", "N,..")->capture_default_str();
    addValue(command, "--density", densities, "Share of set squares, %", "N,..")->capture_default_str();
    addValue(command, "--size", sizes, "Sizes of generated pictures, such as\n1920x1080,6000x4000", "WxH,..")
        ->capture_default_str();
    tree.declareKind(command);
    addValue(command, "--csv", csvFile, "Write the table as CSV", "OUT.csv");
}

} // namespace pollard::cli
