#include "options/region_options.hpp"

#include "options/option_values.hpp"
#include "options/seed_options.hpp"
#include "text.hpp"

#include "analysis/relief.hpp"
#include "base/text.hpp"
#include "components/best/best_rule.hpp"
#include "components/best/best_weights.hpp"
#include "components/objects/region_rules.hpp"
#include "hierarchy/hierarchy.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace pollard::cli {

namespace {

/// Adds the marks of --keep or --drop.
void addMarks(BestRule& rule, const char* option, const std::vector<std::string>& texts, bool inVolume, bool isObject) {
    for (const std::string& text : texts) {
        std::vector<std::optional<std::uint32_t>> at;
        for (const std::string& part : splitList(text)) {
            at.push_back(numberIn<std::uint32_t>(part));
        }
        const bool isPlace = at.size() == (inVolume ? 3 : 2) &&
                             std::ranges::all_of(at, [](const auto& each) { return each.has_value(); });
        refuseConflicts(
            {{!isPlace, std::string(option) + ": '" + text + "': must be " +
                            (inVolume ? "X,Y,Z: column, row and slice from 0" : "X,Y: column and row from 0")}});
        rule.marks.push_back({*at[0], *at[1], isObject, inVolume ? *at[2] : 0});
    }
}

BestRule bestRule(const RegionOptions& options, bool inVolume) {
    BestRule rule;
    rule.strictness = options.strictness;
    const std::optional<BestWeights> weights =
        options.weights.empty() ? BestWeights{} : parseBestWeights(options.weights);
    refuseConflicts(
        {{!weights, "--weights: '" + options.weights + "': must be numbers from -1000 to 1000 of " +
                        joined(textsOf(kBestWeights, &BestWeightName::name), ", ") +
                        ", such as misfit=-2.5,constant=0.1"},
         {!options.size.empty() && !parseBestSize(options.size, inVolume, rule),
          "--size: '" + options.size +
              (inVolume ? "': must be a volume above 0, such as 2000 or '500 um3'"
                        : "': must be an area above 0, such as 200 or '50 um2'")},
         {!(options.strictness > 0 && options.strictness < 1), "--strictness: must be above 0 and below 1"}});
    rule.weights = *weights;
    addMarks(rule, "--keep", options.keep, inVolume, true);
    addMarks(rule, "--drop", options.drop, inVolume, false);
    return rule;
}

WatershedRule watershedRule(const RegionOptions& options, bool everywhere) {
    WatershedRule rule;
    rule.relief = *reliefOf(options.watershed);
    rule.seedsOf = options.seedsOf.empty() ? std::nullopt : reliefOf(options.seedsOf);
    rule.lines = options.lines;
    rule.everywhere = everywhere;
    if (!options.seeds.empty()) {
        const auto measure = seedMeasureIn(options.seeds);
        const auto least = measure ? numberIn<double>(measure->second) : std::nullopt;
        refuseConflicts({{!least || !(*least >= 0), "--seeds: '" + options.seeds +
                                                        "': expected dynamics>=D, area>=A, volume>=V or h=H, numbers "
                                                        "of values and px"}});
        rule.by = measure->first;
        rule.least = *least;
    }
    return rule;
}

HierarchyRule hierarchyRule(const RegionOptions& options, bool inVolume) {
    HierarchyRule rule;
    rule.strength = *strengthOf(options.hierarchy);
    rule.weight = *edgeWeightOf(options.weight);
    rule.above = options.above.value_or(0);
    rule.regions = options.regions;
    const auto sizes = options.sizes.empty() ? SizeRange{} : parseSizeRange(options.sizes, inVolume);
    refuseConflicts({{options.above && options.regions, "--above, --regions: give one of them"},
                     {!sizes, "--sizes: '" + options.sizes + "': must be LO, LO:HI or :HI, such as 50:500 or '" +
                                  (inVolume ? "5:90 um3" : "5:90 um2") + "'"}});
    rule.sizes = *sizes;
    return rule;
}

} // namespace

