#include "vm/tree/node_export.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"

#include "io/tiff/tiff_writer.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/result_tags.hpp"
#include "tree/tree_files.hpp"

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

Image pictureOf(const Mask& mask) {
    Image picture(PixelType::u8, mask.width(), mask.height());
    std::uint8_t* pixel = picture.pixels<std::uint8_t>().data();
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        for (std::uint32_t x = 0; x < mask.width(); ++x) {
            *pixel++ = mask.test(x, y) ? kInside : std::uint8_t{0};
        }
    }
    return picture;
}

void writeNodes(const Task& task, const std::filesystem::path& target, const JobControl& control) {
    if (task.file == NodeFile::table) {
        AtomicFile file(target, "cannot write components");
        writeNodeTable(file, *task.tree, task.columns, control, &task.nodes);
        file.commit();
        return;
    }
    const Mask mask = maskOfNodes(*task.tree, flagsOf(*task.tree, maximalComponents(*task.tree, task.nodes)));
    writeTiff(target, pictureOf(mask), resultOptions(*task.info, ResultValues::others), control);
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
    task->info = document_.imageInfo();
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
