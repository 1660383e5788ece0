#include "tree/node_table.hpp"

#include "io/write/atomic_file.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace pollard {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestNumber = 32;
constexpr std::size_t kTreeColumns = 5;

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

} // namespace

void writeNodeTable(AtomicFile& file, const ComponentTree& tree,
                    const std::vector<std::shared_ptr<const AttributeColumn>>& columns, const JobControl& control,
                    const NodeSet* chosen) {
    std::string header = "id,parent,level,canonical_x,canonical_y";
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
        csv.number(tree.level[node]);
        csv.character(',');
        csv.number(tree.canonical[node] % tree.width);
        csv.character(',');
        csv.number(tree.canonical[node] / tree.width);
        for (const auto& column : columns) {
            csv.character(',');
            std::visit([&](const auto& values) { csv.number(values[node]); }, column->values);
        }
        csv.character('\n');
    }
    csv.flush();
}

} // namespace pollard
