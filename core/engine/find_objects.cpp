#include "engine/find_objects.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/best/brightness.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/region_rules.hpp"
#include "engine/best_objects.hpp"
#include "engine/engine.hpp"
#include "hierarchy/hierarchy.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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

LabelImage watershedRegions(Engine& engine, const ObjectRule& rule, const ObjectSource& source, LevelRange levels,
                            const JobControl& control) {
    FloodedImage flooded{source.image, source.values, source.inside, rule.areDark(levels, source.image.type()),
                         rule.connectivity};
    const FloodFunction flood = [&engine](const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                          const WatershedSpec& spec, const JobControl& stop) {
        return engine.watershed(image, seeds, inside, spec, stop);
    };
    if (rule.watershed->everywhere) {
        return pollard::watershedRegions(flooded, *rule.watershed, control, flood);
    }
    const Mask mask = rule.maskOf(source.image, levels, source.inside, control, source.values);
    flooded.inside = &mask;
    return pollard::watershedRegions(flooded, *rule.watershed, control, flood);
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
        const Mask mask = maskOf(watershedRegions(engine, rule, source, levels, control.part(0, .8)), control);
        found = engine.labelComponents(mask, source.grey, spec, control.part(.8, .2));
    } else if (rule.watershed) {
        found = measureLabels(watershedRegions(engine, rule, source, levels, control.part(0, .8)), source.grey,
                              rule.connectivity, control);
        found.algorithm = "watershed";
    } else if (rule.hierarchy) {
        found = measureLabels(hierarchyRegions(engine, rule, source, from, control.part(0, .8)), source.grey,
                              rule.connectivity, control);
        found.algorithm = "hierarchy";
    } else {
        const Mask mask = rule.maskOf(source.image, levels, source.inside, control, source.values);
        return engine.labelComponents(mask, source.grey, spec, control);
    }
    timer.finish("objects");
    found.milliseconds = timer.totalMilliseconds();
    return found;
}

} // namespace pollard
