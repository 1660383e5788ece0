#include "tree_export.hpp"

#include "document_view_model.hpp"

#include "io/atomic_file.hpp"
#include "io/npy_writer.hpp"
#include "io/result_tags.hpp"
#include "io/tiff_writer.hpp"
#include "tree/node_array.hpp"
#include "tree/node_table.hpp"
#include "tree/subtree_dot.hpp"

#include <QFileInfo>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

struct Task {
    TreeFile file = TreeFile::table;
    std::filesystem::path target;
    std::uint32_t top = 0;
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const ImageInfo> info;
    std::vector<std::shared_ptr<const AttributeColumn>> columns;
};

void write(const Task& task, const JobControl& control) {
    const ComponentTree& tree = *task.tree;
    switch (task.file) {
    case TreeFile::table: {
        AtomicFile file(task.target, "cannot write node table");
        writeNodeTable(file, tree, task.columns, control);
        file.commit();
        break;
    }
    case TreeFile::array:
        writeNodeArray(task.target, tree, task.columns, control)->commit();
        break;
    case TreeFile::parents:
        writeTiff32(task.target, canonicalParentImage(tree).span(), tree.width, tree.height,
                    {.deflate = true, .carried = resultTags(*task.info, ResultValues::others)}, control);
        break;
    case TreeFile::parentArray:
        writeNpy32(task.target, canonicalParentImage(tree).span(), tree.width, tree.height, control);
        break;
    case TreeFile::graph: {
        const std::string dot = subtreeDot(tree, task.top, TreeExport::kGraphNodes, task.columns);
        AtomicFile file(task.target, "cannot write graph of the tree");
        file.writeAll(dot.data(), dot.size());
        file.commit();
        break;
    }
    }
}

} // namespace

QString suffixOf(TreeFile file) {
    switch (file) {
    case TreeFile::table:
        break;
    case TreeFile::array:
    case TreeFile::parentArray:
        return QStringLiteral("npy");
    case TreeFile::parents:
        return QStringLiteral("tif");
    case TreeFile::graph:
        return QStringLiteral("dot");
    }
    return QStringLiteral("csv");
}

TreeExport::TreeExport(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &TreeExport::availableChanged);
}

bool TreeExport::isAvailable() const { return !busy_ && document_.tree() != nullptr; }

void TreeExport::save(TreeFile file, const QString& path, quint32 top) {
    if (!isAvailable()) {
        return;
    }
    const QFileInfo target(path);
    auto task = std::make_shared<Task>();
    task->file = file;
    task->target = target.filesystemAbsoluteFilePath();
    task->tree = document_.tree();
    task->top = top < task->tree->nodeCount() ? top : 0;
    task->info = document_.imageInfo();
    for (const AttributeInfo& info : allAttributes()) {
        auto column = document_.attribute(info.id);
        if (column && info.id != AttributeId::level) { // every kind of file has the level anyway
            task->columns.push_back(std::move(column));
        }
    }
    busy_ = true;
    emit availableChanged();
    worker_.post(
        Lane::save, [task](const std::stop_token& stop) { write(*task, JobControl(stop)); },
        [this, written = target.absoluteFilePath()](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            busy_ = false;
            emit availableChanged();
            if (outcome.ok()) {
                emit saved(written);
            } else {
                emit failed(tr("The tree was not saved"), QString::fromStdString(outcome.message));
            }
        });
}

} // namespace pollard::vm
