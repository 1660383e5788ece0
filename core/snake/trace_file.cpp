#include "snake/trace_file.hpp"

namespace pollard {

TraceFile::TraceFile(const std::filesystem::path& path, const TraceKey& first) : file_(path, "write trace") {
    file_ << (first.page ? "page," : "") << (first.contour ? "contour," : "")
          << "iteration,kind,step,nodes,energy,inside_pixels,inside_mean,inside_variance,outside_mean,outside_variance";
    file_.endLine({});
}

void TraceFile::add(const SnakeState& state, const TraceKey& key, const JobControl& control) {
    if (key.page) {
        file_ << *key.page << ',';
    }
    if (key.contour) {
        file_ << *key.contour << ',';
    }
    file_ << state.round << ',' << nameOf(state.kind) << ',' << state.reach << ',' << state.nodes.size() << ','
          << state.energy << ',' << state.inside.pixels << ',' << meanOf(state.inside) << ','
          << varianceOf(state.inside) << ',' << meanOf(state.outside) << ',' << varianceOf(state.outside);
    file_.endLine(control);
}

} // namespace pollard
