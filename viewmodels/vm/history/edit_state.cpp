#include "vm/history/edit_state.hpp"

#include <algorithm>

namespace pollard::vm {

namespace {

bool isSameFilter(const FilterViewModel::State& a, FilterViewModel::State b) {
    b.criteria.current = a.criteria.current;
    return a == b;
}

/// Whether the other channels have the same filters. One that is displayed for the first time continues with the
/// present filter.
bool isSameOthers(const EditState& a, const EditState& b) {
    const auto hasThose = [](const EditState& state, const EditState& other) {
        return std::ranges::all_of(*other.channels.others, [&](const auto& channel) {
            const auto& own = state.channels.others;
            const auto found = own ? own->find(channel.first) : ChannelFilters::Filters::const_iterator();
            return isSameFilter(own && found != own->end() ? found->second : state.filter, channel.second);
        });
    };
    return a.channels.others == b.channels.others ||
           ((!b.channels.others || hasThose(a, b)) && (!a.channels.others || hasThose(b, a)));
}

bool isSameRemoval(const RemovedObjects& a, const RemovedObjects& b) { return a == b || (a && b && *a == *b); }

} // namespace

bool SelectedNodes::operator==(const SelectedNodes& other) const noexcept {
    if (nodes == nullptr || other.nodes == nullptr) {
        return nodes == other.nodes;
    }
    return nodes == other.nodes || *nodes == *other.nodes;
}

bool isSameEdit(const EditState& a, const EditState& b) {
    return a.read == b.read && a.folderSize == b.folderSize && a.earlier == b.earlier &&
           isSameFilter(a.filter, b.filter) && isSameOthers(a, b) && a.tree == b.tree &&
           a.region.shapes == b.region.shapes && a.region.inverted == b.region.inverted && a.selection == b.selection &&
           a.objects == b.objects && isSameRemoval(a.removedObjects, b.removedObjects) && a.contours == b.contours;
}

} // namespace pollard::vm
