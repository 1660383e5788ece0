#include "bench/bench_options.hpp"

#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <charconv>

namespace pollard::cli {

namespace {

constexpr int kMaxRepeat = 10'000;
constexpr int kMaxStream = 1'000'000;

template <class T> void addOnce(std::vector<T>& values, T value) {
    if (std::ranges::find(values, value) == values.end()) {
        values.push_back(value);
    }
}

PictureSize parseSize(const std::string& text) {
    PictureSize size;
    const char* const last = text.data() + text.size();
    const auto width = std::from_chars(text.data(), last, size.width);
    if (width.ec == std::errc{} && width.ptr != last && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, last, size.height);
        if (height.ec == std::errc{} && height.ptr == last && size.width > 0 && size.height > 0 &&
            std::uint64_t{size.width} * size.height <= Image::kMaxPixels) {
            return size;
        }
    }
    throw UsageError("size: '" + text + "': must be WIDTHxHEIGHT in pixels, such as 4000x3000");
}

} // namespace

std::vector<PixelType> parseBits(const std::string& text) {
    std::vector<PixelType> types;
    for (const std::string& part : splitList(text)) {
        if (part != "8" && part != "16") {
            throw UsageError("bits: '" + part + "': must be 8 or 16");
        }
        addOnce(types, part == "8" ? PixelType::u8 : PixelType::u16);
    }
    if (types.empty()) {
        throw UsageError("bits: '" + text + "': must be 8, 16 or 8,16");
    }
    return types;
}

std::vector<Connectivity> parseConnectivities(const std::string& text, bool isVolume) {
    using enum Connectivity;
    const auto known = isVolume ? std::vector{six, eighteen, twentySix} : std::vector{four, eight};
    std::vector<Connectivity> connectivities;
    for (const std::string& part : splitList(text)) {
        const auto found = std::ranges::find(known, part, [](Connectivity c) { return std::to_string(int(c)); });
        if (found == known.end()) {
            throw UsageError("connectivity: '" + part + "': must be " + (isVolume ? "6, 18 or 26" : "4 or 8"));
        }
        addOnce(connectivities, *found);
    }
    if (connectivities.empty()) {
        throw UsageError("connectivity: '" + text + "': must be " +
                         (isVolume ? "6, 18, 26 or several" : "4, 8 or 4,8"));
    }
    return connectivities;
}

std::vector<GridSimplification> parseGrids(const std::string& text) {
    std::vector<GridSimplification> grids;
    for (const std::string& part : splitList(text)) {
        addOnce(grids, gridNamed(part));
    }
    if (grids.empty()) {
        throw UsageError("grid: '" + text + "': must be auto, on, off or several of them with commas");
    }
    return grids;
}

std::vector<PictureSize> parseSizes(const std::string& text) {
    std::vector<PictureSize> sizes;
    for (const std::string& part : splitList(text)) {
        sizes.push_back(parseSize(part));
    }
    if (sizes.empty()) {
        throw UsageError("size: '" + text + "': must be WIDTHxHEIGHT in pixels, such as 4000x3000");
    }
    return sizes;
}

void BenchOptions::declare(CLI::App& command) {
    command.add_option("IMAGE", images, "Images; without any, generated pictures: smooth,\nnoise, ramp")->type_name("");
    command.add_option("--channel", channel, "Grey value of a colour pixel")
        ->type_name("CHANNEL")
        ->capture_default_str();
    command
        .add_option("--bits", bits,
                    "Depths to measure; grey 16 -> 8 keeps the high byte,\n"
                    "8 -> 16 multiplies by 257; colour becomes luminance\n"
                    "on 16 bits, of which 8 bits are the high byte")
        ->type_name("8,16")
        ->capture_default_str();
    command.add_option("--algorithms", algorithms, "Names of the algorithms, with commas")->type_name("a,b,..");
    command
        .add_option("--connectivity", connectivities,
                    "Neighbours of a pixel: 4, 8 or both; of volumes 6 (default),\n18, 26 or several")
        ->type_name("4,8")
        ->default_str("4");
    command.add_option("--grid", grids, "Grid simplification: auto, on, off, or several")
        ->type_name("auto,on,off")
        ->capture_default_str();
    command.add_option("--repeat", repeat, "Measured repetitions after one to warm up")
        ->check(CLI::Range(1, kMaxRepeat).description(""))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--stream", stream,
                    "Also send N images one after another, transfers\noverlapped where the device can; 0 = no")
        ->check(CLI::Range(0, kMaxStream).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--attributes", attributes,
                     "Also time every attribute, on the device where it is\nmeasured there");
    command.add_flag("--components", components,
                     "Time labelling algorithms instead: objects of images\n(Otsu's threshold), or of random squares");
    command.add_flag("--snake", snake, "Time region snakes instead, on a disc in noise")->excludes("--components");
    command.add_flag("--volume", volume, "Read the images as volumes")->needs("IMAGE")->excludes("--snake");
    command.add_option("--apart", apart, "N x N discs, each with an independent contour")
        ->type_name("N")
        ->check(CLI::Range(1U, 255U).description(""));
    command.add_option("--max-step", maxStep, "First step of a snake's node, px; 0: by the size")
        ->type_name("D")
        ->check(CLI::Range(0U, 1U << 20U).description(""))
        ->capture_default_str();
    command.add_option("--min-length", minLength, "A snake's longer edges are split, px")
        ->type_name("L")
        ->check(CLI::Range(2U, 1U << 20U).description(""))
        ->capture_default_str();
    command.add_option("--granularity", granularities, "Sides of the squares, px")
        ->type_name("N,..")
        ->capture_default_str();
    command.add_option("--density", densities, "Share of set squares, %")->type_name("N,..")->capture_default_str();
    command.add_option("--size", sizes, "Sizes of generated pictures, such as\n1920x1080,6000x4000")
        ->type_name("WxH,..")
        ->capture_default_str();
    tree.declareKind(command);
    command.add_option("--csv", csvFile, "Write the table as CSV")->type_name("OUT.csv");
}

} // namespace pollard::cli
