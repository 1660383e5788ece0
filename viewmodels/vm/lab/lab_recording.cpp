#include "vm/lab/lab_recording.hpp"

#include "vm/base/teach_text.hpp"

namespace pollard::vm {
namespace {

/// A player without a connectivity option has a fixed one.
Connectivity connectivityOf(const teach::Trace& trace, Connectivity asked) {
    const std::size_t edges = trace.start[static_cast<std::size_t>(teach::Layer::edge)].size();
    const auto fits = [&](Connectivity connectivity) {
        return teach::gridEdges(trace.picture.width, trace.picture.height, connectivity).size() == edges;
    };
    const Connectivity other = asked == Connectivity::four ? Connectivity::eight : Connectivity::four;
    return edges > 0 && !fits(asked) && fits(other) ? other : asked;
}

} // namespace

LabRecording recordLab(const teach::PlayerInfo& player, const teach::LabPicture& picture,
                       const teach::PlayerSpec& spec) {
    LabRecording recording;
    recording.player = &player;
    recording.spec = spec;
    recording.trace = std::make_shared<const teach::Trace>(player.record(picture, spec));
    const Connectivity connectivity = connectivityOf(*recording.trace, spec.connectivity);
    recording.tree = makeLabTree(picture, spec.kind, connectivity);
    if (!recording.trace->start[static_cast<std::size_t>(teach::Layer::edge)].empty()) {
        recording.edges = teach::gridEdges(picture.width, picture.height, connectivity);
    }
    return recording;
}

QString captionAt(const LabRecording& recording, std::size_t done) {
    return done == 0 ? teachText(recording.player->summary) : captionOf(*recording.trace, done - 1);
}

std::span<const teach::Change> changesOfLastStep(const teach::TraceCursor& cursor) {
    if (cursor.done() == 0) {
        return {};
    }
    const teach::Trace& trace = cursor.trace();
    const std::size_t step = cursor.done() - 1;
    return std::span(trace.changes)
        .subspan(trace.steps[step].firstChange, trace.changesEnd(step) - trace.steps[step].firstChange);
}

} // namespace pollard::vm
