#include "options/seed_options.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "io/label_file.hpp"
#include "options/option_values.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

namespace pollard::cli {

namespace {

/// The attribute of a tree whose leaves have the measure.
AttributeId attributeOf(SeedMeasure by) {
    return by == SeedMeasure::area     ? AttributeId::extinctionArea
           : by == SeedMeasure::volume ? AttributeId::extinctionVolume
                                       : AttributeId::dynamics;
}

/// Maxima that rise no more than h vanish.
double boundOf(const Criterion& criterion, SeedMeasure by) {
    return by == SeedMeasure::height ? criterion.maximum : criterion.minimum;
}

bool namesPoints(const std::string& file) { return std::filesystem::path(file).extension() == ".csv"; }

[[noreturn]] void failPoints(const std::string& file, const std::string& problem) {
    throw Error(ErrorCode::invalidArgument, "seeds: " + file + ": " + problem);
}

/// Columns of x, y and z in a line of a table; nothing if a name is missing.
std::optional<std::array<std::size_t, 3>> columnsIn(const std::vector<std::string_view>& names, bool isVolume) {
    std::array<std::size_t, 3> columns{};
    for (std::size_t axis = 0; axis != (isVolume ? 3 : 2); ++axis) {
        const std::string letter(1, "xyz"[axis]);
        const auto found = std::ranges::find_if(names, [&](std::string_view name) {
            return trimmed(name, " \r\"") == letter || trimmed(name, " \r\"") == "centroid_" + letter;
        });
        if (found == names.end()) {
            return std::nullopt;
        }
        columns[axis] = static_cast<std::size_t>(found - names.begin());
    }
    return columns;
}

/// Points in px of a table with the columns x, y and, of a volume, z, or centroid_x ...
std::vector<Voxel> readPoints(const std::string& file, bool isVolume) {
    std::ifstream table(file);
    std::string line;
    if (!table || !std::getline(table, line)) {
        failPoints(file, "cannot be read");
    }
    const std::string wanted = isVolume ? "x, y and z" : "x and y";
    const auto columns = columnsIn(split(line, ','), isVolume);
    if (!columns) {
        failPoints(file, "the first line needs the columns " + wanted + ", or centroid_x ...");
    }
    std::vector<Voxel> points;
    while (std::getline(table, line)) {
        const std::vector<std::string_view> cells = split(line, ',');
        std::array<std::uint32_t, 3> place{};
        for (std::size_t axis = 0; axis != (isVolume ? 3 : 2); ++axis) {
            const std::size_t column = (*columns)[axis];
            const auto value = column < cells.size() ? numberIn<double>(trimmed(cells[column], " \r\"")) : std::nullopt;
            if (!value || !(*value > -0.5) || !(*value < std::numeric_limits<std::uint32_t>::max())) {
                failPoints(file, "line " + std::to_string(points.size() + 2) + ": " + wanted + " must be px from 0 on");
            }
            place[axis] = static_cast<std::uint32_t>(std::floor(*value + 0.5));
        }
        points.push_back({place[0], place[1], place[2]});
    }
    return points;
}

Buffer<std::uint32_t> labelsIn(const std::string& file, const Extent& extent, const JobControl& control) {
    StoredLabels stored = readLabels(file, {}, extent.isVolume(), control);
    if (stored.extent != extent) {
        throw Error(ErrorCode::invalidArgument,
                    "seeds: " + file + ": the label image has " + text(stored.extent) + ", the image " + text(extent));
    }
    return std::move(stored.labels);
}

} // namespace

std::optional<std::pair<SeedMeasure, std::string>> seedMeasureIn(std::string_view text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos) {
        return std::nullopt;
    }
    const bool isLeast = sign != 0 && text[sign - 1] == '>';
    const auto by = seedMeasureOf(trimmed(text.substr(0, isLeast ? sign - 1 : sign), " "));
    if (!by || isLeast == (*by == SeedMeasure::height)) {
        return std::nullopt;
    }
    return std::pair(*by, std::string(trimmed(text.substr(sign + 1), " ")));
}

