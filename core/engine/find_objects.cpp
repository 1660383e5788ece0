#include "engine/find_objects.hpp"

#include "analysis/watershed.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/best/brightness.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/region_rules.hpp"
#include "engine/best_objects.hpp"
#include "engine/engine.hpp"
#include "engine/find_seeds.hpp"
#include "hierarchy/hierarchy.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

Components bestComponents(Engine& engine, const ObjectRule& rule, const ObjectSource& source, ObjectChoices& choices,
                          const JobControl& control) {
    const bool inVolume = !isPlanar(rule.connectivity);
    if (connectivityIn(source.image.extent(), rule.connectivity) !=
        correspondingConnectivity(source.image.extent(), Connectivity::eight)) {
        throw Error(ErrorCode::invalidArgument,
                    std::string("connectivity: the best components have ") + (inVolume ? "26" : "8") + " neighbours");
    }
    const BestChoice choice = rule.best->choiceFor(source.pixelSize, inVolume);
    if (!choices.candidates || choices.areDark != rule.dark) {
        choices.candidates = findBestCandidates(engine, source.image, source.inside, source.values,
                                                rule.dark ? Polarity::dark : Polarity::bright, control.part(0, .9));
        choices.areDark = rule.dark;
    }
    return bestObjects(*choices.candidates, choice, {}, source.grey, control.part(.9, .1), inVolume);
}

LabelImage hierarchyRegions(Engine& engine, const ObjectRule& rule, const ObjectSource& source, ObjectChoices& choices,
                            const JobControl& control) {
    const HierarchySpec spec = rule.hierarchy->specFor(rule.connectivity);
    if (!choices.hierarchy || choices.spec != spec) {
        choices.hierarchy = std::make_shared<const Hierarchy>(
            engine.makeHierarchy(source.image, source.inside, spec, control.part(0, .8)));
        choices.spec = spec;
    }
    return pollard::hierarchyRegions(*choices.hierarchy, *rule.hierarchy, source.values, source.inside,
                                     source.pixelSize, control.part(.8, .2));
}

std::shared_ptr<const FloodChoices> makeFlood(Engine& engine, FloodChoices::Source source, const ObjectSource& image,
                                              const JobControl& control) {
    const Mask* const inside = source.within ? &*source.within : image.inside;
    const auto made = [&](Relief relief) {
        return madeRelief(image.image, inside, relief, source.connectivity, control.part(0, .2));
    };
    std::optional<Image> relief = made(source.peaks);
    SeedTree seeds = makeSeedTree(
        engine, {relief ? *relief : image.image, inside, source.connectivity, isDescending(source.peaks, source.dark)},
        source.by, control.part(.2, .8));
    if (source.peaks != source.relief) {
        relief = made(source.relief);
    }
    return std::make_shared<const FloodChoices>(FloodChoices{std::move(source), std::move(relief), std::move(seeds)});
}

/// The regions of a watershed: labels 1 .. count in raster order of the first pixels, 0 elsewhere.
LabelImage watershedRegions(Engine& engine, const ObjectRule& rule, const ObjectSource& source, LevelRange levels,
                            ObjectChoices& choices, const JobControl& control) {
    const WatershedRule& watershed = *rule.watershed;
    FloodChoices::Source wanted{watershed.relief,  watershed.seedRelief(),
                                watershed.by,      rule.areDark(levels, source.image.type()),
                                rule.connectivity, {}};
    if (!watershed.everywhere) {
        wanted.within = rule.maskOf(source.image, levels, source.inside, control, source.values);
    }
    if (wanted.relief == Relief::gradient || (wanted.peaks != Relief::distance && wanted.by != SeedMeasure::area)) {
        requireProportional(source.values, "watershed");
    }
    const Extent extent = source.image.extent();
    try {
        if (!choices.flood || choices.flood->source != wanted) {
            choices.flood.reset(); // before the memory of the next one is taken
            choices.flood = makeFlood(engine, std::move(wanted), source, control.part(0, .4));
        }
        const FloodChoices& flood = *choices.flood;
        const LabelImage seeds = flood.seeds.seeds(watershed.seedRule(source.values).least, control.part(.4, .1));
        const WatershedSpec spec{rule.connectivity, isDescending(flood.source.relief, flood.source.dark),
                                 watershed.lines};
        LabelImage found{engine.watershed(flood.relief ? *flood.relief : source.image, seeds.labels.span(),
                                          flood.source.within ? &*flood.source.within : source.inside, spec,
                                          control.part(.5, .5)),
                         extent.width, extent.height, seeds.count, extent.slices};
        numberInOrder(
            found, [](std::uint32_t) { return true; }, control);
        return found;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "watershed: not enough memory for " + text(extent));
    }
}

Components labelObjects(const ObjectRule& rule, const ObjectSource& source, const JobControl& control) {
    if (!source.labels) {
        throw Error(ErrorCode::invalidArgument, "labels: an image without a file has no label file");
    }
    const Extent extent = source.image.extent();
    const std::shared_ptr<const StoredLabels> stored =
        source.labels(*rule.labels, extent, !isPlanar(rule.connectivity), control.part(0, .6));
    return measureNumbers(stored->labels.span(), extent, source.inside, source.grey, rule.connectivity,
                          control.part(.6, .4));
}

/// The pixels with a label.
Mask maskOf(const LabelImage& regions, const JobControl& control) {
    Mask mask(regions.width, regions.height * regions.slices, false);
    forEachIndex(
        mask.height(), control,
        [&](std::size_t y) {
            for (std::uint32_t x = 0; x != regions.width; ++x) {
                if (regions.labels[y * regions.width + x] != 0) {
                    mask.set(x, static_cast<std::uint32_t>(y), true);
                }
            }
        },
        64);
    return mask;
}

} // namespace

Components findObjects(Engine& engine, const ObjectRule& rule, const ObjectSource& source, LevelRange levels,
                       ComponentsSpec spec, const JobControl& control, ObjectChoices* choices) {
    if (const auto conflict = rule.conflict()) {
        throw Error(ErrorCode::invalidArgument, std::string(conflict->setting) + ": " + conflict->why);
    }
    spec.connectivity = rule.connectivity;
    spec.slices = source.image.extent().slices;
    ObjectChoices made;
    ObjectChoices& from = choices != nullptr ? *choices : made;
    StageTimer timer;
    Components found;
    if (rule.best) {
        found = bestComponents(engine, rule, source, from, control);
    } else if (rule.watershed && rule.watershed->lines) { // a line can divide a region
        const Mask mask = maskOf(watershedRegions(engine, rule, source, levels, from, control.part(0, .8)), control);
        found = engine.labelComponents(mask, source.grey, spec, control.part(.8, .2));
    } else if (rule.watershed) {
        found = measureLabels(watershedRegions(engine, rule, source, levels, from, control.part(0, .8)), source.grey,
                              rule.connectivity, control);
        found.algorithm = "watershed";
    } else if (rule.hierarchy) {
        found = measureLabels(hierarchyRegions(engine, rule, source, from, control.part(0, .8)), source.grey,
                              rule.connectivity, control);
        found.algorithm = "hierarchy";
    } else if (rule.labels) {
        found = labelObjects(rule, source, control);
        found.algorithm = "labels";
    } else {
        const Mask mask = rule.maskOf(source.image, levels, source.inside, control, source.values);
        return engine.labelComponents(mask, source.grey, spec, control);
    }
    timer.finish("objects");
    found.milliseconds = timer.totalMilliseconds();
    return found;
}

} // namespace pollard
