#include "tree/tree_files.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "io/write/atomic_file.hpp"
#include "tree/node_set.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>

namespace pollard {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestNumber = 32;
constexpr std::size_t kTreeColumns = 6;

/// Buffers the text of a file and appends it in large pieces.
class CsvBuffer {
public:
    explicit CsvBuffer(AtomicFile& file) : file_(file) { text_.resize(kBufferBytes); }

    /// @return whether the buffer was flushed
    bool reserve(std::size_t bytes) {
        if (used_ + bytes <= text_.size()) {
            return false;
        }
        flush();
        if (bytes > text_.size()) {
            text_.resize(bytes);
        }
        return true;
    }

    void flush() {
        file_.writeAll(text_.data(), used_);
        used_ = 0;
    }

    /// Requires reserved space.
    template <class T> void number(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            value = std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value; // drops the sign, which would be
                                                                                     // printed
        }
        char* const first = text_.data() + used_;
        used_ = static_cast<std::size_t>(std::to_chars(first, first + kLongestNumber, value).ptr - text_.data());
    }
    void character(char c) { text_[used_++] = c; }

private:
    AtomicFile& file_;
    std::string text_;
    std::size_t used_ = 0;
};

constexpr std::size_t kRowsAtOnce = std::size_t{1} << 15U;

template <class T> const char* typeName() {
    if constexpr (std::is_same_v<T, std::uint16_t>) {
        return "<u2";
    } else if constexpr (std::is_same_v<T, std::uint32_t>) {
        return "<u4";
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return "<i4";
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        return "<u8";
    } else {
        static_assert(std::is_same_v<T, double>);
        return "<f8";
    }
}

/// Packed bytes of the rows.
class Rows {
public:
    template <class T> void add(T value) {
        const std::size_t place = bytes_.size();
        bytes_.resize(place + sizeof value);
        std::memcpy(bytes_.data() + place, &value, sizeof value);
    }
    void handOver(NpyFile& file) {
        file.write(bytes_.data(), bytes_.size());
        bytes_.clear();
    }

private:
    std::vector<std::byte> bytes_;
};

/// Whether values replace the numbers of the column.
bool isConverted(const AttributeColumn& column, const std::optional<ValueMapping>& values) {
    return values && attributeInfo(column.id).grey != Grey::none && !isColumnInValues(column.id, *values);
}

std::string rowType(const std::vector<std::shared_ptr<const AttributeColumn>>& columns, bool isVolume,
                    const std::optional<ValueMapping>& mapping) {
    std::string descr = std::string("[('id', '<u4'), ('parent', '<u4'), ('level', '") + (mapping ? "<f8" : "<u2") +
                        "'), ('canonical_x', '<u4'), ('canonical_y', '<u4')";
    descr += isVolume ? ", ('canonical_z', '<u4')" : "";
    for (const auto& column : columns) {
        const char* type =
            isConverted(*column, mapping)
                ? typeName<double>()
                : std::visit([](const auto& values) { return typeName<std::remove_cvref_t<decltype(values[0])>>(); },
                             column->values);
        descr.append(", ('").append(attributeInfo(column->id).name).append("', '").append(type).append("')");
    }
    return descr + ']';
}

std::string shortest(double value) { return std::isnan(value) ? "nan" : exactNumber(value); }

/// The first nodes in breadth-first order; the last ones may lack children.
std::vector<std::uint32_t> nearestNodes(const ComponentTree& tree, std::uint32_t node, std::size_t most) {
    std::vector<std::uint32_t> nodes{node};
    for (std::size_t next = 0; next < nodes.size() && nodes.size() < most; ++next) {
        for (auto child = firstChild(tree, nodes[next]); child && nodes.size() < most;
             child = nextSibling(tree, *child)) {
            nodes.push_back(*child);
        }
    }
    return nodes;
}

std::size_t childrenOf(const ComponentTree& tree, std::uint32_t node) {
    std::size_t count = 0;
    for (auto child = firstChild(tree, node); child; child = nextSibling(tree, *child)) {
        ++count;
    }
    return count;
}

} // namespace

