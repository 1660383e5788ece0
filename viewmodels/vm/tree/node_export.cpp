#include "vm/tree/node_export.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"

#include "io/write/atomic_file.hpp"
#include "recipe/result_file.hpp"
#include "tree/tree_files.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr std::uint8_t kInside = 255;

struct Task {
    NodeFile file = NodeFile::mask;
    NodeSet nodes;
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const ImageInfo> info;
    std::vector<std::shared_ptr<const AttributeColumn>> columns;
};

/// Of the picture or volume of a tree.
Image maskImage(const ComponentTree& tree, const std::vector<std::uint8_t>& flags) {
    Image image(PixelType::u8, tree.extent());
    std::ranges::transform(tree.pixelNode, image.pixels<std::uint8_t>().begin(),
                           [&](std::uint32_t node) { return flags[node] != 0 ? kInside : std::uint8_t{0}; });
    return image;
}

void writeNodes(const Task& task, const std::filesystem::path& target, const JobControl& control) {
    if (task.file == NodeFile::table) {
        AtomicFile file(target, "cannot write components");
        writeNodeTable(file, *task.tree, task.columns, control, &task.nodes);
        file.commit();
        return;
    }
    const std::vector<std::uint8_t> flags = flagsOf(*task.tree, maximalComponents(*task.tree, task.nodes));
    writeResult(target, maskImage(*task.tree, flags), *task.info, ResultValues::others, control);
}

} // namespace

QString suffixOf(NodeFile file) { return file == NodeFile::mask ? QStringLiteral("tif") : QStringLiteral("csv"); }

void NodeExport::save(NodeFile file, const NodeSet& nodes, const QString& path) {
    if (!isAvailable() || nodes.empty() || !document_.tree()) {
        return;
    }
    auto task = std::make_shared<Task>();
    task->file = file;
    task->nodes = nodes;
    task->tree = document_.tree();
    task->info = document_.shown().sourceInfo();
    for (const AttributeInfo& info : describedAttributes()) {
        if (auto column = document_.attribute(info.id)) {
            task->columns.push_back(std::move(column));
        }
    }
    write(
        path, tr("The components were not saved"),
        [task](const std::filesystem::path& target, const JobControl& control) { writeNodes(*task, target, control); });
}

} // namespace pollard::vm
