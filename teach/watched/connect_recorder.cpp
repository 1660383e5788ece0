#include "watched/connect_recorder.hpp"

#include "trace/trace.hpp"

namespace pollard::teach {

ConnectRecorder::ConnectRecorder(TraceRecorder& trace, VirtualThreads& threads, const std::vector<GridEdge>& edges,
                                 const ConnectTexts& texts)
    : trace_(trace), threads_(threads), edges_(edges), texts_(texts) {}

void ConnectRecorder::onStart(std::uint32_t one, std::uint32_t other) {
    threads_.turn();
    join() = {edgeBetween(edges_, one, other), {}, {}, false, false};
    step(texts_.start, {one, other}, {threadValue(threads_.current()), pixelValue(one), pixelValue(other)});
    trace_.set(join().edge, EdgeMark::active);
}

void ConnectRecorder::beforeStep(const Sides& sides, const Sides& parents) {
    if (join().climbs && sides != join().sides) {
        step(texts_.climb, sides, {threadValue(threads_.current()), pixelValue(sides.low), pixelValue(sides.high)});
    }
    join().sides = sides;
    join().parents = parents;
    join().climbs = true;
    threads_.turn();
}

void ConnectRecorder::onRaise(std::uint32_t pixel, std::uint32_t parent, std::uint32_t before, bool linked) {
    Join& now = join();
    now.climbs = false;
    now.linked = now.linked || linked;
    const bool late = before != (pixel == now.sides.high ? now.parents.high : now.parents.low);
    const Value thread = threadValue(threads_.current());
    const Sides sides{parent, pixel};
    if (before == kNoPixel || before == parent) {
        step(before == parent ? texts_.lateSame : texts_.linkRoot, sides,
             {thread, pixelValue(pixel), pixelValue(parent)});
    } else {
        step(!linked ? texts_.late
             : late  ? texts_.linkOther
                     : texts_.link,
             sides, {thread, pixelValue(pixel), pixelValue(parent), pixelValue(before)});
    }
    if (before == kNoPixel) {
        finish();
    }
    if (late) {
        trace_.set(pixel, Mark::retried);
    }
    if (linked) {
        trace_.set(Layer::parent, pixel, parent);
        trace_.ask();
    }
}

void ConnectRecorder::onMeeting(std::uint32_t pixel) {
    join().climbs = false;
    step(join().linked ? texts_.meetAgain : texts_.meet, {pixel, pixel},
         {threadValue(threads_.current()), pixelValue(pixel)});
    finish();
}

void ConnectRecorder::leave() {
    for (std::uint32_t t = 0; t < threads_.count(); ++t) {
        trace_.set(Layer::thread, t, -1);
        trace_.set(Layer::partner, t, -1);
    }
    trace_.clearMarks();
}

void ConnectRecorder::step(const StepText& text, const Sides& sides, std::initializer_list<Value> values) {
    const std::uint32_t thread = threads_.current();
    trace_.step(text, values, static_cast<int>(thread));
    trace_.clearMarks();
    trace_.set(sides.low, Mark::other);
    trace_.set(sides.high, Mark::active);
    trace_.set(Layer::thread, thread, sides.low);
    trace_.set(Layer::partner, thread, sides.high);
}

void ConnectRecorder::finish() { trace_.set(join().edge, join().linked ? EdgeMark::used : EdgeMark::idle); }

} // namespace pollard::teach
