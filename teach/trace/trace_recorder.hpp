#pragma once

#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pollard::teach {

/// Writes a trace while an algorithm runs. Layers are set up first, then steps follow; an assignment belongs to the
/// step that was begun last.
class TraceRecorder {
public:
    explicit TraceRecorder(LabPicture picture);

    /// Gives a layer its size and what it starts with.
    void setUp(Layer layer, std::size_t size, std::int64_t value = -1);
    void setUp(Layer layer, std::vector<std::int64_t> values);
    void setTableColumns(std::vector<const char*> columns);
    void setWordBits(std::uint32_t bits);

    /// Begins a step.
    void step(const StepText& text, std::initializer_list<Value> values = {}, int thread = -1);
    /// The last change of the step that was begun last can be guessed, if it has one besides marks.
    void ask();
    /// Assigns; what is assigned already is no change.
    void set(Layer layer, std::size_t at, std::int64_t value);
    void set(std::size_t pixel, Mark mark) { set(Layer::mark, pixel, static_cast<std::int64_t>(mark)); }
    void set(std::size_t edge, EdgeMark mark) { set(Layer::edge, edge, static_cast<std::int64_t>(mark)); }
    /// Puts all marks of pixels back to none that are not done.
    void clearMarks();

    [[nodiscard]] std::int64_t at(Layer layer, std::size_t index) const;
    void offer(std::vector<std::uint8_t> threads); ///< Trace::choices

    /// Ends the recording.
    [[nodiscard]] Trace take();

private:
    Trace trace_;
    std::array<std::vector<std::int64_t>, kLayers> now_;
};

} // namespace pollard::teach
