#include "options/snake_options.hpp"

#include "command.hpp"
#include "options/named.hpp"
#include "options/output_target.hpp"
#include "text.hpp"

#include "geo/vector_layer.hpp"

#include "geo/vector_polygons.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <string_view>

namespace pollard::cli {

namespace {

/// Parses four comma-separated integers; nothing for other texts.
std::optional<std::array<std::int32_t, 4>> fourNumbers(std::string_view text) {
    std::array<std::int32_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t end = i + 1 < numbers.size() ? text.find(',') : text.size();
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        const auto [last, problem] = std::from_chars(text.data(), text.data() + end, numbers[i]);
        if (problem != std::errc{} || last != text.data() + end) {
            return std::nullopt;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

/// @throws UsageError for an unknown name
template <class Kind> Kind kindNamed(const char* option, const std::string& name, std::span<const Kind> kinds) {
    std::vector<std::string> known;
    for (const Kind kind : kinds) {
        if (nameOf(kind) == name) {
            return kind;
        }
        known.emplace_back(nameOf(kind));
    }
    throw UsageError(std::string(option) + ": '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

} // namespace

FiledRings parseStart(const std::string& text, GeoJsonIn unmarked, const std::string& layer) {
    const auto numbers = fourNumbers(text);
    if (!numbers) {
        return readFiledRings(text, unmarked, namesVectorFile(text) ? layer : std::string());
    }
    const auto [x, y, width, height] = *numbers;
    const auto fits = [](std::int32_t start, std::int32_t length) {
        return start >= 0 && length > 0 && start <= std::numeric_limits<std::int32_t>::max() - length;
    };
    if (!fits(x, width) || !fits(y, height)) {
        throw UsageError("--init: '" + text + "': must be x,y,width,height in px, or a file of polygons");
    }
    const MapPoint first{static_cast<double>(x), static_cast<double>(y)};
    const MapPoint last{first.x + width, first.y + height};
    return {{{first, {last.x, first.y}, last, {first.x, last.y}}}, GeoJsonIn::pixels};
}

void SnakeOptions::declare(CLI::App& command) {
    image.declare(command);
    command
        .add_option(
            "--init", starts,
            "The contour to start from: a rectangle in px, or the\npolygons of a file: GeoJSON in px unless it or\n"
            "--geojson-in sets degrees, or .gpkg, .shp, .fgb, .csv\nin its coordinate system; again for more "
            "contours,\n"
            "which may not overlap")
        ->type_name("X,Y,W,H|FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->required();
    addText(command, "--layer", layer, "Layer of the vector files of --init; else the first", "NAME");
    addText(command, "--law", law,
            "Distribution of levels in a region: gaussian,\npoisson (counts), gamma or rayleigh (speckle in\n"
            "intensity or amplitude)",
            "NAME")
        ->capture_default_str();
    CLI::Option* const chosen =
        addText(command, "--moves", moves, "Nodes that move at once: sequential, parity,\nlocal-best", "NAME")
            ->capture_default_str();
    addText(command, "--algorithm", algorithm,
            "A snake algorithm of the list that `algorithms` prints,\nwith its own moves", "NAME")
        ->excludes(chosen);
    command.add_option("--max-step", maxStep, "First step of a node, px; 0: by the image's size")
        ->type_name("D")
        ->check(CLI::Range(0U, 1U << 20U).description(""))
        ->capture_default_str();
    command.add_option("--min-length", minLength, "Longer edges are split, px")
        ->type_name("L")
        ->check(CLI::Range(2U, 1U << 20U).description(""))
        ->capture_default_str();
    command.add_option("--max-nodes", maxNodes, "Largest number of nodes after a split")
        ->type_name("N")
        ->check(CLI::Range(3U, 1U << 16U).description(""))
        ->capture_default_str();
    command.add_option("--iterations", iterations, "Largest number of changes; 0: until nothing moves")
        ->type_name("N")
        ->capture_default_str();
    addText(command, "--forbidden", forbidden,
            "An image as large as this one: no contour contains\nits pixels that are not 0", "MASK.tif");
    command
        .add_option("--apart", apart,
                    "Every contour is independent, within the box of its\nstart and M px around it; the boxes may not\n"
                    "overlap")
        ->type_name("M");
    command.add_flag("--follow", follow,
                     "Go through the pages from this one on; each starts\nfrom the contours of the previous one");
    addText(command, "--geojson", geojson, "Write the contours", "OUT.geojson");
    positions.declare(command);
    addText(
        command, "--vector", vector,
        "Write the contours in the coordinate system of the\nimage, with GDAL, by the name as FlatGeobuf (.fgb), CSV\n"
        "with WKT (.csv) or GeoPackage (.gpkg)",
        "OUT.gpkg|fgb|csv");
    addText(
        command, "--mask", mask,
        "Write an 8-bit TIFF: 255 inside, 0 outside; of several\ncontours their numbers from 1 on; with --follow a\n"
        "page for each",
        "OUT.tif");
    addText(command, "--trace", trace, "Write a line per change: energy, nodes, sizes, means,\nvariances", "OUT.csv");
    addText(command, "--svg", svg, "Write the contours as a drawing as large as the image", "OUT.svg");
    addText(command, "--roi", roi, "Write the contour as a region of ImageJ; several as a\nset of them (.zip)",
            "OUT.roi|zip");
    addText(command, "--frames", frames, "Write a picture of every change into this folder:\nframe-000000.png ...",
            "DIR");
    command.add_option("--frame-step", frameStep, "Changes per picture; the last one has a picture, too")
        ->type_name("N")
        ->check(CLI::Range(1U, 1U << 30U).description(""))
        ->capture_default_str();
}

SnakeSpec SnakeOptions::spec() const {
    SnakeSpec spec;
    spec.law = kindNamed<RegionLaw>("--law", law, kRegionLaws);
    spec.moves = kindNamed<SnakeMoves>("--moves", moves, kSnakeMoves);
    spec.maxStep = maxStep;
    spec.minLength = minLength;
    spec.maxNodes = maxNodes;
    spec.maxRounds = iterations;
    return spec;
}

std::vector<std::string> SnakeOptions::targets() const {
    std::vector<std::string> files;
    for (const std::string& file : {geojson, vector, mask, trace, svg, roi}) {
        if (!file.empty()) {
            files.push_back(file);
        }
    }
    return files;
}

void SnakeOptions::checkTargets() const {
    if (!mask.empty()) {
        requireTiffName(mask);
    }
    const std::vector<std::string> files = targets();
    for (std::size_t i = 0; i < files.size(); ++i) {
        requireDifferent(parseImageArgument(image.image).path, files[i], "the input");
        for (const std::string& start : starts) {
            requireDifferent(start, files[i], "the start");
        }
        if (!forbidden.empty()) {
            requireDifferent(parseImageArgument(forbidden).path, files[i], "the forbidden area");
        }
        for (std::size_t j = 0; j < i; ++j) {
            requireDifferent(files[j], files[i], "another result");
        }
        requireWritable(files[i]);
    }
    if (!vector.empty()) {
        requireVectorName(vector);
    }
}

} // namespace pollard::cli
