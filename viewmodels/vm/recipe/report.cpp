#include "vm/recipe/report.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/recipe/recipe_view_model.hpp"

#include "engine/program_facts.hpp"
#include "filter/filter_spec.hpp"
#include "io/write/atomic_file.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace pollard::vm {
namespace {

constexpr auto kStyle = "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1c2126;"
                        "background:#fff}table{border-collapse:collapse}th{text-align:left;font-weight:normal;"
                        "color:#555;padding:.15em 1.5em .15em 0;vertical-align:top}td{padding:.15em 0}"
                        "figure{margin:1.5em 0}img{max-width:100%;border:1px solid #ccc}figcaption{color:#555}"
                        ".grid th,.grid td{padding:.1em .8em;text-align:right}"
                        "pre{background:#f3f4f6;padding:.8em;white-space:pre-wrap;overflow-wrap:anywhere}";

QString reportText(const char* source) { return QCoreApplication::translate("Report", source); }

QString sizeText(const Extent& extent) {
    return extent.isVolume() ? reportText("%1 × %2 × %3 voxels")
                                   .arg(countText(extent.width), countText(extent.height), countText(extent.slices))
                             : reportText("%1 × %2 px").arg(countText(extent.width), countText(extent.height));
}

ReportTable imageTable(const DocumentViewModel& document) {
    const ImageInfo& info = *document.imageInfo();
    ReportTable table{reportText("Image"), {}};
    table.rows << std::pair(reportText("File"), QFileInfo(document.path()).fileName())
               << std::pair(reportText("Size"), sizeText(document.shown().analysed()->extent()))
               << std::pair(reportText("Depth"), reportText("%1 bits").arg(info.bits));
    if (document.isVolume()) {
        table.rows << std::pair(reportText("Slice"),
                                reportText("%1 of %2").arg(document.slice() + 1).arg(document.sliceCount()));
    } else if (document.pageCount() > 1) {
        table.rows << std::pair(reportText("Page"),
                                reportText("%1 of %2").arg(document.page() + 1).arg(document.pageCount()));
    }
    if (!document.request().reductionText().isEmpty()) {
        table.rows << std::pair(reportText("Part"), document.request().reductionText());
    }
    return table;
}

/// The steps before the filter, one per row.
ReportTable earlierTable(const FilterStages& stages) {
    ReportTable table{reportText("Earlier filters"), {}};
    for (const FilterStage& stage : stages) {
        QStringList steps;
        for (const RecipeStep& step : recipeStepsOf({&stage, 1})) {
            steps << RecipeViewModel::titleOf(step);
        }
        table.rows << std::pair(QString::number(table.rows.size() + 1), steps.join(QStringLiteral("; ")));
    }
    return table;
}

ReportTable treeTable(const DocumentViewModel& document) {
    const TreeReport& report = document.shown().treeReport;
    const DocumentChoices& choices = document.choices();
    return {
        reportText("Tree"),
        {std::pair(reportText("Kind"),
                   choices.treeKind() == TreeKind::max ? reportText("max-tree") : reportText("min-tree")),
         std::pair(reportText("Connectivity"), QString::number(static_cast<int>(choices.connectivity()))),
         std::pair(reportText("Components"), countText(report.nodes)),
         std::pair(reportText("Leaves"), countText(report.leaves)),
         std::pair(reportText("Depth"), countText(report.depth)),
         std::pair(reportText("Algorithm"), QString::fromStdString(report.algorithm)),
         std::pair(reportText("Engine"), QStringLiteral("%1 (%2)").arg(choices.engineName(), choices.engineDevice()))}};
}

ReportTable filterTable(const DocumentViewModel& document) {
    const FilterSpec& spec = document.resultSpec();
    const FilterReport& report = document.shown().frame.report;
    QStringList criteria;
    for (const Criterion& criterion : spec.criteria) {
        criteria << QString::fromStdString(toString(criterion));
    }
    if (!spec.forest.trees.empty()) {
        criteria << FilterViewModel::forestText(spec.forest);
    }
    if (spec.prominent) {
        criteria << reportText("most prominent: %1").arg(QString::fromStdString(toString(*spec.prominent)));
    }
    ReportTable table{reportText("Filter"), {}};
    table.rows << std::pair(reportText("Criteria"),
                            criteria.isEmpty() ? reportText("none") : criteria.join(QStringLiteral("; ")))
               << std::pair(reportText("To be met"), fromUtf8(nameOf(spec.match)))
               << std::pair(reportText("Rule"), fromUtf8(nameOf(spec.rule)))
               << std::pair(reportText("Output"), fromUtf8(nameOf(spec.output)));
    if (!spec.removed.empty() || !spec.kept.empty()) {
        table.rows << std::pair(
            reportText("Picked by hand"),
            reportText("%1 removed, %2 kept").arg(countText(spec.removed.size()), countText(spec.kept.size())));
    }
    table.rows << std::pair(reportText("Kept components"), countText(report.keptNodes))
               << std::pair(reportText("Removed components"), countText(report.removedNodes))
               << std::pair(reportText("Changed pixels"), countText(report.changedPixels));
    return table;
}

ReportTable programTable(const QString& version) {
    ReportTable table{reportText("Program"), {std::pair(QStringLiteral("Pollard"), version)}};
    table.rows << std::pair(QStringLiteral("Qt"), QString::fromLatin1(qVersion()));
    for (const LibraryVersion& library : libraryVersions()) {
        table.rows << std::pair(QString::fromStdString(library.name), QString::fromStdString(library.version));
    }
    return table;
}

QString cellsOf(const char* tag, const QStringList& texts) {
    QString cells = QStringLiteral("<tr>");
    for (const QString& each : texts) {
        cells += QStringLiteral("<%1>%2</%1>").arg(QLatin1String(tag), each.toHtmlEscaped());
    }
    return cells + QStringLiteral("</tr>\n");
}

QString htmlOf(const ReportObjects& objects) {
    const QStringList notes{
        objects.summary, objects.condition.isEmpty() ? QString() : reportText("Condition: %1").arg(objects.condition),
        objects.listed > objects.rows.size()
            ? reportText("The first %1 of %2 rows").arg(countText(objects.rows.size()), countText(objects.listed))
            : QString()};
    QString html = QStringLiteral("<h2>%1</h2>\n").arg(reportText("Objects").toHtmlEscaped());
    for (const QString& note : notes) {
        html += note.isEmpty() ? QString() : QStringLiteral("<p>") + note.toHtmlEscaped() + QStringLiteral("</p>\n");
    }
    html += QStringLiteral("<table class=\"grid\">\n") + cellsOf("th", objects.titles);
    for (const QStringList& row : objects.rows) {
        html += cellsOf("td", row);
    }
    return html + QStringLiteral("</table>\n");
}

void addOnce(QStringList& list, const QString& entry) {
    if (!entry.isEmpty() && !list.contains(entry)) {
        list << entry;
    }
}

void addSources(QStringList& sources, const FilterSpec& spec) {
    for (const Criterion& criterion : spec.criteria) {
        const AttributeInfo& info = describedAttribute(criterion.attribute);
        addOnce(sources, QStringLiteral("%1: %2").arg(fromUtf8(info.name), fromUtf8(info.source)));
    }
    if (!spec.forest.trees.empty()) {
        addOnce(sources, QStringLiteral("L. Breiman. Random forests. Machine Learning 45, 2001."));
    }
    if (spec.rule == Rule::subtractive) {
        addOnce(sources, QStringLiteral("E. Urbach, M. Wilkinson. Shape-only Granulometries and Grey-scale Shape "
                                        "Filters. ISMM, 2002."));
    }
}

} // namespace

