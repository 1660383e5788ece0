#include "recipe/run_recipe.hpp"

#include "base/error.hpp"
#include "image/analysis_image.hpp"
#include "image/region_mask.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr double kTreeShare = 0.8; ///< of a filter's time

void clearOutside(const Mask& inside, std::span<std::uint32_t> labels) {
    std::size_t pixel = 0;
    for (std::uint32_t y = 0; y < inside.height(); ++y) {
        for (std::uint32_t x = 0; x < inside.width(); ++x, ++pixel) {
            if (!inside.test(x, y)) {
                labels[pixel] = 0;
            }
        }
    }
}

/// How far a step is, as a part of all of them.
struct Progress {
    std::stop_token stop;
    JobControl::ProgressFunction whole;
    double from = 0;
    double to = 1;

    /// Control of the part [start, end] of the step.
    [[nodiscard]] JobControl control(double start = 0, double end = 1) const {
        if (!whole) {
            return JobControl(stop);
        }
        const double low = from + start * (to - from);
        const double high = from + end * (to - from);
        return JobControl(stop, [report = whole, low, high](double fraction, std::string_view stage) {
            report(low + fraction * (high - low), stage);
        });
    }
};

/// The picture on its way through the steps.
class RecipeRun {
public:
    RecipeRun(const LoadedImage& loaded, Engine& engine, const SessionOptions& options)
        : picture_(loaded.image), valid_(loaded.valid), engine_(engine), options_(options) {}

    void take(const ReadStep&, std::size_t, const Progress&) {}
    void take(const RegionStep& step, std::size_t, const Progress& whole) {
        region_.reset();
        if (!step.shapes.empty()) {
            auto mask = std::make_shared<Mask>(
                makeRegionMask(picture_->width(), picture_->height(), step.shapes, step.inverted, whole.control(0, 0)));
            const std::uint64_t pixels = mask->count();
            if (pixels > 0 && pixels < picture_->pixelCount()) {
                region_ = std::move(mask);
            }
        }
    }
    void take(const TreeStep& step, std::size_t, const Progress&) {
        tree_.kind = step.kind;
        tree_.connectivity = step.connectivity;
    }
    void take(const FilterStep& step, std::size_t number, const Progress& whole) {
        const FilterSpec& spec = step.filter;
        FilterStepReport report;
        report.step = number;
        const auto session = engine_.openSession(options_);
        requireMemory(*session);
        const std::shared_ptr<const Mask> inside = intersection(valid_, region_);
        session->openImage(analysisImage(picture_, inside.get(), tree_.kind, whole.control(0, 0)));
        report.tree = session->buildTree(tree_, whole.control(0, kTreeShare));
        const JobControl rest = whole.control(kTreeShare, 1);
        auto out = std::make_shared<Image>(picture_->type(), picture_->width(), picture_->height());
        report.filter = session->filter(spec, *out, rest);
        if (spec.output == Output::labels) {
            result_.labelled = session->labels(spec, rest); // the picture of labels counts within its type only
            if (inside) {
                clearOutside(*inside, result_.labelled->labels.span());
            }
        } else {
            if (inside) {
                restoreOutside(*picture_, *inside, spec.output, *out);
            }
            picture_ = std::move(out);
        }
        result_.values = resultValuesAfter(result_.values, spec.output);
        result_.filters.push_back(std::move(report));
    }

    [[nodiscard]] RecipeResult finish() {
        if (!result_.labelled) {
            result_.image = picture_;
        }
        return std::move(result_);
    }

private:
    void requireMemory(const Session& session) const {
        const std::uint64_t needed = session.estimateTreeBytes(*picture_) + picture_->bytes();
        const std::uint64_t present = engine_.memoryBytes();
        if (present != 0 && needed > present) {
            throw Error(ErrorCode::outOfMemory, "memory: image of " + std::to_string(picture_->width()) + " x " +
                                                    std::to_string(picture_->height()) + " px: its tree needs up to " +
                                                    std::to_string(needed >> 20U) + " MiB, engine " + engine_.name() +
                                                    " has " + std::to_string(present >> 20U) + " MiB");
        }
    }

    std::shared_ptr<const Image> picture_;
    std::shared_ptr<const Mask> valid_;
    std::shared_ptr<const Mask> region_; ///< null: all pixels
    Engine& engine_;
    SessionOptions options_;
    TreeSpec tree_;
    RecipeResult result_;
};

} // namespace

RecipeResult runRecipe(const Recipe& recipe, const LoadedImage& loaded, Engine& engine, const SessionOptions& options,
                       const std::stop_token& stop, const JobControl::ProgressFunction& progress) {
    RecipeRun run(loaded, engine, options);
    const auto count = static_cast<double>(recipe.steps.size());
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
        const Progress part{stop, progress, static_cast<double>(i) / count, static_cast<double>(i + 1) / count};
        part.control().throwIfStopped();
        try {
            std::visit([&](const auto& step) { run.take(step, i, part); }, recipe.steps[i]);
        } catch (const Error& error) {
            throw Error(error.code(), "step " + std::to_string(i + 1) + " (" + std::string(idOf(recipe.steps[i])) +
                                          "): " + error.what());
        }
    }
    return run.finish();
}

} // namespace pollard