void RegionOptions::declare(CLI::App& command) {
    command.add_flag("--best", best,
                     "Instead of --threshold: the set of disjoint components of\nthe tree with the highest sum of "
                     "scores (contrast, contrast\nat the border, fit of an ellipse, size); objects that\ntouch are "
                     "separate");
    addValue(command, "--size", size,
             "With --best: expected area of an object, 200 (px2) or\n'50 um2', in a volume its volume; without it, it "
             "is\nestimated",
             "AREA");
    addValue(command, "--strictness", strictness,
             "With --best: expected overlap that an object must exceed,\nabove 0 (many objects) and below 1 (few)",
             "NUMBER")
        ->capture_default_str();
    addValue(
        command, "--weights", weights,
        "With --best: weights of the terms of the expected overlap,\nas tune learns them: 'misfit=-2.5,constant=0.1'",
        "LIST");
    addRepeated(
        command, "--keep", keep,
        "With --best: the pixel in column X and row Y, from 0, is in\nan object; in a volume X,Y,Z with slice Z",
        "X,Y");
    addRepeated(command, "--drop", drop, "With --best: this pixel is in no object", "X,Y");
    addValue(command, "--ask", ask,
             "With --best: print the objects and candidates that are least\nsure, at most this many, with a pixel for "
             "--keep or --drop",
             "N")
        ->check(within(std::size_t{0}, std::size_t{1000}));
    addValue(command, "--watershed", watershed,
             "Objects are the regions of a watershed, as in the command\nwatershed: of the pixels of --threshold, "
             "without it of all;\ndistance is that to the background of --threshold",
             joined(namesOf(kAllReliefs), "|"))
        ->check(oneOf(namesOf(kAllReliefs)));
    addValue(command, "--seeds", seeds,
             "With --watershed: maxima (of dark objects and gradients\nminima) that are seeds: h=H, dynamics>=D, "
             "area>=A,\nvolume>=V, in values of the image and px; without it all",
             "RULE");
    addValue(command, "--seeds-of", seedsOf, "With --watershed: image with the maxima; without it the\nflooded one",
             joined(namesOf(kAllReliefs), "|"))
        ->check(oneOf(namesOf(kAllReliefs)));
    command.add_flag("--lines", lines, "With --watershed: lines between the regions, whose pixels\nare in no object");
    addValue(
        command, "--hierarchy", hierarchy,
        "Instead of --threshold: objects are the regions of a\nhierarchy by the strength of their boundaries, as in "
        "the\ncommand hierarchy",
        joined(namesOf(kAllStrengths), "|"))
        ->check(oneOf(namesOf(kAllStrengths)));
    addValue(command, "--weight", weight, "With --hierarchy: weight between neighbours, see there",
             joined(namesOf(kAllEdgeWeights), "|"))
        ->check(oneOf(namesOf(kAllEdgeWeights)))
        ->capture_default_str();
    addValue(command, "--above", above,
             "With --hierarchy: keep boundaries stronger than this, in\nvalues of the image or px", "T")
        ->check(CLI::NonNegativeNumber.description(""));
    addValue(command, "--regions", regions,
             "With --hierarchy: keep the strongest boundaries, at most\nthis many regions", "N")
        ->check(CLI::PositiveNumber.description(""));
    addValue(command, "--sizes", sizes,
             "With --hierarchy: areas of regions that are objects,\n50:500 (px2), ':90 um2'; of volumes volumes",
             "LO:HI");
    addValue(command, "--from-labels", labels,
             "Instead of --threshold: objects are those of a label image\nof the same size, {stem} is the name of the "
             "image without\nits ending; they keep their numbers",
             "FILE");
    command.add_flag("--dark", dark, "With --best and --watershed: objects are darker than their\nsurroundings");
}

std::string RegionOptions::option() const {
    return best                 ? "--best"
           : !watershed.empty() ? "--watershed"
           : !hierarchy.empty() ? "--hierarchy"
           : !labels.empty()    ? "--from-labels"
                                : std::string();
}