void writeNodeTable(AtomicFile& file, const ComponentTree& tree,
                    const std::vector<std::shared_ptr<const AttributeColumn>>& columns, const JobControl& control,
                    const NodeSet* chosen, const std::optional<ValueMapping>& mapping) {
    const bool isVolume = tree.slices > 1;
    std::string header = std::string("id,parent,level,canonical_x,canonical_y") + (isVolume ? ",canonical_z" : "");
    for (const auto& column : columns) {
        header.append(",").append(attributeInfo(column->id).name);
    }
    header += '\n';
    file.writeAll(header.data(), header.size());

    CsvBuffer csv(file);
    const std::size_t rowBytes = (kTreeColumns + columns.size()) * (kLongestNumber + 1);
    const std::size_t rows = chosen != nullptr ? chosen->size() : tree.nodeCount();
    for (std::size_t row = 0; row < rows; ++row) {
        if (csv.reserve(rowBytes)) {
            control.throwIfStopped();
            control.report(static_cast<double>(row) / static_cast<double>(rows), "");
        }
        const std::size_t node = chosen != nullptr ? (*chosen)[row] : row;
        csv.number(node);
        csv.character(',');
        csv.number(tree.parent[node]);
        csv.character(',');
        if (mapping) {
            csv.number(mapping->valueOf(tree.level[node]));
        } else {
            csv.number(tree.level[node]);
        }
        csv.character(',');
        const Voxel place = voxelAt(tree.canonical[node], tree.extent());
        csv.number(place.x);
        csv.character(',');
        csv.number(place.y);
        if (isVolume) {
            csv.character(',');
            csv.number(place.z);
        }
        for (const auto& column : columns) {
            csv.character(',');
            if (isConverted(*column, mapping)) {
                csv.number(columnValue(column->id, column->at(node), mapping));
            } else {
                std::visit([&](const auto& values) { csv.number(values[node]); }, column->values);
            }
        }
        csv.character('\n');
    }
    csv.flush();
}

std::unique_ptr<NpyFile> writeNodeArray(const std::filesystem::path& path, const ComponentTree& tree,
                                        const std::vector<std::shared_ptr<const AttributeColumn>>& columns,
                                        const JobControl& control, const NodeSet* chosen,
                                        const std::optional<ValueMapping>& mapping) {
    const std::array<std::size_t, 1> shape{chosen != nullptr ? chosen->size() : tree.nodeCount()};
    auto file =
        std::make_unique<NpyFile>(path, "cannot write node table", rowType(columns, tree.slices > 1, mapping), shape);
    Rows rows;
    for (std::size_t first = 0; first < shape[0]; first += kRowsAtOnce) {
        control.throwIfStopped();
        control.report(static_cast<double>(first) / static_cast<double>(shape[0]), "");
        for (std::size_t row = first; row < std::min(shape[0], first + kRowsAtOnce); ++row) {
            const std::size_t node = chosen != nullptr ? (*chosen)[row] : row;
            rows.add(static_cast<std::uint32_t>(node));
            rows.add(tree.parent[node]);
            if (mapping) {
                rows.add(mapping->valueOf(tree.level[node]));
            } else {
                rows.add(tree.level[node]);
            }
            const Voxel place = voxelAt(tree.canonical[node], tree.extent());
            rows.add(place.x);
            rows.add(place.y);
            if (tree.slices > 1) {
                rows.add(place.z);
            }
            for (const auto& column : columns) {
                if (isConverted(*column, mapping)) {
                    rows.add(columnValue(column->id, column->at(node), mapping));
                } else {
                    std::visit([&](const auto& values) { rows.add(values[node]); }, column->values);
                }
            }
        }
        rows.handOver(*file);
    }
    return file;
}

std::string subtreeDot(const ComponentTree& tree, std::uint32_t node, std::size_t most,
                       const std::vector<std::shared_ptr<const AttributeColumn>>& columns,
                       const std::optional<ValueMapping>& mapping) {
    if (node >= tree.nodeCount()) {
        throw Error(ErrorCode::invalidArgument, "graph of the tree: node " + std::to_string(node) +
                                                    ": there are only " + std::to_string(tree.nodeCount()));
    }
    if (most == 0 || most > kMostDotNodes) {
        throw Error(ErrorCode::invalidArgument,
                    "graph of the tree: " + std::to_string(most) + " nodes: not 1 to " + std::to_string(kMostDotNodes));
    }
    const std::vector<std::uint32_t> nodes = nearestNodes(tree, node, most);
    std::vector<std::uint32_t> sorted = nodes;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> drawnChildren(sorted.size(), 0);
    std::string edges;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const std::uint32_t parent = tree.parent[nodes[i]];
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), parent) - sorted.begin();
        ++drawnChildren[static_cast<std::size_t>(place)];
        edges += "  n" + std::to_string(parent) + " -> n" + std::to_string(nodes[i]) + ";\n";
    }
    std::string dot = "digraph tree {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::uint32_t each = sorted[i];
        dot += "  n" + std::to_string(each) + " [label=\"" + std::to_string(each) + "\\nlevel " +
               shortest(valueOf(mapping, tree.level[each]));
        for (const auto& column : columns) {
            dot.append("\\n")
                .append(attributeInfo(column->id).name)
                .append(" ")
                .append(shortest(columnValue(column->id, column->at(each), mapping)));
        }
        dot += drawnChildren[i] < childrenOf(tree, each) ? "\", style=dashed];\n" : "\"];\n";
    }
    return dot + edges + "}\n";
}

} // namespace pollard
