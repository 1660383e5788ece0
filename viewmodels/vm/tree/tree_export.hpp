#pragma once

#include "vm/base/file_export.hpp"

#include <QString>

#include <array>
#include <cstdint>

namespace pollard::vm {

class DocumentViewModel;

/// What the whole tree can be written as.
enum class TreeFile : std::uint8_t {
    table,       ///< CSV, a line a component, with the attributes that are measured
    array,       ///< the same as a structured NumPy array
    parents,     ///< TIFF of canonical parents, 32 bits
    parentArray, ///< the same as a NumPy array
    graph,       ///< GraphViz, of a component with what is in it
};
inline constexpr std::array kTreeFiles{TreeFile::table, TreeFile::array, TreeFile::parents, TreeFile::parentArray,
                                       TreeFile::graph};

/// "csv", "npy", "tif", "dot".
[[nodiscard]] QString suffixOf(TreeFile file);

/// Writes the present tree on a thread of its own, one file at a time.
class TreeExport : public FileExport {
    Q_OBJECT

public:
    /// Components of a graph, those nearest to its top.
    static constexpr std::size_t kGraphNodes = 500;

    /// @param document must outlive this
    explicit TreeExport(DocumentViewModel& document, QObject* parent = nullptr);

    /// There is a tree, and no file is being written.
    [[nodiscard]] bool isAvailable() const override;
    /// Starts to write; does nothing unless isAvailable(). Ends with saved() or failed().
    /// @param top component at the top of a graph
    void save(pollard::vm::TreeFile file, const QString& path, quint32 top = 0);

private:
    DocumentViewModel& document_;
};

} // namespace pollard::vm
