#include "vm/contour/snake_record.hpp"

namespace pollard::vm {

void SnakeRecord::add(const SnakeState& state) {
    Entry entry;
    entry.told = {state.kind,   state.round,  state.reach,  static_cast<std::uint32_t>(state.nodes.size()),
                  state.energy, state.inside, state.outside};
    entry.firstChange = changes_.size();
    const bool whole =
        wholes_.empty() || state.nodes.size() != last_.size() || count() - wholes_.back().number >= kSpacing;
    if (whole) {
        wholes_.push_back({count(), state.nodes});
        wholeBytes_ += state.nodes.size() * sizeof(ContourNode);
    } else {
        for (std::size_t i = 0; i < last_.size(); ++i) {
            if (state.nodes[i] != last_[i]) {
                changes_.push_back({static_cast<std::uint32_t>(i), state.nodes[i]});
            }
        }
    }
    entry.whole = wholes_.size() - 1;
    last_ = state.nodes;
    entries_.push_back(entry);
}

Contour SnakeRecord::nodes(int number) const {
    const Entry& entry = entries_[static_cast<std::size_t>(number)];
    const Whole& whole = wholes_[entry.whole];
    Contour nodes = whole.nodes;
    const auto next = static_cast<std::size_t>(number) + 1;
    const std::size_t end = next < entries_.size() ? entries_[next].firstChange : changes_.size();
    for (std::size_t i = entries_[static_cast<std::size_t>(whole.number)].firstChange; i < end; ++i) {
        nodes[changes_[i].node] = changes_[i].place;
    }
    return nodes;
}

SnakeState SnakeRecord::state(int number) const {
    const Figures& told = figures(number);
    return {told.kind, told.round, told.reach, nodes(number), told.energy, told.inside, told.outside};
}

std::uint64_t SnakeRecord::bytes() const noexcept {
    return entries_.size() * sizeof(Entry) + wholes_.size() * sizeof(Whole) + wholeBytes_ +
           changes_.size() * sizeof(Change);
}

} // namespace pollard::vm
