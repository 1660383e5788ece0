// The part of DocumentViewModel that knows which tree, of what, is wanted: earlier filters, changes that belong
// together, the way back.
#include "document_view_model.hpp"

#include "followed_stages.hpp"

#include <utility>

namespace pollard::vm {

void DocumentViewModel::setEarlierFilters(const FilterStages& stages) {
    if (stages == earlier_) {
        return;
    }
    takeEarlier(stages);
    postBuild();
}

void DocumentViewModel::takeEarlier(const FilterStages& stages) {
    if (stages != earlier_) {
        earlier_ = stages;
        emit earlierFiltersChanged();
    }
}

FilterStages DocumentViewModel::stagesFor(const OpenRequest& request) const {
    return hasImage() ? followed(earlier_, shown_.request, request, *shown_.info) : earlier_;
}

bool DocumentViewModel::isTreeAsWanted() const {
    return treeSpec_ == shown_.treeSpec && domain_ == shown_.domain && requestedEngine_ == adoptedEngine_ &&
           effectiveStages(earlier_) == effectiveStages(shown_.earlier);
}

void DocumentViewModel::revertTreeChoice() {
    if (!hasImage()) {
        return; // a choice for the first image to come
    }
    const bool otherFilters = std::exchange(earlier_, shown_.earlier) != shown_.earlier;
    const bool otherEngine = std::exchange(requestedEngine_, adoptedEngine_) != adoptedEngine_;
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

void DocumentViewModel::filterIfNotAsWanted() {
    const bool awaited = loadGeneration_ != 0 || buildGeneration_ != 0 || filterGeneration_ != 0;
    if (hasImage() && !awaited && resultSpec() != filterSpec_) {
        postFilter();
    }
}

void DocumentViewModel::release() {
    if (--holds_ > 0) {
        return;
    }
    const bool filter = std::exchange(filterHeld_, false);
    const bool build = std::exchange(buildHeld_, false);
    if (build) {
        postBuild();
    }
    const bool comesWithTree = build && buildGeneration_ != 0 && filterGeneration_ == 0;
    if (filter && !comesWithTree) { // one that waits is replaced: it would follow the tree
        postFilter();
    }
}

} // namespace pollard::vm
