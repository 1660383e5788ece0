#include "vm/tree/tree_table_export.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/picture_units.hpp"
#include "vm/tree/decided_nodes.hpp"
#include "vm/tree/node_selection.hpp"

#include "filter/filter_columns.hpp"
#include "io/write/atomic_file.hpp"
#include "tree/tree_files.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace pollard::vm {

struct TreeTableExport::Job {
    QString path;
    TreeTableChoice choice;
    FilterSpec filter; ///< in pixels, if its nodes are written
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const NodeSet> selected; ///< null: not written
    std::vector<AttributeId> needed;         ///< columns and attributes of the filter
    std::vector<std::shared_ptr<const AttributeColumn>> columns;
    FilterColumns filterColumns;
};

TreeTableExport::TreeTableExport(DocumentViewModel& document, const NodeSelection& selection, QObject* parent)
    : FileExport(parent), document_(document), selection_(selection) {
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        if (job_) {
            fail(tr("The tree has changed before all attributes were measured"));
        }
        emit availableChanged();
    });
    connect(&document_, &DocumentViewModel::attributeReady, this, &TreeTableExport::advance);
    connect(&document_.activity(), &DocumentActivity::errorOccurred, this, [this](const QString&, const QString& why) {
        if (job_) {
            fail(why);
        }
    });
}

bool TreeTableExport::isAvailable() const {
    return FileExport::isAvailable() && job_ == nullptr && document_.tree() != nullptr;
}

void TreeTableExport::save(const QString& path, const TreeTableChoice& choice) {
    if (!isAvailable()) {
        return;
    }
    auto job = std::make_shared<Job>();
    job->path = path;
    job->choice = choice;
    job->tree = document_.tree();
    job->needed = choice.attributes;
    if (choice.rows == TreeTableChoice::Rows::selected) {
        job->selected = selection_.nodes();
    } else if (choice.rows == TreeTableChoice::Rows::kept) {
        job->filter = inPixelsOf(document_, document_.resultSpec());
        for (const Criterion& criterion : job->filter.criteria) {
            job->needed.push_back(criterion.attribute);
        }
        if (job->filter.prominent) {
            job->needed.push_back(attributeOf(job->filter.prominent->measure));
        }
    }
    job_ = std::move(job);
    emit availableChanged();
    advance();
}

void TreeTableExport::advance() {
    if (!job_) {
        return;
    }
    const auto& needed = job_->needed;
    const auto next =
        std::ranges::find_if(needed, [this](AttributeId id) { return document_.attribute(id) == nullptr; });
    if (next == needed.end()) {
        writeTable();
        return;
    }
    const AttributeId id = *next;
    emit measuring(static_cast<int>(next - needed.begin()), static_cast<int>(needed.size()), attributeTitle(id));
    if (job_) { // not cancelled meanwhile
        document_.requestAttribute(id);
    }
}

void TreeTableExport::writeTable() {
    const auto job = std::exchange(job_, nullptr);
    const auto column = [this](AttributeId id) { return document_.attribute(id); };
    for (const AttributeInfo& info : describedAttributes()) { // as in pollard-cli
        if (info.id != AttributeId::level &&
            std::ranges::find(job->choice.attributes, info.id) != job->choice.attributes.end()) {
            job->columns.push_back(column(info.id));
        }
    }
    const bool kept = job->choice.rows == TreeTableChoice::Rows::kept;
    if (kept) {
        job->filterColumns = columnsOf(job->filter, column);
    }
    emit measuring(0, 0, {});
    write(job->path, tr("The table was not saved"),
          [job, kept](const std::filesystem::path& target, const JobControl& control) {
              const NodeSet nodes =
                  kept ? decidedNodes(*job->tree, job->filter, job->filterColumns, true, control) : NodeSet();
              const NodeSet* chosen = kept ? &nodes : job->selected.get();
              if (target.extension() == ".npy") { // as in pollard-cli
                  writeNodeArray(target, *job->tree, job->columns, control, chosen)->commit();
                  return;
              }
              AtomicFile file(target, "cannot write node table");
              writeNodeTable(file, *job->tree, job->columns, control, chosen);
              file.commit();
          });
}

void TreeTableExport::end() {
    job_ = nullptr;
    emit measuring(0, 0, {});
    emit availableChanged();
}

void TreeTableExport::cancel() {
    if (job_) {
        end();
    }
}

void TreeTableExport::fail(const QString& why) {
    end();
    emit failed(tr("The table was not saved"), why);
}

} // namespace pollard::vm
