#include "vm/contour/contour_record.hpp"

#include "snake/snake_job.hpp"

#include <algorithm>
#include <utility>

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

void ContourRecord::begin(std::span<const SnakeState> starts, Background background) {
    background_ = background;
    energies_.clear();
    if (background_ == Background::own) {
        energies_.push_back(0);
        for (const SnakeState& start : starts) {
            energies_.front() += start.energy;
        }
    }
    members_.assign(starts.size(), {});
    for (std::size_t i = 0; i < starts.size(); ++i) {
        members_[i].states.add(starts[i]);
        members_[i].numbers.push_back(0);
    }
    movers_.assign(1, 0);
}

void ContourRecord::add(std::size_t contour, const SnakeState& state) {
    if (background_ == Background::own) {
        const SnakeRecord& own = members_[contour].states;
        energies_.push_back(energies_.back() + (state.energy - own.figures(own.count() - 1).energy));
    }
    members_[contour].states.add(state);
    members_[contour].numbers.push_back(count());
    movers_.push_back(static_cast<std::uint32_t>(contour));
}

void ContourRecord::trim(double lengthPrice) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const SnakeRecord& states = members_[i].states;
        SnakeState state = states.state(states.count() - 1);
        if (background_ == Background::common) {
            const Figures present = figures(count() - 1, i);
            state.energy = present.energy;
            state.outside = present.outside;
        }
        const std::size_t nodes = state.nodes.size();
        pollard::trim(state, lengthPrice);
        if (state.nodes.size() == nodes) {
            continue;
        }
        state.kind = SnakeStep::trim;
        state.reach = 0;
        add(i, state);
    }
}

int ContourRecord::ownState(const Member& member, int number) {
    return static_cast<int>(std::ranges::upper_bound(member.numbers, number) - member.numbers.begin()) - 1;
}

Contour ContourRecord::nodes(int number, std::size_t contour) const {
    const Member& member = members_[contour];
    return member.states.nodes(ownState(member, number));
}

std::vector<Contour> ContourRecord::allNodes(int number) const {
    std::vector<Contour> all;
    all.reserve(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
        all.push_back(nodes(number, i));
    }
    return all;
}

ContourRecord::Figures ContourRecord::figures(int number, std::size_t contour) const {
    const Member& member = members_[contour];
    Figures told = member.states.figures(ownState(member, number));
    if (background_ == Background::own) {
        told.energy = energies_[static_cast<std::size_t>(number)];
        return told;
    }
    const Member& last = members_[moverOf(number)];
    const Figures& common = last.states.figures(ownState(last, number));
    told.energy = common.energy;
    told.outside = common.outside;
    return told;
}

SnakeState ContourRecord::state(int number) const {
    const Member& member = members_[moverOf(number)];
    return member.states.state(ownState(member, number));
}

std::uint64_t ContourRecord::bytes() const noexcept {
    std::uint64_t bytes = movers_.size() * (sizeof(std::uint32_t) + sizeof(int)) + energies_.size() * sizeof(double);
    for (const Member& member : members_) {
        bytes += member.states.bytes();
    }
    return bytes;
}

} // namespace pollard::vm
