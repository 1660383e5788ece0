#pragma once

#include "trace/trace.hpp"
#include "watched/connect_watch.hpp"
#include "watched/tile_lab.hpp"

#include <cstdint>

namespace pollard::teach {

/// Texts of the steps of joinColumnsOfTiles().
struct ColumnsOfTilesTexts {
    const StepText& leaveOut; ///< see TileLab::joinSeams()
    const StepText& joined;
    const StepText& flatten; ///< this and end: see TreeLab::flatten()
    const StepText& end;
};

/// Last part of a max-tree by tiles, within the current step: the tiles of a column are one region, the columns are
/// joined, and each pixel finds its canonical parent. Ends with the choices by hand.
template <class Lab>
[[nodiscard]] Trace joinColumnsOfTiles(Lab& lab, ConnectWatch& watch, const ColumnsOfTilesTexts& texts) {
    lab.mergeTiles([&](std::uint32_t tile) { return tile % lab.layout().columns(); });
    if (!lab.joinSeams({lab.layout(), false, lab.rule().eight}, texts.leaveOut, watch)) {
        return lab.offerChoices();
    }
    lab.trace().step(texts.joined);
    watch.leave();
    lab.mergeTiles([](std::uint32_t) { return 0; });
    lab.flatten(lab.links(), texts.flatten, texts.end);
    return lab.trace().take();
}

} // namespace pollard::teach
