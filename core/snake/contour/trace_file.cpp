#include "snake/contour/trace_file.hpp"

namespace pollard {

TraceFile::TraceFile(const std::filesystem::path& path, const TraceKey& first) : file_(path, "write trace") {
    file_ << (first.page ? "page," : "") << (first.contour ? "contour," : "")
          << "iteration,kind,step,nodes,energy,inside_pixels,inside_mean,inside_variance,outside_mean,outside_variance";
    file_.endLine({});
}

TraceRow TraceRow::of(const SnakeState& state, const TraceKey& key) {
    return {key, state.round, state.kind, state.reach, state.nodes.size(), state.energy, state.inside, state.outside};
}

void TraceFile::add(const TraceRow& row, const JobControl& control) {
    if (row.key.page) {
        file_ << *row.key.page << ',';
    }
    if (row.key.contour) {
        file_ << *row.key.contour << ',';
    }
    file_ << row.round << ',' << nameOf(row.kind) << ',' << row.reach << ',' << row.nodes << ',' << row.energy << ','
          << row.inside.pixels << ',' << meanOf(row.inside) << ',' << varianceOf(row.inside) << ','
          << meanOf(row.outside) << ',' << varianceOf(row.outside);
    file_.endLine(control);
}

} // namespace pollard
