#pragma once

#include "chunks/chunk_trees.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/merge/part_values.hpp"

#include "core/chunks/part_jobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Filters an image in parts that are merged in a random order.
class PartsFilter {
public:
    /// @param cuts cuts about half of the parts
    PartsFilter(const Image& image, const PartJob& job, std::mt19937& random, bool cuts = false)
        : image_(image), job_(job), random_(random), session_(engine_->openSession()),
          leaves_(job.filter.prominent ? job.filter.prominent->count : 0), cuts_(cuts) {}

    Outcome run() {
        for (std::uint64_t chunk = 0; chunk < job_.grid.count(); ++chunk) {
            const ChunkBox box = job_.grid.boxOf(chunk);
            chunks_.push_back(std::make_unique<ChunkTree>(
                job_, ChunkImage{chunk, cut(image_, box, 0), cut(image_, box, 1)}, *session_, "", JobControl{}));
            nodes_.emplace_back().part = chunks_.back()->part({});
            outcome_.nodes += chunks_.back()->closedCount();
            open_ += nodes_.back().part.nodeCount();
            if (isToBeCut()) {
                nodes_.back().part = std::move(cutPart(job_, nodes_.back().part).part);
            }
            left_ += nodes_.back().part.nodeCount();
            if (job_.filter.prominent) {
                chunks_.back()->addLeaves(nodes_.back().part, leaves_);
            }
        }
        std::vector<std::size_t> live(chunks_.size());
        std::iota(live.begin(), live.end(), std::size_t{0});
        while (live.size() > 1) {
            std::ranges::shuffle(live, random_);
            const std::size_t count = 2 + random_() % std::min<std::size_t>(live.size() - 1, 4);
            merge(live, count);
        }
        EXPECT_TRUE(nodes_[live.front()].part.isWhole());
        EXPECT_EQ(nodes_[live.front()].part.nodeCount(), 0U);
        if (job_.values.any()) {
            decide();
        }
        outcome_.pixels.resize(image_.pixelCount());
        components_.resize(image_.pixelCount());
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            spread(i);
        }
        label();
        return std::move(outcome_);
    }

    /// Open nodes of all parts before the cuts, and after them.
    [[nodiscard]] std::uint64_t open() const noexcept { return open_; }
    [[nodiscard]] std::uint64_t left() const noexcept { return left_; }

private:
    [[nodiscard]] bool isToBeCut() { return cuts_ && random_() % 2 == 0; }

    struct Node {
        Part part;
        MergeStep step;
        std::vector<std::size_t> inputs;
        PartValues values; ///< of the open nodes of the part
        PartValues stepValues;
        Summaries decisions;
        PartResults results;
    };

    void merge(std::vector<std::size_t>& live, std::size_t count) {
        Node merged;
        std::vector<const Part*> parts;
        for (std::size_t i = 0; i < count; ++i) {
            merged.inputs.push_back(live.back());
            parts.push_back(&nodes_[live.back()].part);
            live.pop_back();
        }
        merged.part = mergeParts(job_, parts, merged.step);
        open_ += merged.part.nodeCount();
        if (isToBeCut()) {
            cutMerged(job_, merged.part, merged.step);
        }
        left_ += merged.part.nodeCount();
        outcome_.nodes += static_cast<std::uint64_t>(std::ranges::count(merged.step.openNode.span(), Part::kNone));
        if (job_.filter.prominent) {
            leaves_.add(parts, merged.step, job_.filter.prominent->measure);
        }
        live.push_back(nodes_.size());
        nodes_.push_back(std::move(merged));
    }

    /// Values down, then decisions upwards.
    void decide() {
        nodes_.back().values = PartValues(job_.values, 0, leaves_.last());
        for (std::size_t i = nodes_.size(); i-- > chunks_.size();) {
            Node& node = nodes_[i];
            node.stepValues = valuesOf(job_, node.step, node.values);
            std::vector<PartValues> values = valuesOfInputs(job_, node.step, node.stepValues);
            for (std::size_t k = 0; k < values.size(); ++k) {
                nodes_[node.inputs[k]].values = std::move(values[k]);
            }
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            Node& node = nodes_[i];
            if (i < chunks_.size()) {
                node.decisions = chunks_[i]->decisions(node.values, {});
                continue;
            }
            std::vector<Summaries> inputs;
            for (const std::size_t input : node.inputs) {
                inputs.push_back(std::move(nodes_[input].decisions));
            }
            node.decisions = decideStep(job_, node.stepValues, inputs, node.step);
        }
    }

    void spread(std::size_t i) {
        Node& node = nodes_[i];
        if (i < chunks_.size()) {
            write(*chunks_[i], chunks_[i]->resultsOf(node.results, node.values, outcome_.kept, {}));
            return;
        }
        std::vector<PartResults> results = resultsOf(job_, node.step, node.results, outcome_.kept);
        for (std::size_t k = 0; k < results.size(); ++k) {
            nodes_[node.inputs[k]].results = std::move(results[k]);
        }
    }

    void write(const ChunkTree& chunk, const PartResults& results) {
        const ChunkBox box = job_.grid.boxOf(chunk.chunk());
        for (std::uint32_t p = 0; p < chunk.tree().pixelCount(); ++p) {
            const Voxel at = voxelAt(p, box.extent);
            const std::uint64_t whole = job_.grid.pixel(box.x + at.x, box.y + at.y, box.z + at.z);
            const NodeResult result = results.at(chunk.tree().pixelNode[p]);
            const std::uint16_t filtered = job_.levelAt(result.height);
            switch (job_.filter.output) {
            case Output::filtered:
                outcome_.pixels[whole] = filtered;
                break;
            case Output::residue:
                outcome_.pixels[whole] = static_cast<std::uint16_t>(std::abs(image_.level(whole) - filtered));
                break;
            case Output::mask:
                outcome_.pixels[whole] = (result.flags & NodeResult::kMarked) != 0 ? maxLevelOf(image_.type()) : 0;
                break;
            case Output::labels:
                components_[whole] = result.component;
                break;
            }
        }
    }

    void label() {
        if (job_.filter.output != Output::labels) {
            return;
        }
        std::vector<std::uint64_t> firsts = components_;
        std::ranges::sort(firsts);
        firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
        for (const std::uint64_t component : components_) {
            const auto at = std::ranges::lower_bound(firsts, component) - firsts.begin();
            outcome_.labels.push_back(component == NodeResult::kNone ? 0 : static_cast<std::uint64_t>(at) + 1);
        }
    }

    const Image& image_;
    const PartJob& job_;
    std::mt19937& random_;
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_;
    std::vector<std::unique_ptr<ChunkTree>> chunks_;
    std::vector<Node> nodes_;
    ProminentLeaves leaves_;
    std::vector<std::uint64_t> components_;
    Outcome outcome_;
    bool cuts_;
    std::uint64_t open_ = 0;
    std::uint64_t left_ = 0;
};

} // namespace pollard::testing
