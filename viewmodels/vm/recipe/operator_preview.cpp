#include "vm/recipe/operator_preview.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/document/volume_sides.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/level_histogram.hpp"
#include "vm/recipe/operator_view_model.hpp"

#include "base/job_control.hpp"
#include "operators/apply_operator.hpp"
#include "recipe/run_recipe.hpp"

#include <span>
#include <stop_token>
#include <utility>

namespace pollard::vm {

namespace {

/// The work of a preview; runs on another thread.
struct PreviewTask {
    LoadedImage source; ///< the displayed result
    std::shared_ptr<const ImageInfo> file;
    bool isVolume = false;
    bool hasLengths = false;
    FilterStage stage; ///< the operator with its region
    Engine* engine = nullptr;

    [[nodiscard]] PreviewedImage run(const std::stop_token& stop) {
        const OperatorKind kind = stage.operation->kind;
        std::optional<ValueMapping>& mapping = source.info.mapping;
        if (isVolume && takesLengths(kind)) {
            source.image = withSides(source.image, source.info.pixelSize, *file);
        }
        if (hasLengths && needsProportional(kind) && mapping && mapping->ranks) {
            OperatorResult even = evenLengths(*source.image, *mapping, JobControl(stop));
            source.image = std::move(even.image);
            mapping = std::move(even.mapping);
        }
        const Recipe one{"preview", {}, {}, recipeStepsOf(std::span(&stage, 1))};
        PreviewedImage made{runRecipe(one, source, *engine, {}, stop).image};
        const OperatorValues values = valuesOf(kind);
        const bool areLengths = values == OperatorValues::lengths || (hasLengths && values != OperatorValues::flags);
        made.bright = areLengths ? brightLevel(*made.image) : std::uint16_t{0};
        return made;
    }
};

} // namespace

OperatorPreview::OperatorPreview(const OperatorViewModel& operators, const FilterModels& models, QObject* parent)
    : QObject(parent), operators_(operators), models_(models), image_([this] { emit changed(); }) {
    connect(&operators_, &OperatorViewModel::changed, this, &OperatorPreview::update);
    for (const auto signal : {&DocumentViewModel::frameReady, &DocumentViewModel::resultFetched}) {
        connect(&models_.document, signal, this, &OperatorPreview::update);
    }
}

void OperatorPreview::setOn(bool on) {
    if (on != on_) {
        on_ = on;
        applied_.reset();
        update();
    }
}

QString OperatorPreview::problem() const {
    return image_.state() == AsyncState::failed ? reasonOf(image_.problem().toStdString(), "(operator)") : QString();
}

void OperatorPreview::holdForResult() {
    applied_ = operators_.spec();
    replaced_ = models_.document.tree();
    image_.stop();
}

std::shared_ptr<const Image> OperatorPreview::input() const {
    const DocumentViewModel& document = models_.document;
    if (!document.isVolume()) {
        return document.result();
    }
    const bool isFiltered = models_.filter.isEnabled() && mayChange(models_.filter.spec());
    return isFiltered ? nullptr : document.shown().analysed();
}

void OperatorPreview::update() {
    const DocumentViewModel& document = models_.document;
    if (applied_ && *applied_ != operators_.spec()) {
        applied_.reset();
    }
    if (on_ && applied_ && document.tree() && document.tree() == replaced_.lock()) {
        return;
    }
    PreviewTask task;
    task.source.image = on_ && !applied_ && operators_.problem().isEmpty() ? input() : nullptr;
    if (!task.source.image) {
        image_.clear();
        return;
    }
    const ShownSlice& shown = document.shown();
    task.source.valid = shown.wholeValid();
    task.source.info.mapping = document.isVolume() ? mappingOf(document) : resultMappingOf(document);
    task.source.info.pixelSize = document.pixelSizes().present();
    task.file = shown.fileInfo;
    task.isVolume = document.isVolume();
    task.hasLengths = shown.hasLengths;
    task.stage = presentStages(models_).back();
    task.stage.on = true;
    task.stage.filter = {};
    task.stage.operation = operators_.spec();
    task.engine = document.engines().front();
    image_.stop();
    image_.begin(image_.value());
    image_.compute([task = std::move(task)](const std::stop_token& stop) mutable { return task.run(stop); });
}

} // namespace pollard::vm
