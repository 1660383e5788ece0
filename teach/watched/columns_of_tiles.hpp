#pragma once

#include "trace/trace.hpp"
#include "watched/connect_watch.hpp"
#include "watched/tile_lab.hpp"

#include <cstdint>

namespace pollard::teach {

/// What the steps of joinColumnsOfTiles() say.
struct ColumnsOfTilesTexts {
    const StepText& leaveOut; ///< see TileLab::joinSeams()
    const StepText& joined;
    const StepText& flatten; ///< this and end: see TreeLab::flatten()
    const StepText& end;
};

/// The last part of a max-tree by tiles, in the step that was begun last: tiles of a column are one region, the columns
/// are joined, and every pixel finds its canonical parent. Ends where choices by hand end.
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
