#include "vm/tree/tree_export.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/tree/node_selection.hpp"

#include "filter/filter_columns.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/npy_writer.hpp"
#include "recipe/results/result_file.hpp"
#include "tree/tree_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

namespace pollard::vm {
namespace {

constexpr std::uint8_t kInside = 255;

using Columns = std::vector<std::shared_ptr<const AttributeColumn>>;

/// The measured attributes of the present tree, in the order of their descriptions.
Columns measuredAttributes(const DocumentViewModel& document) {
    Columns columns;
    for (const AttributeInfo& info : describedAttributes()) {
        if (auto column = document.attribute(info.id)) {
            columns.push_back(std::move(column));
        }
    }
    return columns;
}

/// @param nodes null: all
void writeTable(const std::filesystem::path& target, const char* task, const ComponentTree& tree,
                const Columns& columns, const JobControl& control, const std::optional<ValueMapping>& mapping,
                const NodeSet* nodes = nullptr) {
    AtomicFile file(target, task);
    writeNodeTable(file, tree, columns, control, nodes, mapping);
    file.commit();
}

/// The mask over the image or volume of a tree.
Image maskImage(const ComponentTree& tree, const std::vector<std::uint8_t>& flags) {
    Image image(PixelType::u8, tree.extent());
    std::ranges::transform(tree.pixelNode, image.pixels<std::uint8_t>().begin(),
                           [&](std::uint32_t node) { return flags[node] != 0 ? kInside : std::uint8_t{0}; });
    return image;
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
    Columns columns = measuredAttributes(document_);
    std::erase_if(columns, [](const auto& column) { return column->id == AttributeId::level; }); // in every format
    write(path, tr("The tree was not saved"),
          [file, top, built = document_.tree(), info = document_.shown().sourceInfo(), mapping = mappingOf(document_),
           columns = std::move(columns)](const std::filesystem::path& target, const JobControl& control) {
              const ComponentTree& tree = *built;
              switch (file) {
              case TreeFile::table:
                  writeTable(target, "cannot write node table", tree, columns, control, mapping);
                  break;
              case TreeFile::array:
                  writeNodeArray(target, tree, columns, control, nullptr, mapping)->commit();
                  break;
              case TreeFile::parents:
                  writeResult(target, resultPlane(canonicalParentImage(tree).span(), tree.extent(), *info), control);
                  break;
              case TreeFile::parentArray:
                  writeNpy(target, measuredRowsOf(canonicalParentImage(tree).span(), tree.extent()), control);
                  break;
              case TreeFile::graph: {
                  const std::string dot =
                      subtreeDot(tree, top < tree.nodeCount() ? top : 0, TreeExport::kGraphNodes, columns, mapping);
                  AtomicFile graph(target, "cannot write graph of the tree");
                  graph.writeAll(dot.data(), dot.size());
                  graph.commit();
                  break;
              }
              }
          });
}

QString suffixOf(NodeFile file) { return file == NodeFile::mask ? QStringLiteral("tif") : QStringLiteral("csv"); }

void NodeExport::save(NodeFile file, const NodeSet& nodes, const QString& path) {
    if (!isAvailable() || nodes.empty() || !document_.tree()) {
        return;
    }
    write(path, tr("The components were not saved"),
          [file, nodes, tree = document_.tree(), info = document_.shown().sourceInfo(), mapping = mappingOf(document_),
           columns = measuredAttributes(document_)](const std::filesystem::path& target, const JobControl& control) {
              if (file == NodeFile::table) {
                  writeTable(target, "cannot write components", *tree, columns, control, mapping, &nodes);
                  return;
              }
              const std::vector<std::uint8_t> flags = flagsOf(*tree, maximalComponents(*tree, nodes));
              writeResult(target, resultPlane(maskImage(*tree, flags), {nullptr, nullptr, *info}, ResultValues::others),
                          control);
          });
}

struct TreeTableExport::Job {
    QString path;
    TreeTableChoice choice;
    FilterSpec filter; ///< in pixels, if its nodes are written
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const NodeSet> selected; ///< null: not written
    std::vector<AttributeId> needed;         ///< columns and attributes of the filter
    Columns columns;
    FilterColumns filterColumns;
    std::optional<ValueMapping> mapping; ///< of the levels of the tree
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
    job->mapping = mappingOf(document_);
    job->needed = choice.attributes;
    if (choice.rows == TreeTableChoice::Rows::selected) {
        job->selected = selection_.nodes();
    } else if (choice.rows == TreeTableChoice::Rows::kept) {
        job->filter = inPixelsOf(document_, document_.resultSpec());
        std::ranges::copy(attributesOf(job->filter), std::back_inserter(job->needed));
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
                  writeNodeArray(target, *job->tree, job->columns, control, chosen, job->mapping)->commit();
                  return;
              }
              vm::writeTable(target, "cannot write node table", *job->tree, job->columns, control, job->mapping,
                             chosen);
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