void SeedOptions::declare(CLI::App& command) {
    addValue(command, "--seeds", seeds_,
             "Maxima (of dark objects and gradients minima) that\noutlast others: dynamics>=D, area>=A, volume>=V, "
             "with\nunits; h=H: maxima of the h-maxima; a label image;\na table of points (.csv, columns x and y "
             "or centroid_x\n..., px). Without it all maxima",
             "RULE|FILE");
    addValue(command, "--seeds-of", of_,
             "Image with the maxima: levels, gradient or distance;\nwithout it that of --flood", "NAME")
        ->check(oneOf(namesOf(kAllReliefs)));
    addValue(command, "--seeds-channel", channel_, "Seeds are the objects of this channel, as --channel\nnames it",
             "NAME");
    addValue(command, "--seeds-threshold", threshold_, "Threshold of these objects, as of components; without\nit otsu",
             "T");
}

void SeedOptions::check(Relief flooded, bool isVolume) {
    const auto measure = seeds_.empty()
                             ? std::pair(SeedMeasure::dynamics, std::string("0"))
                             : seedMeasureIn(seeds_).value_or(std::pair(SeedMeasure::dynamics, std::string()));
    const bool isFile = measure.second.empty();
    refuseConflicts({{!channel_.empty() && !seeds_.empty(), "--seeds, --seeds-channel: give one of them"},
                     {channel_.empty() && !threshold_.empty(), "--seeds-threshold: is for --seeds-channel"},
                     {!of_.empty() && (isFile || !channel_.empty()),
                      "--seeds-of: leave it out, the seeds are no maxima of an image"}});
    relief_ = of_.empty() ? flooded : *reliefOf(of_);
    if (!channel_.empty()) {
        range_ = parseThreshold(threshold_.empty() ? std::string(nameOf(ThresholdMethod::otsu)) : threshold_);
        return;
    }
    if (isFile) {
        std::error_code none;
        refuseConflicts(
            {{!std::filesystem::exists(seeds_, none),
              "--seeds: '" + seeds_ + "': expected dynamics>=D, area>=A, volume>=V, h=H, or the name of a file"}});
        file_ = seeds_;
        if (namesPoints(file_)) {
            (void)readPoints(file_, isVolume);
        } else {
            requireLabels(file_);
        }
        return;
    }
    by_ = measure.first;
    criterion_ = parsedArgument(
        [&] {
            const char* const bound = by_ == SeedMeasure::height ? "<=" : ">=";
            return parseCriterion(std::string(attributeInfo(attributeOf(by_)).name) + bound + measure.second);
        },
        "--seeds: ");
    refuseConflicts({{!(boundOf(*criterion_, by_) >= 0), "--seeds: '" + seeds_ + "': must be at least 0"}});
}

SeedRule SeedOptions::rule(const ImageUnits& units) const {
    constexpr double kMost = 0x1p63;
    const double least = boundOf(inPixels(*criterion_, units), by_);
    const double whole = by_ == SeedMeasure::height ? std::floor(least) : std::ceil(least);
    return {by_, whole >= kMost ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(std::max(whole, 0.))};
}

Buffer<std::uint32_t> SeedOptions::labels(const ImageOptions& image, const Extent& extent, Connectivity connectivity,
                                          const Context& context, ProgressLine& progress) const {
    const JobControl control = progress.control("seeds", context.stop);
    if (!file_.empty() && !namesPoints(file_)) {
        return labelsIn(file_, extent, control);
    }
    if (!file_.empty()) {
        const std::vector<Voxel> points = readPoints(file_, extent.isVolume());
        return seedsAt(extent, points).labels;
    }
    ImageOptions other = image;
    other.channel = channel_;
    const LoadedImage loaded = loadImage(other, context, progress);
    const ObjectRule objects = ruleOf(range_, {}, connectivity);
    const Mask* valid = loaded.valid.get();
    const std::optional<ValueMapping>& values = loaded.info.mapping;
    requirePossible(range_, values, loaded.image->type(), image.image + ": channel " + channel_);
    const LevelRange levels = objects.levelsOf(*loaded.image, valid, control, values);
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    spec.slices = extent.slices;
    return labelComponents(objects.maskOf(*loaded.image, levels, valid, control, values), loaded.image.get(), spec,
                           control)
        .labels;
}

} // namespace pollard::cli