QString citationText(const QString& version) {
    return QStringLiteral("Pollard contributors. Pollard: interactive mathematical morphology on component trees. "
                          "Version %1, 2026. Free software, GPL-3.0-or-later.")
        .arg(version);
}

QString citationBibTex(const QString& version) {
    return QStringLiteral("@software{pollard,\n"
                          "  author  = {{Pollard contributors}},\n"
                          "  title   = {Pollard: interactive mathematical morphology on component trees},\n"
                          "  version = {%1},\n"
                          "  year    = {2026},\n"
                          "  license = {GPL-3.0-or-later}\n"
                          "}\n")
        .arg(version);
}

QString htmlOf(const DocumentReport& report) {
    QString html = QStringLiteral("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<title>%1</title>\n"
                                  "<style>%2</style></head>\n<body>\n<h1>%1</h1>\n")
                       .arg(report.title.toHtmlEscaped(), QLatin1String(kStyle));
    for (const ReportImage& image : report.images) {
        html += QStringLiteral("<figure><img alt=\"%1\" src=\"data:image/png;base64,%2\"><figcaption>%1</figcaption>"
                               "</figure>\n")
                    .arg(image.caption.toHtmlEscaped(), QString::fromLatin1(image.png.toBase64()));
    }
    for (const ReportTable& table : report.tables) {
        html += QStringLiteral("<h2>%1</h2>\n<table>\n").arg(table.heading.toHtmlEscaped());
        for (const auto& [name, value] : table.rows) {
            html += QStringLiteral("<tr><th>%1</th><td>").arg(name.toHtmlEscaped()) + value.toHtmlEscaped() +
                    QStringLiteral("</td></tr>\n");
        }
        html += QStringLiteral("</table>\n");
    }
    if (!report.objects.summary.isEmpty()) {
        html += htmlOf(report.objects);
    }
    if (!report.commandLine.isEmpty()) {
        html += QStringLiteral("<h2>%1</h2>\n<pre>").arg(reportText("The same without a window").toHtmlEscaped()) +
                report.commandLine.toHtmlEscaped() + QStringLiteral("</pre>\n");
    }
    html += QStringLiteral("<h2>%1</h2>\n<ul>\n").arg(reportText("To be cited").toHtmlEscaped());
    for (const QString& source : QStringList(report.citation) + report.sources) {
        html += QStringLiteral("<li>") + source.toHtmlEscaped() + QStringLiteral("</li>\n");
    }
    return html + QStringLiteral("</ul>\n</body></html>\n");
}

