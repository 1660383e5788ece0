#pragma once

#include "engine/engine.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Requests to a TimedEngine.
struct TimedEngineLog {
    std::vector<TreeSpec> built;
    std::vector<std::shared_ptr<const Image>> opened;
    std::vector<int> streams; ///< number of images of each
    std::vector<std::shared_ptr<const Image>> streamed;
};

/// Mock of a device with its own memory: does no work and reports round numbers of milliseconds that grow with every
/// tree, which distinguishes a median from a mean or a minimum.
class TimedEngine final : public Engine, public TreeStreamer {
public:
    /// @param fallback algorithm name in reports, in place of the requested one
    explicit TimedEngine(std::shared_ptr<TimedEngineLog> log, std::string fallback = {})
        : log_(std::move(log)), fallback_(std::move(fallback)) {}

    [[nodiscard]] std::string name() const override { return "timed"; }
    [[nodiscard]] std::string device() const override { return "a clock"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        return {{"columns", "max-tree", "timed", "test"}, {"base", "max-tree", "timed", "test"}};
    }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions&) override {
        return std::make_unique<TimedSession>(*this);
    }
    [[nodiscard]] StreamReport streamTrees(std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec,
                                           int count, const JobControl&) override {
        log_->streams.push_back(count);
        log_->streamed.assign(images.begin(), images.end());
        return {spec.algorithm, count, 4.0 * count};
    }

private:
    class TimedSession final : public Session, public TimedParts {
    public:
        explicit TimedSession(TimedEngine& engine) : engine_(engine) {}

        void setImage(std::shared_ptr<const Image> image) override {
            engine_.log_->opened.push_back(std::move(image));
            transfers_.push_back({"upload", 5});
        }
        TreeReport build(const TreeSpec& spec, const JobControl&) override {
            engine_.log_->built.push_back(spec);
            ++builds_;
            TreeReport report;
            report.algorithm = engine_.fallback_.empty() ? spec.algorithm : engine_.fallback_;
            report.nodes = 7;
            report.stages = {{"tiles", 3.0 + builds_ * builds_}, {"merges", 2}, {"flatten", 1}, {"numbering", 40}};
            report.milliseconds = 50;
            return report;
        }
        [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return nullptr; }
        std::shared_ptr<const AttributeColumn> attribute(AttributeId, const JobControl&) override {
            transfers_.push_back({"area", 2});
            transfers_.push_back({"download", 6});
            return nullptr;
        }
        FilterReport runFilter(const FilterSpec&, Image&, const JobControl&) override {
            transfers_.push_back({"download", 7});
            FilterReport report;
            report.stages = {{"decide", 0.5}};
            report.milliseconds = 8;
            return report;
        }
        [[nodiscard]] std::uint64_t estimateTreeBytes(const Image&) const override { return 1; }
        [[nodiscard]] std::vector<StageTime> takeTransferStages() override { return std::exchange(transfers_, {}); }

    private:
        TimedEngine& engine_;
        std::vector<StageTime> transfers_;
        int builds_ = 0;
    };

    std::shared_ptr<TimedEngineLog> log_;
    std::string fallback_;
};

} // namespace pollard::cli
