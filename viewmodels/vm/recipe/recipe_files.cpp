#include "vm/recipe/recipe_files.hpp"

#include "vm/base/value_text.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "recipe/recipe.hpp"

#include <QFileInfo>

namespace pollard::vm {

RecipeFiles::RecipeFiles(RecipeViewModel& recipe, QObject* parent) : QObject(parent), recipe_(recipe) {
    // Queued, so that imageChanged() is handled first.
    connect(
        &recipe_, &RecipeViewModel::failed, this,
        [this](const QString& why) { emit failed(tr("The recipe was not loaded"), why); }, Qt::QueuedConnection);
}

RecipeFiles::~RecipeFiles() {
    worker_.reset();
    writes_.finish();
}

void RecipeFiles::load(const QString& path) {
    worker_->stop(Lane::load);
    worker_->post(
        Lane::load,
        [file = QFileInfo(path).filesystemAbsoluteFilePath()](const std::stop_token&) { return loadRecipe(file); },
        [this, path](const JobOutcome& outcome, const Recipe& recipe) {
            const QString title = tr("The recipe was not loaded");
            if (!outcome.ok()) {
                fail(title, outcome);
            } else if (const QString problem = recipe_.takeOver(recipe, path); !problem.isEmpty()) {
                emit failed(title, problem);
            } else {
                emit loaded(path);
            }
        });
}

void RecipeFiles::save(const QString& path) {
    writes_.add(
        [recipe = recipe_.recipe(), file = QFileInfo(path).filesystemAbsoluteFilePath()] { saveRecipe(recipe, file); },
        [this, path](const JobOutcome& outcome) {
            emit savingChanged();
            if (outcome.ok()) {
                emit saved(path);
            } else {
                fail(tr("The recipe was not saved"), outcome);
            }
        });
    emit savingChanged();
}

void RecipeFiles::fail(const QString& title, const JobOutcome& outcome) {
    if (outcome.kind == JobOutcome::Kind::failed) {
        emit failed(title, outcome.message.empty() ? tr("There is not enough memory for it.")
                                                   : reasonOf(outcome.message, "recipe"));
    }
}

} // namespace pollard::vm
