#include "bench_run.hpp"

#include <algorithm>

namespace pollard::cli {

namespace {

/// Times of one stage over the repetitions.
struct Samples {
    std::string stage;
    std::vector<double> milliseconds;
};

class SampleTable {
public:
    void add(const std::string& stage, double milliseconds) {
        auto found = std::ranges::find(samples_, stage, &Samples::stage);
        if (found == samples_.end()) {
            samples_.push_back({stage, {}});
            found = samples_.end() - 1;
        }
        found->milliseconds.push_back(milliseconds);
    }

    [[nodiscard]] std::vector<StageTime> medians() {
        std::vector<StageTime> result;
        for (Samples& samples : samples_) {
            std::ranges::sort(samples.milliseconds);
            const std::size_t count = samples.milliseconds.size();
            result.push_back(
                {samples.stage, (samples.milliseconds[(count - 1) / 2] + samples.milliseconds[count / 2]) / 2});
        }
        return result;
    }

private:
    std::vector<Samples> samples_; // in order of first appearance
};

FilterSpec benchFilter() {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, 100});
    return spec;
}

} // namespace

BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image, int repeat,
                   const JobControl& control) {
    const FilterSpec filter = benchFilter();
    Image out(image->type(), image->width(), image->height());
    session.openImage(image);
    BenchRun result;
    SampleTable table;
    for (int i = 0; i <= repeat; ++i) {
        control.throwIfStopped();
        result.tree = session.buildTree(spec, control);
        StageTimer timer;
        const auto area = session.attribute(AttributeId::area, control);
        timer.finish("area");
        const FilterReport filtered = session.filter(filter, out, control);
        if (i == 0) {
            continue; // the first one pays for fresh memory
        }
        for (const StageTime& stage : result.tree.stages) {
            table.add("build/" + stage.name, stage.milliseconds);
        }
        table.add("build", result.tree.milliseconds);
        table.add("attribute/area", timer.totalMilliseconds());
        for (const StageTime& stage : filtered.stages) {
            table.add("filter/" + stage.name, stage.milliseconds);
        }
        table.add("filter", filtered.milliseconds);
        table.add("total", result.tree.milliseconds + timer.totalMilliseconds() + filtered.milliseconds);
    }
    result.stages = table.medians();
    return result;
}

} // namespace pollard::cli
