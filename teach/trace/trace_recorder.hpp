#pragma once

#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pollard::teach {

/// Records a trace while an algorithm runs. Layers are set up first, then steps follow; an assignment belongs to the
/// last step.
class TraceRecorder {
public:
    explicit TraceRecorder(LabImage image);

    /// Sets the size and the initial values of a layer.
    void setUp(Layer layer, std::size_t size, std::int64_t value = -1);
    void setUp(Layer layer, std::vector<std::int64_t> values);
    void setTableColumns(std::vector<const char*> columns);
    void setWordBits(std::uint32_t bits);

    /// Begins a step.
    void step(const StepText& text, std::initializer_list<Value> values = {}, int thread = -1);
    /// Makes the last change of the current step a question, unless it is a mark or there is none.
    void ask();
    /// Assigns a value; assigning the current value is no change.
    void set(Layer layer, std::size_t at, std::int64_t value);
    void set(std::size_t pixel, Mark mark) { set(Layer::mark, pixel, static_cast<std::int64_t>(mark)); }
    void set(std::size_t edge, EdgeMark mark) { set(Layer::edge, edge, static_cast<std::int64_t>(mark)); }
    /// Resets all marks of pixels except Mark::done.
    void clearMarks();

    [[nodiscard]] std::int64_t at(Layer layer, std::size_t index) const;
    void offer(std::vector<std::uint8_t> threads); ///< Trace::choices

    /// Ends the recording and returns the trace.
    [[nodiscard]] Trace take();

private:
    Trace trace_;
    std::array<std::vector<std::int64_t>, kLayers> now_;
};

} // namespace pollard::teach