ReportObjects reportObjects(const ObjectTableModel& table) {
    ReportObjects objects{table.summary(), table.condition(), {}, {}, table.rowCount()};
    for (int column = 0; column < table.columnCount(); ++column) {
        objects.titles << table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    }
    for (int row = 0; row < std::min(objects.listed, ReportObjects::kMostRows); ++row) {
        QStringList& cells = objects.rows.emplace_back();
        for (int column = 0; column < table.columnCount(); ++column) {
            cells << table.index(row, column).data().toString();
        }
    }
    return objects;
}

void ReportExport::save(const DocumentReport& report, const QString& path) {
    if (!isAvailable()) {
        return;
    }
    write(path, tr("The report was not saved"),
          [report](const std::filesystem::path& target, const JobControl& /*control*/) {
              const QByteArray html = htmlOf(report).toUtf8();
              AtomicFile file(target, "cannot write report");
              file.writeAll(html.constData(), static_cast<std::size_t>(html.size()));
              file.commit();
          });
}

QStringList sourcesOf(const DocumentViewModel& document) {
    QStringList sources;
    if (!document.hasImage()) {
        return sources;
    }
    sources << QStringLiteral("P. Salembier, A. Oliveras, L. Garrido. Antiextensive Connected Operators for Image and "
                              "Sequence Processing. IEEE Transactions on Image Processing 7(4), 1998.");
    if (const Engine* engine = document.shown().frame.engine) {
        for (const AlgorithmInfo& algorithm : engine->algorithms()) {
            if (algorithm.name == document.shown().treeReport.algorithm) {
                addOnce(sources, QStringLiteral("%1: %2").arg(QString::fromStdString(algorithm.name),
                                                              QString::fromStdString(algorithm.source)));
            }
        }
    }
    for (const FilterStage& stage : effectiveStages(document.choices().earlierFilters())) {
        addSources(sources, stage.filter);
    }
    addSources(sources, document.resultSpec());
    return sources;
}

DocumentReport reportOf(const DocumentViewModel& document, const QString& version, const QString& commandLine) {
    DocumentReport report;
    report.title = document.title();
    report.citation = citationText(version);
    if (document.hasImage()) {
        report.tables << imageTable(document);
        if (const FilterStages earlier = effectiveStages(document.choices().earlierFilters()); !earlier.empty()) {
            report.tables << earlierTable(earlier);
        }
        report.tables << treeTable(document) << filterTable(document);
    }
    report.tables << programTable(version);
    report.commandLine = commandLine;
    report.sources = sourcesOf(document);
    return report;
}

} // namespace pollard::vm
