#pragma once

#include "recipe/presets.hpp"

#include <QList>
#include <QObject>
#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The recipes that come with the program, for the open picture or for the sample of each.
class PresetViewModel : public QObject {
    Q_OBJECT

public:
    /// @param samples folder of the samples, of the program's resources or on the disk
    /// @param document,filter must outlive this
    PresetViewModel(DocumentViewModel& document, FilterViewModel& filter, QString samples, QObject* parent = nullptr);

    [[nodiscard]] int count() const;
    [[nodiscard]] QString title(int preset) const;       ///< "Uneven background"
    [[nodiscard]] QString description(int preset) const; ///< one line
    [[nodiscard]] QString name(int preset) const;        ///< as the command line calls it
    /// Of the preset that the command line calls so; -1 if there is none.
    [[nodiscard]] int find(const QString& name) const;

public slots:
    /// Takes over its filters with their trees, for the open picture or the next one.
    void apply(int preset);
    /// Opens the sample of a preset with the preset applied. Ends as DocumentViewModel::open() does, or in failed().
    void openSample(int preset);
    /// Opens a sample that comes with the program, by the name of its file, and ends in the same way.
    void openSampleFile(const QString& file);

signals:
    void applied(int preset);
    /// The sample of a preset that was applied is about to be opened.
    void sampleOpening(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    [[nodiscard]] const Preset& at(int preset) const;
    /// A copy of the sample on the disk, where readers can open it; empty if it cannot be made.
    [[nodiscard]] QString sampleOnDisk(const QString& file);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    QString samples_;
};

} // namespace pollard::vm
