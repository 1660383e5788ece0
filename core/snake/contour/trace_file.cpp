#include "snake/contour/trace_file.hpp"

namespace pollard {

TraceFile::TraceFile(const std::filesystem::path& path, const TraceKey& first) : file_(path, "write trace") {
    if (first.page) {
        file_ << first.axis << ',';
    }
    file_ << (first.contour ? "contour," : "")
          << "iteration,kind,step,nodes,energy,inside_pixels,inside_mean,inside_variance,outside_mean,outside_variance";
    file_.endLine({});
}

TraceRow TraceRow::of(const SnakeState& state, const TraceKey& key, const std::optional<ValueMapping>& values) {
    return {key,          state.round,  state.kind,    state.reach, state.nodes.size(),
            state.energy, state.inside, state.outside, values};
}

void TraceFile::add(const TraceRow& row, const JobControl& control) {
    const double step = row.values ? row.values->step : 1;
    const auto mean = [&](const RegionSums& sums) { return valueOf(row.values, meanOf(sums)); };
    const auto variance = [&](const RegionSums& sums) { return step * step * varianceOf(sums); };
    if (row.key.page) {
        file_ << *row.key.page << ',';
    }
    if (row.key.contour) {
        file_ << *row.key.contour << ',';
    }
    file_ << row.round << ',' << nameOf(row.kind) << ',' << row.reach << ',' << row.nodes << ',' << row.energy << ','
          << row.inside.pixels << ',' << mean(row.inside) << ',' << variance(row.inside) << ',' << mean(row.outside)
          << ',' << variance(row.outside);
    file_.endLine(control);
}

} // namespace pollard
