#include "vm/history/edit_state.hpp"

namespace pollard::vm {

namespace {

bool isSameFilter(const FilterViewModel::State& a, FilterViewModel::State b) {
    b.criteria.current = a.criteria.current;
    return a == b;
}

bool isSameRemoval(const RemovedObjects& a, const RemovedObjects& b) { return a == b || (a && b && *a == *b); }

} // namespace

bool SelectedNodes::operator==(const SelectedNodes& other) const noexcept {
    if (nodes == nullptr || other.nodes == nullptr) {
        return nodes == other.nodes;
    }
    return nodes == other.nodes || *nodes == *other.nodes;
}

ObjectChoice ObjectChoice::of(const ObjectsViewModel& objects) {
    const bool byHand = objects.threshold() == ObjectsViewModel::Threshold::hand;
    return {objects.source(),
            objects.threshold(),
            objects.isDark(),
            objects.connectivity(),
            byHand ? objects.wantedLevels() : LevelRange{},
            objects.fillsHoles(),
            objects.isWithoutBorder(),
            objects.channels().choice(),
            objects.classes().classes()};
}

bool ObjectChoice::findsAs(ObjectChoice other) const {
    other.withoutBorder = withoutBorder;
    other.channels = channels;
    other.classes = classes;
    return *this == other;
}

void ObjectChoice::applyTo(ObjectsViewModel& objects) const {
    objects.setSource(source);
    objects.setDark(dark);
    objects.setConnectivity(connectivity);
    objects.setFillHoles(fillHoles);
    objects.setWithoutBorder(withoutBorder);
    objects.channels().setChoice(channels);
    objects.classes().setClasses(classes);
    if (threshold == ObjectsViewModel::Threshold::hand) {
        objects.setWantedLevels(levels);
    } else {
        objects.setThreshold(threshold);
    }
}

bool isSameEdit(const EditState& a, const EditState& b) {
    return a.read == b.read && a.folderSize == b.folderSize && a.earlier == b.earlier &&
           isSameFilter(a.filter, b.filter) && a.tree == b.tree && a.region.shapes == b.region.shapes &&
           a.region.inverted == b.region.inverted && a.selection == b.selection && a.objects == b.objects &&
           isSameRemoval(a.removedObjects, b.removedObjects) && a.contours == b.contours;
}

} // namespace pollard::vm
