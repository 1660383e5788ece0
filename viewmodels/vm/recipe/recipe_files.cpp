#include "vm/recipe/recipe_files.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "recipe/filter_stages.hpp"
#include "recipe/recipe.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <utility>

namespace pollard::vm {

PresetViewModel::PresetViewModel(DocumentViewModel& document, FilterViewModel& filter, QString samples, QObject* parent)
    : QObject(parent), document_(document), filter_(filter), samples_(std::move(samples)) {}

const Preset& PresetViewModel::at(int preset) const { return allPresets()[static_cast<std::size_t>(preset)]; }

int PresetViewModel::count() const { return static_cast<int>(allPresets().size()); }
QString PresetViewModel::title(int preset) const {
    return QCoreApplication::translate("Preset", at(preset).recipe.name.c_str());
}
QString PresetViewModel::description(int preset) const {
    return QCoreApplication::translate("Preset", at(preset).recipe.description.c_str());
}
QString PresetViewModel::name(int preset) const { return QString::fromStdString(at(preset).name); }

int PresetViewModel::find(const QString& name) const {
    for (int preset = 0; preset < count(); ++preset) {
        if (this->name(preset) == name) {
            return preset;
        }
    }
    return -1;
}

void PresetViewModel::apply(int preset) {
    const FilterStages stages = stagesOf(at(preset).recipe);
    const FilterStage& last = stages.back();
    {
        const DocumentChoices::Hold together(document_.choices());
        document_.choices().setTree(last.tree);
        document_.choices().setEarlierFilters({stages.begin(), stages.end() - 1});
        filter_.setSpec(last.filter);
    }
    if (filter_.isPending()) {
        filter_.apply();
    }
    emit applied(preset);
}

void PresetViewModel::openSample(int preset) {
    const QString path = sampleOnDisk(QString::fromStdString(at(preset).recipe.sample));
    if (path.isEmpty()) {
        return;
    }
    apply(preset);
    emit sampleOpening(path);
    document_.open(path);
}

void PresetViewModel::openSampleFile(const QString& file) {
    if (const QString path = sampleOnDisk(file); !path.isEmpty()) {
        document_.open(path);
    }
}

QString PresetViewModel::samplesOnDisk() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation)).filePath(QStringLiteral("samples"));
}

QString PresetViewModel::sampleOnDisk(const QString& file) {
    const auto fail = [&](const QString& why) {
        emit failed(tr("The sample cannot be opened"), QStringLiteral("%1: %2").arg(file, why));
        return QString();
    };
    QFile source(QDir(samples_).filePath(file));
    if (file.isEmpty() || !source.open(QIODevice::ReadOnly)) {
        return fail(tr("not in this program"));
    }
    const QDir folder(samplesOnDisk());
    QString path = folder.filePath(file);
    const QByteArray content = source.readAll();
    if (QFile there(path); there.open(QIODevice::ReadOnly) && there.readAll() == content) {
        return path;
    }
    QSaveFile copy(path);
    if (!folder.mkpath(QStringLiteral(".")) || !copy.open(QIODevice::WriteOnly) ||
        copy.write(content) != content.size() || !copy.commit()) {
        return fail(tr("it cannot be written to %1").arg(folder.path()));
    }
    return path;
}

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
