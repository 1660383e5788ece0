#include "trace/trace_recorder.hpp"

#include <algorithm>
#include <utility>

namespace pollard::teach {
namespace {

std::size_t indexOf(Layer layer) { return static_cast<std::size_t>(layer); }

} // namespace

TraceRecorder::TraceRecorder(LabImage image) { trace_.image = std::move(image); }

void TraceRecorder::setUp(Layer layer, std::size_t size, std::int64_t value) {
    setUp(layer, std::vector<std::int64_t>(size, value));
}

void TraceRecorder::setUp(Layer layer, std::vector<std::int64_t> values) {
    now_[indexOf(layer)] = values;
    trace_.start[indexOf(layer)] = std::move(values);
}

void TraceRecorder::setTableColumns(std::vector<const char*> columns) { trace_.tableColumns = std::move(columns); }

void TraceRecorder::setWordBits(std::uint32_t bits) { trace_.wordBits = bits; }

void TraceRecorder::step(const StepText& text, std::initializer_list<Value> values, int thread) {
    Step step;
    step.text = &text;
    std::copy_n(values.begin(), std::min(values.size(), step.values.size()), step.values.begin());
    step.firstChange = static_cast<std::uint32_t>(trace_.changes.size());
    step.thread = static_cast<std::int8_t>(thread);
    trace_.steps.push_back(step);
}

void TraceRecorder::ask() {
    Step& step = trace_.steps.back();
    step.asks = trace_.changes.size() > step.firstChange && trace_.changes.back().layer != Layer::mark;
}

void TraceRecorder::set(Layer layer, std::size_t at, std::int64_t value) {
    std::int64_t& now = now_[indexOf(layer)].at(at);
    if (now != value) {
        trace_.changes.push_back({layer, static_cast<std::uint32_t>(at), now, value});
        now = value;
    }
}

void TraceRecorder::clearMarks() {
    const std::vector<std::int64_t>& marks = now_[indexOf(Layer::mark)];
    for (std::size_t pixel = 0; pixel < marks.size(); ++pixel) {
        if (marks[pixel] != static_cast<std::int64_t>(Mark::done)) {
            set(pixel, Mark::none);
        }
    }
}

std::int64_t TraceRecorder::at(Layer layer, std::size_t index) const { return now_[indexOf(layer)].at(index); }

void TraceRecorder::offer(std::vector<std::uint8_t> threads) { trace_.choices = std::move(threads); }

Trace TraceRecorder::take() { return std::move(trace_); }

} // namespace pollard::teach
