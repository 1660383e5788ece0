#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// Marks a text for students. It is English here; the window translates it in the context "Teach".
#define POLLARD_TEACH(text) text

namespace pollard::teach {

/// Longest side of an image that can be followed pixel by pixel, px.
inline constexpr std::uint32_t kLabSide = 16;

/// The image of the grid lab: small enough to watch every pixel.
struct LabImage {
    std::uint32_t width = 0;           ///< 1 to kLabSide
    std::uint32_t height = 0;          ///< 1 to kLabSide
    std::vector<std::uint16_t> levels; ///< (height, width)

    [[nodiscard]] std::size_t pixelCount() const noexcept { return std::size_t{width} * height; }
    [[nodiscard]] std::uint32_t pixelAt(std::uint32_t x, std::uint32_t y) const noexcept { return y * width + x; }

    bool operator==(const LabImage&) const = default;
};

/// Visible state of a running algorithm: arrays of numbers, each with its own presentation. -1 means "nothing".
enum class Layer : std::uint8_t {
    tile,    ///< per pixel: number of its tile or block
    parent,  ///< per pixel: the pixel that it points to
    number,  ///< per pixel: a number shown in the cell (rank, label, attribute)
    mark,    ///< per pixel: a Mark
    edge,    ///< per edge of the grid (gridEdges()): an EdgeMark
    thread,  ///< per virtual thread: the pixel it is at
    partner, ///< per virtual thread: the pixel it compares with
    kept,    ///< per canonical pixel: 1 = the filter keeps the node, 0 = removes it
    output,  ///< per pixel: level of the filtered image
    word,    ///< per machine word: its bits
    table,   ///< cells of a table, row by row
    contour, ///< x, y of each node of a closed contour, in corners of pixels
};
inline constexpr std::size_t kLayers = 12;

/// Role of a pixel in a step.
enum class Mark : std::int8_t {
    none = -1,
    active,  ///< subject of the step
    other,   ///< compared with the active pixel
    waiting, ///< in a queue or a list
    done,    ///< final
    retried, ///< another thread was faster; retried
};

/// State of an edge between two adjacent pixels.
enum class EdgeMark : std::int8_t {
    open = -1,  ///< not visited
    active,     ///< subject of the step
    used,       ///< has joined two components
    idle,       ///< its ends were in one component
    superfluous ///< skipped, because other edges replace it
};

/// A number in a caption, and its format.
struct Value {
    enum class Kind : std::uint8_t {
        number,
        pixel,  ///< an index, shown as (x, y)
        thread, ///< number of a virtual thread, shown in its colour
        level,  ///< a grey level
        bits,   ///< a word of zeros and ones
    };
    Kind kind = Kind::number;
    std::int64_t value = 0;

    bool operator==(const Value&) const = default;
};

/// One assignment to a layer; can be undone.
struct Change {
    Layer layer;
    std::uint32_t at; ///< index in the layer
    std::int64_t before;
    std::int64_t after;

    bool operator==(const Change&) const = default;
};

/// Description of a kind of step: one constant for each kind, beside the algorithm that reports it.
struct StepText {
    const char* caption; ///< POLLARD_TEACH; %1 to %4 stand for the values
    int line;            ///< line of the player's pseudo-code, from 0; -1 for none
};

/// One step: its text and its changes.
struct Step {
    const StepText* text = nullptr;
    std::array<Value, 4> values{};
    /// Index of its first change; its last change precedes the first change of the next step.
    std::uint32_t firstChange = 0;
    std::int8_t thread = -1; ///< the virtual thread that acts; -1 without threads
    bool asks = false;       ///< ask for the value of its last change before showing the step
};

/// A recorded run of an algorithm on a small image; immutable. TraceCursor plays it.
struct Trace {
    LabImage image;
    std::array<std::vector<std::int64_t>, kLayers> start; ///< by Layer; empty if the algorithm lacks the layer
    std::vector<const char*> tableColumns;                ///< POLLARD_TEACH; of Layer::table
    std::uint32_t wordBits = 32;                          ///< of Layer::word
    std::vector<Change> changes;
    std::vector<Step> steps;
    /// Threads that can continue at the next choice by hand; empty if the algorithm has ended.
    std::vector<std::uint8_t> choices;

    /// One past the last change of a step.
    [[nodiscard]] std::size_t changesEnd(std::size_t step) const noexcept {
        return step + 1 < steps.size() ? steps[step + 1].firstChange : changes.size();
    }
};

// Values of captions.
[[nodiscard]] constexpr Value pixelValue(std::uint32_t pixel) { return {Value::Kind::pixel, pixel}; }
[[nodiscard]] constexpr Value threadValue(std::uint32_t thread) { return {Value::Kind::thread, thread}; }
[[nodiscard]] constexpr Value levelValue(std::uint16_t level) { return {Value::Kind::level, level}; }
[[nodiscard]] constexpr Value numberValue(std::int64_t number) { return {Value::Kind::number, number}; }

/// A position in a trace, with the state of all layers. Moving costs the changes between the two positions.
class TraceCursor {
public:
    explicit TraceCursor(std::shared_ptr<const Trace> trace);

    /// Number of steps done: 0 to trace().steps.size().
    [[nodiscard]] std::size_t done() const noexcept { return done_; }
    [[nodiscard]] bool atEnd() const noexcept { return done_ == trace_->steps.size(); }
    /// Positions after the last step are clamped.
    void moveTo(std::size_t done);

    [[nodiscard]] const Trace& trace() const noexcept { return *trace_; }
    /// Empty if the algorithm lacks the layer.
    [[nodiscard]] const std::vector<std::int64_t>& layer(Layer layer) const noexcept {
        return layers_[static_cast<std::size_t>(layer)];
    }

private:
    std::shared_ptr<const Trace> trace_;
    std::array<std::vector<std::int64_t>, kLayers> layers_;
    std::size_t done_ = 0;
};

} // namespace pollard::teach
