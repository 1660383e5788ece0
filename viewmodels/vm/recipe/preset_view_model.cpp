#include "vm/recipe/preset_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "recipe/filter_stages.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
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

} // namespace pollard::vm
