#include "options/snake_options.hpp"

#include "command.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "text.hpp"

#include "geo/vector_layer.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace pollard::cli {

FileRings parseStart(const std::string& text, GeoJsonIn unmarked, const std::string& layer) {
    const auto numbers = numbersIn<std::int32_t, 4>(text);
    if (!numbers) {
        return readRings(text, unmarked, namesVectorFile(text) ? layer : std::string());
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
    image.takesEach = true;
    image.declare(command);
    addValue(command, "--init", starts,
             "The contour to start from: a rectangle in px, or the\npolygons of a file: GeoJSON in px unless it "
             "or\n--geojson-in sets degrees, or .gpkg, .shp, .fgb, .csv\nin its coordinate system; again for more "
             "contours,\nwhich may not overlap",
             "X,Y,W,H|FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->required();
    addValue(command, "--layer", layer, "Layer of the vector files of --init; else the first", "NAME");
    addValue(command, "--law", law,
             "Distribution of levels in a region: gaussian,\npoisson (counts), gamma or rayleigh (speckle "
             "in\nintensity or amplitude); auto: by the noise around the\nstarts, on the first page, the default with "
             "--follow;\nelse gaussian",
             "NAME");
    CLI::Option* const chosen =
        addValue(command, "--moves", moves, "Nodes that move at once: sequential, parity,\nlocal-best", "NAME")
            ->capture_default_str();
    addValue(command, "--algorithm", algorithm,
             "A snake algorithm of the list that `algorithms` prints,\nwith its own moves", "NAME")
        ->excludes(chosen);
    addValue(command, "--max-step", maxStep, "First step of a node, px; 0: by the image's size", "D")
        ->check(within(0U, 1U << 20U))
        ->capture_default_str();
    addValue(command, "--min-length", minLength, "Longer edges are split, px", "L")
        ->check(within(2U, 1U << 20U))
        ->capture_default_str();
    addValue(command, "--max-nodes", maxNodes, "Largest number of nodes after a split", "N")
        ->check(within(3U, 1U << 16U))
        ->capture_default_str();
    addValue(command, "--length-price", lengthPrice,
             "Price on the length of a contour: energy per px; 0:\nnone. A higher one gives smoother and shorter "
             "contours",
             "PRICE")
        ->check(within(0.0, kMostLengthPrice))
        ->capture_default_str();
    addValue(command, "--iterations", iterations, "Largest number of changes; 0: until nothing moves", "N")
        ->capture_default_str();
    addValue(command, "--forbidden", forbidden,
             "An image as large as this one: no contour contains\nits pixels that are not 0", "MASK.tif");
    addValue(
        command, "--apart", apart,
        "Every contour is independent, within the box of its\nstart and M px around it; the boxes may not\noverlap",
        "M");
    CLI::Option* const following =
        command.add_flag("--follow", follow,
                         "Go through the pages from this one on, of a file with\nseveral axes along t; each starts "
                         "from the contours of\nthe previous one");
    declareAlong(command, along);
    command.get_option("--along")->needs(following);
    addValue(command, "--geojson", geojson, "Write the contours", "OUT.geojson");
    positions.declare(command);
    addValue(command, "--vector", vector,
             "Write the contours in the coordinate system of the\nimage, with GDAL, by the name as FlatGeobuf (.fgb), "
             "CSV\nwith WKT (.csv) or GeoPackage (.gpkg)",
             "OUT.gpkg|fgb|csv");
    addValue(command, "--mask", mask,
             "Write an 8-bit TIFF: 255 inside, 0 outside; of several\ncontours their numbers from 1 on; with --follow "
             "a\npage for each",
             "OUT.tif");
    addValue(command, "--trace", trace, "Write a line per change: energy, nodes, sizes, means,\nvariances", "OUT.csv");
    addValue(command, "--svg", svg, "Write the contours as a drawing as large as the image", "OUT.svg");
    addValue(command, "--roi", roi, "Write the contour as a region of ImageJ; several as a\nset of them (.zip)",
             "OUT.roi|zip");
    addValue(command, "--frames", frames, "Write an image of every change into this folder:\nframe-000000.png ...",
             "DIR");
    addValue(command, "--frame-step", frameStep, "Changes per image; the last one has an image, too", "N")
        ->check(within(1U, 1U << 30U))
        ->capture_default_str();
}

SnakeSpec SnakeOptions::spec() const {
    SnakeSpec spec;
    spec.law = isLawAuto() || law.empty() ? RegionLaw::gaussian : valueNamed("--law", law, kRegionLaws);
    spec.moves = valueNamed("--moves", moves, kSnakeMoves);
    spec.maxStep = maxStep;
    spec.minLength = minLength;
    spec.maxNodes = maxNodes;
    spec.maxRounds = iterations;
    spec.lengthPrice = lengthPrice;
    return spec;
}

std::vector<std::string> SnakeOptions::targets() const {
    std::vector<std::string> files{geojson, vector, mask, trace, svg, roi};
    std::erase(files, std::string());
    return files;
}

void SnakeOptions::checkTargets() const {
    if (!mask.empty()) {
        requireTiffName(mask);
    }
    std::vector<NamedFile> inputs{{parseImageArgument(image.image).path, "the input"}};
    for (const std::string& start : starts) {
        inputs.push_back({start, "the start"});
    }
    if (!forbidden.empty()) {
        inputs.push_back({parseImageArgument(forbidden).path, "the forbidden area"});
    }
    std::vector<NamedFile> outputs;
    for (const std::string& file : targets()) {
        outputs.push_back({file, "another result"});
    }
    requireOutputs(inputs, outputs);
    if (!vector.empty()) {
        requireVectorName(vector);
    }
}

} // namespace pollard::cli
