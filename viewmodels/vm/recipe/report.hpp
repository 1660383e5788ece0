#pragma once

#include "vm/base/file_export.hpp"

#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

namespace pollard::vm {

class DocumentViewModel;
class ObjectTableModel;

/// How to cite the program, as a sentence.
[[nodiscard]] QString citationText(const QString& version);

/// The citation as an entry for BibTeX.
[[nodiscard]] QString citationBibTex(const QString& version);

/// An image of a report.
struct ReportImage {
    QString caption;
    QByteArray png;
};

/// Named values under a heading.
struct ReportTable {
    QString heading;
    QList<QPair<QString, QString>> rows;
};

/// The first rows of the displayed table of objects, with its units.
struct ReportObjects {
    static constexpr int kMostRows = 200;

    QString summary; ///< count; empty without objects
    QString condition;
    QStringList titles;
    QList<QStringList> rows;
    int listed = 0; ///< rows of the table
};

/// The processing of an image for human readers, to be kept with the result.
struct DocumentReport {
    QString title;
    QList<ReportTable> tables;
    QList<ReportImage> images;
    ReportObjects objects;
    QString commandLine; ///< equivalent command; empty if there is none
    QStringList sources; ///< literature to cite
    QString citation;    ///< of the program
};

/// A self-contained page with its styles and images.
[[nodiscard]] QString htmlOf(const DocumentReport& report);

/// Publications of the methods of the document's result: the tree, its algorithm, the attributes, the rule.
[[nodiscard]] QStringList sourcesOf(const DocumentViewModel& document);

[[nodiscard]] ReportObjects reportObjects(const ObjectTableModel& table);

/// The report of a document without images and objects.
/// @param commandLine as in DocumentReport
[[nodiscard]] DocumentReport reportOf(const DocumentViewModel& document, const QString& version,
                                      const QString& commandLine);

/// Writes reports on another thread.
class ReportExport : public FileExport {
    Q_OBJECT

public:
    explicit ReportExport(QObject* parent = nullptr) : FileExport(parent) {}
    /// Starts to write; does nothing unless isAvailable(). Ends with saved() or failed().
    void save(const DocumentReport& report, const QString& path);
};

} // namespace pollard::vm
