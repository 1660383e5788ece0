#include "vm/document/document_choices.hpp"

#include "vm/base/change.hpp"
#include "vm/document/jobs/page_builder.hpp"
#include "vm/image/region_edit.hpp"

#include <set>
#include <utility>

namespace pollard::vm {

namespace {

void clearPicks(FilterSpec& filter) {
    filter.removed.clear();
    filter.kept.clear();
    filter.only.clear();
}

/// Filters of one image for one of another file.
FilterStages carriedOver(FilterStages stages) {
    for (FilterStage& stage : stages) {
        clearPicks(stage.filter);
        stage.region = {};
        stage.regionOn = true;
    }
    return stages;
}

} // namespace

bool DocumentChoices::isResultAsWanted() const {
    return shown_.hasResult() && shown_.frame.spec == filterSpec_ && isSameTree();
}

bool DocumentChoices::isTreeAsWanted() const {
    return isSameTree() && engine_ == QString::fromStdString(used_.requested);
}

bool DocumentChoices::isSameTree() const {
    const bool sameBounds =
        !shown_.info || shown_.volume || !dependsOnPixelSize(earlier_) || shown_.earlierSize == shown_.info->pixelSize;
    return treeSpec_ == shown_.treeSpec && domain_ == shown_.domain && sameBounds &&
           effectiveStages(earlier_) == effectiveStages(shown_.earlier);
}

bool DocumentChoices::isSamePlace(const OpenRequest& image) const {
    const OpenRequest& from = shown_.request;
    return from.path == image.path && shown_.info && placeOf(from, *shown_.info) == placeOf(image, *shown_.info);
}

void DocumentChoices::setTreeSpec(const TreeSpec& asked) {
    TreeSpec spec = asked;
    if (shown_.image) {
        spec.connectivity = correspondingConnectivity(shown_.analysed()->extent(), asked.connectivity);
    }
    change(this, treeSpec_, spec, &DocumentChoices::treeSpecChanged, &DocumentChoices::treeRequested);
}

void DocumentChoices::setTree(const TreeStep& tree) {
    TreeSpec spec = treeSpec_;
    spec.kind = tree.kind;
    spec.connectivity = tree.connectivity;
    setTreeSpec(spec);
}

void DocumentChoices::setDomain(const std::shared_ptr<const Mask>& domain) {
    if (domain == domain_ || !shown_.image) {
        return;
    }
    takeDomain(domain);
    emit treeRequested();
}

void DocumentChoices::setEarlierFilters(const FilterStages& stages) {
    if (takeEarlier(stages)) {
        emit earlierFiltersChanged();
        emit treeRequested();
    }
}

void DocumentChoices::setEngine(const QString& name) {
    change(this, engine_, name, &DocumentChoices::engineChanged, &DocumentChoices::treeRequested);
}

TreeRequest DocumentChoices::request() const {
    std::set<AttributeId> ids{AttributeId::area, attribute_};
    for (const Criterion& criterion : filterSpec_.criteria) {
        ids.insert(criterion.attribute);
    }
    return {engine_.toStdString(), treeSpec_, domain_, earlier_, {ids.begin(), ids.end()}, filterSpec_};
}

TreeRequest DocumentChoices::requestForPages() const {
    TreeRequest pages = request();
    clearPicks(pages.filter);
    for (FilterStage& stage : pages.earlier) {
        clearPicks(stage.filter);
    }
    return pages;
}

TreeRequest DocumentChoices::requestFor(const OpenRequest& image) const {
    TreeRequest tree = requestForPages();
    tree.earlier = stagesFor(image);
    if (!isSamePlace(image)) {
        tree.domain.reset(); // drawn in another image, or in another part
    }
    if (const auto own = filterSource_ ? filterSource_(image) : std::nullopt) {
        tree.filter = *own;
    }
    return tree;
}

FilterStages DocumentChoices::stagesFor(const OpenRequest& image) const {
    const OpenRequest& from = shown_.request;
    if (!shown_.image || from.sameImage(image)) {
        return earlier_;
    }
    if (from.path != image.path) {
        return carriedOver(earlier_);
    }
    const ImagePlace before = placeOf(from, *shown_.info);
    const ImagePlace after = placeOf(image, *shown_.info);
    FilterStages stages = earlier_;
    for (FilterStage& stage : stages) {
        clearPicks(stage.filter);
        if (before != after) {
            for (RegionShape& shape : stage.region.shapes) {
                shape = mapped(shape, before, after);
            }
        }
    }
    return stages;
}

void DocumentChoices::adoptConnectivity() {
    const Connectivity fitting = correspondingConnectivity(shown_.analysed()->extent(), treeSpec_.connectivity);
    if (std::exchange(treeSpec_.connectivity, fitting) != fitting) {
        emit treeSpecChanged();
    }
}

void DocumentChoices::takeDomain(const std::shared_ptr<const Mask>& domain) {
    change(this, domain_, domain, &DocumentChoices::domainChanged);
}

bool DocumentChoices::takeEarlier(const FilterStages& stages) {
    const bool differ = stages != earlier_;
    earlier_ = stages;
    return differ;
}

bool DocumentChoices::leaveImage() {
    takeDomain(nullptr);
    return takeEarlier(carriedOver(earlier_));
}

void DocumentChoices::takeEngine(const EngineUse& use) {
    const bool other = use.name != used_.name || use.device != used_.device;
    used_ = use;
    if (other) {
        emit engineChanged();
    }
}

void DocumentChoices::revertTree() {
    if (!shown_.image) {
        return; // applies to the first image that is opened
    }
    const bool otherFilters = std::exchange(earlier_, shown_.earlier) != shown_.earlier;
    const QString before = std::exchange(engine_, QString::fromStdString(used_.requested));
    const bool otherEngine = before != engine_;
    const bool otherDomain = std::exchange(domain_, shown_.domain) != shown_.domain;
    const bool otherTree = !(std::exchange(treeSpec_, shown_.treeSpec) == shown_.treeSpec);
    if (otherFilters) {
        emit earlierFiltersChanged();
    }
    if (otherEngine) {
        emit engineChanged();
    }
    if (otherDomain) {
        emit domainChanged();
    }
    if (otherTree) {
        emit treeSpecChanged();
    }
}

void DocumentChoices::release() {
    if (--holds_ == 0) {
        const bool filter = std::exchange(filterHeld_, false);
        emit released(std::exchange(treeHeld_, false), filter);
    }
}

} // namespace pollard::vm
