#include "vm/tree/tree_export.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"

#include "io/write/atomic_file.hpp"
#include "io/write/npy_writer.hpp"
#include "recipe/result_file.hpp"
#include "tree/tree_files.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

struct Task {
    TreeFile file = TreeFile::table;
    std::uint32_t top = 0;
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const ImageInfo> info;
    std::vector<std::shared_ptr<const AttributeColumn>> columns;
};

void writeTree(const Task& task, const std::filesystem::path& target, const JobControl& control) {
    const ComponentTree& tree = *task.tree;
    switch (task.file) {
    case TreeFile::table: {
        AtomicFile file(target, "cannot write node table");
        writeNodeTable(file, tree, task.columns, control);
        file.commit();
        break;
    }
    case TreeFile::array:
        writeNodeArray(target, tree, task.columns, control)->commit();
        break;
    case TreeFile::parents:
        writeResult32(target, canonicalParentImage(tree).span(), tree.extent(), *task.info, control);
        break;
    case TreeFile::parentArray:
        writeNpy32(target, canonicalParentImage(tree).span(), tree.extent(), control);
        break;
    case TreeFile::graph: {
        const std::string dot = subtreeDot(tree, task.top, TreeExport::kGraphNodes, task.columns);
        AtomicFile file(target, "cannot write graph of the tree");
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

TreeExport::TreeExport(DocumentViewModel& document, QObject* parent) : FileExport(parent), document_(document) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &TreeExport::availableChanged);
}

bool TreeExport::isAvailable() const { return FileExport::isAvailable() && document_.tree() != nullptr; }

void TreeExport::save(TreeFile file, const QString& path, quint32 top) {
    if (!isAvailable()) {
        return;
    }
    auto task = std::make_shared<Task>();
    task->file = file;
    task->tree = document_.tree();
    task->top = top < task->tree->nodeCount() ? top : 0;
    task->info = document_.shown().sourceInfo();
    for (const AttributeInfo& info : describedAttributes()) {
        auto column = document_.attribute(info.id);
        if (column && info.id != AttributeId::level) { // every format includes the level
            task->columns.push_back(std::move(column));
        }
    }
    write(path, tr("The tree was not saved"), [task](const std::filesystem::path& target, const JobControl& control) {
        writeTree(*task, target, control);
    });
}

} // namespace pollard::vm
