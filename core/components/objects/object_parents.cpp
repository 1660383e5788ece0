#include "components/objects/object_parents.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/object_rule.hpp"
#include "components/shape/object_runs.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kChildrenPerTask = 256;

/// Pixels with one label.
struct Share {
    std::uint32_t label;
    std::uint32_t pixels;
};

/// Finds the labels under the runs of an object. A label may occur several times.
void findShares(std::span<const ObjectRun> runs, std::span<const std::uint32_t> parents, std::vector<Share>& shares) {
    shares.clear();
    for (const ObjectRun& run : runs) {
        for (const std::uint32_t label : parents.subspan(run.first, run.length)) {
            if (shares.empty() || shares.back().label != label) {
                shares.push_back({label, 0});
            }
            ++shares.back().pixels;
        }
    }
}

ObjectParent parentIn(std::vector<Share>& shares) {
    std::ranges::sort(shares, {}, &Share::label);
    ObjectParent parent;
    std::uint64_t most = 0;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < shares.size();) {
        const std::uint32_t label = shares[i].label;
        std::uint64_t pixels = 0;
        for (; i < shares.size() && shares[i].label == label; ++i) {
            pixels += shares[i].pixels;
        }
        all += pixels;
        if (label != 0 && pixels > most) {
            most = pixels;
            parent.label = label;
        }
    }
    parent.overlap = all == 0 ? 0 : static_cast<double>(most) / static_cast<double>(all);
    return parent;
}

} // namespace

std::vector<ObjectParent> parentsOf(const Components& children, std::span<const std::uint32_t> parents,
                                    const JobControl& control) {
    if (parents.size() != children.extent().pixelCount()) {
        throw Error(ErrorCode::invalidArgument, "find parents: the label images differ in size");
    }
    const ObjectRuns runs(children, control);
    std::vector<ObjectParent> found(children.count);
    const auto findParents = [&](std::size_t begin, std::size_t end) {
        std::vector<Share> shares;
        for (std::size_t object = begin; object != end; ++object) {
            findShares(runs.of(static_cast<std::uint32_t>(object + 1)), parents, shares);
            found[object] = parentIn(shares);
        }
    };
    forEachRange(children.count, control, findParents, kChildrenPerTask);
    return found;
}

std::vector<ChildCount> countChildren(std::span<const std::uint32_t> parents, std::span<const ObjectParent> found,
                                      std::span<const std::uint32_t> children) {
    std::vector<std::uint32_t> labels;
    std::uint32_t last = 0;
    for (const std::uint32_t label : parents) {
        if (label != 0 && label != last) {
            labels.push_back(label);
        }
        last = label;
    }
    tbb::parallel_sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    std::vector<ChildCount> counts;
    counts.reserve(labels.size());
    for (const std::uint32_t label : labels) {
        counts.push_back({label, 0});
    }
    for (const std::uint32_t child : children) {
        if (const std::uint32_t parent = found[child - 1].label; parent != 0) {
            ++std::ranges::lower_bound(counts, parent, {}, &ChildCount::parent)->children;
        }
    }
    return counts;
}

ObjectColumn countColumn(const Components& components, const ChannelPlane& plane, std::optional<double> from,
                         const JobControl& control) {
    const Extent extent = components.extent();
    if (plane.image->extent() != extent) {
        throw Error(ErrorCode::invalidArgument, "channel " + plane.channel.name + " differs in size from the objects");
    }
    ObjectRule rule = ObjectSettings{}.rule;
    rule.connectivity = components.isVolume() ? Connectivity::twentySix : Connectivity::eight;
    if (from) {
        rule.method.reset();
        rule.values = ValueBounds{};
        rule.values->low = *from;
    }
    const LevelRange levels = rule.levelsOf(*plane.image, plane.valid.get(), control, plane.mapping);
    ComponentsSpec spec;
    spec.connectivity = rule.connectivity;
    spec.slices = extent.slices;
    const Components children = labelComponents(rule.maskOf(*plane.image, levels, plane.valid.get(), control),
                                                plane.image.get(), spec, control);
    auto counts = std::make_shared<std::vector<std::uint32_t>>(components.count, 0);
    for (const ObjectParent& parent : parentsOf(children, components.labels.span(), control)) {
        if (parent.label != 0) {
            ++(*counts)[parent.label - 1];
        }
    }
    return {std::string(kCountMeasure) + '[' + plane.channel.name + ']',
            [counts](std::uint32_t label) { return static_cast<double>((*counts)[label - 1]); }};
}

} // namespace pollard