void RegionOptions::addTo(ObjectRule& rule, bool hasThreshold, bool inVolume) const {
    const RegionOptions defaults;
    const bool floods = !watershed.empty();
    const bool cuts = !hierarchy.empty();
    const bool hasDistances = watershed == nameOf(Relief::distance) || seedsOf == nameOf(Relief::distance);
    const std::string way = option();
    const bool reads = !labels.empty();
    const bool replaces = best || cuts || reads;
    refuseConflicts(
        {{int{best} + int{floods} + int{cuts} + int{reads} > 1,
          "--best, --watershed, --hierarchy, --from-labels: give one of them"},
         {replaces && hasThreshold, way + ": leave out --threshold, whose place it takes"},
         {replaces && rule.above, way + ": leave out --above-background"},
         {!rule.above && !hasThreshold && floods && hasDistances,
          "--watershed: distances are to the background of --threshold"},
         {!way.empty() && rule.split, way + ": leave out --split"},
         {rule.fillHoles && (replaces || (floods && !hasThreshold && !rule.above)), way + ": leave out --fill-holes"},
         {best && rule.connectivity != (inVolume ? Connectivity::twentySix : Connectivity::eight),
          std::string("--best: works with ") + (inVolume ? "26" : "8") + " neighbours, leave out --connectivity"},
         {!best && !size.empty(), "--size: is for --best"},
         {!best && strictness != defaults.strictness, "--strictness: is for --best"},
         {!best && !weights.empty(), "--weights: is for --best"},
         {!best && ask != 0, "--ask: is for --best"},
         {!best && !keep.empty(), "--keep: is for --best"},
         {!best && !drop.empty(), "--drop: is for --best"},
         {!best && !floods && dark, "--dark: is for --best and --watershed"},
         {!floods && !seeds.empty(), "--seeds: is for --watershed"},
         {!floods && !seedsOf.empty(), "--seeds-of: is for --watershed"},
         {!floods && lines, "--lines: is for --watershed"},
         {!cuts && weight != defaults.weight, "--weight: is for --hierarchy"},
         {!cuts && above.has_value(), "--above: is for --hierarchy"},
         {!cuts && regions.has_value(), "--regions: is for --hierarchy"},
         {!cuts && !sizes.empty(), "--sizes: is for --hierarchy"}});
    rule.dark = dark;
    if (best) {
        rule.best = bestRule(*this, inVolume);
    } else if (floods) {
        rule.watershed = watershedRule(*this, !hasThreshold && !rule.above);
    } else if (cuts) {
        rule.hierarchy = hierarchyRule(*this, inVolume);
    } else if (reads) {
        rule.labels = std::filesystem::absolute(labels).string();
    }
}

void addUnsure(Report& report, const std::vector<UnsureRegion>& unsure, const Extent& image) {
    if (unsure.empty()) {
        return;
    }
    TextTable table({"least sure", "object", "expected overlap"}, "llr");
    Json& listed = report.fields["least_sure"] = Json::array();
    for (const UnsureRegion& each : unsure) {
        const Voxel at = voxelAt(static_cast<std::uint32_t>(each.pixel), image);
        const std::string pixel = std::to_string(at.x) + ',' + std::to_string(at.y) +
                                  (image.isVolume() ? ',' + std::to_string(at.z) : std::string());
        table.add({pixel, each.isObject ? "yes" : "no", fixed(each.fit, 3)});
        listed.push_back({{"pixel", pixel}, {"object", each.isObject}, {"expected_overlap", each.fit}});
    }
    table.print(report.text);
}

void addRegions(Json& fields, const ObjectRule& rule, const Components& found) {
    if (rule.best) {
        fields["best"] = Json{{"size_px", found.expectedArea ? Json(*found.expectedArea) : Json()},
                              {"size_estimated", !rule.best->size},
                              {"strictness", rule.best->strictness},
                              {"unmet_marks", found.unmetMarks},
                              {"dark", rule.dark}};
        if (rule.best->weights != BestWeights{}) {
            fields["best"]["weights"] = bestWeightsText(rule.best->weights);
        }
    } else if (rule.watershed) {
        fields["watershed"] = Json{{"relief", nameOf(rule.watershed->relief)}, {"seeds", nameOf(rule.watershed->by)},
                                   {"least", rule.watershed->least},           {"lines", rule.watershed->lines},
                                   {"everywhere", rule.watershed->everywhere}, {"dark", rule.dark}};
    } else if (rule.hierarchy) {
        const HierarchyRule& hierarchy = *rule.hierarchy;
        fields["hierarchy"] = Json{{"by", nameOf(hierarchy.strength)}, {"weight", nameOf(hierarchy.weight)}};
        if (hierarchy.regions) {
            fields["hierarchy"]["regions"] = *hierarchy.regions;
        } else {
            fields["hierarchy"]["above"] = hierarchy.above;
        }
    } else if (rule.labels) {
        fields["from_labels"] = *rule.labels;
    }
}

std::string regionText(const ObjectRule& rule, const Components& found) {
    if (rule.best) {
        return " of about " + grouped(static_cast<std::uint64_t>(std::llround(found.expectedArea.value_or(0)))) +
               (found.isVolume() ? " px3, best components" : " px2, best components");
    }
    if (rule.watershed) {
        return " of a watershed of the " + std::string(nameOf(rule.watershed->relief));
    }
    return rule.hierarchy ? " of a hierarchy by " + std::string(nameOf(rule.hierarchy->strength))
           : rule.labels  ? " of " + *rule.labels
                          : std::string();
}

std::string unmetText(const Components& found) {
    if (found.unmetMarks == 0) {
        return {};
    }
    return counted(std::uint64_t{found.unmetMarks}, "pixel") + " of --keep " + (found.unmetMarks == 1 ? "is" : "are") +
           " in no object: no candidate for an object contains " + (found.unmetMarks == 1 ? "it" : "them") +
           ", or another mark excludes it";
}

} // namespace pollard::cli
