#pragma once

#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

namespace pollard::vm {

class DocumentViewModel;

/// A picture of a report.
struct ReportPicture {
    QString caption;
    QByteArray png;
};

/// Named values under a heading.
struct ReportTable {
    QString heading;
    QList<QPair<QString, QString>> rows;
};

/// What was done to a picture, for people: to be kept beside the result.
struct Report {
    QString title;
    QList<ReportTable> tables;
    QList<ReportPicture> pictures;
    QString commandLine; ///< that does the same without a window; empty where none does
    QStringList sources; ///< literature to cite
    QString citation;    ///< of the program
};

/// A page that needs no other file: styles and pictures are in it, and nothing is fetched.
[[nodiscard]] QString htmlOf(const Report& report);

/// The command that gives the document's result; empty if nothing is open or the result is not one of a command alone
/// (earlier filters, a region, picks by hand, a part of the page, a range of values of a person's own, or a file
/// without a header).
[[nodiscard]] QString filterCommand(const DocumentViewModel& document);

/// Where what made the document's result was published: the tree, its algorithm, the attributes, the rule.
[[nodiscard]] QStringList sourcesOf(const DocumentViewModel& document);

/// Everything about the document that can be told without pictures.
/// @param commandLine as in Report
[[nodiscard]] Report reportOf(const DocumentViewModel& document, const QString& version, const QString& commandLine);

} // namespace pollard::vm
