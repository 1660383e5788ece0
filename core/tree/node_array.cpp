#include "tree/node_array.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <variant>

namespace pollard {

namespace {

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

std::string rowType(const std::vector<std::shared_ptr<const AttributeColumn>>& columns) {
    std::string descr =
        "[('id', '<u4'), ('parent', '<u4'), ('level', '<u2'), ('canonical_x', '<u4'), ('canonical_y', '<u4')";
    for (const auto& column : columns) {
        const char* type = std::visit(
            [](const auto& values) { return typeName<std::remove_cvref_t<decltype(values[0])>>(); }, column->values);
        descr.append(", ('").append(attributeInfo(column->id).name).append("', '").append(type).append("')");
    }
    return descr + ']';
}

} // namespace

std::unique_ptr<NpyFile> writeNodeArray(const std::filesystem::path& path, const ComponentTree& tree,
                                        const std::vector<std::shared_ptr<const AttributeColumn>>& columns,
                                        const JobControl& control) {
    const std::array<std::size_t, 1> shape{tree.nodeCount()};
    auto file = std::make_unique<NpyFile>(path, "cannot write node table", rowType(columns), shape);
    Rows rows;
    for (std::size_t first = 0; first < tree.nodeCount(); first += kRowsAtOnce) {
        control.throwIfStopped();
        control.report(static_cast<double>(first) / static_cast<double>(tree.nodeCount()), "");
        for (std::size_t node = first; node < std::min(tree.nodeCount(), first + kRowsAtOnce); ++node) {
            rows.add(static_cast<std::uint32_t>(node));
            rows.add(tree.parent[node]);
            rows.add(tree.level[node]);
            rows.add(tree.canonical[node] % tree.width);
            rows.add(tree.canonical[node] / tree.width);
            for (const auto& column : columns) {
                std::visit([&](const auto& values) { rows.add(values[node]); }, column->values);
            }
        }
        rows.handOver(*file);
    }
    return file;
}

} // namespace pollard
