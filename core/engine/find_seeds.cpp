#include "engine/find_seeds.hpp"

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "components/components.hpp"
#include "engine/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <variant>

namespace pollard {

namespace {

/// The attribute that a seed outlasts others by.
AttributeId measureOf(SeedMeasure by) {
    return by == SeedMeasure::area     ? AttributeId::area
           : by == SeedMeasure::volume ? AttributeId::volume
                                       : AttributeId::height;
}

/// The objects of a mask; without labels for all pixels.
LabelImage objectsOf(Engine& engine, const SeedSource& source, const JobControl& control) {
    if (source.inside == nullptr) {
        return {};
    }
    const Extent& extent = source.image.extent();
    const ComponentsSpec spec{connectivityIn(extent, source.connectivity), {}, true, false, extent.slices};
    Components found = engine.labelComponents(*source.inside, nullptr, spec, control);
    return {std::move(found.labels), extent.width, extent.height, found.count, extent.slices};
}

} // namespace

SeedTree makeSeedTree(Engine& engine, const SeedSource& source, SeedMeasure by, const JobControl& control) {
    const std::string work = "seeds: image of " + text(source.image.extent());
    const auto session = engine.openSession();
    // The session shares the image until the tree is built, and the mask.
    session->open(std::shared_ptr<const Image>(std::shared_ptr<void>(), &source.image),
                  std::shared_ptr<const Mask>(std::shared_ptr<void>(), source.inside));
    session->buildTree({source.descending ? TreeKind::max : TreeKind::min, source.connectivity, {}},
                       control.part(0, .6));
    std::shared_ptr<const ComponentTree> tree = session->tree();
    requireAvailable(work, (sizeof(std::uint64_t) + SeedTree::kNodeBytes) * tree->nodeCount() +
                               2 * sizeof(std::uint32_t) * tree->pixelCount());
    try {
        const auto column = session->attribute(measureOf(by), control.part(.6, .2));
        Buffer<std::uint64_t> measure(tree->nodeCount());
        std::visit(
            [&](const auto& values) {
                forEachIndex(values.size(), control,
                             [&](std::size_t node) { measure[node] = static_cast<std::uint64_t>(values[node]); });
            },
            column->values);
        return {std::move(tree), by, std::move(measure), objectsOf(engine, source, control.part(.8, .1)), control};
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, work + ": not enough memory");
    }
}

LabelImage seedsOf(Engine& engine, const SeedSource& source, const SeedRule& rule, const JobControl& control) {
    const SeedTree tree = makeSeedTree(engine, source, rule.by, control.part(0, .9));
    try {
        return tree.seeds(rule.least, control.part(.9, .1));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "seeds: not enough memory for " + text(source.image.extent()));
    }
}

} // namespace pollard
