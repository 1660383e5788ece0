#pragma once

#include "trace/lab_picture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::teach {

/// What can be seen of an algorithm at work: arrays of numbers, each shown in its own way. -1 means "nothing (yet)".
enum class Layer : std::uint8_t {
    tile,    ///< per pixel: number of the tile or block that holds it
    parent,  ///< per pixel: the pixel that it points to
    number,  ///< per pixel: a number written into the cell (rank, label, attribute)
    mark,    ///< per pixel: a Mark
    edge,    ///< per edge of the grid (GridEdges): an EdgeMark
    thread,  ///< per virtual thread: the pixel on which it stands
    partner, ///< per virtual thread: the pixel that it compares with
    kept,    ///< per pixel, of canonical pixels: 1 = the filter keeps the node, 0 = removes it
    output,  ///< per pixel: level of the filtered picture
    word,    ///< per machine word: its bits
    table,   ///< cells of a table, row by row
    contour, ///< x, y of each node of a closed contour, in corners of pixels
};
inline constexpr std::size_t kLayers = 12;

/// How a pixel takes part in what happens.
enum class Mark : std::int8_t {
    none = -1,
    active,  ///< what the step is about
    other,   ///< what it is compared with
    waiting, ///< in a queue or a list
    done,    ///< will not change any more
    retried, ///< somebody else came first; it is tried again
};

/// What becomes of an edge between two neighbouring pixels.
enum class EdgeMark : std::int8_t {
    open = -1,  ///< not looked at yet
    active,     ///< what the step is about
    used,       ///< it joined two components
    idle,       ///< its ends were in one component already
    superfluous ///< left out, because others make up for it
};

/// A number of a caption, and how to write it.
struct Value {
    enum class Kind : std::uint8_t {
        number,
        pixel,  ///< an index, shown as (x, y)
        thread, ///< a number of a virtual thread, shown with its colour
        level,  ///< a grey level
        bits,   ///< a word of zeros and ones
    };
    Kind kind = Kind::number;
    std::int64_t value = 0;

    bool operator==(const Value&) const = default;
};

/// One assignment to a layer, which can be taken back.
struct Change {
    Layer layer;
    std::uint32_t at; ///< index in the layer
    std::int64_t before;
    std::int64_t after;

    bool operator==(const Change&) const = default;
};

/// What one step is. There is one object of each, next to the algorithm that reports it.
struct StepText {
    const char* caption; ///< POLLARD_TEACH; %1 to %4 stand for the values
    int line;            ///< of the player's pseudo-code, from 0; -1 for none
};

/// One step: what it says and where its changes are.
struct Step {
    const StepText* text = nullptr;
    std::array<Value, 4> values{};
    std::uint32_t firstChange = 0; ///< its changes end where those of the next step begin
    std::int8_t thread = -1;       ///< the virtual thread that does it; -1 without threads
    bool asks = false;             ///< worth guessing before it is shown: what its last change assigns
};

/// A recorded run of an algorithm on a small picture. Nothing in it changes any more; TraceCursor plays it.
struct Trace {
    LabPicture picture;
    std::array<std::vector<std::int64_t>, kLayers> start; ///< by Layer; empty where the algorithm has no such thing
    std::vector<const char*> tableColumns;                ///< POLLARD_TEACH; of Layer::table
    std::uint32_t wordBits = 32;                          ///< of Layer::word
    std::vector<Change> changes;
    std::vector<Step> steps;
    /// Threads that could go on where a choice by hand has not been made yet; empty if the algorithm has ended.
    std::vector<std::uint8_t> choices;

    /// One past the last change of a step.
    [[nodiscard]] std::size_t changesEnd(std::size_t step) const noexcept {
        return step + 1 < steps.size() ? steps[step + 1].firstChange : changes.size();
    }
};

} // namespace pollard::teach
